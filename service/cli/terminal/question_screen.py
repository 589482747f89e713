"""A question on the screen: its words, its choices on the board and in the list, and a preview."""

from collections import Counter
from collections.abc import Collection, Sequence
from enum import IntEnum
from typing import Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Input, Static

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.drawing import (
    Drawing,
    Line,
    Span,
    line,
    text_of,
    width,
    wrapped,
)
from rules.kernel.contract.ruleset import Ruleset
from rules.kernel.contract.seats import Seat
from service.cli.terminal import asking, cursor, lists, marks
from service.cli.terminal.board_screen import GAP, BoardScreen
from service.cli.terminal.choosing import AGAIN, MoveChoice, Option, plain
from service.cli.terminal.common import CommonWords, common_words
from service.cli.terminal.lines import DrawingView
from service.cli.terminal.places import BoardPlaces, points
from service.cli.terminal.rows import SAID, Demand, Rows, share, waiting
from service.cli.terminal.tables import GameView
from service.cli.terminal.telling import EventLines

EVERYTHING = 1000
"""Lines enough for any list."""
TABS, FOOT = 1, 1
"""Heights in lines of the board's titles and of the keys."""
INPUT = 26
"""The width of the input field in columns."""


class Sight(IntEnum):
    """How much of a decision is visible on the screen at the same time."""

    QUESTION = 0
    CHOICES = 1
    EVERYTHING = 2


