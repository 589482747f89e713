"""A view drawn for the terminal, at most 100 columns wide.

A vacant place shows what it costs, in brackets; a taken one its owner. ``+6`` is what it pays.
"""

from collections.abc import Iterable

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.labels import Labels
from rules.kernel.toolbox.boards import Words, joined, wrapped
from rules.manila.data import (
    COSTS,
    INSURANCE,
    LAST_SPACE,
    PILOT_BIG,
    PILOT_SMALL,
    PIRATE,
    PORT_A,
    PORT_PAYOUTS,
    PREMIUM,
    PROFITS,
    SHIPYARD_A,
    SHIPYARD_PAYOUTS,
    SLOTS,
    WARE,
    WARES,
)

_NAME_WIDTH = 16
_SPACE_WIDTH = 4
_BERTH_WIDTH = 27
_PUNT, _WATER = "▶", "·"
_UNSEEN = "?"


def draw(view: JsonObject, labels: Labels, language: str) -> str:
    """Return the whole table: voyage, lanes, berths, boats and offices, shares and money."""
    words = Words(labels, language)
    parts = [_heading(view, words), _berths(view, words), _holdings(view, words)]
    if view["punts"]:
        parts.insert(1, _lanes(view, words))
    return "\n\n".join(parts)


def _heading(view: JsonObject, words: Words) -> str:
    where = [words("board.voyage", number=view["voyage"])]
    where += [
        words(f"board.{kind}", number=view[f"{kind}_round"])
        for kind in ("placement", "movement")
        if view[f"{kind}_round"]
    ]
    if view["end_reason"]:
        where.append(words(f"reason.{view['end_reason']}"))
    elif view["decider"] is None:
        where.append(words("board.nature"))
    else:
        decision = words(f"decision.{view['phase']}")
        where.append(f"{words('seat.' + str(view['decider']))}: {decision}")
    lines = [where, list(_notes(view, words))]
    return "\n".join(wrapped(" · ".join(line)) for line in lines if line)


def _notes(view: JsonObject, words: Words) -> Iterable[str]:
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


def _lanes(view: JsonObject, words: Words) -> str:
    numbers = range(LAST_SPACE + 1)
    lines = [" " * _NAME_WIDTH + "".join(f"{number:>{_SPACE_WIDTH}}" for number in numbers)]
    for punt in view["punts"]:
        at_sea = punt["status"] == "at_sea"
        marks = [_PUNT if at_sea and n == punt["position"] else _WATER for n in numbers]
        lane = "".join(f"{mark:>{_SPACE_WIDTH}}" for mark in marks)
        note = words("board.arriving") if punt["ware"] in view["arrivals"] else _berth(punt, words)
        lines.append(f"{words('ware.' + punt['ware']):{_NAME_WIDTH}}{lane}  {note}")
        lines.append(" " * (_NAME_WIDTH + 3) + _aboard(punt, words))
    return joined(lines)


def _berth(punt: JsonObject, words: Words) -> str:
    if punt["slot"] is None:
        return ""
    place = words("place.port" if punt["status"] == "in_port" else "place.shipyard")
    return f"{place} {words('slot.' + punt['slot'])}"


def _aboard(punt: JsonObject, words: Words) -> str:
    ware = WARE[punt["ware"]]
    places = zip(punt["seats"], COSTS[ware], strict=True)
    seats = ", ".join(_place(owner, cost, words) for owner, cost in places)
    return f"{seats} · {words('board.profit', amount=PROFITS[ware])}"


def _place(owner: int | None, cost: int, words: Words) -> str:
    return f"[{cost}]" if owner is None else words(f"seat.{owner}")


# The coast


def _berths(view: JsonObject, words: Words) -> str:
    pirates = [view["pirates"]["captain"], view["pirates"]["second"]]
    boat = ", ".join(_place(o, c, words) for o, c in zip(pirates, COSTS[PIRATE], strict=True))
    pilots = [
        f"{words('board.' + name)} {_place(view['pilots'][name], COSTS[space][0], words)}"
        for name, space in (("small", PILOT_SMALL), ("big", PILOT_BIG))
    ]
    insurance = f"+{PREMIUM} {_place(view['insurance'], COSTS[INSURANCE][0], words)}"
    lines = [
        f"{words('board.' + kind):{_NAME_WIDTH}}"
        + _cells(_slots(view[kind], first, payouts, words), _BERTH_WIDTH)
        for kind, first, payouts in (
            ("ports", PORT_A, PORT_PAYOUTS),
            ("shipyards", SHIPYARD_A, SHIPYARD_PAYOUTS),
        )
    ]
    offices = [("pirates", boat), ("pilots", ", ".join(pilots)), ("insurance", insurance)]
    lines += [f"{words('board.' + name):{_NAME_WIDTH}}{places}" for name, places in offices]
    return joined(lines)


def _slots(slots: JsonObject, first: int, payouts: tuple[int, ...], words: Words) -> Iterable[str]:
    for number, slot in enumerate(SLOTS):
        owner, punt = slots[slot]["accomplice"], slots[slot]["punt"]
        text = f"{words('slot.' + slot)} +{payouts[number]} "
        text += _place(owner, COSTS[first + number][0], words)
        yield f"{text} ← {words('ware.' + punt)}" if punt else text


# Shares and money


def _holdings(view: JsonObject, words: Words) -> str:
    wares = [words(f"ware.{ware}") for ware in WARES]
    sums = [words(f"board.{name}") for name in ("cash", "funds", "pledged", "in_hand")]
    widths = [max(len(head), 4) + 2 for head in (*wares, _UNSEEN, *sums)]
    rows = [("", [*wares, _UNSEEN, *sums])]
    rows += [
        (f"  {words('board.' + name)}", [str(view[name][ware]) for ware in WARES])
        for name in ("market", "supply")
    ]
    for player in view["players"]:
        mark = ">" if player["seat"] == view["decider"] else " "
        rows.append((f"{mark} {words('seat.' + str(player['seat']))}", _holding(player)))
    return joined(
        f"{name:{_NAME_WIDTH}}"
        + "".join(f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=False))
        for name, cells in rows
    )


def _holding(player: JsonObject) -> list[str]:
    """The shares by ware, those of which nobody says the ware, and money."""
    dealt = player["dealt"] or dict.fromkeys(WARES, 0)
    by_ware = [player["bought"][ware] + dealt[ware] for ware in WARES]
    unseen = player["shares"] - sum(by_ware)
    sums = [player[name] for name in ("cash", "funds", "pledged", "accomplices_in_hand")]
    return [str(number) for number in (*by_ware, unseen, *sums)]


def _cells(cells: Iterable[str], width: int) -> str:
    """Cells of this width, or of their own if they are wider; none touches the next."""
    return "".join(f"{cell:{width - 1}} " for cell in cells)
