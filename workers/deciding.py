"""What the bot on a seat decides: its move with what it thought, or how it failed.

Wherever a bot plays, it is asked here: for people, in tournaments, on the command line, and again
when a record is checked. How long it may take, where others wait for it, stands here too.

A bot is blamed for what it answers or raises, and for nothing else: what goes wrong when its move
is recorded is not its fault.
"""

import signal
import threading
from collections.abc import Callable
from contextlib import nullcontext
from types import FrameType, TracebackType
from typing import NamedTuple

from rules.kernel.canonical import JsonObject, check
from rules.kernel.contract.errors import IllegalMove
from rules.kernel.contract.seats import Seat
from rules.kernel.record.batch import CRASHED, ILLEGAL, MISSING, TOO_SLOW, Batch
from rules.kernel.record.game import Game
from service.catalogue.bots import HEAVY, LIVE
from workers import bots
from workers.bots.bot import Choice

DECISION_SECONDS = {LIVE: 10.0, HEAVY: 60.0}
"""How long a bot of a queue may take to decide before it has failed: all others there wait for it.

A tournament's plan says its own.
"""

ERROR_LENGTH = 500


class TookTooLongError(RuntimeError):
    """It was stopped."""


class TimeLimit:
    """Raises TookTooLongError in what runs within it for more than ``seconds`` by the wall clock.

    Only in a process's main thread, for no other can be stopped so. Code that never comes back to
    Python cannot be stopped: then the worker's launcher has to. It takes the process's alarm.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._armed = threading.current_thread() is threading.main_thread()

    def __enter__(self) -> None:
        if self._armed:
            if signal.getsignal(signal.SIGALRM) is not _stop:  # setting it costs more than all else
                signal.signal(signal.SIGALRM, _stop)
            signal.setitimer(signal.ITIMER_REAL, self._seconds)

    def __exit__(
        self, _type: type[BaseException] | None, _error: object, _trace: TracebackType | None
    ) -> None:
        if self._armed:
            signal.setitimer(signal.ITIMER_REAL, 0)


def _stop(_signum: int, _frame: FrameType | None) -> None:
    raise TookTooLongError


class BotFailure(Exception):
    """A bot failed; ``cause`` is one of ``BOT_FAILURES``, ``bot`` names the code that did."""

    def __init__(self, cause: str, error: Exception, bot: JsonObject) -> None:
        reason = f"{type(error).__name__}: {error}"[:ERROR_LENGTH]
        super().__init__("".join(char if char.isprintable() else "?" for char in reason))
        self.cause = cause
        self.error = error
        self.bot = bot

    def record(self, batch: Batch, seat: Seat) -> None:
        """Note it in the game, and answer for the seat."""
        batch.fail_bot(seat, self.cause, str(self), self.bot)


class Decided(NamedTuple):
    """What a bot answered; whether the rules allow it shows when it is recorded."""

    seat: Seat
    move: JsonObject
    by: JsonObject
    thoughts: JsonObject
    bot: JsonObject

    def record(self, batch: Batch) -> None:
        """Play the move.

        Raises:
            BotFailure: the rules refuse it.
            Exception: the rules fail at a move that they allow.

        """
        try:
            batch.move(self.seat, self.move, self.by, bot=self.thoughts)
        except IllegalMove as error:
            raise BotFailure(ILLEGAL, error, self.bot) from error


def missing(game: Game, seat: Seat, error: bots.UnknownBotError) -> BotFailure:
    """Return the failure of a bot whose code is not installed."""
    holder = game.seats[seat].holder or {}
    code = {"bot": holder["bot"], "version": holder["version"], "digest": None}
    return BotFailure(MISSING, error, code)


def decide(game: Game, seat: Seat, salt: bytes, seconds: float | None = None) -> Decided:
    """Let the bot that holds ``seat``, who is asked, choose within ``seconds``; None: no limit.

    Raises:
        BotFailure: it raised, answered no move, or took too long.
        UnknownBotError: its code is not installed here.

    """
    holder = game.seats[seat].holder
    assert holder is not None  # noqa: S101 - only held seats are asked
    code = bots.code_of(game, holder)
    ask = bots.question(game, seat, salt)
    try:
        with nullcontext() if seconds is None else TimeLimit(seconds):
            choice = ask()
        move = choice.move.to_json()
        thoughts = bots.thoughts_part(holder, choice, code)
        check(move)
        check(thoughts)
        _expect_told(choice)
    except TookTooLongError:
        late = TookTooLongError(f"no answer within {seconds:g} s")
        raise BotFailure(TOO_SLOW, late, code) from late
    except Exception as error:
        raise BotFailure(CRASHED, error, code) from error
    by = {"seat": seat, "bot": bots.signature(holder)}
    return Decided(seat, move, by, thoughts, code)


def answer(
    game: Game, seat: Seat, salt: bytes, seconds: float | None = None
) -> Callable[[Batch], None]:
    """Return what records an answer for an automatic seat, who is asked, while others wait.

    Its bot may take ``seconds``, or as long as those of its queue. Raises as ``decide``.
    """
    holding = game.seats[seat]
    if holding.resigned:
        return lambda batch: batch.default(seat, "resigned")
    if seconds is None:
        assert holding.holder is not None  # noqa: S101 - only held seats are asked
        seconds = seconds_of(holding.holder)
    return decide(game, seat, salt, seconds).record


def seconds_of(holder: JsonObject) -> float:
    """Return how long a bot may take where others wait for it. Raises UnknownBotError."""
    return DECISION_SECONDS[bots.queue_of(holder)]


def _expect_told(choice: Choice) -> None:
    """Raise TypeError unless a bot tells what records hold: how much it tried, and an object."""
    if type(choice.nodes) is not int or choice.nodes < 0 or type(choice.thoughts) is not dict:
        raise TypeError(f"it counts {choice.nodes!r} nodes and thinks {choice.thoughts!r:.80}")
