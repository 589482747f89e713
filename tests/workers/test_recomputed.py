"""Bots decide the same in every process: under another hash seed, and on another Python."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import orjson
import pytest

from rules.registry import PACKAGES
from service.catalogue.bots import BOTS
from tests.campaigns import Figure
from tests.running import ROOT

GAMES = [name.rpartition(".")[2] for name in PACKAGES]
THINKERS = [name for name, offer in BOTS.items() if (offer.level or 0) > 3]
PYTHONS = [
    found for minor in range(11, 16) if (found := shutil.which(f"python3.{minor}")) is not None
]
MOST_THOUGHTS = 8_000
"""Bytes: what a decision adds to a game's record."""


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
    assert len(first) == 2 * len(BOTS) * len(GAMES)
    assert first == second
    for line in map(orjson.loads, first):
        assert len(orjson.dumps(line[-1])) < MOST_THOUGHTS


@pytest.fixture(scope="session")
def pythons(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Every Python that is installed, by its version, each with the product's packages."""
    folder = tmp_path_factory.mktemp("pythons")
    (pip,) = (ROOT / "tools").glob("pip-*.whl")
    found = {}
    for python in PYTHONS:
        asked = "import platform; print(platform.python_version())"
        told = subprocess.run([python, "-c", asked], capture_output=True, text=True, check=False)
        if told.returncode == 0:  # a shim may name a Python that is not there
            version = told.stdout.strip()
            found[version] = _with_packages(python, folder / version, pip)
    return found


def _with_packages(python: str, folder: Path, pip: Path) -> str:
    own = str(folder / "bin" / "python")
    subprocess.run([python, "-m", "venv", "--without-pip", folder], check=True)
    subprocess.run(
        [sys.executable, pip / "pip", "--quiet", "--python", own, "install", "--require-hashes",
         "--requirement", ROOT / "requirements.lock"],
        check=True,
    )  # fmt: skip
    return own


@pytest.mark.campaign("recomputed")
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("bot", BOTS)
def test_bots_decide_the_same_on_every_python(
    bot: str, game: str, pythons: dict[str, str], record_property: Figure
) -> None:
    """10,000 decisions of each quick bot, and 1,000 of each that thinks, over all games."""
    count = str((1_000 if bot in THINKERS else 10_000) // len(GAMES))
    here = decided(sys.executable, "1", count, "--bot", bot, "--game", game)
    for version, python in pythons.items():
        assert decided(python, "2", count, "--bot", bot, "--game", game) == here, version
        record_property(f"decisions on {version}", len(here))
