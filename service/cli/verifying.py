"""Verifies files of any kind of record; several files are checked in parallel processes."""

import gc
import signal
from collections.abc import Collection, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import cache
from importlib import import_module
from multiprocessing import active_children
from pathlib import Path
from typing import NamedTuple, TypeVar

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.errors import shown
from rules.kernel.contract.registry import Registry
from rules.kernel.proof.damage import counting
from rules.kernel.proof.newer import UnknownParts
from rules.kernel.proof.remarks import BACKDATED
from rules.kernel.proof.verdicts import Check, NotARecordError, Report, guarded
from rules.kernel.proof.verify import verify
from service.archive import pack
from service.archive.pack import Row
from service.archive.places import pack_at
from service.archive.proofs import PackProofs, file_beside
from service.archive.proofs import read as read_proofs
from service.beacons.chains import is_signed
from service.cli import common, console
from service.cli.inputs import as_path, is_piped
from service.cli.packs import Judges, verify_pack
from service.records import checks, tournament_file
from service.records.closed import unchosen
from service.records.decisions import DecisionsCheck
from service.records.game_file import (
    PROOF,
    LaterFormatError,
    Record,
    RecordError,
    RecordLines,
    most_bytes,
    opened,
    read,
)
from service.records.inclusion import as_stream, check_proof
from service.records.receipts import PSEUDONYM_KEY
from service.records.seat_signatures import check_seats
from service.records.tournament_file import TournamentRecord
from service.tlog.keys import VerifierKey
from service.tlog.policies import TrustPolicy
from service.tournaments.record.verify import verify_tournament

RECOMPUTE_MODULE = "workers.recompute"
"""The module that recomputes bots' moves; imported by name, as the service imports no workers."""

UNREADABLE = "unreadable"
T = TypeVar("T")
_TOO_FEW = (
    "Too few of the witnesses that you trust have seen this history: others may be shown another"
    " one."
)
_NOBODY_VOUCHES = "No receipt and no trusted key was given (--receipt, --public-key)."


_NOTHING_TOLD: JsonObject = {
    "verdict": UNREADABLE, "kind": None, "id": None, "version": None, "status": None,
    "newer": [], "missing": [], "signed_by": None, "checks": [], "notes": [],
}  # fmt: skip
"""The report of a file that is no record."""


class VerifyOptions(NamedTuple):
    """Options for checks that go beyond the record's own consistency.

    ``receipt`` is a receipt to compare the record with, ``public_key`` is the key that must have
    signed, and ``bots`` asks for the bots' moves to be computed again. ``before`` is the record of
    the part before, of an endless tournament. ``log_keys`` are those of a public log and its
    witnesses, for the proof that a record has, and ``policy`` says which witnesses are enough.
    """

    receipt: JsonObject | None = None
    public_key: str | None = None
    bots: bool = False
    before: Path | None = None
    log_keys: Sequence[VerifierKey] = ()
    policy: TrustPolicy | None = None

    @property
    def proof_keys(self) -> Sequence[VerifierKey]:
        """The keys of a public log and of all its trusted witnesses."""
        witnesses = () if self.policy is None else self.policy.witnesses.values()
        return [*dict.fromkeys((*self.log_keys, *witnesses))]


class FileReport(NamedTuple):
    """The outcome for one file: a report, or the reason why it cannot be read."""

    file: str
    report: Report | None
    error: str = ""

    @property
    def verdict(self) -> str:
        """The report's verdict, or UNREADABLE."""
        return UNREADABLE if self.report is None else self.report.verdict

    def to_json(self) -> JsonObject:
        """Return the outcome as one JSON object (docs/verify.schema.json)."""
        told = _NOTHING_TOLD if self.report is None else self.report.to_json()
        error = {"error": text_of(self.error)} if self.report is None else {}
        return {"file": text_of(self.file), **told, **error}


def verify_file(
    file: str, asked: VerifyOptions, registry: Registry, *, bar: bool = False
) -> FileReport:
    """Verify a record; ``bar`` shows the progress of a tournament's games on the terminal."""
    try:
        with as_path(file) as path, no_collecting():
            return FileReport(file, _verify(path, asked, registry, bar=bar))
    except RecordError as error:
        return FileReport(file, None, f"{file} is {error}.")
    except OSError as error:
        return FileReport(file, None, f"{file} cannot be read: {error.strerror or error}.")


