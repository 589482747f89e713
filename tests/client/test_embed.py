"""The kit on a page of another origin, under the policy of its guide: `docs/api/embed.md`."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from rules.registry import PACKAGES
from tests.campaigns import Figure
from tests.client.conftest import Service
from tests.client.embedding import SERVICE, Guest, block, build
from tests.client.robots import Keys, Pointer, Robot, play_to_the_end
from tests.faults.people import Client

GAMES = [package.removeprefix("rules.") for package in PACKAGES]
HEARD = """() => {
    window.heard = [];
    const game = document.querySelector('lonja-game');
    for (const type of ['turn', 'move', 'receipt', 'over', 'error'])
        game.addEventListener(type, ({detail}) => heard.push([type, detail]));
}"""


@pytest.fixture(scope="module")
def kit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    build(folder)
    return folder


def opened(port: int, ruleset: str, **more: object) -> tuple[Client, str]:
    """Open a table against bots; return who plays there, and its id."""
    player = Client(port).player()
    summary = player.get(f"/v1/rulesets/{ruleset}")
    bots = [{"holder": "bot", "bot": "random"}] * max(1, summary["min_seats"] - 1)
    seats = [{"holder": "me"}, *bots]
    return player, str(player.post("/v1/games", {"ruleset": ruleset, "seats": seats, **more})["id"])


def pages(service: str, game: str, tag: str | None = None) -> dict[str, str]:
    """Return the guide's page and its script, for a game of a service."""
    html = block("html").replace(SERVICE, service).replace('game="GAME"', f'game="{game}"')
    if tag is not None:
        before, _, rest = html.partition("<lonja-game ")
        html = before + tag + rest.partition("</lonja-game>")[2]
        html = html.replace('<script type="module" src="night.js"></script>', "")
    return {"/": html, "/night.js": block("js")}


def play(guest: Guest, robot: Robot, player: Client, game: str) -> int:
    guest.player, guest.table = player, game
    guest.page.goto(f"{guest.origin}/#key={player.key}")
    guest.page.evaluate(HEARD)
    moves = play_to_the_end(guest, robot)
    heard = guest.page.evaluate("heard.map(([type]) => type)")
    assert heard.count("receipt") == moves
    assert heard.count("turn") in {moves - 1, moves}, "the first may have come before"
    assert heard.count("over") == 1
    assert "error" not in heard
    return moves


def test_a_game_of_data_on_a_page_of_another_origin(
    browser: Browser, service: Service, kit: Path
) -> None:
    player, game = opened(service.port, "pig", options={"target": 20})
    url = f"http://127.0.0.1:{service.port}"
    with Guest.of(browser, service.port, kit, pages(url, game)) as guest:
        play(guest, Keys(guest, 1), player, game)
        expect(guest.page.get_by_role("status").last).to_contain_text("seat:0")
        assert not [url for url in guest.asked if "/renderer" in url], "it is code of the service"


@pytest.mark.campaign("embed")
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("robot", [Pointer, Keys])
@pytest.mark.parametrize("ruleset", GAMES)
def test_every_game_on_a_page_of_another_origin(
    browser: Browser,
    service: Service,
    kit: Path,
    ruleset: str,
    robot: type[Robot],
    record_property: Figure,
) -> None:
    player, game = opened(service.port, ruleset)
    url = f"http://127.0.0.1:{service.port}"
    with Guest.of(browser, service.port, kit, pages(url, game)) as guest:
        record_property("games", 1)
        record_property("moves", play(guest, robot(guest, 3), player, game))
        record_property("positions compared", guest.compared)
