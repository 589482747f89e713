"""The leaves of the public log: their bytes, and the one chain on which all leaves of an id lie.

A leaf is the canonical JSON ``["lonja/2", "leaf", {hash, id, kind, seq, …}]``. ``seq`` and ``hash``
are those of an event: of the first one in ``created``, otherwise of the newest one at that time.
The id of a game that is not public is a pseudonym, and then ``seq`` counts the pseudonym's leaves.
"""

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, Self

import orjson

from rules.kernel.canonical import FORMAT, JsonObject, NotCanonicalError, derive, encode, mac
from rules.kernel.proof.shape import is_digest
from rules.kernel.record.instants import is_instant
from service.clock import TOLERANCE_MS
from service.tlog.errors import TlogError

CREATED, HEAD, ENDED, ABORTED, REWOUND = "created", "head", "ended", "aborted", "rewound"
KINDS = frozenset((CREATED, HEAD, ENDED, ABORTED, REWOUND))
OVER = frozenset((ENDED, ABORTED))
HOUR_MS = 3_600_000
_MINUTE_MS = 60_000
_NONE: Mapping[str, Any] = MappingProxyType({})
_PSEUDONYM = re.compile(r"~[0-9a-f]{64}\Z")
_ID = re.compile(r"[gt][0-9]{2}-[a-z2-7]{20}\Z")


class Leaf(NamedTuple):
    """A leaf; ``hash`` is a digest in hex.

    ``more`` has what only some kinds have: ``commitment`` of ``created`` (to the seed of its luck);
    ``to`` and ``to_hash`` of ``rewound`` (the earlier leaf after which the id goes on; ``to`` 0 and
    no hash if nothing is left), and ``at`` (when the service found that out); and whatever later
    releases add.
    """

    kind: str
    id: str
    seq: int
    hash: str
    more: Mapping[str, Any] = _NONE

    @property
    def entry(self) -> bytes:
        """The bytes that the log has."""
        return encode([FORMAT, "leaf", self.to_json()])

    def to_json(self) -> JsonObject:
        """Return the members of the leaf."""
        known = {"kind": self.kind, "id": self.id, "seq": self.seq, "hash": self.hash}
        return {**self.more, **known}

    @classmethod
    def of_json(cls, members: JsonObject) -> Self | None:
        """Return the leaf that has these members; None if its kind is newer than this release.

        Raises:
            TlogError: it is no leaf.
        """
        more, what = {**members}, f"the leaf {members!r:.200}"
        kind = more.pop("kind", None)
        if type(kind) is not str:
            raise TlogError(f"{members!r:.200} is a leaf without a kind")
        if kind not in KINDS:
            return None
        id_, seq, hash_ = (more.pop(name, None) for name in ("id", "seq", "hash"))
        if type(id_) is not str or not (_ID.match(id_) or _PSEUDONYM.match(id_)):
            raise TlogError(f"{what} has the id {id_!r:.80}")
        if type(seq) is not int or seq < 1 or not is_digest(hash_):
            raise TlogError(f"{what} has the seq {seq!r:.20} and the hash {hash_!r:.80}")
        if not _fits(kind, seq, more):
            raise TlogError(f"{what} has not what a leaf `{kind}` has")
        return cls(kind, id_, seq, hash_, more)

    @classmethod
    def parse(cls, entry: bytes) -> Self | None:
        """Read an entry of the log; None if its kind is newer than this release.

        Raises:
            TlogError: it is no leaf.
        """
        try:
            found = orjson.loads(entry)
            if encode(found) != entry:
                found = None
        except (orjson.JSONDecodeError, NotCanonicalError):
            found = None
        if type(found) is not list or found[:2] != [FORMAT, "leaf"]:
            raise TlogError(f"{entry!r:.200} is no leaf of a log of games")
        if len(found) != 3 or type(found[2]) is not dict:
            raise TlogError(f"{entry!r:.200} is a leaf without a kind")
        return cls.of_json(found[2])


class ForkError(TlogError):
    """Leaves of one id that lie on no common chain: their log shows two histories, or hides one."""


def follow(before: Leaf | None, leaf: Leaf, logged: Callable[[int], Leaf | None]) -> Leaf | None:
    """Take the next leaf of an id, and return the leaf on which the one after it must follow.

    ``before`` is what the call for the leaf before has returned; None for the first leaf, and after
    a ``rewound`` that leaves nothing. ``logged`` returns the leaf of this id that had a ``seq``, on
    the chain up to ``before``. Between two leaves the log does not show the chain: the headers of
    the events must lead from one hash to the other.

    Raises:
        ForkError: the leaf does not follow.
    """
    what = f"{leaf.id}: the leaf `{leaf.kind}` at {leaf.seq}"
    if before is None:
        if leaf.kind != CREATED:
            raise ForkError(f"{what} has no `created` before it")
        return leaf
    after = f"`{before.kind}` at {before.seq}"
    if leaf.kind == REWOUND:
        if (leaf.seq, leaf.hash) != (before.seq, before.hash):
            raise ForkError(f"{what} names another head than {after}: {leaf.hash}")
        return _rewound(leaf, what, logged)
    if leaf.kind == CREATED:
        raise ForkError(f"{what} is a second creation, after {after}")
    if leaf.seq < before.seq:
        raise ForkError(f"{what} goes back from {after}, and no `rewound` says so")
    if leaf.seq == before.seq and leaf.hash != before.hash:
        raise ForkError(f"{what} has the hash {leaf.hash}, and {after} has {before.hash}")
    if before.kind in OVER and leaf.kind != before.kind:  # a seed may be opened after the end
        raise ForkError(f"{what} goes on after {after}")
    if _PSEUDONYM.match(leaf.id) and leaf.seq != before.seq + 1:
        raise ForkError(f"{what} does not count on from {after}")
    return leaf


def is_public_id(text: str) -> bool:
    """Whether this is the id of a game or tournament, and no pseudonym."""
    return _ID.match(text) is not None


def pseudonym_key(salt: bytes) -> bytes:
    """Return the key of a game's pseudonym; whoever has it knows nothing else of the salt."""
    return derive(salt, "pseudonym")


def pseudonym(key: bytes, game_id: str) -> str:
    """Return the id that a game which is not public has in the log."""
    return f"~{mac(key, encode([FORMAT, 'pseudonym', game_id])).hex()}"


def next_due(name: str, at: int) -> int:
    """Return the time of the next leaf of a pseudonym after an event at ``at`` (ms since 1970).

    It is the first one of the pseudonym's minutes that is certainly later than the event: an event
    may be written up to TOLERANCE_MS after its own time, and must not make a second leaf after one
    that was just written.
    """
    least = at + TOLERANCE_MS
    due = least // HOUR_MS * HOUR_MS + int(name[1:9], 16) % 60 * _MINUTE_MS
    return due if due > least else due + HOUR_MS


def _rewound(leaf: Leaf, what: str, logged: Callable[[int], Leaf | None]) -> Leaf | None:
    to: int = leaf.more["to"]
    if to == 0:
        return None
    target = logged(to)
    if target is None or target.hash != leaf.more["to_hash"]:
        raise ForkError(f"{what} goes back to {to}, where the log has no such head")
    return target


def _fits(kind: str, seq: int, more: Mapping[str, Any]) -> bool:
    if kind == CREATED:
        return seq == 1 and is_digest(more.get("commitment"))
    if kind == REWOUND:
        to, has_hash = more.get("to"), "to_hash" in more
        if type(to) is not int or not 0 <= to < seq:
            return False
        if "at" in more and not is_instant(more["at"]):
            return False
        return is_digest(more.get("to_hash")) if to else not has_hash
    return True
