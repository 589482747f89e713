"""The committed figures: the page shows all of them, and a new run comes before earlier ones."""

import ast
import re
from pathlib import Path

import pytest

from tools import numbers
from tools.numbers import Figure


def test_the_page_has_each_figure_of_the_data() -> None:
    page = (numbers.ROOT / "docs/numbers.md").read_text(encoding="utf-8")
    assert len(numbers.figures()) > 40
    for each in numbers.figures():
        assert f"| {each.name} | {each.bound or 'none'} | {each.measured} |\n" in page


def test_each_figure_of_the_data_is_one_that_the_bench_measures() -> None:
    told: list[str] = []
    for path in (numbers.ROOT / "tools/bench").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                told.append(re.escape(node.value))
            if isinstance(node, ast.JoinedStr):
                parts = [p.value if isinstance(p, ast.Constant) else None for p in node.values]
                told.append("".join(".+" if p is None else re.escape(str(p)) for p in parts))
    patterns = [re.compile(each) for each in told if len(each) > len(", median")]
    for each in numbers.figures():
        assert any(pattern.fullmatch(each.name) for pattern in patterns), each.name


def test_guides_quote_the_memory_of_an_event_that_was_measured() -> None:
    measured = [each.values[0] for each in numbers.figures() if each.name.startswith("bytes ")]
    for page in ("docs/operations.md", "deploy/README.md"):
        text = (numbers.ROOT / page).read_text(encoding="utf-8")
        quoted = re.findall(r"some (\d+) bytes(?: an event| for each\s+event)", text)
        assert quoted, page
        for each in quoted:
            assert min(measured) <= float(each) <= max(measured), (page, each)


def test_a_run_goes_before_the_earlier_ones(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(numbers, "DATA", tmp_path / "numbers.json")
    numbers.DATA.write_text('[{"name":"a","bound":"at most 4","values":[2.0,1.0]}]')
    numbers.add([("b", "", 0.12345), ("a", "at most 5", 2.4999)])
    assert numbers.figures() == [
        Figure("a", "at most 5", (2.5, 2.0, 1.0)),
        Figure("b", "", (0.123,)),
    ]
    assert [row[2] for row in numbers.table()] == ["2.5, in other runs 1 to 2", "0.123"]
    numbers.add([("a", "at most 5", number) for number in range(10)])
    assert len(numbers.figures()[0].values) == numbers.RUNS


def test_the_plot_marks_a_missed_bound() -> None:
    kept, missed = Figure("a", "at least 2", (3.0,)), Figure("b", "at most 1,000", (2000.0,))
    assert kept.reserves == [1.5]
    assert missed.reserves == [0.5]
    for figure, kind in ((kept, "kept"), (missed, "missed")):
        assert f'<circle class="{kind}"' in numbers.plot([figure])


def test_games_share_a_row() -> None:
    figures = [Figure(f"speed: {game}", "at least 1", (2.0,)) for game in ("Ragusa", "Macao")]
    assert numbers.plot(figures).count(">speed<") == 1
    assert numbers.plot(figures[:1]).count(">speed: Ragusa<") == 1
