"""Action cubes of the six colours, counted together in one int.

Eight bits a colour, the first colour lowest. No pile holds more than 127 of a colour, so the top
bit of every byte is free: piles are added and subtracted as ints, and ``covers`` compares all six
colours at once.
"""

from collections.abc import Mapping
from functools import cache, lru_cache
from itertools import combinations_with_replacement

from rules.macao.data import COLOURS

MOST = 127
"""More than any pile holds of one colour."""
_BITS = 8
_SHIFTS = tuple(_BITS * colour for colour in range(len(COLOURS)))
_BYTE = (1 << _BITS) - 1
ONE = tuple(1 << shift for shift in _SHIFTS)
"""One cube of each colour."""
_OF = dict(zip(COLOURS, ONE, strict=True))
GUARD = sum(one << _BITS - 1 for one in ONE)
"""The top bits. A caller in a hurry writes ``covers`` out: ``(pile | GUARD) - some & GUARD``."""
_FULL = sum(one * MOST for one in ONE)


def covers(pile: int, some: int) -> bool:
    """Whether ``pile`` holds at least ``some`` of every colour."""
    return (pile | GUARD) - some & GUARD == GUARD


def count(pile: int, colour: int) -> int:
    """How many cubes of one colour there are."""
    return pile >> _SHIFTS[colour] & _BYTE


def total(pile: int) -> int:
    """How many cubes there are."""
    return sum(pile.to_bytes(len(COLOURS)))


def colours(pile: int) -> tuple[int, ...]:
    """The colours that there are, ascending."""
    return _colours(pile + _FULL & GUARD)


@cache
def _colours(present: int) -> tuple[int, ...]:
    return tuple(c for c, one in enumerate(ONE) if present & one << _BITS - 1)


def common(one: int, other: int) -> int:
    """The smaller count of each colour."""
    if covers(one, other):
        return other
    return sum(min(count(one, c), count(other, c)) << shift for c, shift in enumerate(_SHIFTS))


@cache
def each(number: int) -> int:
    """A pile with ``number`` cubes of every colour."""
    return sum(one * number for one in ONE)


@cache
def any_cubes(number: int) -> tuple[int, ...]:
    """Every pile of ``number`` cubes, ordered by colours."""
    return tuple(map(sum, combinations_with_replacement(ONE, number)))


PAIRS = tuple(pile for pile in any_cubes(2) if len(colours(pile)) == 2)
"""Every pile of two cubes of different colours."""

# JSON


def from_counts(counts: Mapping[str, int]) -> int:
    """The pile that counts by colour describe."""
    return sum([_OF[id_] * number for id_, number in counts.items()])


def counts(pile: int) -> dict[str, int]:
    """Counts by colour, of all six."""
    return _counts(pile).copy()


@lru_cache(maxsize=4096)
def _counts(pile: int) -> dict[str, int]:
    return dict(zip(COLOURS, pile.to_bytes(len(COLOURS), "little"), strict=True))


def payment(pile: int) -> dict[str, int]:
    """Counts by colour, of those that there are."""
    return {id_: number for id_, number in _counts(pile).items() if number}


def ids(pile: int) -> list[str]:
    """One colour for each cube, in the order of the colours."""
    return [id_ for id_, number in _counts(pile).items() for _ in range(number)]
