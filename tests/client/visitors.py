"""Somebody in front of a browser, who keeps an eye on what goes wrong in it."""

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, Page, Request

from rules.kernel.canonical import JsonObject
from tests.contract.drawing import Standing, mats, standing
from tests.faults.people import Client

QUICK = {"pace": 0, "motion": False}
"""Settings of somebody who waits for nothing."""

READY = """() => {
    const table = document.querySelector('.table');
    if (!table) return false;
    if (table.dataset.status === 'ended') return true;
    if (document.querySelector('[data-confirm]')) {
        return !document.querySelector('[data-confirm][aria-disabled="true"]');
    }
    return document.querySelector('[data-option]') !== null;
}"""
"""The game is over, or something can be chosen or confirmed."""


class Visitor:
    """A page, and what it asked for in vain."""

    def __init__(self, page: Page, port: int) -> None:
        self.page = page
        self.port = port
        self.faults: list[str] = []
        self.asked: list[str] = []
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", lambda said: self._heard(said.type, said.text))
        page.on("request", lambda request: self.asked.append(request.url))
        page.on("requestfailed", self._failed)

    @classmethod
    @contextmanager
    def at(cls, browser: Browser, port: int, **context: Any) -> Iterator["Visitor"]:
        opened = browser.new_context(**context)
        settings = json.dumps(json.dumps(QUICK))
        opened.add_init_script(f"localStorage['lonja:settings'] ??= {settings}")
        visitor = cls(opened.new_page(), port)
        try:
            yield visitor
        finally:
            opened.close()
        assert visitor.faults == [], visitor.faults
        elsewhere = [url for url in visitor.asked if not url.startswith((visitor.url, "data:"))]
        assert elsewhere == [], "nothing is loaded from another host"

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def go(self, path: str) -> None:
        self.page.goto(self.url + path)

    def _heard(self, kind: str, text: str) -> None:
        if kind == "error":
            self.faults.append(text)

    def _failed(self, request: Request) -> None:
        # Who leaves a room gives up what it asked for: the browser calls that aborted.
        if request.failure != "net::ERR_ABORTED":
            self.faults.append(f"{request.url}: {request.failure}")

    def sit(self, player: Client) -> None:
        """Be this player from the next page on."""
        identity = {"id": player.id, "name": "Ana", "key": player.key}
        kept = json.dumps(json.dumps(identity))
        self.page.add_init_script(f"localStorage['lonja:identity'] = {kept}")

    # What the page shows

    def wait(self) -> None:
        """Wait until something can be done, or the game is over."""
        self.page.wait_for_function(READY, timeout=30_000)

    @property
    def over(self) -> bool:
        return self.page.locator(".table").get_attribute("data-status") == "ended"

    @property
    def game(self) -> str:
        return self.page.url.rpartition("/games/")[2].partition("#")[0]

    def client(self) -> Client:
        """Return the same person without the browser."""
        kept = json.loads(self.page.evaluate("localStorage['lonja:identity']"))
        return Client(self.port, kept["key"], kept["id"])

    def check_board(self) -> None:
        """Compare what is drawn with what the API says: every piece, once, and the version."""
        client = self.client()
        told = client.get(f"/v1/games/{self.game}/state")
        self.page.wait_for_selector(f".table[data-shown='{told['version']}']", timeout=30_000)
        board = client.get(f"/v1/rulesets/{told['state']['ruleset']}/board")
        assert drawn(self.page) == expected(board, told["state"])


def drawn(page: Page) -> Counter[str]:
    """Count the pieces on the page by type, and id or owner."""
    found = page.eval_on_selector_all(
        "[data-piece]", "found => found.map(piece => piece.dataset.piece)"
    )
    return Counter(found)


def expected(board: JsonObject, view: JsonObject) -> Counter[str]:
    """Count the pieces that a view puts on a board and its mats."""
    stands = [*standing(board["pieces"], view)]
    for mat in mats(board, view):
        stands += standing(board["mat"]["pieces"], mat.value)
    return Counter(f"{piece.piece}:{_whose(piece)}" for piece in stands)


def _whose(piece: Standing) -> str:
    known = piece.seat if piece.id is None else piece.id
    return "" if known is None else str(known)
