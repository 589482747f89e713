"""Reads a share of the packs again once a day, and heals what is lost.

`lonja archive scrub --due` does the work.
"""

from rules.kernel.canonical import JsonObject
from service.ledger.places import PACKS
from service.players.keys import DAY_MS
from service.redis.keys import meta_key
from service.runtime import Runtime
from service.upkeep.due import has_passed
from service.upkeep.scrub import last_scrub
from workers.leased_run import OURS, LeasedRun

SCRUBBING = (*OURS, "archive", "scrub", "--due", "--json")


class DailyScrub(LeasedRun):
    """Scrubs packs, if games have left the store for some."""

    name = "scrub"
    lease = meta_key("scrubber")

    def __init__(self, command: tuple[str, ...] = SCRUBBING) -> None:
        super().__init__(command)

    def is_due(self, runtime: Runtime) -> bool:
        if not runtime.redis.exists(PACKS):
            return False
        last, now = last_scrub(runtime.redis), runtime.ledger.store.clock.ask()
        return last is None or has_passed(last.at, DAY_MS, now)

    def result(self, runtime: Runtime) -> JsonObject:
        last = last_scrub(runtime.redis)
        return {} if last is None else last._asdict()
