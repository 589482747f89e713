"""With ``--sentences``, a run fails unless its tests produce each sentence of the verifiers.

Verifiers describe faults of a record in sentences: `lonja verify` with strings in its modules, the
verifier in TypeScript with the codes of `sentences.ts`. A sentence that no test produces may be
wrong, or be reported of honest records. This module reads both lists from the sources, so a new
sentence needs a test.
"""

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from rules.kernel.proof.verdicts import NotARecordError, Report
from service.records.game_file import RecordError

ROOT = Path(__file__).parents[1]
MODULES = (
    "rules/kernel/proof/outline.py", "rules/kernel/proof/reenact.py", "rules/kernel/proof/shape.py",
    "rules/kernel/proof/shapes.py", "rules/kernel/proof/verify.py", "service/records/checks.py",
    "service/records/game_file.py", "service/records/tournament_file.py",
    "service/tournaments/record/course_checks.py", "service/tournaments/record/game_checks.py",
    "service/tournaments/record/shapes.py", "service/tournaments/record/verify.py",
)  # fmt: skip
"""The modules with the failure messages of `lonja verify`."""

CODES = ROOT / "service/web/client/verify/sentences.ts"

TELLS = {
    "append", "contradiction", "Contradiction", "expect", "_expect", "fail", "_fail",
    "NotARecordError", "RecordError",
}  # fmt: skip
"""The functions and errors whose last argument is a sentence."""

TOO_LARGE = {"file_size"}
"""Codes that no test produces, because they need a file of 2 GiB."""

LONGEST, MOST = 2_000, 50
"""Maximum length of a failure, and number of failures of a check, that are compared."""


class Sentence(NamedTuple):
    """A sentence in the source: its place, and a pattern for it with any values."""

    where: str
    pattern: re.Pattern[str]


def of_python() -> list[Sentence]:
    """Return the sentences of `lonja verify`: all strings with a constant part."""
    return [
        Sentence(f"{module}:{node.lineno}", pattern)
        for module in MODULES
        for node in _told(ast.parse((ROOT / module).read_text()))
        if (pattern := _pattern(node)) is not None
    ]


def of_typescript() -> set[str]:
    """Return the codes of the sentences of the verifier in TypeScript."""
    return set(re.findall(r"^  (\w+): \[", CODES.read_text(), re.MULTILINE)) - TOO_LARGE


def _told(tree: ast.AST) -> Iterator[ast.expr]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _name(node.func) in TELLS and node.args:
            told = node.args[-1]
            if not (_name(node.func) == "append" and _is_note(node.func)):
                yield told
        elif isinstance(node, ast.FunctionDef) and "wrong" in node.name:
            yield from _returned(node)


def _returned(function: ast.FunctionDef) -> Iterator[ast.expr]:
    """Yield the strings that a function which describes faults returns or yields."""
    for node in ast.walk(function):
        if isinstance(node, ast.Return | ast.Yield) and node.value is not None:
            yield node.value


def _is_note(function: ast.expr) -> bool:
    """Whether a sentence is added to the notes, which are no faults."""
    return isinstance(function, ast.Attribute) and _name(function.value) == "notes"


def _name(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _pattern(node: ast.expr) -> re.Pattern[str] | None:
    parts = node.values if isinstance(node, ast.JoinedStr) else [node]
    told = [part.value if isinstance(part, ast.Constant) else None for part in parts]
    if not any(isinstance(text, str) and text.strip(" :.,") for text in told):
        return None
    known = (".*" if text is None else re.escape(str(text)) for text in told)
    return re.compile("".join(known), re.DOTALL)


class Raised:
    """The plugin; it has the sentences that this process and its children have not produced yet."""

    def __init__(self) -> None:
        self.sentences = {sentence.where: sentence.pattern for sentence in of_python()}
        self.codes = of_typescript()

    def text(self, told: str) -> None:
        """Note a sentence of `lonja verify`."""
        told = told[:LONGEST]
        raised = [where for where, pattern in self.sentences.items() if pattern.search(told)]
        for where in raised:
            del self.sentences[where]

    def report(self, report: Report) -> None:
        for check in report.checks:
            for failure in check.failures[:MOST]:
                self.text(failure)

    @property
    def missing(self) -> set[str]:
        """The sentences that no test produced."""
        return {*self.sentences, *(f"sentences.ts: {code}" for code in self.codes)}

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        output = getattr(session.config, "workeroutput", None)
        if output is not None:
            output["missing"] = sorted(self.missing)
        elif self.missing and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Keep only the sentences that another process of the run did not produce either."""
        if "missing" in getattr(node, "workeroutput", {}):
            left = set(node.workeroutput["missing"])
            self.sentences = {w: p for w, p in self.sentences.items() if w in left}
            self.codes = {code for code in self.codes if f"sentences.ts: {code}" in left}

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self.missing:
            terminalreporter.section("sentences of the verifiers that no test raises")
        for each in sorted(self.missing):
            terminalreporter.line(each)


_running: list[Raised] = []


def note_codes(codes: set[str]) -> None:
    """Note codes of the verifier in TypeScript."""
    for raised in _running:
        raised.codes -= codes


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--sentences",
        action="store_true",
        help="fail unless the tests raise each sentence that the verifiers have",
    )


def pytest_configure(config: pytest.Config) -> None:
    if not config.getoption("sentences"):
        return
    raised = Raised()
    _running.append(raised)
    config.pluginmanager.register(raised)
    _hear(raised)


def _hear(raised: Raised) -> None:
    """Intercept each report, and the error for each file that is not a record."""
    looked_at: Any = vars(Report)["ok"].fget

    def heard(report: Report) -> bool:
        raised.report(report)
        return bool(looked_at(report))

    Report.ok = property(heard)  # type: ignore[method-assign, assignment]  # for this run alone
    made = Report.__init__

    def reported(report: Report, *told: Any, **more: Any) -> None:
        made(report, *told, **more)
        raised.report(report)

    Report.__init__ = reported  # type: ignore[method-assign, assignment]  # for this run alone
    for error in (NotARecordError, RecordError):
        error.__init__ = _heard(error, raised)  # type: ignore[method-assign]  # for this run alone


def _heard(error: type[ValueError], raised: Raised) -> Callable[..., None]:
    made = error.__init__

    def init(self: ValueError, *told: object) -> None:
        made(self, *told)
        raised.text(str(self))

    return init
