"""The health of the Redis server, which is checked regularly while a process runs.

A nearly full store admits no new games, so that running ones can go on.
"""

import time
from collections.abc import Callable
from threading import Lock
from typing import Literal

import structlog
from redis import Redis
from redis.exceptions import RedisError, ResponseError

from service.metrics import STORE_BYTES, STORE_MARK, STORE_UNFIT
from service.redis.client import Memory, UnsuitableServerError, check_server, refuses_writes
from service.redis.format import AnotherFormatError, check_format
from service.redis.keys import WRITABLE
from service.settings import MemoryMark

log = structlog.get_logger(__name__)

EVERY_S = 2.0
"""Minimum interval between two checks, over all callers."""


class Health:
    """Faults of a server that was fit at the start; changes are logged and measured.

    A store may also be emptied or replaced: ``look_again`` detects that.
    """

    def __init__(
        self,
        redis: Redis,
        appendfsync: Literal["always", "everysec"],
        mark: MemoryMark,
        look_again: Callable[[Redis], None],
    ) -> None:
        self._redis = redis
        self._look_again = look_again
        self._appendfsync = appendfsync
        self._mark = mark
        self.another_format: str | None = None
        """The reason why this process must not use the store any more; else None.

        A newer release has raised the store's format, and its new data would look like damage here.
        """
        self._complaint: str | None = None
        self._nearly_full: str | None = None
        self._next_look = 0.0
        self._lock = Lock()

    def complaint(self) -> str | None:
        """Return the reason why the server cannot hold events; None if it can.

        The answer is at most ``EVERY_S`` old.
        """
        with self._lock:
            self._look_if_time()
            return self._complaint

    def nearly_full(self) -> str | None:
        """Return the reason why nothing new may be created, None if there is room.

        The answer may be slightly out of date.
        """
        with self._lock:
            self._look_if_time()
            return self._nearly_full

    def _look_if_time(self) -> None:
        if time.monotonic() >= self._next_look:
            self._judge(self._look())
            self._next_look = time.monotonic() + EVERY_S

    def _look(self) -> str | None:
        try:
            self._weigh(check_server(self._redis, self._appendfsync).memory)
            # A test write: the key exists after the first call, so a healthy server has nothing to
            # do (no fsync, no growth of its log). A server that takes no writes answers with an
            # error before it looks at the key.
            self._redis.set(WRITABLE, b"", nx=True)
            check_format(self._redis)
            self.another_format = None
            self._look_again(self._redis)
        except AnotherFormatError as error:
            self.another_format = str(error)
            return self.another_format
        except UnsuitableServerError as error:
            return str(error)
        except RedisError as error:
            return trouble(error)
        return None

    def _weigh(self, memory: Memory) -> None:
        mark = self._mark.of(memory.limit)
        STORE_BYTES.set(memory.used)
        STORE_MARK.set(mark)
        full = None
        if 0 < mark <= memory.used:
            full = f"This Redis uses {memory.used} bytes, and its mark is {mark}."
        if (full is None) != (self._nearly_full is None):
            if full is None:
                log.info("storage_has_room", used=memory.used, mark=mark)
            else:
                log.error("storage_nearly_full", used=memory.used, mark=mark)
        self._nearly_full = full

    def _judge(self, found: str | None) -> None:
        STORE_UNFIT.set(found is not None)
        if found == self._complaint:
            return
        if found is None:
            log.info("store_fit_again")
        else:
            log.error("store_unfit", reason=found)
        self._complaint = found


def trouble(error: RedisError) -> str:
    """Return an error's text without the server's address, so that everybody may read it."""
    if not isinstance(error, ResponseError):
        return f"This Redis does not answer ({type(error).__name__})."
    if refuses_writes(error):
        return f"This Redis takes no writes: {error}"
    return f"This Redis cannot be checked: {error}"
