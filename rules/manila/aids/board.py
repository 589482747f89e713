"""The terminal drawing of a view: sea, coast, market, shares and money.

A vacant place shows its price in brackets, a taken place the letter of its owner. ``+6`` is the
payment of a place.
"""

from collections.abc import Iterator, Sequence

from rules.kernel.canonical import JsonObject
from rules.kernel.contract import Labels, Seat
from rules.kernel.contract.drawing import Drawing, Line, Part, Span, line, width, wrapped
from rules.kernel.toolbox.drawing import (
    FREE,
    Piece,
    Words,
    at,
    flowed,
    headed,
    joined,
    left,
    letter,
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
_GAP = 3
_UNBOUNDED = 1000
"""More columns than any table has."""
_AT_THE_MARKET = (play.AUCTION, play.BUY_SHARE, play.LOAD_WARES)
"""Phases before the voyage, in which the value of shares matters most."""


def draw(view: JsonObject, labels: Labels, language: str, columns: int) -> Drawing:
    """Return the whole table; parts that matter only later in the voyage are left out."""
    words = Words(labels, language)
    parts = [_market(view, words, columns)]
    if view["punts"]:
        first = 1 if view["phase"] in _AT_THE_MARKET else 0
        parts.insert(first, _voyage(view, words, columns))
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


# The sea and the coast


def _voyage(view: JsonObject, words: Words, columns: int) -> Part:
    """Return the lanes, and below them the places of the coast."""
    lines = [*_lanes(view, words, columns), *_coast(view, words, columns)]
    return Part(words("board.sea_and_coast"), tuple(lines))


def _lanes(view: JsonObject, words: Words, columns: int) -> list[Line]:
    """Return a line for each punt: its lane or its berth, who is aboard, and what it pays."""
    numbers = range(data.LAST_SPACE + 1)
    names = [words(f"ware.{ware}") for ware in data.WARES]
    margin = max(map(len, names))
    aboard = [_aboard(view, punt, words) for punt in view["punts"]]
    room = columns - margin - max(map(width, aboard)) - _GAP
    step = max(2, min(4, room // len(numbers)))
    shown = [muted(number) if step > 2 or number % 2 == 0 else "" for number in numbers]
    lines = [line(" " * margin, *(right(number, step) for number in shown))]
    for punt, there in zip(view["punts"], aboard, strict=True):
        lane = left(_lane(punt, step, words), step * len(numbers))
        whole = line(left(_ware(punt["ware"], words), margin), lane, " " * _GAP, there)
        lines += wrapped(whole, columns)
    return lines


def _lane(punt: JsonObject, step: int, words: Words) -> Line:
    if punt["status"] != "at_sea":
        return line(" " * (step - 1), _berth(punt, words))
    spaces = []
    for space in range(data.LAST_SPACE + 1):
        if punt["position"] == space:
            shown: Piece = at(f"punt.{punt['ware']}", marked(_PUNT))
        else:
            shown = FREE
        spaces.append(right(shown, step))
    return line(*spaces)


def _ware(ware: str, words: Words) -> Line:
    return at(f"punt_{ware}", Span(words(f"ware.{ware}"), f"tone.{ware}"))


def _aboard(view: JsonObject, punt: JsonObject, words: Words) -> Line:
    ware = data.WARE.read(punt["ware"])
    places = _places(punt["seats"], ware)
    arrives = marked(words("board.arriving")) if punt["ware"] in view["arrivals"] else ""
    return joined([places, f"+{data.PROFITS[ware]}", arrives], " ")


def _berth(punt: JsonObject, words: Words) -> Piece:
    if punt["slot"] is None:
        return ""
    place = words("place.port" if punt["status"] == "in_port" else "place.shipyard")
    berth = f"{place} {words('slot.' + punt['slot'])}"
    return f"{berth}, {words('board.plundered')}" if punt["plundered"] else berth


def _places(owners: Sequence[Seat | None], space: Space) -> Line:
    """Return the places of a space: the letter of each owner, or the price of a vacant one."""
    places: list[Piece] = [
        f"[{cost}]" if owner is None else letter(owner)
        for owner, cost in zip(owners, data.COSTS[space], strict=True)
    ]
    return at(data.SPACES[space], joined(places, " "))


def _coast(view: JsonObject, words: Words, columns: int) -> list[Line]:
    """Return ports, shipyards and all other places side by side."""
    others = _others(view, words)
    rows: list[list[Piece]] = [["", *(strong(words(f"board.{berth}s")) for berth in data.BERTHS)]]
    for number, slot in enumerate(data.SLOTS):
        berths = [_slot(view, berth, number, words) for berth in data.BERTHS]
        rows.append([words(f"slot.{slot}"), *berths])
    legend = wrapped(line(muted(f"[n] {words('board.vacant')}")), columns)
    beside = [[*row, other] for row, other in zip(rows, others, strict=True)]
    if max(map(width, table(beside, _UNBOUNDED, "<", _GAP))) <= columns:
        return [*table(beside, columns, "<", _GAP), *legend]
    return [*table(rows, columns, "<", _GAP), *flowed(others, columns), *legend]


def _others(view: JsonObject, words: Words) -> list[Piece]:
    pirates = view["pirates"]
    crew = _places([pirates["captain"], pirates["second"]], data.PIRATE)
    insured = _places([view["insurance"]], data.INSURANCE)
    return [
        line(f"{words('board.pirates')}: ", crew),
        *(_pilot(view, name, space, words) for name, space in _PILOTS),
        line(f"{words('board.insurance')}: +{data.PREMIUM} ", insured),
    ]


_PILOTS = tuple(zip(("small", "big"), data.PILOTS, strict=True))


def _slot(view: JsonObject, berth: str, number: int, words: Words) -> Line:
    slot = view[f"{berth}s"][data.SLOTS[number]]
    place = _places([slot["accomplice"]], data.BERTH_SPACES[berth][number])
    docked = line(" ← ", _ware(slot["punt"], words)) if slot["punt"] else ""
    return line(f"+{data.PAYOUTS[berth][number]} ", place, docked)


def _pilot(view: JsonObject, name: str, space: Space, words: Words) -> Line:
    return line(f"{words('space.pilot_' + name)}: ", _places([view["pilots"][name]], space))


# The market, shares and money


def _market(view: JsonObject, words: Words, columns: int) -> Part:
    rows: list[list[Piece]] = [["", *(_ware(ware, words) for ware in data.WARES)]]
    rows += [
        [words(f"board.{name}"), *(at(f"supply_{ware}", str(amounts[ware])) for ware in data.WARES)]
        for name, amounts in (("value", view["market"]), ("for_sale", view["supply"]))
    ]
    return Part(words("board.shares"), tuple(table(rows, columns, "<>")))


def _players(view: JsonObject, words: Words, columns: int) -> list[Line]:
    """Return each player's money, shares by ware, hidden shares, and accomplices in hand."""
    head: list[Piece] = [words("board.cash"), words("board.funds")]
    head += [Span(words(f"short.{ware}"), f"tone.{ware}") for ware in data.WARES]
    head.append(_UNSEEN)
    heads, short = (
        [*head, *(words(f"{kind}.{key}") for key in ("pledged", "in_hand"))]
        for kind in ("board", "short")
    )
    rows: list[list[Piece]] = []
    for row in view["players"]:
        dealt = row["dealt"] or dict.fromkeys(data.WARES, 0)
        by_ware = [row["bought"][ware] + dealt[ware] for ware in data.WARES]
        unseen = row["shares"] - sum(by_ware)
        after = [*by_ware, unseen, row["pledged"], row["accomplices_in_hand"]]
        name = player(words, row["seat"], asked=row["seat"] == view["decider"])
        rows.append([name, strong(row["cash"]), str(row["funds"]), *map(str, after)])
    return headed(heads, short, rows, columns)


def _places_told(words: Words, columns: int) -> Part:
    told = [(words(f"space.{space}"), words(f"text.space.{space}")) for space in data.SPACES]
    return Part(words("board.places"), tuple(paragraphs(told, columns)), reference=True)
