"""A follower process that kills itself: ``python -m tests.faults.follower URL STEP N``.

It dies when it reaches the step for the Nth time. Without a step, it runs until it is killed.
"""

import os
import signal
import sys
from collections.abc import Callable
from typing import Any

from service.following import lease, telling
from service.following.cursors import FeedCursors
from service.following.follower import Follower
from service.ledger import feeds
from service.redis.scripts import Script
from tests import running

STEPS = ("read", "write", "wake", "note", "noted")
"""The steps at which a follower is killed: it has read entries; has written some notices; has
written all; has woken the readers; has moved the cursors."""
LEASE_MS = 2_000


class _Victim:
    """Kills this process at the Nth call."""

    def __init__(self, step: str, times: int) -> None:
        self._step = step
        self._left = times

    def hit(self, step: str) -> None:
        if step == self._step:
            self._left -= 1
            if self._left == 0:
                os.kill(os.getpid(), signal.SIGKILL)


def _patch(victim: _Victim) -> None:
    read, move, take = feeds.read, FeedCursors.move, telling.NoticeWriter.take
    each = Script.each

    def reading(*args: Any, **kwargs: Any) -> Any:
        found = read(*args, **kwargs)
        if found:
            victim.hit("read")
        return found

    def writing(self: Any, calls: Any, *beside: Any) -> Any:
        known = [*calls]
        if not _tells(self):
            return each(self, known, *beside)
        answers = []
        for call in known:
            answers += each(self, [call])
            victim.hit("write")
        victim.hit("wake")
        return answers

    def taking(self: Any, *args: Any) -> None:
        take(self, *args)
        victim.hit("note")

    def moving(self: Any, *args: Any) -> None:
        move(self, *args)
        victim.hit("noted")

    _set(feeds, "read", reading)
    _set(Script, "each", writing)
    _set(telling.NoticeWriter, "take", taking)
    _set(FeedCursors, "move", moving)


def _tells(script: Any) -> bool:
    return bool(script._text == telling._SCRIPT)


def _set(where: Any, name: str, by: Callable[..., Any]) -> None:
    setattr(where, name, by)


def main(url: str, step: str = "", times: str = "1") -> None:
    _patch(_Victim(step, int(times)))
    lease.LEASE_MS, lease.RENEW_SECONDS = LEASE_MS, 0.3
    runtime = running.runtime_on(url)
    consumer = telling.NoticeWriter(runtime.redis, runtime.ledger)
    Follower(
        runtime.redis, runtime.ledger.store, consumer, block_ms=100, standby_seconds=0.05
    ).run()


if __name__ == "__main__":
    main(*sys.argv[1:])
