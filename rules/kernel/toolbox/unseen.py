"""Hidden cards that are drawn, kept and put away: their visibility, and guesses of them.

States hold it in a ``Pile`` and in hands by seat. ``shown`` is for views and information, ``dealt``
and ``drawn`` are for ``determinize``, which fills in unknown cards. A hand that is revealed to
others is listed in the order of the cards, not of their arrival.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from rules.kernel.contract.chance import Random
from rules.kernel.contract.seats import Seat, by_seat

T = TypeVar("T")


def shown(hands: Iterable[T], viewer: Seat | None, *, opened: bool = False) -> list[T | None]:
    """Return the hands by seat: the viewer's own, and ``opened`` ones; None for others."""
    return [hand if opened or seat == viewer else None for seat, hand in by_seat(hands)]


def dealt(
    hands: Iterable[Sequence[T] | None], sizes: Iterable[int], unseen: list[T], rng: Random
) -> list[Sequence[T]]:
    """Return the hands by seat: each None is dealt from ``unseen``, which loses those cards."""
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
    """Redraw from a pile, by a seat's knowledge: None is a card that it did not see.

    Yields the cards of each draw, and those of them that may have been kept: a card that the seat
    met later cannot have been drawn from the ``rest`` before, or kept. It met the cards that it
    names in ``draws``, and those ``seen`` in the pile before the draw of a number. Draws continue
    from the ``bottom``; callers put discarded cards there before the next draw.
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
