"""A list that is laid out in columns. The columns fit the entries and the number of lines."""

from collections.abc import Sequence

from rules.kernel.contract.drawing import Line, Span, line, width, wrapped

MARGIN = 1
"""Blanks on either side of an entry, in which the cursor's brackets stand."""


def entry(number: int) -> str:
    """Return the place of an entry (``Span.place``)."""
    return f"entry.{number}"


def number_of(place: str) -> int:
    """Return the number of the entry at a place."""
    return int(place.removeprefix("entry."))


def listed(entries: Sequence[Line], columns: int, room: int) -> list[Line]:
    """Lay entries out in ``room`` lines.

    The entries fill one column from its top to its bottom, and then the next column. There are as
    few columns as possible. If the columns are together wider than the list, the result has no
    columns: then the entries stand one after the other, as many in each line as fit. If
    ``room`` lines do not suffice, the result has more lines. An entry that is wider than the list
    wraps between words.
    """
    whole = [
        tuple(span._replace(place=entry(number)) for span in spans)
        for number, spans in enumerate(entries)
    ]
    room_across = columns - 2 * MARGIN
    lines = [line(" " * MARGIN, row) for spans in whole for row in wrapped(spans, room_across)]
    across = 1
    while len(lines) > room and across < len(whole):
        across += 1
        below = -(-len(whole) // across)
        fitting = _in_columns(whole, below, columns)
        if fitting is None:
            return min(lines, _in_lines(whole, columns), key=len)
        lines = fitting
    return lines


def packed(entries: Sequence[Line], columns: int) -> int:
    """Return the number of lines that a list has if it is laid out in as many columns as fit."""
    return len(listed(entries, columns, 1))


def _in_lines(whole: Sequence[Line], columns: int) -> list[Line]:
    """Return entries beside each other, as many in each line as fit."""
    blank = " " * MARGIN
    lines: list[Line] = []
    room = 0
    for spans in whole:
        size = width(spans) + 2 * MARGIN
        if size <= room:
            lines[-1] = line(lines[-1], blank, spans, blank)
            room -= size
            continue
        rows = wrapped(spans, columns - 2 * MARGIN)
        lines += [line(blank, row, blank) for row in rows]
        room = columns - size if len(rows) == 1 else 0
    return lines


def _in_columns(whole: Sequence[Line], below: int, columns: int) -> list[Line] | None:
    """Return entries in columns of equal height.

    Return None if the columns do not fit beside each other.
    """
    stacks = [whole[at : at + below] for at in range(0, len(whole), below)]
    widths = [max(map(width, stack)) + 2 * MARGIN for stack in stacks]
    if sum(widths) > columns:
        return None
    return [
        line(
            *(
                line(" " * MARGIN, stack[row], Span(" " * (size - MARGIN - width(stack[row]))))
                for stack, size in zip(stacks, widths, strict=True)
                if row < len(stack)
            )
        )
        for row in range(below)
    ]
