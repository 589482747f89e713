"""Visitors with different needs and screens."""

from playwright.sync_api import Page, ViewportSize

from tests.client.visitors import Visitor

PHONE: ViewportSize = {"width": 360, "height": 740}
SCREENS: tuple[ViewportSize, ...] = (
    PHONE,
    {"width": 800, "height": 1000},
    {"width": 1400, "height": 900},
)
FITS = "width => document.documentElement.scrollWidth <= width"


def fits_every_screen(page: Page) -> None:
    """Check that nothing is wider than the screen, from a phone's on."""
    for screen in SCREENS:
        page.set_viewport_size(screen)
        page.wait_for_function(FITS, arg=screen["width"])


def test_nothing_is_wider_than_the_screen(visitor: Visitor) -> None:
    page = visitor.page
    for path in ("/", "/lobby", "/settings", "/you", "/rules/ragusa", "/tournaments"):
        page.set_viewport_size(PHONE)
        visitor.go(path)
        page.wait_for_load_state("networkidle")
        fits_every_screen(page)
    page.set_viewport_size(PHONE)
    visitor.go("/")
    page.get_by_role("listitem").filter(has_text="Macao").get_by_role(
        "button", name="Play now"
    ).click()
    page.wait_for_selector(".board-sheet")
    fits_every_screen(page)
