"""Conditions for storing a record: a trusted signature, and a complete proof."""

from typing import NamedTuple

from rules.kernel.canonical import JsonObject
from rules.kernel.proof.verdicts import PROVED, Report
from service.ledger.imports import DONE, OTHER
from service.ledger.origin import Origin
from service.runtime import Runtime

SHOWN = 5
IMPORTED, ALREADY_HERE = "imported", "already_here"


class RefusedRecord(Exception):
    """A record is refused; the arguments say why."""


class ImportOptions(NamedTuple):
    """The importer, and the keys (hex) that are trusted to sign records."""

    by: str
    trusted: frozenset[str]


def trusted_key(header: JsonObject, asked: ImportOptions) -> str:
    """Return the key that signed a record. Raises RefusedRecord."""
    key: str = header["public_key"]
    if key not in asked.trusted:
        raise RefusedRecord(
            f"it is signed with the key {key!r:.80}, which is not this installation's: if you trust"
            " it, name it with --public-key"
        )
    return key


def expect_proved(report: Report) -> None:
    """Raise RefusedRecord, with the findings, unless the whole record was proved."""
    if report.verdict != PROVED:
        raise RefusedRecord(*_findings(report))


def _findings(report: Report) -> list[str]:
    if report.ok and report.newer:
        named = "; ".join(report.newer.told())
        return [f"it is newer than this program: import it with a release that knows {named}"]
    if report.ok:
        return [f"it is not wholly proved: {missing}" for missing in report.missing]
    failed = [f"{check.name}: {failure}" for check in report.checks for failure in check.failures]
    more = [f"and {len(failed) - SHOWN} more"] if len(failed) > SHOWN else []
    return [*failed[:SHOWN], *more]


def origin_of(header: JsonObject, asked: ImportOptions, at: str, runtime: Runtime) -> Origin:
    """Return the origin of a record that is stored at the time ``at``."""
    key = header["public_key"]
    is_own = key == runtime.signer.public_key.hex()
    return Origin(asked.by, at, key, header["receipt"], is_own)


def outcome_of(found: str, what: str) -> str:
    """Return the outcome of storing a record.

    Raises RefusedRecord if the store has a different record under the same id.
    """
    if found == OTHER:
        raise RefusedRecord(f"another {what}, or another history of it, has its id here")
    return IMPORTED if found == DONE else ALREADY_HERE
