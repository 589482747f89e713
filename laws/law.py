"""A law: what every ruleset must do, by name and version, with what to do where one does not."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

Check = Callable[[Any], None]


class Scope(StrEnum):
    """The kinds of objects that laws are held against."""

    RULESET = "ruleset"
    """A whole ruleset: a ``Subject``."""
    GAME = "game"
    """A game from its first event: a ``SampleGame``."""
    POSITION = "position"
    """Samples of the positions of a game, each a ``Spot``."""
    EVERY_POSITION = "every_position"
    """All of them, each before the next event changes its state: a ``Spot``."""


class Breach(Exception):
    """A ruleset breaks a law; the message says what happened in the game that is looked at.

    A law of whole games says before which event, if it knows.
    """

    def __init__(self, told: str, number: int | None = None) -> None:
        super().__init__(told)
        self.number = number


@dataclass(frozen=True, eq=False)
class Law:
    """``check`` raises Breach, or whatever the ruleset raises, where the law is broken.

    A new ``version`` means that what passed before may fail. ``advice`` says what an author does
    about it, and ``section`` is the heading of docs/games.md that explains it.
    """

    name: str
    version: int
    scope: Scope
    section: str
    advice: str
    check: Check
    games: int = 0
    """How many random games of each table it is held to; 0: those of the subject's seeds."""

    @property
    def says(self) -> str:
        """The law's demand in a sentence."""
        return " ".join((self.check.__doc__ or "").partition("\n\n")[0].split())

    def __str__(self) -> str:
        return f"{self.name}@{self.version}"


def law(
    scope: Scope, section: str, advice: str, *, version: int = 1, games: int = 0
) -> Callable[[Check], Law]:
    """Make a law of a function, whose name and first sentence it has."""

    def made(check: Check) -> Law:
        return Law(check.__name__, version, scope, section, advice, check, games)

    return made
