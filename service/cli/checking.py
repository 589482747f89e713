"""Checks and repairs the stored games in one process for each core."""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain, islice
from typing import NamedTuple

from service.cli.sharing import shared
from service.ids import is_tournament
from service.runtime import Runtime, open_runtime
from service.settings import Settings
from service.upkeep import maintenance
from service.upkeep.inspection import Finding

AT_ONCE = 50
"""Games in one piece of work; a smaller store is checked by this process alone."""


class StreamsResult(NamedTuple):
    """The findings in some streams, the number of these streams, and how many of them are games."""

    findings: list[Finding]
    streams: int
    games: int


def check(runtime: Runtime, *, repairing: bool) -> Iterator[StreamsResult]:
    """Check all tournaments and games, and then the pending work that belongs to none of them.

    If ``repairing`` is true, also repair what can be repaired.
    """
    store = runtime.ledger.store
    ids = maintenance.stream_ids(store.redis)
    work = iter(lambda: list(islice(ids, AT_ONCE)), [])
    first, second = next(work, []), next(work, None)
    if second is None:
        yield _check(runtime, first, repairing=repairing)
    else:
        do = partial(_check_here, repairing=repairing)
        yield from shared(do, chain((first, second), work), _open, runtime.settings)
    orphans = list(maintenance.check_orphans(store))
    yield StreamsResult(_put_right(runtime, orphans, repairing=repairing), 0, 0)


def count(runtime: Runtime) -> int:
    """Return the number of streams to check."""
    return sum(1 for _id in maintenance.stream_ids(runtime.redis))


_runtime: list[Runtime] = []
"""The runtime of a process of the pool, with a connection of its own."""


def _open(settings: Settings) -> None:
    _runtime.append(open_runtime(settings, announce=False))


def _check_here(ids: Sequence[str], *, repairing: bool) -> StreamsResult:
    return _check(_runtime[-1], ids, repairing=repairing)


def _check(runtime: Runtime, ids: Sequence[str], *, repairing: bool) -> StreamsResult:
    store, registry = runtime.ledger.store, runtime.registry
    findings = [found for name in ids for found in maintenance.check_stream(store, registry, name)]
    games = sum(not is_tournament(name) for name in ids)
    return StreamsResult(_put_right(runtime, findings, repairing=repairing), len(ids), games)


def _put_right(runtime: Runtime, findings: list[Finding], *, repairing: bool) -> list[Finding]:
    for finding in findings:
        if repairing and finding.repairable:
            maintenance.put_right(runtime.ledger.store, runtime.registry, finding)
    return findings
