"""The invariants of states: a state that violates one is reported."""

import pytest

from rules.plus_ultra import RULESET
from tests.rules.plus_ultra.table import DOWN, A, B, Table, down_from

NO_SPACES = [0] * 8
FIRST_SPACE = [1, *NO_SPACES[1:]]


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"round": 0}, "13: it is round 0 in activation"),
        ({"round": 3}, "13: it is round 3 in activation"),
        ({"common_taken": FIRST_SPACE}, "for 0 free actions and 0 bulls"),
        ({"common_used": [1, 0, 0]}, "for 1 free actions and 0 bulls"),
        ({"common_taken": [1, 1, 1, 0, 0, 0, 0, 0], "common_used": [1, 0, 0],
          "bull_used": [1, 0, 0]}, "for 1 free actions and 1 bulls"),
        ({"bull_used": [2, 0, 0]}, "more than once"),
        ({"common_taken": [2, *NO_SPACES[1:]], "common_used": [1, 1, 0]}, "more than once"),
        ({"common_taken": [1, 1, 0, 0, 0, 0, 0, 0], "common_used": [2, 0, 0]}, "more than once"),
        ({"bull_used": [0, 0, 1]}, "13: seat 2 has used"),
        ({"common_taken": FIRST_SPACE, "common_used": [0, 0, 1]}, "13: seat 2 has used"),
        ({"rows": [None, DOWN, None, DOWN, DOWN, DOWN, DOWN]}, "15: not the last rows"),
        ({"rows": [None, None, DOWN, DOWN, DOWN, None, None]}, "15: not the last rows"),
    ],
)  # fmt: skip
def test_a_broken_invariant_is_found(given: dict[str, object], sentence: str) -> None:
    table = Table(3, active=B, rows=down_from(3))
    found = RULESET.violations(RULESET.from_json({**table.json, **given}))
    assert any(sentence in violation for violation in found), found


def test_bulls_and_common_actions_are_of_activations() -> None:
    table = Table(2, phase="buy_bulls", round=0, active=A, players={A: {"ducats": 3}})
    given = {**table.json, "bull_used": [1, 0]}
    assert RULESET.violations(RULESET.from_json(given)) == [
        "13: seat 0 has used what is of activations before its first"
    ]
