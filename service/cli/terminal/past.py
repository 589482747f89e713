"""Earlier positions of a table at a service; the game may still be running."""

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple, Protocol

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.ruleset import Ruleset
from rules.kernel.contract.seats import Seat, all_seats
from service.cli import words
from service.cli.terminal.api import UnreachableError
from service.cli.terminal.tables import GameView, MoveRefusedError
from service.cli.terminal.telling import EventLines
from service.cli.terminal.texts import say

PAGE = 50
"""The number of positions that are read at once. It is the maximum that a service allows.

Half of them come before the position that is shown.
"""


class Frame(NamedTuple):
    """The game after an event."""

    view: JsonObject | None
    question: str


class FollowedTable(Protocol):
    """The interface to a table of a service."""

    ruleset: Ruleset[Any]
    language: str
    seat: Seat | None
    seats: int
    log: list[EventLines]
    turns: set[int]
    rewinds: int

    def position(self) -> GameView:
        """Return the current view of the game."""
        ...

    def ask(self, path: str, *, seat: str | int | None = None, **query: object) -> Any:
        """Return the service's answer to a request for ``path`` of the game."""
        ...

    def told(self, eyes: str | int, version: int) -> list[EventLines]:
        """Return this viewer's log up to a version."""
        ...


class GameHistory:
    """The earlier positions of a game.

    They are shown as the player's own seat sees them. When the game is over, the player can choose
    any viewer.

    The service decides what the viewer may see. Its answers are cached.
    """

    def __init__(self, table: FollowedTable) -> None:
        """Begin at the present."""
        self._table = table
        self._viewer = table.seat
        self._frames: dict[int, Frame] = {}
        self._log: Sequence[EventLines] | None = None
        """The log that this viewer sees, if the viewer is not the table's; else None."""
        self._rewinds = table.rewinds
        self.at = self.last

    @property
    def ruleset(self) -> Ruleset[Any]:
        """The game's rules."""
        return self._table.ruleset

    @property
    def language(self) -> str:
        """The language of all texts."""
        return self._table.language

    @property
    def last(self) -> int:
        """The number of the newest event received."""
        return self._table.position().version

    @property
    def told(self) -> Sequence[EventLines]:
        """The log up to the shown version."""
        log = self._table.log if self._log is None else self._log
        return [one for one in log if one.version <= self.at]

    @property
    def result(self) -> JsonObject | None:
        """The result of the game."""
        return self._table.position().result

    @property
    def resigned(self) -> Collection[Seat] | None:
        """The seats that have resigned; None if unknown."""
        return self._table.position().resigned

    @property
    def question(self) -> str:
        """The question at the shown version."""
        frame = self._frame
        return "" if frame is None else frame.question

    @property
    def view(self) -> JsonObject | None:
        """The view of the state at the shown version."""
        frame = self._frame
        return None if frame is None else frame.view

    @property
    def eyes(self) -> str:
        """The viewer, in words."""
        if self._viewer is None:
            return say(self.language, "spectator")
        return words.seat_text(self.ruleset, self._viewer, self.language)

    @property
    def is_loaded(self) -> bool:
        """Whether the shown position was read."""
        return self._frame is not None

    @property
    def _frame(self) -> Frame | None:
        # After a rewind the cached answers belong to another history.
        if self._rewinds != self._table.rewinds:
            self._rewinds = self._table.rewinds
            self._frames.clear()
            self.at = min(self.at, self.last)
        now = self._table.position()
        if self.at == now.version and self._viewer == now.seat:
            return Frame(now.view, now.question)
        return self._frames.get(self.at)

    def load(self) -> None:
        """Load the positions around the shown one. Raises MoveRefusedError."""
        eyes = "spectator" if self._viewer is None else self._viewer
        after = max(0, min(self.at - PAGE // 2, self.last - PAGE))
        try:
            if self._viewer != self._table.seat and self._log is None:
                self._log = self._table.told(eyes, self.last)
            page = self._table.ask("/events", after=after, limit=PAGE, include="state", seat=eyes)[
                "events"
            ]
        except UnreachableError as error:
            raise MoveRefusedError(str(error)) from None
        for event in page:
            self._frames[event["seq"]] = _frame(event["state"])

    def go(self, version: int) -> None:
        """Show the game after the event ``version``, or the nearest that exists."""
        self.at = min(max(1, version), self.last)

    def turn(self, by: int) -> None:
        """Show the next turn, or the previous one."""
        turns = sorted(self._table.turns)
        if by > 0:
            self.go(next((seq for seq in turns if seq > self.at), self.last))
        else:
            self.go(next((seq for seq in reversed(turns) if seq < self.at), 1))

    def next_eyes(self) -> None:
        """Change to the view of the next viewer, if the game is over."""
        if not self._table.position().over:
            return
        seats = [None, *all_seats(self._table.seats)]
        self._viewer = seats[(seats.index(self._viewer) + 1) % len(seats)]
        self._frames.clear()
        self._log = None


def _frame(state: JsonObject) -> Frame:
    decisions = state["decisions"]
    return Frame(state["state"], decisions[0]["name"] if decisions else "")
