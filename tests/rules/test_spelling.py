"""The spelling of all texts of games: British English, straight apostrophes and quotes."""

import re
from pathlib import Path

import pytest

from rules.kernel.contract.labels import load_labels
from rules.registry import PACKAGES

ROOT = Path(__file__).parents[2]
CURLY = re.compile("[\N{LEFT SINGLE QUOTATION MARK}-\N{RIGHT DOUBLE QUOTATION MARK}]")
AMERICAN = re.compile(r"\b(?:gray|colors?|harbors?|favors?)\b", re.IGNORECASE)
TO_GRAB = re.compile(r"\b(?:coger|coge[ns]?|coj[ao]s?|cogió)\b", re.IGNORECASE)
"""Forms of the Spanish verb "coger", for which the rules pages use "tomar"."""
IDS = re.compile(r"{[^{}]*}|`[^`]*`|```.*?```", re.DOTALL)


def said(package: str, language: str) -> dict[str, str]:
    """Return every label of a game in one language, and its rules, by their place."""
    rules = ROOT / package.replace(".", "/") / {"en": "RULES.md", "es": "RULES.es.md"}[language]
    words = {**load_labels(package)[language], rules.name: rules.read_text(encoding="utf-8")}
    return {where: IDS.sub("", text) for where, text in words.items()}


@pytest.mark.parametrize("package", PACKAGES)
@pytest.mark.parametrize(
    ("language", "elsewhere"),
    [("en", CURLY), ("en", AMERICAN), ("es", CURLY), ("es", TO_GRAB)],
    ids=["quotes", "British", "comillas", "tomar"],
)
def test_spelling_is_one(package: str, language: str, elsewhere: re.Pattern[str]) -> None:
    found = {
        where: text for where, text in said(package, language).items() if elsewhere.search(text)
    }
    assert not found
