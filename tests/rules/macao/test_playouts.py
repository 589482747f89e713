"""Random games: the sequence of play, and invariants over whole games."""

import random
from collections.abc import Iterable
from functools import cache
from itertools import pairwise

import pytest

from rules.kernel.contract.chance import Chance
from rules.kernel.contract.move import Move
from rules.kernel.contract.ruleset import ChanceEvent, Decision, MoveEvent
from rules.kernel.contract.seats import Seat, all_seats
from rules.macao import RULESET, data, moves
from rules.macao.data import ROUNDS, cubes
from rules.macao.phases import PHASES
from rules.macao.state import State
from tests.rules.playing import Game, never_followed, random_game

SEATS = pytest.mark.parametrize("seats", [2, 3, 4])


@cache
def games(seats: int) -> list[Game]:
    return [random_game(RULESET, seed, seats) for seed in range(20)]


def test_the_phase_table_is_what_is_played() -> None:
    played = [game for seats in (2, 3, 4) for game in games(seats)]
    assert never_followed(PHASES, [game.phases for game in played]) == set()
    for _, steps in played:
        for before, event, _ in steps:
            types = PHASES[before.phase].moves
            assert isinstance(event, MoveEvent) == bool(types)
            assert not isinstance(event, MoveEvent) or event.move.type in types


def _everything(state: State, seat: Seat) -> dict[type[Move[State]], Iterable[Move[State]]]:
    """By type, all candidates of moves, in the order of the lists."""
    powers, colours = state.powers[seat], range(len(data.COLOURS))
    sizes = range(powers.joker_multiplier, -1, -1)
    return {
        moves.ActivateCard: map(moves.ActivateCard.of, state.tableau[seat]),
        moves.ClaimQuarter: moves.claims(state, seat),
        moves.AdvanceWall: moves.AdvanceWall.pool(),
        moves.AdvanceWallExtra: map(moves.AdvanceWallExtra.of, cubes.of(powers.wall_extra_cost)),
        moves.MoveShip: [
            moves.MoveShip(space, colour)
            for colour in (None, *colours)
            for space in state.tables.spaces[state.ship[seat]].adjacent
        ],
        moves.DeliverGoods: moves.DeliverGoods.pool(),
        moves.BuyPrestige: moves.BuyPrestige.pool(),
        moves.UseCard: [
            moves.UseCard(card, paid, gained)
            for card, convert in powers.converts
            for paid in ((None,) if convert.pays is None else cubes.of(convert.pays))
            for gained in _gains(convert.gains(state.bank))
        ],
        moves.UseJoker: [
            moves.UseJoker(pile, data.JOKER_COINS * (sizes[0] - size))
            for size in sizes
            for pile in cubes.of(size)
        ],
    }


def _gains(number: int | None) -> Iterable[int | None]:
    return (None,) if number is None else cubes.of(number)


@SEATS
def test_what_is_listed_faster_is_what_is_not_refused(seats: int) -> None:
    for _, steps in games(seats)[:5]:
        for state, _, _ in steps[::3]:
            if state.phase == "actions":
                for type_, candidates in _everything(state, state.decider).items():
                    legal = [m for m in candidates if not m.refusal(state, state.decider)]
                    assert [*type_.legal(state, state.decider)] == legal


@SEATS
def test_every_round_has_its_turns_and_its_draws(seats: int) -> None:
    for _, steps in games(seats):
        ends = [
            e.seat for _, e, _ in steps if isinstance(e, MoveEvent) and e.move.type == "end_turn"
        ]
        assert len(ends) == ROUNDS * seats
        draws = [(e.label, e.n) for _, e, _ in steps if isinstance(e, ChanceEvent)]
        rounds = [(label, n) for n in range(1, 13) for label in ("cards/round", "dice")]
        names = ("setup/wall", "setup/goods", "setup/offices", "cards/initial")
        assert draws == [*((name, 1) for name in names), *rounds]
        for before, event, _ in steps:
            if isinstance(event, MoveEvent) and event.move.type == "end_turn":
                assert event.seat == before.queue[0]


@SEATS
def test_nothing_runs_backwards(seats: int) -> None:
    for game in games(seats)[:10]:
        for one, other in pairwise(game.states):
            assert other.round - one.round in (0, 1)
            for seat in all_seats(seats):
                assert other.prestige[seat] >= one.prestige[seat]
                assert other.disc[seat] >= one.disc[seat]
                assert other.activated[seat][: len(one.activated[seat])] == one.activated[seat]


@SEATS
def test_every_card_drafted_is_somewhere(seats: int) -> None:
    for final, steps in games(seats):
        for seat in all_seats(seats):
            drafted = discarded = 0
            for _, event, _ in steps:
                if isinstance(event, MoveEvent) and event.seat == seat:
                    drafted += event.move.type == "draft_card"
                    discarded += event.move.type == "discard_tableau_card"
            held = len(final.tableau[seat]) + len(final.activated[seat])
            assert held + discarded == drafted <= 1 + ROUNDS


@SEATS
def test_luck_is_the_same_under_different_play(seats: int) -> None:
    """The deck of a round does not depend on the moves before."""
    drawn = []
    for seed in (1, 2):
        rng = random.Random(seed)
        state = RULESET.initial(seats, RULESET.parse_options(seats, {}))
        sizes = []
        while not isinstance(turn := RULESET.turn(state), Chance | Decision) or state.round < 5:
            if isinstance(turn, Chance):
                sizes.append((turn, tuple(state.deck)))
                picks = [size // 2 for size in turn.sizes]
                RULESET.reduce(state, ChanceEvent(turn.label, turn.n, picks))
            else:
                assert isinstance(turn, Decision)
                moves = RULESET.legal_moves(state, turn.seats[0])
                RULESET.reduce(state, MoveEvent(turn.seats[0], rng.choice(moves)))
        drawn.append(sizes)
    assert drawn[0] == drawn[1]


def test_a_wall_order_breaks_all_ties() -> None:
    for seats in (2, 3, 4):
        for final, _ in games(seats):
            result = RULESET.result(final)
            assert sorted(s.rank for s in result.standings) == list(range(1, seats + 1))
            for standing in result.standings:
                parts = dict(standing.breakdown)
                parts.pop("wall_place")
                assert sum(parts.values()) == standing.score
