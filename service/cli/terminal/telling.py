"""Events in words, and players' names."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from rules.kernel.contract.labels import joined
from rules.kernel.contract.ruleset import Ruleset
from rules.kernel.contract.seats import Seat
from service.cli import words

SETUP = ("created", "seated", "started")
"""The kinds of events before the start of the game."""


class EventLines(NamedTuple):
    """An event in words: its number, and its lines; the first is the headline.

    ``is_setup`` is true if the event precedes the start of the game.
    """

    version: int
    lines: Sequence[str]
    is_setup: bool = False


def names(ruleset: Ruleset[Any], seats: Iterable[Seat], language: str) -> str:
    """Return the names of several seats, as a list in words."""
    called = [words.seat_text(ruleset, seat, language) for seat in seats]
    return joined(called, ruleset.labels.tables[language])
