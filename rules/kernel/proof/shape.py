"""Shapes of JSON values: a quick test whether a value fits, and a description of what does not."""

import re
from collections.abc import Callable, Collection, Mapping
from itertools import repeat
from typing import Any

from rules.kernel.canonical import NotCanonicalError, check
from rules.kernel.contract.errors import shown
from rules.kernel.proof.newer import is_name

BIGGEST = 2**53
LONGEST_NAME, LONGEST_TEXT = 200, 1_000
"""Maximum number of characters: of a name, and of a text."""
MOST_SECONDS = 366 * 24 * 3600
"""A year in seconds, which is longer than any time limit of a move."""
MOST_ITEMS = 10_000
"""Maximum number of items in a list."""

Fits = Callable[[Any, int], bool]
"""Whether a value fits, in a game with this number of seats."""

Note = Callable[[str, str], None]
"""A callback that gets the path and the name of an unknown part."""


class Shape:
    """The required shape of a value; ``what`` describes the shape in words."""

    __slots__ = ("fits", "what")

    def __init__(self, fits: Fits, what: str) -> None:
        self.fits = fits
        self.what = what

    def wrong(self, value: Any, seats: int, path: str = "", note: Note | None = None) -> str:
        """Return what is wrong with a value that does not fit, as the end of a sentence.

        If there is a ``note``, it gets the unknown names. Then unknown names and missing parts are
        no faults, and the result "" means that there is no other fault. ``path`` is the path of the
        value.
        """
        del path, note
        return self._otherwise(value)

    def _otherwise(self, value: Any) -> str:
        return f" is {self.what}, not {shown(value)}"


class Fields(Shape):
    """An object with required fields, optional fields, and no others."""

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

    @property
    def known(self) -> dict[str, Shape]:
        """The shape of each possible field, by name."""
        return {**self.needed, **self.optional}

    def _fit_more(self, value: Mapping[str, Any], seats: int) -> bool:
        """Whether a value has all required fields, and all other fields are optional and fit."""
        more = value.keys() - self.needed.keys()
        return len(value) == len(self.needed) + len(more) and all(
            name in self.optional and self.optional[name].fits(value[name], seats) for name in more
        )

    def wrong(self, value: Any, seats: int, path: str = "", note: Note | None = None) -> str:
        if type(value) is not dict:
            return self._otherwise(value)
        if note is None and (missing := self.needed.keys() - value.keys()):
            return f" lacks {', '.join(sorted(missing))}"
        known = self.known
        more = sorted(value.keys() - known.keys(), key=str)
        if strange := [name for name in more if note is None or not is_name(name)]:
            return f" has no field {', '.join(map(shown, strange))}"
        for name in more:
            if not anything.fits(value[name], seats):
                return f".{name}{anything.wrong(value[name], seats)}"
            assert note is not None  # noqa: S101 - all are strange otherwise
            note(f"{path}.{name}", name)
        for name, shape in known.items():
            if name not in value:
                continue
            if not shape.fits(value[name], seats):
                found = shape.wrong(value[name], seats, f"{path}.{name}", note)
                if found:
                    return f".{name}{found}"
        return ""


class ListOf(Shape):
    """A list whose items all have one shape."""

    __slots__ = ("_item", "_most")

    def __init__(self, item: Shape, most: int = MOST_ITEMS) -> None:
        self._item = item
        self._most = most
        super().__init__(
            lambda value, seats: (
                type(value) is list
                and len(value) <= most
                and all(map(item.fits, value, repeat(seats)))
            ),
            f"a list of at most {most}, each of it {item.what}",
        )

    def wrong(self, value: Any, seats: int, path: str = "", note: Note | None = None) -> str:
        if type(value) is not list or len(value) > self._most or note is None:
            return self._otherwise(value)
        for index, item in enumerate(value):
            if not self._item.fits(item, seats):
                found = self._item.wrong(item, seats, f"{path}[{index}]", note)
                if found:
                    return f"[{index}]{found}"
        return ""


