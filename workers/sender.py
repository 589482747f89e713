"""The process that sends to webhooks: ``service.webhooks.sending`` and a port for its operator."""

import os
import signal
import sys
from functools import partial
from types import FrameType

from service.outbound.asking import Asker
from service.settings import Settings
from service.webhooks.sending import SECONDS, Sender
from workers.beats import SENDER, Beats
from workers.port import open_port
from workers.starting import exit_code_of, open_store

QUEUE = "webhooks"
"""What its beats are called."""


def send(found: Settings) -> None:
    """Send until told to stop, and what is being sent to its end."""
    beats = Beats(QUEUE, loops=(SENDER,))
    runtime = open_store(found, wait=True)
    asker = Asker(found.outbound, SECONDS)
    sender = Sender(runtime.redis, runtime.webhooks, asker, partial(beats.note, SENDER))
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
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # until the sender's own is set
    os.environ.setdefault(
        "RES_OPTIONS", "timeout:2 attempts:2"
    )  # look-ups end soon (resolv.conf(5))
    sys.exit(exit_code_of(send))
