"""How long a bot may take to decide."""

from dataclasses import dataclass

from rules.kernel.canonical import JsonObject
from service.process.passing import Passed

ASLEEP_SECONDS = 2.0
"""So much more than its limit a bot may sleep: it may wait for a file, or for a process."""

STARVED = "starved"
KILLED = "killed"
SERVICE_REASONS = (STARVED, KILLED)
"""Why a bot was stopped through no fault of its own."""


class TookTooLongError(BaseException):
    """A bot was stopped for what it did with its time; no ``except Exception`` of it hears that."""


class StoppedError(Exception):
    """A bot was stopped through no fault of its own; ``reason`` is one of ``SERVICE_REASONS``."""

    def __init__(self, reason: str, told: str) -> None:
        super().__init__(told)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Limit:
    """So many ``seconds`` of processor time a bot has for a decision, or ``by_wall`` of any.

    ``patience``: how many times as long it is waited for where it gets no processor. What other
    programs do to the machine costs a bot nothing, unless its limit is by the wall.
    """

    seconds: float
    by_wall: bool = False
    patience: float = 10.0

    def to_json(self) -> JsonObject:
        """Return the limit as bots read it."""
        return {"wall_ms" if self.by_wall else "processor_ms": round(1000 * self.seconds)}

    @property
    def exceeded(self) -> TookTooLongError:
        """The error of a bot that used it up."""
        clock = "" if self.by_wall else " of processor time"
        return TookTooLongError(f"no answer within {self.seconds:g} s{clock}")

    def judge(self, passed: Passed) -> None:
        """Do nothing as long as a bot may go on, by how it has passed its time.

        Raises:
            TookTooLongError: it has used up its limit, or was asleep with a processor to run on.
            StoppedError: it got no processor for so long that nobody waits any more.

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

    def left(self, passed: Passed) -> float:
        """Return after how many seconds at the earliest there is something to judge."""
        if self.by_wall:
            return self.seconds - passed.elapsed
        return self.seconds - passed.processor
