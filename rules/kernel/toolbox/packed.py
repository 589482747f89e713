"""Piles of things of a few kinds, each packed into one int, which is fast to compare and to add.

Each kind has eight bits; the first kind has the lowest. A pile has at most 127 things of a kind, so
the top bit of every byte is free. So piles can be added and subtracted as ints, and ``covers``
compares all kinds at once.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
from typing import Any, Generic, TypeVar, cast

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.errors import shown
from rules.kernel.contract.fields import Choice, Field, Integer, ListOf, WrongType

K = TypeVar("K", bound=int)

MOST = 127
"""Maximum number of things of one kind in a pile."""
_BITS = 8
_BYTE = (1 << _BITS) - 1


class PileCodec(Generic[K]):
    """Piles of things; ``ids`` are the ids of the kinds, and a kind is an index into them."""

    def __init__(self, ids: Sequence[str]) -> None:
        self.ids = tuple(ids)
        self.one = tuple(1 << _BITS * kind for kind in range(len(ids)))
        """For each kind, the pile of one thing of this kind."""
        self.guard = sum(self.one) << _BITS - 1
        """The top bits of all bytes. Fast code may inline ``covers``: ``(pile | guard) - some &
        guard``."""
        self._full = sum(self.one) * MOST
        self._kinds: dict[int, tuple[K, ...]] = {}

    def covers(self, pile: int, some: int) -> bool:
        """Whether ``pile`` has at least as many things of every kind as the pile ``some``."""
        guard = self.guard
        return (pile | guard) - some & guard == guard

    def covered(self, pile: int, others: Iterable[int]) -> list[int]:
        """Return the piles among ``others`` that ``pile`` covers."""
        guard = self.guard
        guarded = pile | guard
        return [some for some in others if guarded - some & guard == guard]

    def count(self, pile: int, kind: K) -> int:
        """Return the number of things of a kind."""
        return pile >> _BITS * kind & _BYTE

    def total(self, pile: int) -> int:
        """Return the number of things in a pile."""
        return sum(pile.to_bytes(len(self.ids)))

    def kinds(self, pile: int) -> tuple[K, ...]:
        """Return the kinds in a pile, ascending."""
        present = pile + self._full & self.guard
        if (known := self._kinds.get(present)) is None:
            tops = [one << _BITS - 1 for one in self.one]
            there = tuple(k for k, top in enumerate(tops) if present & top)
            known = self._kinds[present] = cast("tuple[K, ...]", there)
        return known

    def common(self, pile: int, other: int) -> int:
        """Return the pile that has, of each kind, the smaller of the two piles' numbers."""
        if self.covers(pile, other):
            return other
        counts = zip(pile.to_bytes(len(self.ids)), other.to_bytes(len(self.ids)), strict=True)
        return int.from_bytes(map(min, counts))

    def each(self, number: int) -> int:
        """Return the pile of ``number`` things of every kind."""
        return sum(self.one) * number

    def of(self, number: int) -> Sequence[int]:
        """Return every pile of ``number`` things, those with most of the first kind first."""
        return _piles(self.one, number)

    # JSON

    def from_counts(self, counts: Mapping[str, int]) -> int:
        """Return the pile with these counts by id."""
        return sum([self.one[self.ids.index(id_)] * number for id_, number in counts.items()])

    def counts(self, pile: int) -> dict[str, int]:
        """Return the counts of all kinds. The keys are the ids of the kinds."""
        return dict(zip(self.ids, pile.to_bytes(len(self.ids), "little"), strict=True))

    def held(self, pile: int) -> dict[str, int]:
        """Return the counts of the kinds in a pile. The keys are the ids of the kinds."""
        return {id_: number for id_, number in self.counts(pile).items() if number}

    def listed(self, pile: int) -> list[str]:
        """Return the id of each thing's kind, in the order of the kinds."""
        return [id_ for id_, number in self.counts(pile).items() for _ in range(number)]


@cache
def _piles(one: tuple[int, ...], number: int) -> tuple[int, ...]:
    return tuple(map(sum, combinations_with_replacement(one, number)))


@dataclass(frozen=True, slots=True)
class PileAsList(Field[int]):
    """A pile of ``least`` to ``most`` things as a list of ids in any order.

    If ``unique``, the schema requires different ids, and ``values`` has only such piles. But
    ``read`` accepts equal ids: the rules refuse them with errors of their own.
    """

    packed: PileCodec[Any]
    least: int
    most: int
    unique: bool = False

    def read(self, value: object) -> int:
        if not isinstance(value, list) or not all(type(item) is str for item in value):
            raise WrongType(f"{shown(value)} is not a list of ids")
        if not self.least <= len(value) <= self.most:
            raise WrongType(f"there are not {len(value)} of these")
        ids = Choice(self.packed.ids)
        return sum([self.packed.from_counts({ids.read(item): 1}) for item in value])

    def write(self, value: int) -> object:
        return self.packed.listed(value)

    def values(self) -> Sequence[int]:
        piles = [pile for n in range(self.least, self.most + 1) for pile in self.packed.of(n)]
        if not self.unique:
            return piles
        return [pile for pile in piles if len(self.packed.kinds(pile)) == self.packed.total(pile)]

    def schema(self) -> JsonObject:
        return ListOf(Choice(self.packed.ids), self.least, self.most, unique=self.unique).schema()


@dataclass(frozen=True, slots=True)
class PileAsCounts(Field[int]):
    """A pile as an object of counts by id, each at least 1.

    In the schema, each count is from 1 to ``most``. ``read`` accepts higher counts, too, because
    the rules check them.
    """

    packed: PileCodec[Any]
    most: int

    def read(self, value: object) -> int:
        if not isinstance(value, dict):
            raise WrongType(f"{shown(value)} is not an object of counts")
        for number in value.values():
            if type(number) is not int or number < 1:
                raise WrongType(f"{shown(number)} is not a count from 1 on")
        ids = Choice(self.packed.ids)
        return self.packed.from_counts({ids.read(id_): min(n, MOST) for id_, n in value.items()})

    def write(self, value: int) -> object:
        return self.packed.held(value)

    def schema(self) -> JsonObject:
        return {
            "type": "object",
            "properties": dict.fromkeys(self.packed.ids, Integer(1, self.most).schema()),
            "additionalProperties": False,
            "minProperties": 1,
            "examples": [{self.packed.ids[0]: 1}],
        }
