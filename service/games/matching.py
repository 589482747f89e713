"""Who is matched with whom: the groups of seeks that want the same table and suit each other.

The seek that has waited longest comes first. Of all groups that it is in, it gets the one whose
second seek has waited longest, then the one whose third has, and so on. So nobody who came later is
preferred to somebody who suits as well.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Self

import orjson

from rules.kernel.canonical import JsonObject, encode
from service.ledger.kinds import BOT, PERSON

ANYBODY, PEOPLE, BOTS = OPPONENTS = ("anybody", "people", "bots")
"""Whom a seek may be matched with."""

MOST_STEPS = 20_000
"""Number of comparisons after which a search for a group ends: it goes on at the next one."""


class Seek(NamedTuple):
    """A player's wish for a table with these terms, with others who wish the same.

    ``seconds`` is the clock's time for a decision, None if any will do. ``least`` and ``most``
    bound the ratings of the others in the ruleset; None is no bound. ``since`` and ``until`` are
    milliseconds since 1970. ``address`` and ``times`` are those of the ``Claimant`` of the game.
    """

    id: str
    player: str
    ruleset: str
    seats: int
    options: JsonObject
    seconds: int | None
    rated: bool
    opponents: str
    least: int | None
    most: int | None
    since: int
    until: int
    address: str
    times: int

    def dump(self) -> bytes:
        """Return the stored form."""
        return orjson.dumps(self._asdict())

    @classmethod
    def load(cls, raw: Any) -> Self:
        """Read the stored form."""
        return cls(**orjson.loads(raw))

    @property
    def terms(self) -> bytes:
        """What all seeks of a table have in common, besides the clock."""
        return encode([self.ruleset, self.seats, self.options, self.rated])


class Seeker(NamedTuple):
    """What a seek's player is: a person or a program, and the rating in the seek's ruleset."""

    kind: str
    rating: float


def suits(seek: Seek, other: Seek, seeker: Seeker) -> bool:
    """Whether the player of ``other`` (``seeker``) is one whom ``seek`` may be matched with.

    Programs have no ratings, so they are in no range of ratings.
    """
    if seek.player == other.player or (seek.rated and seek.address == other.address):
        return False
    if None not in (seek.seconds, other.seconds) and seek.seconds != other.seconds:
        return False
    if seek.opponents != ANYBODY and (seek.opponents == BOTS) != (seeker.kind == BOT):
        return False
    if seek.least is None and seek.most is None:
        return True
    least = seeker.rating if seek.least is None else seek.least
    most = seeker.rating if seek.most is None else seek.most
    return seeker.kind == PERSON and least <= seeker.rating <= most


def first_group(seeks: Sequence[Seek], about: Mapping[str, Seeker]) -> list[Seek] | None:
    """Return the seeks of the next table; None if no group is complete.

    ``seeks`` are ordered, those that have waited longest first; ``about`` has the seeker of each,
    by the seek's id.
    """
    steps = MOST_STEPS

    def fits(one: Seek, other: Seek) -> bool:
        nonlocal steps
        steps -= 1
        return suits(one, other, about[other.id]) and suits(other, one, about[one.id])

    def complete(group: list[Seek], others: Sequence[Seek]) -> list[Seek] | None:
        missing = group[0].seats - len(group)
        if not missing:
            return group
        for place, one in enumerate(others):
            if steps <= 0 or len(others) - place < missing:
                return None
            rest = [other for other in others[place + 1 :] if fits(one, other)]
            if found := complete([*group, one], rest):
                return found
        return None

    alike: dict[bytes, list[Seek]] = {}
    for seek in seeks:
        alike.setdefault(seek.terms, []).append(seek)
    for seek in seeks:
        same = alike[seek.terms]
        same.remove(seek)
        if len(same) >= seek.seats - 1:
            others = [other for other in same if fits(seek, other)]
            if found := complete([seek], others):
                return found
        if steps <= 0:
            break
    return None
