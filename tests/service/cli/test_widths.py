"""Commands in terminals of all widths: nothing smears, and Ctrl-C says how to come back."""

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pexpect
import pyte
import pytest

from service.records.game_file import Record
from tests.service.cli import records

LONJA = Path(sys.executable).with_name("lonja")
PATIENCE = 100
"""How many seconds anything may take, on a busy machine."""
LINES = 60


class Shown:
    """A command and the screen that it writes on."""

    def __init__(self, child: "pexpect.spawn[bytes]", columns: int) -> None:
        self.child = child
        self.columns = columns
        self._screen = pyte.Screen(columns, LINES)
        self._stream = pyte.ByteStream(self._screen)

    @property
    def lines(self) -> list[str]:
        return [line.rstrip() for line in self._screen.display]

    @property
    def text(self) -> str:
        """All that stands on the screen, whatever line it is on."""
        return " ".join(" ".join(self.lines).split())

    def shows(self, text: str) -> None:
        """Wait until a text stands on the screen."""
        ends = time.monotonic() + PATIENCE
        while text not in self.text:
            assert time.monotonic() < ends, f"{text!r} never came: {self.text}"
            assert self._listen(), f"it ended without {text!r}: {self.text}"

    def end(self) -> int:
        """Wait for the end; return the exit code."""
        while self._listen():
            pass
        self.child.close()
        assert self.child.exitstatus is not None, self.text
        return int(self.child.exitstatus)

    def _listen(self) -> bool:
        try:
            self._stream.feed(self.child.read_nonblocking(65_536, 1))
        except pexpect.TIMEOUT:
            pass
        except pexpect.EOF:
            return False
        return True


def heed_ctrl_c() -> None:
    """Undo what a child inherits where the tests themselves run behind a shell."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@contextmanager
def shown(columns: int, folder: Path, *args: object) -> Iterator[Shown]:
    """Run ``lonja`` in a terminal of its own, with its store in ``folder``."""
    own = {"TERM": "xterm-256color", "LONJA_DATA_DIR": str(folder / "var")}
    usual = {name: value for name, value in os.environ.items() if name != "REDIS_URL"}
    child: pexpect.spawn[bytes] = pexpect.spawn(
        str(LONJA),
        [*map(str, args)],
        dimensions=(LINES, columns),
        env={**usual, **own, "COLUMNS": "133"},  # as a shell left it that ran in another terminal
        preexec_fn=heed_ctrl_c,
    )
    try:
        yield Shown(child, columns)
    finally:
        child.close(force=True)


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_a_tournament_that_nobody_watches_any_more(columns: int, tmp_path: Path) -> None:
    """Whatever was typed meanwhile, one table is left, and it says how to go on."""
    entrants = "random,an_entrant_with_a_long_name=random"
    args = (
        "--ruleset",
        "santiago_de_cuba",
        "--entrants",
        entrants,
        "--games",
        4000,
        "--workers",
        1,
    )
    with shown(columns, tmp_path, "tournament", "run", *args, "--seed", "widths") as screen:
        screen.shows("Ctrl-C stops watching, and says how to come back.")
        screen.child.send("typed\r\r")
        screen.child.sendintr()
        screen.shows("goes on with it, and so does `lonja serve`.")
        assert screen.end() == 1
        assert screen.text.count("entry games points") == 1
        assert screen.text.count("1. ") == 2, screen.text  # who has not played shares the place
        for gone in ("━", "Ctrl-C", "typed", "^C", "0 of 4"):
            assert gone not in screen.text
        assert screen.text.count("`lonja tournament watch t") == 1


def test_random_play_that_somebody_stops(tmp_path: Path) -> None:
    args = ("simulate", "santiago_de_cuba", "--games", 1_000_000)
    with shown(40, tmp_path, *args) as screen:
        screen.shows("/1000000")
        screen.child.sendintr()
        screen.shows("the same command plays the same games again from the first.")
        assert screen.end() == 130
        assert "No invariant was violated." in screen.text


def test_checks_that_somebody_stops(write: Callable[[Record, str], Path], tmp_path: Path) -> None:
    """What was checked is told: the second record never comes."""
    whole = write(records.finished("santiago_de_cuba"), "whole.ndjson")
    with shown(40, tmp_path, "verify", whole, "-") as screen:
        screen.shows("1/2")
        screen.child.sendintr()
        screen.shows("the same command checks all of them again.")
        assert screen.end() == 130
        assert "1 proved" in screen.text
        assert "1 of 2 records are checked" in screen.text
        assert "Traceback" not in screen.text


def test_a_check_is_told_in_whole_words(
    write: Callable[[Record, str], Path], tmp_path: Path
) -> None:
    whole = write(records.finished("santiago_de_cuba"), "whole.ndjson")
    with shown(40, tmp_path, "verify", whole) as screen:
        assert screen.end() == 0
        assert "none was edited, moved or removed" in screen.text
        assert "Every check passed." in screen.lines


def test_a_worker_without_a_service(tmp_path: Path) -> None:
    with shown(40, tmp_path, "worker") as screen:
        assert screen.end() == 2
        assert "start one with `lonja serve`" in screen.text
