"""The table of the store's keys in docs/operations.md."""

import re
from functools import cache

from tests.running import ROOT

BASE = re.compile(r"lonja:\{[^}]+\}:(?:(?:game|tournament):<id>:)?")
"""What a name begins with that the next one in the table shares, as `…:`."""
ANY = {"s17": r"s\d\d", "p-…": "p-[a-z2-7]{16}", "<id>": "[^:]+", "…": ".*"}
"""What parts of names stand for."""


@cache
def table() -> str:
    """Return the lines of the table."""
    page = (ROOT / "docs/operations.md").read_text(encoding="utf-8")
    section = page[page.index("\n## Redis keys\n") :]
    return "\n".join(line for line in section.splitlines() if line.startswith("| `lonja:"))


@cache
def patterns() -> tuple[re.Pattern[str], ...]:
    """Return patterns of the keys in the table."""
    found, base = [], ""
    for line in table().splitlines():
        for name in re.findall("`([^`]+)`", line.split(" | ")[0]):
            begun = BASE.match(name)
            base = base if begun is None else begun[0]
            found.append(_pattern(base + name.removeprefix("…:") if begun is None else name))
    return tuple(found)


def _pattern(name: str) -> re.Pattern[str]:
    parts = re.split("(" + "|".join(map(re.escape, ANY)) + ")", name)
    return re.compile("".join(ANY.get(part, re.escape(part)) for part in parts))


def unknown(keys: list[str]) -> list[str]:
    """Return the keys that the table does not have."""
    return [key for key in keys if not any(one.fullmatch(key) for one in patterns())]
