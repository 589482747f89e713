"""The division of a narrow screen's lines between the board and the choices.

The players' goods stand above, at full height. Of the remaining lines, the board gets ten before
the choices and the log grow. A preview takes lines from the others before it is cut off.
"""

from typing import NamedTuple

FEW = 3
"""Minimum number of choices shown on the lowest screen."""
SOME = 6
"""The log gets no lines before this many choices have theirs."""
SAID = 2
"""Lines reserved for a preview."""
TOLD = 2
"""Lines that the log gets next, after ``SOME`` choices and before more choices."""
LOG = 4
"""Minimum lines of the log; with fewer it is hidden, and the preview gets its lines."""
BOARD = 10
"""Lines that the board gets before the choices and the log grow."""
LEAST = 4
"""Minimum lines of the board beside a long preview."""


class Rows(NamedTuple):
    """The number of lines of each pane."""

    board: int
    log: int
    choices: int
    preview: int


def share(room: int, choices: int | None, preview: int, board: int | None = None) -> Rows:
    """Divide ``room`` lines, given the number of lines that choices, preview and board need.

    Without choices (None) the log takes their place, so that the board stays where it is. A board
    that needs fewer lines leaves the rest to the choices, and then to the log.
    """
    wanted = SOME if choices is None else choices
    rows = _at_rest(room, wanted)
    empty = 0 if board is None else max(0, rows.board - max(LEAST, board))
    more = min(empty, wanted - rows.choices)
    rows = Rows(rows.board - empty, rows.log + empty - more, rows.choices + more, rows.preview)
    if choices is None:
        return Rows(rows.board, room - rows.board, 0, 0)
    if rows.log < LOG:
        rows = Rows(rows.board, 0, rows.choices, rows.preview + rows.log)
    missing = max(0, preview - rows.preview)
    from_log = min(missing, rows.log)
    from_board = min(missing - from_log, max(0, rows.board - LEAST))
    from_choices = min(missing - from_log - from_board, max(0, rows.choices - FEW))
    return Rows(
        rows.board - from_board,
        rows.log - from_log,
        rows.choices - from_choices,
        rows.preview + from_log + from_board + from_choices,
    )


def _at_rest(room: int, wanted: int) -> Rows:
    """Divide the lines without regard to the preview, which changes with the highlighted choice."""
    choices = min(wanted, FEW)
    board = max(LEAST, min(BOARD, room - SAID - choices))
    left = room - SAID - choices - board
    more = max(0, min(left, min(wanted, SOME) - choices))
    log = min(left - more, TOLD)
    left -= more + log
    longer = max(0, min(left // 2, wanted - choices - more))
    told = (left - longer) // 3
    return Rows(board + left - longer - told, log + told, choices + more + longer, SAID)
