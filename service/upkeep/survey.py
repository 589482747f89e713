"""The state of an installation, read from its Redis: store, obligations, queues, workers.

Each query reads only the end of a set in each of the 64 shards, so its cost does not grow with the
number of games. A survey never waits long for an answer, so it can be made on a busy service and on
a store in trouble.
"""

import shutil
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from itertools import chain, islice
from threading import Lock
from typing import Any, NamedTuple

from redis import Redis
from redis.exceptions import RedisError
from rq.job import Job
from rq.utils import utcparse
from rq.worker_registration import WORKERS_BY_QUEUE_KEY

from rules.kernel.record.game import ABORTED, CLOSED, ENDED, LOBBY, RUNNING
from service.catalogue.bots import HEAVY, LIVE
from service.following.cursors import behind_since
from service.following.telling import NoticeWriter
from service.ledger import lists
from service.ledger.exits import Exits
from service.ledger.notices import LISTENERS, UNSENT
from service.ledger.places import PackPlaces
from service.ledger.store import DAMAGED, LOWERED, ONLINE, replicas_wanted, switch_warning
from service.publishing.marker import NAME as LOG
from service.publishing.marker import Marker
from service.publishing.witnesses import WitnessedFigures, WitnessFigures
from service.redis.client import make_client
from service.redis.keys import ACTS, ALL_SHARDS, BACKED_UP, SENDER_SEEN, shard_key
from service.redis.lock import running_url
from service.redis.version import ServerVersion
from service.settings import Settings
from service.turns.queue import QUEUES, TOURNAMENTS
from service.turns.schedule import length
from service.upkeep import restarts
from service.upkeep.due import last_run
from service.upkeep.restarts import ChildRestarts
from service.upkeep.scrub import healed_ever, last_scrub

ANSWER_SECONDS = 1.0
"""Time limit for one answer; a survey asks twice at most."""

EVERY_SECONDS = 5.0
"""Maximum age of a survey that is served."""

ACTS_AT_ONCE = 500

CONSUMERS = (NoticeWriter.name,)

STATUSES = (LOBBY, CLOSED, RUNNING, ENDED, ABORTED)

BEAT_SECONDS = {LIVE: 60.0, HEAVY: 120.0, TOURNAMENTS: 60.0}
"""Time without a beat after which a worker counts as dead; no decision takes so long."""


class Replica(NamedTuple):
    """A replica as its primary sees it; ``lag_seconds`` is None if the replica never answered."""

    address: str
    state: str
    lag_bytes: int
    lag_seconds: int | None


class StoreFigures(NamedTuple):
    """Figures of the server that holds the events; times are seconds.

    ``backup_age`` is the age of the newest backup, or of the store if there is none; None if
    unknown.
    """

    version: str
    role: str
    ping_seconds: float
    uptime_seconds: int
    clients: int
    commands: int
    memory: int
    memory_mark: int
    fork_seconds: float
    aof_bytes: int
    aof_delays: int
    aof_written: bool
    replicas: list[Replica]
    replicas_wanted: int
    backup_age: float | None


class Disk(NamedTuple):
    """The disk of the data folder, if the folder is on this machine. Sizes are in bytes."""

    free: int
    size: int


class Backlog(NamedTuple):
    """Obligations: their number, and the delay of the oldest (s).

    ``sender_silent`` is the time since the last report of a sender of webhooks; if none has ever
    reported, it is the age of the oldest message. ``following`` is the delay of each consumer of
    the feeds.
    """

    due: int
    due_age: float
    deadlines: int
    deadline_age: float
    webhooks: int
    webhook_age: float
    sender_silent: float
    following: dict[str, float]


class WitnessAge(NamedTuple):
    """A witness of the public log: the tree that it has co-signed last, and how long ago (s).

    ``why`` is what keeps it from co-signing the newest one, "" if nothing does; ``refuses`` is
    whether it has seen another history of the log, or has lost its own state.
    """

    name: str
    size: int | None
    age: float | None
    why: str
    refuses: bool


