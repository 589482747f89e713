"""Verdicts: a record is proved, failed, newer than this program, or not wholly proved."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Self

from rules.kernel.canonical import JsonObject
from rules.kernel.proof.newer import UnknownParts

PROVED, FAILED, NEWER, NOT_WHOLLY = "proved", "failed", "newer", "not_wholly_proved"
GAME, TOURNAMENT, PACK = "game", "tournament", "pack"
"""The kinds of records, and a pack of records."""


class NotARecordError(ValueError):
    """The input is not a record of a game; the message says why."""


MOST_TOLD = 4 * 1024 * 1024
"""Maximum number of characters of failures that a check reports."""


class Failures(list[str]):
    """Sentences about failures, ``MOST_TOLD`` characters at most; others are dropped."""

    _room = MOST_TOLD

    def __init__(self, told: Iterable[str] = ()) -> None:
        super().__init__()
        self += told

    def append(self, told: str) -> None:
        """Add a sentence, if there is room."""
        self._room -= len(told)
        if self._room >= 0 or not self:
            super().append(told[:MOST_TOLD])

    def __iadd__(self, told: Iterable[str]) -> Self:  # type: ignore[misc, override]  # as a list has it
        for each in told:
            self.append(each)
        return self


@dataclass
class Check:
    """The result of one check: the number of facts ``checked``, and a sentence for each failure.

    ``skipped`` says what could not be checked, and why. ``not_here`` means that an installation
    that has the rules or the bot could check it. ``notes`` are for readers of the report.
    """

    name: str
    checked: int = 0
    failures: list[str] = field(default_factory=Failures)
    skipped: str = ""
    not_here: bool = False
    notes: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether nothing failed."""
        return not self.failures

    @property
    def begun(self) -> bool:
        """Whether anything was checked."""
        return bool(self.checked)

    def expect(self, good: bool, failure: str) -> bool:  # noqa: FBT001 - reads as a sentence
        """Count one fact; add ``failure`` if it does not hold."""
        self.checked += 1
        if not good:
            self.failures.append(failure)
        return good

    def fail(self, failure: str) -> None:
        """Count one fact that does not hold."""
        self.checked += 1
        self.failures.append(failure)

    def to_json(self) -> JsonObject:
        """Return the check as a JSON object."""
        return {
            "name": self.name,
            "ok": self.ok,
            "checked": self.checked,
            "failures": self.failures,
            "skipped": self.skipped,
            "not_here": self.not_here,
        }


@dataclass
class Report:
    """The result of verification. ``notes`` say what the record cannot prove.

    ``status`` is the status after the events, "" if unknown. ``signed_by`` is the key that signed
    the file, if checked: ``{"key_id", "public_key", "trusted"}``, where ``trusted`` says whether
    the caller trusts the key. ``newer`` are the record's unknown parts.
    """

    game_id: str
    version: int
    status: str
    checks: list[Check]
    notes: list[str] = field(default_factory=list)
    signed_by: JsonObject | None = None
    kind: str | None = GAME
    newer: UnknownParts = field(default_factory=lambda: UnknownParts(None))

    @property
    def ok(self) -> bool:
        """Whether no check failed."""
        return all(check.ok for check in self.checks)

    @property
    def missing(self) -> list[str]:
        """A sentence for each check that was not made, or not made completely."""
        return [f"{check.name}: {check.skipped}" for check in self.checks if check.skipped]

    @property
    def complete(self) -> bool:
        """Whether every check was made completely."""
        return not self.missing and not self.newer

    @property
    def verdict(self) -> str:
        """One of PROVED, FAILED, NEWER and NOT_WHOLLY: skipped checks never count as passed."""
        if not self.ok:
            return FAILED
        if self.newer:
            return NEWER
        return PROVED if self.complete else NOT_WHOLLY

    def to_json(self) -> JsonObject:
        """Return the report as a JSON object.

        The object fits docs/verify.schema.json, but it does not have the member ``file``.
        """
        return {
            "verdict": self.verdict,
            "kind": self.kind,
            "id": self.game_id or None,
            "version": self.version or None,
            "status": self.status or None,
            "newer": self.newer.to_json(),
            "missing": self.missing,
            "signed_by": self.signed_by,
            "checks": [check.to_json() for check in self.checks],
            "notes": self.notes,
        }


def guarded(name: str, do: Callable[[], Check]) -> Check:
    """Run a check on arbitrary JSON; any error counts as a failure of the record."""
    try:
        return do()
    except Exception as error:  # noqa: BLE001 - see above
        return unreadable(name, error)


def unreadable(name: str, error: Exception) -> Check:
    """Return the failed check of a record that raised ``error``."""
    told = f"the record is not readable: {type(error).__name__} {error}"
    return Check(name, 1, Failures([told]))
