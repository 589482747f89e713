"""What the drawings of games are made of: texts, tables, flowing text, and a canvas for maps.

No line is wider than its maximum (``contract/drawing.py``).
"""

from collections.abc import Iterable, Sequence

from rules.kernel.contract.drawing import Line, Span, line, width, wrapped
from rules.kernel.contract.labels import Labels
from rules.kernel.contract.seats import Seat

LETTERS = "ABCDE"
"""The letters of the seats; they name owners where there is no room for a name."""
FREE = "·"
"""The sign of a free place."""

Piece = str | Span | Line


class Words:
    """The labels of one language: ``words("board.turn", number=3)`` fills one in."""

    def __init__(self, labels: Labels, language: str) -> None:
        self._labels = labels
        self.language = language

    def __call__(self, key: str, **data: object) -> str:
        """Fill a label; raises KeyError like ``Labels.text``."""
        return self._labels.text(key, self.language, **data)

    def seat(self, seat: Seat) -> Span:
        """Return a seat's name, in its colour."""
        return Span(self(f"seat.{seat}"), f"seat.{seat}")


def strong(text: object) -> Span:
    """Return emphasised text."""
    return Span(str(text), "strong")


def muted(text: object) -> Span:
    """Return de-emphasised text."""
    return Span(str(text), "muted")


def marked(text: object) -> Span:
    """Return text marked as the subject of the open question."""
    return Span(str(text), "marked")


def at(place: str, piece: Piece) -> Line:
    """Return the text ``piece`` as a line that stands for a place of the board (``Span.place``)."""
    return tuple(span._replace(place=place) for span in line(piece))


def letter(seat: Seat) -> Span:
    """Return the letter of a seat, in its colour."""
    return Span(LETTERS[seat], f"seat.{seat}")


def letters(seats: Iterable[Seat]) -> Line:
    """Return the letters of several seats, beside each other."""
    return tuple(letter(seat) for seat in seats)


def player(words: Words, seat: Seat, *, asked: bool) -> Line:
    """Return the start of a player's line: a mark if ``asked``, and the letter and name."""
    return line(marked("►") if asked else " ", letter(seat), " ", words.seat(seat))


def left(piece: Piece, columns: int) -> Line:
    """Return a left-aligned line that is ``columns`` wide."""
    whole = line(piece)
    return line(whole, " " * (columns - width(whole)))


def right(piece: Piece, columns: int) -> Line:
    """Return a right-aligned line that is ``columns`` wide."""
    whole = line(piece)
    return line(" " * (columns - width(whole)), whole)


