"""Commands in terminals of all widths: no remains of lines, and Ctrl-C tells how to resume."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from service.process.launcher import STOP_SECONDS
from service.records.game_file import Record
from tests.service.cli import records
from tests.service.cli.terminal.screens import CTRL_C, Terminal, lonja

LINES = 60


@contextmanager
def shown(columns: int, folder: Path, *args: object) -> Iterator[Terminal]:
    """Run ``lonja`` in this width; the environment has the width of another terminal."""
    wrong = {"COLUMNS": "133"}
    with lonja(*map(str, args), folder=folder, size=(columns, LINES), env=wrong) as screen:
        yield screen


@pytest.mark.parametrize(
    "columns", [40, *(pytest.param(n, marks=pytest.mark.campaign("terminal")) for n in (80, 200))]
)
def test_a_tournament_that_nobody_watches_any_more(columns: int, tmp_path: Path) -> None:
    """Whatever was typed meanwhile, one table remains, and the command tells how to go on."""
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
        screen.tells("Ctrl-C stops watching, and says how to come back.")
        screen.press("typed\r\r")
        screen.press(CTRL_C)
        screen.tells("Ctrl-C again ends them at once. Either way nothing is lost")
        screen.tells("goes on with it, and so does `lonja serve`.")
        assert screen.end() == 130
        assert screen.words.count("entry games points") == 1
        assert screen.words.count("1. ") == 2, screen.words  # no games: equal places
        for gone in ("━", "Ctrl-C stops", "typed", "^C", "0 of 4"):
            assert gone not in screen.words
        assert screen.words.count("`lonja tournament watch t") == 1


@pytest.mark.campaign("terminal")
@pytest.mark.timeout(300)
def test_a_tournament_whose_bots_think_long_is_ended_at_once(tmp_path: Path) -> None:
    """The command answers the first Ctrl-C while bots think, and the second one ends them."""
    entrants = "search-deep:nodes=1000000,search-deep:nodes=1000000"
    args = ("--ruleset", "santiago_de_cuba", "--entrants", entrants, "--games", 40, "--workers", 2)
    with shown(80, tmp_path, "tournament", "run", *args) as screen:
        screen.tells("Ctrl-C stops watching, and says how to come back.")
        screen.press(CTRL_C)
        screen.tells("Ctrl-C again ends them at once.")
        asked = time.monotonic()
        screen.press(CTRL_C)
        screen.tells("goes on with it, and so does `lonja serve`.")
        assert screen.end() == 130
        assert time.monotonic() - asked < STOP_SECONDS


@pytest.mark.parametrize("columns", [40, 60])
def test_random_play_that_somebody_stops(columns: int, tmp_path: Path) -> None:
    """The progress bar fills the line, and nothing of it remains."""
    args = ("simulate", "santiago_de_cuba", "--games", 1_000_000)
    with shown(columns, tmp_path, *args) as screen:
        screen.tells("/1000000")
        screen.press(CTRL_C)
        screen.tells("with this seed the same command plays the same games again from the first.")
        assert screen.end() == 130
        assert "No invariant was violated." in screen.words
        assert "Playing" not in screen.words


def test_checks_that_somebody_stops(write: Callable[[Record, str], Path], tmp_path: Path) -> None:
    """The command reports the checked records; the second record never arrives."""
    whole = write(records.finished("santiago_de_cuba"), "whole.ndjson")
    with shown(40, tmp_path, "verify", whole, "-") as screen:
        screen.tells("1/2")
        screen.press(CTRL_C)
        screen.tells("the same command checks all of them again.")
        assert screen.end() == 130
        assert "1 proved" in screen.words
        assert "1 of 2 records are checked" in screen.words
        assert "Traceback" not in screen.words


def test_a_check_is_told_in_whole_words(
    write: Callable[[Record, str], Path], tmp_path: Path
) -> None:
    whole = write(records.finished("santiago_de_cuba"), "whole.ndjson")
    with shown(40, tmp_path, "verify", whole) as screen:
        assert screen.end() == 0
        assert "none was edited, moved or removed" in screen.words
        assert "Every check passed." in screen.lines


def test_a_worker_without_a_service(tmp_path: Path) -> None:
    with shown(40, tmp_path, "worker") as screen:
        assert screen.end() == 2
        assert "start one with `lonja serve`" in screen.words