class PublicLogFigures(NamedTuple):
    """The public log: its leaves, the age of its newest checkpoint, and how far it is behind (s).

    ``age`` is None before the first checkpoint. ``unwitnessed`` is for how long (s) the newest
    checkpoint lacks the quorum of ``witnesses``, which may be none.
    """

    leaves: int
    age: float | None
    behind: float
    unwitnessed: float
    witnesses: list[WitnessAge]


class GameCounts(NamedTuple):
    """The number of listed games, by status; the numbers of tournaments and of damaged games.

    ``archived`` is the number of games that have left the store, into packs. ``taken_aside`` counts
    the streams that were taken aside because a pack had the end of a game that went on.
    ``archive_age`` is the time since the last run in which games left began (s), None without one,
    and ``refused`` are the games and tournaments that did not leave in it: see ``LastRun``.
    ``scrub_age`` is the time since the last scrub of packs began, ``lost`` what was not whole after
    it, and ``healed`` the number of files that scrubs have healed.
    """

    by_status: dict[str, int]
    tournaments: int
    damaged: int
    archived: int
    taken_aside: int
    archive_age: float | None
    refused: int | None
    scrub_age: float | None
    lost: int | None
    healed: int


class WorkerFigures(NamedTuple):
    """A worker that RQ knows, and the seconds since its last sign of life, by the local clock."""

    name: str
    host: str
    pid: int
    state: str
    beat_age: float


class Queue(NamedTuple):
    """A queue: its waiting turns, jobs that call workers, and its workers.

    ``age`` is the time for which the oldest job has waited for a worker (s).
    """

    name: str
    waiting: int
    jobs: int
    age: float
    workers: list[WorkerFigures]

    @property
    def alive(self) -> list[WorkerFigures]:
        """The workers with a recent sign of life."""
        return [one for one in self.workers if one.beat_age <= BEAT_SECONDS[self.name]]


class Survey(NamedTuple):
    """The state of an installation. A member is None if its part gave no answer.

    ``acts`` has the number of admins' acts of each kind. ``restarts`` counts the restarted children
    of ``lonja serve``. ``public_log`` is None also if this installation keeps none.
    """

    seconds: float
    store: StoreFigures | None
    disk: Disk | None
    owed: Backlog | None
    games: GameCounts | None
    acts: dict[str, int] | None
    restarts: list[ChildRestarts] | None
    queues: list[Queue] | None
    public_log: PublicLogFigures | None