class AnyOf(Shape):
    """A value that fits one of several shapes.

    A member of an object is known if at least one of the shapes has a field with its name.
    """

    __slots__ = ("_all_fields",)

    def __init__(self, *shapes: Shape) -> None:
        self._all_fields = Fields(
            {
                name: shape
                for fields in shapes
                if isinstance(fields, Fields)
                for name, shape in fields.known.items()
            }
        )
        tests = [shape.fits for shape in shapes]
        super().__init__(
            lambda value, seats: any(fits(value, seats) for fits in tests),
            " or ".join(shape.what for shape in shapes),
        )

    def wrong(self, value: Any, seats: int, path: str = "", note: Note | None = None) -> str:
        if note is not None and type(value) is dict and self._all_fields.optional:
            return self._all_fields.wrong(value, seats, path, note)
        return self._otherwise(value)


class Word(Shape):
    """One of several known texts.

    If there is a ``note``, another text that is a name is no fault, because a later release may
    have defined it. The name is noted as unknown.
    """

    __slots__ = ()

    def wrong(self, value: Any, seats: int, path: str = "", note: Note | None = None) -> str:
        del seats
        if note is None or not is_name(value):
            return self._otherwise(value)
        note(path, value)
        return ""


class OneOf(Word):
    """One of the texts ``values``."""

    __slots__ = ()

    def __init__(self, *values: str) -> None:
        allowed = frozenset(values)
        super().__init__(
            lambda v, _seats: type(v) is str and v in allowed, f"one of {', '.join(values)}"
        )


class Pattern(Word):
    """A text that matches a pattern."""

    __slots__ = ()

    def __init__(self, pattern: str, what: str) -> None:
        fits = re.compile(pattern).fullmatch
        super().__init__(lambda v, _seats: type(v) is str and fits(v) is not None, what)


def is_digest(value: object, _seats: int = 0) -> bool:
    """Whether ``value`` is 32 bytes, written as 64 hexadecimal digits."""
    try:
        return type(value) is str and len(value) == 64 and bytes.fromhex(value).hex() == value
    except ValueError:
        return False


def are_digests(values: Collection[object]) -> bool:
    """Whether each of ``values`` is a digest; checking all at once is faster."""
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
    if type(value) is not dict:
        return False
    try:
        check(value)
    except NotCanonicalError:
        return False
    return True


anything = Shape(_is_canonical, "canonical JSON")
nothing = Shape(lambda v, _seats: v is None, "null")
text = Shape(
    lambda v, _seats: type(v) is str and len(v) <= LONGEST_TEXT,
    f"a text of at most {LONGEST_TEXT} characters",
)
_in_a_line = re.compile(rf"[^\x00-\x1f\x7f-\x9f]{{1,{LONGEST_NAME}}}").fullmatch
name = Shape(
    lambda v, _seats: type(v) is str and _in_a_line(v) is not None,
    f"a name of 1 to {LONGEST_NAME} characters in a line",
)
digest = Shape(is_digest, "64 hexadecimal digits")
_octets = re.compile(rf"(?:[0-9a-f]{{2}}){{1,{LONGEST_TEXT // 2}}}").fullmatch
hexadecimal = Shape(
    lambda v, _seats: type(v) is str and _octets(v) is not None,
    f"1 to {LONGEST_TEXT // 2} bytes in hexadecimal digits",
)
digests = Shape(
    lambda v, _seats: type(v) is dict and are_digests(v.values()), "an object of digests"
)
integer = Shape(lambda v, _seats: type(v) is int and -BIGGEST < v < BIGGEST, "an integer")
positive = Shape(lambda v, _seats: type(v) is int and 0 < v < BIGGEST, "a positive integer")
count = Shape(lambda v, _seats: type(v) is int and 0 <= v < BIGGEST, "a count")
seconds = Shape(
    lambda v, _seats: type(v) is int and 0 < v <= MOST_SECONDS, f"1 to {MOST_SECONDS} seconds"
)
increment = Shape(
    lambda v, _seats: type(v) is int and 0 <= v <= MOST_SECONDS, f"0 to {MOST_SECONDS} seconds"
)
some_object = Shape(_is_object, "an object")
frame = Shape(lambda v, _seats: type(v) is dict, "an object")
seat = Shape(lambda v, seats: type(v) is int and 0 <= v < seats, "a seat of this game")
