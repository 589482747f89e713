"""Lonja as a release: a wheel of this checkout, in an environment of its own."""

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

from tests.running import ROOT

(PIP,) = (ROOT / "tools").glob("pip-*.whl")
"""The project's own wheel of pip, which Python can run without installing it."""


def pip(*arguments: str | Path, python: Path | None = None) -> None:
    """Run pip for the ``python`` of another environment, without compiling."""
    of = ("--python", str(python)) if python else ()
    subprocess.run(
        [sys.executable, PIP / "pip", "--quiet", "--disable-pip-version-check", *of, *arguments],
        check=True,
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
    )


def build(folder: Path, source: Path = ROOT) -> Path:
    """Build the wheel of a project, without network: its backend is in the lock file."""
    pip("wheel", "--no-index", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, source)
    (wheel,) = folder.glob("*.whl")
    return wheel


def environment(folder: Path) -> Path:
    """Make an empty environment; return its interpreter."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    return folder / "bin/python"


def install(wheel: Path, folder: Path) -> Path:
    """Install the wheel alone, beside the libraries of these tests; return its ``lonja``."""
    python = environment(folder)
    pip("install", "--no-index", "--no-deps", wheel, python=python)
    libraries = sysconfig.get_paths(vars={"base": str(folder), "platbase": str(folder)})["purelib"]
    (Path(libraries) / "libraries.pth").write_text(sysconfig.get_paths()["purelib"])
    return folder / "bin/lonja"


def bare() -> dict[str, str]:
    """Return environment variables without paths of this checkout, and without a compiler."""
    kept = ("HOME", "LANG", "TMPDIR")
    return {name: os.environ[name] for name in kept if name in os.environ} | {"PATH": "/nowhere"}


def without_network(wheels: Path) -> dict[str, str]:
    """Return the variables with which pip, and tools that call it, use only files in a folder."""
    return {
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(wheels),
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    }
