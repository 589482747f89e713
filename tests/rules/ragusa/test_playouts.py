"""Random games: the phases follow their table, and all players have equally many turns."""

import pytest

from rules.kernel.contract.move import Move
from rules.ragusa import RULESET, moves
from rules.ragusa.data import HOUSES
from rules.ragusa.play import PHASES
from rules.ragusa.state import State
from tests.rules.playing import never_followed, random_game, random_phases

SEATS = range(1, 6)
NEUTRAL = {"two_player_neutral_houses": True}


def test_the_phase_table_is_what_is_played() -> None:
    games = [random_phases(RULESET, seed, seats) for seats in SEATS for seed in range(20)]
    games += [random_phases(RULESET, seed, 2, **NEUTRAL) for seed in range(1, 20, 2)]
    never_followed(PHASES, games)
    assert {phase for game in games for phase in game} == PHASES.keys()


@pytest.mark.parametrize("type_", [moves.PlaceHouse, moves.ExchangeFish])
def test_what_is_listed_faster_is_what_is_not_refused(type_: type[Move[State]]) -> None:
    for seats in SEATS:
        for state in random_game(RULESET, 2, seats).states:
            if state.phase == "place_house":
                left = [m for m in type_.pool() if not m.refusal(state, state.decider)]
                assert [*type_.legal(state, state.decider)] == left


@pytest.mark.parametrize("seats", SEATS)
def test_all_houses_are_built(seats: int) -> None:
    last = random_game(RULESET, 1, seats, **(NEUTRAL if seats == 2 else {})).final
    built = [last.house_at.count(side) + last.forfeited[side] for side in range(last.sides)]
    assert built == [HOUSES[seats]] * last.sides
    assert last.houses_left == [0] * last.sides
