"""A worker whose own code hangs: ``lookahead`` sleeps at its first choice."""

import sys
import time
from typing import Any

from workers import bots, worker
from workers.bots.bot import Choice


def sleep(_ruleset: Any, _information: Any, _seat: int, legal: Any, *_rest: Any) -> Choice:
    if len(legal) > 1:
        time.sleep(3600)
    return Choice(legal[0], 0, {})


if __name__ == "__main__":
    bots.FUNCTIONS["lookahead", "1"] = sleep  # type: ignore[assignment]  # named otherwise
    sys.exit(worker.main())
