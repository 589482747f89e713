"""The player's table: the board, the log, and the choices."""

import asyncio
import math
import time
from collections import Counter
from collections.abc import Collection, Sequence
from enum import IntEnum
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Input, Static
from textual.worker import Worker

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.drawing import (
    NARROWEST,
    Drawing,
    Line,
    Span,
    line,
    text_of,
    width,
    wrapped,
)
from rules.kernel.contract.seats import Seat
from service.cli import words
from service.cli.terminal import lists, marks
from service.cli.terminal.board_screen import GAP, BoardScreen, Keys
from service.cli.terminal.choosing import AGAIN, MoveChoice, Option, path, plain
from service.cli.terminal.lines import DrawingView
from service.cli.terminal.pages import HelpPage
from service.cli.terminal.places import BoardPlaces, Point, nearest, points
from service.cli.terminal.replay_screen import ReplayScreen
from service.cli.terminal.rows import SAID, Demand, Rows, share, waiting
from service.cli.terminal.tables import (
    GameTable,
    GameView,
    MoveRefusedError,
    about_taking_back,
)
from service.cli.terminal.telling import EventLines, names

LOOK_SECONDS = 0.25
"""Seconds between checks for trouble of the table."""
PACES: tuple[float | None, ...] = (0, 0.5, 1, 2, None)
"""Seconds for which another player's move is shown at least; None: until Enter is pressed."""


EVERYTHING = 1000
"""Lines enough for any list."""
TABS, FOOT = 1, 1
"""Heights in lines of the board's titles and of the keys."""
INPUT = 26
"""The width of the input field in columns."""
HURRY_SECONDS, LAST_SECONDS = 3600, 30
"""Seconds below which the remaining time is shown, and below which it is emphasised."""
LONG_SECONDS = 2
"""Seconds after which a bot's thinking time is shown."""


class Sight(IntEnum):
    """How much of a decision is visible on the screen at the same time."""

    QUESTION = 0
    CHOICES = 1
    EVERYTHING = 2


