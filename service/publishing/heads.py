"""Turns heads of streams into leaves of the public log.

What the log has of an id is stored in its shard, so that a leaf costs few reads. A game that is not
public stands in the log under a pseudonym: its creation at once, then at most one head an hour, in
a minute that follows from the pseudonym, and its end at once.
"""

import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Self

import structlog

from rules.kernel.record.events import UNREADABLE, Event
from service.ids import shard_of
from service.ledger.origin import IMPORTED
from service.ledger.places import PackPlaces
from service.ledger.store import Store, stored_entries
from service.ledger.terms import BESIDE, PUBLIC, TERMS, TableTerms
from service.ledger.vault import VaultError
from service.publishing.marker import LOGGED
from service.records.leaves import (
    ABORTED,
    CREATED,
    ENDED,
    HEAD,
    OVER,
    Leaf,
    pseudonym,
    pseudonym_key,
)
from service.redis.commands import Commands, Word
from service.redis.keys import game_key, shard_key

log = structlog.get_logger(__name__)

HEAD_BYTES = 8
HOUR_MS = 3_600_000
_MINUTE_MS = 60_000
_AT_ONCE = 500
_ENDS = {"ended": ENDED, "aborted": ABORTED, "cancelled": ABORTED}
_AFTER_END = "chance_revealed"
_LETTERS = {CREATED: b"c", HEAD: b"h", ENDED: b"e", ABORTED: b"a"}
_KINDS = {letter: kind for kind, letter in _LETTERS.items()}
_ENTRY = struct.Struct(f">cQI{HEAD_BYTES}s")
_COUNT = struct.Struct(">I")


class Entry(NamedTuple):
    """What the log has of an id: the newest leaf's ``kind`` and ``position``, and its event.

    ``head`` are the first bytes of the event's hash. ``counted`` is the number of leaves of a
    pseudonym, and 0 for an id that stands in the log itself.
    """

    kind: str
    position: int
    seq: int
    head: bytes
    counted: int

    def dump(self) -> bytes:
        """Return the stored form."""
        known = _ENTRY.pack(_LETTERS[self.kind], self.position, self.seq, self.head)
        return known + (_COUNT.pack(self.counted) if self.counted else b"")

    @classmethod
    def load(cls, raw: bytes) -> Self:
        """Read the stored form. Raises struct.error, KeyError."""
        letter, position, seq, head = _ENTRY.unpack_from(raw)
        (counted,) = _COUNT.unpack_from(raw, _ENTRY.size) if len(raw) > _ENTRY.size else (0,)
        return cls(_KINDS[letter], position, seq, head, counted)

    def is_of(self, event: Event) -> bool:
        """Whether the entry is of this event."""
        return self.seq == event.seq and event.hash.startswith(self.head)


class Draft(NamedTuple):
    """The new leaves of an id, with the ``seq`` of the event of each.

    ``counted`` is that of the entry after them. ``due`` is the time (ms since 1970) of the next
    leaf of a game that has moved and waits for it; None: it does not wait.
    """

    id: str
    leaves: Sequence[tuple[Leaf, int]] = ()
    counted: int = 0
    due: int | None = None

    def entry(self, first: int) -> Entry:
        """Return the entry after these leaves, of which the first has the index ``first``."""
        leaf, seq = self.leaves[-1]
        head = bytes.fromhex(leaf.hash)[:HEAD_BYTES]
        return Entry(leaf.kind, first + len(self.leaves) - 1, seq, head, self.counted)


class Drafts(NamedTuple):
    """What follows for the log from the heads of some streams.

    ``diverged`` are ids whose streams are not those of their leaves.
    """

    drafts: list[Draft]
    diverged: list[str]


class _Found(NamedTuple):
    """What the store has of an id: its entry, its newest event, and whether it is over."""

    id: str
    entry: Entry | None
    newest: Event
    kind: str


def logged_key(stream_id: str) -> str:
    """Return the key of the hash that has the entry of an id."""
    return shard_key(shard_of(stream_id), LOGGED)


