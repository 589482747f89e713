"""Verifies a backup: each stream folds without faults, and no game of a tournament is missing."""

from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from rules.kernel.contract.registry import Registry
from rules.kernel.record.game import GAP
from rules.kernel.record.secrets import Secrets
from service.ids import is_tournament
from service.ledger.damage import NO_SECRETS
from service.ledger.raw import RawStream
from service.ledger.store import StoredEvent, whole
from service.ledger.vault import Vault, VaultError
from service.tournaments.tournament import GameResult, Tournament, TournamentDamagedError
from service.upkeep import backup_file
from service.upkeep.backup_file import EntryPage, StoredKey
from service.upkeep.inspection import Finding, inspect_game, inspect_tournament

LACKS_GAME, OTHER_GAME = "lacks_game", "other_game"


class Copy(NamedTuple):
    """A stream in a backup; for a tournament's game, ``result`` is its result in the tournament."""

    stream: RawStream
    pages: list[EntryPage]
    result: GameResult | None = None

    def stored(self) -> list[StoredEvent]:
        """Return the stream's events."""
        entries = chain.from_iterable(page.entries() for page in self.pages)
        return whole(self.stream.id, self.stream.last, entries)


def copies(path: Path, packed: Mapping[str, int]) -> Iterator[Copy | Finding]:
    """Yield the streams of a backup, and a finding for each game that is missing in it.

    ``packed`` is that of its manifest.

    Raises:
        BackupError, OSError: as ``backup_file.items``.
    """
    tournament, results = "", dict[str, GameResult]()
    for copy in _streams(path):
        if is_tournament(copy.stream.id):
            yield from _lacking(results, packed.get(tournament, 0))
            tournament, results = copy.stream.id, _results(copy)
            yield copy
        else:
            yield copy._replace(result=results.pop(copy.stream.id, None))
    yield from _lacking(results, packed.get(tournament, 0))


def _streams(path: Path) -> Iterator[Copy]:
    copy: Copy | None = None
    for _part, item in backup_file.items(path):
        if isinstance(item, EntryPage):
            assert copy is not None  # noqa: S101 - pages follow their stream
            copy.pages.append(item)
            continue
        if copy is not None:
            yield copy
        copy = None if isinstance(item, StoredKey) else Copy(item, [])
    if copy is not None:
        yield copy


def _results(copy: Copy) -> dict[str, GameResult]:
    """Return the results of a tournament's games by id; empty if the tournament is damaged."""
    tournament = Tournament(copy.stream.id)
    try:
        for stored in copy.stored():
            tournament.take(stored.event)
    except TournamentDamagedError:
        return {}
    return {
        game_id: result
        for number, ended in tournament.results.items()
        for game_id, result in zip(
            tournament.game_ids(tournament.blocks[number]), ended, strict=True
        )
    }


def _lacking(results: Mapping[str, GameResult], packed: int) -> Iterator[Finding]:
    """Yield a finding for each game of a tournament that is missing, if more are than ``packed``.

    Those were in packs, and nobody knows which these are.
    """
    if len(results) > packed:
        for game_id in results:
            detail = "its tournament has its result, the backup not the game"
            yield Finding(game_id, LACKS_GAME, detail)


def check(copy: Copy, vault: Vault, registry: Registry) -> list[Finding]:
    """Refold a stream; return the findings."""
    name = copy.stream.id
    try:
        secrets = _secrets(copy.stream, vault)
    except VaultError as error:
        return [Finding(name, NO_SECRETS, str(error))]
    if secrets is None:
        return [Finding(name, NO_SECRETS, "the secrets are missing")]
    events = [event for event, _retry in copy.stored()]
    if is_tournament(name):
        return inspect_tournament(name, secrets, events)[1]
    findings = inspect_game(name, registry, secrets, events).findings
    result = copy.result
    if result is None:
        return findings
    if len(events) < result.version:
        detail = f"it has {len(events)} events, and its tournament tells of {result.version}"
        return [*findings, Finding(name, GAP, detail)]
    if events[result.version - 1].hash.hex() != result.head:
        detail = f"its tournament has another event {result.version}"
        return [*findings, Finding(name, OTHER_GAME, detail)]
    return findings


def _secrets(stream: RawStream, vault: Vault) -> Secrets | None:
    salt, seed = (stream.secrets.get(field) for field in (b"salt", b"chance_seed"))
    if salt is None or seed is None:
        return None
    return Secrets(vault.unwrap(salt, stream.id), vault.unwrap(seed, stream.id))
