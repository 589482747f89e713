"""Boards: drawn in full from their data, and true of every view and every move of every game."""

import math
import re
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import orjson
import pytest
from jsonschema import Draft202012Validator

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.labels import LANGUAGES
from rules.kernel.contract.published import board, board_schema, rules_text
from rules.kernel.contract.ruleset import Decision, Ruleset
from rules.kernel.contract.schemas import TABLE, view_schema
from tests.contract.drawing import Node, fill, mats, nodes, standing
from tests.contract.tables import SEEDS, Spot, Table, default_tables, positions

EVERYWHERE = ("ground", "ink")
"""Colours that each board has: of the paper that it lies on, and of words and lines."""
STRIDE = 2
"""Every second position of a random game is looked at."""
ANCHOR = re.compile(r'<a id="([^"]+)"></a>')


def drawn(ruleset: Ruleset[Any]) -> JsonObject:
    found = board(ruleset)
    assert found is not None, f"{ruleset.info.id} has no aids/board.json"
    return found


def sheets(ruleset: Ruleset[Any]) -> list[JsonObject]:
    """Return the parts of a board that have places: itself, and the mat of each seat."""
    whole = drawn(ruleset)
    return [whole, *([whole["mat"]] if "mat" in whole else [])]


def test_it_fits_the_schema_of_boards(ruleset: Ruleset[Any]) -> None:
    Draft202012Validator.check_schema(board_schema())
    wrong = Draft202012Validator(board_schema()).iter_errors(drawn(ruleset))
    assert [f"{error.json_path} {error.message}" for error in wrong] == []


# Where places are


def outline(sheet: JsonObject, place: JsonObject) -> list[tuple[float, float]]:
    """Return the corners of a place, those of a round one by steps of ten degrees."""
    shape = place.get("shape", sheet["kinds"][place["kind"]]["shape"])
    ((name, size),) = shape.items()
    x, y = place["x"], place["y"]
    if name == "polygon":
        return [(x + dx, y + dy) for dx, dy in size]
    if name == "rect":
        width, height = size
        return [
            (x + dx * width / 2, y + dy * height / 2)
            for dx, dy in ((-1, -1), (1, -1), (1, 1), (-1, 1))
        ]
    across, down = size if name == "ellipse" else (size, size)
    turns = [math.radians(turn) for turn in range(0, 360, 60 if name == "hex" else 10)]
    return [(x + across * math.sin(turn), y - down * math.cos(turn)) for turn in turns]


def apart(one: list[tuple[float, float]], other: list[tuple[float, float]]) -> bool:
    """Whether a line parts two convex outlines, along a side of one of them."""
    for corners in (one, other):
        for (ax, ay), (bx, by) in zip(corners, [*corners[1:], corners[0]], strict=True):
            across = (by - ay, ax - bx)
            first, second = (
                [across[0] * x + across[1] * y for x, y in points] for points in (one, other)
            )
            slack = 1e-3 * math.hypot(*across) * 300  # coordinates are rounded to a tenth
            if max(first) <= min(second) + slack or max(second) <= min(first) + slack:
                return True
    return False


def test_places_are_on_it_and_apart(ruleset: Ruleset[Any]) -> None:
    for sheet in sheets(ruleset):
        width, height = sheet["size"]
        outlines = {key: outline(sheet, place) for key, place in sheet["places"].items()}
        for key, corners in outlines.items():
            assert all(0 <= x <= width and 0 <= y <= height for x, y in corners), key
        for one, other in combinations(outlines, 2):
            if sheet["places"][one]["kind"] == sheet["places"][other]["kind"]:
                assert apart(outlines[one], outlines[other]), f"{one} and {other} overlap"


def test_neighbours_are_each_others_unless_one_goes_one_way(ruleset: Ruleset[Any]) -> None:
    for sheet in sheets(ruleset):
        for key, place in sheet["places"].items():
            for other in place.get("neighbours", ()):
                back = sheet["places"][other].get("neighbours", ())
                directed = sheet["kinds"][place["kind"]].get("directed", False)
                assert other != key
                assert (key in back) is not directed, f"{key} and {other}"


# What it is drawn with


def parts(whole: Any, name: str) -> Iterator[Any]:
    """Yield all members of this name, however deep."""
    if isinstance(whole, dict):
        for key, value in whole.items():
            if key == name:
                yield value
            yield from parts(value, name)
    elif isinstance(whole, list):
        for item in whole:
            yield from parts(item, name)


def test_colours_and_icons_are_those_that_it_uses(ruleset: Ruleset[Any]) -> None:
    whole = drawn(ruleset)
    of_ids = {name: [*parts(whole["catalogue"], name)] for name in ("icons", "colours")}
    icons = {*parts(whole, "icon"), *(i for found in of_ids["icons"] for i in found.values())}
    assert icons == {*whole["icons"]}
    colours = {*parts(whole, "colour"), *(c for f in of_ids["colours"] for c in f.values())}
    assert {*colours, *EVERYWHERE} == whole["colours"].keys()


