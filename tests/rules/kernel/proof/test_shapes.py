"""The shapes of events, by kind, as the format defines them."""

import copy
import json
from typing import Any

import pytest

from rules.kernel.proof.shape import Fields, ListOf, anything
from rules.kernel.proof.shapes import is_known
from tests.running import ROOT

CHAIN: list[dict[str, Any]] = json.loads((ROOT / "docs/format_vectors.json").read_text())["events"][
    "chain"
]


def chanced(picks: list[int]) -> dict[str, Any]:
    """A draw from two sets of six, with these picks."""
    event = copy.deepcopy(next(one for one in CHAIN if one["kind"] == "chanced"))
    assert event["body"]["draw"]["sizes"] == [6, 6]
    event["audiences"] = dict.fromkeys(event["parts"], "public")
    event["body"]["picks"] = picks
    return event


@pytest.mark.parametrize("picks", [[4, 0], [5, 5], [0, 0]])
def test_picks_are_below_the_sizes_that_they_answer(picks: list[int]) -> None:
    assert is_known(chanced(picks), 2)


@pytest.mark.parametrize("picks", [[6, 0], [0, 6], [4], [4, 0, 0], []])
def test_picks_that_answer_no_size_are_none(picks: list[int]) -> None:
    assert not is_known(chanced(picks), 2)


@pytest.mark.parametrize(("items", "is_list"), [(1, True), (2, True), (3, False)])
def test_what_is_newer_in_a_full_list_is_noted_and_not_condemned(
    items: int, *, is_list: bool
) -> None:
    noted: list[str] = []
    shape = ListOf(Fields(known=anything), most=2)
    value = [{"known": 1, "unknown": 2}] * items
    said = shape.wrong(value, 2, "$", lambda path, _name: noted.append(path))
    assert (said == "") is is_list
    assert len(noted) == (items if is_list else 0)
