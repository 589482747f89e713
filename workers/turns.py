"""Answers for bots, and for seats that resigned."""

import time
from collections.abc import Callable

import structlog
from rq.timeouts import JobTimeoutException

from rules.kernel.batch import Batch
from rules.kernel.canonical import check
from rules.kernel.game import Game
from rules.kernel.secrets import Secrets
from rules.registry import UnknownRulesetError
from service import clock
from service.ledger.ledger import ConflictError, GameNotFoundError
from service.ledger.vault import VaultError
from service.ledger.watch import Watch
from service.runtime import Runtime
from workers import bots
from workers.exhibition import pace_ms
from workers.failures import Failures

log = structlog.get_logger(__name__)

GRACE_MS = 2_000
"""How long a game may be due before a sweep asks again; the job on the queue comes first."""

MOVES, SECONDS = 200, 10.0
"""After so much of one game, a job makes room for others."""

UNPLAYABLE_MS = 60_000
ERROR_LENGTH = 500


class Turns:
    """Answers for automatic seats, one game at a time.

    Every answer is appended on the very version that it was thought out for, so a job that comes
    late, or twice, does no harm.
    """

    def __init__(self, runtime: Runtime, *, moves: int = MOVES, seconds: float = SECONDS) -> None:
        self.stopping = False
        """Set it, and a job ends after the move that it is at."""
        self.playing: str | None = None
        """The game that this process thinks about, so that nobody else is asked to."""
        self._runtime = runtime
        self._watch = Watch(runtime.redis)
        self._failures = Failures(runtime.redis)
        self._moves = moves
        self._seconds = seconds

    def play(self, game_id: str) -> None:
        """Play a game on; what is left to do is put off or queued again."""
        self.playing = game_id
        try:
            self._play(game_id)
        except GameNotFoundError:
            log.warning("no_such_game", game=game_id)
        except ConflictError:
            log.info("others_moved_first", game=game_id)  # it is still due: a sweep will see
        except (UnknownRulesetError, VaultError) as error:
            log.error("game_not_playable", game=game_id, error=str(error))  # noqa: TRY400 - known
            self._rest(game_id, UNPLAYABLE_MS)
        finally:
            self.playing = None

    def _play(self, game_id: str) -> None:
        ledger = self._runtime.ledger
        ends = time.monotonic() + self._seconds
        table = ledger.table(game_id)
        resting = self._failures.waiting(game_id)
        for _ in range(self._moves):
            game = table.game
            seats = game.automatic_seats()
            if not seats:
                return
            if self.stopping or time.monotonic() > ends:
                break
            now = _now()
            until = {seat: resting.get((seat, game.asked[seat]), 0) for seat in seats}
            seat = min(seats, key=lambda seat: (max(until[seat], now), seat))
            if until[seat] > now:
                self._rest(game_id, until[seat] - now)
                return
            again = self._answer(game, table.secrets, seat)
            if again is not None:
                resting[seat, game.asked[seat]] = again
            elif pace := pace_ms(game):
                self._rest(game_id, pace)
                return
            table = ledger.table(game_id)
        self._runtime.jobs.play_at(game_id, table.game.version)

    def _answer(self, game: Game, secrets: Secrets, seat: int) -> int | None:
        """Answer for one seat; return when (ms) to try again if its bot failed."""
        if game.seats[seat].resigned:
            self._append(game, seat, lambda batch: batch.default(seat, "resigned"))
            return None
        holder = game.seats[seat].holder
        assert holder is not None  # noqa: S101 - an automatic seat that has not resigned
        try:
            choice = bots.decide(game, seat, secrets.salt)
            game.ruleset.check(game.state, seat, choice.move)
            thoughts = bots.thoughts_part(holder, choice)
            check(thoughts)
        except Exception as error:  # noqa: BLE001 - a bot may raise anything, and must not stop a game
            return self._failed(game, seat, error)
        by = {"seat": seat, "bot": bots.signature(holder)}
        self._append(
            game, seat, lambda batch: batch.move(seat, choice.move.to_json(), by, bot=thoughts)
        )
        return None

    def _failed(self, game: Game, seat: int, error: Exception) -> int | None:
        decision = game.asked[seat]
        again = self._failures.add(game.id, seat, decision, _now())
        log.warning(
            "bot_failed", game=game.id, seat=seat, decision=decision, error=repr(error),
            last=again is None,
        )  # fmt: skip
        if again is None:
            reason = f"{type(error).__name__}: {error}"[:ERROR_LENGTH]
            sayable = reason.encode("utf-8", "replace").decode()
            self._append(game, seat, lambda batch: batch.fail_bot(seat, sayable))
        if isinstance(error, JobTimeoutException):
            raise error  # the alarm has rung: nothing guards this job any more
        return again

    def _append(self, game: Game, seat: int, act: Callable[[Batch], None]) -> None:
        self._runtime.tables.answer_for(game.id, seat, act, game.version)

    def _rest(self, game_id: str, milliseconds: int) -> None:
        """Have a sweep ask again after so many milliseconds."""
        self.playing = None
        self._watch.postpone(game_id, _now() + milliseconds - GRACE_MS)


def _now() -> int:
    return clock.to_ms(clock.now())
