"""Decisions of bots and hints for `lonja play`, made in another process, which can be killed.

The process has a copy of the game; each question contains the events since the question before.
"""

import os
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection

from rules.kernel.contract.seats import Seat
from rules.kernel.record.batch import CRASHED, TOO_SLOW
from rules.kernel.record.events import Event
from rules.kernel.record.game import Game
from service import settings
from service.catalogue.bots import BOTS, engines_of
from service.catalogue.rulesets import open_registry
from service.cli.terminal.thoughts import BotMove, Hint, HintReply, RecordedFailure, Reply, Task
from service.games.hints import BOT
from service.process.limits import StoppedError, TookTooLongError
from workers import bots
from workers.analysis.hint import LIMIT, hint
from workers.deciding import (
    BotFailure,
    TimeLimit,
    decide,
    decide_apart,
    limit_of,
    missing,
    stopped,
)


def answer_all(descriptor: int) -> None:
    """Answer one question after the other, until the other end of the connection is closed."""
    with suppress(EOFError, BrokenPipeError), Connection(descriptor) as link:
        game_id, salt = link.recv()
        found = settings.load(os.environ)
        bots.install(found.extra_bots, engines_of(found))
        game = Game(game_id, open_registry(found))
        while True:
            events: list[Event]
            events, seat, for_hint = link.recv()
            for event in events:
                game.apply(event)
            if for_hint:
                link.send(_hint(game, seat, link.send))
            else:
                link.send(_answer(game, seat, salt, link.send))


def _hint(game: Game, seat: Seat, tell: Callable[[Task], None]) -> HintReply:
    """Make a hint for a seat; ``tell`` is called when that begins."""
    holder = BOTS[BOT].holder(game.ruleset)
    tell(Task({}, LIMIT.seconds))
    try:
        with TimeLimit(LIMIT):
            return Hint(BOT, hint(game, seat, holder))
    except TookTooLongError as error:
        return RecordedFailure(TOO_SLOW, str(error))
    except Exception as error:  # noqa: BLE001 - whoever asked is told
        return RecordedFailure(CRASHED, f"{type(error).__name__}: {error}")


def _answer(game: Game, seat: Seat, salt: bytes, tell: Callable[[Task], None]) -> Reply:
    """Ask the bot of a seat, and return its answer; ``tell`` is called when it begins to think."""
    holder = game.seats[seat].holder
    assert holder is not None  # noqa: S101 - only held seats are asked
    try:
        limit = limit_of(holder)
        tell(Task(bots.code_of(game, holder), limit.seconds))
        ask = decide if bots.engine_of(holder) is None else decide_apart
        decided = ask(game, seat, salt, limit)
    except bots.UnknownBotError as error:
        failure = missing(game, seat, error)
        tell(Task(failure.bot, 0))
    except StoppedError as error:
        failure = stopped(game, seat, error)
    except BotFailure as error:
        failure = error
    else:
        return BotMove(decided.move, decided.by, decided.how)
    return RecordedFailure(failure.cause, str(failure))
