"""The pages of tournaments in a real browser: they follow what goes on."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Request, expect
from redis import Redis

from service.redis.server import RedisServer
from tests.faults import processes
from tests.faults.people import Client, Json
from tests.running import environment, process

BODY: Json = {
    "name": "<b>Spring</b> cup",
    "ruleset": "sealed",
    "seats": 2,
    "entries": [{"bot": "greedy"}, {"bot": "random"}, {"bot": "random"}],
    "format": {"type": "round_robin", "games": 18},
}


@pytest.fixture
def port(redis_server: RedisServer, redis_client: Redis, tmp_path: Path) -> Iterator[int]:
    with processes.web(redis_server.url, tmp_path / "web.log", "service.api.wsgi:app") as port:
        yield port


def faults(page: Page) -> list[str]:
    """Return the list that will hold what goes wrong in a page: its errors and failed requests."""
    found: list[str] = []

    def failed(request: Request) -> None:
        # A page that hears "end", or is left, closes its stream: the browser calls that aborted.
        closed = request.resource_type == "eventsource" and request.failure == "net::ERR_ABORTED"
        if not closed:
            found.append(f"{request.url}: {request.failure}")

    page.on("pageerror", lambda error: found.append(str(error)))
    page.on("requestfailed", failed)
    return found


def test_a_tournament_that_goes_on_and_ends(
    browser: Browser, port: int, redis_server: RedisServer
) -> None:
    client = Client(port).player()
    made = client.ask("POST", "/v1/tournaments", BODY).json
    page = browser.new_page()
    refused = faults(page)
    page.goto(f"http://127.0.0.1:{port}/tournaments/{made['id']}")
    expect(page.locator("main")).to_have_attribute("data-status", "running")
    expect(page.locator("h1")).to_have_text("<b>Spring</b> cup")  # a name is text, never HTML
    expect(page.locator("main")).to_contain_text("0 of 18 games, running")

    with process(
        "-m", "workers.worker", "--queue", "tournaments", env=environment(redis_server.url)
    ):
        # the stream alone brings it up to date: nobody reloads
        expect(page.locator("main")).to_have_attribute("data-status", "ended", timeout=30_000)
        first = page.locator("table").first.locator("tr").nth(1).locator("td")
        expect(first.nth(5)).to_have_text(re.compile(r"\d\.\d{3} – \d\.\d{3}"), timeout=30_000)

    main = page.locator("main")
    expect(main).to_contain_text("18 of 18 games, ended (completed)")
    assert first.all_text_contents()[:3] == ["1.", "greedy", "12"]
    plots = page.locator("img")
    assert plots.count() == 2
    for index in range(2):
        assert plots.nth(index).evaluate("image => image.decode().then(() => image.naturalWidth)")
    replays = page.get_by_role("link", name="replay")
    assert replays.count() == 18
    replays.first.click()
    expect(page.locator(".table")).to_have_attribute("data-status", "ended")
    assert refused == []

    page.goto(f"http://127.0.0.1:{port}/tournaments")
    page.get_by_role("link", name="<b>Spring</b> cup").click()
    expect(page.locator("main")).to_have_attribute("data-status", "ended")


def test_a_tournament_that_is_not_there(browser: Browser, port: int) -> None:
    page = browser.new_page()
    page.goto(f"http://127.0.0.1:{port}/tournaments/t07-mfrggzdfmztwq2lknnwg")
    expect(page.locator("main")).to_contain_text("there is no tournament")
