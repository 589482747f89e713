"""Colours can be told apart: computed, from the style sheet and the boards (WCAG 1.4.3, 1.4.11)."""

import json
import re
from typing import Any

import pytest

from rules.registry import PACKAGES
from tests.running import ROOT

SHEET = (ROOT / "service/web/client/style/colours.css").read_text()
BLOCK = re.compile(r"^\s*([:[][^{]*)\{([^}]*)\}", re.MULTILINE)
THEME = re.compile(r'data-theme="(\w+)"')
TOKEN = re.compile(r"--([\w-]+):\s*(#[0-9a-f]+);")
GROUNDS = ("ground", "paper", "raised", "warning")
TEXTS = ("ink", "quiet", "accent")
SIGNS = ("target", "touched", "chosen")
"""The colours of lines."""
TEXT, LARGE_OR_SIGN, ENHANCED = 4.5, 3.0, 7.0
MIXES = [("accent", 0.12, "accent"), ("touched", 0.16, "quiet"), ("chosen", 0.16, "ink")]
"""Mixed backgrounds: a colour over paper, its share, and the colour of the text on it."""
BOARDS = [ROOT / f"rules/{package.removeprefix('rules.')}/aids/board.json" for package in PACKAGES]

Rgb = tuple[float, ...]


def themes() -> dict[str, dict[str, Rgb]]:
    """Return the tokens of each theme."""
    named = {
        theme[1]: {name: rgb(code) for name, code in TOKEN.findall(body)}
        for selector, body in BLOCK.findall(SHEET)
        if (theme := THEME.search(selector))
    }
    return {name: named["light"] | named[name] for name in ("light", "dark", "contrast")}


def rgb(code: str) -> Rgb:
    digits = code.removeprefix("#")
    if len(digits) == 3:
        digits = "".join(2 * digit for digit in digits)
    return tuple(int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4))


def luminance(colour: Rgb) -> float:
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: Rgb, other: Rgb) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark", "contrast"])
def test_the_page_can_be_read(theme: str) -> None:
    tokens = themes()[theme]
    least = ENHANCED if theme == "contrast" else TEXT
    for ground in GROUNDS:
        for text in TEXTS:
            assert contrast(tokens[text], tokens[ground]) >= least, (text, ground)
        for sign in SIGNS:
            assert contrast(tokens[sign], tokens[ground]) >= LARGE_OR_SIGN, (sign, ground)
    assert contrast(tokens["on-accent"], tokens["accent"]) >= least
    assert contrast(tokens["touched"], tokens["paper"]) >= TEXT  # a clock with little time left
    for over, share, text in MIXES:
        mixed = zip(tokens[over], tokens["paper"], strict=True)
        ground_there = tuple(share * top + (1 - share) * below for top, below in mixed)
        assert contrast(tokens[text], ground_there) >= TEXT, (text, over)


def test_without_script_the_page_can_be_read_in_the_dark() -> None:
    dark = next(body for selector, body in BLOCK.findall(SHEET) if "not" in selector)
    tokens = themes()["light"] | {name: rgb(code) for name, code in TOKEN.findall(dark)}
    for text in TEXTS:
        assert contrast(tokens[text], tokens["ground"]) >= TEXT


@pytest.mark.parametrize("theme", ["light", "dark", "contrast"])
@pytest.mark.parametrize("file", BOARDS, ids=[file.parent.parent.name for file in BOARDS])
def test_letters_and_signs_stand_out_on_a_board(file: Any, theme: str) -> None:
    board = json.loads(file.read_text())
    tone = "dark" if theme == "dark" else "light"
    colours = {name: rgb(tones[tone]) for name, tones in board["colours"].items()}
    for ground in {"ground", "paper"} & colours.keys():
        assert contrast(colours["ink"], colours[ground]) >= TEXT
        for sign in SIGNS:
            assert contrast(themes()[theme][sign], colours[ground]) >= LARGE_OR_SIGN, sign
