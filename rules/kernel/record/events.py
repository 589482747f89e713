"""Events: how they are chained and stored, and copies for viewers (docs/format.md, "Events")."""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import orjson

from rules.kernel.canonical import FORMAT, JsonObject, digest, encode, encode_known, in_order, mac
from rules.kernel.contract.effects import PUBLIC, can_see
from rules.kernel.contract.seats import Seat
from rules.kernel.record.secrets import part_commitment, part_nonce, state_key

UNREADABLE = "unreadable"
"""The kind of an event that ``load`` could not read; neither it nor a later event can be folded."""

OPENABLE = ("move", "picks")
"""The parts that the rules may seal and reveal; other hidden parts are revealed when the game
ends.
"""

NO_STATE = None
"""What a state proof covers instead of a state, before the start and at the end of a damaged
game.
"""


class Part(NamedTuple):
    """A value in an event's body, and its audience."""

    audience: str
    value: Any


def public(value: object) -> Part:
    """Return a part that everybody may see."""
    return new_tuple(Part, (PUBLIC, value))


def ordered(body: Mapping[str, Part]) -> dict[str, Part]:
    """Return a body with its parts, and the members of their values, in their order."""
    return {
        name: new_tuple(Part, (body[name].audience, in_order(body[name].value)))
        for name in sorted(body)
    }


class Event(NamedTuple):
    """An immutable entry of a game's stream, with all parts.

    ``seq`` counts from 1, and ``last`` is the ``seq`` of the last event of the batch. ``at`` is an
    RFC 3339 UTC time that never decreases, and ``by`` is the causer. ``state_proof`` and ``hash``
    are 32 bytes each. Objects have their members in the order of canonical JSON, as in a record: so
    copies are the same bytes, whether the event was recorded just now, stored, or read from a pack.
    """

    seq: int
    kind: str
    by: JsonObject
    at: str
    last: int
    body: Mapping[str, Part]
    state_proof: bytes
    hash: bytes


class Draft(NamedTuple):
    """An event that is not chained yet, with the canonical bytes of the state after it."""

    seq: int
    kind: str
    by: JsonObject
    body: dict[str, Part]
    state: bytes
    opens: tuple[tuple[int, str, Any], ...]
    """(seq, part, value) for each sealed part that this event reveals."""


def genesis(game_id: str) -> bytes:
    """Return the hash before the first event of a game."""
    return digest(encode([FORMAT, "genesis", game_id]))


def event_hash(
    prev_hash: bytes,
    seq: int,
    kind: str,
    by: JsonObject,
    at: str,
    last: int,
    parts: Mapping[str, str],
    state_proof: bytes,
) -> bytes:
    """Return an event's hash, which covers ``prev_hash``; ``parts`` are commitments in hex."""
    header = {
        "seq": seq, "kind": kind, "by": by, "at": at, "last": last, "parts": parts,
        "state_proof": state_proof.hex(),
    }  # fmt: skip
    return digest(prev_hash + encode_known(header))


class Proofs(NamedTuple):
    """The proofs of an event's parts, by name: nonces, and hex commitments."""

    nonces: dict[str, bytes]
    commitments: dict[str, str]


def proofs_of(seq: int, body: Mapping[str, Part], salt: bytes, prev_hash: bytes) -> Proofs:
    """Return the proofs of the parts of the event ``seq``."""
    nonces = {name: part_nonce(salt, seq, name, prev_hash) for name in body}
    return Proofs(
        nonces,
        {name: part_commitment(nonces[name], part.value).hex() for name, part in body.items()},
    )


def seal(
    drafts: list[Draft],
    prev_hashes: Mapping[int, bytes],
    head: bytes,
    salt: bytes,
    at: str,
    proofs: dict[int, Proofs] | None = None,
) -> list[Event]:
    """Return the events of one batch, chained to ``head``.

    Each draft becomes an event. A draft may reveal a part of an earlier event. If it reveals a part
    of event ``n``, ``prev_hashes[n]`` must be the hash of event ``n - 1``. The proofs of the parts
    of each new event are added to ``proofs``; ``copy_for`` can use them.
    """
    known = dict(prev_hashes)
    last = drafts[-1].seq
    events = []
    for draft in drafts:
        known[draft.seq] = head
        body = draft.body
        if draft.opens:
            opens = [
                {
                    "nonce": part_nonce(salt, seq, part, known[seq]).hex(),
                    "part": part,
                    "seq": seq,
                    "value": value,
                }
                for seq, part, value in draft.opens
            ]
            body = dict(sorted({**body, "opens": public(opens)}.items()))
        found = proofs_of(draft.seq, body, salt, head)
        if proofs is not None:
            proofs[draft.seq] = found
        parts = found.commitments
        proof = mac(state_key(salt, draft.seq, head), draft.state)
        head = event_hash(head, draft.seq, draft.kind, draft.by, at, last, parts, proof)
        events.append(Event(draft.seq, draft.kind, draft.by, at, last, body, proof, head))
    return events


# Stored form, without what follows from the game's secrets