class TableScreen(BoardScreen):
    """The screen of a running game."""

    AUTO_FOCUS = ""  # no field has the focus, because a spectator types nothing
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "pick(0, -1)", priority=True),
        Binding("down", "pick(0, 1)", priority=True),
        Binding("left", "pick(-1, 0)", priority=True),
        Binding("right", "pick(1, 0)", priority=True),
        Binding("escape", "back", priority=True),
        Binding("pageup", "scroll_board(-1, True)", priority=True),
        Binding("pagedown", "scroll_board(1, True)", priority=True),
        Binding("f1", "help"),
        Binding("f6,ctrl+s", "pace", priority=True),
        Binding("f8,ctrl+z", "take_back", priority=True),
        Binding("f5,ctrl+p", "past", priority=True),
    ]

    before_keys = INPUT

    def __init__(self, table: GameTable, pace: float | None) -> None:
        super().__init__(table.ruleset, table.language)
        self._table = table
        self._pace = pace
        self._position: GameView = table.position()
        self._choosing: MoveChoice | None = None
        self._options: Sequence[Option] = ()
        self._at: int | None = None
        """The option under the cursor."""
        self._places = BoardPlaces(table.ruleset)
        self._reach: Sequence[Collection[str]] = ()
        """The places on the board that each option refers to."""
        self._subject = 0
        """The part of the board that the question is about."""
        self._new = False
        """Whether the board has to be scrolled to the places of new choices."""
        self._answers: dict[str, JsonObject] = {}
        """The player's last answer to each kind of question."""
        self._looked: JsonObject | None = None
        """The view at the player's last move."""
        self._marked: dict[tuple[int, int], Drawing] = {}
        """The drawings with marks on all changes, by version and columns."""
        self._counted = ""
        """A text that counts the choices on the screen; empty if all of them fit."""
        self._rows: Rows | None = None
        """The division of a narrow screen's lines among its parts."""
        self._offered: Sequence[Line] = ()
        """All choices of the step: a typed text filters them, but the panes keep their sizes."""
        self._said: Line | None = None
        """The text of the preview; None shows the last event instead, if the log has no room."""
        self._moved_after = 0
        """The version before the player's own last move; 0 if there was none."""
        self._since = time.monotonic()
        """The time at which the other seats were asked."""
        self._next = asyncio.Event()
        self._told_result = False
        self._trouble = ""
        self._busy = False
        self._moved = False
        """Whether any seat has moved since the other seats were asked."""
        self._loop: Worker[None] | None = None

    @property
    def view(self) -> JsonObject | None:
        return self._position.view

    @property
    def told(self) -> Sequence[EventLines]:
        return self._table.log

    @property
    def question(self) -> str:
        return self._position.question

    @property
    def result(self) -> JsonObject | None:
        return self._position.result

    @property
    def resigned(self) -> Collection[Seat] | None:
        return self._position.resigned

    @property
    def keys(self) -> Keys:
        undo = (("^Z", "undo", "take_back"),) if self._position.ways_back else ()
        return (
            ("?", "help", "help"), ("=", "again", "again"), *undo, ("^B", "board", "zoom"),
            ("^L", "log", "log"), ("^Q", "quit", "app.quit"), ("^R", "rules", "rules"),
            ("^P", "past", "past"),
            ("Tab", "part", "part(1)"), ("Esc", "back", "back"), ("^S", "pace", "pace"),
            ("^T", "shade", "app.shade"),
        )  # fmt: skip

    def panel(self) -> ComposeResult:
        yield Static(id="trouble", markup=False)
        yield DrawingView(id="asked")
        yield DrawingView(id="choices")
        yield DrawingView(id="preview")

    def foot(self) -> ComposeResult:
        yield Input(id="typed", compact=True, placeholder=self.say("type_here"))

    def on_mount(self) -> None:
        typed = self.query_one("#typed", Input)
        typed.cursor_blink = False  # each blink of the cursor would be sent over the network
        looking = self._position.seat is None
        self.set_class(looking, "-looking")
        if not looking:
            typed.focus()
        self.set_interval(LOOK_SECONDS, self._tell_trouble)
        typed.styles.width = INPUT
        self.set_interval(1, self._tell_waiting)
        self.call_after_refresh(self._begin)

    def on_unmount(self) -> None:
        self._table.close()

    def _begin(self) -> None:
        self._show()
        self._go_on()

    # Drawing

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

    def redraw(self) -> None:
        """Draw the game into the panes."""
        self._share()
        super().redraw()
        self._show_asked()
        self._show_choices()
        self._show_said()
        if self._new:
            self._new = False
            self.call_after_refresh(self._reveal_choices)

    def _reveal_choices(self) -> None:
        """Scroll the board to the places of the choices."""
        places = {place for reach in self._reach for place in reach}
        self.query_one("#part", DrawingView).reveal(places)

    def _share(self) -> None:
        """Set the heights of the panes on a narrow screen, where they stand below each other."""
        board, choices, preview, log = (
            self.query_one(f"#{pane}") for pane in ("board", "choices", "preview", "log")
        )
        drawing = self._drawing(self.size.width - 2 * GAP)
        alone = self.has_class("-wide") or self.has_class("-zoomed")
        self.query_one("#heading").display = alone  # otherwise the heading stands above the choices
        if alone or drawing is None:
            for pane in (board, choices, preview, log):
                pane.styles.height = None
                pane.styles.display = None
            self._rows = None
            self._count(self._wide_rows)
            return
        self._counted = ""
        rows = self._divided(drawing)
        if self._count(rows.choices):
            rows = self._divided(drawing)  # the number of choices may need one more line
            self._count(rows.choices)
        self._rows = rows
        board.styles.height = rows.board + TABS
        for pane, height in ((choices, rows.choices), (preview, rows.preview), (log, rows.log)):
            pane.styles.height = height
            pane.styles.display = "block" if height else "none"

    def _divided(self, drawing: Drawing) -> Rows:
        """Divide the lines between the panes."""
        above = len(drawing.players) + len(self._asked_lines()) + TABS + FOOT
        if self._trouble:
            above += len(wrapped(line(self._trouble), self.size.width - 2 * GAP))
        room = self.size.height - above
        part = drawing.parts[self._subject % len(drawing.parts)]
        if self._choosing is None:
            return waiting(room, len(part.lines))
        whole = len(lists.listed(self._offered, self._list_columns, EVERYTHING))
        packed = lists.packed(self._offered, self._list_columns)
        preview, board = self._said_height(), _height(drawing)
        room_across = self._list_columns - 2 * lists.MARGIN
        least = max((len(wrapped(one, room_across)) for one in self._offered), default=1)
        wanted = Demand(whole, packed, least, preview, len(part.lines), board)
        rows = share(room, wanted._replace(shown=self._all_shown(part.lines)))
        if part.compact and rows.board < len(part.lines):
            wanted = wanted._replace(part=len(part.compact))
            return share(room, wanted._replace(shown=self._all_shown(part.compact)))
        return rows

    def _count(self, room: int) -> bool:
        """Say how many of the choices stand on the screen, if not all do."""
        self._counted = ""
        if self._choosing is None:
            return False
        lines = lists.listed(self._offered, self._list_columns, room)
        hidden = {span.place for one in lines[room:] for span in one if span.place}
        if hidden:
            count = len(self._offered)
            self._counted = self.say("listed", shown=count - len(hidden), count=count)
        return bool(self._counted)

    @property
    def board_rows(self) -> int:
        return super().board_rows if self._rows is None else self._rows.board

    @property
    def _wide_rows(self) -> int:
        """The number of lines of the list beside the board, on a wide screen.

        It must equal the height that ``app.tcss`` sets.
        """
        return self.query_one("#panel").size.height * 45 // 100

    @property
    def _list_columns(self) -> int:
        return self.panel_columns + 2 * GAP - 1  # one column is for the scrollbar

    def _all_shown(self, lines: Sequence[Line]) -> bool:
        """Whether these lines are a map on which all choices are marked.

        The lines are a map if several choices share a line. In a list, each choice has a line of
        its own.
        """
        anchors = self._anchors(lines)
        each = bool(anchors) and len(anchors) == len(self._options)
        return each and len({point.line for point in anchors.values()}) < len(anchors)

    def _ask(self) -> None:
        """Show the question and the options."""
        choosing = self._choosing
        self.set_class(choosing is None, "-waiting")
        if choosing is None:
            self._options, self._reach, self._at = (), (), None
            self.query_one("#choices", DrawingView).show((), self.palette)
            self._say(None)
            self._show_asked()
        else:
            self._offer(choosing, always_in_steps=False)
            seen = self._seen()
            if seen < Sight.EVERYTHING:
                self._offer(choosing, always_in_steps=True)
                if self._seen() <= seen:
                    self._offer(choosing, always_in_steps=False)
        self._share()
        self._show_choices()
        self._show_asked()

    def _offer(self, choosing: MoveChoice, *, always_in_steps: bool) -> None:
        """List the options of the step, and turn to their part of the board."""
        choosing.ask_in_steps(always=always_in_steps)
        self._offered = [self._prompt(option) for option in choosing.step().options]
        self._list(choosing)
        self._turn_to_subject()
        self._share()

    def _seen(self) -> Sight:
        """Return how much of the decision is visible on the screen at the same time."""
        drawing = self._drawing(self.size.width - 2 * GAP)
        if self._rows is None or drawing is None:
            return Sight.EVERYTHING
        part, height = drawing.parts[self._subject], self._rows.board
        lines = part.within(height)
        whole = len(lines) <= height
        if self._counted and not (whole and self._all_shown(lines)):
            return Sight.QUESTION
        return Sight.EVERYTHING if whole else Sight.CHOICES

    def _turn_to_subject(self) -> None:
        """Show the part of the board that has the most places of the current choices."""
        drawing = self._drawing(self.size.width - 2 * GAP)
        if drawing is None:
            return
        places = {place for reach in self._reach for place in reach}
        known = [len(places & points(part.lines).keys()) for part in drawing.parts]
        self._subject = max(range(len(known)), key=lambda number: known[number])
        self.show_part(self._subject)
        self._new = True

    def _show_asked(self) -> None:
        self.query_one("#asked", DrawingView).show(self._asked_lines(), self.palette)

    def _asked_lines(self) -> list[Line]:
        """Return the question and the picks; on a narrow screen the board's heading comes first."""
        columns = self.panel_columns
        narrow = not self.has_class("-wide")
        drawing = self._drawing(self.size.width - 2 * GAP) if narrow else None
        head = [] if drawing is None else [*drawing.heading]
        said = plain(" ".join(text_of(one).strip() for one in head))
        asks = plain(self._position.asked) not in said
        choosing = self._choosing
        told = self._waiting_line() if choosing is None else self._path(choosing, asks=asks)
        if not told or plain(text_of(told)).rstrip(" …") in said:
            return head
        goes_on = choosing is not None and bool(head) and not asks
        if goes_on and width(head[-1]) + width(told) <= columns:
            return [*head[:-1], line(head[-1], told)]
        return head + wrapped(told, columns)

    def _path(self, choosing: MoveChoice, *, asks: bool) -> Line:
        """Return the line that shows the picks so far, and the time left.

        If ``asks`` is true, the line begins with the seat and its question.
        """
        seat = self._position.seat
        steps = path(self._position.asked, choosing, choosing.step())
        told = Span(" › ".join(steps if asks else ["", *steps[1:]]), "strong")
        count = Span(f"  {self._counted}", "muted") if self._counted else ""
        if len(steps) == 1 and not asks:
            return line(count, self._time_left())
        who = (
            line(Span(words.seat_text(self.ruleset, seat, self.language), f"seat.{seat}"), ": ")
            if (asks and seat is not None)
            else line()
        )
        back = Span(f"  Esc {self.say('key_back')}", "muted") if choosing.picks else ""
        return line(who, told, count, self._time_left(), back)

    def _waiting_line(self) -> Line:
        position, language = self._position, self.language
        if position.view is None:
            return line(self.say("lobby"))
        if position.over:
            return line(self.say("over"))
        if self._pace is None:
            return line(self.say("paused"))
        who = names(self.ruleset, position.waiting, language)
        told = self.say("thinking", who=who, asked=position.asked) if who else self.say("made")
        seconds = int(time.monotonic() - self._since)
        if seconds < LONG_SECONDS:
            return line(told, self._time_left())
        return line(told, f" {self.say('seconds', seconds=seconds)}", self._time_left())

    def _time_left(self) -> Line:
        """Return the time left for the decision if it is short, emphasised near the end."""
        until = self._position.until
        left = HURRY_SECONDS if until is None else max(0, math.ceil(until - time.monotonic()))
        if left >= HURRY_SECONDS:
            return ()
        told = self.say("time_left", time=f"{left // 60}:{left % 60:02}")
        return line("  ", Span(told, "strong" if left <= LAST_SECONDS else "muted"))

    def _tell_waiting(self) -> None:
        """Show how long others have been thinking, and the time left for the decision."""
        if self._choosing is None and not self._position.over:
            self.redraw()
        elif self._position.until is not None:
            self._show_asked()

    def _list(self, choosing: MoveChoice) -> None:
        """List the options that match the typed text."""
        typed = self.query_one("#typed", Input).value
        self._options = choosing.find(typed)
        view = self._position.view or {}
        self._reach = [
            {place for move in choosing.moves_of(option) for place in self._places.of(move, view)}
            for option in self._options
        ]
        begun = bool(typed or choosing.picks)
        self._go_to(0 if begun and self._options else None)

    def _prompt(self, option: Option) -> Line:
        if option.amounts is not None:
            return line(self.say("type_amount", amounts=option.label))
        if option.move is not None:
            return line(option.label)
        ways = self.say("ways", count=option.ways)
        return line(f"{option.label} › ", Span(ways, "muted"))

    def _show_choices(self) -> None:
        """List the options, with the cursor."""
        pane = self.query_one("#choices", DrawingView)
        entries = [self._prompt(option) for option in self._options]
        room = self._wide_rows if self._rows is None else self._rows.choices
        lines = lists.listed(entries, self._list_columns, room)
        cursor = [] if self._at is None else [lists.entry(self._at)]
        pane.show(marks.chosen(lines, (), cursor), self.palette)
        pane.reveal(cursor)

    def with_marks(self, lines: Sequence[Line]) -> Sequence[Line]:
        """Return the board's lines; the choices on the board and the cursor are marked."""
        legal = {place for reach in self._reach for place in reach}
        cursor = () if self._at is None else self._reach[self._at]
        return marks.chosen(lines, legal, cursor)

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

    # Picking

    @property
    def _option(self) -> Option | None:
        at = self._at
        return None if at is None or at >= len(self._options) else self._options[at]

    def _go_to(self, at: int | None) -> None:
        """Put the cursor on an option."""
        self._at = at
        self._show_choices()
        self._turn_to_cursor()
        self.show_board(self.palette)
        self._preview()
        self._show_asked()

    def _turn_to_cursor(self) -> None:
        """Show the places under the cursor: scroll to them, or turn to their part of the board."""
        drawing = self._drawing(self.query_one("#board").size.width - 2 * GAP)
        reach = () if self._at is None else self._reach[self._at]
        pane = self.query_one("#part", DrawingView)
        shown = points(pane.lines)
        if drawing is None or not reach:
            return
        if any(place in shown for place in reach):
            pane.reveal(reach)
            return
        known = [len({*reach} & {*points(part.lines)}) for part in drawing.parts]
        if any(known):
            self.show_part(max(range(len(known)), key=lambda number: known[number]))

    def _anchors(self, lines: Sequence[Line]) -> dict[int, Point]:
        """Return the points in the lines at which the options stand.

        Only an option that has a place of its own has a point. The keys of the result are the
        numbers of the options. The result is empty if fewer than two options have a point.
        """
        shown = points(lines)
        found = {
            number: place
            for number, reach in enumerate(self._reach)
            if (place := next((p for p in sorted(reach) if p in shown), None))
        }
        count = Counter(found.values())
        alone = {n: shown[place] for n, place in found.items() if count[place] == 1}
        return alone if len(alone) > 1 else {}

    def _next_option(self, across: int, down: int) -> int | None:
        """Return the option that lies in the given direction, on the board or in the list."""
        at, last = self._at, len(self._options) - 1
        if at is None or last < 0:
            return None if last < 0 else 0 if across + down > 0 else last
        anchors = self._anchors(self.query_one("#part", DrawingView).lines)
        others = [number for number in range(last + 1) if number not in anchors]
        if at in anchors:
            to = nearest(anchors, anchors[at], across, down)
            if to is None and down > 0 and others:
                return others[0]
            return at if to is None else to
        if across:
            entries = points(self.query_one("#choices", DrawingView).lines)
            there = {number: entries[lists.entry(number)] for number in others}
            to = nearest(there, there[at], across, 0)
            return at if to is None else to
        place = others.index(at) + down
        if place < 0 and anchors:
            return max(anchors, key=lambda number: anchors[number].line)
        return others[place % len(others)]

    @on(Input.Changed, "#typed")
    def _typed(self, event: Input.Changed) -> None:
        if "?" in event.value:
            event.input.value = event.value.replace("?", "")
            self.action_help()
        elif self._choosing is not None:
            self._list(self._choosing)

    @on(Input.Submitted, "#typed")
    def _submitted(self) -> None:
        self._next.set()
        if self.has_class("-small"):
            return
        if self._position.over:
            self.action_result()
        elif self.has_class("-zoomed"):
            # Show the choices first, so that nobody picks an invisible one.
            self.action_zoom()
        elif self._option is not None:
            self._take(self._option)
        elif self._options:
            # No choice is highlighted, so the player may have pressed Enter for something else.
            self._say(line(self.say("pick_first")))

    @on(DrawingView.Clicked)
    def _clicked(self, event: DrawingView.Clicked) -> None:
        """Go to a choice at the first click; pick it at the second."""
        if event.pane.id == "choices":
            number: int | None = lists.number_of(event.place)
        else:
            reached = (n for n, reach in enumerate(self._reach) if event.place in reach)
            number = next(reached, None)
        if number is None:
            return
        if number == self._at:
            self._take(self._options[number])
        else:
            self._go_to(number)

    def _take(self, option: Option) -> None:
        if self._choosing is None or self._busy:
            return
        # Start with the smallest amount, which the player may change or play.
        if option.amounts is not None:
            typed = self.query_one("#typed", Input)
            typed.value = str(option.amounts[0])
            typed.cursor_position = len(typed.value)
            return
        if option.move is not None:
            self._busy = True  # so that a second Enter, already on its way, plays nothing
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

    def action_pick(self, across: int, down: int) -> None:
        """Move the cursor to the next option, on the board or in the list.

        If the player has typed a text, the left and right keys move the cursor of that text. If the
        board fills the screen, any of these keys undoes that. If there is nothing to choose, left
        shows earlier positions.
        """
        typed = self.query_one("#typed", Input)
        if self.has_class("-zoomed"):
            self.action_zoom()
        elif self._position.seat is None:
            if across < 0:
                self.action_past()
        elif across and typed.value:
            typed.cursor_position += across
        elif self._choosing is not None:
            self._go_to(self._next_option(across, down))

    def action_again(self) -> None:
        """Pick the player's last answer to a question of this kind."""
        if self._choosing is not None:
            self.query_one("#typed", Input).value = AGAIN

    def action_back(self) -> None:
        """Clear the line, or undo the last pick."""
        typed = self.query_one("#typed", Input)
        if self.has_class("-zoomed"):
            self.action_zoom()
        elif typed.value:
            typed.value = ""
        elif self._choosing is not None and self._choosing.take_back():
            self._ask()

    def _preview(self) -> None:
        """Show the effects of the highlighted option.

        While no option is highlighted, show the last event.
        """
        option, choosing = self._option, self._choosing
        if choosing is None:
            return
        if option is None and self._options:
            self._say(None)
        elif option is None:
            typed = self.query_one("#typed", Input).value
            amounts = [o.label for o in choosing.step().options if o.amounts is not None]
            if typed.strip() == AGAIN:
                told = self.say("never_before")
            elif typed.strip().isdecimal() and amounts:
                told = self.say("not_amount", typed=typed, amounts=", ".join(amounts))
            else:
                told = self.say("none", typed=typed)
            self._say(line(told))
        elif option.move is None:
            self._say(line(option.help or self.say("goes_on")))
        else:
            self._look_ahead(choosing, option.move)

    def _say(self, said: Line | None) -> None:
        """Show a text about the choices, in as many lines as it takes."""
        before = self._said_height()
        self._said = said
        if self._said_height() != before:
            self._share()
            self._show_choices()
            self.show_board(self.palette)
        self._show_said()

    def _said_height(self) -> int:
        """Return the number of lines that the preview needs."""
        return 0 if self._said is None else len(self._said_lines())

    def _said_lines(self) -> list[Line]:
        columns = self.panel_columns
        if self._said is not None:
            return wrapped(self._said, columns)
        if self.query_one("#log").display:
            return wrapped(line(self.say("keys_hint")), columns)
        return self._just_now(columns, SAID if self._rows is None else self._rows.preview)

    def _just_now(self, columns: int, room: int) -> list[Line]:
        """Return the newest log lines since the player's last move, at most ``room``."""
        told = [one for one in self.told if one.version > self._moved_after]
        own = self._position.seat
        texts = [text for one in told for text in self._without_own(one, own)]
        lines: list[Line] = []
        for count in range(1, len(texts) + 1):
            said = line(*[line(" · ", text) for text in texts[-count:]])
            longer = wrapped(line(self.say("just_now"), said), columns)
            if lines and len(longer) > room:
                break
            lines = longer
        return lines[:room] or wrapped(line(self.say("keys_hint")), columns)

    def _without_own(self, told: EventLines, own: Seat | None) -> list[Line]:
        """Return the lines of an event, without the headline of the player's own move."""
        lines = self.in_colours(told)
        played = self._moved_after > 0 and told.version == self._moved_after + 1
        return lines[1:] if played and _begins_with(lines[0], own) else lines

    def _show_said(self) -> None:
        self.query_one("#preview", DrawingView).show(self._said_lines(), self.palette)

    @work(exclusive=True, group="preview")
    async def _look_ahead(self, choosing: MoveChoice, move: int) -> None:
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
    async def _play(self, move: int) -> None:
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


def _begins_with(told: Line, seat: Seat | None) -> bool:
    """Whether a headline begins with a seat's name."""
    return bool(told) and told[0].style == f"seat.{seat}"


def _height(drawing: Drawing) -> int:
    """Return the height of all parts of a board below each other, titles included."""
    heights = [len(part.lines) for part in drawing.parts if not part.reference]
    return sum(heights) + 2 * max(0, len(heights) - 1)
