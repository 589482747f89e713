"""Upgrades keep all data: old records verify, and old data folders can be read."""

import subprocess
import sys
from pathlib import Path

import orjson
import pytest

from tests.faults.processes import LONJA, lonja
from tests.running import environment
from tests.upgrades.conftest import WHEELS

CUP = (
    "tournament", "run", "--ruleset", "manila", "--entrants", "greedy:nodes=20,random,random",
    "--games", "3", "--workers", "1", "--seed",
)  # fmt: skip


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    """Return an environment without a service: the commands start and end their own processes."""
    found = environment("", LONJA_DATA_DIR=str(tmp_path / "var"))
    del found["REDIS_URL"], found["LONJA_EXTRA_RULESETS"]
    (tmp_path / "var").mkdir()
    return found


def test_an_upgrade_keeps_what_was_played(
    release: Path, env: dict[str, str], tmp_path: Path
) -> None:
    before, after = tmp_path / "before.ndjson", tmp_path / "after.ndjson"
    old = {**env, "PYTHONPATH": str(release)}
    command = [sys.executable, *LONJA, *CUP, "one", "--output", str(before)]
    subprocess.run(command, env=old, cwd=release, check=True, timeout=100)

    told = orjson.loads(lonja("verify", str(before), "--json", env=env))
    assert told["verdict"] == "proved"
    lonja(*CUP, "two", env=env)
    listed = orjson.loads(lonja("tournament", "list", "--json", env=env))["tournaments"]
    assert [each["status"] for each in listed] == ["ended", "ended"]
    lonja("tournament", "export", listed[-1]["id"], "--output", str(after), env=env)
    assert after.read_bytes() == before.read_bytes()


def test_releases_are_kept() -> None:
    assert WHEELS
