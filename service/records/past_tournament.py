"""Tournaments that have left the store: what is shown of them, from their records in packs."""

from typing import NamedTuple, Self

from rules.kernel.canonical import JsonObject

_MADE = ("id", "name", "created_at", "created_by", "chance", "plan")
_NOW = (
    "status", "reason", "version", "head", "at", "rounds", "games", "blocks", "disqualified",
    "abandoned", "part",
)  # fmt: skip
"""The members of the two parts of a summary (``service.tournaments.report``)."""


class PastTournament(NamedTuple):
    """A tournament that is over, as lists show it.

    ``made`` and ``now`` are the parts of its summary, and ``leaders`` are the entries in the first
    place. Blocks after the block ``stopped_after`` do not count.
    """

    made: JsonObject
    now: JsonObject
    stopped_after: int
    leaders: list[str]

    @classmethod
    def of(cls, published: JsonObject, last: JsonObject) -> Self:
        """Return the tournament with a final report; ``last`` is the value of its last event."""
        made, now = parts_of(published)
        return cls(made, now, last["after_block"], leaders_in(published))

    @classmethod
    def listed(cls, summary: JsonObject) -> Self:
        """Read the stored form, which may have more members."""
        return cls(*(summary[name] for name in cls._fields))

    def to_json(self) -> JsonObject:
        """Return the stored form, with the members that every summary in lists has."""
        return {
            "id": self.made["id"],
            "created_at": self.made["created_at"],
            **self._asdict(),
        }


def parts_of(published: JsonObject) -> tuple[JsonObject, JsonObject]:
    """Return the constant and the changing part of the summary in a report."""
    made, now = ({n: published[n] for n in names if n in published} for names in (_MADE, _NOW))
    return made, now


def leaders_in(published: JsonObject | None) -> list[str]:
    """Return the entries in the first place of a report; none before the first games."""
    if published is None or not published["games"]["played"]:
        return []
    return [row["entry"] for row in published["table"] if row["place"] == 1]
