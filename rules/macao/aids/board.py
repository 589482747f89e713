"""The terminal drawing of a view: cards, cubes, city, sea and wall.

Cubes are letters, explained below the windrose; a house marks an owner, a triangle a ship.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import starmap

from rules.kernel.canonical import JsonObject
from rules.kernel.contract import Labels
from rules.kernel.contract.drawing import Drawing, Line, Part, Span, line, width, wrapped
from rules.kernel.toolbox.drawing import (
    Canvas,
    Piece,
    Words,
    at,
    flowed,
    grid,
    headed,
    joined,
    left,
    letter,
    letters,
    muted,
    player,
    strong,
    table,
)
from rules.macao import data, phases
from rules.macao.aids import sea
from rules.macao.cards import CardId
from rules.macao.data import cubes
from rules.macao.tables import TABLES, Quarter, QuarterId

_TEXT = 24
"""The column in which the texts of cards begin, if the drawing is wide enough."""
_CELL = 15
"""Number of columns that a quarter needs to fit on one line."""
_NARROW = 11
"""Number of columns that a quarter needs to fit on two lines."""
_COUNTS = ("prestige", "coins", "jokers", "punishments", "markers_left")
_DRAFT = (
    phases.REVEAL_INITIAL, phases.INITIAL_DRAFT, phases.REVEAL_CARDS, phases.DRAFT,
)  # fmt: skip


def draw(view: JsonObject, labels: Labels, language: str, columns: int) -> Drawing:
    """Return the whole table; the subject of the open question comes first."""
    board = _Board(view, labels, language, columns)
    return Drawing(tuple(board.heading()), tuple(board.players()), tuple(board.parts()))


class _Board(Words):
    """The board as a viewer sees it, in one language."""

    def __init__(self, view: JsonObject, labels: Labels, language: str, columns: int) -> None:
        super().__init__(labels, language)
        self.view = view
        self.columns = columns
        self.tables = TABLES[view["edition"]]

    def parts(self) -> Iterator[Part]:
        """Yield all parts; the order depends on the open question."""
        display, windrose = self._display(), self._windrose()
        own, others = self._own_cards(), self._others_cards()
        phase = self.view["phase"]
        if phase in _DRAFT:
            first = [display, own]
        elif phase in (phases.ACTIONS, phases.DRAFT_OVERFLOW):
            first = [own]
        else:
            first = [windrose, own]
        ports = sea.ports(self.view, self.tables, self, self.columns)
        chart = sea.chart(self.view, self.tables, self, self.columns)
        rest = [self._city(), self._wall(), ports, chart, windrose, display, others]
        for part in (*first, *(part for part in rest if part not in first)):
            if part.lines:
                yield part
        yield self._texts()

    # The progress of the game

    def heading(self) -> list[Line]:
        """Return the round, what happens in it, and the tribute: in one line if there is room."""
        whole, short = (
            wrapped(self._progress(words), self.columns) for words in ("board", "short")
        )
        return whole if len(whole) <= len(short) else short

    def _progress(self, words: str) -> Line:
        view = self.view
        round_ = strong(self(f"{words}.round", round=view["round"], rounds=view["rounds"]))
        pieces: list[Piece] = [round_, self._now()]
        if view["phase"] not in phases.BEFORE_REVEAL:
            pieces.append(self(f"{words}.tribute", **view["tribute"]))
        return joined(pieces)

    def _now(self) -> Piece:
        if self.view["phase"] == phases.FINISHED:
            return self("board.finished")
        if not self.view["queue"]:
            return self("board.nature")
        if self.view["active"] is None:
            return self("board.together")
        return line(self.seat(self.view["active"]), f": {self('decision.' + self.view['phase'])}")

    # Cubes

    def _letter(self, colour: str) -> Span:
        return Span(self(f"letter.{colour}"), f"tone.{colour}")

    def _pile(self, counts: Mapping[str, int]) -> Line:
        """Return cubes as letters and numbers, for example ``R3 G1``; ``–`` if there are none."""
        piles = [line(self._letter(id_), str(n)) for id_, n in counts.items() if n]
        return joined(piles, " ") or line(muted("–"))

    def _dice(self) -> Line:
        """Return the dice as letters and numbers."""
        dice = self.view["die_values"].items()
        shown = [at(f"die_{id_}", line(self._letter(id_), str(n))) for id_, n in dice if n]
        return joined(shown, " ")

    def _cost(self, pile: int) -> Line:
        """Return cubes as letters, for example ``RRG``."""
        return line(*(self._letter(id_) for id_ in cubes.listed(pile)))

    def _windrose(self) -> Part:
        """Return the dice, the bank, and the cubes that each sector will bring to each player."""
        view = self.view
        first: list[Piece] = [line(f"{self('board.bank')} ", self._pile(view["cube_bank"]))]
        chosen = [seat for seat, dice in enumerate(view["pending_dice"]) if dice]
        if chosen:
            first.append(self("board.have_chosen", seats=chosen))
        if view["dice"]:
            first.insert(0, line(f"{self('board.dice')} ", self._dice()))
        sectors = len(view["players"][0]["windrose"])
        rows: list[list[Piece]] = [["", *map(str, range(1, sectors + 1))]]
        rows += [
            [self.seat(row["seat"]), *map(self._pile, row["windrose"])] for row in view["players"]
        ]
        letters_ = {id_: self(f"letter.{id_}") for id_ in data.COLOURS}
        legend = wrapped(line(muted(self("board.letters", **letters_))), self.columns)
        lines = (*flowed(first, self.columns), *table(rows, self.columns, "<", 3), *legend)
        return Part(self("board.windrose"), lines)

    # Cards

    def _display(self) -> Part:
        lines = [row for id_ in self.view["display"] for row in self._card(id_)]
        if self.view["future_offices"]:
            names = [self("board.card", card=card) for card in self.view["future_offices"][0]]
            lines += flowed(names, self.columns, ", ", f"{self('board.next_offices')}: ")
        compact = [row for id_ in self.view["display"] for row in self._card(id_, dense=True)]
        return Part(self("board.display"), tuple(lines), compact=tuple(compact))

    def _own_cards(self) -> Part:
        """Return the viewer's cards with their texts: first the tableau, then the active cards."""
        notes = joined(self._turn())
        lines = wrapped(notes, self.columns) if notes else []
        compact = [*lines]
        if self.view["viewer"] is not None:
            row = self.view["players"][self.view["viewer"]]
            for key in ("tableau", "activated"):
                if row[key]:
                    head = muted(self(f"board.{key}"))
                    lines.append(line(head))
                    lines += [each for card in row[key] for each in self._own_card(card)]
                    called = map(self._called, row[key])
                    compact += flowed(called, self.columns, ", ", line(head, ": "))
        return Part(self("board.own_cards"), tuple(lines), compact=tuple(compact))

    def _turn(self) -> Iterator[str]:
        """Yield what the acting player has left in this turn, and the cards used."""
        turn, active = self.view["turn"], self.view["active"]
        if self.view["phase"] == phases.ACTIONS and active == self.view["viewer"]:
            if turn["free_steps"]:
                yield self("board.free_steps", n=turn["free_steps"])
            if turn["used_cards"]:
                yield self("board.used", cards=turn["used_cards"])

    def _others_cards(self) -> Part:
        lines = [
            each
            for row in self.view["players"]
            if row["seat"] != self.view["viewer"]
            for key in ("tableau", "activated")
            if row[key]
            for each in flowed(
                [line(self("board.card", card=c), " ", self._price(c)) for c in row[key]],
                self.columns,
                ", ",
                line(self.seat(row["seat"]), f", {self('board.' + key)}: "),
            )
        ]
        return Part(self("board.others_cards"), tuple(lines))

    def _price(self, id_: CardId) -> Line:
        return line("(", self._cost(self.tables.cards[id_].cost), ")")

    def _own_card(self, id_: CardId) -> list[Line]:
        """Return a card without its tribute, which is paid already, in as few lines as possible."""
        return wrapped(line(self._called(id_), " ", self._told(id_)), self.columns, 4)

    def _called(self, id_: CardId) -> Line:
        called = at(f"card.{id_}", strong(self("board.card", card=id_)))
        return line(called, " ", self._cost(self.tables.cards[id_].cost))

    def _told(self, id_: CardId) -> Line:
        """Return a card's kind and text."""
        card = self.tables.cards[id_]
        kind = self(f"kind.{data.KINDS[card.kind]}")
        # Drawings use British English. The tables keep "gray": a change would change their digest.
        return line(muted(f"{kind}: "), card.text[self.language].replace("gray", "grey"))

    def _card(self, id_: CardId, *, dense: bool = False) -> list[Line]:
        """Return a card: its name, cost, tribute numbers, kind and text."""
        card = self.tables.cards[id_]
        tribute = f"{card.gold}/{card.prestige} "
        if dense:
            return wrapped(line(self._called(id_), " ", tribute, self._told(id_)), self.columns)
        told = line(left(self._called(id_), _TEXT - 1), " ", tribute, self._told(id_))
        return wrapped(told, self.columns, _TEXT if self.columns > 2 * _TEXT else 4)

    def _texts(self) -> Part:
        """Return the texts of the cards that lie before the players."""
        ids = dict.fromkeys(
            id_
            for row in self.view["players"]
            if row["seat"] != self.view["viewer"]
            for id_ in (*row["tableau"], *row["activated"])
        )
        lines = tuple(each for id_ in ids for each in self._card(id_))
        return Part(self("board.texts"), lines, reference=True)

    # The city

    def _city(self) -> Part:
        """Return the quarters on their grid: number, cost, and the tile or the owner.

        Lines join quarters that border on each other.
        """
        rows = {self.tables.quarters[row["quarter"]]: row for row in self.view["quarters"]}
        across = self.columns // max(quarter.column for quarter in rows)
        near = {quarter: self._bordering(quarter) for quarter in rows}
        if across < _NARROW or not all(starmap(_is_beside, _pairs(near))):
            shown = [self._listed(quarter, row, near[quarter]) for quarter, row in rows.items()]
            return Part(self("board.city"), tuple(grid(shown, self.columns)))
        height = 1 if across >= _CELL else 2
        lines = self._grid(rows, near, (across, height), between=1)[:-1]
        compact = self._grid(rows, near, (across, height), between=0)
        return Part(self("board.city"), tuple(lines), compact=tuple(compact))

    def _grid(
        self,
        rows: Mapping[Quarter, JsonObject],
        near: Mapping[Quarter, Iterable[Quarter]],
        size: tuple[int, int],
        *,
        between: int,
    ) -> list[Line]:
        """Return the lines of the grid of quarters.

        ``size`` is the width and the height of each quarter. Below each row of quarters,
        ``between`` lines are left for borders.
        """
        across, height = size
        down = height + between
        canvas = Canvas(self.columns, down * max(quarter.row for quarter in rows))
        for quarter, row in rows.items():
            x, y = across * (quarter.column - 1), down * (quarter.row - 1)
            self._put_quarter(canvas, x, y, row, quarter, one_line=height == 1)
            for other in near[quarter]:
                if between or other.row == quarter.row:
                    _join(canvas, (x, y), (across, down), quarter, other)
        return canvas.lines()

    def _put_quarter(
        self, canvas: Canvas, x: int, y: int, row: JsonObject, quarter: Quarter, *, one_line: bool
    ) -> None:
        named, there = self._named(row, quarter), self._there(row)
        canvas.put(x, y, named)
        if one_line:
            canvas.put(x + width(named) + 1, y, there)
        else:
            canvas.put(x + 3, y + 1, there)

    def _named(self, row: JsonObject, quarter: Quarter) -> Line:
        number = at(row["quarter"], strong(f"{self._number(row['quarter']):2}"))
        return number if row["owner"] is not None else line(number, " ", self._cost(quarter.cost))

    def _there(self, row: JsonObject) -> Line:
        if row["owner"] is not None:
            return line("⌂", letter(row["owner"]))
        return line(self(f"short.{row['tile']}") if row["tile"] else "")

    def _listed(self, quarter: Quarter, row: JsonObject, near: Iterable[Quarter]) -> Line:
        numbers = [*self.tables.quarters.values()]
        borders = ",".join(str(numbers.index(other) + 1) for other in near)
        return joined([self._named(row, quarter), self._there(row), muted(f"({borders})")], " ")

    def _bordering(self, quarter: Quarter) -> list[Quarter]:
        quarters = self.tables.quarters.values()
        return [other for other in quarters if other.bit & quarter.adjacent]

    def _number(self, id_: QuarterId) -> int:
        return [*self.tables.quarters].index(id_) + 1

    def _wall(self) -> Part:
        """Return the discs on the wall, beginning with the foremost space.

        On each space, the disc that arrived last is on top of the stack and is listed first.
        """
        stacks: list[Piece] = [
            line(f"{space} ", letters(reversed(stack)))
            for space, stack in reversed(list(enumerate(self.view["wall"])))
            if stack
        ]
        return Part(self("board.wall"), tuple(flowed(stacks, self.columns)))

    # All players

    def players(self) -> list[Line]:
        """Return each player's points, money and cubes to spend, and goods aboard the ship."""
        view = self.view
        heads = [*(self(f"short.{key}") for key in _COUNTS), self("board.supply")]
        rows: list[list[Piece]] = []
        for row in view["players"]:
            name = player(self, row["seat"], asked=row["seat"] == view["active"])
            first, *others = (str(row[key]) for key in _COUNTS)
            rows.append([name, strong(first), *others, self._pile(row["supply"])])
        aboard = [self._aboard(row) for row in view["players"]]
        beside = self.columns - max(map(width, aboard)) - 2
        tables = [headed(heads, heads, rows, room, "<>>>>><") for room in (self.columns, beside)]
        return min((self._with_goods(lines, aboard) for lines in tables), key=len)

    def _with_goods(self, lines: Sequence[Line], aboard: Sequence[Line]) -> list[Line]:
        """Add the goods aboard to each player's line, or below the line if there is no room."""
        above = len(lines) - len(aboard)
        shown = [*lines[:above]]
        for whole, goods in zip(lines[above:], aboard, strict=True):
            shown += flowed([whole, goods] if goods else [whole], self.columns, "  ", indent=4)
        return shown

    def _aboard(self, row: JsonObject) -> Line:
        goods = [f"{n} {self('short.' + good)}" for good, n in row["goods"].items() if n]
        return joined(goods, ", ")


def _pairs(near: Mapping[Quarter, Iterable[Quarter]]) -> list[tuple[Quarter, Quarter]]:
    return [(quarter, other) for quarter, others in near.items() for other in others]


def _is_beside(quarter: Quarter, other: Quarter) -> bool:
    """Whether two quarters are so near that a line between them crosses no other line."""
    return abs(quarter.row - other.row) <= 1 and abs(quarter.column - other.column) <= 1


def _join(
    canvas: Canvas, at: tuple[int, int], size: tuple[int, int], quarter: Quarter, other: Quarter
) -> None:
    """Draw the border to a quarter on the right or in the row below."""
    (x, y), (across, down) = at, size
    step = other.column - quarter.column
    if other.row == quarter.row and step == 1:
        canvas.put(x + across - 1, y, muted("─"))
    elif other.row > quarter.row:
        place = {-1: 0, 0: across // 2 - 2, 1: across - 4}[step]
        canvas.put(x + place, y + down - 1, muted({-1: "/", 0: "|", 1: "\\"}[step]))
