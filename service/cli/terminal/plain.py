"""A game in plain lines, for pipes, logs, screen readers and simple terminals."""

import textwrap
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import Future, wait
from itertools import groupby
from threading import Thread
from typing import TypeVar

import click

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.drawing import plain, text_of
from rules.kernel.contract.seats import Seat
from service.cli import words
from service.cli.terminal.choosing import AGAIN, MoveChoice, Option, path
from service.cli.terminal.hints import called
from service.cli.terminal.rulebook import explained
from service.cli.terminal.tables import (
    GameTable,
    GameView,
    MoveRefusedError,
    about_taking_back,
)
from service.cli.terminal.texts import say
from service.games.hints import BOT

COLUMNS = 80
ROWS = 24
"""Lines of a low screen. A small board and the question fit into it."""
LOOK_SECONDS = 0.5
"""Interval of checks for news during long calls."""
T = TypeVar("T")
PAGE = 15
"""The maximum number of options on a page."""
FEW = 3
"""The minimum number of options on a page.

A screen without room for them counts as too low.
"""
PLACE = "#"
"""The sign before an option's number in the list; a number without it may be an amount."""
QUIT = ("q", "quit", "salir")
BACK = ("<", "back", "atrás")
HINT = ("h", "hint", "pista")
UNDO = ("u", "undo", "retirar")


def play(table: GameTable) -> None:
    """Play to the end. Raises click.Abort if the person quits or the input ends."""
    sheet = Sheet()
    log = PlainLog(table, sheet)
    answers: dict[str, JsonObject] = {}
    while True:
        log.tell()
        position = table.position()
        if position.over:
            break
        if position.legal is None:
            thought = log.while_it(table.think)
            if thought is None:
                break
            table.take(thought)
        else:
            _answer(table, position, log, sheet, answers)
    log.tell()
    sheet.board(table, position)
    if position.result is not None:
        click.echo()
        tell_result(table, position.result, position.resigned)


class Sheet:
    """The output between two answers, with a count of its lines."""

    def __init__(self) -> None:
        self._lines = 1  # the line with the seed of a new table

    def begin(self) -> None:
        """Start counting again, after an answer."""
        self._lines = 0

    @property
    def room(self) -> int:
        """The number of lines that are still free on a low screen."""
        return ROWS - self._lines

    def put(self, text: str, indent: int = 0) -> None:
        """Print a text, wrapped at the screen's width."""
        self._lines += _print(text, indent)

    def board(self, table: GameTable, position: GameView, asked: str = "") -> None:
        """Print the board, without its heading if that repeats the question ``asked``."""
        if position.view is None:
            return
        drawing = table.ruleset.draw(position.view, table.language, COLUMNS - 2)
        if len(drawing.heading) == 1 and text_of(drawing.heading[0]) == asked:
            drawing = drawing._replace(heading=())
        told = plain(drawing).strip("\n")
        self._lines += told.count("\n") + 3
        click.echo(f"\n{told}\n")


class PlainLog:
    """Prints the log as it grows; the events before the start form one paragraph."""

    def __init__(self, table: GameTable, sheet: Sheet) -> None:
        self._table = table
        self._sheet = sheet
        self._told = 0

    def tell(self) -> None:
        """Print new lines."""
        self._told = min(self._told, len(self._table.log))
        new = self._table.log[self._told :]
        self._told += len(new)
        for is_setup, some in groupby(new, lambda one: one.is_setup):
            texts = [text for one in some for text in one.lines]
            for text in [" · ".join(texts)] if is_setup else counted(texts):
                self._sheet.put(text, indent=4)

    def while_it(self, takes: Callable[[], T]) -> T:
        """Make a call that may take long, and print new lines of the log in the meantime.

        Return the call's result, or raise its error.
        """
        answer: Future[T] = Future()

        def ask() -> None:
            try:
                answer.set_result(takes())
            except BaseException as error:  # noqa: BLE001 - whoever waits is told
                answer.set_exception(error)

        # The thread is a daemon, so that the program can end during the call.
        Thread(target=ask, daemon=True).start()
        while not wait([answer], LOOK_SECONDS).done:
            self.tell()
        return answer.result()


