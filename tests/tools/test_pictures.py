"""The pictures of the README and of boards show what there is: drawn again, they are the same."""

import asyncio
import base64

import pytest
from playwright.sync_api import sync_playwright

from rules.kernel.contract.registry import Registry
from rules.registry import PACKAGES
from tests.conftest import browser_path, chromium
from tools import covers, icons, pictures

DIFFERENT = """async ([one, other]) => {
    const pixels = async (encoded) => {
        const image = new Image();
        image.src = `data:image/png;base64,${encoded}`;
        await image.decode();
        const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
        context.drawImage(image, 0, 0);
        return context.getImageData(0, 0, image.width, image.height).data;
    };
    const [a, b] = [await pixels(one), await pixels(other)];
    if (a.length !== b.length) return 1;
    return a.filter((value, at) => Math.abs(value - b[at]) > 16).length / a.length;
}"""
"""A script that returns the share of the colour values in which two PNGs differ visibly."""


def test_the_terminal() -> None:
    drawn = asyncio.run(pictures.terminal(Registry(PACKAGES)))
    same = drawn == (pictures.FOLDER / "terminal.svg").read_text(encoding="utf-8")
    assert same, "run `make pictures`"


@pytest.mark.parametrize("game", [package.removeprefix("rules.") for package in PACKAGES])
def test_a_board(game: str) -> None:
    kept = covers.path(game).read_text(encoding="utf-8")
    same = covers.drawn(Registry(PACKAGES), game) == kept
    assert same, "run `make pictures`"  # to explain how such long lines differ takes minutes


def test_the_icons() -> None:
    with chromium() as browser:
        for size in icons.SIZES:
            kept = (icons.STATIC / f"icon-{size}.png").read_bytes()
            both = [base64.b64encode(each).decode() for each in (kept, icons.drawn(browser, size))]
            assert browser.new_page().evaluate(DIFFERENT, both) < 0.005, "run `make pictures`"


@pytest.mark.campaign("pictures")
@pytest.mark.timeout(600)
def test_the_page() -> None:
    drawn = pictures.pages(Registry(PACKAGES))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path(), args=["--no-sandbox"])
        for theme, picture in drawn.items():
            kept = (pictures.FOLDER / f"table-{theme}.png").read_bytes()
            both = [base64.b64encode(each).decode() for each in (kept, picture)]
            assert browser.new_page().evaluate(DIFFERENT, both) < 0.005, "run `make pictures`"
        browser.close()
