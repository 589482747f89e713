"""What happened, in words, and what the players are called."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from rules.kernel.contract.labels import joined
from rules.kernel.contract.ruleset import Ruleset
from rules.kernel.contract.seats import Seat
from service.cli import words


class EventLines(NamedTuple):
    """What happened: the number of the event, and its lines; the first one is its headline."""

    version: int
    lines: Sequence[str]


def name(ruleset: Ruleset[Any], seat: Seat, language: str) -> str:
    """Name a seat by its colour alone, if it has one."""
    colour = ruleset.labels.tables[language].get(f"seat.{seat}")
    return colour or words.seat_text(ruleset, seat, language)


def names(ruleset: Ruleset[Any], seats: Iterable[Seat], language: str) -> str:
    """Name several seats in a row."""
    called = [name(ruleset, seat, language) for seat in seats]
    return joined(called, ruleset.labels.tables[language])
