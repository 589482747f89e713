"""Verifies packs of the archive: the file, its index, and every record in it."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from rules.kernel.canonical import JsonObject
from rules.kernel.proof.newer import UnknownParts, is_name
from rules.kernel.proof.verdicts import NOT_WHOLLY, PACK, Check, Failures, Report
from service.archive.pack import (
    SUFFIX,
    TOURNAMENT,
    Pack,
    PackError,
    Row,
    digest_in,
    facts_of,
    is_private,
    other_histories,
)
from service.archive.places import pack_at
from service.cli.common import load_settings
from service.cli.inputs import PACKS
from service.records.game_file import Record, RecordError
from service.records.tournament_file import TournamentRecord
from service.tournaments.record.export import recorded_game_ids

Track = Callable[[Iterable[Row], int], Iterable[Row]]


MOST_NOTES = 30
"""Maximum number of different notes on records, the most frequent ones."""


class Judges(NamedTuple):
    """How records are verified: a game's alone, and a tournament's with its games, by their ids."""

    game: Callable[[Record], Report]
    tournament: Callable[[TournamentRecord, Collection[str]], Report]


def verify_pack(path: Path, judges: Judges, track: Track) -> Report:
    """Verify a pack; ``track`` iterates over its rows and shows the progress.

    A private one is decrypted with the keys in the settings.

    Raises:
        RecordError: it is not a whole pack.
        OSError: it cannot be read.
    """
    pack = _opened(str(path))
    verified = _Verified(pack, judges)
    file = Check("pack")
    digest = _check_file(file, path, pack)
    for row in track(pack.rows, len(pack.rows)):
        verified.take(row)
    file.failures += verified.strange
    return verified.report(digest, file)


def _opened(file: str) -> Pack:
    keys = load_settings().archive_keys if is_private(file) else ()
    files, name = pack_at(file, keys)
    return Pack(files.opened(name))


def _check_file(check: Check, path: Path, pack: Pack) -> str:
    """Check a pack's name and first bytes, and return its SHA-256 in hex."""
    files, name = pack_at(str(path))
    digest = files.digest(name)
    claimed = digest_in(path.name)
    check.expect(
        claimed in (None, digest),
        f"its name is not that of its bytes, whose SHA-256 is {digest}",
    )
    if claimed is None:
        check.notes.append(f"A pack is named by its SHA-256: this one is {digest}{SUFFIX}.")
    try:
        pack.check_head()
    except PackError as error:
        check.fail(str(error))
    return digest


def _games_of(pack: Pack) -> dict[str, dict[str, Row]]:
    """Return the games in the pack of each tournament, by their ids.

    Some of them may not be in the tournament's record: their blocks did not end, or were abandoned.
    """
    found: dict[str, dict[str, Row]] = {row.id: {} for row in pack.rows if row.kind == TOURNAMENT}
    for row in pack.rows:
        if row.kind != TOURNAMENT and row.facts["tournament"] in found:
            found[row.facts["tournament"]][row.id] = row
    return found


def _recorded(found: Record, here: Mapping[str, Row]) -> list[Row] | None:
    """Return those of the games ``here`` that a tournament's record has; None if some are missing.

    If nobody can follow its events, because they are newer or wrong, it is those that come first.
    """
    try:
        ids = {*recorded_game_ids(found)}
    except RecordError:
        first = [*islice(here.values(), found.header["games"])]
        return first if len(first) == found.header["games"] else None
    return [row for row in here.values() if row.id in ids] if here.keys() >= ids else None


