"""The process that sends webhooks (``service.webhooks.sending``), and a port for its operator."""

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
"""The name under which the sender's beats are noted."""

SEEN_SECONDS = 5.0
"""Seconds between two reports to the store that a sender exists."""


class Presence:
    """Reports to the store, every few seconds, that a sender exists."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._again = 0.0

    def note(self) -> None:
        """Report if it is time; reports are lost while the store is unavailable."""
        if time.monotonic() < self._again:
            return
        self._again = time.monotonic() + SEEN_SECONDS
        with suppress(RedisError):
            self._runtime.redis.set(SENDER_SEEN, self._runtime.ledger.store.clock.now_ms())


def send(found: Settings) -> None:
    """Send until SIGTERM or SIGINT, then finish the current messages."""
    beats = Beats(QUEUE, loops=(SENDER,))
    runtime = open_store(found, wait=True)
    asker = Asker(found.outbound, SECONDS)
    presence = Presence(runtime)

    def beat() -> None:
        beats.note(SENDER)
        presence.note()

    sender = Sender(runtime.redis, runtime.webhooks, asker, beat)
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
    os.environ.setdefault(
        "RES_OPTIONS", "timeout:2 attempts:2"
    )  # so that look-ups end soon (resolv.conf(5))
    gevent.config.threadpool_size = QUICK_AT_ONCE + SLOW_AT_ONCE  # each look-up needs a thread
    sys.exit(exit_code_of(send))
