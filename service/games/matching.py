"""Who is matched with whom: the groups of seeks that want the same table and suit each other.

The seek that has waited longest comes first. Of all groups that it is in, it gets the one whose
second seek has waited longest, then the one whose third has, and so on. So nobody who came later is
preferred to somebody who suits as well.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Self

import orjson

from rules.kernel.canonical import JsonObject
from service.ledger.kinds import BOT, PERSON

ANYBODY, PEOPLE, BOTS = OPPONENTS = ("anybody", "people", "bots")
"""Whom a seek may be matched with."""

MOST_STEPS = 20_000
"""Number of comparisons after which a search for a group ends without one."""
MOST_STEPS_OF_ADDRESS = 2_000
"""Number of comparisons that a search makes for the seeks of one address.

So no caller's seeks can use up the comparisons of all others. It suffices to compare 60 seeks, as
many as an address may have by default, with each other.
"""


class Seek(NamedTuple):
    """A player's wish for a table with these terms, with others who wish the same.

    ``clock`` is that of the game, None if any will do. ``least`` and ``most`` bound the ratings of
    the others in the ruleset; None is no bound. ``since`` and ``until`` are
    milliseconds since 1970. ``address`` and ``times`` are those of the ``Claimant`` of the game.
    """

    id: str
    player: str
    ruleset: str
    seats: int
    options: JsonObject
    clock: JsonObject | None
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
        """The game that the player wants, without the clock: equal for all seeks of a table."""
        wanted = [self.ruleset, self.seats, self.options, self.rated]
        return orjson.dumps(wanted, option=orjson.OPT_SORT_KEYS)


class Seeker(NamedTuple):
    """The player of a seek: ``kind`` is PERSON or BOT, ``rating`` that in the seek's ruleset."""

    kind: str
    rating: float


def suits(seek: Seek, other: Seek, seeker: Seeker) -> bool:
    """Whether the player of ``other`` (``seeker``) is one whom ``seek`` may be matched with.

    Programs have no ratings, so they are in no range of ratings.
    """
    if seek.player == other.player or (seek.rated and seek.address == other.address):
        return False
    if None not in (seek.clock, other.clock) and seek.clock != other.clock:
        return False
    if seek.opponents != ANYBODY and (seek.opponents == BOTS) != (seeker.kind == BOT):
        return False
    if seek.least is None and seek.most is None:
        return True
    least = seeker.rating if seek.least is None else seek.least
    most = seeker.rating if seek.most is None else seek.most
    return seeker.kind == PERSON and least <= seeker.rating <= most


def with_enough_players(seeks: Iterable[Seek]) -> list[Seek]:
    """Return the seeks whose terms as many players want as the game has seats, in their order."""
    players: dict[bytes, set[str]] = {}
    wanted = [(seek, players.setdefault(seek.terms, set())) for seek in seeks]
    for seek, who in wanted:
        who.add(seek.player)
    return [seek for seek, who in wanted if len(who) >= seek.seats]


def first_group(seeks: Sequence[Seek], about: Mapping[str, Seeker]) -> list[Seek] | None:
    """Return the seeks of the next table; None if no group is complete.

    ``seeks`` are ordered, those that have waited longest first; ``about`` has the seeker of each,
    by the seek's id.
    """
    search = _Search(about)
    alike: dict[bytes, list[Seek]] = {}
    for seek in seeks:
        alike.setdefault(seek.terms, []).append(seek)
    for seek in seeks:
        same = alike[seek.terms]
        same.remove(seek)
        if found := search.group_of(seek, same):
            return found
        if search.is_over:
            break
    return None


class _Search:
    """A search for a group, which counts its comparisons by the address of the group's first seek.

    ``about`` has the seeker of each seek, by the seek's id.
    """

    def __init__(self, about: Mapping[str, Seeker]) -> None:
        self._about = about
        self._spent: Counter[str] = Counter()

    @property
    def is_over(self) -> bool:
        """Whether all comparisons are used up."""
        return self._spent.total() >= MOST_STEPS

    def group_of(self, first: Seek, others: Sequence[Seek]) -> list[Seek] | None:
        """Return the first complete group of a seek and some of ``others``; None if there is none.

        ``others`` have the same terms, those that have waited longest first.
        """
        if len(others) < first.seats - 1 or not self._may_go_on(first):
            return None
        return self._complete([first], self._suiting(first, first, others))

    def _complete(self, group: list[Seek], others: Sequence[Seek]) -> list[Seek] | None:
        """Return the first complete group of ``group`` and some of ``others``, who suit it."""
        first = group[0]
        missing = first.seats - len(group)
        if not missing:
            return group
        for place, one in enumerate(others):
            if len(others) - place < missing or not self._may_go_on(first):
                return None
            rest = self._suiting(first, one, others[place + 1 :])
            if found := self._complete([*group, one], rest):
                return found
        return None

    def _suiting(self, first: Seek, one: Seek, others: Sequence[Seek]) -> list[Seek]:
        """Return those of ``others`` that suit ``one``, and that it suits."""
        self._spent[first.address] += len(others)
        about = self._about
        return [
            other
            for other in others
            if suits(one, other, about[other.id]) and suits(other, one, about[one.id])
        ]

    def _may_go_on(self, first: Seek) -> bool:
        return self._spent[first.address] < MOST_STEPS_OF_ADDRESS
