"""Turns heads of streams into leaves of the public log.

A game that is not public stands in the log under a pseudonym: its creation at once, then at most
one head in each hour, at a minute that follows from the pseudonym, and its end at once. A table
that is closed and waits for a beacon has a head at once, too.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import structlog

from rules.kernel.record.events import UNREADABLE, Event
from rules.kernel.record.instants import to_ms
from service.ledger.origin import IMPORTED
from service.ledger.places import PackPlaces
from service.ledger.store import Store
from service.ledger.terms import BESIDE, PUBLIC, TERMS, TableTerms
from service.ledger.vault import VaultError
from service.publishing.index import Entry, logged_key
from service.publishing.reading import ask, events, events_from
from service.records.leaves import (
    ABORTED,
    CREATED,
    ENDED,
    HEAD,
    HOUR_MS,
    OVER,
    Leaf,
    next_due,
    pseudonym,
    pseudonym_key,
)
from service.redis.commands import Commands
from service.redis.keys import game_key

log = structlog.get_logger(__name__)

_ENDS = {"ended": ENDED, "aborted": ABORTED, "cancelled": ABORTED}
_AFTER_END = "chance_revealed"
_NONE: Mapping[str, int] = MappingProxyType({})


class Draft(NamedTuple):
    """The new leaves of an id, with the ``seq`` of the event of each.

    ``counted`` is that of the entry after them. ``due`` is the time (ms since 1970) of the next
    leaf of a game that has moved and waits for it; None: it does not wait.
    """

    id: str
    leaves: Sequence[tuple[Leaf, int]] = ()
    counted: int = 0
    due: int | None = None

    @property
    def entry(self) -> Entry:
        """The entry after these leaves."""
        leaf, seq = self.leaves[-1]
        return Entry.of(seq, leaf.hash, self.counted)


class Drafts(NamedTuple):
    """What follows for the log from the heads of some streams.

    ``diverged`` are ids whose streams are not those of their leaves.
    """

    drafts: list[Draft]
    diverged: list[str]


class _Found(NamedTuple):
    """The newest event of an id in the store, the kind of its leaf, and what the log has of it."""

    id: str
    entry: Entry | None
    newest: Event
    kind: str


class Heads:
    """The heads of one store's streams."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._commands = Commands(store.redis)
        self._places = PackPlaces(store.redis)

    def read(self, ids: Sequence[str], now: int, closed: Mapping[str, int] = _NONE) -> Drafts:
        """Return the leaves of these streams, a page of them, at ``now`` (ms since 1970).

        ``closed`` has the versions at which tables were closed that wait for a beacon, by id. The
        log is to have these at once.
        """
        found, diverged = self._newest(ids)
        moved = []
        for one in found:
            if one.entry is None:
                continue
            if one.newest.seq > one.entry.seq:
                moved.append((one, one.entry))
            elif not one.entry.is_of(one.newest):
                diverged.append(one.id)
        replies = ask(self._commands, (events_from(one.id, e.seq, 2) for one, e in moved))
        drafts = []
        for (one, entry), reply in zip(moved, replies, strict=True):
            since = [*events(reply)]
            if len(since) < 2 or not entry.is_of(since[0]):
                diverged.append(one.id)
            else:
                is_due = entry.seq < closed.get(one.id, 0)
                drafts.append(self._moved(one, entry, since[1], now, is_due=is_due))
        drafts += self._new([one for one in found if one.entry is None], now, closed)
        return Drafts(drafts, diverged)

    def _newest(self, ids: Sequence[str]) -> tuple[list[_Found], list[str]]:
        """Return what the store has of these ids, and those whose streams it has lost."""
        replies = ask(
            self._commands,
            (
                command
                for id_ in ids
                for command in (
                    ("HGET", logged_key(id_), id_),
                    ("XREVRANGE", game_key(id_, "events"), "+", "-", "COUNT", 2),
                )
            ),
        )
        found, without = [], []
        for id_, raw, reply in zip(ids, replies[::2], replies[1::2], strict=True):
            newest = [*events(reply)]
            if not newest and raw is not None:
                without.append(id_)
            elif newest and newest[0].kind != UNREADABLE:  # else it is damaged, and stands still
                entry = None if raw is None else Entry.load(raw)
                found.append(_Found(id_, entry, newest[0], _kind_of(newest)))
        places = self._places.of_each(without)
        lost = [id_ for id_, place in zip(without, places, strict=True) if place is None]
        return found, lost

    def _moved(self, one: _Found, entry: Entry, first: Event, now: int, *, is_due: bool) -> Draft:
        """Return the leaf of a stream whose event ``first`` is the first one after its entry."""
        if not entry.counted:
            return Draft(one.id, [(_leaf(one.kind, one.id, one.newest), one.newest.seq)])
        name = self._pseudonym(one.id)
        if name is None:
            return Draft(one.id, due=now + HOUR_MS)
        due = _due(name, first, one.newest)
        if one.kind not in OVER and due > now and not is_due:
            return Draft(one.id, due=due)
        count = entry.counted + 1
        leaf = _leaf(one.kind, name, one.newest)._replace(seq=count)
        return Draft(one.id, [(leaf, one.newest.seq)], count)

    # Ids that the log has not

    def _new(self, found: Sequence[_Found], now: int, closed: Collection[str]) -> Iterator[Draft]:
        found = self._without_those_back(found)
        replies = ask(
            self._commands,
            (
                command
                for one in found
                for command in (
                    ("EXISTS", game_key(one.id, IMPORTED)),
                    events_from(one.id, 1, 2),
                    ("HGET", game_key(one.id, BESIDE), TERMS),
                )
            ),
        )
        for one, imported, first, terms in zip(
            found, replies[::3], replies[1::3], replies[2::3], strict=True
        ):
            begun = [*events(first)]
            if imported or not begun:
                continue
            chance = _chance_of(begun[0])
            if chance is None:
                log.warning("game_not_logged", game=one.id, reason="its creation is unreadable")
                continue
            is_public = TableTerms.load(terms).visibility == PUBLIC
            is_due = one.id in closed
            yield self._created(one, begun, chance, now, is_public=is_public, is_due=is_due)

    def _without_those_back(self, found: Sequence[_Found]) -> Sequence[_Found]:
        """Leave out games that are in a pack: one of them may have left the store and come back.

        The log had all of it when it left, and its entry went with it.
        """
        over = [one.id for one in found if one.kind in OVER]
        places = zip(over, self._places.of_each(over), strict=True)
        packed = {id_ for id_, place in places if place is not None}
        return [one for one in found if one.id not in packed]

    def _created(
        self,
        one: _Found,
        begun: Sequence[Event],
        chance: Mapping[str, Any],
        now: int,
        *,
        is_public: bool,
        is_due: bool,
    ) -> Draft:
        """Return the leaves of a stream that begins with these one or two events."""
        name = one.id if is_public else self._pseudonym(one.id)
        if name is None:
            return Draft(one.id, due=now + HOUR_MS)
        more = {"commitment": chance["commitment"]}
        if chance["scope"] != one.id:
            more["scope"] = chance["scope"]
        leaves = [(_leaf(CREATED, name, begun[0])._replace(more=more), 1)]
        due = None if is_public or len(begun) == 1 else _due(name, begun[1], one.newest)
        if len(begun) > 1 and (due is None or due <= now or is_due or one.kind in OVER):
            newest, due = _leaf(one.kind, name, one.newest), None
            leaves.append((newest if is_public else newest._replace(seq=2), one.newest.seq))
        return Draft(one.id, leaves, 0 if is_public else len(leaves), due)

    def _pseudonym(self, game_id: str) -> str | None:
        """Return the pseudonym of a game; None if its secrets cannot be read now."""
        try:
            secrets = self._store.secrets(game_id)
        except VaultError as error:
            log.error("game_not_logged", game=game_id, reason=str(error))  # noqa: TRY400 - as said
            return None
        if secrets is None:
            log.error("game_not_logged", game=game_id, reason="it has no secrets")
            return None
        return pseudonym(pseudonym_key(secrets.salt), game_id)


