"""Is killed where it has a choice, as by a machine without memory.

With KILLED_ONCE, the path of a file, that is so as long as there is the file, which it takes away.
"""

import os
import signal
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.move import Move
from rules.kernel.contract.ruleset import Ruleset
from service.catalogue.bots import BotOffer
from workers.bots.bot import BotRandom, Choice

BOT = BotOffer("killed", "1")


def choose(
    ruleset: Ruleset[Any],
    information: JsonObject,
    seat: int,
    legal: Sequence[Move[Any]],
    rng: BotRandom,
    settings: Mapping[str, Any],
) -> Choice:
    once = os.environ.get("KILLED_ONCE")
    if len(legal) > 1 and (once is None or Path(once).exists()):
        if once is not None:
            Path(once).unlink()
        os.kill(os.getpid(), signal.SIGKILL)
    return Choice(legal[rng.randrange(len(legal))], 0, {})
