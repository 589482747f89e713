"""Lets games leave the store when they have to: once a day by their age, or because it is full.

`lonja archive move --due` does the work.
"""

from rules.kernel.canonical import JsonObject
from service.players.keys import DAY_MS
from service.redis.keys import meta_key
from service.runtime import Runtime
from service.upkeep.due import Due, has_passed, last_run
from workers.leased_run import OURS, LeasedRun

ARCHIVING = (*OURS, "archive", "move", "--due", "--json")

_FULL_AGAIN_MS = 600_000
"""Minimum time between the beginnings of two runs because the store is full."""


class Archiver(LeasedRun):
    """Lets games leave the store, if there is a place of packs."""

    name = "archive_run"
    lease = meta_key("archiver")

    def __init__(self, command: tuple[str, ...] = ARCHIVING) -> None:
        super().__init__(command)

    def is_due(self, runtime: Runtime) -> bool:
        last = last_run(runtime.redis)
        now = runtime.ledger.store.clock.ask()
        if last is None or has_passed(last.at, DAY_MS, now):
            return True
        excess = Due.of(runtime.settings).excess
        return now >= last.at + _FULL_AGAIN_MS and excess(runtime.redis) > 0

    def result(self, runtime: Runtime) -> JsonObject:
        last = last_run(runtime.redis)
        return {} if last is None else last._asdict()
