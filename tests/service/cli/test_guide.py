"""``lonja guide``: the wheel contains the guide for authors of games."""

from laws.book import LAWS
from service.cli import guide
from tests.running import ROOT
from tests.service.cli.conftest import Lonja

PAGE = ROOT / "docs" / "games.md"


def test_the_guide_is_printed_whole_or_by_section(lonja: Lonja) -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert lonja("guide").output.rstrip() == text.rstrip()
    assert lonja("guide", "--path").output == f"{PAGE}\n"
    sections = [lonja("guide", number).output.rstrip() for number in range(1, 12)]
    assert text.rstrip().endswith("\n\n".join(sections))


def test_the_section_that_a_broken_law_names_is_printed(lonja: Lonja) -> None:
    for section in {law.section for law in LAWS.values()}:
        command = guide.command_of(section).split("`")[1]
        assert lonja(*command.split()[1:]).output.startswith(f"## {section}\n")


def test_a_section_that_there_is_not_is_told(lonja: Lonja) -> None:
    result = lonja("guide", 12)
    assert result.exit_code == 2
    assert "The guide has no section 12, but 1 to 11." in result.stderr
