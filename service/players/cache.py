"""A process's cache of players and keys, for a minute at most."""

import time
from threading import Lock
from typing import Generic, Protocol, TypeVar

CACHE_SECONDS = 60.0
CACHE_SIZE = 10_000


class _Named(Protocol):
    @property
    def id(self) -> str: ...


T = TypeVar("T", bound=_Named)


class Cache(Generic[T]):
    """Values by name; a value read before an invalidation is not stored after it."""

    def __init__(self) -> None:
        self._found: dict[str, tuple[float, T]] = {}
        self._lock = Lock()
        self.turn = 0
        """Number of invalidations; read it before you read the value that you want to ``put``."""

    def get(self, name: str) -> T | None:
        """Return the cached value, None if there is none."""
        found = self._found.get(name)
        return found[1] if found is not None and found[0] > time.monotonic() else None

    def put(self, name: str, thing: T, turn: int) -> None:
        """Store a value, unless values were forgotten after it was read.

        ``turn`` is the number that ``self.turn`` had before the value was read from the store.
        """
        with self._lock:
            if turn != self.turn:
                return
            if len(self._found) >= CACHE_SIZE:
                self._found.clear()
            self._found[name] = (time.monotonic() + CACHE_SECONDS, thing)

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self.turn += 1
            self._found.clear()

    def forget(self, ids: set[str]) -> None:
        """Remove the values with these ids."""
        with self._lock:
            self.turn += 1
            gone = [name for name, (_until, thing) in self._found.items() if thing.id in ids]
            for name in gone:
                del self._found[name]
