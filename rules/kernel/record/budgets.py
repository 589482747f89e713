"""Time budgets: the time that each seat has for all of its decisions (docs/format.md, "Budgets").

Only clocks with ``budget_seconds`` have them, and only seats that players hold.
"""

from collections.abc import Mapping

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.seats import Seat

BUDGET, INCREMENT, GRACE = "budget_seconds", "increment_seconds", "grace_ms"
"""Fields of a clock: the time of a seat for all its decisions, what each answer adds to it, and the
time for which an answer may be on its way.
"""


def budget_after(clock: JsonObject, budget_ms: int, open_ms: int, *, answered: bool) -> int:
    """Return the remaining budget (ms) after a decision that was open for ``open_ms``."""
    used = max(0, open_ms - int(clock.get(GRACE, 0)))
    gained = 1000 * int(clock[INCREMENT]) if answered else 0
    return max(0, budget_ms - used) + gained


def least_budget(clock: JsonObject, answers: int, played_ms: int) -> int:
    """Return a lower bound (ms) of a seat's remaining budget.

    ``answers`` is how often the seat has answered, and ``played_ms`` the time since the start: no
    more of it can have been the seat's.
    """
    given = 1000 * (int(clock[BUDGET]) + answers * int(clock[INCREMENT]))
    return max(0, given - played_ms)


NO_BUDGETS: Mapping[Seat, int] = {}
"""The budgets of a game whose clock has none."""
