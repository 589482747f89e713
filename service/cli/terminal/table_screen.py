"""The table at which one plays: the board, what happened, and what one may do."""

import asyncio
import time
from collections.abc import Sequence
from typing import ClassVar

from rich.markup import escape
from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Input, OptionList, Static
from textual.worker import Worker

from rules.kernel.canonical import JsonObject
from service.cli.terminal.board_screen import BoardScreen, Keys
from service.cli.terminal.choosing import Choosing, Option, Step, path
from service.cli.terminal.pages import HelpPage
from service.cli.terminal.tables import Position, Refused, Table, Told, name

PACES: tuple[float | None, ...] = (0, 0.5, 1, 2, None)
"""How many seconds a move of another takes at least; None: Enter brings each."""


class Choices(OptionList, can_focus=False):
    """What can be picked; the keys come from the line below it."""


class TableScreen(BoardScreen):
    """A game that is played."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "pick(-1)", priority=True),
        Binding("down", "pick(1)", priority=True),
        Binding("escape", "back", priority=True),
        Binding("pageup", "scroll_board(-1, True)", priority=True),
        Binding("pagedown", "scroll_board(1, True)", priority=True),
        Binding("f1", "help"),
        Binding("f6,ctrl+s", "pace", priority=True),
    ]

    def __init__(self, table: Table, pace: float | None) -> None:
        super().__init__(table.ruleset, table.language)
        self._table = table
        self._pace = pace
        self._position: Position = table.position()
        self._choosing: Choosing | None = None
        self._options: Sequence[Option] = ()
        self._next = asyncio.Event()
        self._told_result = False
        self._busy = False
        self._loop: Worker[None] | None = None

    @property
    def view(self) -> JsonObject | None:
        return self._position.view

    @property
    def told(self) -> Sequence[Told]:
        return self._table.log

    @property
    def question(self) -> str:
        return self._position.question

    @property
    def result(self) -> JsonObject | None:
        return self._position.result

    @property
    def keys(self) -> Keys:
        return (
            ("?", "help", "help"), ("Tab", "part", "part(1)"), ("^B", "board", "zoom"),
            ("^L", "log", "log"), ("^R", "rules", "rules"), ("Esc", "back", "back"),
            ("^Q", "quit", "app.quit"),
        )  # fmt: skip

    def panel(self) -> ComposeResult:
        yield Static(id="asked")
        yield Choices(id="choices")
        yield Input(id="typed", compact=True, placeholder=self.say("type_here"))
        yield Static(id="preview")

    def on_mount(self) -> None:
        typed = self.query_one("#typed", Input)
        typed.cursor_blink = False  # each blink would travel over the network
        typed.focus()
        self.set_class(self._position.seat is None, "-looking")
        self.call_after_refresh(self._begin)

    def on_unmount(self) -> None:
        self._table.close()

    def _begin(self) -> None:
        self._show()
        self._go_on()

    # What is seen

    def _show(self) -> None:
        """Show how the game stands now."""
        before = self._position
        self._position = position = self._table.position()
        self.redraw()
        if self._choosing is None or position.decision != before.decision:
            self._choosing = None if position.legal is None else Choosing(position.legal)
            if position.question != before.question:
                self.action_go_part(0)
            self._picked()
        if position.over and not self._told_result:
            self._told_result = True
            self.action_result()

    def _ask(self) -> None:
        """Show what is asked, and what can be picked."""
        choosing, asked = self._choosing, self.query_one("#asked", Static)
        self.set_class(choosing is None, "-waiting")
        if choosing is None:
            self._options = ()
            self.query_one(Choices).clear_options()
            asked.update(self._waiting())
            self.query_one("#preview", Static).update("")
            return
        step = choosing.step()
        asked.update(self._question(choosing, step))
        self._list(choosing)

    def _question(self, choosing: Choosing, step: Step) -> Content:
        ruleset, seat = self.ruleset, self._position.seat
        who = "" if seat is None else name(ruleset, seat, self.language)
        style = "" if seat is None else self.palette.style(f"seat.{seat}")
        steps = path(self._position.asked, choosing, step)
        return Content.from_rich_text(
            Text.assemble((who, style), ": ", (" › ".join(steps), "bold"))
        )

    def _waiting(self) -> str:
        position, language = self._position, self.language
        if position.view is None:
            return escape(self.say("lobby"))
        if position.over:
            return escape(self.say("over", keys=""))
        who = ", ".join(name(self.ruleset, seat, language) for seat in position.waiting)
        if self._pace is None:
            return escape(self.say("paused"))
        return escape(self.say("thinking", who=who, asked=position.asked))

    def _list(self, choosing: Choosing) -> None:
        """List what fits what is typed."""
        typed = self.query_one("#typed", Input).value
        self._options = choosing.find(typed)
        choices = self.query_one(Choices)
        choices.set_options([self._prompt(option) for option in self._options])
        begun = bool(typed or choosing.picks)
        choices.highlighted = 0 if begun and self._options else None
        self._preview()

    def _prompt(self, option: Option) -> Content:
        if option.amounts is not None:
            return Content(self.say("type_amount", amounts=option.label))
        if option.move is not None:
            return Content(option.label)
        ways = self.say("ways", count=option.ways)
        return Content.assemble(f"{option.label} › ", (ways, "dim"))

    # Picking

    @property
    def _option(self) -> Option | None:
        at = self.query_one(Choices).highlighted
        return None if at is None or at >= len(self._options) else self._options[at]

    @on(Input.Changed, "#typed")
    def _typed(self, event: Input.Changed) -> None:
        if event.value == "?":
            event.input.value = ""
            self.action_help()
        elif self._choosing is not None:
            self._list(self._choosing)

    @on(Input.Submitted, "#typed")
    def _submitted(self) -> None:
        self._next.set()
        if self._position.over:
            self.action_result()
        elif self._option is not None:
            self._take(self._option)
        else:
            self.action_pick(1)  # an Enter that was meant for something else plays nothing

    @on(OptionList.OptionHighlighted)
    def _highlighted(self) -> None:
        self._preview()

    @on(OptionList.OptionSelected)
    def _clicked(self, event: OptionList.OptionSelected) -> None:
        if event.option_index < len(self._options):
            self._take(self._options[event.option_index])

    def _take(self, option: Option) -> None:
        if self._choosing is None or self._busy:
            return
        if option.amounts is not None:  # the first of them, to be changed or played
            typed = self.query_one("#typed", Input)
            typed.value = str(option.amounts[0])
            typed.cursor_position = len(typed.value)
            return
        if option.move is not None:
            self._play(option.move)
            return
        self._choosing.take(option)
        self._picked()

    def _picked(self) -> None:
        """Show the next step."""
        typed = self.query_one("#typed", Input)
        with typed.prevent(Input.Changed):
            typed.value = ""
        self._ask()

    def action_pick(self, by: int) -> None:
        """Move along the list."""
        choices = self.query_one(Choices)
        if by < 0:
            choices.action_cursor_up()
        else:
            choices.action_cursor_down()

    def action_back(self) -> None:
        """Empty the line, or take back what was picked last."""
        typed = self.query_one("#typed", Input)
        if self.has_class("-zoomed"):
            self.action_zoom()
        elif typed.value:
            typed.value = ""
        elif self._choosing is not None and self._choosing.take_back():
            self._ask()

    def _preview(self) -> None:
        """Say what the highlighted option does."""
        option, choosing = self._option, self._choosing
        shown = self.query_one("#preview", Static)
        if choosing is None:
            return
        if option is None and self._options:
            shown.update(escape(self.say("keys_hint")))
        elif option is None:
            typed = self.query_one("#typed", Input).value
            amounts = [o.label for o in choosing.step().options if o.amounts is not None]
            if typed.strip().isdecimal() and amounts:
                shown.update(
                    escape(self.say("not_amount", typed=typed, amounts=", ".join(amounts)))
                )
            else:
                shown.update(escape(self.say("none", typed=typed)))
        elif option.move is None:
            shown.update(escape(option.help))
        else:
            self._look_ahead(choosing, option.move)

    @work(exclusive=True, group="preview")
    async def _look_ahead(self, choosing: Choosing, move: int) -> None:
        try:
            told = await asyncio.to_thread(self._table.preview, choosing.legal.moves[move])
        except Refused as error:
            told = [str(error)]
        option = self._option
        if choosing is self._choosing and option is not None and option.move == move:
            said = " · ".join(told) or self.say("nothing_else")
            self.query_one("#preview", Static).update(escape(f"→ {said}"))

    @work(exclusive=True, group="play")
    async def _play(self, move: int) -> None:
        assert self._choosing is not None  # noqa: S101 - nobody picks while nothing is asked
        self._busy = True
        try:
            await asyncio.to_thread(self._table.play, self._choosing.legal.moves[move])
        except Refused as error:
            self.notify(self.say("refused", why=error), severity="error", markup=False)
        finally:
            self._busy = False
        self._show()
        self._go_on()

    # The others

    def _go_on(self) -> None:
        """Let the others play, unless they are at it."""
        if self._loop is None or self._loop.is_finished:
            self._loop = self._others()

    @work(group="others")
    async def _others(self) -> None:
        """Let the others play, at the pace that is set."""
        while True:
            began = time.monotonic()
            thought = await asyncio.to_thread(self._table.think)
            if thought is None:
                return
            await self._wait(began)
            self._table.take(thought)
            self._show()

    async def _wait(self, began: float) -> None:
        self._next.clear()
        if self._pace is None:
            await self._next.wait()
        else:
            await asyncio.sleep(max(0, began + self._pace - time.monotonic()))

    def action_pace(self) -> None:
        """Take the next pace."""
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

    def action_help(self) -> None:
        """Explain the question, each choice, and the keys."""
        self.app.push_screen(
            HelpPage(self.ruleset, self.language, self._position, self._pace_text())
        )
