"""Plus Ultra's board on the page: at twenty positions, all that is there is drawn, once."""

from collections import Counter
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page

from rules.kernel.canonical import JsonObject
from tests.client.visitors import Visitor, drawn, expected
from tests.contract.drawing import mats
from tests.faults.people import Client
from tests.running import wait_for

POSITIONS = 20
FIRST = 10
"""By then the table is full and the first turn has begun."""
PLACES = """found => found.map(({dataset: {place, mat}}) => mat ? `${mat}:${place}` : place)"""


@pytest.fixture
def ended(visitor: Visitor) -> JsonObject:
    """Return a game that bots have played to its end."""
    client = Client(visitor.port).player("Ana")
    seats = [{"holder": "bot", "bot": "random"}] * 4
    made = client.post("/v1/games", {"ruleset": "plus_ultra", "seats": seats})

    def game() -> JsonObject:
        told: JsonObject = client.get(f"/v1/games/{made['id']}")
        return told

    wait_for(lambda: game()["status"] == "ended")
    return game()


def test_every_place_and_piece_is_drawn_once(visitor: Visitor, ended: JsonObject) -> None:
    client, page = Client(visitor.port), visitor.page
    board = client.get(f"/v1/rulesets/{ended['ruleset']}/board")
    visitor.go(f"/games/{ended['id']}")
    page.wait_for_selector("[data-place]", state="attached")
    for version in spaced(ended["version"]):
        page.evaluate(f"location.hash = 'v={version}'")
        page.wait_for_selector(f".table[data-shown='{version}'] [data-place='pack']")
        view = client.get(f"/v1/games/{ended['id']}/state?at={version}")["state"]
        assert drawn(page) == expected(board, view), version
        assert places(page) == places_of(board, view), version


def spaced(last: int) -> Iterator[int]:
    """Yield a version of the first turn, the last one, and others between them."""
    for number in range(POSITIONS):
        yield FIRST + (last - FIRST) * number // (POSITIONS - 1)


def places(page: Page) -> Counter[str]:
    return Counter(page.eval_on_selector_all("[data-place]", PLACES))


def places_of(board: JsonObject, view: JsonObject) -> Counter[str]:
    """Count the places of a board and its mats: each one once."""
    owners = [mat.value["seat"] for mat in mats(board, view)]
    return Counter(
        [
            *board["places"],
            *(f"{owner}:{key}" for owner in owners for key in board["mat"]["places"]),
        ]
    )