def verify_files(files: Sequence[str], asked: VerifyOptions) -> Iterator[FileReport]:
    """Verify records in one process for each core; yield in the order of ``files``.

    Input from a pipe is read by this process, because the others do not have the pipe.
    """
    with ProcessPoolExecutor(min(len(files), common.cores()), initializer=leave_ctrl_c) as pool:
        with _ctrl_c_later():
            elsewhere = {
                file: pool.submit(_verify_one, asked, file) for file in files if not is_piped(file)
            }
        try:
            for file in files:
                yield elsewhere[file].result() if file in elsewhere else _verify_one(asked, file)
        except (KeyboardInterrupt, GeneratorExit):
            for process in active_children():
                process.terminate()  # an interrupted verification is not continued
            raise


@contextmanager
def _ctrl_c_later() -> Iterator[None]:
    """Block SIGINT, so that a starting process does not end with a traceback."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def leave_ctrl_c() -> None:
    """Ignore SIGINT in this worker process.

    The process that waits for the workers reports the interruption.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def verify_game(record: Record, asked: VerifyOptions, registry: Registry) -> Report:
    """Check a game's record: its encoding, its header, and its events."""
    record = record._replace(copies=counting(record.copies))
    report = verify(record.game_id, record.copies, registry, is_signed=is_signed)
    newer = report.newer
    own = [
        guarded("lines", lambda: checks.check_lines(record)),
        guarded("header", lambda: checks.check_header(record, newer)),
        guarded("viewer", lambda: checks.check_viewer(record, newer)),
    ]
    if PROOF in record.header:
        _check_proof(own[1], record, report, asked)
    kept, key = asked.receipt, asked.public_key
    if kept is None and key is None:
        report.notes.insert(0, _NOBODY_VOUCHES)
    else:
        own.append(guarded("receipt", lambda: checks.check_signatures(record, kept, key, newer)))
    report.checks[:0] = own
    signed = guarded("signatures", lambda: check_seats(record, newer))
    if signed.begun:
        report.checks.append(signed)
        report.notes += signed.notes
    if asked.bots and newer.since:
        report.checks.append(Check("bots", skipped=newer.why()))
    elif asked.bots:
        recomputed = guarded("bots", lambda: _recompute(record, registry))
        report.checks.append(recomputed)
        report.notes += recomputed.notes
    report.notes += checks.unwitnessed(record.header)
    report.notes += checks.future(record.copies)
    report.signed_by = checks.signed_by(record.header, key)
    return report


def _check_proof(header: Check, record: Record, report: Report, asked: VerifyOptions) -> None:
    """Check a record's proof; add to the notes of its report what it says.

    If witnesses saw a game in time that waited for a beacon, nobody could date it back.
    """
    proved = check_proof(header, record, asked.proof_keys)
    if proved.said:
        report.notes.append(proved.said)
        if asked.policy is not None and not asked.policy.is_met(proved.seen):
            report.notes.append(_TOO_FEW)
    if BACKDATED in report.notes and report.ok:
        is_public = PSEUDONYM_KEY not in record.header[PROOF]
        said = unchosen(record.copies, proved.waiting_seen, asked.policy, is_public=is_public)
        if said is not None:
            report.notes[report.notes.index(BACKDATED)] = said


def _verify(path: Path, asked: VerifyOptions, registry: Registry, *, bar: bool) -> Report:
    try:
        if pack.is_private(path.name):
            return _verify_pack(path, asked, registry, bar=bar)
        with opened(path) as lines:
            header = RecordLines(lines, most_bytes(path)).next()
        if str(header.get("export")).startswith(pack.FORMATS):
            pack.expect_pack(header)
            return _verify_pack(path, asked, registry, bar=bar)
        if header.get("export") != tournament_file.EXPORT and asked.before is None:
            return verify_game(read(path), asked, registry)
    except LaterFormatError as error:
        newer = UnknownParts(None)
        newer.note(None, "$.export", error.export)
        return Report("", 0, "", [], kind=None, newer=newer)
    except pack.PackError as error:
        raise RecordError(f"no whole pack: {error}") from None
    except (RecordError, NotARecordError) as error:
        raise RecordError(f"no record of a game: {error}") from None
    try:
        return _verify_tournament(path, asked, registry, bar=bar)
    except (RecordError, NotARecordError, EOFError) as error:
        raise RecordError(f"no record of a tournament: {error}") from None


