"""The table of bots' strength: it continues where it was stopped, and marks games of other code."""

from pathlib import Path
from xml.etree import ElementTree as ET

import click
import orjson
import pytest

from tools import levels, plot
from tools.levels import REGISTRY, LevelGame, Row, Scores

ROW = Row(REGISTRY.find("plus_ultra"), 2, "greedy", "random", 3, 0.5)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(levels, "FOLDER", tmp_path)
    return tmp_path


def test_what_was_played_is_not_played_again(monkeypatch: pytest.MonkeyPatch) -> None:
    levels.play(ROW, anew=False, seconds=0)
    assert levels.read(ROW) == []
    with monkeypatch.context() as patched:
        patched.setattr(levels, "is_over", lambda _row, played: len(played) == 1)
        levels.play(ROW, anew=False, seconds=60)
    (first,) = levels.read(ROW)
    assert [game.points for game in first] == [game.points for game in levels.play_block(ROW, 1)]
    levels.play(ROW, anew=False, seconds=60)
    played = levels.read(ROW)
    assert played[0] == first
    assert levels.is_over(ROW, played)


def test_what_other_code_played_is_not_mixed_in(folder: Path) -> None:
    levels.play(ROW, anew=False, seconds=0)
    ROW.file.write_bytes(ROW.file.read_bytes().replace(b'"seats":2', b'"seats":3'))
    with pytest.raises(click.ClickException, match=f"{ROW.name}.ndjson: other code played it"):
        levels.play(ROW, anew=False, seconds=0)
    assert levels.verdict(ROW, []) == "open; earlier code"
    levels.play(ROW, anew=True, seconds=0)
    assert levels.is_of_this_code(ROW)
    assert [file.name for file in folder.iterdir()] == [f"{ROW.name}.ndjson"]


def test_what_other_code_played_counts_on_if_todays_comes_to_the_same() -> None:
    """For example if code became faster, but not if it decides or is set differently."""
    levels.play(ROW, anew=False, seconds=60)
    lines = ROW.file.read_bytes()
    code = ROW.head()["first"]["code"].encode()
    ROW.file.write_bytes(lines.replace(code, b"0" * 64))
    assert not levels.is_of_this_code(ROW)
    levels.confirm(ROW)
    assert ROW.file.read_bytes() == lines
    _, first, *_ = lines.splitlines()
    (_, decisions, *_), *_ = orjson.loads(first)
    for other, why in (
        (lines.replace(f",{decisions},".encode(), b",999,", 1), "plays otherwise"),
        (lines.replace(b'"seats":2', b'"seats":3'), "settings are others"),
    ):
        ROW.file.write_bytes(other)
        with pytest.raises(click.ClickException, match=why):
            levels.confirm(ROW)
        assert ROW.file.read_bytes() == other


@pytest.mark.parametrize(
    ("points", "blocks", "verdict"),
    [
        (1.0, 20, "above par"), (0.0, 20, "not above par by 0.05"), (0.5, 2, "open"),
        (0.5, ROW.blocks, "undecided"),
    ],
)  # fmt: skip
def test_a_row_says_what_was_decided(points: float, blocks: int, verdict: str) -> None:
    levels.play(ROW, anew=False, seconds=0)
    played = [[LevelGame(points, 9, 1.5, 80)] * 2] * blocks
    told = dict(zip(levels.HEAD, levels.cells(ROW, played), strict=True))
    assert told["points"] == f"{points:.3f}"
    assert told["test at 1 %"] == verdict
    assert bool(told["95 %"]) == (blocks >= 5)


def test_every_level_is_compared_with_those_below() -> None:
    pairs = {(row.first, row.others) for row in levels.rows()}
    assert pairs == {
        ("lookahead", "greedy"), ("search", "greedy"), ("search", "lookahead"),
        ("search-deep", "search"),
    }  # fmt: skip
    assert {row.seats for row in levels.rows() if row.first != "lookahead"} == {3}
    ragusa = [row.seats for row in levels.rows() if row.name.startswith("ragusa")]
    assert {2, 5} <= set(ragusa)


def test_thinking_is_shown_by_budget() -> None:
    """Each game has a row for each doubling; that of the usual budget is the other table's."""
    rows = levels.doublings(REGISTRY.find("manila"))
    budgets = [row.holder["settings"]["nodes"] for row in rows]
    assert budgets == [budgets[0] * 2**times for times in range(4)]
    assert [row.nodes for row in rows] == [budgets[0], 0, *budgets[2:]]
    assert {row.name for row in rows} <= {row.name for row in levels.rows()}
    for row, points in zip(rows[:3], ([0.5], [0.5, 1.0], []), strict=True):
        lines = [[list(LevelGame(each, 9, 1.5, 80))] * 3 for each in points]
        row.file.write_bytes(b"".join(orjson.dumps(line) + b"\n" for line in [{}, *lines]))
    ((game, found),) = levels.thinking().items()
    assert (game, found) == ("manila", [Scores(0.5, None, 1), Scores(0.75, 0.25, 2), None, None])
    assert [*map(str, found[:2])] == ["0.50 (1)", "0.75 ± 0.25 (2)"]
    assert levels.table()[0][:4] == ("manila", "3", "search", "lookahead")


def test_the_plot_of_thinking_shows_what_was_measured() -> None:
    """The plot has a point for each played budget, at its points, with the error if known."""
    found = {"manila": [Scores(0.5, None, 1), None, Scores(0.75, 0.05, 8), None]}
    drawn = ET.fromstring(plot.thinking(found))
    shown = {name: [each for each in drawn.iter() if each.get("class") == name]
             for name in ("point", "error", "par")}  # fmt: skip
    low, high = (float(each.attrib["cy"]) for each in shown["point"])
    (error,) = shown["error"]
    assert low == float(shown["par"][0].attrib["y1"])  # half of the points means equal strength
    top, bottom = float(error.attrib["y1"]), float(error.attrib["y2"])
    assert top < high < bottom < low
    assert bottom - top == pytest.approx((low - high) * 2 * 0.05 / 0.25, abs=0.2)
    words = "".join(drawn.itertext())
    assert "manila" in words
    assert "0.75 ± 0.05 (8)" in words
