"""Laws of boards: the data are complete, and fit every view and every move of every game.

A board is optional; without one these laws demand nothing.
"""

import re
from collections.abc import Iterator
from typing import Any

import orjson

from laws.games import Spot, Subject, sample_game
from laws.law import Breach, Scope, law
from laws.outlines import misplaced
from laws.standard import misfits
from laws.tables import Table, default_tables
from rules.kernel.canonical import JsonObject
from rules.kernel.contract.bindings import Node, fill, mats, nodes, standing
from rules.kernel.contract.effects import PUBLIC
from rules.kernel.contract.labels import LANGUAGES
from rules.kernel.contract.published import board, rules_text
from rules.kernel.contract.ruleset import Decision, Ruleset
from rules.kernel.contract.schemas import TABLE, view_schema
from rules.kernel.contract.seats import Seat

BOARD = "6. What each viewer knows"
EVERYWHERE = ("ground", "ink")
"""Colours that each board defines: ``ground`` for the background, ``ink`` for text and lines."""
STRIDE = 2
"""The step between the positions of a random game that are checked."""
ANCHOR = re.compile(r'<a id="([^"]+)"></a>')


@law(Scope.RULESET, BOARD, "correct aids/board.json by docs/api/table.md", version=2)
def boards_fit_their_schema(subject: Subject) -> None:
    """The board fits its schema. Every effect that starts a round on the board is public.

    ``rounds`` in aids/board.json lists the effects that start a round.
    """
    whole = board(subject.ruleset)
    if whole is None:
        return
    if told := misfits("board", whole):
        raise Breach("; ".join(told))
    public = {effect.type for effect in subject.ruleset.effects if effect.audience == PUBLIC}
    if secret := sorted({*whole.get("rounds", [])} - public):
        raise Breach(f"its rounds begin with {secret}, which are not told to everybody")


@law(Scope.RULESET, BOARD, "move the places in aids/board.json, or make them smaller")
def places_lie_apart(subject: Subject) -> None:
    """Places of one kind do not overlap, and neighbours are mutual unless the kind is directed.

    If place A is a neighbour of place B in a directed kind, B is not a neighbour of A.
    """
    for sheet in sheets(subject.ruleset):
        if wrong := misplaced(sheet):
            raise Breach(f"of the places, {wrong}")
        for key, place in sheet["places"].items():
            for other in place.get("neighbours", ()):
                back = sheet["places"][other].get("neighbours", ())
                directed = sheet["kinds"][place["kind"]].get("directed", False)
                if other == key or (key in back) is directed:
                    raise Breach(f"{key} and {other} are not neighbours as their kind has it")


@law(Scope.RULESET, BOARD, "list the colours and icons that the board uses, and no others")
def colours_and_icons_are_used(subject: Subject) -> None:
    """The board defines exactly the colours and icons that it uses, and a sign for every seat."""
    whole = board(subject.ruleset)
    if whole is None:
        return
    of_ids = {name: [*parts(whole["catalogue"], name)] for name in ("icons", "colours")}
    icons = {*parts(whole, "icon"), *(i for found in of_ids["icons"] for i in found.values())}
    if icons != {*whole["icons"]}:
        raise Breach(f"icons: {sorted(icons ^ {*whole['icons']})}")
    colours = {*parts(whole, "colour"), *(c for f in of_ids["colours"] for c in f.values())}
    if {*colours, *EVERYWHERE} != whole["colours"].keys():
        raise Breach(f"colours: {sorted({*colours, *EVERYWHERE} ^ whole['colours'].keys())}")
    signs = [*whole["seats"], *whole.get("sides", {}).values()]
    if len(whole["seats"]) < subject.ruleset.info.max_seats:
        raise Breach("not every seat has a sign")
    for part in ("shape", "pattern"):
        if len({sign[part] for sign in signs}) < len(signs):
            raise Breach(f"two sides have the same {part}")


