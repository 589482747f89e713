"""The words that all choices of a list have in common, which then need to be said only once."""

from collections.abc import Sequence
from typing import NamedTuple

GAP = "…"
"""Stands in the common words for what is different in each choice."""
BETWEEN = " · "
LEAST = 2
"""Minimum number of common words; fewer are not worth a line of their own."""
_MARKS = ",;:."
"""Punctuation that may end a word; it counts as part of the common words."""


class CommonWords(NamedTuple):
    """``said`` has the common words; ``rest`` has what is left of each choice, by its text."""

    said: str
    rest: dict[str, str]


def common_words(texts: Sequence[str]) -> CommonWords | None:
    """Return the common words of texts that differ only in single words at the same places.

    Return None if the texts are not of this form.
    """
    rows = [text.split() for text in texts]
    if len(rows) < 2 or len({*map(len, rows)}) > 1:
        return None
    places = [{*words} for words in zip(*rows, strict=True)]
    ends = [{word[len(word.rstrip(_MARKS)) :] for word in words} for words in places]
    differing = [number for number, words in enumerate(places) if len(words) > 1]
    if len(places) - len(differing) < LEAST or any(len(ends[place]) > 1 for place in differing):
        return None
    said = [*rows[0]]
    for place in differing:
        (end,) = ends[place]
        said[place] = GAP + end
    rest = {
        text: BETWEEN.join(row[place].rstrip(_MARKS) for place in differing)
        for text, row in zip(texts, rows, strict=True)
    }
    return CommonWords(" ".join(said), rest)
