"""The terminal drawing of a view: sea, coast, market, shares and money.

A vacant place has its price in brackets; a taken place has the letter of its owner. ``+6`` is what
a place pays.
"""

from collections.abc import Iterator, Sequence

from rules.kernel.canonical import JsonObject
from rules.kernel.contract import Labels, Seat
from rules.kernel.contract.drawing import Drawing, Line, Part, Span, line, wrapped
from rules.kernel.toolbox.drawing import (
    FREE,
    Piece,
    Words,
    flowed,
    joined,
    left,
    marked,
    muted,
    paragraphs,
    player,
    right,
    strong,
    table,
)
from rules.manila import data, play
from rules.manila.data import Space

_PUNT = "►"
_UNSEEN = "?"
_AT_THE_MARKET = (play.AUCTION, play.BUY_SHARE, play.LOAD_WARES)
"""Phases before the voyage, in which the value of shares matters most."""


def draw(view: JsonObject, labels: Labels, language: str, columns: int) -> Drawing:
    """Return the whole table; parts that matter only later in the voyage are left out."""
    words = Words(labels, language)
    parts = [_market(view, words, columns)]
    if view["punts"]:
        at = 1 if view["phase"] in _AT_THE_MARKET else 0
        parts[at:at] = [_sea(view, words, columns), _coast(view, words, columns)]
    if notes := list(_notes(view, words)):
        office = Part(words("board.office"), tuple(flowed(notes, columns)))
        parts.insert(0 if view["auction"] else len(parts), office)
    parts.append(_places_told(words, columns))
    heading = wrapped(_heading(view, words), columns)
    return Drawing(tuple(heading), tuple(_players(view, words, columns)), tuple(parts))


def _heading(view: JsonObject, words: Words) -> Line:
    where: list[Piece] = [strong(words("board.voyage", number=view["voyage"]))]
    if view["end_reason"]:
        return joined([*where, words(f"reason.{view['end_reason']}")])
    where += [
        words(f"board.{kind}", number=view[f"{kind}_round"])
        for kind in ("placement", "movement")
        if view[f"{kind}_round"]
    ]
    if view["decider"] is None:
        return joined([*where, words("board.nature")])
    decision = words(f"decision.{view['phase']}")
    return joined([*where, line(words.seat(view["decider"]), f": {decision}")])


def _notes(view: JsonObject, words: Words) -> Iterator[str]:
    if view["harbour_master"] is not None:
        yield words("board.master", seat=view["harbour_master"])
    auction = view["auction"]
    if auction and auction["high_bidder"] is not None:
        yield words("board.high_bid", seat=auction["high_bidder"], amount=auction["high"])
    if auction and auction["passed"]:
        yield words("board.passed", seats=auction["passed"])
    if view["abstained"]:
        yield words("board.abstained", seats=view["abstained"])
    if view["left_out"]:
        yield words("board.left_out", ware=view["left_out"])


# The sea


