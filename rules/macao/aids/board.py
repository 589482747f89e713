"""A view drawn for the terminal, at most 100 columns wide."""

from collections.abc import Iterable

from rules.kernel.canonical import JsonObject
from rules.kernel.contract import Labels, Seat
from rules.kernel.toolbox.boards import COLUMNS, Words, joined, wrapped
from rules.macao import data, phases
from rules.macao.cards import CardId
from rules.macao.data import cubes
from rules.macao.tables import TABLES

_CELL = 20
_NAME = 26
_PORTS = 3
_INDENT = "    "
_COUNTS = ("prestige", "coins", "jokers", "punishments", "markers_left")


def draw_board(view: JsonObject, labels: Labels, language: str) -> str:
    """Return the whole table: cards, city, sea, wall, players."""
    return "\n\n".join(_Board(view, labels, language).parts())


class _Board(Words):
    """What a viewer sees, in one language's words."""

    def __init__(self, view: JsonObject, labels: Labels, language: str) -> None:
        super().__init__(labels, language)
        self.view = view
        self.tables = TABLES[view["edition"]]

    def parts(self) -> Iterable[str]:
        yield self._heading()
        if self.view["display"]:
            yield "\n".join([self("board.display"), *map(self._card, self.view["display"])])
        yield self._city()
        yield self._sea()
        yield self._wall()
        yield from map(self._player, self.view["players"])
        if self.view["future_offices"]:
            names = [self("board.card", card=card) for card in self.view["future_offices"][0]]
            yield f"{self('board.next_offices')}: {', '.join(names)}"
        yield self("board.letters", **{id_: self(f"letter.{id_}") for id_ in data.COLOURS})

    def _pile(self, counts: dict[str, int]) -> str:
        """Cubes as letters: ``R3 G1``, and ``-`` for none."""
        return " ".join([f"{self(f'letter.{id_}')}{n}" for id_, n in counts.items() if n]) or "-"

    def _cost(self, pile: int) -> str:
        """Cubes as letters: ``RRG``."""
        return "".join([self(f"letter.{id_}") for id_ in cubes.listed(pile)])

    def _seat(self, seat: Seat) -> str:
        return self(f"seat.{seat}")

    def _heading(self) -> str:
        view = self.view
        round_ = self("board.round", round=view["round"], rounds=view["rounds"])
        first = [round_, self._now()]
        second = [f"{self('board.bank')} {self._pile(view['cube_bank'])}"]
        if view["phase"] not in phases.BEFORE_REVEAL:
            first.append(self("board.tribute", **view["tribute"]))
        if view["dice"]:
            second.insert(0, f"{self('board.dice')} {self._pile(view['die_values'])}")
        return "\n".join(map(" · ".join, (first, second)))

    def _now(self) -> str:
        if self.view["phase"] == phases.FINISHED:
            return self("board.finished")
        if not self.view["queue"]:
            return self("board.nature")
        if self.view["active"] is None:
            return self("board.together")
        return f"{self._seat(self.view['active'])}: {self('decision.' + self.view['phase'])}"

    def _card(self, id_: CardId) -> str:
        """A line: name, cost, tribute numbers, kind, text."""
        card = self.tables.cards[id_]
        kind = self(f"kind.{data.KINDS[card.kind]}")
        name = f"  {self('board.card', card=id_):{_NAME}}{self._cost(card.cost):5}"
        line = f"{name}{card.gold}/{card.prestige}  {kind}: {card.text[self.language]}"
        return wrapped(line, " " * (_NAME + 12))

    def _city(self) -> str:
        """The quarters on their grid: number, cost, and the tile or whose it is."""
        cells: dict[tuple[int, int], tuple[str, str]] = {}
        for number, row in enumerate(self.view["quarters"], start=1):
            quarter = self.tables.quarters[row["quarter"]]
            note = self(f"tile.{row['tile']}") if row["tile"] else ""
            if row["owner"] is not None:
                note = f"⌂ {self._seat(row['owner'])}"
            title = f"{number:2} {self._cost(quarter.cost)}"
            cells[quarter.row, quarter.column] = (title, f"   {note}")
        last_row, last_column = map(max, zip(*cells, strict=True))
        width = min(_CELL, COLUMNS // last_column)
        lines = [self("board.city")]
        for row_number in range(1, last_row + 1):
            row_cells = [cells.get((row_number, c), ("", "")) for c in range(1, last_column + 1)]
            lines += [_cells(half, width) for half in zip(*row_cells, strict=True)]
        return joined(lines)

    def _sea(self) -> str:
        """The ports with their free slots, and where each ship can sail."""
        ports = []
        for port in self.view["ports"]:
            free = " ".join(map(str, port["slot_points"][port["filled"] :])) or "-"
            ports.append(
                f"  {self('space.' + port['port'])}: {self('good.' + port['good'])} {free}"
            )
        rows = [ports[at : at + _PORTS] for at in range(0, len(ports), _PORTS)]
        lines = [self("board.ports"), *(_cells(row, COLUMNS // _PORTS) for row in rows)]
        for player in self.view["players"]:
            here = f"{self._seat(player['seat'])}: {self('space.' + player['ship'])}"
            near = [self(f"space.{to}") for to in self.tables.spaces[player["ship"]].adjacent]
            lines.append(wrapped(f"{here} → {', '.join(near)}"))
        return joined(lines)

    def _wall(self) -> str:
        stacks = [
            f"{space}: {', '.join(map(self._seat, reversed(stack)))}"
            for space, stack in reversed(list(enumerate(self.view["wall"])))
            if stack
        ]
        return f"{self('board.wall')} {' · '.join(stacks)}"

    def _player(self, player: JsonObject) -> str:
        seat = player["seat"]
        mark = ">" if seat == self.view["active"] else " "
        counts = [self(f"board.{key}", n=player[key]) for key in _COUNTS]
        lines = [f"{mark} {self._seat(seat)}: {' · '.join(counts)}"]
        sectors = [f"{n}: {self._pile(pile)}" for n, pile in enumerate(player["windrose"], start=1)]
        supply = f"{self('board.supply')} {self._pile(player['supply'])}"
        lines.append(wrapped(f"{_INDENT}{' | '.join([supply, *sectors])}"))
        aboard = [f"{n} {self('good.' + good)}" for good, n in player["goods"].items() if n]
        if aboard:
            lines.append(wrapped(f"{_INDENT}{self('board.aboard')}: {', '.join(aboard)}"))
        for key in ("tableau", "activated"):
            title = f"{_INDENT}{self('board.' + key)}:"
            if player[key] and seat == self.view["viewer"]:
                lines += [title, *map(self._card, player[key])]
            elif player[key]:
                lines.append(wrapped(f"{title} {', '.join(map(self._held, player[key]))}"))
        return "\n".join(lines)

    def _held(self, id_: CardId) -> str:
        return f"{self('board.card', card=id_)} ({self._cost(self.tables.cards[id_].cost)})"


def _cells(cells: Iterable[str], width: int) -> str:
    return "".join(f"{cell[: width - 1]:{width}}" for cell in cells)
