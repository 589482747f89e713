"""Random games: properties of every state, besides the laws."""

import random
from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema_rs import Draft202012Validator

from rules.kernel.canonical import encode
from rules.kernel.contract.chance import Chance, uniform
from rules.kernel.contract.errors import IllegalMove
from rules.kernel.contract.move import Move
from rules.kernel.contract.ruleset import ChanceEvent, Decision, GameOver, MoveEvent
from rules.kernel.contract.seats import Seat, all_seats
from rules.santiago_de_cuba import RULESET
from rules.santiago_de_cuba.play import PHASES
from rules.santiago_de_cuba.state import State
from tests.rules.playing import Game, Json, never_followed, random_game, random_phases
from tests.rules.santiago_de_cuba.table import A, Table


def play(seed: int, seats: int, **options: object) -> Game:
    game = random_game(RULESET, seed, seats, **options)
    assert not any(RULESET.violations(state) for state in game.states)
    return game


@cache
def games(seats: int) -> list[Game]:
    return [random_game(RULESET, seed, seats) for seed in range(40)]


SEATS = pytest.mark.parametrize("seats", [2, 3, 4])


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(min_value=0),
    seats=st.integers(2, 4),
    turn_limit=st.integers(1, 60),
    open_holdings=st.booleans(),
)
def test_short_games_end_by_their_limit(
    *, seed: int, seats: int, turn_limit: int, open_holdings: bool
) -> None:
    visibility = "open" if open_holdings else "hidden"
    state, _ = play(seed, seats, turn_limit=turn_limit, holdings_visibility=visibility)
    assert state.turns_done <= turn_limit
    assert (state.end_reason == "turn_limit") == (state.turns_done == turn_limit)


def test_the_phase_table_is_what_is_played() -> None:
    played = [game.phases for seats in (2, 3, 4) for game in games(seats)]
    played += [random_phases(RULESET, seed, 4) for seed in range(40, 71)]
    by_option = {
        ("shuffle_buildings", "draw_start_player"),
        ("shuffle_buildings", "roll_demand"),
        ("shuffle_citizens", "roll_demand"),
    }
    rare = set(
        product(("take_good", "tribute", "alonso"), ("roll_demand", "drive_car", "game_over"))
    )
    rare |= {("choose_demand", "roll_demand"), ("choose_demand", "game_over")}
    assert never_followed(PHASES, played) <= by_option | rare


@SEATS
def test_replaying_the_events_gives_the_same_state(seats: int) -> None:
    for final, steps in games(seats)[:3]:
        state = RULESET.initial(seats, RULESET.parse_options(seats, {}))
        for before, event, _ in steps:
            assert RULESET.to_json(state) == RULESET.to_json(before)
            if isinstance(event, MoveEvent):
                data = event.move.to_json()
                event = MoveEvent(event.seat, RULESET.recorded_move(data))  # noqa: PLW2901
            RULESET.reduce(state, event)
        assert encode(RULESET.to_json(state)) == encode(RULESET.to_json(final))


@SEATS
def test_copies_and_codecs_give_equal_bytes_and_share_nothing(seats: int) -> None:
    for _, steps in games(seats)[:3]:
        for before, event, _ in steps[::5]:
            data = RULESET.to_json(before)
            copy, decoded = RULESET.copy(before), RULESET.from_json(data)
            assert encode(RULESET.to_json(copy)) == encode(RULESET.to_json(decoded)) == encode(data)
            RULESET.reduce(copy, event)
            assert RULESET.to_json(before) == data


@SEATS
def test_legal_moves_are_distinct_accepted_and_described(seats: int) -> None:
    validators = {type_.type: Draft202012Validator(type_.schema()) for type_ in RULESET.move_types}
    for _, steps in games(seats)[:3]:
        for state, event, _ in steps:
            if isinstance(event, ChanceEvent):
                continue
            legal = RULESET.legal_moves(state, event.seat)
            assert len(set(legal)) == len(legal)
            for move in legal:
                data = move.to_json()
                assert RULESET.read_move(state, event.seat, data) == move
                validators[move.type].validate(data)
                key, words = move.label()
                for language in ("en", "es"):
                    assert RULESET.labels.text(key, language, **words)
            others = [seat for seat in all_seats(seats) if seat != event.seat]
            assert all(not RULESET.legal_moves(state, seat) for seat in others)


