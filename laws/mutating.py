"""Reports what notices a mutant: laws, and tests of an author.

    python -m laws.mutating PACKAGE MUTANT [TESTS…]

Each mutant has a process of its own, which prints one JSON object.
"""

import sys
import time
from importlib import import_module
from typing import Any

import orjson

from laws.book import LAWS
from laws.games import Subject, random_game
from laws.judging import hold, judge_game
from laws.law import Law, Scope
from laws.mutants import Unfit, put_into
from laws.tables import default_tables
from rules.kernel.contract.ruleset import Ruleset

SECONDS = 6.0
"""Processor time of the laws for one mutant; laws that noticed it until then are reported."""
SEEDS = (1, 3, 2)
"""Most laws examine any game, some only the first, some one with resignations."""


def noticing(ruleset: Ruleset[Any], mutant: str) -> dict[str, str]:
    """Return the laws that notice a mutant, each with its message."""
    until = time.process_time() + SECONDS
    found: dict[str, str] = {}
    tables = default_tables(ruleset)
    subject = Subject(ruleset, SEEDS[:1], tables, mutant=mutant)
    by_game = [law for law in LAWS.values() if law.scope is not Scope.RULESET]
    for seed in SEEDS:
        for table in tables:
            if time.process_time() < until:
                left = [law for law in by_game if law.name not in found]
                failures = judge_game(random_game(table, seed), left)
                found |= {failure.law.name: failure.told for failure in failures}
    for law in _cheap_first():
        if time.process_time() < until and (failure := hold(law, subject)):
            found[law.name] = failure.told
    return found


def _cheap_first() -> list[Law]:
    """Return the laws of whole rulesets; that which begins processes is the last."""
    laws = [law for law in LAWS.values() if law.scope is Scope.RULESET]
    return sorted(laws, key=lambda law: law.name == "processes_agree")


class _Failed:
    """Collects which tests fail, as a plugin of pytest."""

    def __init__(self) -> None:
        self.tests: list[str] = []

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed and report.nodeid not in self.tests:
            self.tests.append(report.nodeid)

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed:
            self.tests.append(report.nodeid)


def failing(tests: list[str]) -> list[str]:
    """Return the tests that fail in this process, by pytest."""
    failed = _Failed()
    import_module("pytest").main(["-q", "-p", "no:cacheprovider", *tests], plugins=[failed])
    return failed.tests


def main() -> None:
    """Put a mutant into a package, and print what notices it."""
    package, mutant, *tests = sys.argv[1:]
    ruleset = import_module(package).RULESET
    sys.stdout, out = sys.stderr, sys.stdout  # pytest's output is not part of the answer
    try:
        put_into(ruleset, mutant)
    except Unfit as unfit:
        told: dict[str, Any] = {"unfit": str(unfit)}
    else:
        told = {"tests": failing(tests) if tests else [], "laws": noticing(ruleset, mutant)}
    out.write(orjson.dumps(told).decode() + "\n")


if __name__ == "__main__":
    main()
