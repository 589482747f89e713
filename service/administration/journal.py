"""The journal of what admins have asked for, and why: a stream that is only ever appended to.

What became of an act on a game, the game's own stream tells.
"""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple

import structlog
from redis import Redis

from rules.kernel.canonical import JsonObject
from service import ids
from service.ledger.once import AlreadyAnsweredError, Command, Once
from service.ledger.store import Retry
from service.redis.keys import ACTS

log = structlog.get_logger(__name__)

ON_THE_HOST = "host"
"""Stands for the key of an act for which nobody needs one."""


class Who(NamedTuple):
    """An admin by name, and the id of the key that was used."""

    name: str
    key: str = ON_THE_HOST


class Act(NamedTuple):
    """What an admin has asked for: ``act`` on ``subject``, an id, for a ``reason``."""

    id: str
    at: str
    by: str
    key: str
    act: str
    subject: str
    reason: str

    def to_json(self) -> JsonObject:
        """Return it as admins are told it."""
        return self._asdict()


class JournalEntry(NamedTuple):
    """An act and where in the journal it is."""

    place: str
    act: Act


class Journal:
    """Notes acts, and reads them back."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._once = Once(redis)

    def note(
        self,
        at: str,
        who: Who,
        act: str,
        subject: str,
        reason: str,
        *,
        commands: Sequence[Command] = (),
        retry: Retry | None = None,
    ) -> tuple[Act, bool]:
        """Note an act, and do the ``commands`` that it consists of, in one step.

        Return it, and whether an earlier request with this ``retry`` did all that; raises as
        ``Once.do`` if that was another request.
        """
        noted = Act(ids.new_act_id(), at, who.name, who.key, act, subject, reason)
        entry: Command = ("XADD", ACTS, "*", *chain.from_iterable(noted.to_json().items()))
        try:
            self._once.do(retry, f"{noted.id} {at}", [*commands, entry])
        except AlreadyAnsweredError as answered:
            id_, then = answered.made.split(" ")
            return noted._replace(id=id_, at=then), True
        log.warning("admin_act", **noted.to_json())
        return noted, False

    def read(self, after: str = "", limit: int | None = None) -> list[JournalEntry]:
        """Return the acts after a place of the journal, the oldest first."""
        first = f"({after}" if after else "-"
        found: Any = self._redis.xrange(ACTS, first, "+", count=limit)
        return [_entry(*each) for each in found]

    def about(self, subject: str) -> Iterator[Act]:
        """Yield the acts on one subject, the oldest first; this reads the whole journal."""
        return (entry.act for entry in self.all() if entry.act.subject == subject)

    def all(self, at_once: int = 500) -> Iterator[JournalEntry]:
        """Yield all acts, the oldest first."""
        after = ""
        while page := self.read(after, at_once):
            yield from page
            after = page[-1].place


def _entry(place: bytes, fields: dict[bytes, bytes]) -> JournalEntry:
    told = {name.decode(): value.decode() for name, value in fields.items()}
    return JournalEntry(place.decode(), Act(**told))
