"""The division of a narrow screen's lines between the board and the choices.

What the players own is drawn above, at full height. The remaining lines are given in this order: to
the choices, to the part of the board that the question is about, and to everything else. A preview
that needs more lines than its share takes them from the other panes.
"""

from typing import NamedTuple

FEW = 3
"""Lines that the choices keep while the board has its minimum; otherwise they keep one choice."""
MANY = 8
"""Lines of choices that are placed before the board gets more than its minimum."""
SAID = 2
"""Lines reserved for a preview."""
LOG = 4
"""Minimum lines of the log; with fewer it is hidden, and the preview gets its lines."""
LEAST = 4
"""Minimum lines of the board."""


class Rows(NamedTuple):
    """The number of lines of each pane."""

    board: int
    log: int
    choices: int
    preview: int


class Demand(NamedTuple):
    """The number of lines that each pane would fill.

    ``choices`` counts the lines of the list in one column. ``packed`` counts its lines in as many
    columns as fit. ``least`` counts the lines of the list's longest entry. ``part`` counts the
    lines of the part of the board that the question is about. ``board`` counts the lines of the
    whole board. ``shown`` is true if the choices are also marked on the board; then the board gets
    its lines before the list.
    """

    choices: int
    packed: int
    least: int
    preview: int
    part: int
    board: int
    shown: bool = False


def share(room: int, wanted: Demand) -> Rows:
    """Divide ``room`` lines."""
    rows = _at_rest(room, wanted)
    missing = max(0, wanted.preview - rows.preview)
    from_log = min(missing, rows.log)
    from_board = min(missing - from_log, max(0, rows.board - LEAST))
    few = min(max(FEW, wanted.least), rows.choices)
    from_choices = min(missing - from_log - from_board, rows.choices - few)
    return Rows(
        rows.board - from_board,
        rows.log - from_log,
        rows.choices - from_choices,
        rows.preview + from_log + from_board + from_choices,
    )


def waiting(room: int, part: int) -> Rows:
    """Divide ``room`` lines while the player has no question: the log replaces the choices."""
    board = max(min(room, LEAST), min(part, room - SAID - FEW))
    return Rows(board, room - board, 0, 0)


def _at_rest(room: int, wanted: Demand) -> Rows:
    """Divide the lines without regard to the preview, which changes with the highlighted choice."""
    few = min(wanted.packed, wanted.least if wanted.shown else max(FEW, wanted.least))
    few = max(min(few, room - LEAST), min(few, wanted.least))
    spare = room - wanted.part - (few if wanted.shown else max(few, min(wanted.packed, MANY)))
    said = 1 if spare == 1 or (wanted.shown and spare < 1) else SAID
    said = min(said, max(0, room - few - LEAST))
    choices = few
    board = max(0, min(LEAST, room - said - choices))
    left = room - said - choices - board

    def grant(has: int, wants: int) -> int:
        nonlocal left
        more = max(0, min(left, wants - has))
        left -= more
        return has + more

    if not wanted.shown:
        choices = grant(choices, min(wanted.packed, MANY))
    board = grant(board, wanted.part)
    choices = grant(choices, wanted.packed)
    choices = grant(choices, wanted.choices)
    log = left // 2
    left -= log
    board = grant(board, wanted.board)
    log += left
    if log < LOG:
        return Rows(board, 0, choices, said + log)
    return Rows(board, log, choices, said)