def _due(name: str, first: Event, newest: Event) -> int:
    """Return the time of a leaf, if ``first`` is the first event for which there is none."""
    return next_due(name, to_ms((newest if first.kind == UNREADABLE else first).at))


def _kind_of(newest: Sequence[Event]) -> str:
    """Return the kind of the leaf of a stream, given its newest events, newest first."""
    kinds = [event.kind for event in newest]
    if kinds[0] == _AFTER_END and len(kinds) > 1:
        kinds = kinds[1:]
    return _ENDS.get(kinds[0], HEAD)


def _leaf(kind: str, name: str, event: Event) -> Leaf:
    more: dict[str, Any] = {}
    part = event.body.get("aborted") if kind == ABORTED else None
    # A pseudonym's leaves do not tell how many events there are.
    if part is not None and "sound" in part.value and not name.startswith("~"):
        more["sound"] = part.value["sound"]
    return Leaf(kind, name, event.seq, event.hash.hex(), more)


def _chance_of(created: Event) -> Mapping[str, Any] | None:
    """Return the chance scope and commitment of a creation; None if it cannot be read."""
    part = created.body.get("game") or created.body.get("created")  # the latter: a tournament's
    chance = part.value.get("chance") if part is not None and type(part.value) is dict else None
    return chance if type(chance) is dict and {"scope", "commitment"} <= chance.keys() else None
