"""A game that was played, event by event, through any eyes that may see it."""

from collections.abc import Collection, Sequence
from typing import Any, Protocol

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.registry import Registry
from rules.kernel.contract.ruleset import Ruleset
from rules.kernel.contract.seats import Seat, all_seats
from rules.kernel.record.events import Event
from rules.kernel.record.game import Game
from service.cli import words
from service.cli.terminal.telling import EventLines, name
from service.cli.terminal.texts import say

TURNS = ("moved", "defaulted")
"""The events at which a turn begins."""


class Played(Protocol):
    """What was played of a game so far, to look at from the first event to the last."""

    at: int
    """The event after which one looks."""

    @property
    def ruleset(self) -> Ruleset[Any]:
        """The game's rules."""
        ...

    @property
    def language(self) -> str:
        """Of all that is said."""
        ...

    @property
    def last(self) -> int:
        """The number of the last event; it grows while the game runs."""
        ...

    @property
    def told(self) -> Sequence[EventLines]:
        """The log up to the version that is looked at."""
        ...

    @property
    def result(self) -> JsonObject | None:
        """The result of the game."""
        ...

    @property
    def resigned(self) -> Collection[Seat] | None:
        """The seats that have resigned; None if it is not known."""
        ...

    @property
    def question(self) -> str:
        """The question at the version that is looked at, empty if there is none."""
        ...

    @property
    def view(self) -> JsonObject | None:
        """The view at the version looked at; None before the start, and until ``load``."""
        ...

    @property
    def eyes(self) -> str:
        """Whose eyes these are, in words."""
        ...

    @property
    def is_loaded(self) -> bool:
        """Whether what stands where one looks is here already."""
        ...

    def load(self) -> None:
        """Get what stands where one looks; it may take a while. Raises Refused."""
        ...

    def go(self, version: int) -> None:
        """Look at the game after an event, the nearest that there is."""
        ...

    def turn(self, by: int) -> None:
        """Look at the next turn, or at the one before."""
        ...

    def next_eyes(self) -> None:
        """Look through the eyes of the next seat, if all may be seen."""
        ...


class Recording:
    """The events of one game, folded as far as one looks.

    ``viewer`` is whose eyes one looks through; a game that is over shows all to everybody.
    """

    is_loaded = True

    def __init__(
        self,
        game_id: str,
        events: Sequence[Event],
        registry: Registry,
        language: str,
        viewer: Seat | None,
        *,
        over: bool,
    ) -> None:
        """Fold all. Raises what ``Teller.tell`` does if an event cannot be told."""
        self._id = game_id
        self._events = events
        self._registry = registry
        self.language = language
        self.over = over
        self.viewer = viewer
        self.at = self.last
        self._views: dict[int, JsonObject | None] = {}
        self._told: list[EventLines] = []
        self.game: Game
        self._teller: words.Teller
        self._tell()

    @property
    def ruleset(self) -> Ruleset[Any]:
        """The game's rules."""
        return self.game.ruleset

    @property
    def last(self) -> int:
        """The number of the last event."""
        return len(self._events)

    @property
    def told(self) -> Sequence[EventLines]:
        """The log up to the version that is looked at."""
        self._go_on_telling()
        return self._told[: self.at]

    @property
    def result(self) -> JsonObject | None:
        """The result of the game."""
        return self.game.result

    @property
    def resigned(self) -> Collection[Seat] | None:
        """The seats that have resigned; None if it is not known."""
        return self.game.resigned

    @property
    def question(self) -> str:
        """The question of the phase, where one looks."""
        phase = (self.view or {}).get("phase", "")
        return str(phase)

    @property
    def view(self) -> JsonObject | None:
        """The view of the state at the version that is looked at; None before the start."""
        if self.at not in self._views:
            teller = self._new_teller()
            for event in self._events[: self.at]:
                teller.tell(event)
            hidden = teller.blind or teller.game.state is None
            shown = None if hidden else self.ruleset.view(teller.game.state, self.viewer)
            self._views[self.at] = shown
        return self._views[self.at]

    @property
    def eyes(self) -> str:
        """Whose eyes these are, in words."""
        if self.viewer is None:
            return say(self.language, "everybody" if self.over else "spectator")
        return name(self.ruleset, self.viewer, self.language)

    def load(self) -> None:
        """Do nothing: all of it is here."""

    def go(self, version: int) -> None:
        """Look at the game after an event, the nearest that there is."""
        self.at = min(max(1, version), self.last)

    def turn(self, by: int) -> None:
        """Look at the next turn, or at the one before."""
        turns = [event.seq for event in self._events if event.kind in TURNS]
        if by > 0:
            self.go(next((seq for seq in turns if seq > self.at), self.last))
        else:
            self.go(next((seq for seq in reversed(turns) if seq < self.at), 1))

    def next_eyes(self) -> None:
        """Look through the eyes of the next seat, if all may be seen."""
        if not self.over:
            return
        seats = [None, *all_seats(len(self.game.seats))]
        self.viewer = seats[(seats.index(self.viewer) + 1) % len(seats)]
        self._views.clear()
        self._tell()

    def _new_teller(self) -> words.Teller:
        everything = self.over and self.viewer is None
        return words.Teller(
            self._id, self._registry, self.language, self.viewer, everything=everything
        )

    def _tell(self) -> None:
        self._teller = self._new_teller()
        self._told = []
        self._go_on_telling()
        self.game = self._teller.game

    def _go_on_telling(self) -> None:
        """Describe the events that came since."""
        new = self._events[len(self._told) :]
        self._told += [EventLines(event.seq, self._teller.tell(event)) for event in new]
