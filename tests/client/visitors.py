"""A visitor with a browser, whose errors are recorded."""

import json
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from playwright.sync_api import Browser, Page, Request, expect

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.bindings import mats, pointed_to, standing
from tests.faults.people import Client

QUICK = {"pace": 0, "motion": False}
"""Settings without pauses and animations."""

ROOT = "(document.querySelector('lonja-game')?.shadowRoot ?? document)"
"""The root of the table's elements: the page, or an element of the kit."""

READY = f"""() => {{
    const root = {ROOT};
    const table = root.querySelector('.table');
    if (!table) return false;
    if (table.dataset.status === 'ended') return true;
    if (root.querySelector('[data-confirm]')) {{
        return !root.querySelector('[data-confirm][aria-disabled="true"]');
    }}
    return root.querySelector('[data-option], .board [data-target]') !== null;
}}"""
"""A script that returns whether the game is over, or something can be chosen or confirmed."""

PICKED = f"{ROOT}.querySelector('.picks')"
CHOSEN = f"before => {PICKED} || {ROOT}.querySelector('.table')?.dataset.shown !== before"
SENT_OR_READY = f"() => !{PICKED} || ({READY})()"
SHOWN = f"""() => {{
    const table = {ROOT}.querySelector('.table') ?? document.body;
    const all = (what, name) => [...table.querySelectorAll(what)].map(name);
    return {{
        seat: table.dataset.seat ?? 'spectator',
        version: Number(table.dataset.shown),
        places: all('.board [data-place]', ({{dataset: {{place, mat}}}}) =>
            mat === undefined ? `place:${{place}}` : `mat:${{mat}}:${{place}}`),
        pieces: all('.board [data-piece]', ({{dataset}}) => dataset.piece),
        choices: Number(table.querySelector('.all-moves .count')?.textContent ?? 0),
        moves: table.querySelector('.all-moves')?.open
            ? all('[data-move]', move => move.textContent) : null,
        targets: all('.board [data-target]', ({{dataset}}) => dataset.target),
    }};
}}"""
WIDEST = "Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)"
"""How wide the page's content is in pixels. On phones and tablets, the body of a table scrolls."""
HAS_STORAGE = "origin !== 'null'"
"""Whether there is a storage at the page's address; at `about:blank` there is none."""
TURN_TO = """path => {
    history.pushState(null, '', path);
    dispatchEvent(new PopStateEvent('popstate'));
}"""
LEFT = ("net::ERR_ABORTED", "NS_BINDING_ABORTED")
"""What Chromium and Firefox say of the open requests of a room that a visitor leaves."""
LISTED = 300
"""Maximum number of moves in the list without a search."""
NOTHING_LEGAL: JsonObject = {"moves": [], "labels": []}
PATIENCE = 60.0
"""Maximum seconds for any step on a busy machine."""
expect.set_options(timeout=1000 * PATIENCE)


