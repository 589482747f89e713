"""Texts of strangers cannot control the terminal of a reader."""

import re
import sys
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.console import Console

from rules.kernel.canonical import JsonObject
from service.cli import console
from service.cli.tournament import words
from service.process.terminal import printable
from service.records.game_file import Record
from tests.service.cli import records
from tests.service.cli.conftest import Lonja
from tests.service.process.test_logs import HOSTILE, RAW


def test_printable_text_is_left_alone() -> None:
    for text in ("", "Ana", "Año 1—2 × rum", "日本\u00a0語"):
        assert printable(text) is text or text.count("\u00a0")
        assert printable(text) == text
    assert printable(HOSTILE).startswith("a\\x1b[31m\\x9b2J\\x7f\\r\\n2026")
    assert printable("a\nb\tc", kept="\n") == "a\nb\\tc"


NAMES = ("greedy", "日本語の名前", f"careful [red]long name[/] of a bot {HOSTILE}")


def report() -> JsonObject:
    """A report whose table has all columns."""
    rows = [
        {
            "place": place, "entry": name, "disqualified": place == 12, "games": 120, "wins": 92.0,
            "points": 92.5, "points_per_game": 0.767, "points_band": [0.712, 0.822],
            "ranks": [100, 20], "mean_score": 212.8, "elo": 1886.0, "elo_band": [1790.0, 1990.0],
            "failures": 3,
        }
        for place, name in enumerate(NAMES, 10)
    ]  # fmt: skip
    return {"table": rows, "measured": {"cpu_seconds": dict.fromkeys(NAMES, 10.4)}}


def test_a_table_has_the_owners_of_entries() -> None:
    found = report()
    first, second, _third = found["table"]
    first["owner"], second["owner"] = "p-bea", "p-gone"
    screen = Console(file=StringIO(), width=200, color_system=None)
    with screen.capture() as captured:
        screen.print(words.table({**found, "players": {"p-bea": "Bea", "p-gone": ""}}))
    head, *rows = captured.get().splitlines()
    assert head.split()[:3] == ["entry", "owner", "games"]
    assert rows[0].split()[1:4] == ["greedy", "Bea", "120"]
    assert rows[1].split()[2:4] == ["p-gone", "120"], "the name was erased"


NUMBERS = [
    "120",
    "92.5",
    "0.767",
    "0.712",
    "to",
    "0.822",
    "92.0",
    "1.17",
    "212.8",
    "1886",
    "1790",
    "to",
    "1990",
    "3",
    "10.4",
]


def test_a_pipe_gets_the_whole_table_and_nothing_else(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("FORCE_COLOR", "1")
    console.show(words.table(report()))
    told = capsys.readouterr().out
    assert not RAW.search(told.replace("\n", ""))
    head, *rows = told.splitlines()
    assert head.split()[:3] == ["entry", "games", "points"]
    for place, (name, row) in enumerate(zip(NAMES, rows, strict=True), 10):
        assert row.startswith(f"{place}.  {printable(name)}")
        assert row.split()[-len(NUMBERS) :] == NUMBERS


@pytest.mark.parametrize("width", [40, 60, 80, 120, 200])
def test_a_terminal_gets_what_it_has_room_for(width: int) -> None:
    """Names are wrapped and columns left out, but every number is complete."""
    screen = Console(file=StringIO(), width=width, color_system=None)
    with screen.capture() as captured:
        screen.print(words.table(report()))
    lines = captured.get().splitlines()
    assert all(cell_len(line) <= width for line in lines)
    assert not RAW.search("".join(lines))
    head = lines[0].split()
    assert {"entry", "games", "points"} <= {*head}
    assert ("CPU" in head) == (width == 200)
    for line in (line for line in lines if re.match(r"\d+\. ", line)):
        assert [word for word in line.split() if word in NUMBERS][:2] == NUMBERS[:2]
        assert "…" not in line


def test_a_bar_is_labelled_by_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bar is drawn only on a terminal, and respects NO_COLOR."""
    drawn = StringIO()
    monkeypatch.setattr(sys, "stderr", drawn)
    with console.progress() as bars:
        list(bars.track([1, 2], description="unwatched"))
    assert drawn.getvalue() == ""
    monkeypatch.setattr(drawn, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1")
    with console.progress(auto_refresh=False) as bars:
        list(bars.track([1, 2], description=f"[bold]a[/] {HOSTILE}"))
    assert f"[bold]a[/] {printable(HOSTILE)}"[:20] in drawn.getvalue()
    assert "2/2" in drawn.getvalue()
    assert not re.search("\x1b\\[[0-9;]*m", drawn.getvalue())


@pytest.mark.parametrize("command", ["verify", "replay"])
def test_a_file_of_somebody_else(
    lonja: Lonja, write: Callable[[Record, str], Path], tmp_path: Path, command: str
) -> None:
    name = "\x1b[31m\x9b\r.ndjson"
    whole = write(records.finished("sealed"), name)
    broken = tmp_path / f"broken{name}"
    text = whole.read_text(encoding="utf-8").replace("created", "\u202e\x9b", 1)
    broken.write_text(text, encoding="utf-8")
    for files in ([whole], [broken], [whole, broken], [tmp_path / f"nowhere{name}"]):
        if command == "replay" and len(files) > 1:
            continue
        told = lonja(command, *files)
        assert told.output
        assert not RAW.search(told.output), told.output
