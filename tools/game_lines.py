"""Counts the lines of Python in each game, prints a table, and fails above the bounds.

People read games to change or copy them, so games must stay short. Labels, drawings, and the tuned
weights of heuristics do not count.
"""

import sys
from pathlib import Path
from typing import NamedTuple

EACH, TOGETHER = 2_900, 13_500
"""Maximum number of lines of one game, and of all games together."""
DRAWS = "rules.kernel.toolbox.drawing"
"""Modules that import this module draw the game, and do not count as rules."""
WEIGHTS = "heuristic_weights.py"


class Lines(NamedTuple):
    """Numbers of lines of a game: of its rules, of its aids, and of modules that do not count."""

    rules: int
    aids: int
    left_out: int

    @property
    def counted(self) -> int:
        """The number of lines that count."""
        return self.rules + self.aids


def lines(package: Path) -> Lines:
    """Count the lines of a game."""
    found = {"rules": 0, "aids": 0, "left_out": 0}
    for file in package.rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        aid = package / "aids" in file.parents
        left_out = aid and (file.name == WEIGHTS or DRAWS in text)
        found["left_out" if left_out else "aids" if aid else "rules"] += len(text.splitlines())
    return Lines(**found)


def main(rules: Path) -> int:
    """Print the table of the games in ``rules``; return 1 if a bound is exceeded, else 0."""
    games = {file.parent.name: lines(file.parent) for file in sorted(rules.glob("*/ruleset.py"))}
    total = Lines(*map(sum, zip(*games.values(), strict=True)))
    row = "{:20}{:>8}{:>8}{:>10}{:>8}{:>20}"
    print(row.format("lines of Python", "rules", "aids", "counted", "bound", "drawings, weights"))
    broken = False
    for name, found in [*games.items(), ("together", total)]:
        bound = TOGETHER if found is total else EACH
        too_long = found.counted > bound
        cells = (f"{n:,}" for n in (found.rules, found.aids, found.counted, bound, found.left_out))
        print(row.format(name, *cells) + " too long" * too_long)
        broken |= too_long
    return int(broken)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else "rules")))
