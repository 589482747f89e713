"""Every ruleset in OpenSpiel, in an environment that has it."""

import os
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest

import rules.registry
from rules.kernel.contract.registry import Registry
from tests.campaigns import Figure
from tests.learning import documented
from tests.running import ROOT
from tools.judge.__main__ import environment


def tables() -> Iterator[Any]:
    for ruleset in Registry(rules.registry.PACKAGES):
        for seats in range(ruleset.info.min_seats, ruleset.info.max_seats + 1):
            yield pytest.param(ruleset.info.id, seats, id=f"{ruleset.info.id}-{seats}")


def run(*arguments: str) -> str:
    path = {"PYTHONPATH": f"{ROOT}:{ROOT / 'learning'}"}
    done = subprocess.run(
        [environment(), *arguments], cwd=ROOT, env={**os.environ, **path},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.campaign("learners")
@pytest.mark.timeout(1200)
@pytest.mark.parametrize(("ruleset", "seats"), [*tables()])
def test_openspiel_simulates_the_games(ruleset: str, seats: int, record_property: Figure) -> None:
    """OpenSpiel's own test passes, and players are told what the rules let them know."""
    record_property("actions", int(run("-m", "tests.learning.simulations", ruleset, str(seats))))


@pytest.mark.campaign("learners")
@pytest.mark.timeout(1200)
def test_the_program_of_the_documentation_plays() -> None:
    assert run("-c", documented.openspiel()).startswith("[")
