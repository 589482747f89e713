"""The table: what everybody has, the board, what happened, and what one may do."""

import asyncio
import time
from collections.abc import Sequence
from typing import Any, ClassVar

from rich.markup import escape
from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Input, OptionList, Static
from textual.worker import Worker

from rules.kernel.contract.drawing import NARROWEST, Drawing, Line, Span, line, width, wrapped
from service.cli.terminal.choosing import Choosing, Option, Step, path
from service.cli.terminal.lines import Lines
from service.cli.terminal.pages import HelpPage, LinesPage, RulesPage
from service.cli.terminal.rulebook import result_lines
from service.cli.terminal.styles import Palette
from service.cli.terminal.tables import Position, Refused, Table, name
from service.cli.terminal.texts import say

PACES: tuple[float | None, ...] = (0, 0.5, 1, 2, None)
"""How many seconds a move of another takes at least; None: Enter brings each."""
LATEST = 300
"""So many of the newest lines of the log are at hand beside the board."""
GAP = 1


class Choices(OptionList, can_focus=False):
    """What can be picked; the keys come from the line below it."""


class TableScreen(Screen[None]):
    """A game that is played."""

    HORIZONTAL_BREAKPOINTS: ClassVar = [(0, "-narrow"), (120, "-wide")]
    VERTICAL_BREAKPOINTS: ClassVar = [(0, "-low"), (32, "-high")]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "pick(-1)", priority=True),
        Binding("down", "pick(1)", priority=True),
        Binding("escape", "back", priority=True),
        Binding("tab", "part(1)", priority=True),
        Binding("shift+tab", "part(-1)", priority=True),
        Binding("pageup", "scroll_board(-1, True)", priority=True),
        Binding("pagedown", "scroll_board(1, True)", priority=True),
        Binding("ctrl+up", "scroll_board(-1, False)", priority=True),
        Binding("ctrl+down", "scroll_board(1, False)", priority=True),
        Binding("f1", "help"),
        Binding("f2,ctrl+r", "rules", priority=True),
        Binding("f3,ctrl+l", "log", priority=True),
        Binding("f4,ctrl+b", "zoom", priority=True),
        Binding("f6,ctrl+s", "pace", priority=True),
    ]

    def __init__(self, table: Table, pace: float | None) -> None:
        super().__init__()
        self._table = table
        self._pace = pace
        self._position: Position = table.position()
        self._choosing: Choosing | None = None
        self._options: Sequence[Option] = ()
        self._part = 0
        self._drawn_at = (-1, -1)
        self._next = asyncio.Event()
        self._told_result = False
        self._busy = False
        self._loop: Worker[None] | None = None

    # What it is made of

    def compose(self) -> ComposeResult:
        yield Lines(id="heading")
        yield Lines(id="players")
        with Container(id="middle"):
            with Vertical(id="board"):
                yield Static(id="tabs")
                yield Lines(id="part")
            with Vertical(id="panel"):
                yield Lines(id="log", at_end=True)
                yield Static(id="asked")
                yield Choices(id="choices")
                yield Input(id="typed", compact=True, placeholder=self._say("type_here"))
                yield Static(id="preview")
        yield Static(id="keys")

    def on_mount(self) -> None:
        self.query_one("#typed", Input).cursor_blink = False
        self.query_one("#typed", Input).focus()
        self._show_keys()
        self.call_after_refresh(self._begin)

    def on_unmount(self) -> None:
        self._table.close()

    def _begin(self) -> None:
        self._show()
        self._go_on()

    def on_resize(self) -> None:
        self.call_after_refresh(self._redraw)

    def on_screen_resume(self) -> None:
        self.call_after_refresh(self._redraw)

    # What is seen

    def _say(self, key: str, **values: object) -> str:
        return say(self._table.language, key, **values)

    @property
    def _palette(self) -> Palette:
        palette: Palette = self.app.palette(self._table.ruleset)  # type: ignore[attr-defined]
        return palette

    def _show(self) -> None:
        """Show how the game stands now."""
        before = self._position
        self._position = position = self._table.position()
        self._redraw()
        if self._choosing is None or position.legal != before.legal:  # else others moved meanwhile
            self._choosing = None if position.legal is None else Choosing(position.legal)
            if position.question != before.question:
                self.action_go_part(0)
            self._picked()
        if position.over and not self._told_result:
            self._told_result = True
            self.action_result()

    def _drawing(self, columns: int) -> Drawing | None:
        view = self._position.view
        if view is None:
            return None
        return self._table.ruleset.draw(view, self._table.language, max(NARROWEST, columns))

    def _redraw(self) -> None:
        """Draw the game into the panes as they are now."""
        if not self.is_mounted:
            return
        palette = self._palette
        above = self._drawing(self.size.width - 2 * GAP)
        if above is None:
            return
        self.query_one("#heading", Lines).show(above.heading, palette)
        self.query_one("#players", Lines).show(above.players, palette)
        self._show_board(palette)
        self._show_log(palette)

    def _show_board(self, palette: Palette) -> None:
        pane = self.query_one("#part", Lines)
        drawing = self._drawing(pane.size.width - 1)
        if drawing is None:
            return
        parts = drawing.parts
        together = [
            row
            for part in parts
            for row in ((Span(part.title, "strong"),), *part.lines, ())
        ][:-1]  # fmt: skip
        tabs = self.query_one("#tabs", Static)
        if len(together) <= self.query_one("#board").size.height or self.has_class("-zoomed"):
            tabs.display = False
            pane.show(together, palette)
            return
        self._part %= len(parts)
        tabs.display = True
        tabs.update(_tabs([part.title for part in parts], self._part, tabs.size.width))
        pane.show(parts[self._part].lines, palette)

    def _show_log(self, palette: Palette) -> None:
        log = self.query_one("#log", Lines)
        log.show(log_lines(self._table, max(20, log.size.width - 1), LATEST), palette)

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
        ruleset, seat = self._table.ruleset, self._position.seat
        who = "" if seat is None else name(ruleset, seat, self._table.language)
        style = "" if seat is None else self._palette.style(f"seat.{seat}")
        steps = path(self._position.asked, choosing, step)
        return Content.from_rich_text(
            Text.assemble((who, style), ": ", (" › ".join(steps), "bold"))
        )

    def _waiting(self) -> str:
        position, language = self._position, self._table.language
        if position.view is None:
            return escape(self._say("lobby"))
        if position.over:
            return escape(self._say("over", keys=""))
        who = ", ".join(name(self._table.ruleset, seat, language) for seat in position.waiting)
        if self._pace is None:
            return escape(self._say("paused"))
        return escape(self._say("thinking", who=who, asked=position.asked))

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
            return Content(self._say("type_amount", amounts=option.label))
        if option.move is not None:
            return Content(option.label)
        ways = self._say("ways", count=option.count)
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
            shown.update(escape(self._say("keys_hint")))
        elif option is None:
            typed = self.query_one("#typed", Input).value
            amounts = [o.label for o in choosing.step().options if o.amounts is not None]
            if typed.strip().isdecimal() and amounts:
                shown.update(escape(self._say("not_amount", typed=typed, amounts=", ".join(amounts))))
            else:
                shown.update(escape(self._say("none", typed=typed)))
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
            said = " · ".join(told) or self._say("nothing_else")
            self.query_one("#preview", Static).update(escape(f"→ {said}"))

    @work(exclusive=True, group="play")
    async def _play(self, move: int) -> None:
        assert self._choosing is not None  # noqa: S101 - nobody picks while nothing is asked
        self._busy = True
        try:
            await asyncio.to_thread(self._table.play, self._choosing.legal.moves[move])
        except Refused as error:
            self.notify(self._say("refused", why=error), severity="error", markup=False)
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

    # Looking around

    def action_part(self, by: int) -> None:
        """Show another part of the board."""
        self._part += by
        self.query_one("#part", Lines).scroll_to(0, 0, animate=False)
        self._show_board(self._palette)

    def action_go_part(self, number: int) -> None:
        """Show a part of the board by its number."""
        self._part = number
        self._show_board(self._palette)

    def action_scroll_board(self, by: int, page: bool) -> None:  # noqa: FBT001 - Textual calls it so
        """Scroll the board."""
        pane = self.query_one("#part", Lines)
        step = max(1, pane.size.height - 1) if page else 1
        pane.scroll_relative(y=by * step, animate=False)

    def action_zoom(self) -> None:
        """Give the board the whole screen, or take it back."""
        self.toggle_class("-zoomed")
        self.call_after_refresh(self._redraw)

    def action_pace(self) -> None:
        """Take the next pace."""
        at = PACES.index(self._pace) if self._pace in PACES else -1
        self._pace = PACES[(at + 1) % len(PACES)]
        self._next.set()
        self.notify(self._say("pace_now", pace=self._pace_text()), markup=False, timeout=2)
        if self._choosing is None:
            self._ask()

    def _pace_text(self) -> str:
        if self._pace is None:
            return self._say("pace_step")
        return self._say("pace", seconds=f"{self._pace:g}")

    def action_log(self) -> None:
        """Show all that happened."""
        table = self._table
        self.app.push_screen(
            LinesPage(
                self._say("log"),
                lambda columns: log_lines(table, columns, None),
                self._palette,
                table.language,
                at_end=True,
            )
        )

    def action_result(self) -> None:
        """Show who came where, and why."""
        table, result = self._table, self._position.result
        if result is not None:
            self.app.push_screen(
                LinesPage(
                    self._say("result"),
                    lambda columns: result_lines(table.ruleset, result, table.language, columns),
                    self._palette,
                    table.language,
                )
            )

    def action_rules(self) -> None:
        """Show the rules, from the section that the question is about."""
        anchor = f"decision-{self._position.question}"
        self.app.push_screen(RulesPage(self._table.ruleset, self._table.language, anchor))

    def action_help(self) -> None:
        """Explain the question, each choice, and the keys."""
        self.app.push_screen(
            HelpPage(self._table.ruleset, self._table.language, self._position, self._pace_text())
        )

    def _show_keys(self) -> None:
        keys = (
            ("?", "help", "help"), ("Tab", "part", "part(1)"), ("^B", "board", "zoom"),
            ("^L", "log", "log"), ("^R", "rules", "rules"),
            ("Esc", "back", "back"), ("^Q", "quit", "app.quit"),
        )  # fmt: skip
        said = (
            f"[@click={action if '.' in action else 'screen.' + action}][b]{key}[/b]"
            f" {self._say('key_' + word)}[/]"
            for key, word, action in keys
        )
        self.query_one("#keys", Static).update("  ".join(said))


