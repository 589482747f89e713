"""Asks the bot of a seat for its decision: a move with thoughts, or a failure.

All code that needs a bot's decision gets it here: for live games, for tournaments, on the command
line, and to check a record. The time limits of bots in live games are here as well.

A bot fails if its answer is wrong, it raises an error, or it takes too much time. An error while
its move is recorded, or a busy machine, is no failure of the bot.
"""

import signal
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from types import FrameType, TracebackType
from typing import Any, ClassVar, NamedTuple

from rules.kernel.canonical import JsonObject, check
from rules.kernel.contract.errors import IllegalMove
from rules.kernel.contract.move import Move
from rules.kernel.contract.seats import Seat
from rules.kernel.record.batch import CRASHED, ILLEGAL, MISSING, STOPPED, TOO_SLOW, Batch
from rules.kernel.record.bots import CPU, BotDecision
from rules.kernel.record.game import Game
from rules.kernel.record.secrets import bot_seed
from service.catalogue.bots import HEAVY, LIVE
from service.games import questions
from service.process.limits import Limit, StoppedError, TookTooLongError
from workers import bots
from workers.bots.bot import Choice
from workers.engines import modules, strangers
from workers.engines.engine_process import EngineFailedError
from workers.engines.strangers import EngineMissingError

DECISION_SECONDS = {LIVE: 10.0, HEAVY: 60.0}
"""The processor time that a bot may use for a decision, by its queue.

A tournament's plan has its own limit.
"""

LIVE_PATIENCE = 4.0
"""The ``patience`` of limits in live games, where people wait."""

ERROR_LENGTH = 500


class TimeLimit:
    """A context that raises TookTooLongError in code that exceeds a limit.

    It works only in a process's main thread, because signals reach no other thread. It cannot stop
    code that never returns to Python; the launcher has to kill such a worker. It uses one of the
    process's timers, for wall time or processor time (setitimer(2)).
    """

    allowed: ClassVar[float] = 0.0
    """The wall time that the code in the context may take; 0 if no code is in a context now."""

    def __init__(self, limit: Limit) -> None:
        self._limit = limit
        self._armed = threading.current_thread() is threading.main_thread()
        self._timer = signal.ITIMER_REAL if limit.by_wall else signal.ITIMER_PROF
        self._ends = 0.0

    def __enter__(self) -> None:
        if self._armed:
            alarm = signal.SIGALRM if self._limit.by_wall else signal.SIGPROF
            self._ends = time.thread_time() + self._limit.seconds
            signal.signal(alarm, self._stop)
            signal.setitimer(self._timer, self._limit.seconds)
            TimeLimit.allowed = self._limit.seconds * self._limit.patience

    def __exit__(
        self, _type: type[BaseException] | None, _error: object, _trace: TracebackType | None
    ) -> None:
        if self._armed:
            signal.setitimer(self._timer, 0)
            TimeLimit.allowed = 0.0

    def _stop(self, _signum: int, _frame: FrameType | None) -> None:
        left = self._ends - time.thread_time()
        # The bot has time left, because other threads of the process used it.
        if not self._limit.by_wall and left > 0:
            signal.setitimer(self._timer, left)
            return
        raise self._limit.exceeded


class BotFailure(Exception):
    """A failure of a bot; ``cause`` is one of ``BOT_FAILURES``, and ``bot`` identifies its code."""

    def __init__(self, cause: str, reason: str, bot: JsonObject) -> None:
        told = reason[:ERROR_LENGTH]
        super().__init__("".join(char if char.isprintable() else "?" for char in told))
        self.cause = cause
        self.bot = bot

    def record(self, batch: Batch, seat: Seat) -> None:
        """Record the failure in the game, and play the default move for the seat."""
        batch.fail_bot(seat, self.cause, str(self), self.bot)


class BotAnswer(NamedTuple):
    """A bot's answer; it is checked for legality when it is recorded."""

    seat: Seat
    move: JsonObject
    by: JsonObject
    how: BotDecision
    bot: JsonObject

    def record(self, batch: Batch) -> None:
        """Play the move.

        Raises:
            BotFailure: the rules refuse the move.
            Exception: the rules allow the move and then raise an error.
        """
        try:
            batch.move(self.seat, self.move, self.by, bot=self.how)
        except IllegalMove as error:
            raise BotFailure(ILLEGAL, _said(error), self.bot) from error


def missing(game: Game, seat: Seat, error: bots.UnknownBotError) -> BotFailure:
    """Return the failure of a bot whose code is not installed."""
    holder = game.seats[seat].holder or {}
    code = {"bot": holder["bot"], "version": holder["version"], "digest": None}
    return BotFailure(MISSING, _said(error), code)


def stopped(game: Game, seat: Seat, error: StoppedError, cause: str = STOPPED) -> BotFailure:
    """Return the failure of a bot that was stopped again and again."""
    code = bots.code_of(game, game.seats[seat].holder or {})
    return BotFailure(cause, f"{error.reason}: {error}", code)


