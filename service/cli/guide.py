"""``lonja guide``: prints the guide for authors of games."""

import re
from pathlib import Path

import click

from service.cli.common import Failure
from service.guides.arrangement import ROOT

PAGE = "games.md"
_HEADING = re.compile(r"^## (?=(\d+)\. )", re.MULTILINE)


@click.command("guide", short_help="Print the guide for authors of games.")
@click.argument("section", required=False, type=int)
@click.option(
    "--path",
    "only_path",
    is_flag=True,
    help="Print the path of the guide's file, to open it in an editor.",
)
def command(section: int | None, *, only_path: bool) -> None:
    """Print the guide for authors of games, or only the SECTION with this number.

    The guide builds a ruleset step by step. If a ruleset breaks a law, `lonja check` names the
    section that explains it.
    """
    page = find()
    if only_path:
        click.echo(page)
        return
    text = page.read_text(encoding="utf-8")
    click.echo_via_pager(text if section is None else section_of(text, section))


def find() -> Path:
    """Return the file of the guide. Raises Failure."""
    page = ROOT / "docs" / PAGE
    if not page.is_file():
        raise Failure(f"{page} is missing: install Lonja again.")
    return page


def section_of(text: str, number: int) -> str:
    """Return the section that has this number, with its heading. Raises Failure."""
    begins = {int(found[1]): found.start() for found in _HEADING.finditer(text)}
    if number not in begins:
        raise Failure(f"The guide has no section {number}, but 1 to {max(begins)}.")
    return text[begins[number] : begins.get(number + 1)]


def page_of(section: str) -> str:
    """Return a text for JSON output that names the guide's page and its section ``section``."""
    return f"docs/{PAGE}, {section}"


def command_of(section: str) -> str:
    """Return the command that prints a section."""
    return f"`lonja guide {section.partition('.')[0]}`, {section}"