class Acts:
    """The numbers of acts of each kind in the admins' journal."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._found: Counter[str] = Counter()
        self._after = "-"

    def count(self) -> dict[str, int]:
        """Return how many acts the journal has, by the kind of act.

        The first call reads the whole journal; later calls read only the acts that were added
        meanwhile.
        """
        while page := self._page():
            self._found.update(fields[b"act"].decode() for _place, fields in page)
            self._after = f"({page[-1][0].decode()}"
        return dict(self._found)

    def _page(self) -> list[tuple[bytes, dict[bytes, bytes]]]:
        found: Any = self._redis.xrange(ACTS, self._after, "+", count=ACTS_AT_ONCE)
        return list(found)


class Surveyor:
    """Surveys the installation of ``settings``, with its own connections; thread-safe."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._redis = make_client(settings.redis_url or "", ANSWER_SECONDS)
        self._queue_redis = make_client(settings.queue_redis_url or "", ANSWER_SECONDS)
        self._acts = Acts(self._redis)
        self._lock = Lock()
        self._known: tuple[float, Survey] | None = None

    def latest(self) -> Survey:
        """Return a survey that is at most ``EVERY_SECONDS`` old."""
        with self._lock:
            if self._known is None or time.monotonic() > self._known[0] + EVERY_SECONDS:
                self._known = time.monotonic(), self.survey()
            return self._known[1]

    def switch_warning(self) -> str | None:
        """Return the reason why SENTINEL FAILOVER can lose events.

        None: it cannot, or there is no answer.
        """
        with suppress(RedisError):
            return switch_warning(self._redis, self._settings.replicas_to_wait)
        return None

    def survey(self) -> Survey:
        """Make a new survey."""
        began = time.perf_counter()
        store, owed, games, acts, restarted, queues = None, None, None, None, None, None
        public_log = None
        with suppress(RedisError):
            store = self._store()
            owed = _owed(self._redis)
            games = _games(self._redis)
            acts = self._acts.count()
            restarted = restarts.find_all(self._redis)
            public_log = _public_log(self._redis)
        with suppress(RedisError):
            queues = _queues(self._queue_redis)
        took = time.perf_counter() - began
        return Survey(took, store, self._disk(), owed, games, acts, restarted, queues, public_log)

    def _store(self) -> StoreFigures:
        self._redis.ping()  # the first PING may open a connection, whose time must not be measured
        began = time.perf_counter()
        self._redis.ping()
        ping = time.perf_counter() - began
        told: Any = self._redis.info()
        lowered, online, backed_up = self._noted()
        limit = told["maxmemory"] or told.get("total_system_memory", 0)
        return StoreFigures(
            version=str(ServerVersion.of_info(told)),
            role=told["role"],
            ping_seconds=ping,
            uptime_seconds=told["uptime_in_seconds"],
            clients=told["connected_clients"],
            commands=told.get("total_commands_processed", 0),
            memory=told["used_memory"],
            memory_mark=self._settings.redis_memory_mark.of(limit),
            fork_seconds=told.get("latest_fork_usec", 0) / 1e6,
            aof_bytes=told.get("aof_current_size", 0),
            aof_delays=told.get("aof_delayed_fsync", 0),
            aof_written=told.get("aof_last_write_status", "ok") == "ok",
            replicas=_replicas(told),
            replicas_wanted=replicas_wanted(self._settings.replicas_to_wait, lowered, online),
            backup_age=None if backed_up is None else _age(int(backed_up), self._redis),
        )

    def _noted(self) -> list[bytes | None]:
        noted: Any = self._redis.mget(LOWERED, ONLINE, BACKED_UP)
        return list(noted)

    def _disk(self) -> Disk | None:
        folder = self._settings.data_dir
        try:
            if running_url(folder) != self._settings.redis_url:
                return None
            usage = shutil.disk_usage(folder)
        except OSError:
            return None
        return Disk(usage.free, usage.total)


def _replicas(told: Mapping[str, Any]) -> list[Replica]:
    """Read the lines ``slave0``, ``slave1``, … of INFO."""
    written = told.get("master_repl_offset", 0)
    named = (told.get(f"slave{n}") for n in range(told.get("connected_slaves", 0)))
    return [
        Replica(
            f"{one['ip']}:{one['port']}",
            one["state"],
            max(0, written - one["offset"]),
            None if one["lag"] < 0 else one["lag"],
        )
        for one in named
        if one is not None
    ]


def _age(since: int, redis: Redis) -> float:
    """Return the seconds since ``since`` (ms since 1970), by the store's clock."""
    seconds, microseconds = redis.time()
    return max(0.0, seconds + microseconds / 1e6 - since / 1000)


def _owed(redis: Redis) -> Backlog:
    owed = [
        [shard_key(shard, "due") for shard in ALL_SHARDS],
        [shard_key(shard, "deadlines") for shard in ALL_SHARDS],
        [UNSENT],
    ]
    lengths = [len(owed[0]), len(owed[1]), 2]
    pipe = redis.pipeline(transaction=False)
    for key in chain.from_iterable(owed):
        pipe.zcard(key)
        pipe.zrange(key, 0, 0, withscores=True)
    # Count the messages that no sender has seen yet.
    pipe.zcount(LISTENERS, "(0", "+inf")
    pipe.zrangebyscore(LISTENERS, "(0", "+inf", 0, 1, withscores=True)
    pipe.get(SENDER_SEEN)
    pipe.time()
    *told, seen, (seconds, microseconds) = pipe.execute()
    now = 1000 * seconds + microseconds / 1000
    pairs = iter(zip(told[::2], told[1::2], strict=True))
    due, deadlines, unsent = (_sum_up(list(islice(pairs, many)), now) for many in lengths)
    silent = unsent[1] if seen is None else max(0.0, now - int(seen)) / 1000
    behind = {name: behind_since(redis, name) for name in CONSUMERS}
    ages = {name: 0.0 if at is None else (now - at) / 1000 for name, at in behind.items()}
    return Backlog(*due, *deadlines, *unsent, silent, ages)


