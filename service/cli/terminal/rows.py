"""How the lines of a narrow screen are shared between the board and what one may do.

Everybody's goods stand above, whatever they take. Of what is left the board has its ten lines
before the choices and the log grow; a preview is never cut as long as it finds lines to take.
"""

from typing import NamedTuple

FEW = 3
"""So many choices are seen at once, however low the screen is."""
SOME = 6
"""So many are, before the log is seen beside them."""
SAID = 2
"""The lines that are kept for a preview."""
TOLD = 2
"""The lines of the log that are seen as soon as there is room."""
BOARD = 10
"""What the board has before anything else grows."""
LEAST = 4
"""What a long preview leaves of the board."""


class Rows(NamedTuple):
    """How many lines each has."""

    board: int
    log: int
    choices: int
    preview: int


def share(room: int, choices: int | None, preview: int) -> Rows:
    """Share ``room`` lines, of which the choices and the preview want so many.

    Without choices (None) the log has their place, so that the board stays where it is.
    """
    wanted = SOME if choices is None else choices
    rows = _at_rest(room, wanted)
    if choices is None:
        return Rows(rows.board, room - rows.board, 0, 0)
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
