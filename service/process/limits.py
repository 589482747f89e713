"""Time limits of bots' decisions."""

from dataclasses import dataclass

from rules.kernel.canonical import JsonObject
from service.process.stopwatch import ElapsedTime

ASLEEP_SECONDS = 2.0
"""Seconds that a bot may sleep in addition to its limit, for instance to wait for a file."""

STARVED = "starved"
KILLED = "killed"
SERVICE_REASONS = (STARVED, KILLED)
"""Reasons for stopping a bot that are not the bot's fault."""


class TookTooLongError(BaseException):
    """A bot exceeded its time. It is not an Exception, so bots do not catch it by accident."""


class StoppedError(Exception):
    """A bot was stopped through no fault of its own; ``reason`` is one of ``SERVICE_REASONS``."""

    def __init__(self, reason: str, told: str) -> None:
        super().__init__(told)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Limit:
    """The limit of a bot's decision: ``seconds`` of processor time, or of wall time (``by_wall``).

    A decision with a limit of processor time also has a limit of wall time, ``patience`` times
    ``seconds``. When that has passed, the machine is too busy: the decision is given up. This does
    not count against the bot.

    ``increment`` is None, or the decision counts against a budget of processor time, to which an
    answer adds so many seconds. Then what it took is recorded.
    """

    seconds: float
    by_wall: bool = False
    patience: float = 10.0
    increment: float | None = None

    def to_json(self) -> JsonObject:
        """Return the limit in the form that bots read."""
        told = {"wall_ms" if self.by_wall else "processor_ms": round(1000 * self.seconds)}
        if self.increment is not None:
            told["increment_ms"] = round(1000 * self.increment)
        return told

    @property
    def exceeded(self) -> TookTooLongError:
        """The error of a bot that exceeded the limit."""
        clock = "" if self.by_wall else " of processor time"
        return TookTooLongError(f"no answer within {self.seconds:g} s{clock}")

    def judge(self, passed: ElapsedTime) -> None:
        """Raise if a bot may not go on after the time that has passed.

        Raises:
            TookTooLongError: the bot has used up its limit, or slept although it had a processor.
            StoppedError: the bot got no processor for too long.
        """
        if self.by_wall:
            if passed.elapsed >= self.seconds:
                raise self.exceeded
            return
        if passed.processor >= self.seconds:
            raise self.exceeded
        if passed.asleep >= self.seconds + ASLEEP_SECONDS:
            raise TookTooLongError(f"no answer, asleep for {passed.asleep:.0f} s")
        if passed.elapsed >= self.seconds * self.patience + ASLEEP_SECONDS:
            raise StoppedError(
                STARVED, f"it waited {passed.waiting:.0f} s of {passed.elapsed:.0f} for a processor"
            )

    def left(self, passed: ElapsedTime) -> float:
        """Return the seconds until the limit can be exceeded at the earliest."""
        if self.by_wall:
            return self.seconds - passed.elapsed
        return self.seconds - passed.processor
