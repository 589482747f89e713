"""The service worker: replay and check without a network, what is stored, and a new release."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from rules.kernel.canonical import JsonObject
from tests.client.networks import FORMER, Network
from tests.client.services import Service
from tests.client.test_records import checked, play_out
from tests.client.visitors import PATIENCE, QUICK, Visitor
from tests.faults.people import Client
from tests.running import wait_for

STORED = """async () => {
    const found = [];
    for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        for (const request of await cache.keys()) {
            const response = await cache.match(request);
            const { pathname, search } = new URL(request.url);
            const language = request.headers.get('Accept-Language');
            found.push([pathname + search, language, await response.text()]);
        }
    }
    return found;
}"""
"""The path, the language and the body of everything that the worker has stored."""
WORKS = "navigator.serviceWorker?.controller?.state === 'activated'"
ALLOWED = re.compile(
    r"/static/app/\S+|/lobby|/verify\.html|/v1/rulesets(/\S+)?|/v1/games/[^/]+(/(log|events|scores)\?\S+)?"
)


@pytest.fixture
def network(service: Service) -> Iterator[Network]:
    with Network(service.port) as network:
        yield network


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A browser in which service workers run."""
    context = browser.new_context(service_workers="allow")
    context.set_default_timeout(1000 * PATIENCE)
    settings = json.dumps(json.dumps(QUICK))
    context.add_init_script(f"localStorage['lonja:settings'] ??= {settings}")
    yield context
    context.close()


def opened(page: Page, network: Network, path: str) -> Page:
    """Open a page, and wait until the worker works for it."""
    page.goto(f"http://127.0.0.1:{network.port}{path}")
    wait_for(lambda: page.evaluate(WORKS))
    return page


def addresses(page: Page) -> str:
    """Return the addresses at which the worker has stored something, one a line."""
    return "\n".join(path for path, _, _ in page.evaluate(STORED))


def stored(page: Page, pattern: str) -> None:
    """Wait until the worker has stored something at an address with this pattern."""
    wait_for(lambda: re.search(pattern, addresses(page)) is not None)


def need_replay(page: Page, version: int) -> None:
    """Go through a finished game from its newest event to its first."""
    expect(page.locator(".table")).to_have_attribute("data-status", "ended")
    expect(page.locator(f".table[data-shown='{version}'] [data-place]").first).to_be_visible()
    page.get_by_role("slider").press("Home")
    expect(page.locator(".table[data-shown='1']")).to_be_visible()


def long_game(service: Service) -> tuple[str, int]:
    """Play a game with so many events that a page of a list has not all; return its version."""
    ana = Client(service.port).player()
    game = play_out(ana, options={"target": 100})
    version: int = ana.get(f"/v1/games/{game}")["version"]
    assert version > 40
    return game, version


def test_games_opened_before_are_replayed_and_records_checked_without_a_network(
    context: BrowserContext, network: Network, service: Service, tmp_path: Path
) -> None:
    game, version = long_game(service)
    page = opened(context.new_page(), network, "/lobby")
    page.goto(f"{page.url.removesuffix('/lobby')}/games/{game}")
    for needed in ("rulesets.pig.labels", "rulesets.pig.board", f"{game}.log", f"{game}.events.a"):
        stored(page, needed)
    stored(page, f"{game}.events.after=0&limit=40")
    network.cut = True
    page.reload()
    need_replay(page, version)
    expect(page.locator(".banner")).to_contain_text("connection is cut")
    record = tmp_path / "record.ndjson"
    record.write_bytes(Client(service.port).ask("GET", f"/v1/games/{game}/record").body)
    assert checked(page, f"http://127.0.0.1:{network.port}", record) == "sound"
    page.goto(f"http://127.0.0.1:{network.port}/games/{game}")
    expect(page.locator(".banner")).to_be_visible()
    network.cut = False
    expect(page.locator(".banner")).to_have_count(0)


