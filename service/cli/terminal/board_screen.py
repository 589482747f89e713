"""The common parts of a game's screens: players, board, log, rules."""

import re
from collections.abc import Collection, Sequence
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Horizontal, Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.drawing import NARROWEST, Drawing, Line, Part, Span, line, wrapped
from rules.kernel.contract.ruleset import Ruleset
from rules.kernel.contract.seats import Seat
from service.cli.terminal.lines import DrawingView
from service.cli.terminal.pages import LinesPage, RulesPage
from service.cli.terminal.rulebook import result_lines
from service.cli.terminal.styles import Palette
from service.cli.terminal.telling import EventLines
from service.cli.terminal.texts import say

LATEST = 60
"""Number of newest log lines that stand beside the board."""
GAP = 1

MORE = " ›"
"""The mark at the end of the titles, if further parts have no room there."""
TURN, ZOOM = "Tab", "^B"
"""The keys for the next part, and for a compact part as a whole."""

SMALLEST = (60, 20)
"""The columns and lines that a game needs."""

Keys = Sequence[tuple[str, str, str]]
"""For each key: its name, the text that explains it, and its action."""


class BoardScreen(Screen[None]):
    """A screen of a game; ``panel`` has the additions of a subclass."""

    before_keys: ClassVar[int] = 0
    """Columns of the last line that are taken by what stands before the keys."""
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (120, "-wide")]  # noqa: RUF012 - as Textual declares it
    VERTICAL_BREAKPOINTS = [(0, "-low"), (32, "-high")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "part(1)", priority=True),
        Binding("shift+tab", "part(-1)", priority=True),
        Binding("ctrl+up", "scroll_board(-1, False)", priority=True),
        Binding("ctrl+down", "scroll_board(1, False)", priority=True),
        Binding("f2,ctrl+r", "rules", priority=True),
        Binding("f3,ctrl+l", "log", priority=True),
        Binding("f4,ctrl+b", "zoom", priority=True),
    ]

    def __init__(self, ruleset: Ruleset[Any], language: str) -> None:
        super().__init__()
        self.ruleset = ruleset
        self.language = language
        self._part = 0
        self._due = False
        self._panel_width = 0
        self._drawn: JsonObject | None = None
        self._drawings: dict[int, Drawing] = {}
        """The drawings of ``_drawn``, by their width in columns."""

    # Texts about the game

    @property
    def view(self) -> JsonObject | None:
        """The view of the state; None before the start."""
        raise NotImplementedError

    @property
    def told(self) -> Sequence[EventLines]:
        """The log so far."""
        raise NotImplementedError

    @property
    def question(self) -> str:
        """The name of the open question; empty if no question is open."""
        raise NotImplementedError

    @property
    def result(self) -> JsonObject | None:
        """The result of the game; None while it goes on."""
        raise NotImplementedError

    @property
    def resigned(self) -> Collection[Seat] | None:
        """The seats that have resigned; None if unknown."""
        raise NotImplementedError

    @property
    def keys(self) -> Keys:
        """The keys of the keyboard that the bottom line of the screen lists."""
        raise NotImplementedError

    def panel(self) -> ComposeResult:
        """Yield the widgets below the log."""
        raise NotImplementedError

    # Widgets

    def compose(self) -> ComposeResult:
        yield Static(id="small", markup=False)
        yield DrawingView(id="heading")
        yield DrawingView(id="players")
        with Container(id="middle"):
            with Vertical(id="board"):
                yield Static(id="tabs")
                yield DrawingView(id="part")
            with Vertical(id="panel"):
                yield DrawingView(id="log", at_end=True)
                yield from self.panel()
        with Horizontal(id="foot"):
            yield from self.foot()
            yield Static(id="keys")

    def foot(self) -> ComposeResult:
        """Yield the widgets before the keys."""
        yield from ()

    def on_mount(self) -> None:
        self._show_keys()

    def on_resize(self) -> None:
        columns, lines = SMALLEST
        small = self.size.width < columns or self.size.height < lines
        self.set_class(small, "-small")
        if small:
            has = {"columns": columns, "lines": lines}
            told = self.say("small", **has, width=self.size.width, height=self.size.height)
            self.query_one("#small", Static).update(told)
        self._show_keys()
        self.redraw_soon()

    def _show_keys(self) -> None:
        """Show the keys in their order, as long as there is room."""
        room = self.size.width - 2 * GAP - self.before_keys
        said: list[str] = []
        for key, word, action in self.keys:
            text = self.say(f"key_{word}")
            room -= len(f"  {key} {text}") if said else len(f"{key} {text}")
            if room < 0:
                break
            to = action if "." in action else f"screen.{action}"
            said.append(f"[@click={to}][b]{key}[/b] {text}[/]")
        self.query_one("#keys", Static).update("  ".join(said))

    def on_screen_resume(self) -> None:
        self.redraw_soon()

    def redraw_soon(self) -> None:
        """Redraw after the next layout, once for any number of calls."""
        if not self._due:
            self._due = True
            self.call_after_refresh(self.redraw)

    def in_colours(self, told: EventLines) -> list[Line]:
        """Return the lines of an event. A seat's name that begins a line has the seat's colour."""
        colours = _colours(self.ruleset, self.language)
        return [_headline(colours, text.strip()) for text in told.lines]

    def say(self, key: str, **values: object) -> str:
        """Return the program's text with this key, with ``values`` filled in."""
        return say(self.language, key, **values)

    @property
    def palette(self) -> Palette:
        """The styles of the game, in the colours of the program."""
        palette: Palette = self.app.palette(self.ruleset)  # type: ignore[attr-defined]
        return palette

    # Drawing

    def _drawing(self, columns: int) -> Drawing | None:
        view = self.view
        if view is None:
            return None
        if view is not self._drawn:
            self._drawn = view
            self._drawings.clear()
        if columns not in self._drawings:
            drawing = self.ruleset.draw(view, self.language, max(NARROWEST, columns))
            self._drawings[columns] = drawing
        return self._drawings[columns]

    def redraw(self) -> None:
        """Draw the game into the panes."""
        self._due = False
        if not self.is_mounted:
            return
        palette = self.palette
        self._show_log(palette)
        above = self._drawing(self.size.width - 2 * GAP)
        self.query_one("#heading", DrawingView).show(
            () if above is None else above.heading, palette
        )
        self.query_one("#players", DrawingView).show(
            () if above is None else above.players, palette
        )
        self.show_board(palette)

    @property
    def board_rows(self) -> int:
        """Return the height of a part of the board in lines."""
        return self.query_one("#part").size.height

    def show_board(self, palette: Palette) -> None:
        """Draw the current part of the board."""
        pane = self.query_one("#part", DrawingView)
        drawing = self._drawing(self.query_one("#board").size.width - 2 * GAP)
        tabs = self.query_one("#tabs", Static)
        if drawing is None:
            tabs.update("")
            pane.show((), palette)
            return
        self._part %= len(drawing.parts)
        part, zoomed = drawing.parts[self._part], self.has_class("-zoomed")
        first = part.lines if zoomed else part.within(self.board_rows)
        more = "" if first is part.lines else f"  {ZOOM} {self.say('whole')}"
        titles = _tabs(drawing.parts, self._part, tabs.size.width - len(more))
        tabs.update(Content.assemble(titles, Content.styled(more, "dim @click=screen.zoom")))
        pane.show(self.with_marks(self._filled(drawing.parts, first)), palette)

    def _filled(self, parts: Sequence[Part], first: Sequence[Line]) -> list[Line]:
        """Return the lines of the current part of the board and of the parts that fit below it.

        ``first`` are the lines of the current part.
        """
        at, height = self._part, self.board_rows
        found = [*first]
        for part in [*parts[at + 1 :], *parts[:at]]:
            if not part.reference and len(found) + len(part.lines) + 2 <= height:
                found += [(), (Span(part.title, "strong"),), *part.lines]
        return found

    def with_marks(self, lines: Sequence[Line]) -> Sequence[Line]:
        """Return the board's lines. A subclass marks places in them, such as possible choices."""
        return lines

    def _show_log(self, palette: Palette) -> None:
        log = self.query_one("#log", DrawingView)
        log.show(self.latest(self.panel_columns), palette)

    @property
    def panel_columns(self) -> int:
        """The width of the text beside the board in columns, also while the board is zoomed."""
        if not self.has_class("-wide"):
            return self.size.width - 2 * GAP
        self._panel_width = self.query_one("#panel").size.width or self._panel_width
        return max(20, self._panel_width - 2 * GAP - 1)

    def latest(self, columns: int) -> list[Line]:
        """Return the end of the log, newest last."""
        told = self.told[-LATEST:]
        return log_lines(self.ruleset, self.language, told, columns)

    # Looking around

    def action_part(self, by: int) -> None:
        """Show another part of the board."""
        self.action_go_part(self._part + by)

    def action_go_part(self, number: int) -> None:
        """Show a part of the board by its number."""
        self.show_part(number)
        self.show_board(self.palette)

    def show_part(self, number: int) -> None:
        """Scroll to the top of a part of the board when it is drawn next."""
        self._part = number
        self.query_one("#part", DrawingView).scroll_to(
            0, 0, animate=False, force=True, immediate=True
        )

    def action_scroll_board(self, by: int, page: bool) -> None:  # noqa: FBT001 - Textual calls it so
        """Scroll the board."""
        pane = self.query_one("#part", DrawingView)
        step = max(1, pane.size.height - 1) if page else 1
        pane.scroll_relative(y=by * step, animate=False, force=True, immediate=True)

    def action_zoom(self) -> None:
        """Give the board the whole screen, or undo that."""
        self.toggle_class("-zoomed")
        self.redraw_soon()

    def action_log(self) -> None:
        """Show the whole log."""
        self.app.push_screen(
            LinesPage(
                self.say("log"),
                lambda columns: log_lines(self.ruleset, self.language, self.told, columns),
                self.palette,
                self.language,
                at_end=True,
            )
        )

    def action_result(self) -> None:
        """Show why the game ended, and the standings with the parts of each score."""
        result, resigned = self.result, self.resigned
        if result is not None:
            self.app.push_screen(
                LinesPage(
                    self.say("result"),
                    lambda columns: result_lines(
                        self.ruleset, result, self.language, columns, resigned
                    ),
                    self.palette,
                    self.language,
                )
            )

    def action_rules(self) -> None:
        """Show the rules, from the section about the question."""
        self.app.push_screen(RulesPage(self.ruleset, self.language, f"decision-{self.question}"))


