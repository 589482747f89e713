"""The real program in a pseudo-terminal, with its screen."""

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pexpect
import pyte

from rules.kernel.contract.drawing import Drawing, Line, text_of
from rules.kernel.contract.registry import Registry
from rules.kernel.contract.seats import Seat
from rules.kernel.record.events import Event
from rules.kernel.record.game import Game
from service.cli.terminal.saves import BadSaveError, Save
from tests.service.cli.terminal.sights import squashed

LONJA = Path(sys.executable).with_name("lonja")
PATIENCE = 100
"""Maximum seconds for any step, on a busy machine."""
QUIET = 0.15
"""Seconds without output after which the program may be waiting for a key."""
SIZES = {"80x24": (80, 24), "60x20": (60, 20), "200x60": (200, 60)}

Size = tuple[int, int]
"""Columns and lines."""

ENTER, ESC, DOWN, TAB, CTRL_C, CTRL_Q = "\r", "\x1b", "\x1b[B", "\t", "\x03", "\x11"
EMPTY = "\x15"
"""Ctrl-U, which empties the input line."""


class Terminal:
    """A program and its screen."""

    def __init__(self, child: "pexpect.spawn[bytes]", columns: int, lines: int) -> None:
        self.child = child
        self.columns = columns
        self._screen = pyte.Screen(columns, lines)
        self._stream = pyte.ByteStream(self._screen)
        self.received = 0

    @property
    def lines(self) -> list[str]:
        """The lines on the screen now, without blanks at their ends."""
        return [one.rstrip() for one in self._screen.display]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    @property
    def words(self) -> str:
        """The whole text on the screen, without line breaks."""
        return " ".join(" ".join(self.lines).split())

    @property
    def colours(self) -> set[str]:
        """All colours on the screen, of foreground and background."""
        cells = [cell for row in self._screen.buffer.values() for cell in row.values()]
        return {cell.fg for cell in cells} | {cell.bg for cell in cells}

    def press(self, keys: str) -> None:
        self.child.send(keys)

    def listen(self, seconds: float = QUIET) -> bool:
        """Read the program's output; return False if there was none for this time."""
        try:
            written = self.child.read_nonblocking(65_536, seconds)
        except pexpect.TIMEOUT:
            return False
        except pexpect.EOF:
            return False
        self.received += len(written)
        self._stream.feed(written)
        return True

    def until(self, condition: Callable[[], bool], what: str = "") -> None:
        """Wait for a condition of the screen."""
        ends = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < ends, f"{what} never came:\n{self.text}"
            if not self.listen() and not self.child.isalive() and not self.listen(0):
                assert condition(), f"it ended without {what}:\n{self.text}"

    def shows(self, text: str) -> None:
        """Wait until a text is on the screen."""
        self.until(lambda: text in self.text, repr(text))

    def tells(self, text: str) -> None:
        """Wait until a text is on the screen, perhaps over several lines."""
        self.until(lambda: text in self.words, repr(text))

    def end(self) -> int:
        """Wait for the end of the program; return its exit status."""
        while self.child.isalive():
            self.listen()
        while self.listen(0):
            pass
        self.child.close()
        status = self.child.exitstatus
        assert status is not None, f"signal {self.child.signalstatus}: {self.text}"
        return int(status)


def _heed_ctrl_c() -> None:
    """Restore the default handling of Ctrl-C, which a child of a background job ignores."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@contextmanager
def lonja(
    *args: str, folder: Path, size: str | Size = "80x24", env: Mapping[str, str] = {}
) -> Iterator[Terminal]:
    """Run ``lonja`` in a new terminal, with its games and its store in ``folder``."""
    columns, lines = SIZES[size] if isinstance(size, str) else size
    left_out = ("NO_COLOR", "COLUMNS", "LINES", "REDIS_URL")
    usual = {
        name: value
        for name, value in os.environ.items()
        if name not in left_out and not name.startswith("LONJA_")
    }
    own = {
        "TERM": "xterm-256color",
        "COLORTERM": "truecolor",
        "LONJA_GAMES_DIR": str(folder),
        "LONJA_DATA_DIR": str(folder / "var"),
    }
    child: pexpect.spawn[bytes] = pexpect.spawn(
        str(LONJA),
        [*args],
        dimensions=(lines, columns),
        env={**usual, **own, **env},
        timeout=PATIENCE,
        preexec_fn=_heed_ctrl_c,
    )
    try:
        yield Terminal(child, columns, lines)
    finally:
        try:
            child.close(force=True)
        except pexpect.ExceptionPexpect:
            child.wait()  # it was killed, and needs some time to end


class Record:
    """A saved game, folded from its file."""

    def __init__(self, path: Path, registry: Registry) -> None:
        self._save = Save(path)
        self._registry = registry
        self._size = -1
        self.game: Game
        self.events: list[Event]
        self.read()

    def read(self) -> Game:
        """Return the present game, without a batch that is being written."""
        size = self._save.path.stat().st_size
        if size != self._size:
            try:
                local = self._save.read(self._registry).local
            except BadSaveError:
                if self._size < 0:
                    raise
                return self.game  # the next read finds the whole batch
            self.game, self.events = local.game, local.events
            self._size = size
        return self.game

    def moves(self, seat: Seat) -> int:
        """Return the number of a seat's saved moves; other seats may move meanwhile."""
        self.read()
        return sum(event.by.get("seat") == seat for event in self.events)

    def drawing(self, seat: Seat, language: str, columns: int) -> Drawing:
        game = self.game
        return game.ruleset.draw(game.ruleset.view(game.state, seat), language, columns)


def stands(lines: tuple[Line, ...], shown: list[str]) -> bool:
    """Whether these lines are on a screen, one below the other and complete except for marks.

    The picked value and the number of choices may follow the last line.
    """
    *wanted, last = (squashed(text_of(line)) for line in lines)
    found = [squashed(line) for line in shown]
    return any(
        found[at - len(wanted) : at] == wanted and found[at].startswith(last)
        for at in range(len(wanted), len(found))
    )
