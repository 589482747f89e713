"""The programs of docs/learning.md."""

import re

from tests.running import ROOT

TEXT = (ROOT / "docs" / "learning.md").read_text(encoding="utf-8")
_BLOCKS = re.findall(r"```(\w+)\n(.*?)```", TEXT, re.DOTALL)


def file(name: str) -> str:
    """Return the file that a block shows: its first line names it, but ``bot.toml`` is alone."""
    kind = name.rpartition(".")[2]
    (found,) = [
        text for language, text in _BLOCKS if language == kind or text.startswith(f"# {name}\n")
    ]
    return str(found)


def environments() -> str:
    """Return the programs that need nothing but environments, as one."""
    return "\n".join(
        text
        for language, text in _BLOCKS
        if language == "python" and "import pyspiel" not in text and not text.startswith("# mine/")
    )


def openspiel() -> str:
    """Return the program that needs OpenSpiel."""
    (found,) = [text for _, text in _BLOCKS if "import pyspiel" in text]
    return str(found)
