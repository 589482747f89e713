"""Damaged games: which events count, and which events an operator declared damaged."""

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, overload

from rules.kernel.canonical import JsonObject
from rules.kernel.proof.shape import Fields, digest, positive
from rules.kernel.record.events import UNREADABLE
from rules.kernel.record.game import DAMAGED

SOUND = Fields(seq=positive, hash=digest)
"""The last event of a damaged game that counts."""

MOST_AFTER = 100
"""Maximum number of events after the last sound one that are searched for the game's end."""

_HEX = re.compile(r"([0-9a-f]{2}){0,32}")


class Damage(NamedTuple):
    """The number of a damaged game's last sound event, and the number of the event that ends it."""

    sound: int
    end: int

    @property
    def lost(self) -> range:
        """The numbers of the events between the last sound one and the end; they do not count."""
        return range(self.sound + 1, self.end)


def damage_of(copies: Sequence[JsonObject]) -> Damage | None:
    """Return the damage that the end of a game declares; None if the game was not damaged."""
    last = copies[-MOST_AFTER:]
    for number, copy in enumerate(last, len(copies) - len(last) + 1):
        body: Any = copy.get("body") if copy.get("kind") == "aborted" else None
        told = body.get("aborted") if type(body) is dict else None
        if type(told) is not dict or told.get("reason") != DAMAGED:
            continue
        if SOUND.fits(told.get("sound"), 0):
            return Damage(told["sound"]["seq"], number)
    return None


class CountedEvents(Sequence[JsonObject]):
    """The events of a damaged game; events that do not count are reduced to their hashes.

    ``stored`` has all events in full. The hashes are needed because the hash of the event that ends
    the game covers the hash of the stored event before it. That stored event may be one that does
    not count.
    """

    def __init__(self, stored: Sequence[JsonObject], damage: Damage) -> None:
        self.stored = stored
        self.damage = damage

    def __len__(self) -> int:
        return len(self.stored)

    @overload
    def __getitem__(self, index: int) -> JsonObject: ...
    @overload
    def __getitem__(self, index: slice) -> list[JsonObject]: ...
    def __getitem__(self, index: int | slice) -> JsonObject | list[JsonObject]:
        if isinstance(index, slice):
            return [self[each] for each in range(*index.indices(len(self)))]
        return self._seen(range(len(self))[index] + 1, self.stored[index])

    def __iter__(self) -> Iterator[JsonObject]:
        for number, copy in enumerate(self.stored, 1):
            yield self._seen(number, copy)

    def _seen(self, number: int, copy: JsonObject) -> JsonObject:
        if number not in self.damage.lost:
            return copy
        found = copy.get("hash")
        hash_ = found if type(found) is str and _HEX.fullmatch(found) else ""
        return {
            "seq": number, "kind": UNREADABLE, "by": {}, "at": "", "last": number, "parts": {},
            "state_proof": "", "hash": hash_, "body": {}, "audiences": {}, "nonces": {},
        }  # fmt: skip


def counting(copies: Sequence[JsonObject]) -> Sequence[JsonObject]:
    """Return the events that count: all, or CountedEvents of a damaged game."""
    if isinstance(copies, CountedEvents) or (damage := damage_of(copies)) is None:
        return copies
    return CountedEvents(copies, damage)


def is_lost(copies: Sequence[JsonObject], number: int) -> bool:
    """Whether event ``number`` does not count; ``copies`` come from ``counting``."""
    # Comparing types is faster than isinstance with an abstract class.
    return type(copies) is CountedEvents and number in copies.damage.lost