def _sea(view: JsonObject, words: Words, columns: int) -> Part:
    """Return the lanes; below each stand the accomplices aboard its punt."""
    numbers = range(data.LAST_SPACE + 1)
    names = [words(f"ware.{ware}") for ware in data.WARES]
    margin = max(map(len, names))
    step = min(4, (columns - margin) // len(numbers))
    lines = [line(" " * margin, *(right(muted(number), step) for number in numbers))]
    for punt in view["punts"]:
        at = punt["position"] if punt["status"] == "at_sea" else None
        spaces = [right(marked(_PUNT) if at == number else FREE, step) for number in numbers]
        lines.append(line(left(_ware(punt["ware"], words), margin), *spaces))
        lines += wrapped(line("  ", _aboard(view, punt, words)), columns)
    return Part(words("board.sea"), tuple(lines))


def _ware(ware: str, words: Words) -> Span:
    return Span(words(f"ware.{ware}"), f"tone.{ware}")


def _aboard(view: JsonObject, punt: JsonObject, words: Words) -> Line:
    ware = data.WARE.read(punt["ware"])
    profit = words("board.profit", amount=data.PROFITS[ware])
    return joined([_places(punt["seats"], ware, words), profit, _berth(view, punt, words)])


def _berth(view: JsonObject, punt: JsonObject, words: Words) -> Piece:
    if punt["ware"] in view["arrivals"]:
        return marked(words("board.arriving"))
    if punt["slot"] is None:
        return ""
    place = words("place.port" if punt["status"] == "in_port" else "place.shipyard")
    berth = f"{place} {words('slot.' + punt['slot'])}"
    return f"{berth}, {words('board.plundered')}" if punt["plundered"] else berth


def _places(owners: Sequence[Seat | None], space: Space, words: Words) -> Line:
    places: list[Piece] = [
        f"[{cost}]" if owner is None else words.seat(owner)
        for owner, cost in zip(owners, data.COSTS[space], strict=True)
    ]
    return joined(places, ", ")


# The coast


def _coast(view: JsonObject, words: Words, columns: int) -> Part:
    """Return ports and shipyards side by side, then all other places."""
    rows: list[list[Piece]] = [["", *(strong(words(f"board.{berth}s")) for berth in data.BERTHS)]]
    for number, slot in enumerate(data.SLOTS):
        berths = [_slot(view, berth, number, words) for berth in data.BERTHS]
        rows.append([words(f"slot.{slot}"), *berths])
    others: list[Piece] = [
        line(f"{words('board.pirates')}: ", _pirates(view, words)),
        *(_pilot(view, name, space, words) for name, space in _PILOTS),
        line(
            f"{words('board.insurance')}: +{data.PREMIUM} ",
            _places([view["insurance"]], data.INSURANCE, words),
        ),
    ]
    legend = line(muted(f"[n] {words('board.vacant')}"))
    lines = [*table(rows, columns, "<", 3), *flowed(others, columns), *wrapped(legend, columns)]
    return Part(words("board.coast"), tuple(lines))


_PILOTS = tuple(zip(("small", "big"), data.PILOTS, strict=True))


def _slot(view: JsonObject, berth: str, number: int, words: Words) -> Line:
    slot = view[f"{berth}s"][data.SLOTS[number]]
    place = _places([slot["accomplice"]], data.BERTH_SPACES[berth][number], words)
    docked = line(" ← ", _ware(slot["punt"], words)) if slot["punt"] else ""
    return line(f"+{data.PAYOUTS[berth][number]} ", place, docked)


def _pirates(view: JsonObject, words: Words) -> Line:
    pirates = view["pirates"]
    return _places([pirates["captain"], pirates["second"]], data.PIRATE, words)


def _pilot(view: JsonObject, name: str, space: Space, words: Words) -> Line:
    return line(f"{words('space.pilot_' + name)}: ", _places([view["pilots"][name]], space, words))


# The market, shares and money


def _market(view: JsonObject, words: Words, columns: int) -> Part:
    rows: list[list[Piece]] = [["", *(_ware(ware, words) for ware in data.WARES)]]
    rows += [
        [words(f"board.{name}"), *(str(amounts[ware]) for ware in data.WARES)]
        for name, amounts in (("value", view["market"]), ("for_sale", view["supply"]))
    ]
    return Part(words("board.shares"), tuple(table(rows, columns, "<>")))


def _players(view: JsonObject, words: Words, columns: int) -> list[Line]:
    """Return each player's money, shares by ware, hidden shares, and accomplices in hand."""
    head: list[Piece] = ["", words("board.cash"), words("board.funds")]
    head += [Span(words(f"short.{ware}"), f"tone.{ware}") for ware in data.WARES]
    rows = [[*head, _UNSEEN, words("short.pledged"), words("short.in_hand")]]
    for row in view["players"]:
        dealt = row["dealt"] or dict.fromkeys(data.WARES, 0)
        by_ware = [row["bought"][ware] + dealt[ware] for ware in data.WARES]
        unseen = row["shares"] - sum(by_ware)
        after = [*by_ware, unseen, row["pledged"], row["accomplices_in_hand"]]
        name = player(words, row["seat"], asked=row["seat"] == view["decider"])
        rows.append([name, strong(row["cash"]), str(row["funds"]), *map(str, after)])
    return table(rows, columns, "<>")


def _places_told(words: Words, columns: int) -> Part:
    told = [(words(f"space.{space}"), words(f"text.space.{space}")) for space in data.SPACES]
    return Part(words("board.places"), tuple(paragraphs(told, columns)), reference=True)
