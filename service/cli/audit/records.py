"""Verifies records in processes, and compares them with the leaves of the log."""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path
from typing import NamedTuple

from rules.kernel.canonical import JsonObject
from rules.kernel.proof.verdicts import FAILED
from service.auditing.ahead import ahead
from service.auditing.dates import BackDatedEvent, dated_back
from service.auditing.fates import Id
from service.cli import common
from service.cli.audit.asking import FetchedRecord, Service
from service.cli.verifying import UNREADABLE, VerifyOptions, leave_ctrl_c, load_once, verify_file
from service.records import game_file, tournament_file
from service.records.game_file import Record, RecordError
from service.records.promises import HASHED
from service.records.tournament_file import TournamentRecord

_DOWNLOADS = 2
"""Number of records that a service sends to one address at the same time."""
_FEW = 8
"""Number of records up to which further processes would cost more than they save."""
_BUSY_SECONDS = 60.0
_REASONS = 3
_LEAVES = """
SELECT leaves.seq, leaves.hash FROM leaves JOIN ids ON ids.number = leaves.id
WHERE ids.id = ? AND leaves.standing = 1 ORDER BY leaves.seq
"""


class HistoryCheck(NamedTuple):
    """A history in a record, and its log: ``wrong`` is the ``seq`` of the first leaf that differs.

    ``is_logged`` says whether the log has any leaf of it. If the record has the event ``wrong``,
    ``before`` is its hash there, and ``headers`` are those of the events after it, which lead to
    the head of the record's ``receipt``. ``back`` is an event that is dated back.
    """

    id: str
    version: int
    wrong: int | None = None
    before: str | None = None
    headers: Sequence[JsonObject] = ()
    receipt: JsonObject | None = None
    public_key: str = ""
    is_logged: bool = True
    back: BackDatedEvent | None = None


class RecordVerdict(NamedTuple):
    """A record that was verified; without one, only what was ``fetched``.

    ``compared`` are its own history, and those of the games of a tournament.
    """

    id: Id
    fetched: FetchedRecord
    verdict: str = UNREADABLE
    why: str = ""
    compared: Sequence[HistoryCheck] = ()


class _Job(NamedTuple):
    id: Id
    fetched: FetchedRecord
    state: Path
    public_key: str | None


def judged_records(
    service: Service, ids: Iterable[Id], count: int, folder: Path, public_key: str | None
) -> Iterator[RecordVerdict]:
    """Fetch the records of about ``count`` ids, and verify them in a process for each core.

    ``folder`` is that of the auditor's memory.
    """

    def fetch(id_: Id) -> _Job:
        file = folder / f"{id_.id}.ndjson"
        return _Job(id_, service.record(id_.id, file), folder / "state.sqlite", public_key)

    with ExitStack() as pools:
        judges: Executor = (
            ThreadPoolExecutor(1)
            if count <= _FEW
            else ProcessPoolExecutor(common.cores(), initializer=leave_ctrl_c)
        )
        pools.enter_context(judges).submit(int).result()  # processes begin before there are threads
        threads = pools.enter_context(ThreadPoolExecutor(_DOWNLOADS))
        jobs = ahead(threads, fetch, ids, 2 * _DOWNLOADS)
        yield from ahead(judges, _judged, jobs, 2 * common.cores())


def _judged(job: _Job) -> RecordVerdict:
    file = job.fetched.file
    if file is None:
        return RecordVerdict(job.id, job.fetched)
    outcome = verify_file(
        str(file), VerifyOptions(public_key=job.public_key), load_once(bots=False)
    )
    report = outcome.report
    if report is None:
        return RecordVerdict(job.id, job.fetched, outcome.verdict, outcome.error)
    failures = [f"{one.name}: {what}" for one in report.checks for what in one.failures]
    reasons = failures if report.verdict == FAILED else report.newer.told() or report.missing
    why = "; ".join(reasons[:_REASONS])
    address = f"file:{job.state}?mode=ro"
    with closing(sqlite3.connect(address, timeout=_BUSY_SECONDS, uri=True)) as state:
        compared = [*_compared(file, job.id.id, state)]
    return RecordVerdict(job.id, job.fetched, report.verdict, why, compared)


def _compared(file: Path, id_: str, state: sqlite3.Connection) -> Iterator[HistoryCheck]:
    try:
        if id_.startswith("g"):
            yield _compare(id_, game_file.read(file), state)
            return
        with tournament_file.reading(file) as found:
            yield _compare(id_, found, state)
            for game in found.games:
                yield _compare(game.game_id, game, state)
    except (RecordError, EOFError):
        return  # the verifier says so


def _compare(
    id_: str, record: Record | TournamentRecord, state: sqlite3.Connection
) -> HistoryCheck:
    copies, version = record.copies, len(record.copies)
    leaves = state.execute(_LEAVES, (id_,)).fetchall()
    for seq, hash_ in leaves:
        if seq > version:
            return HistoryCheck(id_, version, seq)
        if (own := copies[seq - 1].get("hash")) != hash_.hex():
            receipt, key = record.header["receipt"], str(record.header["public_key"])
            headers = [{name: one[name] for name in HASHED if name in one} for one in copies[seq:]]
            return HistoryCheck(id_, version, seq, str(own), headers, receipt, key)
    back = dated_back(state, id_, copies)
    return HistoryCheck(id_, version, is_logged=bool(leaves), back=back)
