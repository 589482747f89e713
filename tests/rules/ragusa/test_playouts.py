"""Random games: the phases follow their table, and everybody has equally many turns."""

import random
from collections.abc import Iterator
from itertools import pairwise

import pytest

from rules.kernel.contract.chance import Chance, uniform
from rules.kernel.contract.move import Move
from rules.kernel.contract.ruleset import Chanced, Finished, Moved
from rules.ragusa import RULESET, moves
from rules.ragusa.data import HOUSES
from rules.ragusa.play import PHASES
from rules.ragusa.state import State

SEATS = range(1, 6)


def states(seed: int, seats: int) -> Iterator[State]:
    """Every state of a random game; it is one object, changed in place."""
    rng = random.Random(seed)
    nature = uniform(rng)
    options = {"two_player_neutral_houses": True} if seats == 2 and seed % 2 else {}
    state = RULESET.initial(seats, RULESET.parse_options(seats, options))
    yield state
    while not isinstance(turn := RULESET.turn(state), Finished):
        if isinstance(turn, Chance):
            RULESET.reduce(state, Chanced(turn.label, turn.n, nature(turn)))
        else:
            seat = rng.choice(turn.seats)
            RULESET.reduce(state, Moved(seat, rng.choice(RULESET.legal_moves(state, seat))))
        yield state


def test_the_phase_table_is_what_is_played() -> None:
    followed = set()
    for seats in SEATS:
        for seed in range(20):
            followed |= set(pairwise([state.phase for state in states(seed, seats)]))
    table = {(phase, after) for phase, row in PHASES.items() for after in row.leads_to}
    assert followed <= table
    assert {phase for phase, _ in followed} == PHASES.keys() - {"game_over"}


@pytest.mark.parametrize("type_", [moves.PlaceHouse, moves.ExchangeFish])
def test_what_is_listed_faster_is_what_is_not_refused(type_: type[Move[State]]) -> None:
    for seats in SEATS:
        for state in states(2, seats):
            if state.phase == "place_house":
                left = [m for m in type_.pool() if not m.refusal(state, state.decider)]
                assert [*type_.legal(state, state.decider)] == left


@pytest.mark.parametrize("seats", SEATS)
def test_all_houses_are_built(seats: int) -> None:
    *_, last = states(1, seats)
    built = [last.house_at.count(side) + last.forfeited[side] for side in range(last.sides)]
    assert built == [HOUSES[seats]] * last.sides
    assert last.houses_left == [0] * last.sides
