"""States that no play leads to, and what is said of them."""

from collections.abc import Callable

import pytest

from rules.santiago_de_cuba import RULESET
from tests.rules.santiago_de_cuba.table import A, Json, Table


@pytest.mark.parametrize(
    ("position", "changes", "sentence"),
    [
        (Table, {"passed": [A]}, "seats [0] have passed in phase drive_car"),
    ],
)
def test_what_no_play_leads_to_is_noticed(
    position: Callable[[], Table], changes: Json, sentence: str
) -> None:
    state = RULESET.from_json({**position().json, **changes})
    assert sentence in RULESET.violations(state)
