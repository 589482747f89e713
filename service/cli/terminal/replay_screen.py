"""A game that was played, with a scrubber."""

import asyncio
from collections.abc import Sequence
from typing import ClassVar

from textual import events, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Static
from textual.worker import Worker

from rules.kernel.canonical import JsonObject
from service.cli.terminal.board_screen import BoardScreen, Keys
from service.cli.terminal.recording import Recording
from service.cli.terminal.tables import Told

STEP_SECONDS = 1.0
"""How long each event is looked at while the game plays by itself."""


class Scrubber(Static):
    """A line from the first event to the last; a click goes to a place on it."""

    def show(self, at: int, last: int) -> None:
        """Mark a place."""
        width = max(2, self.size.width - 2)
        place = (at - 1) * (width - 1) // max(1, last - 1)
        self.update(Content("━" * place + "●" + "─" * (width - 1 - place)))

    def on_click(self, event: events.Click) -> None:
        screen = self.screen
        if isinstance(screen, ReplayScreen):
            screen.go_share(event.x / max(1, self.size.width - 2))


class ReplayScreen(BoardScreen):
    """Shows a recording."""

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
        Binding("q", "app.quit"),
    ]

    def __init__(self, recording: Recording) -> None:
        super().__init__(recording.ruleset, recording.language)
        self._recording = recording
        self._player: Worker[None] | None = None

    @property
    def view(self) -> JsonObject | None:
        return self._recording.view

    @property
    def told(self) -> Sequence[Told]:
        return self._recording.told

    @property
    def question(self) -> str:
        return self._recording.question

    @property
    def result(self) -> JsonObject | None:
        return self._recording.result

    @property
    def keys(self) -> Keys:
        return (
            ("←→", "event", "step(1)"), ("PgDn", "turn", "turn(1)"), ("␣", "run", "run"),
            ("S", "eyes", "eyes"), ("R", "result", "result"), ("Tab", "part", "part(1)"),
            ("^R", "rules", "rules"), ("Q", "quit", "app.quit"),
        )  # fmt: skip

    def panel(self) -> ComposeResult:
        yield Static(id="asked", markup=False)
        yield Scrubber(id="scrubber", markup=False)

    def redraw(self) -> None:
        """Draw the game, and where one is in it."""
        super().redraw()
        recording = self._recording
        at = self.say("replay_at", version=recording.at, last=recording.last)
        self.query_one("#asked", Static).update(f"{at} · {self.say('eyes', who=recording.eyes)}")
        self.query_one(Scrubber).show(recording.at, recording.last)

    def go_share(self, share: float) -> None:
        """Look at a place between the first event, 0, and the last, 1."""
        self._recording.go(1 + round(share * (self._recording.last - 1)))
        self.redraw()

    def action_step(self, by: int) -> None:
        """Go on by one event, or back."""
        self._recording.go(self._recording.at + by)
        self.redraw()

    def action_turn(self, by: int) -> None:
        """Go to the next turn, or to the one before."""
        self._recording.turn(by)
        self.redraw()

    def action_go(self, version: int) -> None:
        """Go to an event; -1 is the last."""
        self._recording.go(self._recording.last if version < 0 else version)
        self.redraw()

    def action_eyes(self) -> None:
        """Look through the next seat's eyes."""
        self._recording.next_eyes()
        self.redraw()

    def action_run(self) -> None:
        """Let the game play by itself, or stop it."""
        if self._player is not None and not self._player.is_finished:
            self._player.cancel()
            return
        if self._recording.at == self._recording.last:
            self._recording.go(1)
        self._player = self._run()

    @work(group="run")
    async def _run(self) -> None:
        while self._recording.at < self._recording.last:
            await asyncio.sleep(STEP_SECONDS)
            self.action_step(1)
