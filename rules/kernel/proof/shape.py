"""Shapes of JSON values: what fits, quickly, and what is wrong with the rest, in words."""

from collections.abc import Callable, Collection, Mapping
from itertools import repeat
from typing import Any

from rules.kernel.canonical import NotCanonicalError, check
from rules.kernel.contract.errors import shown

BIGGEST = 2**53

Fits = Callable[[Any, int], bool]
"""Whether a value fits, in a game of so many seats."""


class Shape:
    """What a value must be; ``what`` says it in words."""

    __slots__ = ("fits", "what")

    def __init__(self, fits: Fits, what: str) -> None:
        self.fits = fits
        self.what = what

    def wrong(self, value: Any, seats: int) -> str:
        """Return what is wrong with a value that does not fit: the end of a sentence."""
        return f" is {self.what}, not {shown(value)}"


class Fields(Shape):
    """An object with these fields, perhaps with the optional ones, and with no others."""

    __slots__ = ("needed", "optional")

    def __init__(self, optional: Mapping[str, Shape] | None = None, /, **needed: Shape) -> None:
        self.needed = needed
        self.optional = optional or {}
        names, tests = needed.keys(), [(name, shape.fits) for name, shape in needed.items()]

        def fits(value: Any, seats: int) -> bool:
            if type(value) is not dict:
                return False
            if value.keys() != names and not (optional and self._fit_more(value, seats)):
                return False
            for name, test in tests:  # noqa: SIM110 - a generator costs more than all the tests
                if not test(value[name], seats):
                    return False
            return True

        super().__init__(fits, "an object")

    def _fit_more(self, value: Mapping[str, Any], seats: int) -> bool:
        """Whether no field is lacking, and those that are more are optional ones that fit."""
        more = value.keys() - self.needed.keys()
        return len(value) == len(self.needed) + len(more) and all(
            name in self.optional and self.optional[name].fits(value[name], seats) for name in more
        )

    def wrong(self, value: Any, seats: int) -> str:
        if type(value) is not dict:
            return super().wrong(value, seats)
        if missing := self.needed.keys() - value.keys():
            return f" lacks {', '.join(sorted(missing))}"
        known = {**self.needed, **self.optional}
        if more := value.keys() - known.keys():
            return f" has no field {', '.join(map(shown, sorted(more)))}"
        wrong = [name for name in value if not known[name].fits(value[name], seats)]
        return "".join(f".{name}{known[name].wrong(value[name], seats)}" for name in wrong[:1])


def list_of(item: Shape) -> Shape:
    """A list of which every item has a shape."""
    return Shape(
        lambda value, seats: type(value) is list and all(map(item.fits, value, repeat(seats))),
        f"a list, each of it {item.what}",
    )


def any_of(*shapes: Shape) -> Shape:
    """What fits one of the shapes."""
    tests = [shape.fits for shape in shapes]
    return Shape(
        lambda value, seats: any(fits(value, seats) for fits in tests),
        " or ".join(shape.what for shape in shapes),
    )


def one_of(*values: str) -> Shape:
    """One of these strings."""
    allowed = frozenset(values)
    return Shape(lambda v, _seats: type(v) is str and v in allowed, f"one of {', '.join(values)}")


def is_digest(value: object, _seats: int = 0) -> bool:
    """Whether ``value`` is 32 bytes, written as 64 hexadecimal digits."""
    try:
        return type(value) is str and len(value) == 64 and bytes.fromhex(value).hex() == value
    except ValueError:
        return False


def are_digests(values: Collection[object]) -> bool:
    """Whether each of ``values`` is a digest: looked at together, which is quicker."""
    try:
        text = " ".join(values)  # type: ignore[arg-type]  # what is no text raises
        return bytes.fromhex(text).hex(" ", 32) == text and len(text) == max(
            0, 65 * len(values) - 1
        )
    except (TypeError, ValueError):
        return False


def _is_canonical(value: Any, _seats: int = 0) -> bool:
    try:
        check(value)
    except NotCanonicalError:
        return False
    return True


def _is_object(value: Any, _seats: int = 0) -> bool:
    return type(value) is dict and _is_canonical(value)


anything = Shape(_is_canonical, "canonical JSON")
nothing = Shape(lambda v, _seats: v is None, "null")
text = Shape(lambda v, _seats: type(v) is str, "a text")
name = Shape(lambda v, _seats: type(v) is str and v != "", "a name")
digest = Shape(is_digest, "64 hexadecimal digits")
digests = Shape(
    lambda v, _seats: type(v) is dict and are_digests(v.values()), "an object of digests"
)
integer = Shape(lambda v, _seats: type(v) is int and -BIGGEST < v < BIGGEST, "an integer")
positive = Shape(lambda v, _seats: type(v) is int and 0 < v < BIGGEST, "a positive integer")
count = Shape(lambda v, _seats: type(v) is int and 0 <= v < BIGGEST, "a count")
some_object = Shape(_is_object, "an object")
frame = Shape(lambda v, _seats: type(v) is dict, "an object")
seat = Shape(lambda v, seats: type(v) is int and 0 <= v < seats, "a seat of this game")
