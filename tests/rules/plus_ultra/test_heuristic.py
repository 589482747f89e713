"""The heuristic's values of things whose worth follows from the rules."""

import pytest

from rules.plus_ultra import RULESET
from tests.rules.playing import Json
from tests.rules.plus_ultra.table import A, B, Table


def worth(table: Table, **has: object) -> int:
    """The heuristic's gain for A by ``has``."""
    data = table.json
    data["players"][A].update(has)
    better = RULESET.from_json(data)
    return RULESET.heuristic(better)[A] - RULESET.heuristic(table.state)[A]


@pytest.mark.parametrize(
    ("given", "worthy"),
    [
        ({"turn": 1}, True),
        ({"turn": 4}, True),
        ({"turn": 6, "round": 2, "active": B}, True),
        ({"turn": 7}, True),
        ({"turn": 7, "active": B}, True),  # the second round is still to come
        ({"turn": 7, "round": 2}, True),
        ({"turn": 7, "bull_used": [1, 0]}, False),
        ({"turn": 7, "round": 2, "active": B}, False),
    ],
)
def test_a_bull_is_worth_something_while_it_can_be_spent(given: Json, *, worthy: bool) -> None:
    assert (worth(Table(2, **given), bulls=1) > 0) is worthy


def test_a_turn_takes_one_bull() -> None:
    table = Table(2, turn=7)
    assert worth(table, bulls=2) < worth(table, bulls=1)
    table = Table(2, turn=6)
    assert worth(table, bulls=2) > worth(table, bulls=1)


def test_magellan_cards_are_worth_nothing_after_the_voyage() -> None:
    table = Table(2, players={A: {"magellan": 5}})
    assert table["magellan_completed"]
    assert worth(table, magellan=0) == 0
