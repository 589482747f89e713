"""Campaigns: named groups of tests that take minutes and continue where they were stopped.

``make campaign NAME=crashes`` runs the tests marked ``campaign("crashes")``. A test that passed on
a commit is not run again on it, so a campaign may be stopped and called again; at the end it prints
the command, the commit and the figures in a line for ``tests/campaigns.md``.

A test adds figures with ``record_property("kills", 20)``; they are added up over the campaign; of a
name that ends with *at least* or *at most*, the minimum or maximum counts.
"""

import json
import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypedDict

import pytest

JOURNALS = Path(__file__).parent.parent / ".campaigns"
"""The journals of passed tests: a folder for each commit, and in it a file for each campaign."""


Figure = Callable[[str, object], None]
"""The type of ``record_property``, which takes a name and a number."""


def left_to(campaign: str, values: Iterable[object], *kept: object) -> list[Any]:
    """Return the parameters of a test of which every run tries those ``kept``, a campaign the rest.

    Raises a ``ValueError`` if one of those kept is no value.
    """
    found = list(values)
    for each in kept:
        found.index(each)
    mark = pytest.mark.campaign(campaign)
    return [pytest.param(each, marks=() if each in kept else mark) for each in found]


class Passed(TypedDict):
    """A line of a journal: one test that passed."""

    test: str
    seconds: float
    figures: dict[str, float]


class Campaign:
    """The plugin that picks the tests of one campaign and keeps which of them passed."""

    def __init__(self, name: str, root: Path, *, notes: bool) -> None:
        self.name = name
        self.notes = notes
        """Whether this process keeps the journal."""
        self.commit = _git(root, "rev-parse", "--short", "HEAD")
        self.changed = bool(_git(root, "status", "--porcelain"))
        self.journal = JOURNALS / self.commit / name
        self.resumable = bool(self.commit) and not self.changed
        self.passed = _read(self.journal) if self.resumable else []
        self.earlier = len(self.passed)
        self.failed = self.skipped = 0

    @pytest.hookimpl(trylast=True)  # after the selection by marks
    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        done = {each["test"] for each in self.passed}
        kept = [item for item in items if self.owns(item) and item.nodeid not in done]
        config.hook.pytest_deselected(items=[item for item in items if item not in kept])
        items[:] = kept

    def owns(self, item: pytest.Item) -> bool:
        mark = item.get_closest_marker("campaign")
        return mark is not None and mark.args == (self.name,)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.failed += report.failed
        self.skipped += report.skipped
        if report.when != "call" or not report.passed:
            return
        figures = {str(name): float(str(value)) for name, value in report.user_properties}
        line = Passed(test=report.nodeid, seconds=round(report.duration, 3), figures=figures)
        self.passed.append(line)
        if not (self.resumable and self.notes):
            return
        self.journal.parent.mkdir(parents=True, exist_ok=True)
        with self.journal.open("a") as journal:
            journal.write(json.dumps(line) + "\n")

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if session.exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED and self.passed:
            session.exitstatus = pytest.ExitCode.OK  # all of them passed earlier

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        figures: dict[str, list[float]] = {}
        for each in self.passed:
            for name, value in each["figures"].items():
                figures.setdefault(name, []).append(value)
        told = [
            f"{len(self.passed)} passed",
            *([f"{self.failed} failed"] if self.failed else []),
            *([f"{self.skipped} skipped"] if self.skipped else []),
            *(f"{_counted(name)(values):,g} {name}" for name, values in sorted(figures.items())),
        ]
        commit = self.commit + (" and changes" if self.changed else "")
        seconds = sum(each["seconds"] for each in self.passed)
        terminalreporter.section(f"campaign {self.name}")
        if self.earlier:
            terminalreporter.line(f"{self.earlier} of these tests passed earlier on this commit")
        terminalreporter.line(
            f"| `make campaign NAME={self.name}` | {commit} | {', '.join(told)} | {seconds:,.0f} |"
        )


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--campaign", metavar="NAME", help="run what is marked campaign(NAME)")


def pytest_configure(config: pytest.Config) -> None:
    name = config.getoption("campaign")
    if name is None:
        return
    config.option.markexpr = "campaign"
    notes = not hasattr(config, "workerinput")  # workers of xdist report to it
    config.pluginmanager.register(Campaign(name, config.rootpath, notes=notes), "campaign")


def _counted(name: str) -> Callable[[list[float]], float]:
    """Return the total of the figures of that name."""
    if name.endswith("at least"):
        return min
    return max if name.endswith("at most") else sum


def _read(journal: Path) -> list[Passed]:
    if not journal.exists():
        return []
    return [json.loads(line) for line in journal.read_text().splitlines()]


def _git(root: Path, *command: str) -> str:
    """Return the output of Git; "" if this is no repository."""
    ran = subprocess.run(["git", "-C", root, *command], capture_output=True, text=True, check=False)
    return ran.stdout.strip()
