"""docs/table_vectors.json by each Python implementation; `play/vectors.test.ts` tests the other.

The programs in docs/api/board.md are among the implementations.
"""

import json
import sys
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from laws.standard import misfits
from rules.kernel.canonical import JsonObject
from rules.kernel.contract import bindings
from rules.kernel.contract.bindings import Node
from rules.kernel.contract.labels import Labels
from service.cli.terminal.choosing import LegalMoves, MoveChoice, Option, Pick
from tests.running import ROOT
from tests.test_docs import program

VECTORS = json.loads((ROOT / "docs/table_vectors.json").read_text(encoding="utf-8"))
DOCUMENTS = VECTORS["documents"]


def cases(name: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("case", VECTORS[name], ids=lambda case: case["name"])


def test_their_documents_fit_the_schemas() -> None:
    assert misfits("labels", DOCUMENTS["words"]) == []
    for board in DOCUMENTS["boards"].values():
        assert misfits("board", board) == []
    for legal in DOCUMENTS["legal"].values():
        assert misfits("legal_moves", legal) == []


@cases("labels")
def test_sentences(case: JsonObject) -> None:
    words, key, values = case["words"], case["key"], case["values"]
    assert Labels(DOCUMENTS["words"]).text(key, words, **values) == case["says"]
    say = program("api/board.md", "words.py")["say"]
    assert say(DOCUMENTS["words"][words], key, **values) == case["says"]


def drawn(sheet: JsonObject, shown: Any, owner: Any = None) -> Iterator[JsonObject]:
    for piece in bindings.standing(sheet["pieces"], shown):
        if place := sheet["places"].get(piece.place):
            dx, dy = piece.offset
            centre = {"x": place["x"] + dx, "y": place["y"] + dy}
            parts = {"id": piece.id, "seat": piece.seat, "count": piece.count}
            yield {"type": piece.piece, "place": piece.place, "mat": owner, **parts, **centre}


def displayed(sheet: JsonObject, shown: Any, owner: str = "") -> Iterator[tuple[str, list[Any]]]:
    for key, place in sheet["places"].items():
        if "shows" in place:
            values = [node.value for node in bindings.nodes(Node(shown), place["shows"])]
            if values:
                yield owner + key, values


@cases("boards")
def test_boards(case: JsonObject, monkeypatch: pytest.MonkeyPatch) -> None:
    board, view = DOCUMENTS["boards"][case["board"]], case["view"]
    pieces, shows = [*drawn(board, view)], dict(displayed(board, view))
    for mat in bindings.mats(board, view):
        owner = mat.value.get("seat", mat.key)
        pieces += drawn(board["mat"], mat.value, owner)
        shows |= dict(displayed(board["mat"], mat.value, f"{owner}:"))
    assert pieces == case["pieces"]
    assert shows == case["shows"]
    # The guide's program draws no mats, and finds places only while it draws.
    monkeypatch.setitem(sys.modules, "lonja", SimpleNamespace(ask=None))
    monkeypatch.setitem(sys.modules, "words", SimpleNamespace(say=None))
    standing = program("api/board.md", "board.py")["standing"]
    stand = [
        (name, values["at"]) for name, _, values in standing(board["pieces"], view)
        if values["at"] in board["places"]
    ]  # fmt: skip
    assert stand == [(p["type"], p["place"]) for p in case["pieces"] if p["mat"] is None]


@cases("targets")
def test_targets(case: JsonObject) -> None:
    board, move = DOCUMENTS["boards"][case["board"]], case["move"]
    found = bindings.pointed_to(board, case["view"], case["seat"], move)
    assert [*found] == [ref for refs in case["refers"].values() for ref in refs]


@cases("choices")
def test_choices(case: JsonObject) -> None:
    legal = DOCUMENTS["legal"][case["legal"]]
    choice = MoveChoice(LegalMoves(legal["moves"], legal["labels"], legal["groups"]))
    for picked in case["picks"]:
        ((name, value),) = picked.items()
        choice.take(Option("", "", 0, (Pick(name, value, ""),)))
    step = choice.step()
    assert step.move == case.get("move")
    if step.move is not None:
        return
    assert step.asked == case["asks"]
    # The terminal has its own order and names: it lists Pass first, and an option that leaves one
    # move has the label of that move.
    offered = {repr(told(option, legal)): option for option in step.options}
    wanted = {repr(one.get("value")): one for one in case["options"]}
    assert {value: option.ways for value, option in offered.items()} == {
        value: one["leaves"] for value, one in wanted.items()
    }
    for value, option in offered.items():
        assert option.move is not None or option.label.startswith(wanted[value]["label"])


def told(option: Option, legal: JsonObject) -> object:
    """Return the value of an option; the value of a whole move is its type."""
    (*_, pick) = option.picks
    return pick.value if pick.field else legal["moves"][option.move]["type"]
