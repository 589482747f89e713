"""What drawings for the terminal share: words, widths, lines, columns."""

from collections.abc import Iterable

from rules.kernel.contract.labels import Labels

COLUMNS = 100
"""The width of every board."""


class Words:
    """One language's words: ``words("board.turn", number=3)``."""

    def __init__(self, labels: Labels, language: str) -> None:
        self._labels = labels
        self.language = language

    def __call__(self, key: str, **data: object) -> str:
        """Fill a label; raises KeyError as ``Labels.text``."""
        return self._labels.text(key, self.language, **data)


def wrapped(line: str, indent: str = " " * 8) -> str:
    """Break a line between words where it gets too wide; what follows is indented."""
    lines = []
    while len(line) > COLUMNS:
        cut = line.rindex(" ", len(indent), COLUMNS + 1)
        lines.append(line[:cut])
        line = indent + line[cut + 1 :]
    return "\n".join([*lines, line])


def joined(lines: Iterable[str]) -> str:
    """Put lines together, without blanks at their ends."""
    return "\n".join(line.rstrip() for line in lines)


def columns(cells: Iterable[object], widths: Iterable[int]) -> str:
    """Put cells beside each other, each at the right end of its width."""
    return "".join([f"{cell!s:>{width}}" for cell, width in zip(cells, widths, strict=False)])