class _Verified:
    """The results of verifying the records of a pack so far."""

    def __init__(self, pack: Pack, judges: Judges) -> None:
        self._pack = pack
        self._games = _games_of(pack)
        self._judges = judges
        self._records = Check("records")
        self._unproved: list[str] = []
        self._newer = UnknownParts(None)
        self._notes: Counter[str] = Counter()
        self._keys: dict[str, JsonObject] = {}
        self._done: set[str] = set()
        """Games that were verified with their tournaments."""
        self.strange: list[str] = Failures()

    def take(self, row: Row) -> None:
        """Verify a record, that of a tournament with its games, if they are all in the pack."""
        if row.id in self._done:
            return
        try:
            found = self._read(row)
            if row.kind == TOURNAMENT:
                self._take_tournament(row, found, _recorded(found, self._games[row.id]))
            else:
                self._judged(row, self._judges.game(found))
        except RecordError as error:
            self._records.fail(str(error))
        except Exception as error:  # noqa: BLE001 - the pack may hold any JSON
            self._records.fail(f"{row.id}: it is not readable: {type(error).__name__} {error}")

    def _take_tournament(self, row: Row, found: Record, games: list[Row] | None) -> None:
        if games is None:
            self._records.checked += 1
            self._unproved.append(f"{row.id}: some of its games are in other packs")
            return
        header, copies, flaws = found
        played = map(self._read, games)
        ids = {game.id for game in games}
        whole = TournamentRecord(header, copies, played, flaws)
        self._judged(row, self._judges.tournament(whole, ids))
        self._done |= ids
        self._records.checked += len(games)

    def _read(self, row: Row) -> Record:
        found = self._pack.record(row)
        facts = facts_of(found.header, found.copies)
        wrong = [name for name, value in facts.items() if row.facts.get(name) != value]
        more = row.facts.keys() - facts.keys()
        wrong += sorted(name for name in more if not is_name(name))
        if wrong:
            self.strange.append(
                f"the index has another {', '.join(sorted(wrong))} of {row.id} than its record"
            )
        unknown = UnknownParts(row.id)
        for name in sorted(filter(is_name, more)):
            unknown.note(None, f"$.{name}", name)
        self._newer.take(unknown)
        return found

    def _judged(self, row: Row, report: Report) -> None:
        self._records.checked += 1
        self._records.failures += [
            f"{row.id}: {check.name}: {failure}"
            for check in report.checks
            for failure in check.failures
        ]
        if report.verdict == NOT_WHOLLY:
            self._unproved.append(f"{row.id}: {'; '.join(report.missing)}")
        self._newer.take(report.newer)
        self._notes.update(report.notes)
        if report.signed_by is not None:
            self._keys[str(report.signed_by["public_key"])] = report.signed_by

    def report(self, digest: str, file: Check) -> Report:
        """Return the report on the whole pack."""
        records, unproved = self._records, self._unproved
        if unproved:
            more = f", and {len(unproved) - 1} more" if len(unproved) > 1 else ""
            records.skipped = f"{unproved[0]}{more}"
        notes = file.notes + [
            f"{note} ({times} records)" if times > 1 else note
            for note, times in self._notes.most_common(MOST_NOTES)
        ]
        if (others := len(self._notes) - MOST_NOTES) > 0:
            notes.append(f"There are {others} other notes on single records.")
        if len(self._keys) > 1:
            notes.append(
                f"It has records with {len(self._keys)} keys, as a service has that imports."
            )
        return Report(
            digest,
            sum(row.facts["version"] for row in self._pack.rows),
            "",
            [file, records],
            notes,
            next(iter(self._keys.values())) if len(self._keys) == 1 else None,
            kind=PACK,
            newer=self._newer,
        )


def strange_histories(files: Sequence[str]) -> dict[str, list[str]]:
    """Return, for each pack, its records of which another pack among ``files`` has another history.

    Files that are no packs are left out: their own verification says what they are.
    """
    packs: list[tuple[str, Pack]] = []
    for file in files:
        if file.endswith(PACKS):
            with suppress(OSError, RecordError):
                packs.append((file, _opened(file)))
    found: dict[str, list[str]] = {}
    for file, sentence in other_histories(packs):
        found.setdefault(file, []).append(sentence)
    return found
