"""Kills its own process at a choice, as the kernel does if memory runs out.

If KILLED_ONCE names a file, it does so only while the file exists, and deletes the file first. A
number in the file is the delay in seconds.
"""

import os
import signal
import time
from pathlib import Path

from service.catalogue.bots import BotOffer
from tests.bots.choices import at_choices

BOT = BotOffer("killed", "1")


@at_choices
def choose() -> None:
    once = os.environ.get("KILLED_ONCE")
    if once is not None:
        if not Path(once).exists():
            return
        time.sleep(float(Path(once).read_text() or 0))
        Path(once).unlink()
    os.kill(os.getpid(), signal.SIGKILL)
