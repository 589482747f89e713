"""The jobs that workers run. Jobs are named by dotted path: this package never imports them.

A job says only that a queue's schedule has turns; the worker gets the next turn from the schedule
(``service.turns.schedule``). Arguments are only names, in JSON, so that write access to the queue
does not let anybody run code.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Protocol

import structlog
from redis import Redis
from redis.client import Pipeline
from redis.exceptions import RedisError
from rq import Queue
from rq.serializers import JSONSerializer

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.seats import Seat
from rules.kernel.record.game import Game
from rules.kernel.record.instants import from_ms
from service.catalogue.bots import HEAVY, LIVE, BotOffer
from service.metrics import BUDGETS_SPENT
from service.process import logs
from service.settings import Budget
from service.turns.schedule import FinishedTurn, HeldOwner, Schedule, Turn, held_until, note_address

log = structlog.get_logger(__name__)

TOURNAMENTS = "tournaments"
"""The queue of tournaments, with its own workers, so that tournaments delay no game."""

QUEUES = (LIVE, HEAVY, TOURNAMENTS)

PEOPLE, BOTS, HOSTS = "people", "bots", "hosts"
"""The rings of a schedule: games with people, games between bots, and tournaments."""

TAKE_TURNS = "workers.jobs.take_turns"
FAILURE_SECONDS = 60
MOST_AT_ONCE = 16
"""Maximum workers for one tournament."""


class QueuedTournament(Protocol):
    """A tournament's data for the queue."""

    @property
    def id(self) -> str:
        """Its id."""
        ...

    @property
    def created_by(self) -> JsonObject:
        """The tournament's host: ``{"player": …}``."""
        ...


