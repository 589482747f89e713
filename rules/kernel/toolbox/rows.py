"""Reads tables that an installation adds, row by row; every error names its row."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, cast

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.edition import BadEditionError
from rules.kernel.contract.errors import shown
from rules.kernel.contract.fields import BadValue, Field, WrongType
from rules.kernel.contract.labels import LANGUAGES

T = TypeVar("T")
Named = TypeVar("Named", bound=str)


class Row:
    """A JSON object at the path ``where``; if ``keys`` are given, it has no other members.

    All methods that return a value raise BadEditionError if it is missing or bad.
    """

    def __init__(self, where: str, row: object, keys: Sequence[str] | None = None) -> None:
        self.where = where
        if not isinstance(row, dict):
            raise BadEditionError(f"{where}: {shown(row)} is not an object")
        self.given: JsonObject = row
        if keys is not None:
            self.only(*keys)

    def refuse(self, message: str) -> BadEditionError:
        """Return the error for this row."""
        return BadEditionError(f"{self.where}: {message}")

    def only(self, *keys: str) -> None:
        """Refuse the row if it has keys other than ``keys``."""
        if extra := sorted(self.given.keys() - set(keys)):
            raise self.refuse(f"there is no {extra[0]} here")

    def value(self, name: str) -> Any:
        """Return the value under the key ``name``, whatever its type."""
        if name not in self.given:
            raise self.refuse(f"{name} is missing")
        return self.given[name]

    def of_type(
        self, name: str, type_: type[T], wanted: str, fits: Callable[[T], bool] = lambda _: True
    ) -> T:
        """Return the value ``name``; it must have the type ``type_``, and ``fits`` must be true.

        ``wanted`` describes the values that are allowed; the error for any other value shows it.
        """
        value = self.value(name)
        if type(value) is not type_ or not fits(value):
            raise self.refuse(f"{name} is {shown(value)}, not {wanted}")
        return value

    def text(self, name: str) -> str:
        """Return a text that is not empty."""
        return self.of_type(name, str, "a text", bool)

    def integer(self, name: str, least: int, most: int) -> int:
        """Return an integer from ``least`` to ``most``, both included."""
        return self.of_type(name, int, f"{least} to {most}", lambda n: least <= n <= most)

    def optional(self, name: str, most: int) -> int:
        """Return an integer from 0 to ``most``; 0 if the row does not have it."""
        return self.integer(name, 0, most) if name in self.given else 0

    def choice(self, name: str, values: Sequence[str]) -> str:
        """Return the text under the key ``name``; refuse it if it is not one of ``values``."""
        return self.of_type(name, str, f"one of {', '.join(values)}", values.__contains__)

    def array(self, name: str) -> list[Any]:
        """Return a list."""
        return self.of_type(name, list, "a list")

    def part(self, name: str, keys: Sequence[str] | None = None) -> "Row":
        """Return an object within this row, as a row."""
        return Row(f"{self.where}, {name}", self.value(name), keys)

    def words(self, name: str) -> dict[str, str]:
        """Return texts by language."""
        return {language: self.part(name).text(language) for language in LANGUAGES}

    def rows(self, name: str) -> Iterator[tuple[str, "Row"]]:
        """Yield the objects of a list with their ids, which must differ."""
        met: set[str] = set()
        for number, given in enumerate(self.array(name), start=1):
            id_ = Row(f"{name} row {number}", given).text("id")
            row = Row(f"{name} row {number} ({id_})", given)
            if id_ in met:
                raise row.refuse("a row before it has the same id")
            met.add(id_)
            yield id_, row


@dataclass(frozen=True, slots=True)
class RowId(Field[Named], Generic[Named]):
    """The id of a row of any edition; the rules check that the game's edition has the row.

    ``editions`` are all editions. ``table`` is the name of an attribute of an edition: the table
    with the ids. ``example`` is one id.
    """

    editions: Mapping[str, Any]
    table: str
    example: str

    def read(self, value: object) -> Named:
        if type(value) is not str:
            raise WrongType(f"{shown(value)} is not an id")
        if not any(value in getattr(edition, self.table) for edition in self.editions.values()):
            raise BadValue(f"{shown(value)} is none of the {self.table}")
        return cast("Named", value)

    def schema(self) -> JsonObject:
        return {"type": "string", "examples": [self.example]}
