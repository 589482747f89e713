"""Rebuilds derived data from the streams of a restored store, on all cores."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from service.cli.sharing import shared
from service.games.listing import GameList
from service.ids import is_tournament
from service.runtime import Runtime, open_runtime
from service.settings import Settings
from service.tournaments.tournament import TournamentDamagedError
from service.upkeep import maintenance
from service.upkeep.inspection import Finding

AT_ONCE = 50
"""Streams in one piece of work."""


class RederivedResult(NamedTuple):
    """The faults that cannot be repaired, and the number of streams that were read."""

    findings: list[Finding]
    streams: int


def derive(settings: Settings) -> Iterator[RederivedResult]:
    """Refold all games and tournaments; rebuild pending work, indexes, lists and standings."""
    runtime = open_runtime(settings, announce=False, restoring=True)
    ids = iter(sorted(set(maintenance.stream_ids(runtime.redis))))
    work = iter(lambda: list(islice(ids, AT_ONCE)), [])
    return shared(_derive, work, _open, settings)


_runtime: list[Runtime] = []
"""The runtime of a process of the pool, with a connection of its own."""


def _open(settings: Settings) -> None:
    _runtime.append(open_runtime(settings, announce=False, restoring=True))


def _derive(ids: Sequence[str]) -> RederivedResult:
    runtime = _runtime[-1]
    store, registry = runtime.ledger.store, runtime.registry
    games = GameList(runtime.redis, runtime.ledger)
    left: list[Finding] = []
    for name in ids:
        for finding in maintenance.check_stream(store, registry, name):
            if finding.repairable:
                maintenance.put_right(store, registry, finding)
            else:
                left.append(finding)
        games.list_again(name)
        if is_tournament(name):
            _stand_again(runtime, name)
    return RederivedResult(left, len(ids))


def _stand_again(runtime: Runtime, tournament_id: str) -> None:
    try:
        runtime.standings.make_again(runtime.director.find(tournament_id))
    except TournamentDamagedError:
        return  # a finding reports the damage