@law(
    Scope.RULESET,
    BOARD,
    "labels.json needs where.*, piece.* and text.* for screen readers",
)
def boards_can_be_told(subject: Subject) -> None:
    """Every place, piece and card of a board has a label, and every label is used."""
    ruleset, whole = subject.ruleset, board(subject.ruleset)
    if whole is None:
        return
    for language in LANGUAGES:
        for sheet in sheets(ruleset):
            for place in sheet["places"].values():
                ruleset.labels.text(place["label"], language, **place.get("says", {}))
        for scenery in whole.get("scenery", ()):
            if "label" in scenery:
                ruleset.labels.text(scenery["label"], language)
        _check_catalogue(ruleset, whole, language)
    words = ruleset.labels.tables["en"]
    for sheet in sheets(ruleset):
        for name, piece in sheet["pieces"].items():
            told = all({"seat", "count"} & placed.keys() for placed in piece["placed"])
            if "table" not in piece and not told and f"piece.{name}" not in words:
                raise Breach(f"nothing tells the piece {name}: no row, seat, count or piece.{name}")
    _check_left_over(ruleset, whole, words)


def _check_catalogue(ruleset: Ruleset[Any], whole: JsonObject, language: str) -> None:
    words = ruleset.labels.tables[language]
    for table, known in whole["catalogue"].items():
        for row in rows(ruleset, table):
            if not words.get(f"{known['name']}.{row['id']}"):
                raise Breach(f"in {language}, {known['name']}.{row['id']} is missing")
            key = f"{known.get('text')}.{row['id']}"
            if "text" in known and not words.get(key, "").endswith("."):
                raise Breach(f"in {language}, {key} is missing, or is no sentence")
            if "row_text" in known and not row[known["row_text"]][language].endswith("."):
                raise Breach(f"in {language}, {row['id']} of {table} says no sentence")
        ids = {row["id"] for row in rows(ruleset, table)}
        for part in ("icons", "colours"):
            if part in known and not {*known[part]} >= ids:
                raise Breach(f"{sorted(ids - {*known[part]})} of {table} have no {part}")


def _check_left_over(ruleset: Ruleset[Any], whole: JsonObject, words: Any) -> None:
    prefixes = tuple(
        f"{known['text']}." for known in whole["catalogue"].values() if "text" in known
    )
    said = {place["label"] for sheet in sheets(ruleset) for place in sheet["places"].values()}
    said |= {scenery.get("label", "") for scenery in whole.get("scenery", ())}
    said |= {f"where.{member}" for member in ruleset.view_schema.get("properties", ())}
    left = [k for k in words if k.startswith("text.") and not k.startswith(prefixes)]
    left += [key for key in words if key.startswith("where.") and key not in said]
    if left:
        raise Breach(f"nothing on the board is called {left}")


@law(Scope.RULESET, BOARD, "a table of places needs one for each row, and ids of views a catalogue")
def ids_have_places(subject: Subject) -> None:
    """Every row that needs a place has one on the board, and the board knows all ids in views.

    In aids/board.json, a kind of place may name a table of the game's data. Then each row of this
    table needs a place, and each place of this kind needs a row. The board knows an id in a view if
    it names the id's table, for a kind or in ``catalogue``. Views may also have ids of phases, of
    end reasons and of seats' colours. The board need not know these ids, because nothing on a board
    stands for them.
    """
    ruleset, whole = subject.ruleset, board(subject.ruleset)
    if whole is None:
        return
    for sheet in sheets(ruleset):
        tables: dict[str, set[str]] = {}
        for name, kind in sheet["kinds"].items():
            if "table" in kind:
                ids = [row.get("id", row.get("slot")) for row in rows(ruleset, kind["table"])]
                wanted = {fill(kind.get("key", "{.}"), Node(id_)) for id_ in ids}
                of_kind = {k for k, p in sheet["places"].items() if p["kind"] == name}
                if more := sorted(of_kind - wanted):
                    raise Breach(f"{more} of the kind {name} are no rows of {kind['table']}")
                tables.setdefault(kind["table"], wanted).difference_update(of_kind)
        if missing := {table: sorted(left) for table, left in tables.items() if left}:
            raise Breach(f"no places are there for {missing}")
    known = {*whole["catalogue"], *parts(whole["kinds"], "table")}
    tables_shown = {k[TABLE] for k in view_schema(ruleset, "en")["$defs"].values() if TABLE in k}
    if unknown := tables_shown - {"phases", "end_reasons", "player_colors"} - known:
        raise Breach(f"views name ids of {unknown}, which the board does not know")


