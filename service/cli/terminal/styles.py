"""The named styles, and how they look.

Their colours are the colours of the game's own board. They fit a light or a dark background. Each
seat's colour gets enough contrast to be readable. Where a terminal has no colours, styles still
differ by weight and underlining. Nothing is shown by its style alone.
"""

from functools import lru_cache
from typing import Any

from rich.style import Style
from textual.color import BLACK, WHITE, Color

from rules.kernel.contract import published
from rules.kernel.contract.ruleset import Ruleset

READABLE = 4.5
"""The minimum contrast of text, by WCAG 2.2 AA."""
STEP = 0.05

_WEIGHTS = {
    "strong": Style(bold=True),
    "muted": Style(dim=True),
    "marked": Style(bold=True, reverse=True),
    "cursor": Style(bold=True, reverse=True),
    "legal": Style(bold=True, underline=True),
    "changed": Style(underline=True),
}


class Palette:
    """The styles of one game on a background."""

    def __init__(self, ruleset: Ruleset[Any], background: Color, *, dark: bool) -> None:
        board = published.board(ruleset) or {}
        self._tones = {
            name: both["dark" if dark else "light"]
            for name, both in board.get("colours", {}).items()
        }
        self._seats = [seat["colour"] for seat in board.get("seats", ())]
        self._background = background
        self._found: dict[str, Style] = {}

    def style(self, name: str) -> Style:
        """Return the style of a name, or of several joined by ``+``; an unknown one is plain."""
        if name not in self._found:
            self._found[name] = Style.combine(map(self._make, name.split("+")))
        return self._found[name]

    def _make(self, name: str) -> Style:
        kind, _, which = name.partition(".")
        if kind == "seat" and which.isdecimal() and int(which) < len(self._seats):
            return self._tone(self._seats[int(which)]) + Style(bold=True)
        if kind == "tone":
            return self._tone(which)
        return _WEIGHTS.get(name, Style())

    def _tone(self, tone: str) -> Style:
        if tone not in self._tones:
            return Style()
        return Style(color=readable(Color.parse(self._tones[tone]), self._background).rich_color)


@lru_cache(maxsize=512)
def readable(colour: Color, background: Color) -> Color:
    """Return a colour of the same hue that is readable on a background."""
    towards = WHITE if background.brightness < 0.5 else BLACK
    share = 0.0
    while share < 1 and contrast(colour, background) < READABLE:
        share += STEP
        colour = colour.blend(towards, share)
    return colour


def contrast(one: Color, other: Color) -> float:
    """Return the contrast of two colours, from 1 to 21 (WCAG 2.2)."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: Color) -> float:
    parts = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in colour.normalized
    ]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
