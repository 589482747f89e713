"""Finds what nobody did: games that wait for a bot whose job was lost, and clocks that ran out.

Obligations are sets in Redis, so they outlive jobs, workers and the queue. Every worker sweeps.
"""

import threading
from collections.abc import Callable

import structlog
from redis.exceptions import RedisError

from service import clock
from service.ids import is_tournament
from service.ledger.ledger import ConflictError, WindowError
from service.ledger.watch import Watch
from service.runtime import Runtime
from service.tournaments.director import TournamentNotFoundError
from workers.process import Process
from workers.turns import GRACE_MS

log = structlog.get_logger(__name__)

INTERVAL = 0.5
ASK_AGAIN_MS = 10_000
"""After so long, a game that is still due is asked for once more."""

MOST_WAITING = 500
"""Nothing is lost from a queue that is merely long: no more jobs are added to one."""

PER_SHARD = 50


class Sweeper(threading.Thread):
    """Sweeps all shards every ``interval`` seconds, beside the job that the process works at.

    ``also`` are further things to do each time.
    """

    def __init__(
        self,
        parts: Process,
        interval: float = INTERVAL,
        also: tuple[Callable[[Runtime], object], ...] = (),
    ) -> None:
        super().__init__(name="sweeper", daemon=True)
        self._runtime = parts.runtime
        self._turns = parts.turns
        self._matches = parts.matches
        self._interval = interval
        self._also = also
        self._watch = Watch(parts.runtime.redis)
        self._stop_asked = threading.Event()

    def run(self) -> None:
        """Sweep until ``stop``; whatever goes wrong, sweep again."""
        while not self._stop_asked.wait(self._interval):
            try:
                self.sweep()
            except RedisError as error:
                log.warning("sweep_failed", error=str(error))
            except Exception:
                log.exception("sweep_failed")

    def stop(self) -> None:
        """End the thread soon."""
        self._stop_asked.set()

    def sweep(self) -> None:
        """Look at everything once."""
        now = clock.to_ms(clock.now())
        if playing := self._turns.playing:
            self._watch.postpone(playing, now)
        self._matches.keep_lease()
        self._ask_for_overdue(now)
        self._expire(now)
        for do in self._also:
            do(self._runtime)

    def _ask_for_overdue(self, now: int) -> None:
        jobs = self._runtime.jobs
        if jobs.waiting() >= MOST_WAITING:
            return
        overdue = self._watch.claim_overdue(now - GRACE_MS, now + ASK_AGAIN_MS, PER_SHARD)
        for stream_id in overdue:
            if is_tournament(stream_id):
                self._look_after(stream_id)
            else:
                jobs.play_overdue(stream_id)

    def _look_after(self, tournament_id: str) -> None:
        """Do what a crash left undone in a tournament, and have its open blocks played."""
        try:
            tournament = self._runtime.director.advance(tournament_id)
        except (TournamentNotFoundError, ConflictError):
            return
        self._runtime.jobs.tournament_overdue(tournament_id, len(tournament.open_blocks()))

    def _expire(self, now: int) -> None:
        for game_id in self._watch.expired(now, PER_SHARD):
            try:
                expired = self._runtime.tables.expire(game_id)
            except WindowError:
                continue  # the server's clock is behind ours
            except RedisError:
                raise
            except Exception:
                log.exception("clock_not_handled", game=game_id)
                continue
            game = getattr(expired, "game", None)
            if game is not None and game.automatic_seats():
                self._runtime.jobs.play_automatic_seats(game)
