"""The schemas of the standard accept valid documents, and refuse faulty ones."""

import re
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest

from laws.standard import misfits
from rules.kernel.canonical import JsonObject
from rules.kernel.contract.published import table_schema
from tests.running import ROOT
from tests.standard.samples import NAMES, sample

Path = tuple[str | int, ...]

FREE = re.compile(
    r".*/(says/\w+|choices/\*/value|state/x|data/n|breakdown/\w+)|state/x|receipt/\w+"
    r"|(.*/)?(moves/\*|move)/(amount|good|to|whom)"
)
"""Paths of values that a ruleset defines, which may be anything."""
MAPS = re.compile(
    r"(mat/)?(colours|kinds|pieces|places|catalogue|sides|tracks|moves(/\w+)?|places/\w+/says)/[^/]+(/\*)?"
    r"|(en|es|fr)(/.+)?|titles/en|(.*/)?(properties|\$defs)/\w+"
)
"""Paths of members whose names the standard does not define."""
OPTIONAL = {
    "board": "icon table key lines directed says mark shape colour neighbours shows of placed id"
    " seat count if unless offset closed mat sides scenery tracks rounds text label",
    "view": "required additionalProperties $defs description minimum maximum const enum minLength"
    " x-table x-each minItems maxItems uniqueItems minProperties maxProperties",
    "ruleset": "renderer $defs required additionalProperties minimum maximum",
    "game": "player kind name bot",
    "event": "effects words state legal_moves groups data seat",
    "legal_moves": "groups seat",
    "log": "data", "moved": "receipt events", "preview": "seats", "refusal": "what",
    "problem": "title status errors", "me": "seat",
}  # fmt: skip
OPTIONAL["events"] = OPTIONAL["event"]
OPTIONAL["moved"] += f" {OPTIONAL['event']}"
CLOSED = ("board", "labels", "view")
"""Documents of rulesets, which have only members that the standard names; answers may have more."""