class QuestionScreen(BoardScreen):
    """A screen with the question of the current position; a subclass plays the picked move."""

    AUTO_FOCUS = ""  # no field has the focus, because a spectator types nothing
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "pick(0, -1)", priority=True),
        Binding("down", "pick(0, 1)", priority=True),
        Binding("left", "pick(-1, 0)", priority=True),
        Binding("right", "pick(1, 0)", priority=True),
        Binding("escape", "back", priority=True),
        Binding("pageup", "scroll_board(-1, True)", priority=True),
        Binding("pagedown", "scroll_board(1, True)", priority=True),
    ]

    before_keys = INPUT

    def __init__(self, ruleset: Ruleset[Any], language: str, position: GameView) -> None:
        super().__init__(ruleset, language)
        self._position = position
        self._choosing: MoveChoice | None = None
        self._options: Sequence[Option] = ()
        self._at: int | None = None
        """The option under the cursor."""
        self._places = BoardPlaces(ruleset)
        self._reach: Sequence[Collection[str]] = ()
        """The places on the board that each option refers to."""
        self._subject = 0
        """The part of the board that the question is about."""
        self._new = False
        """Whether the board has to be scrolled to the places of new choices."""
        self._counted = ""
        """A text that counts the choices on the screen; empty if all of them fit."""
        self._rows: Rows | None = None
        """The division of a narrow screen's lines among its parts."""
        self._offered: Sequence[Line] = ()
        """All choices of the step: a typed text filters them, but the panes keep their sizes."""
        self._common: CommonWords | None = None
        """The words that stand once above the list, because they leave all choices room in it."""
        self._said: Line | None = None
        """The text of the preview; None shows the last event instead, if the log has no room."""
        self._moved_after = 0
        """The version before the player's own last move; 0 if there was none."""
        self._trouble = ""
        """The problem that blocks the table, which is shown above the question."""
        self._busy = False
        """Whether a change by the player is on its way."""

    @property
    def view(self) -> JsonObject | None:
        return self._position.view

    @property
    def question(self) -> str:
        return self._position.question

    @property
    def result(self) -> JsonObject | None:
        return self._position.result

    @property
    def resigned(self) -> Collection[Seat] | None:
        return self._position.resigned

    def waiting_line(self) -> Line:
        """Return what is shown while the player has no question."""
        raise NotImplementedError

    def look_ahead(self, choosing: MoveChoice, move: int) -> object:
        """Show the effects of a move."""
        raise NotImplementedError

    def play(self, move: int) -> object:
        """Play a move."""
        raise NotImplementedError

    def action_past(self) -> None:
        """Show earlier positions."""
        raise NotImplementedError

    def action_help(self) -> None:
        """Explain the question, each choice, and the keys."""
        raise NotImplementedError

    # Widgets

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
        typed.styles.width = INPUT

    # Dividing the screen

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

        The lines are a map if places share a line. In a list, each place has a line of its own.
        """
        on_board = cursor.anchors(self._reach, lines)
        if not on_board or len(on_board) < len(self._options):
            return False
        places = Counter(point.line for point in points(lines).values())
        return any(places[point.line] > 1 for point in on_board.values())

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

    # Asking

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
            self._shorten(choosing)
        self._share()
        self._show_choices()
        self._show_asked()

    def _offer(self, choosing: MoveChoice, *, always_in_steps: bool) -> None:
        """List the options of the step, and turn to their part of the board."""
        choosing.ask_in_steps(always=always_in_steps)
        self._common = None
        self._offered = [self._prompt(option) for option in choosing.step().options]
        self._list(choosing)
        self._turn_to_subject()
        self._share()

    def _shorten(self, choosing: MoveChoice) -> None:
        """Say once what whole moves have in common, if they have no room in the list."""
        options = choosing.step().options
        crowded = bool(self._counted) if self._rows is None else self._seen() == Sight.QUESTION
        if crowded and all(option.move is not None for option in options):
            self._common = common_words([option.label for option in options])
            self._offered = [self._prompt(option) for option in options]

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
        if choosing is None:
            told = self.waiting_line()
        else:
            game, count = (self.ruleset, self.language, self._position), self._counted
            told = asking.picks_line(*game, choosing, count, asks=asks)
        if not told or plain(text_of(told)).rstrip(" …") in said:
            return head
        common = [] if self._common is None else wrapped(line(self._common.said), columns)
        goes_on = choosing is not None and bool(head) and not asks
        if goes_on and width(head[-1]) + width(told) <= columns:
            return [*head[:-1], line(head[-1], told), *common]
        return head + wrapped(told, columns) + common

    # Listing

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
            rest = {} if self._common is None else self._common.rest
            return line(rest.get(option.label, option.label))
        ways = self.say("ways", count=option.ways)
        return line(f"{option.label} › ", Span(ways, "muted"))

    def _show_choices(self) -> None:
        """List the options, with the cursor."""
        pane = self.query_one("#choices", DrawingView)
        entries = [self._prompt(option) for option in self._options]
        room = self._wide_rows if self._rows is None else self._rows.choices
        lines = lists.listed(entries, self._list_columns, room)
        at = [] if self._at is None else [lists.entry(self._at)]
        pane.show(marks.chosen(lines, (), at), self.palette)
        pane.reveal(at)

    def with_marks(self, lines: Sequence[Line]) -> Sequence[Line]:
        """Return the board's lines; the choices on the board and the cursor are marked."""
        legal = {place for reach in self._reach for place in reach}
        at = () if self._at is None else self._reach[self._at]
        return marks.chosen(lines, legal, at)

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

    def _next_option(self, across: int, down: int) -> int | None:
        """Return the option that lies in the given direction, on the board or in the list."""
        board, listed = (self.query_one(f"#{pane}", DrawingView) for pane in ("part", "choices"))
        on_board = cursor.anchors(self._reach, board.lines)
        count = len(self._options)
        return cursor.next_option(self._at, count, on_board, listed.lines, across, down)

    @on(Input.Changed, "#typed")
    def _typed(self, event: Input.Changed) -> None:
        if "?" in event.value:
            event.input.value = event.value.replace("?", "")
            self.action_help()
        elif self._choosing is not None:
            self._list(self._choosing)

    @on(Input.Submitted, "#typed")
    def _submitted(self) -> None:
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
            self.play(option.move)
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

    # What a choice leads to

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
            self.look_ahead(choosing, option.move)

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


def _begins_with(told: Line, seat: Seat | None) -> bool:
    """Whether a headline begins with a seat's name."""
    return bool(told) and told[0].style == f"seat.{seat}"


def _height(drawing: Drawing) -> int:
    """Return the height of all parts of a board below each other, titles included."""
    heights = [len(part.lines) for part in drawing.parts if not part.reference]
    return sum(heights) + 2 * max(0, len(heights) - 1)
