"""Names the jobs that workers run. Jobs are named by dotted path: this package never imports them.

Arguments are ids alone, in JSON: whoever can write to the queue cannot run code by it.
"""

from typing import Any

import structlog
from redis import Redis
from redis.exceptions import RedisError
from rq import Queue
from rq.exceptions import DuplicateJobError
from rq.serializers import JSONSerializer

from rules.kernel.game import Game

log = structlog.get_logger(__name__)

LIVE = "live"
"""The queue of games that people wait for."""

TOURNAMENTS = "tournaments"
"""The queue of tournaments, which has workers of its own, so that nobody waits for it."""

PLAY_AUTOMATIC_SEATS = "workers.jobs.play_automatic_seats"
PLAY_TOURNAMENT = "workers.jobs.play_tournament"
JOB_SECONDS = 60
MOST_AT_ONCE = 16
"""So many workers play one tournament at most."""


class Jobs:
    """Puts work on the queues."""

    def __init__(self, redis: Redis) -> None:
        self.queue = Queue(LIVE, connection=redis, serializer=JSONSerializer)
        self.tournaments = Queue(TOURNAMENTS, connection=redis, serializer=JSONSerializer)

    def play_automatic_seats(self, game: Game) -> None:
        """Have the game's bots and resigned seats answered for; once per version."""
        self.play_at(game.id, game.version)

    def play_at(self, game_id: str, version: int) -> None:
        """Have a game played on from ``version``; a job that comes late does nothing."""
        self._enqueue(game_id, job_id=f"turn-{game_id}-{version}", unique=True)

    def play_overdue(self, game_id: str) -> None:
        """Have a game played on whose job was lost, even if the queue seems to know of it."""
        self._enqueue(game_id)

    def play_tournament(self, tournament_id: str, workers: int) -> None:
        """Have blocks of a tournament played by so many workers, if there are so many."""
        try:
            for _ in range(min(workers, MOST_AT_ONCE)):
                self.tournaments.enqueue(
                    PLAY_TOURNAMENT,
                    args=(tournament_id,),
                    job_timeout=-1,  # each move has its own limit
                    result_ttl=0,
                    failure_ttl=JOB_SECONDS,
                )
        except RedisError as error:  # the tournament is still due: a sweep will see
            log.warning("queue_unreachable", tournament=tournament_id, error=str(error))

    def tournament_overdue(self, tournament_id: str, workers: int) -> None:
        """Have a tournament played on of which nothing was heard, unless jobs are waiting."""
        if self.tournaments.count == 0:
            self.play_tournament(tournament_id, workers)

    def waiting(self) -> int:
        """Return how many jobs nobody has taken yet."""
        return self.queue.count

    def _enqueue(self, game_id: str, **which: Any) -> None:
        try:
            self.queue.enqueue(
                PLAY_AUTOMATIC_SEATS,
                args=(game_id,),
                job_timeout=JOB_SECONDS,
                result_ttl=0,
                failure_ttl=JOB_SECONDS,
                **which,
            )
        except DuplicateJobError:
            return
        except RedisError as error:  # the move stands, and the game is still due: a sweep will see
            log.warning("queue_unreachable", game=game_id, error=str(error))
