"""The terminal drawing of a view: street, town, ship, and the players' goods.

A house marks an owner, a dot a pawn. The price of a stop is the cost of driving there, in pesos.
"""

from collections.abc import Iterator

from rules.kernel.canonical import JsonObject
from rules.kernel.contract import Labels
from rules.kernel.contract.drawing import Drawing, Line, Part, Span, line, wrapped
from rules.kernel.toolbox.drawing import (
    Piece,
    Words,
    at,
    flowed,
    headed,
    joined,
    left,
    letter,
    letters,
    marked,
    muted,
    paragraphs,
    player,
    right,
    strong,
    table,
)
from rules.santiago_de_cuba import data, effects, play

_UNSEEN = "?"
_WIDEST_STOP = 18
_ROOMY_STOP = 15
"""Width of a stop at which its note fits below its name."""
_AT_THE_SHIP = (play.CHOOSE_DEMAND, play.LOADING_ROUND)
"""Phases with a question about the ship."""


def draw(view: JsonObject, labels: Labels, language: str, columns: int) -> Drawing:
    """Return the whole table, without parts that are not set up yet."""
    words = Words(labels, language)
    parts = [_ship(view, words, columns)]
    if view["street"] and view["buildings"]:
        at = 1 if view["phase"] in _AT_THE_SHIP else 0
        parts[at:at] = [_street(view, words, columns), _town(view, words, columns)]
    parts += [_told(words, "citizen", data.CITIZENS, columns)]
    parts += [_told(words, "building", data.BUILDINGS, columns)]
    heading = wrapped(_heading(view, words), columns)
    return Drawing(tuple(heading), tuple(_players(view, words, columns)), tuple(parts))


def _heading(view: JsonObject, words: Words) -> Line:
    turn = strong(words("board.turn", number=_turn(view)))
    if view["end_reason"]:
        return joined([turn, words(f"reason.{view['end_reason']}")])
    if view["decider"] is None:
        return joined([turn, words("board.nature")])
    asked = line(words.seat(view["decider"]), f": {words('decision.' + view['phase'])}")
    return joined([turn, asked])


def _turn(view: JsonObject) -> int:
    """Return the turn's number; choosing a new ship's dice belongs to the turn before."""
    ended: int = view["turns_done"]
    between = (
        view["phase"] in (play.ROLL_DEMAND, play.CHOOSE_DEMAND)
        or view["end_reason"] == effects.TURN_LIMIT
    )
    return ended if between and ended else ended + 1


# Street and town