class Heads:
    """The heads of one store's streams."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._commands = Commands(store.redis)
        self._places = PackPlaces(store.redis)

    def read(self, stream_ids: Iterable[str], due: Iterable[str], now: int) -> Drafts:
        """Return the leaves of these streams at the time ``now`` (ms since 1970).

        They are sorted by the ids that stand in them, which tell nothing of a private game's id.
        ``due`` are those of the games whose next hourly leaf is due.
        """
        ids, is_due, found = sorted(stream_ids), frozenset(due), Drafts([], [])
        for first in range(0, len(ids), _AT_ONCE):
            part = self._read(ids[first : first + _AT_ONCE], is_due, now)
            found.drafts.extend(part.drafts)
            found.diverged.extend(part.diverged)
        found.drafts.sort(key=lambda draft: draft.leaves[0][0].id if draft.leaves else "")
        return found

    def _read(self, ids: Sequence[str], due: frozenset[str], now: int) -> Drafts:
        found, diverged = self._newest(ids)
        known = [one for one in found if one.entry is not None]
        moved = [one for one in known if one.entry and one.newest.seq > one.entry.seq]
        diverged += [
            one.id
            for one in known
            if one.entry and one.newest.seq <= one.entry.seq and not one.entry.is_of(one.newest)
        ]
        before = self._ask(_read(one.id, one.entry.seq) for one in moved if one.entry)
        drafts = []
        for one, reply in zip(moved, before, strict=True):
            assert one.entry is not None  # noqa: S101 - as chosen above
            if not any(one.entry.is_of(event) for event in _events(reply)):
                diverged.append(one.id)
            else:
                drafts.append(self._moved(one, one.entry, due, now))
        drafts += self._new([one for one in found if one.entry is None], now)
        return Drafts(drafts, diverged)

    def _newest(self, ids: Sequence[str]) -> tuple[list[_Found], list[str]]:
        """Return what the store has of these ids, and those whose streams it has lost."""
        replies = self._ask(
            command
            for id_ in ids
            for command in (
                ("HGET", logged_key(id_), id_),
                ("XREVRANGE", game_key(id_, "events"), "+", "-", "COUNT", 2),
            )
        )
        found, without = [], []
        for id_, raw, reply in zip(ids, replies[::2], replies[1::2], strict=True):
            events = [*_events(reply)]
            if not events and raw is not None:
                without.append(id_)
            elif events and events[0].kind != UNREADABLE:  # else it is damaged, and stands still
                entry = None if raw is None else Entry.load(raw)
                found.append(_Found(id_, entry, events[0], _kind_of(events)))
        places = self._places.of_each(without)
        lost = [id_ for id_, place in zip(without, places, strict=True) if place is None]
        return found, lost

    def _moved(self, one: _Found, entry: Entry, due: frozenset[str], now: int) -> Draft:
        if not entry.counted:
            return Draft(one.id, [(_leaf(one.kind, one.id, one.newest), one.newest.seq)])
        name = self._pseudonym(one.id)
        if name is None:
            return Draft(one.id, due=now + HOUR_MS)
        if one.kind not in OVER and one.id not in due:
            return Draft(one.id, due=next_due(name, now))
        count = entry.counted + 1
        leaf = _leaf(one.kind, name, one.newest)._replace(seq=count)
        return Draft(one.id, [(leaf, one.newest.seq)], count)

    # Ids that the log has not

    def _new(self, found: Sequence[_Found], now: int) -> Iterator[Draft]:
        found = self._without_those_back(found)
        replies = self._ask(
            command
            for one in found
            for command in (
                ("EXISTS", game_key(one.id, IMPORTED)),
                _read(one.id, 1),
                ("HGET", game_key(one.id, BESIDE), TERMS),
            )
        )
        for one, imported, first, terms in zip(
            found, replies[::3], replies[1::3], replies[2::3], strict=True
        ):
            created = next(_events(first), None)
            if imported or created is None:
                continue
            chance = _chance_of(created)
            if chance is None:
                log.warning("game_not_logged", game=one.id, reason="its creation is unreadable")
                continue
            is_public = TableTerms.load(terms).visibility == PUBLIC
            yield self._created(one, created, chance, now, is_public=is_public)

    def _without_those_back(self, found: Sequence[_Found]) -> Sequence[_Found]:
        """Leave out games that are in a pack: one of them may have left the store and come back.

        The log had all of it when it left, and its entry went with it.
        """
        over = [one.id for one in found if one.kind in OVER]
        places = zip(over, self._places.of_each(over), strict=True)
        packed = {id_ for id_, place in places if place is not None}
        return [one for one in found if one.id not in packed]

    def _created(
        self, one: _Found, created: Event, chance: Mapping[str, Any], now: int, *, is_public: bool
    ) -> Draft:
        name = one.id if is_public else self._pseudonym(one.id)
        if name is None:
            return Draft(one.id, due=now + HOUR_MS)
        more = {"commitment": chance["commitment"]}
        if chance["scope"] != one.id:
            more["scope"] = chance["scope"]
        leaves = [(_leaf(CREATED, name, created)._replace(more=more), 1)]
        has_moved = one.newest.seq > 1
        if has_moved and (is_public or one.kind in OVER):
            newest = _leaf(one.kind, name, one.newest)
            leaves.append((newest if is_public else newest._replace(seq=2), one.newest.seq))
        if is_public:
            return Draft(one.id, leaves)
        waits = has_moved and len(leaves) == 1
        return Draft(one.id, leaves, len(leaves), next_due(name, now) if waits else None)

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

    def _ask(self, commands: Iterable[Sequence[Word]]) -> list[Any]:
        """Return the answers; None for a key of another type."""
        return [
            None if isinstance(one, Exception) else one for one in self._commands.ask(*commands)
        ]


def next_due(name: str, now: int) -> int:
    """Return the time (ms since 1970) of the next leaf of a pseudonym that has moved by ``now``."""
    minute = int(name[1:9], 16) % 60
    due = now // HOUR_MS * HOUR_MS + minute * _MINUTE_MS
    return due if due > now else due + HOUR_MS


def present(store: Store, heads: Iterable[tuple[str, int, str]]) -> set[tuple[str, int, str]]:
    """Return those of the heads (id, ``seq``, hash in hex) that the streams still have.

    A game that has left the store has all of its own: it was over, and its pack was checked.
    """
    wanted = [*heads]
    replies = Commands(store.redis).ask(*(_read(id_, seq) for id_, seq, _hash in wanted))
    known, missing = set(), []
    for head, reply in zip(wanted, replies, strict=True):
        found = () if isinstance(reply, Exception) else _events(reply)
        if any(event.hash.hex() == head[2] for event in found):
            known.add(head)
        else:
            missing.append(head)
    places = PackPlaces(store.redis).of_each([id_ for id_, _seq, _hash in missing])
    archived = (head for head, place in zip(missing, places, strict=True) if place is not None)
    return known.union(archived)


def _read(stream_id: str, seq: int) -> Sequence[Word]:
    return "XRANGE", game_key(stream_id, "events"), f"{seq}-0", f"{seq}-0"


def _events(reply: Any) -> Iterator[Event]:
    return (stored.event for stored in stored_entries(reply or ()))


def _kind_of(events: Sequence[Event]) -> str:
    """Return the kind of the leaf of a stream, given its newest events, newest first."""
    kinds = [event.kind for event in events]
    if kinds[0] == _AFTER_END and len(kinds) > 1:
        kinds = kinds[1:]
    return _ENDS.get(kinds[0], HEAD)


def _leaf(kind: str, name: str, event: Event) -> Leaf:
    more: dict[str, Any] = {}
    part = event.body.get("aborted") if kind == ABORTED else None
    if part is not None and "sound" in part.value:
        more["sound"] = part.value["sound"]
    return Leaf(kind, name, event.seq, event.hash.hex(), more)


def _chance_of(created: Event) -> Mapping[str, Any] | None:
    """Return the chance scope and commitment of a creation; None if it cannot be read."""
    part = created.body.get("game") or created.body.get("created")  # the latter: a tournament's
    chance = part.value.get("chance") if part is not None and type(part.value) is dict else None
    return chance if type(chance) is dict and {"scope", "commitment"} <= chance.keys() else None
