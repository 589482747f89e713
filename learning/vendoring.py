"""Adds copies of the rules and the bots to the wheel.

Their names are ``lonja_learning.rules`` and ``lonja_learning.bots``: a learner's project may have
packages ``rules`` and ``workers`` of its own. In a checkout, ``lonja_learning`` imports the
packages ``rules`` and ``workers.bots`` that are in the folder beside it. In the wheel, every
mention of them is changed to the name of the copy. pip does the same with the packages that it
vendors.
"""

import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PACKAGE = "lonja_learning"
COPIES = {"rules": "rules", "workers.bots": "bots"}
"""The packages that are copied, and the names of the copies."""
NAMED = re.compile(r'(^\s*from |")(rules|workers\.bots)(?=\.\w| import )', re.MULTILINE)
"""Where a file names such a package: in imports, and in dotted names of games and folders."""
BOTS = ("bot.py", "greedy.py", "lookahead.py", "random_bot.py", "search.py", "worlds.py")
"""The bots that offer themselves as opponents. The rest of their package is for the service."""
PLAYED = {".py", ".json", ".typed"}
"""The kinds of files that games are played by; the others are for pages and readers."""


class VendoringHook(BuildHookInterface[Any]):
    """Adds the package ``lonja_learning`` to the wheel, and the copies as packages within it."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the files of the wheel into a new folder, and tell hatch where the folder is."""
        self._folder = TemporaryDirectory()
        here, made = Path(self.root), Path(self._folder.name)
        copy(here / PACKAGE, made)
        copy(here.parent / "rules", made / "rules")
        for name in BOTS:
            copy_file(here.parent / "workers" / "bots" / name, made / "bots" / name)
        (made / "bots" / "__init__.py").write_text('"""The bots of Lonja, as opponents."""\n')
        build_data["force_include"][str(made)] = PACKAGE

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what was written."""
        self._folder.cleanup()


def copy(source: Path, target: Path) -> None:
    """Copy the files of a package by which games are played."""
    for path in sorted(source.rglob("*")):
        if path.suffix in PLAYED and "__pycache__" not in path.parts:
            copy_file(path, target / path.relative_to(source))


def copy_file(source: Path, target: Path) -> None:
    """Copy a file, and change every mention of a package in it to the name of its copy."""
    target.parent.mkdir(parents=True, exist_ok=True)
    text = source.read_text(encoding="utf-8")
    if source.suffix == ".py":
        text = NAMED.sub(lambda found: f"{found[1]}{PACKAGE}.{COPIES[found[2]]}", text)
    target.write_text(text, encoding="utf-8")
