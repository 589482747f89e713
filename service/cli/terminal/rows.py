"""The division of a narrow screen's lines between the board and the choices.

All players' goods stand above, at full height. From the rest, the board gets its ten lines before
the choices and the log grow; a preview takes lines from others before it is cut.
"""

from typing import NamedTuple

FEW = 3
"""Minimum choices shown, however low the screen is."""
SOME = 6
"""Choices shown before the log gets lines beside them."""
SAID = 2
"""Lines reserved for a preview."""
TOLD = 2
"""Lines of the log, as soon as there is room."""
LOG = 4
"""Lines of the log below which it has none: the preview, which says the news, has more of them."""
BOARD = 10
"""Lines of the board before anything else grows."""
LEAST = 4
"""Lines of the board that a long preview must leave."""


class Rows(NamedTuple):
    """The number of lines of each."""

    board: int
    log: int
    choices: int
    preview: int


def share(room: int, choices: int | None, preview: int, board: int | None = None) -> Rows:
    """Divide ``room`` lines, given the numbers that choices, preview and board want.

    Without choices (None) the log takes their place, so that the board stays where it is. A board
    that is drawn in fewer lines leaves them to the choices, and then to the log.
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
    """Share lines so that moving along the choices changes nothing."""
    choices = min(wanted, FEW)
    board = max(LEAST, min(BOARD, room - SAID - choices))
    left = room - SAID - choices - board
    more = max(0, min(left, min(wanted, SOME) - choices))
    log = min(left - more, TOLD)
    left -= more + log
    longer = max(0, min(left // 2, wanted - choices - more))
    told = (left - longer) // 3
    return Rows(board + left - longer - told, log + told, choices + more + longer, SAID)
