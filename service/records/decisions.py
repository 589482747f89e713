"""The check of the bots' decisions in a record.

The bots decide again, with the code that the record names or with other code.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from rules.kernel.canonical import JsonObject
from rules.kernel.proof.verdicts import Check, Failures

MOST_NOTED = 20
"""Maximum differing decisions of each bot's code that are described in words; the JSON has all."""


class Codes(NamedTuple):
    """A bot, the recorded digest of its code, and the digest of the code that is installed here.

    ``bot`` is a name with a version, such as ``greedy@1``.
    """

    bot: str
    recorded: str
    here: str


@dataclass
class OtherCode:
    """Decisions by other code than the recorded code.

    They neither confirm nor refute the record.
    """

    same: int = 0
    """The number of decisions that equal the recorded ones, thoughts included."""
    differs: list[str] = field(default_factory=Failures)
    """A sentence for each differing decision, with the event."""
    differing: int = 0
    """The number of decisions that differ; ``differs`` has only the first ones."""


class DecisionsCheck(Check):
    """The check ``bots``; ``checked`` and ``failures`` are about decisions by the recorded code.

    If the version is installed with other code, ``other_code`` has that code's decisions.
    """

    def __init__(self) -> None:
        super().__init__("bots")
        self.missing: Counter[str] = Counter()
        """Number of decisions that could not be made again here, by reason."""
        self.untold: Counter[str] = Counter()
        """Number of failures that cannot be reproduced, by cause."""
        self.other_code: dict[Codes, OtherCode] = {}

    def compare(self, codes: Codes, where: str, difference: str) -> None:
        """Count a replayed decision; ``difference`` is empty if it equals the recorded one."""
        if codes.recorded == codes.here:
            self.expect(not difference, f"{where}: {difference}")
            return
        other = self.other_code.setdefault(codes, OtherCode())
        if difference:
            other.differing += 1
            other.differs.append(f"{where}: {difference}")
        else:
            other.same += 1

    def add(self, game: str, found: "DecisionsCheck") -> None:
        """Add the findings about one game of a tournament.

        ``untold`` counts the bots' failures that cannot be reproduced. It is not added, because the
        tournament counts all failures of its bots itself.

        All games of a tournament are over, so their records have what is needed to ask the bots
        again. If a game's record lacks it, this is a failure of the check.
        """
        self.checked += found.checked
        self.failures += [f"{game}: {failure}" for failure in found.failures]
        if found.skipped and not found.not_here:
            self.fail(f"{game}: bots cannot be asked again: {found.skipped}")
        self.missing += found.missing
        for codes, other in found.other_code.items():
            own = self.other_code.setdefault(codes, OtherCode())
            own.same += other.same
            own.differing += other.differing
            own.differs += [f"{game}, {difference}" for difference in other.differs]
        self.conclude()

    def conclude(self) -> None:
        """Set ``skipped``, ``not_here`` and ``notes`` from the findings.

        ``skipped`` says how many decisions the recorded code has not made again here, and why. If
        there are any, ``not_here`` is true. ``notes`` has sentences about decisions by other code,
        and about failures that cannot be reproduced.
        """
        reasons = [f"{why} ({_decisions(count)})" for why, count in self.missing.items()]
        reasons += [_in_short(codes, other) for codes, other in self.other_code.items()]
        self.skipped, self.not_here = "; ".join(reasons), bool(reasons)
        self.notes = [note for found in self.other_code.items() for note in _noted(*found)]
        if self.untold:
            told = ", ".join(f"{count} {cause}" for cause, count in sorted(self.untold.items()))
            self.notes.append(f"Failures of bots that nobody can recompute: {told}.")

    @property
    def begun(self) -> bool:
        """Whether any decision was replayed."""
        return bool(self.checked or self.other_code)

    def to_json(self) -> JsonObject:
        """Return the check as a JSON object, with ``other_code``."""
        other_code = [
            {
                "bot": codes.bot, "recorded": codes.recorded, "here": codes.here,
                "same": other.same, "differing": other.differing, "differs": other.differs,
            }
            for codes, other in self.other_code.items()
        ]  # fmt: skip
        return {**super().to_json(), "other_code": other_code}


def _in_short(codes: Codes, other: OtherCode) -> str:
    same = f"{_decisions(other.same)} the same, by other code"
    if not other.differing:
        return f"{codes.bot}: {same}"
    differs = f"{_decisions(other.differing)} differ{'s' * (other.differing == 1)}, by other code"
    return f"{codes.bot}: {same}; {differs}" if other.same else f"{codes.bot}: {differs}"


def _noted(codes: Codes, other: OtherCode) -> Iterator[str]:
    yield (
        f"{codes.bot} decided again by the code {codes.here}; the recorded one is {codes.recorded}."
        " What other code of a version decides neither proves nor fails anything."
    )
    for difference in other.differs[:MOST_NOTED]:
        yield f"Differs, by other code: {difference}."
    if other.differing > MOST_NOTED:
        left = _decisions(other.differing - MOST_NOTED)
        yield f"{left} more of {codes.bot} differ{'s' * (left == '1 decision')}, by other code."


def _decisions(count: int) -> str:
    return f"{count:,} decision{'s' * (count != 1)}"