def _every_move() -> list[Json]:
    found: dict[bytes, Json] = {}
    for seats in (2, 4):
        for _, steps in games(seats):
            for state, event, _ in steps:
                if isinstance(event, MoveEvent):
                    for move in RULESET.legal_moves(state, event.seat):
                        data = move.to_json()
                        if data.get("times", 1) < 4:
                            found.setdefault(encode(data), data)
    return list(found.values())


def test_what_is_not_in_the_list_is_refused() -> None:
    everything = _every_move()
    kinds = Counter(data["type"] for data in everything)
    assert set(kinds) == {type_.type for type_ in RULESET.move_types}
    for _, steps in games(4)[:2]:
        for state, event, _ in steps[::3]:
            if isinstance(event, ChanceEvent):
                continue
            legal: list[Json] = [m.to_json() for m in RULESET.legal_moves(state, event.seat)]
            before = encode(RULESET.to_json(state))
            for data in everything:
                if data not in legal:
                    with pytest.raises(IllegalMove) as error:
                        RULESET.read_move(state, event.seat, data)
                    assert error.value.code in RULESET.error_codes
            assert encode(RULESET.to_json(state)) == before


def test_effects_can_be_told_in_both_languages() -> None:
    told = {"tribute_skipped"}  # rare in random play; example 17 shows it
    assert RULESET.labels.text("effect.tribute_skipped", "es", seat=1)
    for seats in (2, 3, 4):
        for _, steps in games(seats):
            for _, _, log in steps:
                for effect in log.effects:
                    told.add(effect.type)
                    encode(effect.data)
                    for language in ("en", "es"):
                        line = RULESET.labels.text(f"effect.{effect.type}", language, **effect.data)
                        assert line or 0 in effect.data.values()  # amounts of 0 have no line
    assert told == set(RULESET.effect_types)


def _leaves(state: State, depth: int) -> int:
    turn = RULESET.turn(state)
    if depth == 0 or not isinstance(turn, Decision):
        return 1
    (seat,) = turn.seats
    leaves = 0
    for move in RULESET.legal_moves(state, seat):
        after = RULESET.copy(state)
        RULESET.reduce(after, MoveEvent(seat, move))
        leaves += _leaves(after, depth - 1)
    return leaves


def test_the_tree_of_legal_moves_has_not_changed() -> None:
    start = Table(players={A: {"pesos": 9}}).state
    assert [_leaves(start, depth) for depth in range(5)] == [1, 10, 44, 150, 595]


def test_moves_are_plain_values() -> None:
    for data in _every_move():
        move: Move[State] = RULESET.recorded_move(data)
        assert move.to_json() == data
        assert hash(move) == hash(RULESET.recorded_move(data))


def test_the_greedy_move_beats_random_play() -> None:
    wins = 0
    for seed in range(12):
        rng = random.Random(seed)
        nature = uniform(rng)
        state = RULESET.initial(2, RULESET.parse_options(2, {}))
        greedy = seed % 2
        while not isinstance(turn := RULESET.turn(state), GameOver):
            if isinstance(turn, Chance):
                RULESET.reduce(state, ChanceEvent(turn.label, turn.n, nature(turn)))
                continue
            assert isinstance(turn, Decision)
            seat = turn.seats[0]
            legal = RULESET.legal_moves(state, seat)
            move = _best(state, seat, legal) if seat == greedy else rng.choice(legal)
            RULESET.reduce(state, MoveEvent(seat, move))
        wins += RULESET.result(state).standings[greedy].rank == 1
    assert wins == 12


def _best(state: State, seat: Seat, legal: Sequence[Move[State]]) -> Move[State]:
    def value(move: Move[State]) -> int:
        after = RULESET.copy(state)
        RULESET.reduce(after, MoveEvent(seat, move))
        return RULESET.heuristic(after)[seat]

    return max(legal, key=value)