def _street(view: JsonObject, words: Words, columns: int) -> Part:
    """Return the stops in two lines.

    The upper line runs to the right, and the lower line runs back to the left.
    """
    half = data.STOPS // 2
    cell = min(columns // half, _WIDEST_STOP)
    indent = 3 if cell >= _ROOMY_STOP else 1
    above = view["street"][:half]
    below = view["street"][: half - 1 : -1]
    rows = []
    for stops in (above, below):
        rows.append(line(*(left(_name(view, stop, words), cell) for stop in stops)))
        notes = (line(" " * indent, _note(view, stop, words)) for stop in stops)
        rows.append(line(*(left(note, cell) for note in notes)))
    turn = line("  ↑", right("↓", cell * (half - 1)))
    return Part(words("board.street"), (*rows[:2], turn, *rows[2:]))


def _name(view: JsonObject, stop: JsonObject, words: Words) -> Line:
    citizen = stop["citizen"]
    name = words(f"citizen.{citizen}" if citizen else "board.harbour")
    here = stop["stop"] == view["car"]
    shown = at(f"citizen.{citizen}", strong(name) if stop["active"] else muted(name))
    return line(
        marked("►") if here else " ", at(f"stop_{stop['stop']}", f"{stop['stop']}"), " ", shown
    )


def _note(view: JsonObject, stop: JsonObject, words: Words) -> Line:
    """Return a stop's flower, or the mark of a face-down citizen, and the cost of driving there."""
    price = f"${_price(view['car'], stop['stop'])}"
    if not stop["active"]:
        return line(muted(words("board.inactive")), f" {price}")
    return joined([_flower(stop["flower"], words), price], " ")


def _price(car: int, stop: int) -> int:
    steps = (stop - car) % data.STOPS or data.STOPS
    return data.PESOS_PER_STEP * max(0, steps - data.FREE_STEPS)


def _flower(flower: str | None, words: Words) -> Span:
    return Span(words(f"flower.{flower}"), f"tone.flower_{flower}") if flower else Span("")


def _town(view: JsonObject, words: Words, columns: int) -> Part:
    rows: dict[str, list[Piece]] = {}
    for space in view["buildings"]:
        flower = space["flower"]
        row = rows.setdefault(flower, [_flower(flower, words)])
        row.append(_building(space, words))
    legend = wrapped(line(muted(words("board.legend"))), columns)
    return Part(words("board.town"), (*table(list(rows.values()), columns), *legend))


def _building(space: JsonObject, words: Words) -> Line:
    owner, pawn = space["owner"], space["pawn"]
    return line(
        at(f"building.{space['building']}", words(f"building.{space['building']}")),
        " " if owner is not None or pawn is not None else "",
        "" if owner is None else line("⌂", letter(owner)),
        "" if pawn is None else line("●", letter(pawn)),
    )


# The ship


def _ship(view: JsonObject, words: Words, columns: int) -> Part:
    number = min(view["ship_number"], view["ships"])
    which = words("board.ship", number=number, ships=view["ships"])
    flags = wrapped(joined([strong(which), _flags(view, words)]), columns)
    lines = [*flags, *flowed(_dice(view, words), columns)]
    if loading := view["loading"]:
        passed = words("board.passed") if loading["passed"] else ""
        lines += wrapped(
            line(
                f"{words('board.loading')}: ", words.seat(loading["current"]),
                f" · {passed} " if passed else "", letters(loading["passed"]),
            ),
            columns,
        )  # fmt: skip
    return Part(words("board.harbour"), tuple(lines))


def _flags(view: JsonObject, words: Words) -> Line:
    names = [*map(str, data.FLAG_VALUES), words("board.chequered")]
    flags = [
        marked(f"[{name}]") if at == view["value_index"] else Span(f" {name} ")
        for at, name in enumerate(names)
    ]
    return line(f"{words('board.value')}: ", *flags)


def _dice(view: JsonObject, words: Words) -> Iterator[Line]:
    """Yield the goods that the ship wants, then the good whose die was left out, then wood."""
    choosing = view["phase"] == play.CHOOSE_DEMAND
    rolled = view["roll"] if choosing else view["demand"]
    if rolled is None:
        yield line(words("board.no_dice"))
        return
    for good in data.DICE:
        name = words(f"good.{good}")
        if good in rolled:
            wanted = rolled[good]
            amount = strong(wanted) if wanted else muted(wanted)
            yield at(f"die_{good}", line(_good(good, name), " ", amount))
        else:
            yield at(f"die_{good}", muted(f"{name} –"))


def _good(good: str, name: str) -> Span:
    return Span(name, f"tone.{good}")


# Texts of citizens and buildings, and the players' property


def _told(words: Words, kind: str, ids: tuple[str, ...], columns: int) -> Part:
    told = [(words(f"{kind}.{id_}"), words(f"text.{kind}.{id_}")) for id_ in ids]
    return Part(words(f"board.{kind}s"), tuple(paragraphs(told, columns)), reference=True)


def _players(view: JsonObject, words: Words, columns: int) -> list[Line]:
    before: list[Piece] = [words("board.vp"), words("board.pesos")]
    markers = words("board.markers")
    heads, short = (
        [*before, *(_good(good, words(f"{kind}.{good}")) for good in data.GOODS), markers]
        for kind in ("good", "short")
    )
    rows: list[list[Piece]] = []
    for row in view["players"]:
        goods = row["goods"] or dict.fromkeys(data.GOODS)
        amounts = [row["vp"], row["pesos"], *(goods[good] for good in data.GOODS)]
        shown = [_UNSEEN if amount is None else str(amount) for amount in amounts]
        name = player(words, row["seat"], asked=row["seat"] == view["decider"])
        rows.append([name, strong(shown[0]), *shown[1:], str(row["markers_left"])])
    supply = [at(f"supply_{good}", muted(view["supply"][good])) for good in data.GOODS]
    rows.append([muted(f"   {words('board.supply')}"), "", "", *supply, ""])
    return headed(heads, short, rows, columns)
