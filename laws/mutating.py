"""Reports which laws, and which tests of an author, notice a mutant.

    python -m laws.mutating PACKAGE MUTANT LAWS TEST_SECONDS [TESTS…]

A process examines one mutant, and prints one JSON object. PACKAGE is the package of the ruleset.
MUTANT is the name of a mutant; if it is "", the tests run on the unchanged package. LAWS are names
of laws, separated by commas. TEST_SECONDS is the processor time that the tests may take, and TESTS
are arguments for pytest.
"""

import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from importlib import import_module
from typing import Any

import orjson

from laws.book import LAWS
from laws.games import Subject, raised, random_game
from laws.judging import hold, judge_game
from laws.law import Breach, Law, Scope
from laws.mutants import UnfitRulesetError, put_into
from laws.tables import default_tables
from rules.kernel.canonical import JsonObject
from rules.kernel.contract.ruleset import Ruleset

SECONDS = 8.0
"""Processor time for the laws of one mutant; laws that would notice it later are not reported."""
MORE = 5.0
"""Processor time in which further laws may notice a mutant, after the first law has noticed it."""
SEEDS = (1, 3, 2)
"""Seeds of the games. The first matters most, because some laws examine only that game; seed 3 is
there for its resignations.
"""


class OutOfTime(KeyboardInterrupt):
    """The processor time is used up; like Ctrl-C, this ends pytest and fails no test or law."""


@contextmanager
def limited(seconds: float) -> Iterator[list[float]]:
    """Interrupt the code in this context after ``seconds`` of processor time.

    It yields a list, which is empty unless the code was interrupted.
    """
    ended: list[float] = []

    def end(*_signal: object) -> None:
        ended.append(seconds)
        raise OutOfTime

    usual = signal.signal(signal.SIGPROF, end)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield ended
    except OutOfTime:
        pass
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, usual)


def noticing(ruleset: Ruleset[Any], mutant: str, names: Sequence[str]) -> tuple[JsonObject, bool]:
    """Return the laws that notice a mutant, each with its message, and whether time ran out."""
    found: JsonObject = {}
    laws = [_noting(LAWS[name], found) for name in names]
    by_game = [law for law in laws if law.scope is not Scope.RULESET]
    of_rulesets = [law for law in laws if law.scope is Scope.RULESET]
    with limited(SECONDS) as ended:
        tables = default_tables(ruleset)
        subject = Subject(ruleset, SEEDS[:1], tables, mutant=mutant)
        for seed in SEEDS:
            for table in tables:
                left = [law for law in by_game if law.name not in found]
                judge_game(random_game(table, seed), left)
        for law in sorted(of_rulesets, key=lambda law: law.name == "processes_agree"):
            hold(law, subject)  # the law that starts processes comes last
    return found, bool(ended) and not found


def _noting(law: Law, found: JsonObject) -> Law:
    """Return the law with a check that notes a failure at once, in case the time runs out later."""

    def check(against: Any) -> None:
        try:
            law.check(against)
        except Breach as breach:
            note(str(breach))
            raise
        except Exception as error:
            note(raised(error))
            raise

    def note(told: str) -> None:
        if not found and signal.getitimer(signal.ITIMER_PROF)[0] > MORE:
            signal.setitimer(signal.ITIMER_PROF, MORE)
        found.setdefault(law.name, told)

    return replace(law, check=check)


class _FailedTests:
    """A plugin of pytest that collects the tests that fail."""

    def __init__(self) -> None:
        self.tests: list[str] = []

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed and report.nodeid not in self.tests:
            self.tests.append(report.nodeid)

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed:
            self.tests.append(report.nodeid)


def failing(tests: Sequence[str], seconds: float) -> JsonObject:
    """Run tests with pytest; return the failed tests, the exit code, and the processor time."""
    failed, code = _FailedTests(), 0
    pytest = import_module("pytest")
    began = time.process_time()
    with limited(seconds) as ended:
        code = int(pytest.main(["-q", "-p", "no:cacheprovider", *tests], plugins=[failed]))
    taken = time.process_time() - began
    return {"tests": failed.tests, "code": code, "seconds": taken, "late": bool(ended)}


def noticed(package: str, mutant: str, laws: str, seconds: str, tests: Sequence[str]) -> JsonObject:
    """Put a mutant into a package, and return the laws and tests that notice it.

    If ``mutant`` is empty, return the result of the tests on the unchanged package.
    """
    ruleset = import_module(package).RULESET
    if not mutant:
        return failing(tests, float(seconds))
    try:
        put_into(ruleset, mutant)
    except UnfitRulesetError as unfit:
        return {"unfit": str(unfit)}
    failed = failing(tests, float(seconds)) if tests else {"tests": [], "late": False}
    found, late = noticing(ruleset, mutant, laws.split(","))
    out_of_time = [who for who, ran in (("laws", late), ("tests", failed["late"])) if ran]
    return {"laws": found, "tests": failed["tests"], "out_of_time": out_of_time}


def main() -> None:
    """Put a mutant into a package, and print what notices it."""
    package, mutant, laws, seconds, *tests = sys.argv[1:]
    # Only the answer goes to the standard output, so pytest gets another one.
    sys.stdout, out = sys.stderr, sys.stdout
    out.write(orjson.dumps(noticed(package, mutant, laws, seconds, tests)).decode() + "\n")


if __name__ == "__main__":
    main()