def test_nothing_is_stored_that_a_key_opened(
    context: BrowserContext, network: Network, service: Service
) -> None:
    ana = Client(service.port).player("Ana the Spy")
    public, private = play_out(ana), play_out(ana, table={"visibility": "private"})
    version: int = ana.get(f"/v1/games/{public}")["version"]
    running = ana.open("pig", "random").rpartition("/")[2]
    known = json.dumps(json.dumps({"id": ana.id, "name": "Ana", "key": ana.key}))
    context.add_init_script(f"localStorage['lonja:identity'] ??= {known}")
    page = opened(context.new_page(), network, "/you")
    for game in (running, private, public):
        page.goto(f"http://127.0.0.1:{network.port}/games/{game}")
        expect(page.locator(".table[data-shown] [data-place]").first).to_be_visible()
    stored(page, f"{public}.events")

    found: list[tuple[str, str | None, str]] = page.evaluate(STORED)
    assert {path for path, _, _ in found if not ALLOWED.fullmatch(path)} == set()
    anybody = Client(service.port)
    for path, language, body in found:
        assert ana.key not in body
        assert private not in path + body
        assert running not in path
        if path.startswith("/v1/"):
            told = anybody.ask("GET", path, Accept_Language=language)
            assert (told.status, told.body.decode()) == (200, body), path
    network.cut = True
    page.goto(f"http://127.0.0.1:{network.port}/games/{public}")
    need_replay(page, version)
    page.goto(f"http://127.0.0.1:{network.port}/games/{private}")
    expect(page.locator(".banner")).to_be_visible()
    expect(page.locator(".table")).to_have_count(0)


def parts_of(page: Page) -> set[str]:
    """Return the versions of the parts that a page has loaded."""
    found: list[str] = page.evaluate("performance.getEntriesByType('resource').map(e => e.name)")
    return {url.partition("?v=")[2] for url in found if "/static/app/" in url and "?v=" in url}


def test_the_next_load_shows_a_new_release_whatever_tabs_are_open(
    context: BrowserContext, network: Network, visitor: Visitor
) -> None:
    former = {FORMER.decode()}
    network.former = True
    one = opened(context.new_page(), network, "/lobby")
    other = opened(context.new_page(), network, "/settings")
    assert parts_of(one) == parts_of(other) == former
    network.cut = True
    one.reload()
    expect(one.get_by_role("navigation").first).to_be_visible()
    assert parts_of(one) == former, "without a network it is all of the release that is stored"
    network.cut = network.former = False
    one.reload()
    expect(one.locator("main h1").first).to_be_visible()
    assert FORMER.decode() not in parts_of(one)
    assert parts_of(other) == former
    assert other.locator("main h1").is_visible(), "the other tab stays as it is"
    # Soon the new worker has stored the new release, and the files of the former one are gone.
    wait_for(lambda: FORMER.decode() not in addresses(one))
    network.cut = True
    one.goto(f"http://127.0.0.1:{network.port}/settings")
    expect(one.locator("main h1")).to_be_visible()
    assert FORMER.decode() not in parts_of(one)
    network.cut = False
    other.click("nav a[href='/tournaments']")  # a room that the former release has not loaded
    expect(other.locator("main h1")).to_be_visible()
    assert FORMER.decode() not in parts_of(other)
    assert visitor.faults == []


def test_a_page_is_asked_for_once(context: BrowserContext, network: Network) -> None:
    page = opened(context.new_page(), network, "/lobby")
    for path in ("/settings", "/docs/api", "/docs/of-nothing"):  # the last is in no cache
        page.goto(f"http://127.0.0.1:{network.port}{path}")
        assert network.asked.count(path) == 1


def test_the_page_can_be_installed(context: BrowserContext, network: Network) -> None:
    page = opened(context.new_page(), network, "/lobby")
    session = context.new_cdp_session(page)
    told: JsonObject = session.send("Page.getAppManifest")
    assert told["errors"] == []
    errors = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert [error["errorId"] for error in errors if error["errorId"] != "in-incognito"] == []
    manifest = json.loads(told["data"])
    for icon in manifest["icons"]:
        answer = page.request.get(f"http://127.0.0.1:{network.port}/static/{icon['src']}")
        assert answer.status == 200
        assert answer.headers["content-type"].startswith(icon["type"])
