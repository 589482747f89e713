"""Whoever comes, with any screen; and it stays small."""

import gzip
from pathlib import Path

import pytest

from tests.client.visitors import Visitor
from tests.running import ROOT

APP = ROOT / "service/web/static/app"
SHELL_LIMIT = 60_000
BOARD_LIMIT = 40_000
"""Bytes, compressed."""


@pytest.mark.parametrize("size", [(360, 740), (800, 1000), (1400, 900)])
def test_nothing_is_wider_than_the_screen(visitor: Visitor, size: tuple[int, int]) -> None:
    width, height = size
    page = visitor.page
    page.set_viewport_size({"width": width, "height": height})
    for path in ("/", "/lobby", "/settings", "/you", "/rules/ragusa"):
        visitor.go(path)
        page.wait_for_load_state("networkidle")
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
    visitor.go("/")
    page.get_by_role("listitem").filter(has_text="Macao").get_by_role("button").click()
    page.wait_for_selector(".board-sheet")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_it_is_small() -> None:
    shell = sum(len(gzip.compress(file.read_bytes())) for file in APP.iterdir())
    assert shell < SHELL_LIMIT
    boards = {
        file.parent.parent.name: len(gzip.compress(file.read_bytes()))
        for file in Path(ROOT / "rules").glob("*/aids/board.js")
    }
    assert {name: size for name, size in boards.items() if size >= BOARD_LIMIT} == {}
