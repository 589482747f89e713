"""The player's table: a game that goes on, with the other players."""

import asyncio
import time
from collections.abc import Sequence
from typing import ClassVar

from textual import on, work
from textual.binding import Binding, BindingType
from textual.widgets import Input, Static
from textual.worker import Worker

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.drawing import NARROWEST, Drawing, Line, line
from service.cli.terminal import marks
from service.cli.terminal.asking import time_left
from service.cli.terminal.board_screen import Keys
from service.cli.terminal.choosing import MoveChoice
from service.cli.terminal.hints import called
from service.cli.terminal.pages import HelpPage, HintPage
from service.cli.terminal.question_screen import QuestionScreen
from service.cli.terminal.replay_screen import ReplayScreen
from service.cli.terminal.tables import GameTable, MoveRefusedError, about_taking_back
from service.cli.terminal.telling import EventLines, names
from service.games.hints import BOT

LOOK_SECONDS = 0.25
"""Seconds between checks for trouble of the table."""
PACES: tuple[float | None, ...] = (0, 0.5, 1, 2, None)
"""Seconds for which another player's move is shown at least; None: until Enter is pressed."""
LONG_SECONDS = 2
"""Seconds after which a bot's thinking time is shown."""


class TableScreen(QuestionScreen):
    """The screen of a running game."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1", "help"),
        Binding("f6,ctrl+s", "pace", priority=True),
        Binding("f8,ctrl+z", "take_back", priority=True),
        Binding("f9,ctrl+g", "hint", priority=True),
        Binding("f5,ctrl+p", "past", priority=True),
    ]

    def __init__(self, table: GameTable, pace: float | None) -> None:
        super().__init__(table.ruleset, table.language, table.position())
        self._table = table
        self._pace = pace
        self._answers: dict[str, JsonObject] = {}
        """The player's last answer to each kind of question."""
        self._looked: JsonObject | None = None
        """The view at the player's last move."""
        self._marked: dict[tuple[int, int], Drawing] = {}
        """The drawings with marks on all changes, by version and columns."""
        self._since = time.monotonic()
        """The time at which the other seats were asked."""
        self._next = asyncio.Event()
        self._told_result = False
        self._asks_hint = False
        """Whether a hint is on its way."""
        self._moved = False
        """Whether any seat has moved since the other seats were asked."""
        self._loop: Worker[None] | None = None

    @property
    def told(self) -> Sequence[EventLines]:
        return self._table.log

    @property
    def keys(self) -> Keys:
        undo = (("^Z", "undo", "take_back"),) if self._position.ways_back else ()
        return (
            ("?", "help", "help"), ("=", "again", "again"), *undo, ("^B", "board", "zoom"),
            ("^L", "log", "log"), ("^Q", "quit", "app.quit"), ("^R", "rules", "rules"),
            ("^P", "past", "past"), ("^G", "hint", "hint"),
            ("Tab", "part", "part(1)"), ("Esc", "back", "back"), ("^S", "pace", "pace"),
            ("^T", "shade", "app.shade"),
        )  # fmt: skip

    def on_mount(self) -> None:
        self.set_interval(LOOK_SECONDS, self._tell_trouble)
        self.set_interval(1, self._tell_waiting)
        self.call_after_refresh(self._begin)

    def on_unmount(self) -> None:
        self._table.close()

    def _begin(self) -> None:
        self._show()
        self._go_on()

    # Showing

    def _show(self) -> None:
        """Show the current position."""
        before = self._position
        self._position = position = self._table.position()
        if bool(position.ways_back) != bool(before.ways_back):
            self._show_keys()
        if self._choosing is None or position.decision != before.decision:
            last = self._answers.get(position.question)
            self._choosing = None if position.legal is None else MoveChoice(position.legal, last)
            if position.question != before.question and position.legal is None:
                self.show_part(0)
            self._picked()
        self.redraw()
        if position.over and not self._told_result and self.is_current:
            self._told_result = True
            self.action_result()

    def _tell_trouble(self) -> None:
        """Show or hide the problem that blocks the table."""
        trouble = self._table.trouble
        if trouble != self._trouble:
            self._trouble = trouble
            self.query_one("#trouble", Static).update(trouble)
            self.set_class(bool(trouble), "-troubled")
            self.redraw_soon()  # the problem is a line of the log too, and has moved the panes

    def waiting_line(self) -> Line:
        position, language = self._position, self.language
        if position.view is None:
            return line(self.say("lobby"))
        if position.over:
            return line(self.say("over"))
        if self._pace is None:
            return line(self.say("paused"))
        who = names(self.ruleset, position.waiting, language)
        told = self.say("thinking", who=who, asked=position.asked) if who else self.say("made")
        left = time_left(language, position.until)
        seconds = int(time.monotonic() - self._since)
        if seconds < LONG_SECONDS:
            return line(told, left)
        return line(told, f" {self.say('seconds', seconds=seconds)}", left)

    def _tell_waiting(self) -> None:
        """Show how long others have been thinking, and the time left for the decision."""
        if self._choosing is None and not self._position.over:
            self.redraw()
        elif self._position.until is not None:
            self._show_asked()

    def _drawing(self, columns: int) -> Drawing | None:
        """Return the drawing, with marks on all that has changed since the player's last move."""
        drawing = super()._drawing(columns)
        if drawing is None or self._looked is None:
            return drawing
        key = (self._position.version, columns)
        if key not in self._marked:
            before = self.ruleset.draw(self._looked, self.language, max(NARROWEST, columns))
            self._marked = {k: v for k, v in self._marked.items() if k[0] == key[0]}
            self._marked[key] = marks.changed(drawing, before)
        return self._marked[key]

    # Playing

    @work(exclusive=True, group="preview")
    async def look_ahead(self, choosing: MoveChoice, move: int) -> None:
        try:
            told = await asyncio.to_thread(self._table.preview, choosing.legal.moves[move])
        except MoveRefusedError as error:
            # The move is no longer legal, for instance because the game has gone on.
            told = [str(error)]
        option = self._option
        if choosing is self._choosing and option is not None and option.move == move:
            whole = choosing.legal.texts[move]
            said = " · ".join(told) or self.say("nothing_else")
            self._say(line(f"→ {said}" if whole == option.label else f"{whole} → {said}"))

    @work(group="play")
    async def play(self, move: int) -> None:
        assert self._choosing is not None  # noqa: S101 - nobody picks while nothing is asked
        before, played = self._position, self._choosing.legal.moves[move]
        try:
            await asyncio.to_thread(self._table.play, played)
        except MoveRefusedError as error:
            self.notify(self.say("refused", why=error), severity="error", markup=False)
        else:
            self._moved_after = before.version
            self._answers[before.question] = played
            self._looked = before.view
        finally:
            self._busy = False
        self._show()
        self._go_on()

    def action_take_back(self) -> None:
        """Take back the last move, or say why that is not possible."""
        if self._position.seat is not None and not self._busy:
            self._busy = True
            self._take_back()

    @work(group="play")
    async def _take_back(self) -> None:
        try:
            await asyncio.to_thread(self._table.take_back)
        except MoveRefusedError as error:
            self.notify(str(error), severity="warning", markup=False)
        else:
            told = self.say("taken_back")
            if self._table.position().ways_back:
                told += f" {about_taking_back(self._table)}"
            self.notify(told, markup=False)
        finally:
            self._busy = False
        self._show()
        self._go_on()

    def action_hint(self) -> None:
        """Ask what a bot would do."""
        if self._choosing is None:
            self.notify(self.say("not_asked"), severity="warning", markup=False)
        elif not self._asks_hint:
            self._asks_hint = True
            self.notify(self.say("hint_asks", who=called(BOT)), markup=False)
            self._hint(self._position.decision)

    @work(group="hint")
    async def _hint(self, decision: int) -> None:
        """Show a hint, unless the game has gone on meanwhile."""
        try:
            told = await asyncio.to_thread(self._table.hint)
        except MoveRefusedError as error:
            self.notify(str(error), severity="warning", markup=False)
        else:
            if told and self._position.decision == decision and self.is_current:
                title = self.say("hint_title", who=called(BOT))
                self.app.push_screen(HintPage(title, told, self.language))
        finally:
            self._asks_hint = False

    # The others

    def _go_on(self) -> None:
        """Let the others play.

        If they are playing already, have them look once more for open decisions when they finish.
        """
        self._moved = True
        if self._loop is None or self._loop.is_finished:
            self._loop = self._others()

    @work(group="others")
    async def _others(self) -> None:
        """Let the others play, at the chosen pace."""
        while self._moved:
            self._moved = False
            while await self._other():
                self._show()

    async def _other(self) -> bool:
        """Let one of the others play; return False if no other player can decide now."""
        began = self._since = time.monotonic()
        try:
            thought = await asyncio.to_thread(self._table.think)
        except MoveRefusedError as error:
            self.notify(str(error), severity="error", markup=False, timeout=60)
            return False
        if thought is None:
            return False
        await self._wait(began)
        self._table.take(thought)
        return True

    async def _wait(self, began: float) -> None:
        self._next.clear()
        if self._pace is None:
            await self._next.wait()
        else:
            await asyncio.sleep(max(0, began + self._pace - time.monotonic()))

    @on(Input.Submitted, "#typed")
    def _wait_no_longer(self) -> None:
        self._next.set()

    def action_pace(self) -> None:
        """Switch to the next pace."""
        at = PACES.index(self._pace) if self._pace in PACES else -1
        self._pace = PACES[(at + 1) % len(PACES)]
        self._next.set()
        self.notify(self.say("pace_now", pace=self._pace_text()), markup=False, timeout=2)
        if self._choosing is None:
            self._ask()

    def _pace_text(self) -> str:
        if self._pace is None:
            return self.say("pace_step")
        return self.say("pace", seconds=f"{self._pace:g}")

    def action_past(self) -> None:
        """Show earlier positions, while the game goes on."""
        if self._position.view is not None:
            past = ReplayScreen(self._table.past(), self._table)
            self.app.push_screen(past, lambda _: self._show())

    def action_help(self) -> None:
        """Explain the question, each choice, and the keys."""
        pace, back = self._pace_text(), about_taking_back(self._table)
        self.app.push_screen(HelpPage(self.ruleset, self.language, self._position, pace, back))