def log_lines(
    ruleset: Ruleset[Any], language: str, told: Sequence[EventLines], columns: int
) -> list[Line]:
    """Return the log, newest last, wrapped at ``columns``."""
    colours = _colours(ruleset, language)
    found: list[Line] = []
    for one in told:
        for number, text in enumerate(one.lines):
            spans = _headline(colours, text) if number == 0 else line(Span(text, "muted"))
            found += wrapped(spans, columns, 4)
    return found


def _colours(ruleset: Ruleset[Any], language: str) -> list[str]:
    words = ruleset.labels.tables[language]
    seats = range(ruleset.info.max_seats)
    return [words.get(f"seat.{seat}", "") for seat in seats]


def _headline(colours: Sequence[str], text: str) -> Line:
    """Return the line of a headline.

    If the text begins with the name of a seat's colour, this name is drawn in that colour.
    """
    for seat, colour in enumerate(colours):
        if colour and text.startswith((f"{colour} ", f"{colour}:", f"{colour},")):
            return line(Span(colour, f"seat.{seat}"), text.removeprefix(colour))
    return line(text)


def _tabs(parts: Sequence[Part], at: int, columns: int) -> Content:
    """Return the titles of as many parts as fit. The title of the open part is marked."""
    titles = [f"[{one.title}]" if n == at else _brief(one.title) for n, one in enumerate(parts)]
    room = columns - len(TURN) - len(MORE)
    first = 0
    while first < at and sum(len(title) + 1 for title in titles[first : at + 1]) > room:
        first += 1
    pieces = [Content.styled(TURN, "dim @click=screen.part(1)")]
    for number, title in enumerate(titles[first:], first):
        room -= len(title) + 1
        if room < 0:
            pieces.append(Content.styled(MORE, "dim"))
            break
        action = f"@click=screen.go_part({number})"
        pieces += [Content(" "), Content.styled(title, f"bold {action}" * (number == at) or action)]
    return Content.assemble(*pieces)


def _brief(title: str) -> str:
    """Return a title without its explanation after a colon, comma or bracket."""
    return re.split(r"[:,(]", title)[0].strip()
