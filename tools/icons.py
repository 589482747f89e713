"""Draws the page's icon, ``service/web/static/icon.svg``, as PNGs: not every system shows an SVG.

It is run by ``make pictures``, or alone: ``python -m tools.icons``.
"""

from playwright.sync_api import Browser, sync_playwright

from tests.conftest import browser_path
from tests.running import ROOT

STATIC = ROOT / "service/web/static"
SIZES = (192, 512)
"""Widths and heights, in pixels."""
_PAGE = "<style>body{margin:0}svg{display:block;width:100vw;height:100vh}</style>"


def drawn(browser: Browser, size: int) -> bytes:
    """Return the icon as a PNG of this width and height."""
    page = browser.new_page(viewport={"width": size, "height": size})
    page.set_content(_PAGE + (STATIC / "icon.svg").read_text(encoding="utf-8"))
    picture = page.screenshot()
    page.close()
    return picture


def draw() -> None:
    """Draw the icon in all sizes."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path(), args=["--no-sandbox"])
        for size in SIZES:
            (STATIC / f"icon-{size}.png").write_bytes(drawn(browser, size))
        browser.close()


if __name__ == "__main__":
    draw()