def counted(texts: Iterable[str]) -> Iterator[str]:
    """Yield the texts; each run of equal texts becomes one text with its count."""
    for text, same in groupby(texts):
        times = sum(1 for _ in same)
        yield text if times == 1 else f"{times} × {text}"


def tell_result(table: GameTable, result: JsonObject, resigned: Collection[Seat] | None) -> None:
    """Print why the game ended, and the standings with the parts of each score."""
    for text in words.result_lines(table.ruleset, result, table.language, resigned):
        _print(text, indent=5)


def _answer(
    table: GameTable,
    position: GameView,
    log: PlainLog,
    sheet: Sheet,
    answers: dict[str, JsonObject],
) -> None:
    """Ask for a move and play it, or take back the last one; print the reason if it is refused.

    ``answers`` has the last answer to each kind of question.
    """
    assert position.legal is not None  # noqa: S101 - asked for the seat's answer alone
    sheet.board(table, position, position.asked)
    question = Question(table, position, sheet, answers.get(position.question))
    index = question.ask()
    move = None if index is None else position.legal.moves[index]
    sheet.begin()
    try:
        log.while_it(lambda: table.take_back() if move is None else table.play(move))
    except MoveRefusedError as error:
        sheet.put(say(table.language, "refused", why=error))
    else:
        if move is not None:
            answers[position.question] = move


