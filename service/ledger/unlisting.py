"""Games that have left the lists of the store, because the indexes of packs have them.

Each host has an index of its own (``service.archive.index``). Two things are stored about them:

- which packs' games may have left the lists. This is marked before the first of them leaves, and
  each reader of lists compares it with its index. So no list lacks a game, whatever has happened to
  the reader or to the store.
- which packs each index has, as its host says every second. Games wait for that, so that no host
  is ever behind as long as it is well.
"""

from collections.abc import Collection, Mapping, Sequence
from importlib import resources
from secrets import token_hex
from typing import Any, NamedTuple, Protocol

import orjson
from redis import Redis
from redis.exceptions import RedisError

from rules.kernel.canonical import JsonObject
from service.ids import shard_of
from service.ledger import lists
from service.ledger.lists import EVER, LISTED, LISTS, Span
from service.ledger.places import PACKED_SCRIPT, PackedStream, buckets, field
from service.redis.keys import game_key, meta_key, shard_key
from service.redis.scripts import Call, Script

UNLISTED = meta_key("packs_unlisted")
"""The numbers of the packs whose games may have left the lists, and the mark: a hash."""
MARK = "mark"
"""The field with a random word, which is another one whenever the numbers are others."""
INDEXES = meta_key("indexes")
"""What the host of each index has said last, by the index's id: a hash."""

LIVE_MS = 30_000
"""Time for which a host counts as live after it was heard."""
_FORGOTTEN_MS = 86_400_000

RATED_GONE = "rated_gone"
"""The number of rated games of a shard that have left its lists."""

GONE = "unlisted"
"""The outcome for a game that is in no list of the store; the others are those of ``places``."""

_SCRIPT = (
    lists.SCRIPT
    + PACKED_SCRIPT
    + resources.files("service.ledger").joinpath("unlist.lua").read_text()
)


class ArchiveBehindError(RedisError):
    """Games have left the store's lists that the index here does not have yet; retry later."""


class PastGame(NamedTuple):
    """A game that may have left the store's lists: its place in a list, and its summary."""

    place: str
    summary: JsonObject


class PastPage(NamedTuple):
    """Games of lists that may have left the store's, in order.

    ``until`` is the place up to which lists were read; None if they were read to their end.
    """

    games: list[PastGame]
    until: str | None


class PastLists(Protocol):
    """The lists of the games that have left the lists of a store.

    They are read after the store's: then each game is in one of the two, or in both. The methods
    raise ArchiveBehindError if that cannot be said.
    """

    def newest(
        self, names: Sequence[str], limit: int, after: str | None = None, span: Span = EVER
    ) -> PastPage:
        """Return up to ``limit`` games of lists; the arguments are those of ``lists.newest``.

        There may be fewer games, or none, although the lists go on after ``until``.
        """
        ...

    def oldest(self, name: str, after: str, until: str, limit: int) -> PastPage:
        """Return up to ``limit`` games of a list, the oldest first, as ``newest`` does.

        Their places are after the place ``after``, and before ``until``.
        """
        ...

    def find(self, ids: Collection[str]) -> dict[str, JsonObject]:
        """Return the summaries of those of the games that have left the store, by id."""
        ...

    def size(self, name: str) -> int:
        """Return about how many games a list has; those that are leaving may count twice."""
        ...

    def catch_up(self, *, announce: bool = False, complete: bool = True) -> int:
        """Take in what the lists lack; return the number of packs.

        With ``announce``, games wait in the store's lists from then on until they are in these, and
        this host is ``complete``: until it has all else that it needs once they have left.
        """
        ...


class NoPastLists:
    """The ``PastLists`` of a process that has no archive."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    def newest(
        self, _names: Sequence[str], _limit: int, _after: str | None = None, _span: Span = EVER
    ) -> PastPage:
        self._expect_none()
        return PastPage([], None)

    def oldest(self, _name: str, _after: str, _until: str, _limit: int) -> PastPage:
        self._expect_none()
        return PastPage([], None)

    def find(self, _ids: Collection[str]) -> dict[str, JsonObject]:
        self._expect_none()
        return {}

    def size(self, _name: str) -> int:
        return 0

    def catch_up(self, *, announce: bool = False, complete: bool = True) -> int:
        return 0

    def _expect_none(self) -> None:
        if self._redis.hexists(UNLISTED, MARK):
            raise ArchiveBehindError("games have left the store, and this process has no archive")


class IndexReport(NamedTuple):
    """What a ``host`` said ``at`` a time (ms since 1970) about the packs of its index.

    ``packs`` are those whose games have not all left, by number, with the SHA-256 of the file
    beside the pack that the index was made with.
    """

    at: int
    host: str
    packs: Mapping[str, str]

    def has(self, pack: int, beside: str) -> bool:
        """Whether the index has a pack, made with this file beside it."""
        return self.packs.get(str(pack)) == beside


class ListExits:
    """The games of one store that leave its lists."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._script = Script(redis, _SCRIPT)

    def is_marked(self, pack: int) -> bool:
        """Whether games of a pack may have left the lists."""
        return bool(self._redis.hexists(UNLISTED, str(pack)))

    def mark(self, pack: int) -> None:
        """Store that games of a pack may have left the lists."""
        if not self.is_marked(pack):
            self._redis.hset(UNLISTED, mapping={str(pack): 1, MARK: token_hex(8)})

    def marked(self) -> tuple[bytes | None, set[int]]:
        """Return the mark, None if there is none, and the numbers of the packs."""
        found: Any = self._redis.hgetall(UNLISTED)
        mark = found.pop(MARK.encode(), None)
        return mark, {int(number) for number in found}

    def unlist(self, each: Sequence[tuple[PackedStream, bytes]]) -> list[str]:
        """Remove games from the store's lists, each with its listing in the store.

        Return GONE for each, or ELSEWHERE, or OTHER if the store lists it in another way by now.
        """
        calls: list[Call] = []
        for one, listing in each:
            shard = shard_of(one.id)
            keys = [
                game_key(one.id, "events"),
                shard_key(shard, LISTS),
                shard_key(shard, LISTED),
                shard_key(shard, RATED_GONE),
                *buckets(one.id),
            ]
            calls.append((keys, [one.id, field(one.id), one.place.dump(), listing]))
        return [outcome.decode() for outcome in self._script.each(calls)]

    def listings(self, ids: Collection[str]) -> list[bytes | None]:
        """Return how the store lists each of these games, None if it does not."""
        pipe = self._redis.pipeline(transaction=False)
        for id_ in ids:
            pipe.hget(shard_key(shard_of(id_), LISTED), id_)
        return pipe.execute()

    # Indexes

    def report(self, index: str, told: IndexReport) -> None:
        """Store what a host says about its index."""
        self._redis.hset(INDEXES, index, orjson.dumps([*told]))

    def live(self, now_ms: int) -> list[IndexReport]:
        """Return the index reports of live hosts; delete those of hosts that are long gone.

        A report with a time in the future is stale: the store's clock has gone back since.
        """
        found: Any = self._redis.hgetall(INDEXES)
        told = {index: IndexReport(*orjson.loads(raw)) for index, raw in found.items()}
        gone = [index for index, one in told.items() if one.at < now_ms - _FORGOTTEN_MS]
        if gone:
            self._redis.hdel(INDEXES, *gone)
        return [one for one in told.values() if abs(now_ms - one.at) <= LIVE_MS]
