"""Every Python from 3.11 that is installed, each with the product's packages.

These are the Python that runs the tests, every ``python3.N`` on the ``PATH``, and those in
``LONJA_TEST_PYTHONS``, separated by colons, for example Pythons of pyenv or uv.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests import environments
from tests.campaigns import JOURNALS
from tests.running import ROOT

VERSION = "import platform; print(platform.python_implementation(), platform.python_version())"
OLDEST = (3, 11)


class Version(NamedTuple):
    """The name of a Python, such as ``CPython 3.11.7``, and its first two numbers."""

    name: str
    numbers: tuple[int, int]


def version_of(python: str) -> Version | None:
    """Return the version of a program; None if it is no Python, or an inactive shim."""
    try:
        told = subprocess.run([python, "-c", VERSION], capture_output=True, text=True, check=False)
    except OSError:
        return None
    if told.returncode:
        return None
    name = told.stdout.strip()
    major, minor, *_ = name.split()[1].split(".")
    return Version(name, (int(major), int(minor)))


def installed() -> dict[str, str]:
    """Return the programs of all installed Pythons, by name.

    Raises:
        ValueError: ``LONJA_TEST_PYTHONS`` names what is no Python from 3.11.

    """
    found: dict[str, str] = {}
    named = [python for python in os.environ.get("LONJA_TEST_PYTHONS", "").split(":") if python]
    for python in (sys.executable, *named, *_on_the_path()):
        version = version_of(python)
        if version is not None and version.numbers >= OLDEST:
            found.setdefault(version.name, python)
        elif python in named:
            raise ValueError(f"LONJA_TEST_PYTHONS: {python!r} is no Python from 3.11")
    return found


def _on_the_path() -> Iterator[str]:
    for folder in os.get_exec_path():
        yield from map(str, sorted(Path(folder).glob("python3.[1-9][0-9]")))


def with_packages(name: str, python: str) -> str:
    """Return this Python in an environment with the packages, which is kept for later runs."""
    folder = JOURNALS / "pythons" / name.replace(" ", "-")
    return environments.make(folder, python, ROOT / "requirements.lock")
