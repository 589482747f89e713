"""The book of an audit: what was found, now and before, with the files of the evidence."""

from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import orjson

from service.auditing.findings import AuditFinding
from service.auditing.state import State
from service.process.disk import appearing


class BookEntry(NamedTuple):
    """A finding, when it was made first (seconds since 1970), and the file of its evidence.

    ``is_new`` says that no earlier run has made it.
    """

    code: str
    id: str | None
    why: str
    evidence: Path | None
    at: int
    is_new: bool


class Book:
    """The findings of one run, and those of earlier ones that stay true."""

    def __init__(self, state: State, now: int) -> None:
        """Begin a run at ``now``, in seconds since 1970."""
        self._state = state
        self._now = now
        self._run = int(state.known("runs", 0)) + 1
        state.know(runs=self._run)
        self._before = {*state.sql.execute("SELECT code, id FROM findings")}

    def note(
        self, finding: AuditFinding, *, record: Path | None = None, lasting: bool = False
    ) -> None:
        """Note a finding, and write its evidence to a file, or keep the file of a false record.

        Findings with evidence stay true, and ``lasting`` ones; others are made anew in each run. Of
        several ones with one code on one id, or on the log, the first is kept.

        Raises:
            OSError: the evidence cannot be written.
        """
        file = self._keep(finding, record)
        self._state.sql.execute(
            "INSERT INTO findings VALUES (?, ?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (code, id) DO UPDATE SET seen = excluded.seen,"
            " lasting = MAX(lasting, excluded.lasting)",
            (
                finding.code,
                finding.id or "",
                finding.why,
                file,
                lasting or finding.evidence is not None,
                self._now,
                self._run,
            ),
        )

    def entries(self) -> list[BookEntry]:
        """Return the findings that hold now, the oldest first."""
        found = self._state.sql.execute(
            "SELECT code, id, why, evidence, at FROM findings WHERE lasting OR seen = ?"
            " ORDER BY at, code, id",
            (self._run,),
        )
        return [
            BookEntry(code, id_ or None, why, self._path(file), at, (code, id_) not in self._before)
            for code, id_, why, file, at in found
        ]

    def _keep(self, finding: AuditFinding, record: Path | None) -> str | None:
        """Return the name of the file of the evidence; None if there is none."""
        folder = self._state.folder / "evidence"
        folder.mkdir(exist_ok=True)
        if record is not None:
            name = f"{finding.code}-{finding.id}.ndjson"
            record.replace(folder / name)
            return name
        if finding.evidence is None:
            return None
        raw = orjson.dumps(finding.evidence, option=orjson.OPT_APPEND_NEWLINE)
        name = f"{finding.code}-{finding.id or sha256(raw).hexdigest()[:16]}.json"
        if not (folder / name).exists():
            with appearing(folder / name) as file:
                file.write(raw)
        return name

    def _path(self, name: str | None) -> Path | None:
        return None if name is None else self._state.folder / "evidence" / name
