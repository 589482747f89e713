"""When somebody's time is up, by what the events say and nothing else (docs/format.md, "Time").

The service asks here before it records an event, and ``verify`` asks again: the event's own ``at``
decides, so the two cannot disagree. A clock is read as data: ``{"decision_seconds": 86400}``, or
None for no clock.
"""

from rules.kernel.contract.seats import Seat
from rules.kernel.record.game import CLOSED, RUNNING, Game
from rules.kernel.record.instants import to_ms


def seat_deadline(game: Game, seat: Seat) -> int | None:
    """Return when (ms since 1970) a seat's open decision runs out.

    None if the game has no clock or is suspended, the seat is not asked, or the service answers
    for it.
    """
    clock = game.created["clock"]
    if clock is None or game.suspended_at:
        return None
    if seat not in game.asked or game.seats[seat].automatic:
        return None
    return to_ms(game.asked_at[seat]) + 1000 * int(clock["decision_seconds"])


def entropy_deadline(game: Game) -> int | None:
    """Return until when (ms since 1970) seats open their entropy; None if it is not time."""
    if game.status != CLOSED or game.suspended_at:
        return None
    return to_ms(game.closed_at) + 1000 * int(game.created["entropy"]["seconds"])


def next_deadline(game: Game) -> int | None:
    """Return when (ms since 1970) the first time of somebody runs out; None: nobody's."""
    if game.status != RUNNING or game.created["clock"] is None:
        return entropy_deadline(game)
    ends = [end for seat in game.asked if (end := seat_deadline(game, seat)) is not None]
    return min(ends, default=None)


def is_late(at: str, deadline: int | None) -> bool:
    """Whether ``at`` is after a deadline; at the deadline itself one is in time."""
    return deadline is not None and to_ms(at) > deadline
