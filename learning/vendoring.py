"""Adds a copy of the rules to the wheel, with the name ``lonja_learning.rules``.

A learner's project may have a package ``rules`` of its own, so the copy must have another name. In
a checkout, ``lonja_learning`` imports the package ``rules`` that is in the folder beside it. In the
wheel, every mention of ``rules`` in the two packages is changed to the name of the copy. pip does
the same with the packages that it vendors.
"""

import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PACKAGE = "lonja_learning"
NAMED = re.compile(r'(^\s*from |")rules(?=\.\w| import )', re.MULTILINE)
"""Where a file names the package: in imports, and in dotted names of games and folders."""
PLAYED = {".py", ".json", ".typed"}
"""The kinds of files that games are played by; the others are for pages and readers."""


class VendoringHook(BuildHookInterface[Any]):
    """Adds the package ``lonja_learning`` to the wheel, and the rules as a package within it."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the files of the wheel into a new folder, and tell hatch where the folder is."""
        self._folder = TemporaryDirectory()
        here, made = Path(self.root), Path(self._folder.name)
        copy(here / PACKAGE, made)
        copy(here.parent / "rules", made / "rules")
        build_data["force_include"][str(made)] = PACKAGE

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what was written."""
        self._folder.cleanup()


def copy(source: Path, target: Path) -> None:
    """Copy a package, and change every mention of ``rules`` in it to the name of the copy."""
    for path in sorted(source.rglob("*")):
        if path.suffix in PLAYED and "__pycache__" not in path.parts:
            copied = target / path.relative_to(source)
            copied.parent.mkdir(parents=True, exist_ok=True)
            text = path.read_text(encoding="utf-8")
            if path.suffix == ".py":
                text = NAMED.sub(rf"\g<1>{PACKAGE}.rules", text)
            copied.write_text(text, encoding="utf-8")
