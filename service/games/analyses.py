"""Analyses of finished games: requests, progress and results.

An analysis is identified by its *name*, which consists of the game and the bot:
``g07-…:lookahead@1``. It has one row for each event whose kind is in ``STEPS``. Rows and pending
analyses are in the store, so a worker that dies loses only its current row. An analysis depends
only on its game. So it may be deleted, and made again on request.
"""

import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import resources
from typing import Any, NamedTuple, cast

import orjson
from redis import Redis

from rules.kernel.canonical import JsonObject
from rules.kernel.record.events import Event
from rules.kernel.record.game import counting
from rules.kernel.record.instants import from_ms
from service.catalogue.bots import ENGINE, BotOffer
from service.games.admission import Claimant
from service.redis.scripts import Script

DEFAULT_BOT = "lookahead"

STEPS = ("started", "moved", "defaulted", "chanced", "resigned", "ended")
"""The kinds of events that can change a game's expected result.

An analysis has a row for each event of these kinds that was not taken back.
"""

QUEUED, RUNNING, DONE, FAILED = "queued", "running", "done", "failed"

PER_PLAYER = 3
PER_ADDRESS = 12
WAITING = 200
"""Maximum unfinished analyses: of one player, from one address, and in the whole store."""
MOST = 1_000
"""Number of finished analyses that are kept, the newest ones."""
KEEP_S = 30 * 24 * 3600
"""Time for which finished analyses are kept."""
MOST_BYTES = 2_000_000
"""Maximum size of a result as JSON; a longer one is not kept."""
TRIES = 3
"""Number of workers that may die at one event before the analysis fails."""

GRACE_MS = 2_000
"""Time after a request before a sweep requeues it, so that the queued job comes first."""

PREFIX = "lonja:{analyses}:"
"""One hash tag for all keys: a script checks an analysis, its player and its address together."""


def _script(name: str, room: str = "service.games") -> str:
    return resources.files(room).joinpath(f"{name}.lua").read_text()


def judges(offers: Mapping[str, BotOffer]) -> Mapping[str, BotOffer]:
    """Return the bots that can analyse a game, by name; they are those that search."""
    return {
        name: offer
        for name, offer in offers.items()
        if "nodes" in offer.settings and offer.kind != ENGINE
    }


def is_analysis(thing: str) -> bool:
    """Whether a turn belongs to an analysis, not to a game."""
    return ":" in thing


def steps_of(events: Iterable[Event]) -> int:
    """Return the number of rows of a game's analysis: 0 if the game never started."""
    return sum(event.kind in STEPS for event in counting(events))


def name_of(game_id: str, offer: BotOffer) -> str:
    """Return the name of a game's analysis by a bot."""
    return f"{game_id}:{offer.name}@{offer.version}"


class AnalysisProgress(NamedTuple):
    """The progress of an analysis: ``rows`` of its ``steps`` are done. ``result`` is JSON."""

    name: str
    state: str
    owner: str
    asked_at: int
    steps: int
    rows: int
    holder: JsonObject
    detail: str | None
    result: bytes | None

    @property
    def game_id(self) -> str:
        """The game that is analysed."""
        return self.name.partition(":")[0]

    @property
    def is_open(self) -> bool:
        """Whether the analysis is unfinished."""
        return self.state in (QUEUED, RUNNING)

    @property
    def loaded(self) -> JsonObject | None:
        """The result as JSON, if there is one."""
        return None if self.result is None else orjson.loads(self.result)

    def to_json(self) -> JsonObject:
        """Return the status of the analysis, without its result."""
        return {
            "game_id": self.game_id,
            "bot": self.holder["bot"],
            "version": self.holder["version"],
            "state": self.state,
            "asked_at": from_ms(self.asked_at),
            "rows": self.rows,
            "steps": self.steps,
            "detail": self.detail,
        }


class TooManyError(Exception):
    """Too many analyses or hints are unfinished: a ``scope`` may have at most ``limit``."""

    def __init__(self, what: str, scope: str, limit: int) -> None:
        super().__init__(f"{limit} unfinished {what} of one {scope} are allowed")
        self.scope = scope
        self.limit = limit


class Limits(NamedTuple):
    """How many analyses there may be, and for how long.

    At most ``of_player``, ``of_address`` and ``unfinished`` ones of the whole store are unfinished.
    Finished ones are kept for ``keep_s`` seconds, and only the ``most`` newest ones.
    """

    of_player: int
    of_address: int
    unfinished: int
    most: int
    keep_s: int