def _verify_pack(path: Path, asked: VerifyOptions, registry: Registry, *, bar: bool) -> Report:

    def track(rows: Iterable[Row], count: int) -> Iterator[Row]:
        yield from _tracked(rows, count, "Records", bar=bar)

    if asked.before is not None:
        raise RecordError("a pack, and --before is for the record of a tournament")
    kept = None if asked.receipt is None else asked.receipt.get("game_id")
    compared = Check("receipt", 1)

    def own(ids: Collection[str]) -> VerifyOptions:
        if kept in ids:
            compared.failures.clear()
            return asked
        return asked._replace(receipt=None)

    proofs = PackProofs({})
    if not pack.is_private(path.name) and file_beside(path).is_file():
        files, name = pack_at(str(path))
        proofs = read_proofs(path, files.digest(name))

    def game(found: Record) -> Report:
        found = found._replace(header=proofs.added(found.header, found.game_id))
        return verify_game(found, own([found.game_id]), registry)

    def tournament(found: TournamentRecord, games: Collection[str]) -> Report:
        id_ = found.header["tournament_id"]
        played = (one._replace(header=proofs.added(one.header, one.game_id)) for one in found.games)
        found = found._replace(header=proofs.added(found.header, id_), games=played)
        mine = own([id_, *games])
        return _judged_tournament(found, None, mine, registry, bar=False)

    compared.failures.append(f"the receipt is for {shown(kept)}, which the pack does not have")
    report = verify_pack(path, Judges(game, tournament), track)
    if proofs.wrong:
        report.checks[0].failures.append(proofs.wrong)
    if asked.receipt is not None:
        report.checks.append(compared)
    return report


def _verify_tournament(
    path: Path, asked: VerifyOptions, registry: Registry, *, bar: bool
) -> Report:
    with ExitStack() as files:
        found = files.enter_context(tournament_file.reading(path))
        reading = asked.before and tournament_file.reading(asked.before)
        before = files.enter_context(reading) if reading else None
        return _judged_tournament(found, before, asked, registry, bar=bar)


def _judged_tournament(
    found: TournamentRecord,
    before: TournamentRecord | None,
    asked: VerifyOptions,
    registry: Registry,
    *,
    bar: bool,
) -> Report:

    proofs = Check("header")
    held = 0

    def progress(games: Iterator[Record], count: int) -> Iterator[Record]:
        nonlocal held
        for game in _tracked(games, count, "Games", bar=bar):
            if PROOF in game.header:
                own = Check("header")
                held += bool(check_proof(own, game, asked.proof_keys).said)
                proofs.failures += (f"{game.game_id}: {failure}" for failure in own.failures)
            yield game

    def recompute(game: Record) -> DecisionsCheck:
        return _recompute(game, registry)

    report = verify_tournament(
        found,
        registry,
        receipt=asked.receipt,
        public_key=asked.public_key,
        check_bots=recompute if asked.bots else None,
        before=before,
        progress=progress,
    )
    header = next(check for check in report.checks if check.name == "header")
    if PROOF in found.header:
        stream = as_stream(found.header, found.copies)
        _check_proof(header, stream, report, asked)
    header.failures += proofs.failures
    if held:
        report.notes.append(f"The public log has the histories of {held} of its games, too.")
    report.notes += checks.future(found.copies)
    report.signed_by = checks.signed_by(found.header, asked.public_key)
    return report


def _tracked(items: Iterable[T], count: int, label: str, *, bar: bool) -> Iterator[T]:
    """Yield items; with ``bar``, the terminal shows how many are done."""
    if not bar:
        yield from items
        return
    with console.progress() as progress:
        yield from progress.track(items, count, description=label)


def _recompute(record: Record, registry: Registry) -> DecisionsCheck:
    check: DecisionsCheck = import_module(RECOMPUTE_MODULE).check_bots(
        record.game_id, record.copies, registry
    )
    return check


@contextmanager
def no_collecting() -> Iterator[None]:
    """Turn garbage collection off: a record has no cycles, so it would find nothing."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def text_of(name: str) -> str:
    """Return a file's name as JSON text; undecodable bytes are escaped."""
    return name.encode(errors="backslashreplace").decode()


def load(*, bots: bool) -> Registry:
    """Return the rulesets, and install the bots too if ``bots`` is true. Raises Failure."""
    if bots:
        common.bots_module()
    return common.load_registry()


@cache
def load_once(bots: bool) -> Registry:  # noqa: FBT001 - what a process is told once
    """Return what ``load`` does; a process loads it once. Raises Failure."""
    return load(bots=bots)


def _verify_one(asked: VerifyOptions, file: str) -> FileReport:
    return verify_file(file, asked, load_once(asked.bots))
