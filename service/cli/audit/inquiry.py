"""Asks a service what became of the ids of its log, and judges the answers."""

import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import NamedTuple, TypeVar

from lonja_client import LonjaError
from rich.progress import Progress

from rules.kernel.proof.verdicts import FAILED
from rules.kernel.record.instants import from_ms, is_instant
from service.auditing import fates
from service.auditing.ahead import ahead
from service.auditing.chains import leaves_of
from service.auditing.dates import BackDatedEvent, dated_back, is_left_out
from service.auditing.evidence import in_log, signed_elsewhere
from service.auditing.fates import Id, UnchainedError
from service.auditing.findings import (
    CUT,
    DATED_BACK,
    DROPPED,
    FALSE,
    LEFT_OUT,
    OTHER,
    AuditFinding,
)
from service.auditing.state import State
from service.auditing.tree import Tree
from service.cli.audit.asking import EventAnswer, Service
from service.cli.audit.records import HistoryCheck, RecordVerdict, judged_records
from service.cli.verifying import UNREADABLE
from service.records.receipts import is_genuine

_THREADS = 4
_AT_ONCE = 50
"""Number of answers that are remembered together."""
T = TypeVar("T")


class Doubt(NamedTuple):
    """What is wrong, unless the log says soon that the service has lost it; perhaps a record."""

    finding: AuditFinding
    record: Path | None = None


Doubts = dict[str, Doubt]
"""Doubts by id."""


