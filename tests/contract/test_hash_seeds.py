"""Nothing depends on the order of sets: two processes that hash differently play the same games."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def _played(hash_seed: str) -> list[str]:
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    command = [sys.executable, "-m", "tests.contract.digests"]
    done = subprocess.run(
        command, env=environment, cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_games_are_the_same_under_two_hash_seeds() -> None:
    first, second = _played("1"), _played("2")
    assert len(first) > 100
    for one, other in zip(first, second, strict=True):
        assert one == other
