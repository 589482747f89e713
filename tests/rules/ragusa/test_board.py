"""The drawing for the terminal."""

import pytest

from rules.kernel.contract.labels import LANGUAGES
from rules.ragusa import RULESET
from tests.rules.ragusa.table import P0, Table


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_hex_that_waits_or_acts_is_marked_under_its_name(language: str) -> None:
    table = Table(access={P0: {"wood": 1, "stone": 1, "silver_ore": 1, "fish": 2}}).place(P0, "b21")
    assert marks(table, language) == {"*": 2, "▲": 0}
    table.activate(P0, "mason")
    assert marks(table, language) == {"*": 1, "▲": 1}


def marks(table: Table, language: str) -> dict[str, int]:
    """How often each mark stands on the map: the legend shows each of them once more."""
    drawing = RULESET.draw_board(RULESET.view(table.state, P0), language)
    for name in ("silversmith", "mason"):
        assert RULESET.labels.text(f"board.{name}", language).upper() in drawing
    return {mark: drawing.count(mark) - 1 for mark in "*▲"}
