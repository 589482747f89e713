"""The terminal drawing of a view: map, market, and the players' property.

The hexes of the map are drawn as bricks, so that the map fits into 13 lines. Two kinds of lines
alternate. The first kind has the names of hexes, with upright edges between them. The second kind
has spaces, with slanting edges between them. Each cell of the grid is half a hex wide.
"""

from collections.abc import Iterator, Mapping
from string import ascii_lowercase

from rules.kernel.canonical import JsonObject
from rules.kernel.contract import Labels
from rules.kernel.contract.drawing import Drawing, Line, Part, Span, line, wrapped
from rules.kernel.toolbox.drawing import (
    LETTERS,
    Canvas,
    Piece,
    Words,
    at,
    flowed,
    headed,
    joined,
    marked,
    muted,
    strong,
    table,
)
from rules.ragusa import data, grid, play
from rules.ragusa.data import NONE

# A hex at (q, r) has its centre at x = 2q + r, y = 3r, in units of half a hex's width and half an
# edge; x grows to the east, y to the south. The corners lie around the centre.

CENTRES = [(2 * hex_["q"] + hex_["r"], 3 * hex_["r"]) for hex_ in data.EDITION.tables["hexes"]]
CORNERS = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))
"""The offset of each corner from the centre, clockwise from the north."""
PLACES = {
    space: (x + dx, y + dy)
    for (x, y), corners in zip(CENTRES, grid.CORNERS, strict=True)
    for space, (dx, dy) in zip(corners, CORNERS, strict=True)
    if space != NONE
}
"""The positions of spaces."""

PlacedPiece = tuple[float, int, Piece]
"""An object on the map: its cell from the west, its line, and its text."""

_WIDEST = 8
"""Maximum number of characters for half a hex."""
_WALL = "▒"
_TO_BUILD = "░"
_WALLS = {frozenset(ends): wall for ends, wall in zip(grid.WALL_ENDS, grid.WALLS, strict=True)}
_WEST = min(x for x, _y in CENTRES)
_NORTH: int = min(y for _x, y in CENTRES)
_CELLS = max(x for x, _y in CENTRES) - _WEST + 1
_LINES = 2 * len({y for _x, y in CENTRES}) - 1
_AT_THE_MARKET = (play.BUY_SHIP, play.DRAW_SHIP, play.SELL_COMMODITY)
_CHOOSING = (play.CHOOSE_BONUS, play.KEEP_BONUS)


def draw(view: JsonObject, labels: Labels, language: str, columns: int) -> Drawing:
    """Return the whole table; the part that the open decision is about comes first.

    If the open decision is about the market, the market comes first. If the player chooses a bonus
    card, the bonus cards come first. Otherwise the map comes first.
    """
    words = Words(labels, language)
    parts = [_map(view, words, columns), _market(view, words, columns)]
    if view["phase"] in _AT_THE_MARKET:
        parts.reverse()
    if cards := _cards(view, words, columns):
        bonus = Part(words("board.bonus_cards"), tuple(cards))
        parts.insert(0 if view["phase"] in _CHOOSING else len(parts), bonus)
    if fleets := _fleets(view, words, columns):
        parts.append(Part(words("board.fleets"), tuple(fleets)))
    heading = wrapped(_heading(view, words), columns)
    return Drawing(tuple(heading), tuple(_sides(view, words, columns)), tuple(parts))


def _heading(view: JsonObject, words: Words) -> Line:
    if view["end_reason"]:
        return line(words("board.over", reason=view["end_reason"]))
    if not view["asked"]:
        return line(words("board.nature"))
    asked = joined([words.seat(seat) for seat in view["asked"]], ", ")
    return line(asked, f": {words('decision.' + view['phase'])}")


# The map


