"""The screen of a recorded game, with a scrubber."""

import asyncio
from collections.abc import Collection, Sequence
from typing import ClassVar

from textual import events, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Static
from textual.worker import Worker

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.seats import Seat
from service.cli.terminal.board_screen import BoardScreen, Keys
from service.cli.terminal.recording import RecordedGame
from service.cli.terminal.tables import GameTable, MoveRefusedError
from service.cli.terminal.telling import EventLines

STEP_SECONDS = 1.0
"""Seconds for each event during automatic replay."""
LOOK_SECONDS = 0.25
"""Seconds between checks for new events."""


class Scrubber(Static):
    """A line from the first event to the last; a click jumps to a position."""

    def show(self, at: int, last: int) -> None:
        """Mark a position."""
        width = max(2, self.size.width - 2)
        place = (at - 1) * (width - 1) // max(1, last - 1)
        self.update(Content("━" * place + "●" + "─" * (width - 1 - place)))

    def on_click(self, event: events.Click) -> None:
        screen = self.screen
        if isinstance(screen, ReplayScreen):
            screen.go_share(event.x / max(1, self.size.width - 2))


class ReplayScreen(BoardScreen):
    """The screen of a recorded game; if the game is still running, it also shows new events."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "step(-1)", priority=True),
        Binding("right", "step(1)", priority=True),
        Binding("pageup", "turn(-1)", priority=True),
        Binding("pagedown", "turn(1)", priority=True),
        Binding("home", "go(1)", priority=True),
        Binding("end", "go(-1)", priority=True),
        Binding("space", "run", priority=True),
        Binding("s", "eyes", priority=True),
        Binding("r,enter", "result", priority=True),
        Binding("up", "scroll_board(-1, False)", priority=True),
        Binding("down", "scroll_board(1, False)", priority=True),
        Binding("escape", "leave", priority=True),
        Binding("q", "leave"),
    ]

    def __init__(self, played: RecordedGame, table: GameTable | None = None) -> None:
        """Show ``played``; ``table`` is the running game to return to, None for a finished game."""
        super().__init__(played.ruleset, played.language)
        self._played = played
        self._table = table
        self._seen = played.last
        """The newest event at the time when this screen was opened."""
        self._shown: JsonObject | None = None
        self._drawn_at: tuple[int, int, str] | None = None
        self._trouble = ""
        self._player: Worker[None] | None = None
        self._loader: Worker[None] | None = None

    @property
    def view(self) -> JsonObject | None:
        if self._played.is_loaded:
            self._shown = self._played.view
        return self._shown

    @property
    def told(self) -> Sequence[EventLines]:
        return self._played.told

    @property
    def question(self) -> str:
        return self._played.question

    @property
    def result(self) -> JsonObject | None:
        return self._played.result

    @property
    def resigned(self) -> Collection[Seat] | None:
        return self._played.resigned

    @property
    def keys(self) -> Keys:
        leave = ("Esc", "now", "leave") if self._table is not None else ("Q", "quit", "leave")
        over = self._table is None or self._table.position().over
        more: Keys = (("S", "eyes", "eyes"), ("R", "result", "result")) if over else ()
        return (
            ("←→", "event", "step(1)"), ("PgDn", "turn", "turn(1)"), ("␣", "run", "run"), *more,
            ("Tab", "part", "part(1)"), ("^R", "rules", "rules"), leave,
        )  # fmt: skip

    def panel(self) -> ComposeResult:
        yield Static(id="new", markup=False)
        yield Static(id="asked", markup=False)
        yield Scrubber(id="scrubber", markup=False)

    def on_mount(self) -> None:
        if self._table is not None:
            self.set_interval(LOOK_SECONDS, self._look)

    def redraw(self) -> None:
        """Draw the game, and the position in it."""
        if not self.is_mounted:
            return
        played = self._played
        if not played.is_loaded:
            self._load()
        super().redraw()
        self._drawn_at = (played.at, played.last, self._news())
        where = self.say("replay_at", version=played.at, last=played.last)
        texts = [where, self.say("eyes", who=played.eyes)]
        if not played.is_loaded:
            texts.append(self._trouble or "…")
        elif played.view is None:
            texts.append(self.say("not_begun"))
        self.query_one("#asked", Static).update(" · ".join(texts))
        self.query_one("#new", Static).update(self._news())
        self.query_one(Scrubber).show(played.at, played.last)

    def _load(self) -> None:
        if self._loader is None or self._loader.is_finished:
            self._loader = self._get()

    @work(group="load")
    async def _get(self) -> None:
        """Load the position that is shown.

        If the viewer goes to another position while this one is loaded, load that one, too.
        """
        while not self._played.is_loaded:
            try:
                await asyncio.to_thread(self._played.load)
                self._trouble = ""
            except MoveRefusedError as error:
                self._trouble = str(error)
                self.redraw()
                await asyncio.sleep(STEP_SECONDS)
        self.redraw()

    # New events

    def _look(self) -> None:
        """Show what has changed since the screen was drawn.

        If the viewer was at the newest event, go to the event that is the newest now.
        """
        if not self.is_current or self._drawn_at is None:
            return
        at, last, news = self._drawn_at
        if self._played.last != last and at == last:
            self._seen = self._played.last
            self._played.go(self._seen)
        if (self._played.at, self._played.last, self._news()) != (at, last, news):
            self.redraw()

    def _news(self) -> str:
        """Return a line about trouble, an open decision, and events since the viewer went back."""
        table = self._table
        if table is None:
            return ""
        told, new = [], self._played.last - self._seen
        if table.trouble:
            told.append(table.trouble)
        if table.position().legal is not None:
            told.append(self.say("asked_meanwhile", asked=table.position().asked))
        if new > 0:
            newest = next((one.lines[0] for one in reversed(table.log) if one.lines), "")
            told.append(self.say("new_events", count=new, newest=newest))
        return " ".join(told)

    def action_leave(self) -> None:
        """Return to the table; without a table, leave the program."""
        if self._table is None:
            self.app.exit()
        else:
            self.dismiss()

    # Navigation

    def go_share(self, share: float) -> None:
        """Jump to a position in the game: 0 is the first event, 1 the last."""
        self._played.go(1 + round(share * (self._played.last - 1)))
        self.redraw()

    def action_step(self, by: int) -> None:
        """Step one event forward or back."""
        self._played.go(self._played.at + by)
        self.redraw()

    def action_turn(self, by: int) -> None:
        """Show the next turn, or the previous one."""
        self._played.turn(by)
        self.redraw()

    def action_go(self, version: int) -> None:
        """Show an event; -1 is the last."""
        self._played.go(self._played.last if version < 0 else version)
        self.redraw()

    def action_eyes(self) -> None:
        """Show the game as the next viewer sees it."""
        self._played.next_eyes()
        self.redraw()

    def action_run(self) -> None:
        """Start or stop automatic replay."""
        if self._player is not None and not self._player.is_finished:
            self._player.cancel()
            return
        if self._played.at == self._played.last:
            self._played.go(1)
        self._player = self._run()

    @work(group="run")
    async def _run(self) -> None:
        while self._played.at < self._played.last:
            await asyncio.sleep(STEP_SECONDS)
            if self._played.is_loaded:
                self.action_step(1)
