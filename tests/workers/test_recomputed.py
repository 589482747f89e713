"""Bots decide the same in every process, with any hash seed and on any Python."""

import os
import subprocess
import sys
from pathlib import Path

import orjson
import pytest

from rules.kernel.contract.registry import Registry
from rules.registry import PACKAGES
from service.catalogue.bots import BOTS
from tests.campaigns import Figure
from tests.running import ROOT
from tests.workers.pythons import installed, version_of, with_packages

SEATS = {r.info.id: range(r.info.min_seats, r.info.max_seats + 1) for r in Registry(PACKAGES)}
TABLES = [(game, seats) for game, numbers in SEATS.items() for seats in numbers]
THINKERS = [name for name, offer in BOTS.items() if (offer.level or 0) > 3]
MOST_THOUGHTS = 8_000
"""Maximum bytes of a decision's thoughts in a game's record."""


def decided(python: str, hash_seed: str, *arguments: str) -> list[str]:
    done = subprocess.run(
        [python, "-m", "tests.workers.decided", *arguments],
        env={**os.environ, "PYTHONHASHSEED": hash_seed}, cwd=ROOT, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_bots_decide_the_same_under_two_hash_seeds() -> None:
    first, second = (decided(sys.executable, seed, "2", "--nodes", "250") for seed in "12")
    assert len(first) == 2 * len(BOTS) * len(SEATS)
    assert first == second
    for line in map(orjson.loads, first):
        assert len(orjson.dumps(line[-1])) < MOST_THOUGHTS


@pytest.fixture(scope="session")
def pythons() -> dict[str, str]:
    """Return every installed Python, each with the product's packages."""
    return {name: with_packages(name, python) for name, python in installed().items()}


def test_every_python_is_found_and_what_is_none_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    shim = tmp_path / "python3.12"
    shim.write_text("#!/bin/sh\nexit 127\n")
    shim.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("LONJA_TEST_PYTHONS", raising=False)
    here = version_of(sys.executable)
    assert here is not None
    assert list(installed()) == [here.name]
    monkeypatch.setenv("LONJA_TEST_PYTHONS", str(shim))
    with pytest.raises(ValueError, match=f"LONJA_TEST_PYTHONS: '{shim}' is no Python"):
        installed()


@pytest.mark.campaign("recomputed")
@pytest.mark.timeout(7200)
@pytest.mark.parametrize(("game", "seats"), TABLES)
@pytest.mark.parametrize("bot", BOTS)
def test_bots_decide_the_same_on_every_python(
    bot: str, game: str, seats: int, pythons: dict[str, str], record_property: Figure
) -> None:
    """10,000 decisions of each quick bot, 1,000 of each slow bot, equally many in each game.

    Those of a game are divided among its numbers of seats.
    """
    of_game = (1_000 if bot in THINKERS else 10_000) // len(SEATS)
    arguments = [str(-(-of_game // len(SEATS[game]))), "--bot", bot, "--game", game]
    arguments += ["--seats", str(seats)]
    here = decided(sys.executable, "1", *arguments)
    for name, python in pythons.items():
        assert decided(python, "2", *arguments) == here, name
        record_property(f"decisions on {name}", len(here))