def dump(event: Event) -> tuple[bytes, bytes]:
    """Return the two fields in which an event is stored.

    The first field is the JSON of the event. The second field is the state proof of the event,
    followed by the hash of the event.
    """
    record: JsonObject = {"k": event.kind, "b": event.by, "t": event.at}
    if event.last != event.seq:
        record["l"] = event.last
    record["p"] = {name: list(part) for name, part in event.body.items()}
    return orjson.dumps(record), event.state_proof + event.hash


def load(seq: int, record: bytes, proofs: bytes) -> Event:
    """Return the event that ``dump`` wrote.

    Raises:
        AttributeError, KeyError, TypeError, ValueError: it is not an event.
    """
    data = in_order(orjson.loads(record))  # releases before 0.3 stored them in another order
    body = data["p"]
    for name, part in body.items():
        if len(part) != 2:
            raise ValueError(f"the part {name} is {part!r:.80}")
        body[name] = new_tuple(Part, part)
    last = data.get("l", seq)
    if type(last) is not int:
        raise ValueError(f"the last event of the batch is {last!r:.80}")
    fields = (seq, data["k"], data["b"], data["t"], last, body, proofs[:32], proofs[32:])
    return new_tuple(Event, fields)


def unreadable(seq: int, proofs: bytes) -> Event:
    """Return a placeholder for a stored event that cannot be read."""
    return Event(seq, UNREADABLE, {}, "", seq, {}, proofs[:32], proofs[32:])


new_tuple = tuple.__new__
"""Makes a named tuple in a third of the time that its constructor takes; folding makes many."""


# Copies for viewers


@dataclass(slots=True)
class Access:
    """Which parts of a game are revealed, and at which version.

    The data are filled in while events are folded. They are complete for all versions from
    ``restored`` to the version of the newest folded event.
    """

    over: int | None = None
    """The version at which the game's salt was revealed; every part is revealed then."""
    restored: int = 0
    sealed: AbstractSet[tuple[int, str]] = frozenset()
    """The parts in ``OPENABLE`` that are still sealed at the version ``restored``; all others in
    ``OPENABLE`` are revealed there.
    """
    _shared: dict[tuple[int, str], int] = field(default_factory=dict)
    _own: dict[tuple[int, str], int] = field(default_factory=dict)

    @property
    def grown(self) -> bool:
        """Whether it has revelations that its forks do not have yet."""
        return bool(self._own)

    def open(self, seq: int, part: str, version: int) -> None:
        """Note that the event with the number ``version`` reveals a part of the event ``seq``."""
        self._own[seq, part] = version

    def sees(self, viewer: Seat | None, seq: int, part: str, audience: str, version: int) -> bool:
        """Whether ``viewer`` sees a part at ``version``."""
        if can_see(viewer, audience) or (self.over is not None and self.over <= version):
            return True
        key = (seq, part)
        opened = self._own.get(key) or self._shared.get(key)
        if opened is not None:
            return opened <= version
        return seq <= self.restored <= version and part in OPENABLE and key not in self.sealed

    def fork(self) -> "Access":
        """Return an equal object. Until ``settle``, new revelations of one are not in the other."""
        return Access(self.over, self.restored, self.sealed, self._shared, self._own.copy())

    def settle(self) -> None:
        """Share the new revelations with all forks, because their events are in the stream.

        A fork that is asked about an earlier version ignores these revelations, so its answers stay
        right. Because forks share revelations, nothing is copied for each move, and a move late in
        a game costs no more than an early one.
        """
        self._shared.update(self._own)
        self._own = {}


def copy_for(
    viewer: Seat | None,
    event: Event,
    prev_hash: bytes,
    salt: bytes,
    access: Access,
    version: int,
    proofs: Proofs | None = None,
) -> JsonObject:
    """Return the copy of ``event`` for ``viewer`` (a seat, None for a spectator) at ``version``.

    Everybody gets the header. The body has the parts that the viewer may see, each with the nonce
    that proves it. Earlier parts that the event reveals are in the public part ``opens``.
    ``proofs`` are those from ``seal``, if the event was sealed just now.
    """
    nonces, parts = proofs or proofs_of(event.seq, event.body, salt, prev_hash)
    seen = [
        name
        for name, part in event.body.items()
        if access.sees(viewer, event.seq, name, part.audience, version)
    ]
    return {
        "seq": event.seq,
        "kind": event.kind,
        "by": event.by,
        "at": event.at,
        "last": event.last,
        "parts": parts,
        "state_proof": event.state_proof.hex(),
        "hash": event.hash.hex(),
        "body": {name: event.body[name].value for name in seen},
        "audiences": {name: part.audience for name, part in event.body.items()},
        "nonces": {name: nonces[name].hex() for name in seen},
    }


def from_copy(seen: JsonObject) -> Event:
    """Return the event of a copy from ``copy_for``; its body has only the visible parts.

    Raises:
        KeyError, TypeError, ValueError: it is not a copy of an event.
    """
    audiences = seen["audiences"]
    body = {name: Part(audiences[name], value) for name, value in seen["body"].items()}
    return Event(
        seen["seq"], seen["kind"], seen["by"], seen["at"], seen["last"], body,
        bytes.fromhex(seen["state_proof"]), bytes.fromhex(seen["hash"]),
    )  # fmt: skip
