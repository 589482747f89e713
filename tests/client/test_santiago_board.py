"""Santiago de Cuba on the page: in twenty positions of a game, all that is there is drawn, once."""

from collections import Counter

import pytest
from playwright.sync_api import Page

from rules.kernel.canonical import JsonObject
from tests.client.visitors import Visitor, drawn, expected
from tests.contract.drawing import mats
from tests.faults.people import Client
from tests.running import wait_for

POSITIONS = 20
PLACES = "found => found.map(({dataset: {mat, place}}) => `${mat ?? 'board'} ${place}`)"
LIMIT = {"turn_limit": 40}
"""A game at random would be long, and needs no end here but one."""


@pytest.fixture
def ended(visitor: Visitor) -> JsonObject:
    """Return a game that four bots have played to its end."""
    client = Client(visitor.port).player("Ana")
    seats = [{"holder": "bot", "bot": "random"}] * 4
    body = {"ruleset": "santiago_de_cuba", "options": LIMIT, "seats": seats}
    made = client.post("/v1/games", body)

    def over() -> JsonObject:
        game = client.get(f"/v1/games/{made['id']}")
        return game if game["status"] == "ended" else {}

    return wait_for(over)


def test_every_place_and_piece_is_drawn_once(visitor: Visitor, ended: JsonObject) -> None:
    client, page = Client(visitor.port), visitor.page
    board = client.get(f"/v1/rulesets/{ended['ruleset']}/board")
    visitor.go(f"/games/{ended['id']}")
    page.wait_for_selector(".board-sheet")
    first = client.get(f"/v1/games/{ended['id']}/log?limit=1000")["effects"][0]["seq"]
    last = ended["version"]
    for number in range(POSITIONS):
        version = first + (last - first) * number // (POSITIONS - 1)
        page.evaluate(f"location.hash = 'v={version}'")
        page.wait_for_selector(f".table[data-shown='{version}'] .board-sheet")
        view = client.get(f"/v1/games/{ended['id']}/state?at={version}")["state"]
        assert drawn(page) == expected(board, view), version
        assert places_drawn(page) == places(board, view), version


def places_drawn(page: Page) -> Counter[str]:
    return Counter(page.eval_on_selector_all("[data-place]", PLACES))


def places(board: JsonObject, view: JsonObject) -> Counter[str]:
    """Count the places of a board and of its mats: moves point to these and to pieces alone."""
    owned = [
        f"{mat.value['seat']} {key}" for mat in mats(board, view) for key in board["mat"]["places"]
    ]
    return Counter([*(f"board {key}" for key in board["places"]), *owned])
