"""A view drawn for the terminal, at most 100 columns wide."""

from collections.abc import Iterable

from rules.kernel.canonical import JsonObject
from rules.kernel.contract import Labels
from rules.kernel.toolbox.boards import Words, columns, joined
from rules.santiago_de_cuba import data, effects, play

_STOP_WIDTH = 10
_SPACE_WIDTH = 28
_SEAT_WIDTH = 12
_UNSEEN = "?"


def draw_board(view: JsonObject, labels: Labels, language: str) -> str:
    """Return the whole table: street, town, ship, players."""
    words = Words(labels, language)
    parts = [_heading(view, words), _ship(view, words)]
    if view["street"]:
        parts.insert(1, _street(view, words))
    if view["buildings"]:
        parts.insert(2, _town(view, words))
    parts.append(_players(view, words))
    return "\n\n".join(parts)


def _heading(view: JsonObject, words: Words) -> str:
    line = words("board.turn", number=_turn(view))
    if view["end_reason"]:
        return f"{line} · {words('reason.' + view['end_reason'])}"
    if view["decider"] is None:
        return f"{line} · {words('board.nature')}"
    return f"{line} · {words('seat.' + str(view['decider']))}: {words('decision.' + view['phase'])}"


def _turn(view: JsonObject) -> int:
    """The number of the turn; the dice for a new ship still belong to the turn it came in."""
    ended: int = view["turns_done"]
    between = (
        view["phase"] in (play.ROLL_DEMAND, play.CHOOSE_DEMAND)
        or view["end_reason"] == effects.TURN_LIMIT
    )
    return ended if between and ended else ended + 1


def _street(view: JsonObject, words: Words) -> str:
    stops = view["street"]
    names = [
        words(f"citizen.{stop['citizen']}" if stop["citizen"] else "board.harbour")
        for stop in stops
    ]
    flowers = [words(f"flower.{stop['flower']}") if stop["flower"] else "" for stop in stops]
    notes = ["" if stop["active"] else words("board.inactive") for stop in stops]
    cars = [f"[{words('board.car')}]" if stop["stop"] == view["car"] else "" for stop in stops]
    numbers = [str(stop["stop"]) for stop in stops]
    rows = [numbers, names, flowers, notes, cars]
    return joined(_cells(row, _STOP_WIDTH) for row in rows if any(row))


def _town(view: JsonObject, words: Words) -> str:
    lines = []
    for flower in dict.fromkeys(space["flower"] for space in view["buildings"]):
        spaces = [space for space in view["buildings"] if space["flower"] == flower]
        names = [words(f"building.{space['building']}") for space in spaces]
        lines.append(f"{words('flower.' + flower):{_SEAT_WIDTH}}" + _cells(names, _SPACE_WIDTH))
        notes = [_note(space, words) for space in spaces]
        if any(notes):
            lines.append(" " * _SEAT_WIDTH + _cells(notes, _SPACE_WIDTH))
    return joined(lines)


def _note(space: JsonObject, words: Words) -> str:
    notes = []
    if space["owner"] is not None:
        notes.append(words("board.owner", seat=space["owner"]))
    if space["pawn"] is not None:
        notes.append(words("board.pawn", seat=space["pawn"]))
    return "  " + ", ".join(notes) if notes else ""


def _ship(view: JsonObject, words: Words) -> str:
    flags = [str(value) for value in data.FLAG_VALUES] + [words("board.chequered")]
    flags[view["value_index"]] = f"[{flags[view['value_index']]}]"
    number = words("board.ship", number=view["ship_number"], ships=view["ships"])
    value = f"{words('board.value')} {' '.join(flags)}"
    return f"{number} · {value} · {_dice(view, words)}"


def _dice(view: JsonObject, words: Words) -> str:
    rolled = view["demand"] or (view["roll"] if view["phase"] == play.CHOOSE_DEMAND else None)
    if rolled is None:
        return words("board.no_dice")
    return ", ".join(
        f"{words('good.' + good)} {rolled[good]}" for good in data.DICE if good in rolled
    )


def _players(view: JsonObject, words: Words) -> str:
    kinds = [words(f"board.{kind}") for kind in ("pesos", "vp")]
    kinds += [words(f"good.{good}") for good in data.GOODS]
    kinds.append(words("board.markers"))
    widths = [max(len(kind), 3) + 2 for kind in kinds]
    lines = [" " * _SEAT_WIDTH + columns(kinds, widths)]
    for player in view["players"]:
        goods = player["goods"] or dict.fromkeys(data.GOODS)
        amounts = [player["pesos"], player["vp"], *goods.values(), player["markers_left"]]
        shown = [_UNSEEN if amount is None else amount for amount in amounts]
        name = words(f"seat.{player['seat']}")
        mark = ">" if player["seat"] == view["active"] else " "
        lines.append(f"{mark} {name:{_SEAT_WIDTH - 2}}" + columns(shown, widths))
    supply = ["", "", *[view["supply"][good] for good in data.GOODS], ""]
    lines.append(f"  {words('board.supply'):{_SEAT_WIDTH - 2}}" + columns(supply, widths))
    return joined(lines)


def _cells(cells: Iterable[str], width: int) -> str:
    return "".join(f"{cell:{width}}" for cell in cells)
