"""The heuristic's value of a state for one seat."""

import pytest

from rules.macao import RULESET
from tests.rules.macao.table import A, B, Table
from tests.rules.playing import Json


def _last_round() -> Table:
    players = {A: {"supply": {"black": 1, "green": 1}}, B: {"supply": {"green": 1}}}
    return Table(players=players, round=12)


@pytest.mark.parametrize(
    ("type_", "params"),
    [
        ("buy_prestige", {}),
        ("claim_quarter", {"quarter": "q05", "payment": {"black": 1}}),
    ],
)
def test_what_others_do_in_their_turn_leaves_a_seat_its_own(type_: str, params: Json) -> None:
    table = _last_round()
    before = RULESET.heuristic(table.state)[B]
    table.play(A, type_, **params)
    assert RULESET.heuristic(table.state)[B] == before


@pytest.mark.parametrize("done", ["claims", "tributes"])
def test_what_a_seat_has_done_in_its_turn_is_no_longer_before_it(done: str) -> None:
    table = _last_round()
    data = table.json
    data["turn"][done] = 1
    assert RULESET.heuristic(RULESET.from_json(data))[A] < RULESET.heuristic(table.state)[A]
