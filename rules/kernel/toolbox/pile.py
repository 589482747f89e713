"""A face-down pile whose order is not decided before it is drawn, so that no order can leak."""

from collections.abc import Iterable
from typing import Generic, Self, TypeVar

T = TypeVar("T", bound=int)


class Pile(Generic[T]):
    """An unordered rest, a known bottom, and at most one face-up top.

    Cards are small ints. ``rest`` is kept sorted, so equal piles have equal bytes. A draw takes the
    face-up top first, then a pick from the rest, then the bottom cards, the first one laid first.
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
        """The number of cards from which a draw chooses; 1 if the next card is known."""
        return 1 if self.top is not None or not self.rest else len(self.rest)

    def draw(self, pick: int) -> T:
        """Take the next card; ``pick`` answers a draw of ``size``.

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
        """Lay a card under the pile; it is drawn after all present cards."""
        self.bottom.append(card)

    def copy(self) -> Self:
        """Return a pile that shares no mutable object with this one."""
        new = type(self).__new__(type(self))
        new.rest = self.rest[:]
        new.bottom = self.bottom[:]
        new.top = self.top
        return new

    def to_json(self) -> dict[str, object]:
        """Return all cards, hidden ones included: for states, not for views."""
        return {"rest": self.rest[:], "bottom": self.bottom[:], "top": self.top}

    @classmethod
    def from_json(cls, data: dict[str, object]) -> Self:
        """Read ``to_json`` back."""
        return cls(data["rest"], data["bottom"], data["top"])  # type: ignore[arg-type]  # own codec
