"""A game without a drawing of its own, on a low screen."""

import pytest

from tests.service.cli.conftest import Lonja


@pytest.mark.parametrize("language", ["en", "es"])
def test_what_comes_before_the_first_move_fits(lonja: Lonja, language: str) -> None:
    """Equal consecutive events are one line with a count."""
    told = lonja(
        "play", "sealed", "--seats", 4, "--seed", 8, "--lang", language, input="q\n"
    ).output
    move, unseen = {
        "en": ("Your move:", "3 × Nature draws, unseen"),
        "es": ("Tu jugada:", "3 × El azar decide algo que no se ve"),
    }[language]
    before = told.partition(move)[0].splitlines()
    assert len(before) < 24, told
    assert unseen in before