def test_every_seat_has_a_sign_of_its_own_without_its_colour(ruleset: Ruleset[Any]) -> None:
    whole = drawn(ruleset)
    signs = [*whole["seats"], *whole.get("sides", {}).values()]
    assert len(whole["seats"]) >= ruleset.info.max_seats
    for part in ("shape", "pattern"):
        assert len({sign[part] for sign in signs}) == len(signs)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_place_has_words(ruleset: Ruleset[Any], language: str) -> None:
    for sheet in sheets(ruleset):
        for key, place in sheet["places"].items():
            assert ruleset.labels.text(place["label"], language, **place.get("says", {})), key
    for scenery in drawn(ruleset).get("scenery", ()):
        if "label" in scenery:
            assert ruleset.labels.text(scenery["label"], language)


def test_every_piece_can_be_told(ruleset: Ruleset[Any]) -> None:
    """By its word, or else by its row, its seat or its count: who hears a board is told these."""
    words = ruleset.labels.tables["en"]
    for sheet in sheets(ruleset):
        for name, piece in sheet["pieces"].items():
            said = all({"seat", "count"} & placed.keys() for placed in piece["placed"])
            assert "table" in piece or said or f"piece.{name}" in words, name


def rows(ruleset: Ruleset[Any], table: str) -> list[JsonObject]:
    found: Any = ruleset.data.tables
    for name in table.split("."):
        found = found[name]
    rows: list[JsonObject] = found
    return rows


@pytest.mark.parametrize("language", LANGUAGES)
def test_whatever_is_in_the_catalogue_has_a_name_and_says_what_it_does(
    ruleset: Ruleset[Any], language: str
) -> None:
    words = ruleset.labels.tables[language]
    for table, known in drawn(ruleset)["catalogue"].items():
        ids = [row["id"] for row in rows(ruleset, table)]
        for row in rows(ruleset, table):
            assert words[f"{known['name']}.{row['id']}"]
            if "text" in known:
                text = words.get(f"{known['text']}.{row['id']}", "")
                assert text.endswith("."), f"{known['text']}.{row['id']} in {language}"
            if "row_text" in known:
                assert row[known["row_text"]][language].endswith(".")
        for part in ("icons", "colours"):
            if part in known:
                assert {*known[part]} >= {*ids}, table


def test_no_text_is_left_over(ruleset: Ruleset[Any]) -> None:
    known = drawn(ruleset)["catalogue"].values()
    prefixes = tuple(f"{entry['text']}." for entry in known if "text" in entry)
    words = ruleset.labels.tables["en"]
    assert [k for k in words if k.startswith("text.") and not k.startswith(prefixes)] == []
    said = {place["label"] for sheet in sheets(ruleset) for place in sheet["places"].values()}
    said |= {scenery.get("label", "") for scenery in drawn(ruleset).get("scenery", ())}
    assert [key for key in words if key.startswith("where.") and key not in said] == []


# What views and moves name


def test_every_row_of_a_table_of_places_has_one(ruleset: Ruleset[Any]) -> None:
    for sheet in sheets(ruleset):
        tables: dict[str, set[str]] = {}
        for name, kind in sheet["kinds"].items():
            if "table" in kind:
                ids = [row.get("id", row.get("slot")) for row in rows(ruleset, kind["table"])]
                wanted = {fill(kind.get("key", "{.}"), Node(id_)) for id_ in ids}
                of_kind = {k for k, p in sheet["places"].items() if p["kind"] == name}
                assert of_kind <= wanted, name
                tables.setdefault(kind["table"], wanted).difference_update(of_kind)
        assert not {table: left for table, left in tables.items() if left}


def test_ids_that_views_name_are_in_the_catalogue_or_are_places(ruleset: Ruleset[Any]) -> None:
    """But for phases, reasons and the seats' colours, which nothing on a board is."""
    whole = drawn(ruleset)
    known = {*whole["catalogue"], *parts(whole["kinds"], "table")}
    schema = view_schema(ruleset, "en")
    tables = {kind[TABLE] for kind in schema["$defs"].values() if TABLE in kind}
    assert tables - {"phases", "end_reasons", "player_colors"} <= known


def sampled(table: Table) -> Iterator[Spot]:
    for number, (spot, _event) in enumerate(positions(table, SEEDS[0])):
        if number % STRIDE == 0:
            yield spot


def seen(table: Table) -> Iterator[tuple[Spot, JsonObject]]:
    """Yield positions of random games, each with what one of the viewers is shown."""
    for number, spot in enumerate(sampled(table)):
        viewer = table.viewers[number % len(table.viewers)]
        yield spot, orjson.loads(orjson.dumps(table.ruleset.view(spot.state, viewer)))


