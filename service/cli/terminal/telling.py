"""Events in words, and players' names."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from rules.kernel.contract.labels import joined
from rules.kernel.contract.ruleset import Ruleset
from rules.kernel.contract.seats import Seat
from service.cli import words


class EventLines(NamedTuple):
    """An event in words: its number, and its lines; the first is the headline."""

    version: int
    lines: Sequence[str]


def name(ruleset: Ruleset[Any], seat: Seat, language: str) -> str:
    """Return a seat's colour, if it has one, else its number."""
    colour = ruleset.labels.tables[language].get(f"seat.{seat}")
    return colour or words.seat_text(ruleset, seat, language)


def names(ruleset: Ruleset[Any], seats: Iterable[Seat], language: str) -> str:
    """Name several seats in a row."""
    called = [name(ruleset, seat, language) for seat in seats]
    return joined(called, ruleset.labels.tables[language])