def _sum_up(told: list[tuple[int, Any]], now: float) -> tuple[int, float]:
    """Return the number of entries in some lists, and the age of the oldest (s)."""
    oldest = min((first[0][1] for _, first in told if first), default=now)
    return sum(count for count, _ in told), max(0.0, now - oldest) / 1000


def _games(redis: Redis) -> GameCounts:
    archived, scrubbed = last_run(redis), last_scrub(redis)
    kinds = (lists.GAMES, lists.HIDDEN)
    by_status = {s: [lists.games_list(None, s, kind) for kind in kinds] for s in STATUSES}
    counted = lists.count(redis, [*chain.from_iterable(by_status.values()), lists.TOURNAMENTS])
    pipe = redis.pipeline(transaction=False)
    for shard in ALL_SHARDS:
        pipe.scard(shard_key(shard, DAMAGED))
    return GameCounts(
        {status: sum(counted[name] for name in names) for status, names in by_status.items()},
        counted[lists.TOURNAMENTS],
        sum(pipe.execute()),
        PackPlaces(redis).count(),
        Exits(redis).taken_aside(),
        None if archived is None else _age(archived.at, redis),
        None if archived is None else archived.refused,
        None if scrubbed is None else _age(scrubbed.at, redis),
        None if scrubbed is None else scrubbed.lost,
        healed_ever(redis),
    )


def _public_log(redis: Redis) -> PublicLogFigures | None:
    found = Marker(redis).read()
    if found.mark is None or found.indexed is None:
        return None
    at, behind = found.mark.at, behind_since(redis, LOG)
    witnessed = WitnessedFigures.read(redis)
    since = None if witnessed is None else witnessed.since
    return PublicLogFigures(
        found.mark.size,
        None if at is None else _age(1000 * at, redis),
        0.0 if behind is None else _age(behind, redis),
        0.0 if since is None else _age(1000 * since, redis),
        [] if witnessed is None else [_witness(one, redis) for one in witnessed.witnesses],
    )


def _witness(found: WitnessFigures, redis: Redis) -> WitnessAge:
    age = None if found.at is None else _age(1000 * found.at, redis)
    return WitnessAge(found.name, found.size, age, found.why, found.refuses)


def _queues(redis: Redis) -> list[Queue]:
    now = datetime.now(UTC)
    pipe = redis.pipeline(transaction=False)
    for name in QUEUES:
        pipe.llen(f"rq:queue:{name}")
        pipe.lindex(f"rq:queue:{name}", 0)
        pipe.smembers(WORKERS_BY_QUEUE_KEY % name)
    told = pipe.execute()
    found = []
    for name, jobs, oldest, keys in zip(QUEUES, told[::3], told[1::3], told[2::3], strict=True):
        asked = None if oldest is None else redis.hget(Job.key_for(oldest.decode()), "enqueued_at")
        age = 0.0 if asked is None else _seconds_since(asked, now)
        workers = _workers(redis, sorted(key.decode() for key in keys), now)
        found.append(Queue(name, length(redis, name), jobs, age, workers))
    return found


def _workers(redis: Redis, keys: Iterable[str], now: datetime) -> list[WorkerFigures]:
    """Return the figures of the workers that RQ knows."""
    pipe = redis.pipeline(transaction=False)
    for key in keys:
        pipe.hmget(key, "last_heartbeat", "hostname", "pid", "state")
    return [
        WorkerFigures(
            key.rpartition(":")[2],
            (host or b"?").decode(),
            int(pid or 0),
            (state or b"?").decode(),
            _seconds_since(beat, now),
        )
        for key, (beat, host, pid, state) in zip(keys, pipe.execute(), strict=True)
        if beat is not None
    ]


def _seconds_since(instant: Any, now: datetime) -> float:
    return max(0.0, (now - utcparse(instant.decode())).total_seconds())
