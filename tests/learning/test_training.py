"""A policy is trained, beats ``random``, and enters a tournament whose record is verified."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import orjson
import pytest

from service.catalogue.engines import folder_digest
from tests.campaigns import Figure
from tests.deploy import installed
from tests.faults.processes import LONJA
from tests.learning import documented
from tests.running import ROOT, environment

PYTHON = Path("/usr/bin/python3")
"""The Python of sandboxes."""

pytestmark = [
    pytest.mark.campaign("learners"),
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bwrap is not on the PATH"),
    pytest.mark.timeout(1200),
]


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder that every user may read: a sandbox of root is another user's."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        Path(folder).chmod(0o755)
        (Path(folder) / "mine").mkdir()
        yield Path(folder)


def lonja(place: Path, *arguments: object, **more: str) -> str:
    found = environment("", LONJA_DATA_DIR=str(place / "var"), **more)
    del found["REDIS_URL"]
    command = [sys.executable, *LONJA, *map(str, arguments)]
    done = subprocess.run(command, env=found, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_trained_policy_enters_a_tournament(place: Path, record_property: Figure) -> None:
    mine = place / "mine"
    for name in ("policy.py", "train.py", "bot.py"):
        (mine / name).write_text(documented.file(f"mine/{name}"))
    (mine / "bot.toml").write_text(documented.file("bot.toml"))
    trained = subprocess.run(
        [sys.executable, "train.py"], cwd=mine, capture_output=True, text=True, check=True,
        env={**os.environ, "PYTHONPATH": f"{ROOT}:{ROOT / 'learning'}"},
    )  # fmt: skip
    reward = float(trained.stdout.removeprefix("mean reward "))
    assert reward > 0.7
    record_property("reward of the trained policy at least", reward)

    wheel = installed.build(place, ROOT / "learning")
    needed = [f"numpy=={np.__version__}", f"orjson=={orjson.__version__}"]
    installed.pip("install", "--no-deps", "--target", mine, wheel, *needed, python=PYTHON)
    shutil.rmtree(mine / "__pycache__", ignore_errors=True)
    lonja(place, "bot", "check", mine, "--sandbox")

    lonja(
        place, "bot", "match", mine, "random", "--ruleset", "manila", "--seats", "3",
        "--games", "60", "--seed", "learners", "--workers", "1", "-o", place / "match.json",
    )  # fmt: skip
    report = orjson.loads((place / "match.json").read_bytes())
    first = report["table"][0]
    assert (first["entry"], first["failures"]) == ("mine", 0)
    assert report["verdict"]["verdict"] == "better"

    (place / "engines.toml").write_text(
        f'[[engine]]\nfolder = "{mine}"\ndigest = "{folder_digest(mine)}"\n'
        + documented.file("bot.toml")
    )
    engines, record = {"LONJA_ENGINES": str(place / "engines.toml")}, place / "cup.ndjson.gz"
    lonja(
        place, "tournament", "run", "--ruleset", "manila", "--entrants", "mine,greedy,random",
        "--games", "6", "--seed", "cup", "--workers", "1", "-o", record, **engines,
    )  # fmt: skip
    said = lonja(place, "verify", "--bots", record, **engines)
    assert "Every check passed." in said
    assert "mine@1" in said
