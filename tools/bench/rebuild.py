"""How fast 300 events are read from Redis and folded, against pyeventsourcing in memory."""

import time
from uuid import UUID

from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event

from rules.kernel.contract.registry import Registry
from service.ledger.ledger import Ledger
from service.ledger.store import Store
from tests.scripted import Script
from tools.bench.measure import Row, alternate, at_least

EVENTS = 300
TIMES = 200


class Walk(Aggregate):
    """An aggregate of pyeventsourcing that is as simple as possible."""

    @event("Registered")
    def __init__(self, name: str) -> None:
        self.name = name
        self.steps: list[int] = []

    @event("Stepped")
    def step(self, steps: int) -> None:
        """Count ``steps`` more steps."""
        self.steps.append(steps)


def measure(store: Store, registry: Registry, ruleset: str) -> Row:
    """Return the events a second that we read, decode and fold, divided by pyeventsourcing's."""
    script = Script(registry, ruleset, 3, seed=1)
    version = script.store(store, EVENTS).version
    ledger = Ledger(store, registry)

    application: Application[UUID] = Application()
    walk = Walk("benchmark")
    for steps in range(EVENTS - 1):
        walk.step(steps)
    application.save(walk)

    def ours() -> float:
        start = time.perf_counter()
        for _ in range(TIMES):
            ledger.game_at(script.id, version)
        return version * TIMES / (time.perf_counter() - start)

    def theirs() -> float:
        start = time.perf_counter()
        for _ in range(TIMES):
            application.repository.get(walk.id)
        return EVENTS * TIMES / (time.perf_counter() - start)

    mine, others, ratio = alternate(ours, theirs)
    return at_least(
        "cold rebuild of a 300-event game from Redis against pyeventsourcing in memory, events a"
        " second",
        ratio, 2.0,
        events_per_second=mine, their_events_per_second=others,
    )  # fmt: skip
