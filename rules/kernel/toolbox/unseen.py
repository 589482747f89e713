"""Cards that are drawn, kept and put away face down: who sees them, and how others guess them.

States have them in a ``Pile`` and in hands by seat. ``shown`` is for views and information;
``dealt`` and ``drawn`` are for ``determinize``, which fills in unknown cards. A hand that others
may see is sorted, so that they do not learn in which order the cards came.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from rules.kernel.contract.chance import Random
from rules.kernel.contract.seats import Seat, by_seat

T = TypeVar("T")


def shown(hands: Iterable[T], viewer: Seat | None, *, opened: bool = False) -> list[T | None]:
    """Return the hands by seat, with None for hidden ones.

    A viewer sees his own hand, and all hands if ``opened``.
    """
    return [hand if opened or seat == viewer else None for seat, hand in by_seat(hands)]


def dealt(
    hands: Iterable[Sequence[T] | None], sizes: Iterable[int], unseen: list[T], rng: Random
) -> list[Sequence[T]]:
    """Return the hands by seat, with a hand dealt from ``unseen`` in place of each None."""
    return [
        [unseen.pop(rng.randrange(len(unseen))) for _ in range(size)] if hand is None else hand
        for hand, size in zip(hands, sizes, strict=True)
    ]


def drawn(
    rest: list[T],
    draws: Sequence[Sequence[T | None]],
    rng: Random,
    *,
    seen: Mapping[int, Iterable[T]] | None = None,
    bottom: list[T] | None = None,
) -> Iterator[tuple[tuple[T, ...], list[T]]]:
    """Guess the cards of each draw from a pile of which a seat knows some cards.

    Each draw in ``draws`` lists the cards that the seat saw, and None for each card that it did not
    see. ``seen[n]`` has the cards that the seat saw in the pile before draw ``n``. Draws are
    numbered from 0.

    For each draw, yield two lists of cards. The first list has all cards of the draw. The second
    list has only those that somebody may have kept. The seat may see a card of the draw again
    later, in the pile or in a later draw. Then nobody has kept the card, so the second list lacks
    it.

    Cards that the seat did not see are guessed from ``rest``. When ``rest`` is empty, draws take
    from ``bottom``; callers put discarded cards there before the next draw.
    """
    met: set[T | None] = set()
    later: list[set[T | None]] = []
    for number in range(len(draws), 0, -1):
        named = draws[number] if number < len(draws) else ()
        met = {*met, *named, *(seen or {}).get(number, ())}
        later.append(met)
    for cards in draws:
        met = later.pop()
        unmet = [card for card in rest if card not in met] if None in cards else []
        found = []
        for known in cards:
            if known is not None:
                card = known
            else:
                card = unmet.pop(rng.randrange(len(unmet))) if unmet else (bottom or [])[0]
            (rest if card in rest else bottom or []).remove(card)
            found.append(card)
        yield tuple(found), [card for card in found if card not in met]
