"""The heuristic's values of states."""

import pytest

from rules.santiago_de_cuba import RULESET
from rules.santiago_de_cuba.aids import WEIGHTS
from tests.rules.playing import Json
from tests.rules.santiago_de_cuba.table import A, B, Table, in_harbour


def _at_the_end(mine: Json, other: Json) -> int:
    ended: Json = {
        "phase": "game_over",
        "decider": None,
        "end_reason": "turn_limit",
        "turn_limit": 2,
    }
    table = Table(players={A: {"vp": 9, **mine}, B: {"vp": 9, **other}}, **ended)
    return RULESET.heuristic(table.state)[A]


@pytest.mark.parametrize(
    ("mine", "other"),
    [
        ({"vp": 10, "goods": {}, "pesos": 0}, {"goods": {"rum": 2}, "pesos": 90_000}),
        ({"goods": {"rum": 1}, "pesos": 0}, {"goods": {}, "pesos": 90_000}),
        ({"goods": {"rum": 1}, "pesos": 4}, {"goods": {"wood": 1}, "pesos": 3}),
    ],
)
def test_r47_the_end_is_judged_as_the_ranks_are(mine: Json, other: Json) -> None:
    assert _at_the_end(mine, other) > 0 > _at_the_end(other, mine)


def test_r48_equal_sides_are_level_at_the_end() -> None:
    holding: Json = {"goods": {"rum": 4}, "pesos": 7}
    assert _at_the_end(holding, holding) == 0


def test_r36_who_has_passed_has_nothing_to_load() -> None:
    demand = {"sugar": 1, "citrus": 0, "tobacco": 0, "rum": 2}

    def lost_by_passing(rum: int) -> int:
        table = in_harbour(players={A: {"goods": {"rum": rum}}}, demand=demand)
        before = RULESET.heuristic(table.state)[A]
        return before - RULESET.heuristic(table.play(A, "pass_loading").state)[A]

    assert lost_by_passing(0) == 0
    assert lost_by_passing(2) == 2 * 2 * 10 * WEIGHTS.own_loading  # at 2 VP each, in percent
