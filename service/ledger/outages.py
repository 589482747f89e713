"""When the service was away: no web process answered, or the store did not.

Nobody could be asked then, or answer. So clocks stand still in these times (``Ledger``). Every web
process says every second that it answers. If none did for ``SILENT_MS``, the time since the last
sign of life is an outage, by the clock of the store. It ends with the next sign of life.
"""

import time
from importlib import resources
from typing import Any, NamedTuple

from redis import Redis

from service.redis.keys import meta_key
from service.redis.scripts import Script

ANSWERED, OUTAGES = meta_key("answered"), meta_key("outages")
"""The time of the last sign of life (ms since 1970), and the newest outages, by their end."""

SIGN_SECONDS = 1.0
"""The interval between two signs of life of a web process."""

SILENT_MS = 4_000
"""Silence from which on it is an outage. A busy machine delays signs of life, too."""

KEPT = 256
"""Number of outages that are kept. Earlier ones count no more, for nobody thinks for so long."""

_LOOK_SECONDS = 1.0
_SCRIPT = resources.files("service.ledger").joinpath("outages.lua").read_text()


class Outage(NamedTuple):
    """A time in which the service was away (ms since 1970)."""

    since: int
    until: int

    def within(self, since: int, until: int) -> int:
        """Return for how much (ms) of another time the service was away."""
        return max(0, min(self.until, until) - max(self.since, since))


class Outages:
    """The outages of one store, as this process knows them."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._script = Script(redis, _SCRIPT)
        self._answers = False
        self._newest = ""
        self._known: tuple[Outage, ...] = ()
        self._since: int | None = None
        self._looked = -_LOOK_SECONDS

    def say_alive(self) -> None:
        """Record a sign of life of this web process. From now on, each look records one, too."""
        self._answers = True
        self._look()

    def ended_after(self, ms: int) -> tuple[Outage, ...]:
        """Return the outages that ended after a time, the earliest first."""
        self._look_if_time()
        return tuple([outage for outage in self._known if outage.until > ms])

    def is_away(self) -> bool:
        """Whether the service is away now, so that nobody can answer it."""
        self._look_if_time()
        return self._since is not None

    def _look_if_time(self) -> None:
        if time.monotonic() >= self._looked + _LOOK_SECONDS:
            self._look()

    def _look(self) -> None:
        asked: Any = self._script([ANSWERED, OUTAGES], [int(self._answers), SILENT_MS, KEPT])
        newest, since = (str(part, "ascii") for part in asked)
        if newest != self._newest:
            found: Any = self._redis.zrange(OUTAGES, 0, -1)
            self._known = tuple([_outage(str(one, "ascii")) for one in found])
            self._newest = newest
        self._since = int(since) or None
        self._looked = time.monotonic()


def _outage(told: str) -> Outage:
    since, _, until = told.partition("-")
    return Outage(int(since), int(until))
