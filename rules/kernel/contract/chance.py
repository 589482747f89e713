"""Draws with labels: a ruleset asks for a draw, and the picks follow from the committed seed.

A draw is identified by its label and its occurrence. The first draw with a label has occurrence 1,
the second draw with this label has occurrence 2, and so on. Label and occurrence do not depend on
how the game was played before. So if two games have the same seed, draws with the same label and
occurrence have the same picks (docs/format.md, "Chance").
"""

from collections.abc import Callable, Mapping, MutableSequence, Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, Protocol, TypeVar

from rules.kernel.canonical import FORMAT, derive, digest, encode, mac
from rules.kernel.contract.effects import PUBLIC, EffectLog

T = TypeVar("T")
_WORD = 2**64


@dataclass(frozen=True, slots=True)
class Chance:
    """A draw that a state waits for: one pick in ``range(size)`` for each of ``sizes``.

    Only ``audience`` sees the picks; label, occurrence and sizes are public.
    """

    label: str
    n: int
    sizes: tuple[int, ...]
    audience: str = PUBLIC


State = TypeVar("State")


class Draw(NamedTuple, Generic[State]):
    """The draw in a phase, and the function that applies its picks."""

    asks: Callable[[State], Chance]
    does: Callable[[State, Sequence[int], EffectLog | None], None]


class Nature(Protocol):
    """A function that answers draws."""

    def __call__(self, chance: Chance) -> tuple[int, ...]:
        """Return one pick for each size."""
        ...


class Random(Protocol):
    """The only method of ``random.Random`` that rules need; the caller provides it."""

    def randrange(self, stop: int, /) -> int:
        """Return a uniform integer in ``range(stop)``."""
        ...


def commitment(scope: str, chance_seed: bytes) -> bytes:
    """Return the published commitment to the chance seed of a scope.

    A chance scope is one game, or a group of games that use the same seed. The commitment is a
    SHA-256 hash.
    """
    return digest(encode([FORMAT, "chance", scope, chance_seed.hex()]))


def chance_key(chance_seed: bytes, scope: str, entropy: Sequence[bytes | None]) -> bytes:
    """Return the key of all draws of a game: the scope's seed mixed with the seats' entropy."""
    given = [None if e is None else e.hex() for e in entropy]
    return mac(chance_seed, encode([FORMAT, "key", scope, given]))


def draw(key: bytes, label: str, n: int, sizes: Sequence[int]) -> tuple[int, ...]:
    """Answer one draw from ``key``: uniform, without modulo bias, the same for everybody."""
    d = derive(key, "draw", label, n)
    picks = []
    j = 0
    for size in sizes:
        limit = _WORD - _WORD % size
        while True:
            word = int.from_bytes(mac(d, j.to_bytes(4))[:8])
            j += 1
            if word < limit:
                break
        picks.append(word % size)
    return tuple(picks)


def seeded(key: bytes) -> Nature:
    """Return the nature that draws a game's committed picks from ``key``."""
    return lambda chance: draw(key, chance.label, chance.n, chance.sizes)


def uniform(rng: Random) -> Nature:
    """Return a nature that draws from the caller's random source, for searches and simulations."""
    return lambda chance: tuple([rng.randrange(size) for size in chance.sizes])


def scripted(script: Mapping[str, Sequence[Sequence[int]]], otherwise: Nature) -> Nature:
    """Return a nature for tests: ``script[label][n - 1]`` has the picks of the ``n``-th draw."""

    def answer(chance: Chance) -> tuple[int, ...]:
        lines = script.get(chance.label, ())
        if chance.n > len(lines):
            return otherwise(chance)
        picks = tuple(lines[chance.n - 1])
        if not fits(picks, chance.sizes):
            raise ValueError(f"{chance.label} {chance.n}: {picks} does not fit {chance.sizes}")
        return picks

    return answer


def fits(picks: Sequence[int], sizes: Sequence[int]) -> bool:
    """Whether there is one pick in ``range(size)`` for each size."""
    return len(picks) == len(sizes) and all(0 <= p < s for p, s in zip(picks, sizes, strict=True))


def shuffle_sizes(count: int) -> tuple[int, ...]:
    """Return the sizes of the draw that shuffles ``count`` things."""
    return tuple(range(count, 1, -1))


def shuffled(items: Sequence[T], picks: Sequence[int]) -> list[T]:
    """Shuffle by Fisher-Yates from the top; ``picks`` answer ``shuffle_sizes(len(items))``."""
    order = list(items)
    _shuffle(order, picks)
    return order


def _shuffle(order: MutableSequence[T], picks: Sequence[int]) -> None:
    for top, pick in zip(range(len(order) - 1, 0, -1), picks, strict=True):
        order[top], order[pick] = order[pick], order[top]


def shuffle_picks(items: Sequence[T], wanted: Sequence[T]) -> tuple[int, ...]:
    """Return the picks for which ``shuffled(items, picks)`` is ``wanted``, for scripted chance."""
    order = list(items)
    picks = []
    for top in range(len(order) - 1, 0, -1):
        pick = order.index(wanted[top], 0, top + 1)
        order[top], order[pick] = order[pick], order[top]
        picks.append(pick)
    return tuple(picks)