class Analyses:
    """The analyses of one store; ``now_ms`` is its clock."""

    prefix = PREFIX
    what = "analyses"

    def __init__(self, redis: Redis, now_ms: Callable[[], int]) -> None:
        self._redis = redis
        self._now = now_ms
        self._ask = Script(redis, _script("ask_analysis"))
        self._end = Script(redis, _script("end_analysis"))
        self._claim = Script(redis, _script("claim_due", "service.turns"))

    @property
    def limits(self) -> Limits:
        """The limits of analyses."""
        return Limits(PER_PLAYER, PER_ADDRESS, WAITING, MOST, KEEP_S)

    # For the API

    def ask(self, name: str, holder: JsonObject, who: Claimant, steps: int) -> bool:
        """Request an analysis unless there is one, pending or done. Return whether one is pending.

        Raises:
            TooManyError: too many analyses of the player, of the address, or in all are unfinished.
        """
        allowed = self.limits
        limits = {
            "player": allowed.of_player * who.times,
            "address": allowed.of_address * who.times,
            "service": allowed.unfinished,
        }
        answer: Any = self._ask(
            [
                self._key(name), self._rows(name), self._open,
                self._of_player(who.player), f"{self.prefix}address:{who.address}",
            ],
            [
                name, who.player, self._now(), steps, orjson.dumps(holder), *limits.values(),
                allowed.keep_s, GRACE_MS,
            ],
        )  # fmt: skip
        told = answer.decode()
        if told in limits:
            raise TooManyError(self.what, told, limits[told])
        return bool(told == "open")

    def find(self, name: str) -> AnalysisProgress | None:
        """Return an analysis; None if it was not requested or is no longer kept."""
        pipe = self._redis.pipeline()
        pipe.hgetall(self._key(name))
        pipe.hlen(self._rows(name))
        found, rows = cast("tuple[dict[bytes, bytes], int]", pipe.execute())
        if not found:
            return None
        state, packed = found[b"state"].decode(), found.get(b"result")
        steps = int(found[b"steps"])
        return AnalysisProgress(
            name=name,
            state=RUNNING if state == QUEUED and rows else state,
            owner=found[b"owner"].decode(),
            asked_at=int(found[b"asked_at"]),
            steps=steps,
            rows=steps if state == DONE else rows,
            holder=orjson.loads(found[b"holder"]),
            detail=found[b"detail"].decode() if b"detail" in found else None,
            result=None if packed is None else zlib.decompress(packed),
        )

    # For the workers

    def overdue(self, until: int, most: int) -> list[str]:
        """Return analyses without recent progress, and postpone them to the time ``until`` (ms)."""
        found: Any = self._claim([self._open], [self._now(), most, until])
        return [name.decode() for name in found]

    def begin(self, name: str, until: int) -> bool:
        """Begin a row. Return False if too many workers died at it."""
        with self._redis.pipeline() as pipe:
            pipe.hincrby(self._key(name), "tries", 1)
            pipe.zadd(self._open, {name: until}, xx=True)
            tries, _ = pipe.execute()
        return int(tries) <= TRIES

    def add(self, name: str, number: int, row: JsonObject, until: int) -> None:
        """Store a row; other workers leave the analysis alone until ``until`` (ms)."""
        with self._redis.pipeline() as pipe:
            pipe.hset(self._rows(name), str(number), zlib.compress(orjson.dumps(row)))
            pipe.expire(self._rows(name), self.limits.keep_s)
            pipe.hset(self._key(name), "tries", 0)
            pipe.zadd(self._open, {name: until}, xx=True)
            pipe.execute()

    def rows(self, name: str) -> list[JsonObject]:
        """Return the finished rows, in order."""
        found = cast("dict[bytes, bytes]", self._redis.hgetall(self._rows(name)))
        packed = [found[str(number).encode()] for number in range(len(found))]
        return [orjson.loads(zlib.decompress(row)) for row in packed]

    def finish(self, asked: AnalysisProgress, result: JsonObject) -> None:
        """Store the result."""
        body = orjson.dumps(result)
        if len(body) > MOST_BYTES:
            self.fail(asked, f"its {len(body):,} bytes are more than {MOST_BYTES:,}")
            return
        self._over(asked, DONE, result=zlib.compress(body))

    def fail(self, asked: AnalysisProgress, why: str) -> None:
        """Store the reason of a failure; the analysis may be requested again."""
        self._over(asked, FAILED, detail=why)

    def _over(self, asked: AnalysisProgress, state: str, **what: str | bytes) -> None:
        ((field, value),) = what.items()
        old: Any = self._end(
            [
                self._key(asked.name), self._rows(asked.name), self._open,
                self._of_player(asked.owner), f"{self.prefix}kept",
            ],
            [asked.name, state, field, value, self._now(), self.limits.keep_s, self.limits.most],
        )  # fmt: skip
        self._drop([name.decode() for name in old])

    def _drop(self, names: Sequence[str]) -> None:
        if names:
            self._redis.delete(*map(self._key, names))

    # Keys

    @property
    def _open(self) -> str:
        return f"{self.prefix}open"

    def _key(self, name: str) -> str:
        return f"{self.prefix}analysis:{name}"

    def _rows(self, name: str) -> str:
        return f"{self.prefix}rows:{name}"

    def _of_player(self, player: str) -> str:
        return f"{self.prefix}player:{player}"
