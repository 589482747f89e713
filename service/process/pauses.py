"""How long to wait before what has ended is started again."""

from collections.abc import Sequence

STEADY_SECONDS = 60.0
"""How long something must have lived until its next end counts as the first again."""


class Pauses:
    """The pauses, in seconds, after one end and the next; the last of them repeats."""

    def __init__(self, seconds: Sequence[float]) -> None:
        self._seconds = seconds
        self.in_a_row = 0
        """How many ends there were without a steady life between two of them."""

    def after(self, lived: float) -> float:
        """Count an end after so many seconds of life; return how long to wait now."""
        if lived >= STEADY_SECONDS:
            self.in_a_row = 0
        self.in_a_row += 1
        return self._seconds[min(self.in_a_row, len(self._seconds)) - 1]
