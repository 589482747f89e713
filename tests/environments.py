"""Virtual environments for tests and measurements, made once from lock files."""

import fcntl
import hashlib
import subprocess
import sys
from pathlib import Path

from tests.running import ROOT


def make(folder: Path, python: str, *locks: Path) -> str:
    """Return the Python of an environment with the packages of these lock files.

    The environment is made again if a lock file has changed; only one of several processes makes
    it.
    """
    state = hashlib.sha256(b"".join(lock.read_bytes() for lock in locks)).hexdigest()
    own, done = folder / "bin" / "python", folder / "installed"
    folder.parent.mkdir(parents=True, exist_ok=True)
    with folder.with_name(f"{folder.name}.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        if not done.exists() or done.read_text() != state:
            done.unlink(missing_ok=True)
            (pip,) = (ROOT / "tools").glob("pip-*.whl")
            named = [argument for lock in locks for argument in ("--requirement", lock)]
            subprocess.run([python, "-m", "venv", "--without-pip", "--clear", folder], check=True)
            subprocess.run(
                [sys.executable, pip / "pip", "--quiet", "--disable-pip-version-check",
                 "--python", own, "install", "--require-hashes", *named],
                check=True,
            )  # fmt: skip
            done.write_text(state)
    return str(own)
