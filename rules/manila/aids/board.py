"""A view drawn for the terminal, at most 100 columns wide.

A vacant place shows what it costs, in brackets; a taken one its owner. ``+6`` is what it pays.
"""

from collections.abc import Iterable, Sequence

from rules.kernel.canonical import JsonObject
from rules.kernel.contract import Labels, Seat
from rules.kernel.toolbox.boards import Words, columns, joined, wrapped
from rules.manila import data
from rules.manila.data import Space

_NAME_WIDTH = 16
_SPACE_WIDTH = 4
_BERTH_WIDTH = 27
_PUNT, _WATER = "▶", "·"
_UNSEEN = "?"


def draw_board(view: JsonObject, labels: Labels, language: str) -> str:
    """Return the whole table: voyage, lanes, berths, boats and offices, shares and money."""
    words = Words(labels, language)
    parts = [_heading(view, words), _coast(view, words), _holdings(view, words)]
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
    numbers = range(data.LAST_SPACE + 1)
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
    ware = data.WARE.read(punt["ware"])
    profit = words("board.profit", amount=data.PROFITS[ware])
    return f"{_places(punt['seats'], ware, words)} · {profit}"


def _places(owners: Sequence[Seat | None], space: Space, words: Words) -> str:
    return ", ".join(
        f"[{cost}]" if owner is None else words(f"seat.{owner}")
        for owner, cost in zip(owners, data.COSTS[space], strict=True)
    )


# The coast


def _coast(view: JsonObject, words: Words) -> str:
    pirates = [view["pirates"]["captain"], view["pirates"]["second"]]
    pilots = [
        f"{words('board.' + name)} {_places([view['pilots'][name]], space, words)}"
        for name, space in zip(("small", "big"), data.PILOTS, strict=True)
    ]
    insurance = _places([view["insurance"]], data.INSURANCE, words)
    rows = [(f"{berth}s", _slots(view[f"{berth}s"], berth, words)) for berth in data.BERTHS]
    rows.append(("pirates", _places(pirates, data.PIRATE, words)))
    rows += [("pilots", ", ".join(pilots)), ("insurance", f"+{data.PREMIUM} {insurance}")]
    return joined(f"{words('board.' + name):{_NAME_WIDTH}}{places}" for name, places in rows)


def _slots(slots: JsonObject, berth: str, words: Words) -> str:
    """Cells of one width, or wider where a cell needs it; none touches the next."""
    cells = []
    spaces, payouts = data.BERTH_SPACES[berth], data.PAYOUTS[berth]
    for slot, space, payout in zip(data.SLOTS, spaces, payouts, strict=True):
        place = _places([slots[slot]["accomplice"]], space, words)
        punt = slots[slot]["punt"]
        docked = f" ← {words('ware.' + punt)}" if punt else ""
        cells.append(f"{words('slot.' + slot)} +{payout} {place}{docked}")
    return "".join(f"{cell:{_BERTH_WIDTH - 1}} " for cell in cells)


# Shares and money


def _holdings(view: JsonObject, words: Words) -> str:
    wares = [words(f"ware.{ware}") for ware in data.WARES]
    sums = [words(f"board.{name}") for name in ("cash", "funds", "pledged", "in_hand")]
    widths = [max(len(head), 4) + 2 for head in (*wares, _UNSEEN, *sums)]
    rows: list[tuple[str, Sequence[object]]] = [("", [*wares, _UNSEEN, *sums])]
    rows += [
        (f"  {words('board.' + name)}", [view[name][ware] for ware in data.WARES])
        for name in ("market", "supply")
    ]
    for player in view["players"]:
        mark = ">" if player["seat"] == view["decider"] else " "
        rows.append((f"{mark} {words('seat.' + str(player['seat']))}", _holding(player)))
    return joined(f"{name:{_NAME_WIDTH}}" + columns(cells, widths) for name, cells in rows)


def _holding(player: JsonObject) -> list[int]:
    """The shares by ware, the shares whose wares are hidden, and money."""
    dealt = player["dealt"] or dict.fromkeys(data.WARES, 0)
    by_ware = [player["bought"][ware] + dealt[ware] for ware in data.WARES]
    unseen = player["shares"] - sum(by_ware)
    sums = [player[name] for name in ("cash", "funds", "pledged", "accomplices_in_hand")]
    return [*by_ware, unseen, *sums]
