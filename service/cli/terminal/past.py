"""What was played so far at a table of a service, while it may be going on."""

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple, Protocol

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.ruleset import Ruleset
from rules.kernel.contract.seats import Seat, all_seats
from service.cli.terminal.api import UnreachableError
from service.cli.terminal.tables import GameView, Refused
from service.cli.terminal.telling import EventLines, name
from service.cli.terminal.texts import say

PAGE = 50
"""So many positions are read at once, which is all that a service gives; half lie before."""


class Frame(NamedTuple):
    """How the game stood after an event."""

    view: JsonObject | None
    question: str


class Followed(Protocol):
    """What is needed of a table of a service."""

    ruleset: Ruleset[Any]
    language: str
    seat: Seat | None
    seats: int
    log: list[EventLines]
    turns: set[int]
    rewinds: int

    def position(self) -> GameView:
        """Return the view of the game now."""
        ...

    def ask(self, path: str, **query: object) -> Any:
        """Return the service's answer about the game."""
        ...

    def told(self, eyes: str | int, version: int) -> list[EventLines]:
        """Return the log of these eyes up to a version."""
        ...


class Past:
    """The game of a table, through its seat's eyes; through any eyes when it is over.

    The service answers for what these eyes may see; what was read is kept.
    """

    def __init__(self, table: Followed) -> None:
        """Look at the present."""
        self._table = table
        self._viewer = table.seat
        self._frames: dict[int, Frame] = {}
        self._log: Sequence[EventLines] | None = None
        """What these eyes were told, if they are not those of the table."""
        self._rewinds = table.rewinds
        self.at = self.last

    @property
    def ruleset(self) -> Ruleset[Any]:
        """The game's rules."""
        return self._table.ruleset

    @property
    def language(self) -> str:
        """Of all that is said."""
        return self._table.language

    @property
    def last(self) -> int:
        """The number of the newest event that came."""
        return self._table.position().version

    @property
    def told(self) -> Sequence[EventLines]:
        """The log up to the version that is looked at."""
        log = self._table.log if self._log is None else self._log
        return [one for one in log if one.version <= self.at]

    @property
    def result(self) -> JsonObject | None:
        """The result of the game."""
        return self._table.position().result

    @property
    def resigned(self) -> Collection[Seat] | None:
        """The seats that have resigned; None if it is not known."""
        return self._table.position().resigned

    @property
    def question(self) -> str:
        """The question at the version that is looked at."""
        frame = self._frame
        return "" if frame is None else frame.question

    @property
    def view(self) -> JsonObject | None:
        """The view of the state at the version that is looked at."""
        frame = self._frame
        return None if frame is None else frame.view

    @property
    def eyes(self) -> str:
        """Whose eyes these are, in words."""
        if self._viewer is None:
            return say(self.language, "spectator")
        return name(self.ruleset, self._viewer, self.language)

    @property
    def is_loaded(self) -> bool:
        """Whether what stands where one looks was read."""
        return self._frame is not None

    @property
    def _frame(self) -> Frame | None:
        if self._rewinds != self._table.rewinds:  # what was read is of another history
            self._rewinds = self._table.rewinds
            self._frames.clear()
            self.at = min(self.at, self.last)
        now = self._table.position()
        if self.at == now.version and self._viewer == now.seat:
            return Frame(now.view, now.question)
        return self._frames.get(self.at)

    def load(self) -> None:
        """Read the positions around where one looks. Raises Refused."""
        eyes = "spectator" if self._viewer is None else self._viewer
        after = max(0, min(self.at - PAGE // 2, self.last - PAGE))
        try:
            if self._viewer != self._table.seat and self._log is None:
                self._log = self._table.told(eyes, self.last)
            page = self._table.ask("/events", after=after, limit=PAGE, include="state", seat=eyes)[
                "events"
            ]
        except UnreachableError as error:
            raise Refused(str(error)) from None
        for event in page:
            self._frames[event["seq"]] = _frame(event["state"])

    def go(self, version: int) -> None:
        """Look at the game after an event, the nearest that there is."""
        self.at = min(max(1, version), self.last)

    def turn(self, by: int) -> None:
        """Look at the next turn, or at the one before."""
        turns = sorted(self._table.turns)
        if by > 0:
            self.go(next((seq for seq in turns if seq > self.at), self.last))
        else:
            self.go(next((seq for seq in reversed(turns) if seq < self.at), 1))

    def next_eyes(self) -> None:
        """Look through the eyes of the next seat, if the game is over."""
        if not self._table.position().over:
            return
        seats = [None, *all_seats(self._table.seats)]
        self._viewer = seats[(seats.index(self._viewer) + 1) % len(seats)]
        self._frames.clear()
        self._log = None


def _frame(state: JsonObject) -> Frame:
    decisions = state["decisions"]
    return Frame(state["state"], decisions[0]["name"] if decisions else "")
