"""A law: a requirement on every ruleset, with a name, a version, and advice."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

Check = Callable[[Any], None]


class Scope(StrEnum):
    """The kinds of objects that laws are checked against."""

    RULESET = "ruleset"
    """A whole ruleset: a ``Subject``."""
    GAME = "game"
    """A game from its first event: a ``SampleGame``."""
    POSITION = "position"
    """Samples of the positions of a game, each a ``Spot``."""
    EVERY_POSITION = "every_position"
    """Every position, each a ``Spot`` that is valid until the next event."""


class Breach(Exception):
    """Raised when a ruleset breaks a law; the message says what happened in the examined game.

    If a law of whole games knows the event before which it broke, ``number`` is that event's
    number.
    """

    def __init__(
        self, told: str, number: int | None = None, origin: str = "", advice: str = ""
    ) -> None:
        super().__init__(told)
        self.number = number
        self.origin = origin
        """The origin of the error that the rules raised (``laws.games.origin``); empty if they
        raised none."""
        self.advice = advice
        """The advice for this case; empty if the law's own advice is enough."""


@dataclass(frozen=True, eq=False)
class Law:
    """A law; ``check`` raises Breach, or any error of the ruleset, if the law is broken.

    If the ``version`` is raised, rulesets that passed before may fail. ``advice`` tells an author
    what to do, and ``section`` is the heading of docs/games.md that explains the law.
    """

    name: str
    version: int
    scope: Scope
    section: str
    advice: str
    check: Check
    games: int = 0
    """Number of random games to check at each table; 0 means the games of the subject's seeds."""

    @property
    def says(self) -> str:
        """The law's demand in a sentence."""
        return " ".join((self.check.__doc__ or "").partition("\n\n")[0].split())

    def __str__(self) -> str:
        return f"{self.name}@{self.version}"


def law(
    scope: Scope, section: str, advice: str, *, version: int = 1, games: int = 0
) -> Callable[[Check], Law]:
    """Make a law of a function, with its name and the first sentence of its docstring."""

    def made(check: Check) -> Law:
        return Law(check.__name__, version, scope, section, advice, check, games)

    return made
