"""The game's RULINGS.md has exactly the rulings whose numbers code or tests cite."""

import re
from pathlib import Path

import pytest

from rules.registry import PACKAGES

ROOT = Path(__file__).parent.parent.parent
CITED = re.compile(r"\bR(\d+)\b|_r(\d+)(?=_)")
EXAMPLE = re.compile(r"def test_example_(\d+)_")
SECTION = re.compile(r"\(\d+\.\d+\)|section \d")


def code(package: str) -> str:
    """Return the Python source of a game and of its tests."""
    game = package.rpartition(".")[2]
    folders = [ROOT / "rules" / game, ROOT / "tests" / "rules" / game]
    return "\n".join(path.read_text() for folder in folders for path in folder.rglob("*.py"))


def listed(package: str, what: str) -> list[int]:
    text = (ROOT / package.replace(".", "/") / "RULINGS.md").read_text()
    return [int(number) for number in re.findall(rf"^- \*\*{what}(\d+)\*\* \S", text, re.MULTILINE)]


@pytest.mark.parametrize("package", PACKAGES)
def test_rulings_are_those_that_are_cited(package: str) -> None:
    cited = {int(one or other) for one, other in CITED.findall(code(package))}
    assert listed(package, "R") == sorted(cited)


@pytest.mark.parametrize("package", PACKAGES)
def test_examples_are_those_that_are_played(package: str) -> None:
    assert listed(package, "Example ") == sorted({int(n) for n in EXAMPLE.findall(code(package))})


@pytest.mark.parametrize("package", PACKAGES)
def test_nothing_else_is_cited_by_number(package: str) -> None:
    assert SECTION.findall(code(package)) == []
