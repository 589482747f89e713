"""What stays open for hours keeps in memory only what it shows."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

from service.ledger.store import Store
from service.redis.client import make_client
from tests.client.embedding import Guest
from tests.client.one_screen import REGISTRY, decisions
from tests.client.services import Service
from tests.client.test_embed import pages
from tests.client.visitors import Visitor
from tests.scripted import Script
from tools.kit import build

EARLY, LATE = 10, 40
"""The decisions after which nodes are counted."""
FEW = 200
"""More nodes than this are a part of the page; the text of an event has about ten."""

SHOWN = """() => {
    const count = root => {
        const nodes = document.createTreeWalker(root);
        let found = 1;
        for (let node = root; node; node = nodes.nextNode(), found++)
            if (node.shadowRoot) found += count(node.shadowRoot);
        return found;
    };
    return count(document);
}"""


def grown(page: Page, positions: Iterator[object]) -> int:
    """Return how many more nodes that it does not show the page keeps at the late position."""
    hidden = {}
    devtools: Any = page.context.new_cdp_session(page)
    for number, _position in enumerate(islice(positions, LATE + 1)):
        if number in (EARLY, LATE):
            devtools.send("HeapProfiler.collectGarbage")
            alive = devtools.send("Memory.getDOMCounters")["nodes"]
            hidden[number] = alive - page.evaluate(SHOWN)
    return int(hidden[LATE] - hidden[EARLY])


def test_a_table_keeps_no_nodes_that_it_no_longer_shows(browser: Browser, service: Service) -> None:
    with Visitor.at(browser, service.port) as visitor:
        assert grown(visitor.page, decisions(visitor, service, "manila")) < FEW


def test_an_embedded_game_keeps_no_nodes_that_it_no_longer_shows(
    browser: Browser, service: Service, tmp_path: Path
) -> None:
    build(tmp_path / "kit")
    script = Script(REGISTRY, "manila", 5, 1, name=f"embedded {service.port}")
    steps = script.steps(Store(make_client(service.redis_url)))
    told = pages(f"http://127.0.0.1:{service.port}", next(steps).id)
    with Guest.of(browser, service.port, tmp_path, told) as guest:
        guest.page.goto(guest.origin)

        def positions() -> Iterator[int]:
            for game in steps:
                guest.page.locator(f"lonja-game [data-shown='{game.version}']").wait_for()
                yield game.version

        assert grown(guest.page, positions()) < FEW
