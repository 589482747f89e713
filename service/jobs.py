"""Names the jobs that workers run. Jobs are named by dotted path: this package never imports them.

Arguments are ids alone, in JSON: whoever can write to the queue cannot run code by it.
"""

from redis import Redis
from rq import Queue
from rq.exceptions import DuplicateJobError
from rq.serializers import JSONSerializer

from rules.kernel.game import Game

LIVE = "live"
"""The queue of games that people wait for."""

PLAY_AUTOMATIC_SEATS = "workers.turns.play_automatic_seats"
JOB_SECONDS = 60


class Jobs:
    """Puts work for live games on the queue."""

    def __init__(self, redis: Redis) -> None:
        self.queue = Queue(LIVE, connection=redis, serializer=JSONSerializer)

    def play_automatic_seats(self, game: Game) -> None:
        """Have the game's bots and resigned seats answered for; once per version."""
        self.play_at(game.id, game.version)

    def play_at(self, game_id: str, version: int) -> None:
        """Have a game played on from ``version``; a job that comes late does nothing."""
        try:
            self.queue.enqueue(
                PLAY_AUTOMATIC_SEATS,
                args=(game_id,),
                job_id=f"turn-{game_id}-{version}",
                unique=True,
                job_timeout=JOB_SECONDS,
                result_ttl=0,
                failure_ttl=JOB_SECONDS,
            )
        except DuplicateJobError:
            return