def decide(game: Game, seat: Seat, salt: bytes, limit: Limit | None = None) -> BotAnswer:
    """Let the bot of a deciding ``seat`` choose in this process, within ``limit``, if there is one.

    Raises:
        BotFailure: the bot raised an error, its answer is not a move, or it took too long.
        UnknownBotError: the bot's code is not installed here.
    """
    holder = game.seats[seat].holder
    assert holder is not None  # noqa: S101 - only held seats are asked
    code = bots.code_of(game, holder)
    ask = bots.question(game, seat, salt)
    began = time.thread_time_ns()
    try:
        with nullcontext() if limit is None else TimeLimit(limit):
            choice = ask()
        move = choice.move.to_json()
        check([move, choice.nodes, choice.thoughts])
        _expect_told(choice)
    except TookTooLongError as error:
        code = _timed(code, limit, time.thread_time_ns() - began)
        raise BotFailure(TOO_SLOW, _said(error), code) from error
    except Exception as error:
        code = _timed(code, limit, time.thread_time_ns() - began)
        raise BotFailure(CRASHED, _said(error), code) from error
    code = _timed(code, limit, time.thread_time_ns() - began)
    how = BotDecision(code["digest"], choice.nodes, choice.thoughts, cpu_us=code.get(CPU))
    by = {"seat": seat, "bot": bots.signature(holder)}
    return BotAnswer(seat, move, by, how, code)


def decide_apart(game: Game, seat: Seat, salt: bytes, limit: Limit) -> BotAnswer:
    """Ask the bot of a deciding ``seat`` for its choice; the bot runs in its own engine.

    Raises:
        BotFailure: the bot failed, its answer is not a move, or it took too long.
        StoppedError: the bot was stopped through no fault of its own.
        UnknownBotError: the bot is not installed here, or its sandbox cannot be made.
    """
    holder = game.seats[seat].holder
    assert holder is not None  # noqa: S101 - only held seats are asked
    code = bots.code_of(game, holder)
    legal = game.ruleset.legal_moves(game.state, seat)
    asked = question(game, seat, salt, legal)
    foreign = bots.engine_of(holder)
    if foreign is None:
        engine = modules.of(bots.SOURCES[holder["bot"], holder["version"]].module)
    else:
        engine = strangers.of(foreign, game.id, seat)
    try:
        answer = engine.ask(asked, limit)
    except EngineMissingError as error:
        raise bots.UnknownBotError(str(error)) from None
    except TookTooLongError as error:
        code = _timed(code, limit, engine.asked_ns)
        raise BotFailure(TOO_SLOW, _said(error), code) from error
    except EngineFailedError as error:
        code = _timed(code, limit, engine.asked_ns)
        raise BotFailure(CRASHED, str(error), code) from error
    check([answer.nodes, answer.thoughts])
    code = _timed(code, limit, engine.asked_ns)
    how = BotDecision(code["digest"], answer.nodes, answer.thoughts, cpu_us=code.get(CPU))
    by = {"seat": seat, "bot": bots.signature(holder)}
    return BotAnswer(seat, answer.move, by, how, code)


def question(game: Game, seat: Seat, salt: bytes, legal: Sequence[Move[Any]]) -> JsonObject:
    """Return the question for the bot of a deciding ``seat``, without ``id`` and ``limit``."""
    holder = game.seats[seat].holder or {}
    return {
        **questions.question(game, seat, legal),
        "settings": holder.get("settings", {}),
        "seed": f"{bot_seed(salt, seat, game.asked[seat]):064x}",
    }


def answer(
    game: Game, seat: Seat, salt: bytes, limit: Limit | None = None
) -> Callable[[Batch], None]:
    """Return the answer of a deciding automatic seat, within the limits of live games.

    The limit of a bot is ``limit``. If that is None, the limit of the bot's queue holds. The bots
    of this project run in this process. Every other bot runs in a process of its own, and the bots
    of strangers run in sandboxes. Raises the errors of ``decide_apart``.
    """
    holding = game.seats[seat]
    if holding.resigned:
        return lambda batch: batch.default(seat, "resigned")
    assert holding.holder is not None  # noqa: S101 - only held seats are asked
    if limit is None:
        limit = limit_of(holding.holder)
    if limit.seconds <= 0:
        spent = _timed(bots.code_of(game, holding.holder), limit, 0)
        raise BotFailure(TOO_SLOW, "its budget is used up", spent)
    foreign = bots.engine_of(holding.holder) is not None
    ask = decide_apart if foreign or bots.is_own(holding.holder) else decide
    return ask(game, seat, salt, limit).record


def limit_of(holder: JsonObject) -> Limit:
    """Return the limit of a bot at a live table. Raises UnknownBotError."""
    return Limit(DECISION_SECONDS[bots.queue_of(holder)], patience=LIVE_PATIENCE)


def _timed(code: JsonObject, limit: Limit | None, spent_ns: int) -> JsonObject:
    """Return the code of a bot, with the time of a decision that counts against a budget."""
    if limit is None or limit.increment is None:
        return code
    return {**code, CPU: spent_ns // 1000}


def _said(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"


def _expect_told(choice: Choice) -> None:
    """Raise TypeError unless ``nodes`` is a count and ``thoughts`` is an object.

    Records need these types.
    """
    if type(choice.nodes) is not int or choice.nodes < 0 or type(choice.thoughts) is not dict:
        raise TypeError(f"it counts {choice.nodes!r} nodes and thinks {choice.thoughts!r:.80}")