def log_lines(table: Table, columns: int, most: int | None) -> list[Line]:
    """Return what happened, the newest last, no line longer than ``columns``."""
    told = table.log if most is None else table.log[-most:]
    found: list[Line] = []
    for one in told:
        for number, text in enumerate(one.lines):
            spans = _named(table, text) if number == 0 else line(Span(text, "muted"))
            found += wrapped(spans, columns, 4)
    return found


def _named(table: Table, text: str) -> Line:
    """Return a headline with the seat that it begins with in its colour."""
    words = table.ruleset.labels.tables[table.language]
    seat = 0
    while colour := words.get(f"seat.{seat}"):
        head, found, rest = text.partition(f"({colour})")
        if found and len(head) < 12:
            return (Span(f"{colour}", f"seat.{seat}"), Span(rest))
        seat += 1
    return (Span(text),)


def _tabs(titles: Sequence[str], at: int, columns: int) -> Content:
    """Return the titles of the parts, the present one marked, as many as there is room for."""
    shown = [f"[{title}]" if n == at else f" {title} " for n, title in enumerate(titles)]
    first = 0
    while first < at and sum(map(len, shown[first : at + 1])) > columns:
        first += 1
    pieces: list[Any] = []
    room = columns
    for number, text in enumerate(shown[first:], first):
        if len(text) > room:
            break
        action = f"screen.go_part({number})"
        pieces.append(Content.styled(text, f"{'bold ' if number == at else ''}@click={action}"))
        room -= len(text)
    return Content.assemble(*pieces)
