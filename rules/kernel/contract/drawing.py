"""A view drawn for a terminal: lines of text with styles, which whoever shows them colours.

What a style is called says what is drawn, never how: ``seat.0`` … are the colours of the seats and
``tone.<name>`` the board's (``board.json``), ``strong`` and ``muted`` weigh, and ``marked`` is what
the present question is about. A style is never the only sign: an owner is a letter too, what is
marked has a mark. All characters are one column wide, so that text looks the same everywhere.
"""

from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

NARROWEST = 60
"""How many columns any drawing needs."""


class Span(NamedTuple):
    """Text in one style; the empty style is that of plain text."""

    text: str
    style: str = ""


Line = tuple[Span, ...]


class Part(NamedTuple):
    """A part of the board with its title, which a narrow screen shows alone.

    It has the same title all game long. What is for ``reference`` is there to be looked up: the
    texts of cards, say.
    """

    title: str
    lines: tuple[Line, ...]
    reference: bool = False


class Drawing(NamedTuple):
    """The whole table as a viewer sees it.

    ``heading``: where the game stands and whose turn it is, in one line as a rule. ``players``: the
    points and goods of everybody, always to be shown: one line a seat or two, and what heads their
    columns if anything does. ``parts``: the rest, and first what the present question is about.
    """

    heading: tuple[Line, ...]
    players: tuple[Line, ...]
    parts: tuple[Part, ...]


def text_of(line: Line) -> str:
    """Return what a line says, without styles, and without blanks at its end."""
    return "".join([span.text for span in line]).rstrip()


def width(line: Line) -> int:
    """Return how many columns a line takes."""
    return sum([len(span.text) for span in line])


def line(*pieces: "str | Span | Line") -> Line:
    """Put text, spans and lines behind each other; text has the plain style."""
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
    """Break a line between words where it is longer than ``columns``; what follows is indented.

    A word that is longer than a line is broken too.
    """
    styled = [(letter, span.style) for span in whole for letter in span.text]
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


def _spans(styled: list[tuple[str, str]]) -> Line:
    return tuple(
        Span("".join([letter for letter, _style in same]), style)
        for style, same in groupby(styled, lambda one: one[1])
    )


def lines_of(drawing: Drawing) -> Iterator[Line]:
    """Yield a drawing from the top, without what is for reference: heading, parts, players."""
    yield from drawing.heading
    for part in drawing.parts:
        if part.reference:
            continue
        yield ()
        yield (Span(part.title, "strong"),)
        yield from part.lines
    yield ()
    yield from drawing.players


def plain(drawing: Drawing) -> str:
    """Return a drawing as text, for pipes, logs and screen readers."""
    return "\n".join(map(text_of, lines_of(drawing)))