class Jobs:
    """Puts work on the queues."""

    def __init__(self, redis: Redis, bots: Mapping[str, BotOffer], budget: Budget) -> None:
        self._redis = redis
        self._bots = bots
        self.queues = {
            name: Queue(name, connection=redis, serializer=JSONSerializer) for name in QUEUES
        }
        self.schedules = {
            LIVE: Schedule(redis, LIVE, (PEOPLE, BOTS), budget),
            HEAVY: Schedule(redis, HEAVY, (PEOPLE, BOTS), budget),
            TOURNAMENTS: Schedule(redis, TOURNAMENTS, (HOSTS,), several=True),
        }

    # Games

    def play_automatic_seats(self, game: Game) -> None:
        """Queue a turn for the game's bots and resigned seats."""
        self.play_seats(game, game.automatic_seats())

    def play_seats(self, game: Game, seats: Iterable[Seat]) -> None:
        """Queue a turn for the game's automatic ``seats``; do nothing if there are none.

        The turn is queued in ``LIVE`` if one of the seats belongs there. Otherwise it is queued in
        ``HEAVY``, the queue of bots that think for long.
        """
        queues = {self.queue_of(game, seat) for seat in seats}
        if not queues:
            return
        queue = LIVE if LIVE in queues else HEAVY
        ring = PEOPLE if _has_people(game) else BOTS
        turn = Turn(ring, owner_of(game), game.id, logs.request_id())
        self._push(queue, 1, lambda pipe: self.schedules[queue].ask(pipe, turn))

    def queue_of(self, game: Game, seat: Seat) -> str:
        """Return the queue whose workers play for an automatic seat."""
        holder = game.seats[seat].holder or {}
        offer = None if game.seats[seat].resigned else self._bots.get(holder["bot"])
        return LIVE if offer is None else offer.queue

    def held_until(self, game: Game) -> int | None:
        """Return the time (ms since 1970) at which the game's bots get their owner's next budget.

        None: the bots do not wait for it, or the queue cannot be reached.
        """
        try:
            return held_until(self._redis, owner_of(game))
        except RedisError as error:
            log.warning("queue_unreachable", game=game.id, error=str(error))
            return None

    # Analyses

    def analyse(self, name: str, owner: str) -> None:
        """Queue an analysis of a finished game, behind games in which people wait."""
        turn = Turn(BOTS, owner, name, logs.request_id())
        self._push(HEAVY, 1, lambda pipe: self.schedules[HEAVY].ask(pipe, turn))

    def hint(self, name: str, owner: str) -> None:
        """Queue a hint, among the games in which people wait."""
        turn = Turn(PEOPLE, owner, name, logs.request_id())
        self._push(LIVE, 1, lambda pipe: self.schedules[LIVE].ask(pipe, turn))

    # Owners

    def comes_from(self, owner: str, address: str | None) -> None:
        """Note the network address from which the player ``owner`` comes.

        The players of one address share their turns and their budget. If ``address`` is None, the
        player shares them with nobody.
        """
        try:
            note_address(self._redis, owner, address)
        except RedisError as error:
            log.warning("queue_unreachable", owner=owner, error=str(error))

    # Tournaments

    def play_tournament(self, tournament: QueuedTournament, workers: int) -> None:
        """Queue turns of a tournament for up to ``workers`` workers, at most ``MOST_AT_ONCE``."""
        turn = Turn(HOSTS, tournament.created_by["player"], tournament.id, logs.request_id())
        turns = min(workers, MOST_AT_ONCE)
        schedule = self.schedules[TOURNAMENTS]
        self._push(TOURNAMENTS, turns, lambda pipe: schedule.ask(pipe, turn, turns))

    def tournament_overdue(self, tournament: QueuedTournament, workers: int) -> None:
        """Queue a tournament without recent progress again, unless a turn of it is in the queue."""
        if self.lost(TOURNAMENTS, [tournament.id]):
            self.play_tournament(tournament, workers)

    # Turns

    def next(self, queue: str, served: FinishedTurn | None) -> Turn | None:
        """Account for a finished turn, and return the next one of the queue, if any."""
        turn, held = self.schedules[queue].next(served)
        _tell(held)
        return turn

    def leave(self, queue: str, served: FinishedTurn | None) -> None:
        """Account for a finished turn, and leave the remaining turns to the next job."""
        ready, held = self.schedules[queue].leave(served)
        _tell(held)
        if ready:
            self._push(queue, 1)

    def lost(self, queue: str, things: list[str]) -> list[str]:
        """Return the ids in ``things`` (games and tournaments) that have no waiting turn."""
        return self.schedules[queue].look(things)[1] if things else []

    def call_workers(self) -> None:
        """Put a job on each queue with waiting turns, because some jobs may have been lost."""
        for name, schedule in self.schedules.items():
            missing = schedule.look()[0] - self.queues[name].count
            if missing > 0:
                self._push(name, missing)

    def waiting(self, queue: str = LIVE) -> int:
        """Return the number of waiting turns of a queue; counting stops at a small number."""
        return self.schedules[queue].look()[0]

    def _push(
        self, queue: str, jobs: int, ask: Callable[[Pipeline], None] = lambda _pipe: None
    ) -> None:
        """Add turns to a schedule, and jobs to the RQ queue, in one round trip.

        ``ask`` is a function that adds the turns to a pipeline. ``jobs`` is the number of jobs;
        their workers take the turns.
        """
        try:
            with self._redis.pipeline() as pipe:
                pipe.multi()
                ask(pipe)
                for _ in range(jobs):
                    self.queues[queue].enqueue(
                        TAKE_TURNS,
                        args=(queue,),
                        job_timeout=-1,  # the job has no limit, because each decision has its own
                        result_ttl=0,
                        failure_ttl=FAILURE_SECONDS,
                        pipeline=pipe,
                    )
                pipe.execute()
        except RedisError as error:  # all these turns are still due, so a sweep will find them
            log.warning("queue_unreachable", queue=queue, error=str(error))


def owner_of(game: Game) -> str:
    """Return the owner of a game: the player or tournament that opened it."""
    (owner,) = game.created_by.values()
    return str(owner)


def _has_people(game: Game) -> bool:
    return any(not holding.automatic for holding in game.seats)


def _tell(held: HeldOwner | None) -> None:
    if held is not None:
        BUDGETS_SPENT.inc()
        log.warning("bot_budget_spent", owner=held.owner, until=from_ms(held.until))
