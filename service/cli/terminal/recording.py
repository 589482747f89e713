"""A game that was played, event by event, through any eyes that may see it."""

from collections.abc import Sequence
from typing import Any

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.registry import Registry
from rules.kernel.contract.ruleset import Ruleset
from rules.kernel.contract.seats import Seat, all_seats
from rules.kernel.record.events import Event
from rules.kernel.record.game import Game
from service.cli import words
from service.cli.terminal.tables import Told, name
from service.cli.terminal.texts import say

TURNS = ("moved", "defaulted")
"""The events at which a turn begins."""


class Recording:
    """The events of one game, folded as far as one looks.

    ``viewer`` is whose eyes one looks through; a game that is over shows all to everybody.
    """

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
        self._told: list[Told] = []
        self.game: Game
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
    def told(self) -> Sequence[Told]:
        """What happened up to where one looks."""
        return self._told[: self.at]

    @property
    def result(self) -> JsonObject | None:
        """How the game ended."""
        return self.game.result

    @property
    def question(self) -> str:
        """The question of the phase, where one looks."""
        phase = (self.view or {}).get("phase", "")
        return str(phase)

    @property
    def view(self) -> JsonObject | None:
        """What is seen of the state where one looks; None before the start."""
        if self.at not in self._views:
            teller = self._teller()
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

    def _teller(self) -> words.Teller:
        everything = self.over and self.viewer is None
        return words.Teller(
            self._id, self._registry, self.language, self.viewer, everything=everything
        )

    def _tell(self) -> None:
        teller = self._teller()
        self._told = [Told(event.seq, teller.tell(event)) for event in self._events]
        self.game = teller.game
