"""The sea in the terminal: each ship's distance to each port, and the routes."""

from collections.abc import Mapping
from importlib import resources

import orjson

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.drawing import Line, Part, line
from rules.kernel.toolbox.drawing import (
    Canvas,
    Piece,
    Words,
    at,
    flowed,
    letter,
    letters,
    marked,
    muted,
    strong,
    table,
)
from rules.macao.tables import Space, SpaceId, Tables

_PLACES: JsonObject = orjson.loads(
    resources.files(__package__).joinpath("board.json").read_bytes()
)["places"]
_ROWS, _FEW_ROWS = 11, 9
"""The height of the map, and of the compact one."""
_MARGIN = 6
"""Number of columns that the names of places at the edges of the map need beside these places."""


def ports(view: JsonObject, tables: Tables, words: Words, columns: int) -> Part:
    """Return a line for each port: its good, the remaining payments, and the ships' distances."""
    seats = [row["seat"] for row in view["players"]]
    far = {row["seat"]: _distances(row["ship"], tables.spaces) for row in view["players"]}
    head: list[Piece] = ["", "", "", *(line("▲", letter(seat)) for seat in seats)]
    rows = [head]
    for port in view["ports"]:
        free = port["slot_points"][port["filled"] :]
        rows.append(
            [
                words(f"space.{port['port']}"),
                words(f"good.{port['good']}"),
                strong(" ".join(map(str, free))) if free else muted("–"),
                *(_steps(far[seat].get(port["port"])) for seat in seats),
            ]
        )
    return Part(words("board.ports"), tuple(table(rows, columns, "<<<>")))


def _steps(number: int | None) -> Piece:
    return marked("0") if number == 0 else "–" if number is None else str(number)


def _distances(start: SpaceId, spaces: Mapping[SpaceId, Space]) -> dict[SpaceId, int]:
    """Return the number of steps from ``start`` to every space."""
    found = {start: 0}
    reached = [start]
    for here in reached:
        for near in spaces[here].adjacent:
            if near not in found:
                found[near] = found[here] + 1
                reached.append(near)
    return found


def chart(view: JsonObject, tables: Tables, words: Words, columns: int) -> Part:
    """Return the map of the sea, and each ship's possible moves in words.

    The compact form is the map alone, a little flatter. If the edition has a space that the map
    does not have, there is no map, and all routes are told in words.
    """
    drawn = set(tables.spaces) <= set(_PLACES)
    lines = _map(view, tables, words, columns, _ROWS) if drawn else []
    compact = _map(view, tables, words, columns, _FEW_ROWS) if drawn else []
    reached = {row["ship"] for row in view["players"]}
    for id_, space in tables.spaces.items():
        if id_ in reached or not drawn:
            near = [_place(view, to, words) for to in space.adjacent]
            lines += flowed(near, columns, ", ", line(_place(view, id_, words), " → "))
    return Part(words("board.sea"), tuple(lines), compact=tuple(compact))


def _map(view: JsonObject, tables: Tables, words: Words, columns: int, height: int) -> list[Line]:
    canvas = Canvas(columns, height)
    xs, ys = zip(*((_PLACES[id_]["x"], _PLACES[id_]["y"]) for id_ in tables.spaces), strict=True)
    across = (columns - 1 - 2 * _MARGIN) / (max(xs) - min(xs))
    down = (height - 1) / (max(ys) - min(ys))
    where = {
        id_: (
            _MARGIN + round((_PLACES[id_]["x"] - min(xs)) * across),
            round((_PLACES[id_]["y"] - min(ys)) * down),
        )
        for id_ in tables.spaces
    }
    for id_, space in tables.spaces.items():
        for near in space.adjacent:
            if id_ < near:
                _route(canvas, where[id_], where[near])
    for id_ in tables.spaces:
        canvas.put_round(*where[id_], line(" ", _place(view, id_, words), " "))
    return canvas.lines()


def _place(view: JsonObject, id_: SpaceId, words: Words) -> Line:
    """Return a port's name or a space's number, with the ships that lie there."""
    name = words(f"space.{id_}")
    ships = [row["seat"] for row in view["players"] if row["ship"] == id_]
    port = any(row["port"] == id_ for row in view["ports"])
    shown = strong(name) if port else name.split()[-1] if name[-1].isdigit() else name.split()[0]
    return at(id_, line(shown, line(" ▲", letters(ships)) if ships else ""))


def _route(canvas: Canvas, start: tuple[int, int], end: tuple[int, int]) -> None:
    """Draw a dotted line between two places."""
    (x, y), (to_x, to_y) = start, end
    steps = max(abs(to_x - x) // 2, abs(to_y - y), 1)
    for step in range(1, steps):
        part = step / steps
        canvas.put(round(x + (to_x - x) * part), round(y + (to_y - y) * part), muted("·"))
