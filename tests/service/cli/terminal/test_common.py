"""What choices have in common is said once, so that all of them have room."""

import pytest

from service.cli.terminal.common import common_words


def test_words_that_differ_are_left() -> None:
    found = common_words(["Start with jade on 0, silk on 4", "Start with jade on 5, silk on 1"])
    assert found is not None
    assert found.said == "Start with jade on …, silk on …"
    assert [*found.rest.values()] == ["0 · 4", "5 · 1"]


@pytest.mark.parametrize(
    "texts",
    [
        [],
        ["Start with jade on 0"],
        ["Start with jade on 0", "Start with jade"],
        ["Buy jade", "Buy silk"],  # one common word is not worth a line
        ["Start with jade, and go on", "Start with jade and go on"],
    ],
)
def test_other_texts_stay_whole(texts: list[str]) -> None:
    assert common_words(texts) is None