@law(Scope.RULESET, BOARD, "bind the piece to an existing place in aids/board.json")
def what_is_shown_stands_on_a_place(subject: Subject) -> None:
    """Everything that a view shows has a place on the board."""
    whole = board(subject.ruleset)
    if whole is None:
        return
    for table in default_tables(subject.ruleset):
        for spot, view in _seen(table):
            _check_sheet(whole, whole, view, spot.where)
            for mat in mats(whole, view):
                _check_sheet(whole, whole["mat"], mat.value, spot.where)


def _check_sheet(whole: JsonObject, sheet: JsonObject, shown: JsonObject, where: str) -> None:
    for place in sheet["places"].values():
        if "shows" in place:
            list(nodes(Node(shown), place["shows"]))
    for piece in standing(sheet["pieces"], shown):
        if piece.place not in sheet["places"]:
            raise Breach(f"{where}: there is no place {piece.place!r} for {piece}")
        known = whole["catalogue"].get(sheet["pieces"][piece.piece].get("table"))
        if piece.id is not None and known and piece.id not in known.get("icons", [piece.id]):
            raise Breach(f"{where}: {piece} has no icon")
        if isinstance(piece.seat, str):
            if piece.seat not in whole["sides"]:
                raise Breach(f"{where}: there is no side {piece.seat!r}")
        elif piece.seat is not None and not 0 <= piece.seat < len(whole["seats"]):
            raise Breach(f"{where}: there is no seat {piece.seat}")
        if piece.count is not None and not isinstance(piece.count, int):
            raise Breach(f"{where}: {piece} is counted by no integer")


@law(
    Scope.RULESET,
    BOARD,
    "bind the field of the move to the element that it names, in aids/board.json",
)
def moves_point_to_what_is_there(subject: Subject) -> None:
    """Everything that a move names is on the board, and aids/board.json binds the move to it."""
    ruleset, whole = subject.ruleset, board(subject.ruleset)
    if whole is None:
        return
    fields = {type_.type: type_.schema()["properties"] for type_ in ruleset.move_types}
    for type_, paths in whole["moves"].items():
        if not {path.partition("/")[0] for path in paths} <= fields[type_].keys():
            raise Breach(f"{type_} has not all fields among {[*paths]}")
    pointed = [
        _check_target(whole, view, spot, seat, move)
        for table in default_tables(ruleset)
        for spot in _looked_at(table)
        for seat, view, moves in _asked(spot)
        for move in moves
    ]
    if not any(pointed):
        raise Breach("no move points to the board")
    tables = {*parts(whole["kinds"], "table"), *parts(whole["pieces"], "table")}
    ids = [{row["id"] for row in rows(ruleset, table) if "id" in row} for table in tables]
    for type_, properties in fields.items():
        for name, kind in properties.items():
            named = {*kind.get("enum", ())}
            on_board = bool(named) and any(named <= known for known in ids)
            if on_board and name not in whole["moves"].get(type_, {}):
                raise Breach(f"{type_}.{name} names what is on the board, and points to nothing")


def _asked(spot: Spot) -> Iterator[tuple[Seat, JsonObject, list[JsonObject]]]:
    """Yield the seats that have a decision, each with its view and its legal moves."""
    turn = spot.ruleset.turn(spot.state)
    for seat in turn.seats if isinstance(turn, Decision) else ():
        legal = [move.to_json() for move in spot.ruleset.legal_moves(spot.state, seat)]
        view = spot.ruleset.view(spot.state, seat)
        yield seat, orjson.loads(orjson.dumps(view)), orjson.loads(orjson.dumps(legal))


