"""A recorded game, shown event by event as any permitted viewer sees it."""

from collections.abc import Collection, Sequence
from typing import Any, Protocol

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.registry import Registry
from rules.kernel.contract.ruleset import Ruleset
from rules.kernel.contract.seats import Seat, all_seats
from rules.kernel.record.events import Event
from rules.kernel.record.game import Game
from service.cli import words
from service.cli.terminal.telling import EventLines
from service.cli.terminal.texts import say

TURNS = ("moved", "defaulted")
"""The events with which a turn begins."""


class RecordedGame(Protocol):
    """A recorded game, which can be shown after each of its events."""

    at: int
    """The event after which the game is shown."""

    @property
    def ruleset(self) -> Ruleset[Any]:
        """The game's rules."""
        ...

    @property
    def language(self) -> str:
        """The language of all texts."""
        ...

    @property
    def last(self) -> int:
        """The number of the last event, which grows while the game runs."""
        ...

    @property
    def told(self) -> Sequence[EventLines]:
        """The log up to the shown version."""
        ...

    @property
    def result(self) -> JsonObject | None:
        """The result of the game."""
        ...

    @property
    def resigned(self) -> Collection[Seat] | None:
        """The seats that have resigned; None if unknown."""
        ...

    @property
    def question(self) -> str:
        """The question at the shown version, empty if there is none."""
        ...

    @property
    def view(self) -> JsonObject | None:
        """The view at the shown version; None before the start, and until ``load``."""
        ...

    @property
    def eyes(self) -> str:
        """The viewer, in words."""
        ...

    @property
    def is_loaded(self) -> bool:
        """Whether the shown position is loaded."""
        ...

    def load(self) -> None:
        """Load the position that is shown. Loading may take a while. Raises MoveRefusedError."""
        ...

    def go(self, version: int) -> None:
        """Show the game after the event ``version``, or the nearest that exists."""
        ...

    def turn(self, by: int) -> None:
        """Show the next turn, or the previous one."""
        ...

    def next_eyes(self) -> None:
        """Switch to the view of the next viewer, if the record shows everything."""
        ...


class Recording:
    """The events of one game, folded up to the shown version.

    ``viewer`` is the current viewer; a finished game shows everything to everybody.
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
        """Fold all events. Raises the errors of ``Teller.tell``."""
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
        """The log up to the shown version."""
        self._go_on_telling()
        return self._told[: self.at]

    @property
    def result(self) -> JsonObject | None:
        """The result of the game."""
        return self.game.result

    @property
    def resigned(self) -> Collection[Seat] | None:
        """The seats that have resigned; None if unknown."""
        return self.game.resigned

    @property
    def question(self) -> str:
        """The question of the phase at the shown version."""
        phase = (self.view or {}).get("phase", "")
        return str(phase)

    @property
    def view(self) -> JsonObject | None:
        """The view of the state at the shown version; None before the start."""
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
        """The name of the current viewer: a seat, a spectator, or everybody."""
        if self.viewer is None:
            return say(self.language, "everybody" if self.over else "spectator")
        return words.seat_text(self.ruleset, self.viewer, self.language)

    def load(self) -> None:
        """Do nothing: everything is loaded."""

    def go(self, version: int) -> None:
        """Show the game after the event ``version``, or the nearest that exists."""
        self.at = min(max(1, version), self.last)

    def turn(self, by: int) -> None:
        """Show the next turn, or the previous one."""
        turns = [event.seq for event in self._events if event.kind in TURNS]
        if by > 0:
            self.go(next((seq for seq in turns if seq > self.at), self.last))
        else:
            self.go(next((seq for seq in reversed(turns) if seq < self.at), 1))

    def next_eyes(self) -> None:
        """Switch to the view of the next viewer, if the record shows everything."""
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
        """Add the events that are not yet in the log."""
        new = self._events[len(self._told) :]
        self._told += [EventLines(event.seq, self._teller.tell(event)) for event in new]
