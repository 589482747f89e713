"""Deadlines, computed only from the events (docs/format.md, "Time").

The service computes a deadline before it records an event, and ``verify`` computes it again. Both
compare it with the ``at`` of the event, so they get the same result. A clock is data:
``{"decision_seconds": 86400}`` for each decision, ``{"budget_seconds": 600, "increment_seconds":
5}`` for all decisions of a seat (``budgets``), all three fields, or None for no clock. It may also
have ``grace_ms``: the time for which an answer may be on its way after its time is over.
"""

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.seats import Seat
from rules.kernel.record.beacons import round_ms
from rules.kernel.record.budgets import GRACE
from rules.kernel.record.game import CLOSED, RUNNING, Game
from rules.kernel.record.instants import to_ms


def seat_deadline(game: Game, seat: Seat) -> int | None:
    """Return when (ms since 1970) the time for a seat's open decision is up.

    Return None if the game has no clock or is suspended, or if the seat has no decision or the
    service decides for it.
    """
    if game.created["clock"] is None or game.suspended_at:
        return None
    if seat not in game.asked or game.seats[seat].automatic:
        return None
    return decision_deadline(game, game.asked_at[seat], game.budgets.get(seat))


def decision_deadline(game: Game, asked_at: str, budget_ms: int | None) -> int | None:
    """Return the deadline (ms since 1970) of a decision, by the time at which it was opened.

    ``budget_ms`` is what was left of the seat's budget then; None if it has none. Return None if
    the game has no clock.
    """
    clock = game.created["clock"]
    if clock is None:
        return None
    grace_ms: int = clock.get(GRACE, 0)
    return to_ms(asked_at) + thinking_ms(clock, budget_ms) + grace_ms


def thinking_ms(clock: JsonObject, budget_ms: int | None) -> int:
    """Return the time (ms) that a clock leaves for a decision, without the grace.

    ``budget_ms`` is what is left of the seat's budget; None if it has none.
    """
    seconds: int | None = clock.get("decision_seconds")
    if seconds is None:
        return budget_ms or 0
    return 1000 * seconds if budget_ms is None else min(1000 * seconds, budget_ms)


def entropy_deadline(game: Game) -> int | None:
    """Return the deadline (ms since 1970) for revealing entropy, and for the beacon.

    Return None if the game is not closed, or is suspended.
    """
    if game.status != CLOSED or game.suspended_at:
        return None
    return to_ms(game.closed_at) + 1000 * int(game.created["entropy"]["seconds"])


def beacon_time(game: Game) -> int | None:
    """Return when (ms since 1970) the beacon may start the game.

    Seats that owe entropy may reveal it until the deadline for that. Return None if the game waits
    for no beacon.
    """
    if game.status != CLOSED or game.suspended_at or not game.round:
        return None
    out = round_ms(game.created["entropy"]["beacon"], game.round)
    ends = entropy_deadline(game)
    owing = any(holding.owes_entropy for holding in game.seats)
    return max(out, ends) if owing and ends is not None else out


def next_deadline(game: Game) -> int | None:
    """Return the next deadline (ms since 1970) of a seat or a beacon; None if there is none."""
    if game.status == CLOSED:
        out = beacon_time(game)
        return entropy_deadline(game) if out is None else out
    if game.status != RUNNING or game.created["clock"] is None:
        return None
    ends = [end for seat in game.asked if (end := seat_deadline(game, seat)) is not None]
    return min(ends, default=None)


def is_late(at: str, deadline: int | None) -> bool:
    """Whether ``at`` is after a deadline; the deadline itself is in time."""
    return deadline is not None and to_ms(at) > deadline