def _map(view: JsonObject, words: Words, columns: int) -> Part:
    across = min(columns // _CELLS, _WIDEST)
    named = _names(words, 2 * across - 1)
    placed = [*_edges(view, across), *_hexes(view, named), *_spaces(view)]
    canvas = Canvas(across * _CELLS, _LINES)
    for x, row, piece in placed:
        canvas.put_round(round((x - _WEST) * across) + across // 2, row, piece)
    lettered = [f"{name} {words('hex.' + id_)}" for id_, name in named.items() if name[0] == "("]
    drawn = (*canvas.lines(), *(flowed(lettered, columns) if lettered else ()))
    legend = [words(f"board.legend.{part}") for part in ("hexes", "pieces", "walls")]
    notes = [row for text in legend for row in wrapped(line(muted(text)), columns)]
    return Part(words("board.map"), (*drawn, *notes), compact=drawn)


def _row(y: int) -> int:
    """Return the line of text on which things at height ``y`` of the map are drawn.

    The spaces between two rows of hexes have two different heights, but are drawn on one line.
    """
    hexes, lower = divmod(y - _NORTH, 3)
    return 2 * hexes + (lower > 0)


def _names(words: Words, room: int) -> dict[str, str]:
    """Return the names of the hexes; a letter replaces each name that is longer than ``room``."""
    named: dict[str, str] = {}
    letters = iter(ascii_lowercase)
    for id_, gives in zip(grid.HEXES, grid.GIVES, strict=True):
        if gives == NONE:
            names = [words(f"board.{id_}")]
        else:
            resource, number = data.RESOURCES[gives], id_.rpartition("_")[2]
            names = [f"{words(f'{kind}.{resource}')} {number}" for kind in ("board", "brief")]
        whole = next((name for name in names if len(name) <= room), None)
        named[id_] = whole or f"({next(letters)})"
    return named


def _hexes(view: JsonObject, named: Mapping[str, str]) -> Iterator[PlacedPiece]:
    for (x, y), id_, gives in zip(CENTRES, grid.HEXES, grid.GIVES, strict=True):
        name = named[id_]
        style = "strong" if gives == NONE else f"tone.{data.RESOURCES[gives]}"
        mark = _mark(view, id_)
        shown = line(marked(mark) if mark else "", Span(name, style))
        yield x, _row(y), at(id_, shown)


def _mark(view: JsonObject, id_: str) -> str:
    if id_ == view["current_hex"]:
        return "▲"
    return "*" if id_ in view["pending_hexes"] else ""


def _edges(view: JsonObject, across: int) -> Iterator[PlacedPiece]:
    """Yield the drawing of each edge between two spaces, with its wall."""
    for corners in grid.CORNERS:
        for one, other in zip(corners, (*corners[1:], corners[0]), strict=True):
            if NONE in (one, other):
                continue
            (x, y), (x2, y2) = PLACES[one], PLACES[other]
            size = 3 if x == x2 else across - 1
            if wall := _WALLS.get(frozenset((one, other))):
                shown = strong(_WALL * size) if wall in view["walls"] else muted(_TO_BUILD * size)
                piece = at(wall, shown)
            else:
                piece = line(muted("|" if x == x2 else "─" * (size - 2)))
            yield (x + x2) / 2, _row(max(y, y2) - 1 if x == x2 else y), piece


def _spaces(view: JsonObject) -> Iterator[PlacedPiece]:
    for space, (x, y) in PLACES.items():
        id_ = grid.SPACES[space]
        pieces: list[Piece] = []
        if id_ in view["houses"]:
            pieces.append(line("⌂", _letter(view, view["houses"][id_])))
        elif any(id_ in patrician["spaces"] for patrician in view["patricians"]):
            pieces.append("°")
        if id_ in view["towers"]:
            pieces.append(line("♜", _letter(view, view["towers"][id_])))
        yield x, _row(y), at(id_, line(*(pieces or [muted("·")])))


def _letter(view: JsonObject, side: int | str) -> Span:
    names = [row["side"] for row in view["sides"]]
    shown = LETTERS[names.index(side)] if side in names else "×"
    return Span(shown, _style(side))


def _style(side: int | str) -> str:
    return f"seat.{side}" if isinstance(side, int) else f"side.{side}"


# Market and sides


def _market(view: JsonObject, words: Words, columns: int) -> Part:
    """Return the drawing of the market: the prices, and a row for each slot.

    A row has the slot's ship, the cost of the ship, and the commodity whose price falls when the
    ship is bought.
    """
    prices = [
        line(_commodity(id_, words), " ", strong(view["market"][id_]["price"]))
        for id_ in data.COMMODITIES
    ]
    rows: list[list[Piece]] = []
    for slot, id_ in enumerate(view["ship_row"]):
        ship = data.SHIP.read(id_)
        price = zip(data.COMMODITIES, data.SHIP_PRICES[ship][slot], strict=True)
        cost = [line(f"{units} ", _commodity(c, words)) for c, units in price if units]
        falling, steps = data.SLOT_FALLS[slot]
        falls = line("↓", _commodity(data.COMMODITIES[falling], words), f" {steps}")
        stars = f"{'★' * data.SHIP_STARS[ship]} {data.SHIP_STARS[ship]}"
        name = at(f"slot_{slot}", words(f"ship.{id_}"))
        rows.append([str(slot + 1), name, stars, joined(cost, ", "), falls])
    lines = flowed(prices, columns, ", ", f"{words('board.prices')}: ")
    if rows:
        lines += table(rows, columns)
    deck = view["ship_deck"]
    notes = [words("board.bonus_deck", cards=view["bonus_deck"])]
    if back := deck["top_back"]:
        notes.insert(0, words("board.next_ship", cards=deck["cards"], **back))
    lines += [row for note in notes for row in wrapped(line(note), columns)]
    return Part(words("board.shipping"), tuple(lines))


def _commodity(id_: str, words: Words) -> Span:
    return Span(words(f"commodity.{id_}"), f"tone.{id_}")


def _sides(view: JsonObject, words: Words, columns: int) -> list[Line]:
    """Return each side's points, resources, commodities and pieces in a table."""
    kinds = ["vp", *data.RESOURCES, *data.COMMODITIES, "houses", "towers", "ships", "cards"]
    rows: list[list[Piece]] = []
    for row in view["sides"]:
        amounts = [*row["access"].values(), *row["stock"].values()]
        amounts += [row["houses_left"], row["towers_left"]]
        amounts += [len(row["ships"]), len(row["bonus_cards"])]
        mark = marked("►") if row["side"] == view["active"] else " "
        name = line(mark, _letter(view, row["side"]), " ", _side(row, words))
        rows.append([name, strong(row["vp"]["total"]), *map(str, amounts)])
    heads = [words(f"board.{kind}") for kind in kinds]
    return headed(heads, [words(f"short.{kind}") for kind in kinds], rows, columns)


def _cards(view: JsonObject, words: Words, columns: int) -> list[Line]:
    """Return the bonus cards that the viewer sees: the kept ones, or those on offer."""
    lines = []
    for row in view["sides"]:
        cards = [id_ for id_ in row["bonus_cards"] if id_ in data.CARDS]
        cards += row["offered"] or [] if view["phase"] == play.CHOOSE_BONUS and not cards else []
        for id_ in cards:
            card = at(f"bonus_card.{id_}", words(f"card_worth.{id_}"))
            told = line(_side(row, words), ": ", card)
            lines += wrapped(told, columns)
    return lines


def _fleets(view: JsonObject, words: Words, columns: int) -> list[Line]:
    """Return each side's points by source, and its ships.

    The ships are listed because bonus cards count the goods of ships.
    """
    lines = []
    for row in view["sides"]:
        told = [
            f"{words(f'breakdown.{key}')} {points}"
            for key, points in row["vp"].items()
            if points and key != "total"
        ]
        told += [words(f"ship.{id_}") for id_ in row["ships"]]
        if told:
            lines += flowed(told, columns, ", ", line(_side(row, words), ": "))
    return lines


def _side(row: JsonObject, words: Words) -> Span:
    return Span(words(f"side.{row['side']}"), _style(row["side"]))