def nodes(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    yield path, value
    if isinstance(value, dict):
        inner = [*value.items()]
    else:
        inner = [*enumerate(value)] if isinstance(value, list) else []
    for key, item in inner:
        yield from nodes(item, (*path, key))


def put(whole: JsonObject, path: Path, value: Any) -> Any:
    if not path:
        return value
    changed = deepcopy(whole)
    place: Any = changed
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return changed


def spelt(path: Path) -> str:
    return "/".join("*" if isinstance(key, int) else key for key in path)


@pytest.mark.parametrize("name", NAMES)
def test_every_planted_fault_is_refused(name: str) -> None:
    """In each place of a sample: another type, a missing member, an additional member."""
    whole, seen = sample(name), set[str]()
    assert misfits(name, whole) == []
    optional = OPTIONAL.get(name, "").split()
    for path, value in nodes(whole):
        at = spelt(path)
        if at in seen:
            continue
        seen.add(at)
        other: Any = "x" if isinstance(value, dict | list) else {}
        assert misfits(name, put(whole, path, other)) or FREE.fullmatch(at), f"{at}: {other!r}"
        if not isinstance(value, dict):
            continue
        for key in value:
            rest = {each: item for each, item in value.items() if each != key}
            left_out = f"{at}/{key}".removeprefix("/")
            may_go = key in optional or FREE.fullmatch(left_out) or MAPS.fullmatch(left_out)
            assert misfits(name, put(whole, path, rest)) or may_go, f"without {left_out}"
        more = put(whole, path, {**value, "Of nobody": None})
        assert bool(misfits(name, more)) == (name in CLOSED) or name == "ruleset", f"{at}: more"


FAULTS: list[tuple[str, Path, Any]] = [
    ("board", ("moves", "buy", "row"), {"place": "row_1", "mat": "hold"}),
    ("board", ("moves", "buy", "row"), {"along": "round"}),
    ("board", ("moves", "buy", "row"), {"place": "row_{."}),
    ("board", ("moves", "buy", "row"), {"place": "row_{a//b}"}),
    ("board", ("pieces", "ship", "placed", 0, "each"), "ships/"),
    ("board", ("pieces", "ship", "placed", 0, "each"), "ships/{.}"),
    ("board", ("pieces", "ship", "placed"), []),
    ("board", ("kinds", "box", "shape"), {"circle": 3, "rect": [1, 1]}),
    ("board", ("kinds", "box", "shape"), {"polygon": [[0, 0], [1, 1]]}),
    ("board", ("kinds", "box", "shape"), {"circle": 0}),
    ("board", ("kinds", "box", "shape"), {"star": 3}),
    ("board", ("kinds", "pier", "key"), ""),
    ("board", ("colours", "red", "light"), "red"),
    ("board", ("colours", "red", "light"), "#FF0000"),
    ("board", ("colours",), {"red": {"light": "#ffffff", "dark": "#000000"}}),
    ("board", ("seats", 0, "shape"), "blob"),
    ("board", ("seats",), []),
    ("board", ("places", "bank", "of"), "no table!"),
    ("board", ("places", "row_1", "neighbours"), ["row_2", "row_2"]),
    ("board", ("places", "row_1", "of"), "cards"),
    ("board", ("tracks", "rows", "places"), ["row_1"]),
    ("board", ("catalogue", "cards", "row_text"), "text"),
    ("board", ("size",), [600, 0]),
    ("labels", ("en", "good.rum"), "{rum"),
    ("labels", ("en", "good.rum"), "rum]"),
    ("labels", ("en", "good.rum"), "[rum]"),
    ("labels", ("en", "good.rum"), "a|b|c"),
    ("labels", ("en", "good.rum"), "{n:a|b|c}"),
    ("labels", ("en", "good.rum"), "{n!r}"),
    ("labels", ("en", "good.rum"), ""),
    ("labels", ("en", "Good Rum"), "rum"),
    ("labels", ("english",), {}),
    ("labels", (), {}),
    ("view", ("properties", "phase"), {"type": "number"}),
    ("view", ("properties", "phase"), {"type": ["string", "null"]}),
    ("view", ("properties", "phase"), {"enum": ["a"]}),
    ("view", ("properties", "phase"), {"$ref": "other.json"}),
    ("view", ("properties", "phase"), {"type": "object"}),
    ("view", ("properties", "phase"), {"type": "array"}),
    ("groups", (0, "rank"), 0),
    ("groups", (0, "count"), 0),
    ("groups", (0, "choices", "choices"), []),
    ("groups", (0, "choices", "then"), None),
    ("groups", (1, "choices", "choices", 0, "step"), 0),
    ("groups", (1, "choices", "choices", 0), {"min": 1, "max": 2}),
    ("groups", (1, "choices", "choices", 0), {"min": 1, "max": 2, "step": 1, "value": 1,
                                              "label": "1"}),
    ("groups", (2, "choices", "choices", 0), {"omitted": False, "label": "nobody"}),
    ("groups", (2, "choices", "choices", 1), {"value": 1}),
    ("legal_moves", ("moves", 0), {"good": "rum"}),
    ("legal_moves", ("moves", 0), {"type": "pass"}),
    ("legal_moves", ("labels", 0), ""),
    ("state", ("status",), "over"),
    ("state", ("seat",), -1),
    ("state", ("decisions", 0, "deadline"), 5),
    ("event", ("seq",), 0),
    ("event", ("seq",), 1.5),
    ("game", ("result",), None),
    ("game", ("standings",), []),
    ("game", ("decisions",), [{"id": 1, "seat": 0, "name": "a", "label": "b", "deadline": None}]),
    ("game", ("status",), "lobby"),
    ("game", ("seats", 0), {"seat": 0, "holder": "player"}),
    ("game", ("seats", 1), {"seat": 1, "holder": "bot"}),
    ("game", ("standings", 0, "side"), "Red"),
    ("preview", ("stops_at",), "luck"),
    ("problem", ("code",), "Not Legal"),
    ("problem", ("status",), 200),
    ("ruleset", ("table_version",), 2),
    ("ruleset", ("documents", "renderer"), "board.js"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "path", "fault"), FAULTS)
def test_what_an_author_gets_wrong_is_refused(name: str, path: Path, fault: Any) -> None:
    assert misfits(name, put(sample(name), path, fault)) != []


def test_a_refused_move_has_a_label() -> None:
    told = sample("problem")
    del told["label"]
    assert misfits("problem", told) != []
    assert misfits("problem", {**told, "code": "stale_version"}) == []


PAGE = (ROOT / "docs/api/table.md").read_text(encoding="utf-8")
TABLES = {
    "## A ruleset": "ruleset", "## A game": "game", "## A state": "state", "## Events": "event",
    "## Moves": "legal_moves", "`POST /v1/games/{game_id}/moves` plays": "move_request",
    "### Groups": "group", "## Preview": "preview", "## Why not": "refusal",
}  # fmt: skip
"""By the text with which the page begins a table, the schema of that table."""


@pytest.mark.parametrize("head", TABLES)
def test_the_page_says_what_must_be_there(head: str) -> None:
    kind = table_schema()["$defs"][TABLES[head]]
    text = PAGE.partition(f"\n{head}")[2].partition("| member |")[2].partition("\n\n")[0]
    rows = re.findall(r"^\| (`.+?) \| (optional)? ?\|", text, re.MULTILINE)
    told = {name: bool(mark) for cell, mark in rows for name in re.findall(r"`(\w+)`", cell)}
    required = {name: name not in kind["required"] for name in kind["properties"]}
    assert told == required


def test_every_schema_is_named_on_the_page() -> None:
    named = {
        name
        for told in re.findall(r"schemas? (`[^)]+)\)", PAGE, re.IGNORECASE)
        for name in re.findall(r"`(\w+)`", told)
    }
    assert {*NAMES} <= named
    assert named <= table_schema()["$defs"].keys()
