"""Is killed where it has a choice, as by a machine without memory.

With KILLED_ONCE, the path of a file, that is so as long as there is the file, which it takes away;
if a number is in it, after so many seconds.
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
