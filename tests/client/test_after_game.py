"""What the page shows below a finished game: score sheet, lead, turning points, links."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.client.services import Service
from tests.client.test_axe import judge
from tests.client.visitors import WIDEST, Visitor
from tests.faults.people import Client, Json, wait_for

LEAD = "The lead in the course of the game"
PHONE = {"width": 360, "height": 740}


@pytest.fixture(scope="module")
def game(service: Service) -> Json:
    """A game of bots that has ended, with its scores."""
    client = Client(service.port)
    seats = [{"holder": "bot", "bot": bot} for bot in ("greedy", "random", "random")]
    body: Json = {"ruleset": "santiago_de_cuba", "seats": seats, "options": {"turn_limit": 40}}
    url = f"/v1/games/{client.player('Ana').post('/v1/games', body)['id']}"
    wait_for(lambda: client.get(url)["status"] == "ended")
    return {**client.get(url), "course": client.get(f"{url}/scores?limit=1000")["scores"]}


def cells(page: Page, name: str) -> list[list[str]]:
    rows = page.get_by_role("region", name=name, exact=True).get_by_role("row").all()
    return [row.get_by_role("cell").all_inner_texts() for row in rows[1:]]


def test_the_sides_stand_beside_each_other_with_what_decided(visitor: Visitor, game: Json) -> None:
    page = visitor.page
    visitor.go(f"/games/{game['id']}")
    page.get_by_role("region", name="Result").get_by_role("link", name="Score sheet").click()
    sheet = page.get_by_role("region", name="Score sheet", exact=True).first
    expect(sheet.get_by_role("heading")).to_be_in_viewport()
    scores = {one["side"]: one["score"] for one in game["result"]["standings"]}
    told = [scores[one["side"]] for one in game["standings"]]
    lines = [[int(cell) for cell in row] for row in cells(page, "Score sheet")]
    assert lines[-1] == told
    assert [sum(column) for column in zip(*lines[:-1], strict=True)] == told
    first, second, *_ = told
    said = sheet.get_by_role("paragraph").inner_text()
    assert (f"by {first - second} point" in said) == (first > second), said
    judge(page, "score sheet")


def test_the_lead_and_its_turning_points_lead_to_their_events(visitor: Visitor, game: Json) -> None:
    page, course = visitor.page, game["course"]
    visitor.go(f"/games/{game['id']}")
    expect(page.get_by_role("img", name=LEAD)).to_be_visible()
    page.locator(".after-game").get_by_text("The same as a table").click()
    rows = cells(page, LEAD)
    assert [[int(cell.split(" ")[0]) for cell in row] for row in rows] == [
        entry["scores"] for entry in course
    ]
    turns = page.get_by_role("region", name="Turning points").get_by_role("listitem")
    seqs = [int(re.findall(r"\d+", turn.inner_text())[0]) for turn in turns.all()]
    assert seqs == sorted(seqs)
    assert set(seqs) <= {entry["seq"] for entry in course}
    turns.first.get_by_role("link").click()
    expect(page.locator(".table")).to_have_attribute("data-shown", str(seqs[0]))
    moment = page.get_by_label(f"A link to event {seqs[0]}, which is shown now")
    expect(moment).to_have_value(f"http://127.0.0.1:{visitor.port}/games/{game['id']}#v={seqs[0]}")
    page.locator(".after-game svg .hit").click()  # in the middle of the game
    expect(page.locator(".table")).not_to_have_attribute("data-shown", str(seqs[0]))


def test_links_and_the_tag_name_the_game(visitor: Visitor, game: Json) -> None:
    page, here = visitor.page, f"http://127.0.0.1:{visitor.port}"
    visitor.go(f"/games/{game['id']}")
    expect(page.get_by_label("A link to this game")).to_have_value(f"{here}/games/{game['id']}")
    tag = f'<lonja-game service="{here}" game="{game["id"]}"></lonja-game>'
    expect(page.locator(".share code")).to_have_text(tag)
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]  # a dict of its keys
    assert page.evaluate(WIDEST) <= PHONE["width"]
