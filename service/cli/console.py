"""Output by Rich: tables on the standard output, and progress on the standard error.

Texts of strangers are plain text, never markup, with control characters escaped. Colours and
progress are for terminals. In a pipe, a table is plain, and as wide as it needs to be.
"""

import os
import sys
import termios
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from typing import NamedTuple, TextIO

import click
from rich.console import (
    Console,
    ConsoleOptions,
    JustifyMethod,
    RenderableType,
    RenderResult,
)
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TaskProgressColumn,
    TimeRemainingColumn,
)
from rich.table import Table as Grid
from rich.text import Text

from service.process.terminal import printable

_ROOMY = 60
"""Minimum columns of a terminal with room for a progress bar."""
BEAT = 30.0
"""Seconds between lines of progress, if the output is not a terminal."""
UNCUT = 100_000
"""The width of the output, if it is not a terminal."""


_BYTES = ("B", "kB", "MB", "GB", "TB")


class Column(NamedTuple):
    """A column of a table: numbers, or texts. Texts may wrap at a third of the screen's width.

    Texts that are ``whole``, such as ids, never wrap.
    """

    head: str
    text: bool = False
    whole: bool = False
    # the order in which columns are left out if the terminal is too narrow; 0: never
    left_out: int = 0


class TextTable:
    """Rows below a head, for Rich to print."""

    def __init__(self, columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> None:
        self._columns = columns
        self._rows = rows

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        width = options.max_width
        most = max(column.left_out for column in self._columns)
        grids = [self._grid(left_out, width) for left_out in range(most + 1)]
        fitting = (g for g in grids if g.__rich_measure__(console, options).maximum <= width)
        yield next(fitting, grids[-1])

    def _grid(self, left_out: int, width: int) -> Grid:
        kept = [n for n, one in enumerate(self._columns) if not 0 < one.left_out <= left_out]
        grid = Grid(box=None, padding=(0, 2, 0, 0), pad_edge=False)
        for column in (self._columns[n] for n in kept):
            if column.text:
                grid.add_column(column.head, overflow="fold", max_width=width // 3)
            else:
                justify: JustifyMethod = "left" if column.whole else "right"
                grid.add_column(column.head, justify=justify, no_wrap=True)
        for row in self._rows:
            grid.add_row(*(Text(printable(row[n])) for n in kept))
        return grid


def say(told: str, *, err: bool = False) -> None:
    """Print a line; on a terminal it wraps between words, with a hanging indent."""
    stream = sys.stderr if err else sys.stdout
    shown = printable(told)
    if not stream.isatty():
        click.echo(shown, err=err)
        return
    words = shown.lstrip(" ")
    indent = len(shown) - len(words)
    screen = _screen(stream)
    lines = Text(words).wrap(screen, max(screen.width - indent - 2, 1))
    for number, line in enumerate(lines):
        click.echo(" " * (indent + 2 * (number > 0)) + line.plain, err=err)


def show(what: RenderableType, *, err: bool = False) -> None:
    """Print something without colours: in the terminal's width, or in a pipe at full width."""
    stream = sys.stderr if err else sys.stdout
    pipe = Console(file=stream, width=UNCUT, color_system=None)
    screen = _screen(stream) if stream.isatty() else pipe
    screen.print(what)


def size(number: float) -> str:
    """Return a number of bytes in words, with three digits."""
    for unit in _BYTES[:-1]:
        if number < 1000:
            return f"{number:.3g} {unit}"
        number /= 1000
    return f"{number:.3g} {_BYTES[-1]}"


def watcher() -> Console:
    """Return Rich's console on the standard error; it is interactive if that is a terminal."""
    if sys.stderr.isatty():
        return Console(file=sys.stderr, force_terminal=True, _environ=_environment())
    return Console(file=sys.stderr, force_terminal=False)


def _screen(stream: TextIO) -> Console:
    return Console(file=stream, color_system=None, _environ=_environment())


def _environment() -> Mapping[str, str]:
    """Return the environment without the size of a terminal: the terminal knows its own."""
    return {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}


@contextmanager
def unechoed() -> Iterator[None]:
    """Turn off the echo of typed characters and of ``^C``; Ctrl-C still interrupts."""
    if not sys.stdin.isatty():
        yield
        return
    # A duplicate of the descriptor, because a command may read the standard input to its end.
    terminal = os.dup(sys.stdin.fileno())
    usual = termios.tcgetattr(terminal)
    quiet = [*usual[:3], usual[3] & ~termios.ECHO, *usual[4:]]
    termios.tcsetattr(terminal, termios.TCSADRAIN, quiet)
    try:
        yield
    finally:
        termios.tcsetattr(terminal, termios.TCSAFLUSH, usual)
        os.close(terminal)


@contextmanager
def progress(*, auto_refresh: bool = True) -> Iterator[Progress]:
    """Show progress on a terminal, until the context ends.

    If ``auto_refresh`` is false, no thread draws. A caller that forks while the progress is shown
    must set it to false. Stop the progress before anything else is written to the standard output,
    because that may be the same terminal.
    """
    console = watcher()
    columns = [_Label(), BarColumn(), TaskProgressColumn(), MofNCompleteColumn()]
    if console.width < _ROOMY:
        columns = [_Label(), MofNCompleteColumn()]
    bars = Progress(
        *columns,
        TimeRemainingColumn(),
        console=console,
        auto_refresh=auto_refresh,
        transient=True,
        redirect_stdout=False,
        disable=not console.is_interactive,
    )
    # An echoed ``^C`` would break a line that fills the width.
    with nullcontext() if bars.disable else unechoed():
        try:  # Ctrl-C may come while the bars start
            bars.start()
            yield bars
        finally:
            bars.stop()


class Pulse:
    """Prints a line of progress now and then, if the standard error is no terminal."""

    def __init__(self, label: str, total: int) -> None:
        self._label = label
        self._total = total
        self._done = 0
        self._told = time.monotonic()

    def beat(self, *, done: int = 1) -> None:
        """Add ``done`` to the number of finished items, and print a line if it is time."""
        self._done += done
        if not sys.stderr.isatty() and time.monotonic() - self._told >= BEAT:
            self._told = time.monotonic()
            say(f"{self._label}: {self._done} of {self._total}", err=True)


class _Label(ProgressColumn):
    def render(self, task: Task) -> Text:
        return Text(printable(task.description), no_wrap=True, overflow="ellipsis")
