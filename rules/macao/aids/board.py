"""A view drawn for the terminal, at most 100 columns wide."""

from collections.abc import Iterable

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.labels import Labels
from rules.kernel.toolbox.boards import COLUMNS, Words, joined, wrapped
from rules.macao import cubes, data, phases
from rules.macao.cards import CardId
from rules.macao.tables import TABLES, Tables

_CELL = 20
_NAME = 26
_PORTS = 3
_INDENT = "    "
_COUNTS = ("prestige", "coins", "jokers", "punishments", "markers_left")


def draw_board(view: JsonObject, labels: Labels, language: str) -> str:
    """Return the whole table: cards, city, sea, wall, players."""
    words = _Words(labels, language)
    tables = TABLES[view["edition"]]
    parts = [_heading(view, words)]
    if view["display"]:
        parts.append(_display(view, tables, words))
    parts += [_city(view, tables, words), _sea(view, tables, words), _wall(view, words)]
    parts += [_player(view, player, tables, words) for player in view["players"]]
    if view["future_offices"]:
        names = [words("board.card", card=card) for card in view["future_offices"][0]]
        parts.append(f"{words('board.next_offices')}: {', '.join(names)}")
    parts.append(words("board.letters", **{id_: words.letter(id_) for id_ in data.COLOURS}))
    return "\n\n".join(parts)


class _Words(Words):
    """One language's words, and how this game abbreviates them."""

    def letter(self, colour: str) -> str:
        return self(f"letter.{colour}")

    def pile(self, counts: dict[str, int]) -> str:
        """Cubes as letters: ``R3 G1``, and ``-`` for none."""
        held = [f"{self.letter(id_)}{n}" for id_, n in counts.items() if n]
        return " ".join(held) or "-"

    def cost(self, pile: int) -> str:
        """Cubes as letters: ``RRG``."""
        return "".join([self.letter(id_) for id_ in cubes.ids(pile)])


def _heading(view: JsonObject, words: _Words) -> str:
    lines = [
        f"{words('board.round', round=view['round'], rounds=view['rounds'])} · {_now(view, words)}"
    ]
    tribute = view["tribute"]
    if view["phase"] not in phases.BEFORE_REVEAL:
        lines[0] += " · " + words("board.tribute", **tribute)
    if view["dice"]:
        values = [f"{words.letter(id_)}{value}" for id_, value in view["die_values"].items()]
        lines.append(f"{words('board.dice')} {' '.join(values)}")
    lines.append(f"{words('board.bank')} {words.pile(view['cube_bank'])}")
    return "\n".join([lines[0], " · ".join(lines[1:])])


def _now(view: JsonObject, words: _Words) -> str:
    if view["phase"] == phases.FINISHED:
        return words("board.finished")
    if not view["queue"]:
        return words("board.nature")
    if view["active"] is None:
        return words("board.together")
    return f"{words('seat.' + str(view['active']))}: {words('decision.' + view['phase'])}"


def _display(view: JsonObject, tables: Tables, words: _Words) -> str:
    return "\n".join(
        [words("board.display"), *(_card(id_, tables, words) for id_ in view["display"])]
    )


def _card(id_: CardId, tables: Tables, words: _Words) -> str:
    """A line: name, cost, tribute numbers, kind, text."""
    card = tables.cards[id_]
    kind = words(f"kind.{data.KINDS[card.kind]}")
    name = f"  {words('board.card', card=id_):{_NAME}}{words.cost(card.cost):5}"
    line = f"{name}{card.gold}/{card.prestige}  {kind}: {card.text[words.language]}"
    return wrapped(line, " " * (_NAME + 12))


def _city(view: JsonObject, tables: Tables, words: _Words) -> str:
    """The quarters on their grid: number, cost, and the tile or whose it is."""
    cells: dict[tuple[int, int], tuple[str, str]] = {}
    for number, row in enumerate(view["quarters"], start=1):
        quarter = tables.quarters[row["quarter"]]
        if row["owner"] is not None:
            note = f"⌂ {words('seat.' + str(row['owner']))}"
        else:
            note = words(f"tile.{row['tile']}") if row["tile"] else ""
        title = f"{number:2} {words.cost(quarter.cost)}"
        cells[quarter.row, quarter.column] = (title, f"   {note}")
    last_row, last_column = (max(place[i] for place in cells) for i in (0, 1))
    width = min(_CELL, COLUMNS // last_column)
    lines = [words("board.city")]
    for row_number in range(1, last_row + 1):
        row_cells = [cells.get((row_number, c), ("", "")) for c in range(1, last_column + 1)]
        lines += [_cells((cell[half] for cell in row_cells), width) for half in (0, 1)]
    return joined(lines)


def _sea(view: JsonObject, tables: Tables, words: _Words) -> str:
    """The ports with their free slots, and where each ship can sail."""
    ports = []
    for port in view["ports"]:
        free = " ".join(str(points) for points in port["slot_points"][port["filled"] :])
        name, good = words(f"space.{port['port']}"), words(f"good.{port['good']}")
        ports.append(f"  {name}: {good} {free or '-'}")
    rows = [ports[at : at + _PORTS] for at in range(0, len(ports), _PORTS)]
    lines = [words("board.ports"), *(_cells(row, COLUMNS // _PORTS) for row in rows)]
    for player in view["players"]:
        space = tables.spaces[player["ship"]]
        near = [words(f"space.{to}") for to in space.adjacent]
        seat = words(f"seat.{player['seat']}")
        lines.append(wrapped(f"{seat}: {words('space.' + player['ship'])} → {', '.join(near)}"))
    return joined(lines)


def _wall(view: JsonObject, words: _Words) -> str:
    stacks = [
        f"{space}: " + ", ".join(words(f"seat.{seat}") for seat in reversed(stack))
        for space, stack in reversed(list(enumerate(view["wall"])))
        if stack
    ]
    return f"{words('board.wall')} {' · '.join(stacks)}"


def _player(view: JsonObject, player: JsonObject, tables: Tables, words: _Words) -> str:
    seat = player["seat"]
    mark = ">" if seat == view["active"] else " "
    counts = [words(f"board.{key}", n=player[key]) for key in _COUNTS]
    lines = [f"{mark} {words('seat.' + str(seat))}: {' · '.join(counts)}"]
    sectors = [f"{n}: {words.pile(pile)}" for n, pile in enumerate(player["windrose"], start=1)]
    supply = f"{words('board.supply')} {words.pile(player['supply'])}"
    lines.append(wrapped(f"{_INDENT}{supply} | {' | '.join(sectors)}"))
    aboard = [f"{n} {words('good.' + good)}" for good, n in player["goods"].items() if n]
    if aboard:
        lines.append(wrapped(f"{_INDENT}{words('board.aboard')}: {', '.join(aboard)}"))
    for key in ("tableau", "activated"):
        if player[key] and seat == view["viewer"]:
            lines.append(f"{_INDENT}{words('board.' + key)}:")
            lines += [_card(id_, tables, words) for id_ in player[key]]
        elif player[key]:
            held = [_held(id_, tables, words) for id_ in player[key]]
            lines.append(wrapped(f"{_INDENT}{words('board.' + key)}: {', '.join(held)}"))
    return "\n".join(lines)


def _held(id_: CardId, tables: Tables, words: _Words) -> str:
    card = tables.cards[id_]
    return f"{words('board.card', card=id_)} ({words.cost(card.cost)})"


def _cells(cells: Iterable[str], width: int) -> str:
    return "".join(f"{cell[: width - 1]:{width}}" for cell in cells)
