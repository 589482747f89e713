"""The terminal drawing of a view: the New World, Spain, the court, and the players' property."""

from collections.abc import Iterator, Sequence

from rules.kernel.canonical import JsonObject
from rules.kernel.contract import Labels, Seat
from rules.kernel.contract.drawing import Drawing, Line, Part, Span, line, wrapped
from rules.kernel.toolbox.drawing import (
    FREE,
    Piece,
    Words,
    at,
    flowed,
    grid,
    headed,
    joined,
    marked,
    muted,
    paragraphs,
    player,
    strong,
    table,
)
from rules.plus_ultra import data, play
from rules.plus_ultra.state import DRAFT, TERCIO_BIDS

_COLUMNS = {
    "pg": "{pg}",
    "ducats": "{ducats}",
    "tercios": "{tercios[active]}/{tercios[tired]}",
    "houses": "{houses[reserve]}",
    "rosettes": "{rosettes[ready]}/{rosettes[used]}",
    "bulls": "{bulls}",
    "sea_trade": "{sea_trade}",
    "magellan": "{magellan}",
    "natives": "{natives}",
    "estates": "{estate_count}",
}
_AT_COURT = (play.REACTIVATION, play.ROLL_WAR, play.BUY_BULLS, TERCIO_BIDS)
"""Phases before the characters act; their decisions depend on money, peer order and the war."""


def draw(view: JsonObject, labels: Labels, language: str, columns: int) -> Drawing:
    """Return the whole table; the subject of the open question comes first."""
    words = Words(labels, language)
    court, characters = _court(view, words, columns), _characters(view, words, columns)
    parts = [_new_world(view, words, columns), _spain(view, words, columns)]
    parts += [_common(view, words, columns), court, characters]
    if view["phase"] == DRAFT:
        parts = [characters, *parts[:-1]]
    elif view["phase"] in _AT_COURT:
        parts = [court, characters, *parts[:-2]]
    parts = [part for part in parts if part.lines]
    parts += [_told(words, "character", data.CHARACTERS, columns)]
    parts += [_told(words, "common", data.COMMON, columns)]
    parts += [_told(words, "estate", data.ESTATES, columns)]
    heading = wrapped(_heading(view, words), columns)
    return Drawing(tuple(heading), tuple(_players(view, words, columns)), tuple(parts))


def _heading(view: JsonObject, words: Words) -> Line:
    where: list[Piece] = [strong(words("board.turn", turn=view["turn"], turns=data.TURNS))]
    if view["round"]:
        where.append(words("board.round", round=view["round"]))
    if view["end_reason"]:
        where.append(words(f"reason.{view['end_reason']}"))
    elif view["decider"] is not None:
        decision = words(f"decision.{view['phase']}")
        where.append(line(words.seat(view["decider"]), f": {decision}"))
    return joined(where)


def _tile(kind: str | None, words: Words) -> Span:
    if kind is None:
        return muted(FREE)
    return Span(words(f"tile.{kind}"), "muted" if kind == "face_down" else f"tone.{kind}")


def _seats(seats: Sequence[Seat], free: int, words: Words, between: str = " ") -> Line:
    """Return the names of seats, followed by a sign for each free place."""
    return joined([*map(words.seat, seats), *[muted(FREE)] * free], between)


# The New World and Spain


def _new_world(view: JsonObject, words: Words, columns: int) -> Part:
    """Return a line for each row: its tile, and the settlement beside it."""
    rows: list[list[Piece]] = []
    for number, (tile, settlement) in enumerate(
        zip(view["rows"], view["settlements"], strict=True), 1
    ):
        beside: Piece = ""
        if settlement:
            size = settlement["size"]
            houses = _seats(settlement["houses"], size - len(settlement["houses"]), words)
            beside = at(
                f"settlement_{number}", line(f"{words('board.settlement', size=size)}: ", houses)
            )
        here = number == view["about_space"]
        tile_ = at(f"row_{number}", _tile(tile, words))
        rows.append([marked(f"►{number}") if here else f" {number}", tile_, beside])
    left = line(muted(words("board.pile", pile=view["pile"])))
    return Part(words("board.land"), (*table(rows, columns), *wrapped(left, columns)))


