"""The journal of admins' acts and their reasons: an append-only stream.

The outcome of an act on a game is in the game's own stream.
"""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple

import structlog
from redis import Redis

from rules.kernel.canonical import JsonObject
from service import ids
from service.ledger.idempotency import AlreadyAnsweredError, Command, IdempotencyNotes
from service.ledger.store import Retry
from service.redis.keys import ACTS

log = structlog.get_logger(__name__)

ON_THE_HOST = "host"
"""The id that stands for the key if an act was done on the host, where no key is needed."""


class Who(NamedTuple):
    """An admin's name, and the id of the key that was used."""

    name: str
    key: str = ON_THE_HOST


class Act(NamedTuple):
    """A requested act: ``act`` on ``subject`` (an id), for a ``reason``."""

    id: str
    at: str
    by: str
    key: str
    act: str
    subject: str
    reason: str

    def to_json(self) -> JsonObject:
        """The JSON form that admins see."""
        return self._asdict()


class JournalEntry(NamedTuple):
    """An act and its position in the journal."""

    place: str
    act: Act


class Journal:
    """Writes and reads the journal."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._once = IdempotencyNotes(redis)

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
        """Write an act to the journal and run its ``commands``, in one step.

        Return the entry, and whether the request repeats an earlier one, which had the same
        ``retry``. Raises the errors of ``IdempotencyNotes.do`` if the earlier request differed.
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
        """Return the acts after a position of the journal, oldest first."""
        first = f"({after}" if after else "-"
        found: Any = self._redis.xrange(ACTS, first, "+", count=limit)
        return [_entry(*each) for each in found]

    def about(self, subject: str) -> Iterator[Act]:
        """Yield the acts on one subject, oldest first. Reads the whole journal."""
        return (entry.act for entry in self.all() if entry.act.subject == subject)

    def all(self, at_once: int = 500) -> Iterator[JournalEntry]:
        """Yield all acts, oldest first."""
        after = ""
        while page := self.read(after, at_once):
            yield from page
            after = page[-1].place


def _entry(place: bytes, fields: dict[bytes, bytes]) -> JournalEntry:
    told = {name.decode(): value.decode() for name, value in fields.items()}
    return JournalEntry(place.decode(), Act(**told))
