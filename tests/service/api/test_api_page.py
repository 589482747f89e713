"""The programs of docs/api.md run as they stand, on a service started for them."""

import re
import subprocess
import sys
from pathlib import Path

from tests.docs import ROOT
from tests.test_readme import environment, folder, free_port, serving

__all__ = ["environment", "folder"]

PROGRAM = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def test_the_programs_follow_and_play(folder: Path, environment: dict[str, str]) -> None:
    programs = PROGRAM.findall((ROOT / "docs" / "api.md").read_text(encoding="utf-8"))
    assert len(programs) == 2
    port = free_port()
    script = "\n".join(programs).replace("127.0.0.1:8000", f"127.0.0.1:{port}")
    with serving(folder, environment, port):
        done = subprocess.run(
            [sys.executable, "-u", "-c", script],
            check=False, cwd=folder, capture_output=True, text=True, timeout=100,
        )  # fmt: skip
    assert done.returncode == 0, done.stderr
    followed = re.findall(r"^\d+ \w+ \w+ .*$", done.stdout, re.MULTILINE)
    assert len(followed) == 3, done.stdout
    assert len(re.findall(r"^You: .+ – \[.+\]$", done.stdout, re.MULTILINE)) == 3, done.stdout
