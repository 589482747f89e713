"""What passes between a game on this machine and the process in which its bots decide."""

from typing import NamedTuple

from rules.kernel.canonical import Canonical, JsonObject
from rules.kernel.contract.errors import IllegalMove
from rules.kernel.contract.seats import Seat
from rules.kernel.record.batch import ILLEGAL, Batch


class Task(NamedTuple):
    """What is asked of a bot: the code that answers, and its seconds of processor time."""

    code: JsonObject
    seconds: float


class BotMove(NamedTuple):
    """A bot's move, as it is recorded."""

    move: JsonObject
    by: JsonObject
    thoughts: Canonical


class RecordedFailure(NamedTuple):
    """How a bot failed: one of ``BOT_FAILURES``, and what there is to say of it."""

    cause: str
    why: str


Reply = BotMove | RecordedFailure


class Thought(NamedTuple):
    """What came of asking the bot of a seat."""

    seat: Seat
    code: JsonObject
    reply: Reply

    def record(self, batch: Batch) -> None:
        """Play the move; where the bot failed, the rules answer for it, as in the service."""
        if isinstance(self.reply, RecordedFailure):
            batch.fail_bot(self.seat, self.reply.cause, self.reply.why, self.code)
        else:
            batch.move(self.seat, self.reply.move, self.reply.by, bot=self.reply.thoughts)

    def refused(self, error: IllegalMove) -> "Thought":
        """Return the failure of a bot whose move the rules refuse."""
        return self._replace(
            reply=RecordedFailure(ILLEGAL, f"{type(error).__name__}: {error}"[:500])
        )
