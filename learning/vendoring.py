"""Puts the rules into the wheel, as ``lonja_learning.rules``: a learner may have ``rules``, too.

In a checkout ``lonja_learning`` imports ``rules`` beside it. In the wheel, every mention of
``rules`` in these files is changed to the name of the copy, as in packages that pip vendors.
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
    """Gives the wheel ``lonja_learning`` and, below it, the rules."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the files as they are in the wheel, and name their folder."""
        self._folder = TemporaryDirectory()
        here, made = Path(self.root), Path(self._folder.name)
        copy(here / PACKAGE, made)
        copy(here.parent / "rules", made / "rules")
        build_data["force_include"][str(made)] = PACKAGE

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what was written."""
        self._folder.cleanup()


def copy(source: Path, target: Path) -> None:
    """Copy a package, with its names of the rules changed."""
    for path in sorted(source.rglob("*")):
        if path.suffix in PLAYED and "__pycache__" not in path.parts:
            copied = target / path.relative_to(source)
            copied.parent.mkdir(parents=True, exist_ok=True)
            text = path.read_text(encoding="utf-8")
            if path.suffix == ".py":
                text = NAMED.sub(rf"\g<1>{PACKAGE}.rules", text)
            copied.write_text(text, encoding="utf-8")