def test_whatever_a_view_shows_stands_on_a_place(ruleset: Ruleset[Any]) -> None:
    whole = drawn(ruleset)
    for table in default_tables(ruleset):
        for spot, view in seen(table):
            _check_sheet(whole, whole, view, spot.where)
            for mat in mats(whole, view):
                _check_sheet(whole, whole["mat"], mat.value, spot.where)


def _check_sheet(whole: JsonObject, sheet: JsonObject, shown: JsonObject, where: str) -> None:
    for place in sheet["places"].values():
        if "shows" in place:
            assert isinstance([*nodes(Node(shown), place["shows"])], list)
    for piece in standing(sheet["pieces"], shown):
        assert piece.place in sheet["places"], f"{where}: {piece}"
        known = whole["catalogue"].get(sheet["pieces"][piece.piece].get("table"))
        if piece.id is not None and known and "icons" in known:
            assert piece.id in known["icons"], f"{where}: {piece}"
        if isinstance(piece.seat, str):
            assert piece.seat in whole["sides"], f"{where}: {piece}"
        elif piece.seat is not None:
            assert 0 <= piece.seat < len(whole["seats"]), f"{where}: {piece}"
        assert piece.count is None or isinstance(piece.count, int), f"{where}: {piece}"


def test_whatever_a_move_points_to_is_there(ruleset: Ruleset[Any]) -> None:
    whole = drawn(ruleset)
    targets, used = whole["moves"], set()
    fields = {type_.type: type_.schema()["properties"] for type_ in ruleset.move_types}
    for type_, paths in targets.items():
        assert {path.partition("/")[0] for path in paths} <= fields[type_].keys(), type_
    for table in default_tables(ruleset):
        for spot in sampled(table):
            turn = ruleset.turn(spot.state)
            for seat in turn.seats if isinstance(turn, Decision) else ():
                view = orjson.loads(orjson.dumps(ruleset.view(spot.state, seat)))
                for move in ruleset.legal_moves(spot.state, seat):
                    data = orjson.loads(orjson.dumps(move.to_json()))
                    for path, target in targets.get(move.type, {}).items():
                        for node in nodes(Node(data), path) if _has(data, path) else ():
                            used.add(f"{move.type} {path}")
                            assert _is_there(whole, view, target, node), f"{spot.where}: {data}"
    assert used, "no move points to the board"


def _has(data: JsonObject, path: str) -> bool:
    return path.partition("/")[0] in data


def _is_there(whole: JsonObject, view: JsonObject, target: JsonObject, node: Node) -> bool:
    if "place" in target:
        return fill(target["place"], node) in whole["places"]
    if "mat" in target:
        return fill(target["mat"], node) in whole["mat"]["places"]
    if "along" in target:
        track, start = whole["tracks"][target["along"]], fill(target["from"], Node(view))
        steps = start + node.value
        return bool(track.get("closed")) or steps < len(track["places"])
    stands = [*standing(whole["pieces"], view)]
    for mat in mats(whole, view):
        stands += standing(whole["mat"]["pieces"], mat.value)
    names = [target["piece"]]
    return any(piece.id == node.value for piece in stands if piece.piece in names)


def test_moves_that_name_places_or_pieces_say_so(ruleset: Ruleset[Any]) -> None:
    whole = drawn(ruleset)
    tables = {*parts(whole["kinds"], "table"), *parts(whole["pieces"], "table")}
    ids = [{row["id"] for row in rows(ruleset, table) if "id" in row} for table in tables]
    for type_ in ruleset.move_types:
        for name, kind in type_.schema()["properties"].items():
            named = {*kind.get("enum", ())}
            if named and any(named <= known for known in ids):
                assert name in whole["moves"].get(type_.type, {}), f"{type_.type}.{name}"


# The rules in words


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_explain_every_question_and_every_move(
    ruleset: Ruleset[Any], language: str
) -> None:
    text = rules_text(ruleset, language)
    assert text is not None, f"{ruleset.info.id} has no rules in {language}"
    anchors = ANCHOR.findall(text)
    assert len({*anchors}) == len(anchors)
    words = ruleset.labels.tables[language]
    asked = {f"decision-{k.removeprefix('decision.')}" for k in words if k.startswith("decision.")}
    moves = {f"move-{type_.type}" for type_ in ruleset.move_types}
    assert {a for a in anchors if a.startswith(("decision-", "move-"))} == asked | moves
    for target in re.findall(r"\]\(#([^)]+)\)", text):
        assert target in anchors


def test_the_rules_have_the_same_sections_in_all_languages(ruleset: Ruleset[Any]) -> None:
    found = [rules_text(ruleset, language) or "" for language in LANGUAGES]
    first, *others = [
        [ANCHOR.findall(text), re.findall(r"^#+", text, re.MULTILINE), text.count("\n|")]
        for text in found
    ]
    assert all(other == first for other in others)
