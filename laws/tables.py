"""The tables at which a ruleset is tested: combinations of a number of seats with options."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.errors import BadOptions
from rules.kernel.contract.fields import (
    Choice,
    EditionId,
    Either,
    Field,
    Flag,
    Integer,
    Maybe,
    Permutation,
)
from rules.kernel.contract.published import package_of
from rules.kernel.contract.registry import Registry
from rules.kernel.contract.ruleset import Ruleset
from rules.kernel.contract.seats import Seat, all_seats


@dataclass(frozen=True, eq=False)
class Table:
    """A ruleset with a number of seats and a value for each option."""

    ruleset: Ruleset[Any]
    seats: int
    options: JsonObject
    name: str
    default: bool = False
    """Whether all options are defaults."""

    def __str__(self) -> str:
        return self.name

    def initial(self) -> Any:
        """Return the state before the first draw."""
        return self.ruleset.initial(self.seats, self.options)

    @property
    def viewers(self) -> list[Seat | None]:
        """All seats, and None for a spectator."""
        return [*all_seats(self.seats), None]


@cache
def registry_of(ruleset: Ruleset[Any]) -> Registry:
    """Return a registry with only this ruleset."""
    return Registry((package_of(ruleset),))


def worth_trying(kind: Field[Any]) -> list[Any]:
    """Return the values of an option that are worth trying; none if they cannot be listed."""
    match kind:
        case Choice(values):
            return list(values)
        case Flag():
            return [False, True]
        case Integer(minimum, maximum):
            return sorted({minimum, min(minimum + 1, maximum), maximum})
        case Permutation():
            ids = list(kind.item.values())
            return [ids, ids[::-1]]
        case EditionId(editions, _offered):
            return list(editions)
        case Maybe(inner):
            return [None, *worth_trying(inner)]
        case Either(kinds):
            return [value for inner in kinds for value in worth_trying(inner)]
    try:
        return [kind.write(value) for value in kind.values()]
    except TypeError:
        return []


@cache
def tables_of(ruleset: Ruleset[Any]) -> tuple[Table, ...]:
    """Return a table for each number of seats, and a table for each value of every option."""
    return tuple(_tables(ruleset))


@cache
def default_tables(ruleset: Ruleset[Any]) -> tuple[Table, ...]:
    """Return the tables with default options, one for each number of seats."""
    return tuple(table for table in tables_of(ruleset) if table.default)


def _tables(ruleset: Ruleset[Any]) -> Iterator[Table]:
    info = ruleset.info
    counts = range(info.min_seats, info.max_seats + 1)
    for seats in counts:
        options = ruleset.parse_options(seats, {})
        yield Table(ruleset, seats, options, f"{info.id}-{seats}", default=True)
    for option in info.options:
        for number, value in enumerate(worth_trying(option.kind)):
            if value == option.default:
                continue
            # the next number of seats that allows the value
            for seats in [*counts[-1 - number % len(counts) :], *counts]:
                try:
                    options = ruleset.parse_options(seats, {option.name: value})
                except BadOptions:
                    continue
                shown = str(value) if not isinstance(value, list) else f"order{number}"
                yield Table(ruleset, seats, options, f"{info.id}-{seats}-{option.name}-{shown}")
                break
