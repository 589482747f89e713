"""Budgets of processor time that the bots of a game have for all of their decisions.

A plan may have them (``FailurePolicy``). What a decision took is in its event, so a budget goes on
where it was when another worker continues the game.
"""

from collections.abc import Mapping
from typing import Any

from rules.kernel.contract.seats import Seat
from rules.kernel.record.bots import CPU
from service.process.limits import Limit
from service.tournaments.plan import FailurePolicy

DECIDED = ("moved", "bot_failed")
"""The kinds of events that a decision of a bot ends with."""

_US = 1_000_000


class Budgets:
    """The budgets of the bots of a game, as of the events that were taken."""

    def __init__(self, budget_seconds: int, increment_seconds: int, seats: int) -> None:
        self._left_us = [_US * budget_seconds] * seats
        self._gained_us = _US * increment_seconds

    @classmethod
    def of(cls, policy: FailurePolicy, seats: int) -> "Budgets | None":
        """Return the budgets at the start of a game; None if the plan has none."""
        if policy.budget_seconds is None:
            return None
        return cls(policy.budget_seconds, policy.increment_seconds or 0, seats)

    def left_us(self, seat: Seat) -> int:
        """Return a seat's remaining budget in microseconds; a bot that moves with 0 breaks it."""
        return self._left_us[seat]

    def limit(self, seat: Seat, of_move: Limit) -> Limit:
        """Return the limit of a seat's next decision: that of a move, or what is left, if less."""
        seconds = min(of_move.seconds, self._left_us[seat] / _US)
        return Limit(seconds, increment=self._gained_us / _US)

    def take(self, kind: str, by: Mapping[str, Any], body: Mapping[str, Any]) -> None:
        """Take the next event of the game; ``body`` has the values of its parts."""
        if kind == "moved" and "bot" in body:
            self._spend(by["seat"], body["bot"][CPU], self._gained_us)
        elif kind == "bot_failed":
            self._spend(body["failure"]["seat"], body["bot"][CPU], 0)

    def _spend(self, seat: Seat, cpu_us: int, gained_us: int) -> None:
        self._left_us[seat] = max(0, self._left_us[seat] - cpu_us) + gained_us
