"""Face-down piles: their cards have no order before they are drawn, so no order can leak."""

from collections.abc import Iterable
from typing import Generic, Self, TypeVar

T = TypeVar("T", bound=int)


class Pile(Generic[T]):
    """A pile: an unordered ``rest``, known cards below it, perhaps a face-up top card.

    Cards are small ints. ``rest`` is kept sorted, so equal piles have equal bytes. The next card is
    the face-up top card, then any card of the rest, then the bottom cards in the order in which
    they were laid.
    """

    __slots__ = ("bottom", "rest", "top")

    def __init__(self, rest: Iterable[T], bottom: Iterable[T] = (), top: T | None = None) -> None:
        self.rest = sorted(rest)
        self.bottom = list(bottom)
        self.top = top

    def __len__(self) -> int:
        return len(self.rest) + len(self.bottom) + (self.top is not None)

    @property
    def size(self) -> int:
        """The number of cards that may be the next; 1 if the next card is known."""
        return 1 if self.top is not None or not self.rest else len(self.rest)

    def draw(self, pick: int) -> T:
        """Take the next card. ``pick`` chooses the card; it is a number below ``size``.

        Raises:
            IndexError: the pile is empty or the pick is out of range.
        """
        if self.top is not None:
            card, self.top = self.top, None
            return card
        if self.rest:
            return self.rest.pop(pick)
        return self.bottom.pop(0)

    def open_top(self, pick: int) -> T:
        """Turn the next card face up in place, and return it."""
        self.top = self.draw(pick)
        return self.top

    def put_under(self, card: T) -> None:
        """Lay a card under the pile; it is drawn after all cards that are there now."""
        self.bottom.append(card)

    def copy(self) -> Self:
        """Return a pile that shares no mutable object with this one."""
        new = type(self).__new__(type(self))
        new.rest = self.rest[:]
        new.bottom = self.bottom[:]
        new.top = self.top
        return new

    def to_json(self) -> dict[str, object]:
        """Return all cards, hidden ones included: for a state's JSON, never for a view."""
        return {"rest": self.rest[:], "bottom": self.bottom[:], "top": self.top}

    @classmethod
    def from_json(cls, data: dict[str, object]) -> Self:
        """Read ``to_json`` back."""
        return cls(data["rest"], data["bottom"], data["top"])  # type: ignore[arg-type]  # own codec
