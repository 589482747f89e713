"""Marks in a drawing: they show the places to choose from, the cursor, and the changes.

Each mark has a sign of its own, so that no mark depends on a colour. The sign ``›`` stands before a
place that one may choose. Brackets enclose the place under the cursor. The sign ``•`` stands before
a word that has changed. A sign covers only blanks and de-emphasised text, such as the lines of a
map.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from rules.kernel.contract.drawing import Drawing, Line, Part, Span, text_of

LEGAL, BEFORE, BEHIND, CHANGED = "›", "[", "]", "•"
_TURN = re.compile("^[►▲*]")
"""The signs of the deciding seat and of the question; their changes are not marked."""
_EMPTY = ("·", "–", "")
"""Texts that stand where a piece or value was removed."""
_WORD = re.compile(r"[░▒]+|[^\s─|░▒]+")
"""A word of a text, or a piece on a map between its lines."""


class _Cell(NamedTuple):
    """A character of a drawing."""

    text: str
    style: str
    place: str


def chosen(lines: Sequence[Line], legal: Collection[str], cursor: Collection[str]) -> list[Line]:
    """Return lines in which the ``legal`` places and the places under the cursor are marked."""
    return [
        _with_places(line, legal, cursor)
        if any(span.place in legal or span.place in cursor for span in line if span.place)
        else line
        for line in lines
    ]


def _with_places(line: Line, legal: Collection[str], cursor: Collection[str]) -> Line:
    cells = _cells(line)
    column = 0
    for span in line:
        end = column + len(span.text)
        follows = column > 0 and cells[column - 1].place == span.place
        goes_on = end < len(cells) and cells[end].place == span.place
        if span.place in cursor:
            _restyle(cells, column, end, "cursor")
            if not follows:
                _sign(cells, column - 1, BEFORE, "cursor", legal)
            if not goes_on:
                _sign(cells, end, BEHIND, "cursor", legal)
        elif span.place in legal:
            _restyle(cells, column, end, "legal")
            if not follows:
                _sign(cells, column - 1, LEGAL, "legal", legal)
        column = end
    return _line(cells)


def changed(drawing: Drawing, before: Drawing) -> Drawing:
    """Return a drawing in which the differences from an earlier one are marked."""
    earlier = {part.title: part for part in before.parts}
    parts = tuple(
        part if part.reference or part.title not in earlier else _changed(part, earlier[part.title])
        for part in drawing.parts
    )
    players = _compared(drawing.players, before.players)
    return drawing._replace(players=players, parts=parts)


def _changed(part: Part, before: Part) -> Part:
    lines, compact = _compared(part.lines, before.lines), _compared(part.compact, before.compact)
    return part._replace(lines=lines, compact=compact)


def _compared(lines: Sequence[Line], before: Sequence[Line]) -> tuple[Line, ...]:
    """Return lines with a mark on each word that ``before`` does not have at the same place."""
    if lines == before:
        return tuple(lines)
    now, then = ([_words(line) for line in some] for some in (lines, before))
    shown = list(lines)
    for pair, other in _pairs(now, then):
        words = now[pair]
        marks = [
            number
            for number in _differing(words, [] if other is None else then[other])
            if words[number] not in _EMPTY
        ]
        if marks:
            shown[pair] = _with_changes(lines[pair], marks)
    return tuple(shown)


def _pairs(now: Sequence[list[str]], then: Sequence[list[str]]) -> Iterator[tuple[int, int | None]]:
    """Yield, for each changed line, its number and the number of the line that it replaces.

    The second number is None if the line is new.
    """
    matcher = SequenceMatcher(None, [*map(tuple, then)], [*map(tuple, now)], autojunk=False)
    for kind, begins, ends, first, last in matcher.get_opcodes():
        if kind in ("replace", "insert"):
            for n, line in enumerate(range(first, last)):
                yield line, begins + n if begins + n < ends else None


def _words(line: Line) -> list[str]:
    return [_TURN.sub("", word) for word in _WORD.findall(text_of(line))]


def _differing(now: list[str], then: list[str]) -> Iterator[int]:
    """Yield the position, in ``now``, of each word that differs from ``then``.

    If the whole line is new (``then`` is empty), yield only the position of its first word.
    """
    if not then:
        yield from range(min(1, len(now)))
    elif len(now) == len(then):
        yield from (n for n, (one, other) in enumerate(zip(now, then, strict=True)) if one != other)
    else:
        matcher = SequenceMatcher(None, then, now, autojunk=False)
        for kind, _begins, _ends, first, last in matcher.get_opcodes():
            if kind in ("replace", "insert"):
                yield from range(first, last)


def _with_changes(line: Line, words: Collection[int]) -> Line:
    cells = _cells(line)
    here = {cell.place for cell in cells if cell.place}
    last = -1
    for number, found in enumerate(_WORD.finditer("".join(cell.text for cell in cells))):
        if number not in words:
            continue
        begins = found.start() + (_TURN.match(found[0]) is not None)
        _restyle(cells, begins, found.end(), "changed")
        if found.start() > last + 1 or any(map(str.isdigit, found[0])):
            _sign(cells, begins - 1, CHANGED, "changed", here)
        last = found.end()
    return _line(cells)


def _cells(line: Line) -> list[_Cell]:
    return [_Cell(letter, span.style, span.place) for span in line for letter in span.text]


def _restyle(cells: list[_Cell], begins: int, ends: int, style: str) -> None:
    for at in range(begins, ends):
        cell = cells[at]
        cells[at] = cell._replace(style=f"{cell.style}+{style}" if cell.style else style)


def _sign(cells: list[_Cell], at: int, sign: str, style: str, kept: Collection[str]) -> None:
    """Put a sign into a cell, if the cell may be covered.

    A cell stays as it is if its text is neither blank nor de-emphasised, or if its place is in
    ``kept``.
    """
    if at == len(cells):
        cells.append(_Cell(" ", "", ""))
    text, before, place = cells[at]
    if at >= 0 and (text in (" ", CHANGED) or before == "muted") and place not in kept:
        cells[at] = _Cell(sign, style, "")


def _line(cells: Sequence[_Cell]) -> Line:
    spans: list[Span] = []
    for text, style, place in cells:
        if spans and spans[-1][1:] == (style, place):
            spans[-1] = spans[-1]._replace(text=spans[-1].text + text)
        else:
            spans.append(Span(text, style, place))
    return tuple(spans)
