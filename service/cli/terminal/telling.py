"""Events in words, and players' names."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from rules.kernel.contract.labels import joined
from rules.kernel.contract.ruleset import Ruleset
from rules.kernel.contract.seats import Seat
from service.cli import words

SETUP = ("created", "seated", "started")
"""The kinds of the events before the game."""


class EventLines(NamedTuple):
    """An event in words: its number, and its lines; the first is the headline.

    ``is_setup``: it opens the table, and is no part of the play.
    """

    version: int
    lines: Sequence[str]
    is_setup: bool = False


def names(ruleset: Ruleset[Any], seats: Iterable[Seat], language: str) -> str:
    """Name several seats in a row."""
    called = [words.seat_text(ruleset, seat, language) for seat in seats]
    return joined(called, ruleset.labels.tables[language])
