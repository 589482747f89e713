"""Pauses before restarting something that has ended."""

from collections.abc import Sequence

STEADY_SECONDS = 60.0
"""Seconds of running after which the next pause is the first one again."""


class Pauses:
    """The pauses, in seconds, after successive ends; the last one repeats."""

    def __init__(self, seconds: Sequence[float]) -> None:
        self._seconds = seconds
        self.in_a_row = 0
        """Number of successive ends after less than STEADY_SECONDS each."""

    def after(self, lived: float) -> float:
        """Count an end of a process that lived for ``lived`` seconds.

        Return the pause before the restart, in seconds.
        """
        if lived >= STEADY_SECONDS:
            self.in_a_row = 0
        self.in_a_row += 1
        return self._seconds[min(self.in_a_row, len(self._seconds)) - 1]