class Visitor:
    """A visitor's page, with its errors and failed requests."""

    def __init__(self, page: Page, port: int) -> None:
        self.page = page
        self.port = port
        self.faults: list[str] = []
        self.asked: list[str] = []
        self.compared = 0
        """The number of positions that were compared with the API."""
        self._boards: dict[str, JsonObject] = {}
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", lambda said: self._heard(said.type, said.text, said.location["url"]))
        page.on("request", lambda request: self.asked.append(request.url))
        page.on("requestfailed", self._failed)

    @classmethod
    @contextmanager
    def at(cls, browser: Browser, port: int, **context: Any) -> Iterator["Visitor"]:
        # A worker's requests would not pass through the routes of a test.
        opened = browser.new_context(**{"service_workers": "block", **context})
        opened.set_default_timeout(1000 * PATIENCE)
        settings = json.dumps(json.dumps(QUICK))
        opened.add_init_script(f"{HAS_STORAGE} && (localStorage['lonja:settings'] ??= {settings})")
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

    def come_as(self, somebody: Client) -> None:
        """Open the first page with this player's key in the browser."""
        known = {"id": somebody.id, "name": "", "key": somebody.key}
        self.page.add_init_script(
            f"{HAS_STORAGE} && (localStorage['lonja:identity'] ??= {json.dumps(json.dumps(known))})"
        )
        self.go("/")

    def turn_to(self, path: str) -> None:
        """Go to another room without loading the page again."""
        self.page.evaluate(TURN_TO, path)

    def _heard(self, kind: str, text: str, url: str) -> None:
        # A browser tells of each refusal. That of a question that came after the move is no fault.
        if kind == "error" and not ("/refusal?" in url and " 409 " in text):
            self.faults.append(f"{url}: {text}")

    def _failed(self, request: Request) -> None:
        if request.failure not in LEFT:
            self.faults.append(f"{request.url}: {request.failure}")

    def sit(self, player: Client) -> None:
        """Use this player's key from the next page on."""
        identity = {"id": player.id, "name": "Ana", "key": player.key}
        kept = json.dumps(json.dumps(identity))
        self.page.add_init_script(f"{HAS_STORAGE} && (localStorage['lonja:identity'] = {kept})")

    # What the page shows

    def wait(self) -> None:
        """Wait until something can be done, or the game is over."""
        self.page.wait_for_function(READY)

    @property
    def shown(self) -> str | None:
        """The event that the table shows."""
        return self.page.locator(".table").get_attribute("data-shown")

    def goes_on_choosing(self, before: str | None) -> bool:
        """Wait until a choice has had its effect; return whether its move is not sent yet.

        ``before`` is the event that was shown before the choice. Others' events may come meanwhile.
        """
        self.page.wait_for_function(CHOSEN, arg=before)
        self.page.wait_for_function(SENT_OR_READY)
        return self.page.locator(".picks").count() > 0

    @property
    def over(self) -> bool:
        return self.page.locator(".table").get_attribute("data-status") == "ended"

    @property
    def game(self) -> str:
        return self.page.url.rpartition("/games/")[2].partition("#")[0]

    def client(self) -> Client:
        """Return a client of the API for the same player."""
        kept = json.loads(self.page.evaluate("localStorage['lonja:identity']"))
        return Client(self.port, kept["key"], kept["id"])

    def check_board(self) -> None:
        """Compare the page with the API, as soon as it shows the present.

        Check that every place and piece is drawn once, that an open list has every legal move in
        words, and that only targets of legal moves can be chosen.
        """
        deadline = time.monotonic() + PATIENCE
        while (shown := self._shown()) != (told := self._told(shown)):
            assert time.monotonic() < deadline, self._explain(shown, told)
            self.page.wait_for_timeout(50)
        self.compared += 1

    def _shown(self) -> "Position":
        found = self.page.evaluate(SHOWN)
        return Position(
            found["seat"],
            found["version"],
            Counter(found["places"]),
            Counter(found["pieces"]),
            found["choices"],
            found["moves"],
            {*found["targets"]},
        )

    def _told(self, shown: "Position") -> "Position":
        """Return the position that the page should show to its viewer."""
        client, path = self.client(), f"/v1/games/{self.game}"
        told = client.get(f"{path}/state?seat={shown.seat}")
        asked = any(str(decision["seat"]) == shown.seat for decision in told["decisions"])
        legal = client.get(f"{path}/legal_moves?seat={shown.seat}") if asked else NOTHING_LEGAL
        view = told["state"]
        board = self._board(view["ruleset"])
        about = {
            ref for move in legal["moves"] for ref in pointed_to(board, view, told["seat"], move)
        }
        return Position(
            shown.seat,
            told["version"],
            Counter(places(board, view)),
            Counter(pieces(board, view)),
            len(legal["moves"]),
            None if shown.moves is None else legal["labels"][:LISTED],
            shown.targets & about,
        )

    def _explain(self, shown: "Position", told: "Position") -> str:
        said = self.page.locator("main").inner_text()[:500]
        return f"{told.differences(shown)}\n{self.faults}\n{self.page.url} shows: {said}"

    def _board(self, ruleset: str) -> JsonObject:
        if ruleset not in self._boards:
            self._boards[ruleset] = self.client().get(f"/v1/rulesets/{ruleset}/board")
        return self._boards[ruleset]


class Position(NamedTuple):
    """A position as a seat sees it: the names of the drawn elements, and the options."""

    seat: str
    version: int
    places: Counter[str]
    pieces: Counter[str]
    choices: int
    """The number of legal moves."""
    moves: list[str] | None
    """The moves in words; None unless their list is open."""
    targets: set[str]

    def differences(self, shown: "Position") -> str:
        """Return the names of the parts that differ from another position."""
        return "\n".join(
            f"{name}: the page has {found}, the API {told}"
            for name, told, found in zip(self._fields, self, shown, strict=True)
            if told != found
        )


def places(board: JsonObject, view: JsonObject) -> Iterator[str]:
    """Yield every place of a board and its mats."""
    yield from (f"place:{key}" for key in board["places"])
    for mat in mats(board, view):
        owner = mat.value.get("seat", mat.value.get("side", mat.key))
        yield from (f"mat:{owner}:{key}" for key in board["mat"]["places"])


def pieces(board: JsonObject, view: JsonObject) -> Iterator[str]:
    """Yield every piece that a view puts on a board and its mats: its type, and id or owner."""
    stands = [*standing(board["pieces"], view)]
    for mat in mats(board, view):
        stands += standing(board["mat"]["pieces"], mat.value)
    for piece in stands:
        known = piece.seat if piece.id is None else piece.id
        yield f"{piece.piece}:{'' if known is None else known}"