def middle(piece: Piece, columns: int) -> Line:
    """Return a centred line that is ``columns`` wide."""
    whole = line(piece)
    return left(line(" " * ((columns - width(whole)) // 2), whole), columns)


def joined(pieces: Iterable[Piece], between: Piece = " · ") -> Line:
    """Join the pieces that are not empty; ``between`` separates them."""
    found: list[Piece] = []
    for piece in pieces:
        if piece and line(piece):
            found += [between, piece] if found else [piece]
    return line(*found)


def flowed(
    items: Iterable[Piece], columns: int, between: str = " · ", first: Piece = "", indent: int = 2
) -> list[Line]:
    """Lay out ``first`` and then the items in lines, which wrap between items.

    An item that is longer than a line wraps between words.
    """
    lines: list[Line] = []
    now, empty = line(first), True
    for item in map(line, items):
        if not empty and width(now) + len(between) + width(item) > columns:
            lines.append(now)
            now, empty = line(" " * indent), True
        now = line(now, "" if empty else between, item)
        empty = False
        if width(now) > columns:
            *done, now = wrapped(now, columns, indent)
            lines += done
    return [*lines, now]


def table(
    rows: Sequence[Sequence[Piece]], columns: int, aligned: str = "<", gap: int = 2
) -> list[Line]:
    """Lay cells out in columns; ``aligned`` has a sign for each column: ``<``, ``>`` or ``^``.

    The last sign is for all further columns, too. Columns are ``gap`` apart, or closer if there is
    no room. Lines that are still too wide wrap between cells.
    """
    cells = [[line(cell) for cell in row] for row in rows]
    count = max(map(len, cells))
    widths = [max(width(row[n]) for row in cells if n < len(row)) for n in range(count)]
    between = " " * max(1, min(gap, (columns - sum(widths)) // max(1, count - 1)))
    pad = {"<": left, ">": right, "^": middle}
    sides = aligned + aligned[-1] * count
    return [
        broken
        for row in cells
        for broken in flowed(
            [pad[sides[n]](cell, widths[n]) for n, cell in enumerate(row)], columns, between
        )
    ]


def headed(
    heads: Sequence[Piece],
    short: Sequence[Piece],
    rows: Sequence[Sequence[Piece]],
    columns: int,
    aligned: str = "<>",
) -> list[Line]:
    """Lay out rows of a name and numbers, with a head above each column of numbers.

    If the ``heads`` fit in one line, they are used. If they do not, but the ``short`` heads fit,
    the ``short`` heads are used. If neither fit, the ``heads`` are spread over two or three lines.
    ``aligned`` is as for ``table``.
    """
    for some in (heads, short):
        whole = [["", *some], *rows]
        widths = [max(width(line(row[n])) for row in whole) for n in range(len(whole[0]))]
        if sum(widths) + len(widths) - 1 <= columns:
            return table(whole, columns, aligned)
    for deep in (2, 3):
        lines = _staggered([*map(line, heads)], rows, aligned, deep)
        if max(map(width, lines)) <= columns:
            return lines
    return table([["", *short], *rows], columns, aligned)


def _staggered(
    heads: Sequence[Line], rows: Sequence[Sequence[Piece]], aligned: str, deep: int
) -> list[Line]:
    """Lay out rows as narrowly as possible, below heads that are spread over ``deep`` lines."""
    cells = [[line(cell) for cell in row] for row in rows]
    above: list[Line] = [()] * deep
    below = [left(row[0], max(width(row[0]) for row in cells)) for row in cells]
    sides = aligned + aligned[-1] * len(heads)
    for number, head in enumerate(heads, 1):
        level, size = (number - 1) % deep, max(width(row[number]) for row in cells)
        free = width(above[level]) + (1 if above[level] else 0)
        begins = width(below[0]) + 1
        if sides[number] == "<":
            begins = head_begins = max(begins, free)
        else:
            begins = max(begins, free + width(head) - size)
            head_begins = begins + size - width(head)
        above[level] = line(left(above[level], head_begins), head)
        pad = left if sides[number] == "<" else right
        below = [
            line(left(done, begins), pad(row[number], size))
            for done, row in zip(below, cells, strict=True)
        ]
    return [*above, *below]


def grid(cells: Sequence[Piece], columns: int, gap: int = 2) -> list[Line]:
    """Lay cells out side by side, all as wide as the widest, as many in a line as fit."""
    lines = [line(cell) for cell in cells]
    widest = min(columns, max(map(width, lines), default=0))
    across = max(1, (columns + gap) // (widest + gap))
    rows = [lines[at : at + across] for at in range(0, len(lines), across)]
    return [
        broken
        for row in rows
        for broken in wrapped(joined([left(cell, widest) for cell in row], " " * gap), columns)
    ]


def paragraphs(told: Iterable[tuple[Piece, str]], columns: int) -> list[Line]:
    """Return names in one column, with their texts in a second column."""
    rows = [(line(name), text) for name, text in told]
    indent = min(max((width(name) for name, _text in rows), default=0) + 2, columns // 3)
    return [
        row
        for name, text in rows
        for row in wrapped(line(left(name, indent - 1), " ", text), columns, indent)
    ]


class Canvas:
    """A rectangle of characters; a character replaces an earlier one at the same position."""

    def __init__(self, columns: int, rows: int) -> None:
        self._cells = [[(" ", "", "")] * columns for _ in range(rows)]

    def put(self, column: int, row: int, piece: Piece) -> None:
        """Write text that begins at a position; what is beyond the right edge is cut off."""
        cells = self._cells[row]
        for span in line(piece):
            for character in span.text:
                if 0 <= column < len(cells):
                    cells[column] = (character, span.style, span.place)
                column += 1

    def put_round(self, column: int, row: int, piece: Piece) -> None:
        """Write text whose middle is at a position, or as near to it as the edges allow."""
        size = width(line(piece))
        last = len(self._cells[row]) - size
        self.put(max(0, min(column - size // 2, last)), row, piece)

    def lines(self) -> list[Line]:
        """Return the rows, without trailing blanks."""
        return [_row(cells) for cells in self._cells]


def _row(cells: list[tuple[str, str, str]]) -> Line:
    end = max((at + 1 for at, cell in enumerate(cells) if cell[0] != " "), default=0)
    spans: list[Span] = []
    for character, *look in cells[:end]:
        if spans and [*spans[-1][1:]] == look:
            spans[-1] = Span(spans[-1].text + character, *look)
        else:
            spans.append(Span(character, *look))
    return tuple(spans)
