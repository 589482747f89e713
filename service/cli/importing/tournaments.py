"""Verifies a tournament's record, then stores it game by game.

The file is read twice, so that nothing is stored before all of it is proved. The first pass keeps a
digest of each game, so that a replaced file is noticed.
"""

from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from rules.kernel.canonical import JsonObject
from rules.kernel.record.events import from_copy
from service.cli.common import Failure
from service.cli.importing.admission import (
    ImportOptions,
    RefusedRecord,
    expect_proved,
    origin_of,
    outcome_of,
    trusted_key,
)
from service.cli.verifying import no_collecting
from service.ids import SHARDS, TOURNAMENT_ID, shard_of
from service.ledger.imports import DONE, OTHER, Imports
from service.records import tournament_file
from service.records.game_file import Record, RecordError, secrets_of, written
from service.records.tournament_file import TournamentRecord
from service.redis.format import NEWEST, level_of
from service.runtime import Runtime
from service.tournaments.record.imports import LostMeanwhileError, TournamentImports
from service.tournaments.record.verify import verify_tournament
from service.tournaments.tournament import Tournament

Track = Callable[[Iterator[Any], int, str], Iterator[Any]]
"""Iterates over a known number of items, and shows the progress under a label."""


class TournamentFile:
    """A tournament's record; ``id`` is the tournament's."""

    def __init__(self, path: Path, asked: ImportOptions, runtime: Runtime, track: Track) -> None:
        """Open the file. Raises RecordError if it is not a record, OSError if it cannot be read."""
        self._path = path
        self._asked = asked
        self._runtime = runtime
        self._track = track
        self._digests: list[bytes] = []
        with tournament_file.reading(path) as found:
            self._header = found.header
        self.id: str = self._header["tournament_id"]

    def store(self) -> str:
        """Store the tournament and its games, if it is over, proved, and signed by a trusted key.

        Return IMPORTED if this call stored the tournament, or ALREADY_HERE if it was stored before.

        Raises:
            RefusedRecord: a condition fails, or the store has another record under the id of the
                tournament or of one of its games.
            RecordError, OSError: the file is not a record, or was changed meanwhile.
            Failure: the store is nearly full, or has lost data.
        """
        if level_of(self._runtime.redis) != NEWEST:  # 0.2.0 knows no imported tournaments
            raise RefusedRecord(
                "processes of an older release, which would rate it, may run on this store: finish"
                " the upgrade first (lonja admin finish-upgrade)"
            )
        copies = self._verify()
        tournament = Tournament(self.id)
        for copy in copies:
            tournament.take(from_copy(copy))
        imports = TournamentImports(self._runtime.ledger.store)
        for game_id, is_here in imports.unlike(tournament):
            if is_here:
                raise RefusedRecord(f"another history of its game {game_id} is here")
        kept = imports.reserve(tournament)
        if kept != DONE:
            return self._outcome(kept)
        at = self._runtime.ledger.store.clock.now()
        self._put_games(at)
        origin = origin_of(self._header, self._asked, at, self._runtime)
        secrets = secrets_of(copies)
        try:
            found = imports.put(tournament, copies, secrets, origin, self._header["report"])
        except LostMeanwhileError as error:
            raise Failure(f"{self.id} is not imported: {error}. Repeat the command.") from None
        return self._outcome(found)

    def _outcome(self, found: str) -> str:
        return outcome_of(found, f"tournament than {self.id}")

    def _verify(self) -> Sequence[JsonObject]:
        """Return the tournament's events, if everything in the file is proved."""
        key = trusted_key(self._header, self._asked)
        with tournament_file.reading(self._path) as found, no_collecting():
            self._expect_same(found)
            report = verify_tournament(
                found, self._runtime.registry, public_key=key, progress=self._noting
            )
        expect_proved(report)
        if not TOURNAMENT_ID.match(self.id) or shard_of(self.id) >= SHARDS:
            raise RefusedRecord(f"no stored tournament has an id like {self.id!r:.80}")
        return found.copies

    def _noting(self, games: Iterator[Record], count: int) -> Iterator[Record]:
        for game in self._track(games, count, "Verifying"):
            self._digests.append(_digest(game))
            yield game

    def _put_games(self, at: str) -> None:
        runtime = self._runtime
        imports = Imports(runtime.ledger.store, runtime.registry)
        with tournament_file.reading(self._path) as found:
            self._expect_same(found)
            games = zip(found.games, self._digests, strict=True)
            for game, proved in self._track(games, len(self._digests), "Storing"):
                if _digest(game) != proved:
                    raise RecordError(f"it was changed meanwhile: {game.game_id} is another")
                if full := runtime.health.nearly_full():
                    raise Failure(f"{self.id} is not imported yet: {full}")
                origin = origin_of(game.header, self._asked, at, runtime)
                events = [from_copy(copy) for copy in game.copies]
                put = imports.put_of_tournament(
                    game.game_id, events, secrets_of(game.copies), origin
                )
                if put == OTHER:
                    raise RefusedRecord(f"another history of its game {game.game_id} is here")

    def _expect_same(self, found: TournamentRecord) -> None:
        if found.header != self._header:
            raise RecordError("it was changed meanwhile: its header is another")


def _digest(game: Record) -> bytes:
    made = sha256(written(game.header))
    for copy in game.copies:
        made.update(written(copy))
    return made.digest()