def _spain(view: JsonObject, words: Words, columns: int) -> Part:
    """Return the church, the market below it, and the surplus in one list, its top tile first.

    The church and the market are arranged as on the board.
    """
    free = [None] * (data.MARKET_SLOTS - len(view["market"]))
    rows: list[list[Piece]] = [
        [
            words("board.church"),
            *(at(f"church_{slot}", _tile(good, words)) for slot, good in enumerate(view["church"])),
        ],
        [words("board.market"), *(_tile(good, words) for good in [*view["market"], *free])],
    ]
    surplus = flowed(
        [_tile(good, words) for good in reversed(view["surplus"])] or [muted("–")],
        columns,
        ", ",
        f"{words('board.surplus')}: ",
    )
    return Part(words("board.spain"), (*table(rows, columns, "<", 3), *surplus))


def _common(view: JsonObject, words: Words, columns: int) -> Part:
    """Return the common actions; a cross marks those that are taken in this turn."""
    cells: list[Piece] = []
    for id_ in data.COMMON:
        name = words(f"common.{id_}")
        taken = id_ in view["common_taken"]
        cells.append(line("× ", muted(name)) if taken else line("  ", at(id_, strong(name))))
    return Part(words("board.common"), tuple(grid(cells, columns)))


# The court and its people


def _court(view: JsonObject, words: Words, columns: int) -> Part:
    told: list[Piece] = []
    if view["peer_order"]:
        told.append(words("board.order", order=view["peer_order"], pending=view["pending_order"]))
    told.append(words("board.crown", crown=view["crown"], cap=data.CROWN_CAP, bank=view["bank"]))
    if view["war_level"]:
        war = _seats(view["war"], view["war_level"] - len(view["war"]), words)
        told.append(line(f"{words('board.war')}: ", war))
    if view["committed"]:
        told.append(words("board.committed", seats=view["committed"]))
    told.append(
        words(
            "board.supplies",
            bulls=view["bull_supply"],
            rosettes=view["rosette_supply"],
            magellan=view["magellan_supply"],
            estates=view["estate_stack"],
        )
    )
    lines = [row for text in told for row in wrapped(line(text), columns)]
    return Part(words("board.court"), tuple(lines))


def _characters(view: JsonObject, words: Words, columns: int) -> Part:
    """Return the characters that the viewer knows, and the viewer's estates."""
    told = [*_own(view, words)]
    if view["pack"]:
        told.insert(0, _pack(view["pack"], words))
    lines = [row for text in told for row in wrapped(text, columns)]
    return Part(words("board.characters"), tuple(lines))


def _pack(ids: Sequence[str], words: Words) -> Line:
    """Return the characters that one chooses from."""
    return line(f"{words('board.pack')}: ", joined([_character(id_, words) for id_ in ids], ", "))


def _character(id_: str, words: Words) -> Line:
    return at(f"character.{id_}", words(f"character.{id_}"))


def _own(view: JsonObject, words: Words) -> Iterator[Line]:
    for row in view["players"]:
        name = words.seat(row["seat"])
        if row["characters"]:
            shown = [
                line(_character(id_, words), " ✓" if id_ in row["characters_used"] else "")
                for id_ in row["characters"]
            ]
            yield line(name, ": ", joined(shown, ", "))
        if row["estates"]:
            owned = [at(f"estate.{id_}", words(f"estate.{id_}")) for id_ in row["estates"]]
            yield line(name, f": {words('board.owned')} ", joined(owned, ", "))


def _told(words: Words, kind: str, ids: Sequence[str], columns: int) -> Part:
    told = [(words(f"{kind}.{id_}"), words(f"text.{kind}.{id_}")) for id_ in ids]
    return Part(words(f"board.{kind}_texts"), tuple(paragraphs(told, columns)), reference=True)


def _players(view: JsonObject, words: Words, columns: int) -> list[Line]:
    """Return each player's points, money, active and tired tercios, rosettes, and other pieces."""
    rows: list[list[Piece]] = []
    for row in view["players"]:
        first, *cells = (cell.format(**row) for cell in _COLUMNS.values())
        name = player(words, row["seat"], asked=row["seat"] == view["decider"])
        rows.append([name, strong(first), *cells])
    heads = [words(f"board.{column}") for column in _COLUMNS]
    return headed(heads, [words(f"short.{column}") for column in _COLUMNS], rows, columns)
