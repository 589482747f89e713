"""Drawings for a terminal: lines of text with named styles; the terminal program colours them.

A style's name says what it means, not how it looks. ``seat.0``, ``seat.1`` and so on are the
colours of the seats, and ``tone.<name>`` are the colours of the board (``board.json``). ``strong``
and ``muted`` are weights, and ``marked`` is the subject of the open question. Nothing is shown only
by a style: an owner also has a letter, and a ``marked`` text also has a sign beside it. All
characters are one column wide, so that text looks the same everywhere.
"""

from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

NARROWEST = 58
"""The minimum width of any drawing, in columns: a terminal of 60 columns has a margin."""


class Span(NamedTuple):
    """Text in one style; the empty style is plain text.

    ``place`` says what the text stands for, if a move can refer to it: the key of a place of
    ``board.json``, or the kind and the id of a piece, as ``building.cafe``.
    """

    text: str
    style: str = ""
    place: str = ""


Line = tuple[Span, ...]


class Part(NamedTuple):
    """A titled part of the board; a narrow screen shows one part at a time.

    The title never changes during a game. A part is ``reference`` if it is for looking something
    up, such as the texts of cards. ``compact`` is the part in fewer lines, with the same places but
    without explanations, for a screen that is too low for ``lines``; empty if there is no such
    form. A terminal of 80 columns and 24 lines has room for 13 lines of a part if it shows only a
    few choices.
    """

    title: str
    lines: tuple[Line, ...]
    reference: bool = False
    compact: tuple[Line, ...] = ()

    def within(self, height: int) -> tuple[Line, ...]:
        """Return the lines for a screen that has room for ``height`` of them."""
        return self.compact if self.compact and len(self.lines) > height else self.lines


class Drawing(NamedTuple):
    """The whole table as a viewer sees it.

    ``heading`` is the progress of the game and whose turn it is, usually in one line. ``players``
    is always shown: points and goods of each player in one or two lines, perhaps below headings of
    columns. ``parts`` has everything else; the part that the open question is about comes first.
    """

    heading: tuple[Line, ...]
    players: tuple[Line, ...]
    parts: tuple[Part, ...]


def text_of(line: Line) -> str:
    """Return the text of a line, without styles and trailing blanks."""
    return "".join([span.text for span in line]).rstrip()


def width(line: Line) -> int:
    """Return the width of a line in columns."""
    return sum([len(span.text) for span in line])


def line(*pieces: "str | Span | Line") -> Line:
    """Concatenate text, spans and lines; text has the plain style."""
    spans: list[Span] = []
    for piece in pieces:
        if isinstance(piece, str):
            spans.append(Span(piece))
        elif isinstance(piece, Span):
            spans.append(piece)
        else:
            spans += piece
    return tuple(span for span in spans if span.text)


def wrapped(whole: Line, columns: int, indent: int = 2) -> list[Line]:
    """Wrap a line between words at ``columns``, with a hanging indent.

    A word that is longer than a line is broken too.
    """
    styled = [(letter, span[1:]) for span in whole for letter in span.text]
    lines = []
    room = columns
    while len(styled) > room:
        blanks = [at for at in range(1, room + 1) if styled[at][0] == " "]
        cut = blanks[-1] if blanks else room
        lines.append(_spans(styled[:cut]))
        styled = styled[cut + 1 :] if blanks else styled[cut:]
        room = columns - indent
    lines.append(_spans(styled))
    return [lines[0], *(line(" " * indent, rest) for rest in lines[1:])]


def _spans(styled: list[tuple[str, tuple[str, str]]]) -> Line:
    return tuple(
        Span("".join([letter for letter, _look in same]), *look)
        for look, same in groupby(styled, lambda one: one[1])
    )


def lines_of(drawing: Drawing) -> Iterator[Line]:
    """Yield a drawing from the top, without reference parts: heading, parts, players.

    If there is only one part, its title is left out.
    """
    yield from drawing.heading
    shown = [part for part in drawing.parts if not part.reference]
    for part in shown:
        yield ()
        if len(shown) > 1:
            yield (Span(part.title, "strong"),)
        yield from part.lines
    yield ()
    yield from drawing.players


def plain(drawing: Drawing) -> str:
    """Return a drawing as text, for pipes, logs and screen readers."""
    return "\n".join(map(text_of, lines_of(drawing)))