def _check_target(
    whole: JsonObject, view: JsonObject, spot: Spot, seat: Seat, move: JsonObject
) -> bool:
    """Whether a move points to the board.

    Raises:
        Breach: the move points to something that is not on the board.
    """
    points = False
    for path, target in whole["moves"].get(move["type"], {}).items():
        for node in nodes(Node(move), path) if _has(move, path) else ():
            points = True
            if not _is_there(whole, view, seat, target, node):
                raise Breach(f"{spot.where}: {move} points to nothing by {path}")
    return points


def _has(data: JsonObject, path: str) -> bool:
    return path.partition("/")[0] in data


def _is_there(
    whole: JsonObject, view: JsonObject, seat: Seat, target: JsonObject, node: Node
) -> bool:
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
    if "own" in target:
        return any((piece.piece, piece.seat) == (target["own"], seat) for piece in stands)
    pointed = (target["piece"], fill(target.get("id", "{.}"), node))
    return any(
        (piece.piece, piece.seat if piece.id is None else piece.id) == pointed for piece in stands
    )


@law(
    Scope.RULESET,
    BOARD,
    "RULES.md and RULES.es.md need an anchor for each decision and each type of move",
)
def the_rules_explain_everything(subject: Subject) -> None:
    """The written rules explain every question and move; all languages have the same sections.

    A game need not have rules in words; then clients do not mention them.
    """
    ruleset = subject.ruleset
    found = {language: rules_text(ruleset, language) for language in LANGUAGES}
    if not any(found.values()):
        return
    outlines = []
    for language, text in found.items():
        if text is None:
            raise Breach(f"there are no rules in {language}")
        anchors = ANCHOR.findall(text)
        if len({*anchors}) < len(anchors):
            raise Breach(f"in {language}, an anchor stands twice: {anchors}")
        words = ruleset.labels.tables[language]
        asked = {k.replace(".", "-", 1) for k in words if k.startswith("decision.")}
        moves = {f"move-{type_.type}" for type_ in ruleset.move_types}
        there = {a for a in anchors if a.startswith(("decision-", "move-"))}
        if there != asked | moves:
            raise Breach(f"in {language}, the anchors lack or exceed {there ^ (asked | moves)}")
        for target in re.findall(r"\]\(#([^)]+)\)", text):
            if target not in anchors:
                raise Breach(f"in {language}, a link leads to #{target}, which is nowhere")
        heads = re.findall(r"^#+", text, re.MULTILINE)
        outlines.append([anchors, heads, text.count("\n|")])
    if any(other != outlines[0] for other in outlines):
        raise Breach("the rules have other sections, anchors or tables in one language")


# Contents of a board


def sheets(ruleset: Ruleset[Any]) -> list[JsonObject]:
    """Return the parts of a board that have places: the board, and the mat if there is one."""
    whole = board(ruleset)
    if whole is None:
        return []
    return [whole, *([whole["mat"]] if "mat" in whole else [])]


def parts(whole: Any, name: str) -> Iterator[Any]:
    """Yield the values of all members called ``name``, at any depth."""
    if isinstance(whole, dict):
        for key, value in whole.items():
            if key == name:
                yield value
            yield from parts(value, name)
    elif isinstance(whole, list):
        for item in whole:
            yield from parts(item, name)


def rows(ruleset: Ruleset[Any], table: str) -> list[JsonObject]:
    """Return the rows of a table of the published data."""
    found: Any = ruleset.data.tables
    for name in table.split("."):
        found = found[name]
    rows: list[JsonObject] = found
    return rows


def _looked_at(table: Table) -> Iterator[Spot]:
    for number, spot in enumerate(sample_game(table, 1).positions()):
        if number % STRIDE == 0:
            yield spot


def _seen(table: Table) -> Iterator[tuple[Spot, JsonObject]]:
    """Yield positions of a random game, each with one view; the viewers take turns."""
    for number, spot in enumerate(_looked_at(table)):
        viewer = table.viewers[number % len(table.viewers)]
        yield spot, orjson.loads(orjson.dumps(table.ruleset.view(spot.state, viewer)))
