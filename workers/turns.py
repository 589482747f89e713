"""Plays the turns of bots and of resigned seats."""

import time
from collections.abc import Callable

import structlog
from redis.exceptions import RedisError

from rules.kernel.contract.registry import UnknownRulesetError
from rules.kernel.contract.seats import Seat
from rules.kernel.record import batch
from rules.kernel.record.batch import STOPPED, TOO_SLOW, Batch
from rules.kernel.record.game import Game
from rules.kernel.record.instants import to_ms
from rules.kernel.record.secrets import Secrets
from service.catalogue.bots import LIVE
from service.ledger.damage import GameDamagedError
from service.ledger.ledger import GameNotFoundError
from service.ledger.repository import ConflictError
from service.ledger.vault import VaultError
from service.metrics import BOT_FAILURES, BOT_SECONDS, BOTS_WAITED
from service.process.limits import StoppedError
from service.redis.format import NEWEST, level_of
from service.runtime import Runtime
from service.turns.watch import ObligationList
from workers.bots import UnknownBotError
from workers.deciding import BotFailure, answer, missing, stopped
from workers.engines.pool import ProcessEndingError
from workers.exhibition import pace_ms
from workers.failures import Failures

log = structlog.get_logger(__name__)

GRACE_MS = 2_000
"""Time before the sweeper queues a due game again, so that the job that is already queued comes
first.
"""

SECONDS = 0.02
"""Time after which a game pauses for other games, as soon as its current decision is made."""

UNPLAYABLE_MS = 60_000

# Counts begin at 0, so that even the first failure is seen as an increase.
for _cause in batch.BOT_FAILURES:
    BOT_FAILURES.labels(_cause)


class Turns:
    """Plays the moves of automatic seats (bots and resigned seats), in one game at a time.

    A move can be appended only to the version of the game for which it was chosen. So a turn that
    comes late or is repeated does no harm.
    """

    def __init__(self, runtime: Runtime, *, seconds: float = SECONDS) -> None:
        self.stopping = False
        """When it is set, a turn ends after the present move."""
        self.playing: str | None = None
        """The game that this process plays now; meanwhile the sweeper postpones its turn."""
        self._runtime = runtime
        self._watch = ObligationList(runtime.redis)
        self._failures = Failures(runtime.redis)
        self._now = runtime.ledger.store.clock.now_ms
        self._seconds = seconds

    def play(self, game_id: str, queue: str = LIVE) -> bool:
        """Let a queue's bots play a game for a while; return whether there is more to do.

        A turn that has to wait is postponed; a turn of bots of another queue is moved to that
        queue.

        Raises:
            Exception: a move could not be recorded; this does not count against a bot.
        """
        self.playing = game_id
        try:
            return self._play(game_id, queue)
        except GameNotFoundError:
            log.warning("no_such_game", game=game_id)
        except ProcessEndingError:
            return True
        except ConflictError:
            # The game is still due, so the sweeper will find it.
            log.info("others_moved_first", game=game_id)
        except GameDamagedError as error:
            log.error("game_not_playable", game=game_id, error=str(error))  # noqa: TRY400 - known
        except (UnknownRulesetError, VaultError) as error:
            log.error("game_not_playable", game=game_id, error=str(error))  # noqa: TRY400 - known
            self._rest(game_id, UNPLAYABLE_MS)
        except RedisError:
            raise
        except Exception:  # any error while recording a move; the game is still due
            log.exception("game_not_played", game=game_id)
            raise
        finally:
            self.playing = None
        return False

    def _play(self, game_id: str, queue: str) -> bool:
        ledger, jobs = self._runtime.ledger, self._runtime.jobs
        ends = time.monotonic() + self._seconds
        table = ledger.table(game_id)
        resting = self._failures.waiting(game_id)
        answered = False
        while True:
            game = table.game
            asked = game.automatic_seats()
            if not asked or table.damage is not None:
                return False
            seats = [seat for seat in asked if jobs.queue_of(game, seat) == queue]
            if not seats:
                jobs.play_automatic_seats(game)
                return False
            if self.stopping or (answered and time.monotonic() > ends):
                return True
            now = self._now()
            if not answered and not pace_ms(game):
                BOTS_WAITED.labels(queue).observe(max(0, now - to_ms(game.at)) / 1000)
            answered = True
            until = {seat: resting.get((seat, game.asked[seat]), 0) for seat in seats}
            seat = min(seats, key=lambda seat: (max(until[seat], now), seat))
            if until[seat] > now:
                jobs.play_seats(game, set(asked) - set(seats))
                self._rest(game_id, until[seat] - now)
                return False
            again = self._answer(game, table.secrets, seat)
            if again is not None:
                resting[seat, game.asked[seat]] = again
            elif pace := pace_ms(game):
                self._rest(game_id, pace)
                return False
            table = ledger.table(game_id)

    def _answer(self, game: Game, secrets: Secrets, seat: Seat) -> int | None:
        """Answer for one seat; if its bot failed, return the time (ms) of the next attempt."""
        try:
            with BOT_SECONDS.labels(_who(game, seat)).time():
                act = answer(game, seat, secrets.salt)
            self._append(game, seat, act)
        except BotFailure as failure:
            return self._failed(game, seat, failure)
        except StoppedError as error:
            return self._stopped(game, seat, error)
        except UnknownBotError as error:
            # People at the table need not wait until the bot is installed again.
            return self._failed(game, seat, missing(game, seat, error))
        return None

    def _stopped(self, game: Game, seat: Seat, error: StoppedError) -> int | None:
        """Handle the stop of a bot that was stopped without a fault of its own.

        After the first stop, the bot is asked once more: return the present time. After another
        stop, answer for the bot and return None.
        """
        decision, now = game.asked[seat], self._now()
        log.warning(
            "bot_stopped", game=game.id, seat=seat, decision=decision, reason=error.reason,
            error=str(error),
        )  # fmt: skip
        if self._failures.stop(game.id, seat, decision):
            return now
        told = STOPPED if level_of(self._runtime.redis) == NEWEST else TOO_SLOW
        failure = stopped(game, seat, error, told)
        BOT_FAILURES.labels(failure.cause).inc()
        self._append(game, seat, lambda batch: failure.record(batch, seat))
        return None

    def _failed(self, game: Game, seat: Seat, failure: BotFailure) -> int | None:
        decision = game.asked[seat]
        again = self._failures.add(game.id, seat, decision, self._now())
        BOT_FAILURES.labels(failure.cause).inc()
        log.warning(
            "bot_failed", game=game.id, seat=seat, decision=decision, cause=failure.cause,
            error=str(failure), last=again is None,
        )  # fmt: skip
        if again is None:
            self._append(game, seat, lambda batch: failure.record(batch, seat))
        return again

    def _append(self, game: Game, seat: Seat, act: Callable[[Batch], None]) -> None:
        self._runtime.tables.answer_for(game, seat, act)

    def _rest(self, game_id: str, milliseconds: int) -> None:
        """Postpone the game's turn by ``milliseconds``; then the sweeper queues it again."""
        self.playing = None
        self._watch.postpone(game_id, self._now() + milliseconds - GRACE_MS)


def _who(game: Game, seat: Seat) -> str:
    """Return the name of the bot on an automatic seat."""
    holder = game.seats[seat].holder or {}
    return "none" if game.seats[seat].resigned else str(holder["bot"])
