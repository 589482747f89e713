"""Messages between a local game and the process in which its bots decide."""

from typing import NamedTuple

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.errors import IllegalMove
from rules.kernel.contract.seats import Seat
from rules.kernel.record.batch import ILLEGAL, Batch
from rules.kernel.record.bots import BotDecision


class Task(NamedTuple):
    """A request for a bot's decision: the code to run, and its limit in processor seconds."""

    code: JsonObject
    seconds: float


class BotMove(NamedTuple):
    """A bot's move, in the form in which it is recorded."""

    move: JsonObject
    by: JsonObject
    how: BotDecision


class RecordedFailure(NamedTuple):
    """A bot's failure: one of ``BOT_FAILURES``, with its details."""

    cause: str
    why: str


class Hint(NamedTuple):
    """A hint for a seat; ``result`` is that of ``workers.analysis.hint``."""

    bot: str
    result: JsonObject


Reply = BotMove | RecordedFailure
HintReply = Hint | RecordedFailure


class Thought(NamedTuple):
    """The outcome of asking a seat's bot."""

    seat: Seat
    code: JsonObject
    reply: Reply

    def record(self, batch: Batch) -> None:
        """Record the bot's move, or the rules' default move if the bot failed.

        The service does the same.
        """
        if isinstance(self.reply, RecordedFailure):
            batch.fail_bot(self.seat, self.reply.cause, self.reply.why, self.code)
        else:
            batch.move(self.seat, self.reply.move, self.reply.by, bot=self.reply.how)

    def refused(self, error: IllegalMove) -> "Thought":
        """Return the failure of a bot whose move was illegal."""
        return self._replace(
            reply=RecordedFailure(ILLEGAL, f"{type(error).__name__}: {error}"[:500])
        )
