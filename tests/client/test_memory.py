"""A table that stays open for hours keeps in memory only what it shows."""

from itertools import islice
from typing import Any

from playwright.sync_api import Browser

from tests.client.one_screen import decisions
from tests.client.services import Service
from tests.client.visitors import Visitor

EARLY, LATE = 10, 40
"""The decisions after which nodes are counted."""
FEW = 200
"""More nodes than this are a part of the page; the text of an event has about ten."""

SHOWN = """() => {
    const nodes = document.createTreeWalker(document);
    let count = 1;
    while (nodes.nextNode()) count++;
    return count;
}"""


def test_a_table_keeps_no_nodes_that_it_no_longer_shows(browser: Browser, service: Service) -> None:
    hidden = {}
    with Visitor.at(browser, service.port) as visitor:
        page = visitor.page
        devtools: Any = page.context.new_cdp_session(page)
        for number, _decision in enumerate(islice(decisions(visitor, service, "manila"), LATE + 1)):
            if number in (EARLY, LATE):
                devtools.send("HeapProfiler.collectGarbage")
                alive = devtools.send("Memory.getDOMCounters")["nodes"]
                hidden[number] = alive - page.evaluate(SHOWN)
    assert hidden[LATE] < hidden[EARLY] + FEW