class Inquiry:
    """Questions to one service about one log, which was signed at ``at`` (seconds since 1970)."""

    def __init__(
        self,
        state: State,
        service: Service,
        at: int,
        public_key: str | None,
        progress: Progress,
    ) -> None:
        """``public_key`` (hex) must have signed the records; None: any."""
        self._state = state
        self._tree = Tree(state)
        self._service = service
        self._at = at
        self._public_key = public_key
        self._progress = progress
        self.silent = ""
        """Why the service does not answer; then nothing more is asked."""

    def all(self, *, with_records: bool) -> Doubts:
        """Ask for the fate of each id that is not over, and for the records that are missing."""
        doubts: Doubts = {}
        count, ids = fates.unfinished(self._state)
        self._each(self._shown(ids), count, "Games that go on", doubts)
        for kind in "tg" if with_records else "":  # the records of tournaments have their games
            count, ids = fates.without_record(self._state, kind)
            label = "Records of games" if kind == "g" else "Records of tournaments"
            self._each(self._judged(ids, count), count, label, doubts)
        return doubts

    def again(self, doubts: Doubts) -> Doubts:
        """Ask once more for what is doubtful, now that the log had time to confess it."""
        left: Doubts = {}
        found = [fates.of_id(self._state, id_) for id_ in doubts]
        ids = [id_ for id_ in found if id_ is not None]
        over = [id_ for id_ in ids if id_.is_over]
        self._each(self._shown(one for one in ids if not one.is_over), len(ids), "Doubts", left)
        self._each(self._judged(over, len(over)), len(over), "Doubtful records", left)
        logged = {id_.id for id_ in ids}
        return left | {id_: doubt for id_, doubt in doubts.items() if id_ not in logged}

    def _each(self, found: Iterator[Doubts], count: int, label: str, doubts: Doubts) -> None:
        task = self._progress.add_task(label, total=count)
        while True:
            with self._state.writing():
                page = [*islice(found, _AT_ONCE)]
            if not page:
                return
            for more in page:
                doubts |= more
            self._progress.advance(task, len(page))

    # Ids that are not over

    def _shown(self, ids: Iterable[Id]) -> Iterator[Doubts]:

        def ask(id_: Id) -> tuple[Id, EventAnswer]:
            return id_, self._service.shown(id_.id, id_.base)

        if self.silent:
            return
        with ThreadPoolExecutor(_THREADS) as pool:
            try:
                for id_, shown in ahead(pool, ask, ids, 2 * _THREADS):
                    finding = self._judge_shown(id_, shown)
                    yield {} if finding is None else {id_.id: Doubt(finding)}
            except LonjaError as error:
                self.silent = str(error)

    def _judge_shown(self, id_: Id, found: EventAnswer) -> AuditFinding | None:
        if found.fate == fates.DROPPED:
            return _dropped(id_, found.why)
        if found.fate not in (fates.OPEN, fates.SEALED):
            self._note_untold(id_, found.fate, found.why)
            return None
        if found.fate == fates.OPEN and (wrong := self._judge_headers(id_, found)) is not None:
            return wrong
        if found.version < id_.newest:
            return _cut(id_.id, id_.newest, found.version)
        if found.fate == fates.SEALED:
            self._note_untold(id_, fates.SEALED)
            return None
        if (back := dated_back(self._state.sql, id_.id, found.headers)) is not None:
            return _dated_back(id_.id, back)
        fates.note(self._state, id_, fates.OPEN)
        return self._late(id_, found)

    def _note_untold(self, id_: Id, fate: str, why: str = "") -> None:
        """Note that nothing new is known of an id; some fates are reason enough."""
        fates.note_untold(self._state, id_, fate, why if fate == fates.UNTOLD else "")

    def _judge_headers(self, id_: Id, found: EventAnswer) -> AuditFinding | None:
        with suppress(UnchainedError):
            base = id_.base, id_.leaves[id_.base]
            if fates.lead(base, found.headers, id_.leaves).wrong is None:
                return None
        return self._judge_all_headers(id_)

    def _judge_all_headers(self, id_: Id) -> AuditFinding | None:
        """Find the first event that differs. Raises LonjaError."""
        headers = self._service.shown(id_.id, 0).headers
        try:
            first = str(headers[0]["hash"])
            led = fates.lead((1, first), headers[1:], id_.leaves)
        except (LookupError, ValueError) as error:
            why = f"{id_.id}: the service shows no chain of events: {error}."
            return AuditFinding(OTHER, id_.id, why)
        wrong = led.wrong if id_.leaves[1] == first else 1
        if wrong is None:
            return None
        before = [first, *led.hashes][wrong - 1]
        receipt = self._service.head(id_.id)
        key = None if receipt is None else self._service.public_key(receipt)
        compared = HistoryCheck(id_.id, led.seq, wrong, before, headers[wrong:], receipt, key or "")
        return self._contradiction(compared)

    def _late(self, id_: Id, found: EventAnswer) -> AuditFinding | None:
        """Look for the event after the newest leaf: the log had time to have a later one."""
        after = found.headers[id_.newest - id_.base :]
        if not after or not is_instant(after[0]["at"]):
            return None
        at = after[0]["at"]
        if not is_left_out(at, self._at, int(time.time())):
            return None
        why = (
            f"{id_.id}: the service shows event {id_.newest + 1}, of {at}, and the log that was"
            f" signed at {from_ms(1000 * self._at)} ends at event {id_.newest}."
        )
        return AuditFinding(LEFT_OUT, id_.id, why)

    # Records

    def _judged(self, ids: Iterable[Id], count: int) -> Iterator[Doubts]:
        if self.silent:
            return
        records = judged_records(self._service, ids, count, self._state.folder, self._public_key)
        for judged in records:
            if judged.fetched.silent:
                self.silent = judged.fetched.why
                return
            yield self._judge_record(judged)

    def _judge_record(self, judged: RecordVerdict) -> Doubts:
        id_, fetched, doubts = judged.id, judged.fetched, Doubts()
        if fetched.file is None:
            if fetched.fate == fates.DROPPED:
                return {id_.id: Doubt(_dropped(id_, fetched.why))}
            self._note_untold(id_, fetched.fate, fetched.why)
            return doubts
        for compared in judged.compared:
            finding = self._judge_compared(compared)
            if finding is not None:
                doubts[compared.id] = Doubt(finding)
            elif judged.verdict not in (FAILED, UNREADABLE):
                self._note_record(compared.id, judged)
        if judged.verdict in (FAILED, UNREADABLE):
            why = f"{id_.id}: {judged.why}"
            return doubts | {id_.id: Doubt(AuditFinding(FALSE, id_.id, why), fetched.file)}
        fetched.file.unlink()
        return doubts

    def _note_record(self, id_: str, judged: RecordVerdict) -> None:
        found = judged.id if judged.id.id == id_ else fates.of_id(self._state, id_)
        if found is not None and found.is_over:
            fates.note(self._state, found, fates.OVER_NOW, judged.verdict, judged.why)

    def _judge_compared(self, compared: HistoryCheck) -> AuditFinding | None:
        if not compared.is_logged:
            why = f"{compared.id}: the record of its tournament has it, and the log has not."
            return AuditFinding(LEFT_OUT, compared.id, why)
        if compared.wrong is None:
            return compared.back and _dated_back(compared.id, compared.back)
        if compared.before is None:
            return _cut(compared.id, compared.wrong, compared.version)
        return self._contradiction(compared)

    def _contradiction(self, compared: HistoryCheck) -> AuditFinding:
        """Return the finding, with evidence if a receipt has the other history."""
        id_, seq, receipt = compared.id, compared.wrong, compared.receipt
        why = (
            f"{id_}: event {seq} is {compared.before} by what the service shows, and another one by"
            " its log: the service keeps two histories."
        )
        if receipt is None or not is_genuine(receipt, bytes.fromhex(compared.public_key)):
            return AuditFinding(OTHER, id_, why)
        leaves = [
            (number, leaf, self._tree.path(number)) for number, leaf in leaves_of(self._state, id_)
        ]
        headers = compared.headers[: receipt["seq"] - (seq or 0)]
        shown = in_log(why, self._tree.note, leaves)
        evidence = signed_elsewhere(
            shown, receipt, compared.public_key, str(compared.before), headers
        )
        return AuditFinding(OTHER, id_, why, evidence)


def _dropped(id_: Id, why: str) -> AuditFinding:
    return AuditFinding(
        DROPPED,
        id_.id,
        f"{id_.id}: the log has it up to event {id_.newest}, and the service answers: {why}.",
    )


def _cut(id_: str, seq: int, version: int) -> AuditFinding:
    why = f"{id_}: the log has event {seq}, and the service ends at event {version}."
    return AuditFinding(CUT, id_, why)


def _dated_back(id_: str, found: BackDatedEvent) -> AuditFinding:
    why = (
        f"{id_}: event {found.seq} has the time {found.at}, and the log that was signed at"
        f" {from_ms(1000 * found.signed)} did not have it: it was made later, and dated back."
    )
    return AuditFinding(DATED_BACK, id_, why)
