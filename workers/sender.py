"""The process that sends webhooks (``service.webhooks.sending``), with a port for the operator."""

import os
import signal
import sys
import time
from contextlib import suppress
from types import FrameType

import gevent
from redis.exceptions import RedisError

from service.outbound.asking import Asker
from service.redis.keys import SENDER_SEEN
from service.runtime import Runtime
from service.settings import Settings
from service.webhooks.sending import QUICK_AT_ONCE, SECONDS, SLOW_AT_ONCE, Sender
from workers.beats import SENDER, Beats
from workers.port import open_port
from workers.starting import exit_code_of, open_store

QUEUE = "webhooks"
"""The sender's name instead of a queue, in the metrics of its heartbeats."""

SEEN_SECONDS = 5.0
"""Seconds between two reports to the store that a sender runs."""


class Presence:
    """Tells the store, every few seconds, that a sender runs."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._again = 0.0

    def note(self) -> None:
        """Report, if it is time; while the store is unavailable, reports are lost."""
        if time.monotonic() < self._again:
            return
        self._again = time.monotonic() + SEEN_SECONDS
        with suppress(RedisError):
            self._runtime.redis.set(SENDER_SEEN, self._runtime.ledger.store.clock.now_ms())


def send(found: Settings) -> None:
    """Send messages until SIGTERM or SIGINT, then finish those in progress."""
    beats = Beats(QUEUE, loops=(SENDER,))
    runtime = open_store(found, wait=True)
    asker = Asker(found.outbound, SECONDS)
    presence = Presence(runtime)

    def beat() -> None:
        beats.note(SENDER)
        presence.note()

    sender = Sender(runtime.redis, runtime.webhooks, runtime.browsers, asker, beat)
    port = open_port(found, beats)

    def stop(_signum: int, _frame: FrameType | None) -> None:
        sender.stop()

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    try:
        sender.run()
    finally:
        if port is not None:
            port.close()


if __name__ == "__main__":
    # This handler applies until ``send`` installs its own.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    # Look-ups of host names should end soon (resolv.conf(5)), and each occupies a thread.
    os.environ.setdefault("RES_OPTIONS", "timeout:2 attempts:2")
    gevent.config.threadpool_size = QUICK_AT_ONCE + SLOW_AT_ONCE
    sys.exit(exit_code_of(send))
