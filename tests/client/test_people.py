"""Visitors with different needs and screens."""

import pytest

from tests.client.visitors import Visitor


@pytest.mark.parametrize("size", [(360, 740), (800, 1000), (1400, 900)])
def test_nothing_is_wider_than_the_screen(visitor: Visitor, size: tuple[int, int]) -> None:
    width, height = size
    page = visitor.page
    page.set_viewport_size({"width": width, "height": height})
    for path in ("/", "/lobby", "/settings", "/you", "/rules/ragusa", "/tournaments"):
        visitor.go(path)
        page.wait_for_load_state("networkidle")
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
    visitor.go("/")
    page.get_by_role("listitem").filter(has_text="Macao").get_by_role("button").click()
    page.wait_for_selector(".board-sheet")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