class Question:
    """One decision, asked line by line."""

    def __init__(
        self, table: GameTable, position: GameView, sheet: Sheet, last: JsonObject | None
    ) -> None:
        """Begin a question; ``last`` is the previous answer to the same question."""
        assert position.legal is not None  # noqa: S101 - as above
        self._table = table
        self._position = position
        self._sheet = sheet
        self._legal = position.legal
        self._choosing = MoveChoice(position.legal, last)
        self._options: Sequence[Option] = ()
        self._shown = 0
        self._searched = False
        """Whether the list shows the results of a search, not the options of the step."""

    def ask(self) -> int | None:
        """Return the index of the chosen move; None takes back the last one. Raises click.Abort."""
        self._ask_step()
        while True:
            typed = click.prompt(self._say("prompt"), default="", show_default=False).strip()
            self._sheet.begin()
            if typed.lower() in UNDO:
                if self._position.ways_back:
                    return None
                self._sheet.put(about_taking_back(self._table))
                continue
            option = self._read(typed)
            if option is None:
                continue
            if option.amounts is not None:
                self._sheet.put(self._say("type_amount", amounts=option.label))
                ends = (option.amounts[0], option.amounts[-1])
                self._list([one for end in ends for one in self._choosing.amounts(end)])
                continue
            if option.move is not None:
                return option.move
            self._choosing.take(option)
            move = self._choosing.step().move
            if move is not None:
                return move
            self._ask_step()

    def _read(self, typed: str) -> Option | None:
        """Return the option that a typed line picks.

        Return None if the line picks no option. Then it was a command, which this method has
        carried out, or a text that names no option.
        """
        word = typed.lower()
        if word in QUIT:
            raise click.Abort
        if not typed:
            self._page()
        elif word == "b":
            self._sheet.board(self._table, self._position)
        elif word in HINT:
            self._hint()
        elif word in BACK:
            if self._choosing.take_back() or self._searched:
                self._ask_step()
        elif typed.startswith("?"):
            self._explain(typed[1:].strip())
        elif typed.removeprefix(PLACE).isdecimal():
            return self._numbered(int(typed.removeprefix(PLACE)), place=typed.startswith(PLACE))
        else:
            return self._found(typed.removeprefix("/"))
        return None

    def _numbered(self, number: int, *, place: bool) -> Option | None:
        """Return the option that the player means by a number, or None.

        The first of these rules that applies decides:

        1. If ``place`` is true, the number is a position in the list of options. The player has
           then typed PLACE before the number.
        2. If the list has the options that fit the player's last word or amount, the number is a
           position in this list, unless the list is too short.
        3. If one option has this number as its amount, return this option. If several options
           have it, list these options, and return None.
        4. Otherwise the number is a position in the list.

        If the list has no such position, say so to the player, and return None.
        """
        there = self._options[number - 1] if 1 <= number <= len(self._options) else None
        amounts = [] if place or (self._searched and there) else self._choosing.amounts(number)
        if len(amounts) > 1:
            self._list(amounts)
            return None
        if amounts:
            return amounts[0]
        if there is not None:
            return there
        self._sheet.put(self._say("what", typed=number, last=len(self._options)))
        return None

    def _found(self, typed: str) -> Option | None:
        """Return the option that matches the typed words.

        If several options match, list them, and return None. If none matches, say so to the player,
        and return None.
        """
        found = self._choosing.find(typed)
        if len(found) == 1:
            return found[0]
        if not found:
            unknown = (
                self._say("never_before") if typed == AGAIN else self._say("none", typed=typed)
            )
            self._sheet.put(unknown)
            return None
        self._list(found)
        return None

    def _list(self, found: Sequence[Option]) -> None:
        """List the options ``found``, which fit the word or the amount that the player typed."""
        self._options, self._shown, self._searched = found, 0, True
        self._page()

    def _ask_step(self) -> None:
        step = self._choosing.step()
        ruleset, seat = self._table.ruleset, self._position.seat
        who = "" if seat is None else words.seat_text(ruleset, seat, self._table.language)
        steps = path(self._position.asked, self._choosing, step)
        self._sheet.put(f"{who}: {' › '.join(steps)}", indent=4)
        self._options, self._shown, self._searched = step.options, 0, False
        self._page()
        self._sheet.put(self._say("plain_keys"), indent=2)
        if ways := self._position.ways_back:
            self._sheet.put(self._say("plain_undo", count=len(ways)), indent=2)

    def _page(self) -> None:
        """Show the next page of the list."""
        if self._shown >= len(self._options):
            self._shown = 0
        page = self._options[self._shown : self._shown + self._at_once()]
        for place, option in enumerate(page, self._shown + 1):
            self._sheet.put(f"{PLACE + str(place):>4}  {self._text(option)}", indent=6)
        self._shown += len(page)
        left = len(self._options) - self._shown
        if left:
            self._sheet.put(self._say("more", count=left))

    def _at_once(self) -> int:
        """Return the number of options to show on the next page.

        The number is chosen so that the last page has more than one option.
        """
        left = len(self._options) - self._shown
        # The keys and the input take a line each, and how to take back another one.
        room = self._sheet.room - 2 - bool(self._position.ways_back)
        if room <= FEW or min(left, PAGE) <= room:
            return PAGE
        return room - 1

    def _text(self, option: Option) -> str:
        if option.amounts is not None:
            return self._say("type_amount", amounts=option.label)
        if option.move is not None:
            return option.label
        return f"{option.label} ({self._say('ways', count=option.ways)})"

    def _explain(self, typed: str) -> None:
        """Explain an option, or the whole question."""
        number = typed.removeprefix(PLACE)
        if number.isdecimal() and 1 <= int(number) <= len(self._options):
            option = self._options[int(number) - 1]
            if option.move is None:
                self._sheet.put(option.help)
                return
            told = self._table.preview(self._legal.moves[option.move])
            for text in told or [self._say("nothing_else")]:
                self._sheet.put(f"  {text}", indent=4)
            return
        for text in explained(self._table.ruleset, self._table.language, self._position):
            for paragraph in text.splitlines():
                self._sheet.put(paragraph, indent=2 if paragraph.startswith("- ") else 0)

    def _hint(self) -> None:
        """Print what a bot would do, or why there is no hint."""
        self._sheet.put(self._say("hint_asks", who=called(BOT)))
        try:
            told = self._table.hint()
        except MoveRefusedError as error:
            told = [str(error)]
        for text in told:
            self._sheet.put(text, indent=2)

    def _say(self, key: str, **values: object) -> str:
        return say(self._table.language, key, **values)


def _print(text: str, indent: int = 0) -> int:
    """Print a text, wrapped at the screen's width; return the number of lines."""
    lines = textwrap.wrap(
        text, COLUMNS, subsequent_indent=" " * indent, break_on_hyphens=False,
        drop_whitespace=True, replace_whitespace=False,
    )  # fmt: skip
    for line in lines or [""]:
        click.echo(line)
    return max(1, len(lines))
