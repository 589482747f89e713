"""A view drawn for the terminal, at most 100 columns wide.

The map is a grid of cells: a column for every half hex, a line for every height at which hexes or
spaces lie, and one for the slanting edges between them.
"""

from rules.kernel.canonical import JsonObject
from rules.kernel.contract import Labels
from rules.kernel.toolbox.boards import Words, columns, joined
from rules.ragusa import data, grid
from rules.ragusa.data import NONE

# A hex at (q, r) has its centre at x = 2q + r, y = 3r, in units of half a hex's width and half an
# edge; x grows to the east, y to the south. Its corners lie round it.

CENTRES = [(2 * hex_["q"] + hex_["r"], 3 * hex_["r"]) for hex_ in data.EDITION.tables["hexes"]]
CORNERS = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))
"""From the centre to each corner, clockwise from the north."""
PLACES = {
    space: (x + dx, y + dy)
    for (x, y), corners in zip(CENTRES, grid.CORNERS, strict=True)
    for space, (dx, dy) in zip(corners, CORNERS, strict=True)
    if space != NONE
}
"""By space: where it lies."""

_CELL = 7
_NAME = 12
_LETTERS = "ABCDE"
_WALL = "▒▒▒"
_WALLS = {frozenset(ends): wall for ends, wall in zip(grid.WALL_ENDS, grid.WALLS, strict=True)}
_WEST = min(x for x, _y in CENTRES)
_COLUMNS = -2 * _WEST + 1


def draw_board(view: JsonObject, labels: Labels, language: str) -> str:
    """Return the whole table: map, market, sides, own cards."""
    words = Words(labels, language)
    legend = joined([words("board.legend.pieces"), words("board.legend.walls")])
    parts = [_heading(view, words), _map(view, words), legend, _market(view, words)]
    parts += [_sides(view, words), *_cards(view, words)]
    return "\n\n".join(parts)


def _heading(view: JsonObject, words: Words) -> str:
    if view["end_reason"]:
        return words("board.over", reason=view["end_reason"])
    if not view["asked"]:
        return words("board.nature")
    asked = words("board.asked", seats=view["asked"])
    return f"{asked}: {words('decision.' + view['phase'])}"


# The map


def _map(view: JsonObject, words: Words) -> str:
    lines: dict[int, list[str]] = {}

    def put(x: int, y: int, text: str) -> None:
        """Write ``text`` round a place; ``x`` in half columns, ``y`` in half lines."""
        line = lines.setdefault(y, [" "] * (_COLUMNS * _CELL))
        start = (x - 2 * _WEST + 1) * _CELL // 2 - len(text) // 2
        line[start : start + len(text)] = text

    for (x, y), id_, gives in zip(CENTRES, grid.HEXES, grid.GIVES, strict=True):
        put(2 * x, 2 * y, _hex(id_, gives, words))
        put(2 * x, 2 * y + 2, _mark(view, id_))  # below, because the longest names fill their line
    for corners in grid.CORNERS:
        for one, other in zip(corners, (*corners[1:], corners[0]), strict=True):
            if NONE not in (one, other):
                (x, y), (x2, y2) = PLACES[one], PLACES[other]
                put(x + x2, y + y2, _edge(view, one, other))
    for space, (x, y) in PLACES.items():
        put(2 * x, 2 * y, _space(view, grid.SPACES[space]))
    return joined("".join(lines[y]) for y in sorted(lines))


def _hex(id_: str, gives: data.Resource, words: Words) -> str:
    if gives != NONE:
        return words(f"board.{data.RESOURCES[gives]}")
    return words(f"board.{id_}").upper()


def _mark(view: JsonObject, id_: str) -> str:
    if id_ == view["current_hex"]:
        return "▲"
    return "*" if id_ in view["pending_hexes"] else ""


def _edge(view: JsonObject, one: grid.Space, other: grid.Space) -> str:
    """How the edge between two spaces looks: a wall has its id until it stands."""
    if wall := _WALLS.get(frozenset((one, other))):
        return _WALL if wall in view["walls"] else wall
    (x, y), (x2, y2) = PLACES[one], PLACES[other]
    if x == x2:
        return "|"
    return "\\" if (x < x2) == (y < y2) else "/"


def _space(view: JsonObject, id_: str) -> str:
    text = id_
    if id_ in view["houses"]:
        text += f"⌂{_letter(view, view['houses'][id_])}"
    elif any(id_ in patrician["spaces"] for patrician in view["patricians"]):
        text += "°"
    if id_ in view["towers"]:
        text += f"♜{_letter(view, view['towers'][id_])}"
    return text


def _letter(view: JsonObject, side: int | str) -> str:
    names = [row["side"] for row in view["sides"]]
    return _LETTERS[names.index(side)] if side in names else "×"


# Market and sides


def _market(view: JsonObject, words: Words) -> str:
    prices = ", ".join(
        f"{words('commodity.' + id_)} {view['market'][id_]['price']}" for id_ in data.COMMODITIES
    )
    lines = [f"{words('board.prices')}: {prices}"]
    for slot, id_ in enumerate(view["ship_row"]):
        ship = data.SHIP.read(id_)
        price = zip(data.COMMODITIES, data.SHIP_PRICES[ship][slot], strict=True)
        cost = ", ".join(f"{units} {words('commodity.' + c)}" for c, units in price if units)
        stars = "★" * data.SHIP_STARS[ship]
        lines.append(f"  {slot + 1}  {words('ship.' + id_):20} {stars:10} {cost}")
    deck = view["ship_deck"]
    if back := deck["top_back"]:
        lines.append("  " + words("board.next_ship", cards=deck["cards"], **back))
    lines.append("  " + words("board.bonus_deck", cards=view["bonus_deck"]))
    return joined(lines)


def _sides(view: JsonObject, words: Words) -> str:
    kinds = ["vp", *data.RESOURCES, *data.COMMODITIES, "houses", "towers", "ships", "cards"]
    titles = [words(f"board.{kind}") for kind in kinds]
    widths = [max(len(title), 2) + 1 for title in titles]
    lines = [" " * _NAME + columns(titles, widths)]
    for row in view["sides"]:
        amounts = [row["vp"]["total"], *row["access"].values(), *row["stock"].values()]
        amounts += [row["houses_left"], row["towers_left"]]
        amounts += [len(row["ships"]), len(row["bonus_cards"])]
        mark = ">" if row["side"] == view["active"] else " "
        name = f"{mark}{_letter(view, row['side'])} {_side(row, words)}"
        lines.append(f"{name:{_NAME}}" + columns(amounts, widths))
    return joined(lines)


def _cards(view: JsonObject, words: Words) -> list[str]:
    """The bonus cards that the viewer sees, side by side."""
    lines = []
    for row in view["sides"]:
        cards = [id_ for id_ in row["bonus_cards"] if id_ in data.CARDS]
        cards += row["offered"] or [] if view["phase"] == "choose_bonus" and not cards else []
        lines += [f"  {_side(row, words)}: {words('card.' + id_)}" for id_ in cards]
    return [joined([words("board.bonus_cards"), *lines])] if lines else []


def _side(row: JsonObject, words: Words) -> str:
    return words(f"side.{row['side']}")
