"""When games have to leave the store, and what became of the last run in which they left."""

from typing import Any, NamedTuple, Self

import orjson
from redis import Redis

from rules.kernel.canonical import JsonObject
from service.players.keys import DAY_MS
from service.redis.client import memory_of
from service.redis.keys import meta_key
from service.settings import MemoryMark, Settings

LAST_RUN = meta_key("archive_run")
"""When the last run in which games left began, and its result."""

_ROOM = 20
"""One part in so many of a mark is freed below it, so that it is not reached again at once."""


class Due(NamedTuple):
    """When games have to leave: so long after their end, and the oldest above the mark."""

    rest_ms: int
    mark: MemoryMark

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """Return what the settings say."""
        return cls(settings.archive_days * DAY_MS, settings.archive_memory_mark)

    def excess(self, redis: Redis) -> int:
        """Return how many bytes have to leave the store, 0 if it is below the mark."""
        memory = memory_of(redis.info("memory"))
        mark = self.mark.of(memory.limit)
        return memory.used - mark + mark // _ROOM if 0 < mark <= memory.used else 0


def has_passed(at: int, span_ms: int, now_ms: int) -> bool:
    """Whether so much time has passed since ``at`` (ms since 1970).

    It has, too, if ``at`` is in the future: the store's clock went back, and nobody knows how long
    ago that was.
    """
    return not at <= now_ms < at + span_ms


class LastRun(NamedTuple):
    """A run in which games left: when it began (ms since 1970), and the numbers of games.

    ``gone`` have left. ``refused`` are those of games and tournaments that will not leave before
    somebody looks: they are damaged or not proved, or a pack has another history of them.
    """

    at: int
    gone: int
    refused: int


def note_run(redis: Redis, began_ms: int, told: JsonObject) -> None:
    """Store the result of a run."""
    moved = told["moved"]
    refused = len(told["left_out"]) + sum(one["other_history"] for one in moved["stay"])
    redis.set(LAST_RUN, orjson.dumps([*LastRun(began_ms, moved["gone"], refused)]))


def last_run(redis: Redis) -> LastRun | None:
    """Return the result of the last run, None if there was none."""
    raw: Any = redis.get(LAST_RUN)
    return None if raw is None else LastRun(*orjson.loads(raw))
