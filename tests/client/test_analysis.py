"""The analysis of a finished game: requested on the page, and read beside the replay."""

import re

from playwright.sync_api import expect

from service.catalogue.bots import HEAVY
from tests.client.services import EXTRA, Service
from tests.client.test_axe import judge
from tests.client.visitors import WIDEST, Visitor
from tests.faults.people import Client, Json
from tests.running import environment, process

MEASURED = re.compile(r"[+-]?[\d.]+ ± [\d.]+")
GRAPH = "How far each seat gets ahead"
PHONE = {"width": 360, "height": 740}
SEATS = [{"holder": "bot", "bot": "lookahead"}, {"holder": "bot", "bot": "random"}]


def open_game(ana: Client) -> str:
    body: Json = {"ruleset": "pig", "options": {"target": 30}, "seats": SEATS}
    return str(ana.post("/v1/games", body)["id"])


def test_a_finished_game_is_analysed_and_gone_through_by_it(
    visitor: Visitor, service: Service
) -> None:
    page, ana = visitor.page, Client(visitor.port).player("Ana")
    game = open_game(ana)
    visitor.come_as(ana)
    visitor.go(f"/games/{game}")
    table, panel = page.locator(".table"), page.get_by_role("region", name="Analysis")
    expect(table).to_have_attribute("data-status", "ended")
    panel.get_by_role("button", name="Analyse the game").click()
    expect(panel.get_by_role("status")).to_contain_text("waits for its turn")
    env = environment(service.redis_url, **EXTRA)
    with process("-m", "workers.worker", "--queue", HEAVY, env=env):
        expect(panel.get_by_role("img", name=GRAPH)).to_be_visible()
    found = ana.get(f"/v1/games/{game}/analysis")["result"]

    panel.get_by_text("The same as a table").click()
    rows = panel.get_by_role("region", name=GRAPH).get_by_role("row")
    expect(rows).to_have_count(len(found["expected"]) + 1)
    luck = panel.get_by_role("region", name="Luck, and what moves cost").get_by_role("row")
    for row in (1, 2):
        expect(luck.nth(row).get_by_role("cell")).to_have_text([MEASURED, MEASURED])
    listed = [seq for seat in found["seats"] for seq in seat["costly"][:5]]
    expect(panel.locator(".costliest li")).to_have_count(len(listed))
    expect(panel.locator("svg .costly")).to_have_count(len(listed))

    newest = table.get_attribute("data-newest") or ""
    panel.locator("svg .hit").click()  # while it is in progress
    expect(table).not_to_have_attribute("data-shown", newest)
    moved = found["decisions"][-1]
    rows.get_by_role("link", name=str(moved["seq"]), exact=True).click()
    expect(table).to_have_attribute("data-shown", str(moved["seq"]))
    expect(panel.locator(".here")).to_contain_text(moved["words"]["en"]["played"])
    judge(page, "analysis")
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]  # a dict of its keys
    assert page.evaluate(WIDEST) <= PHONE["width"]


def test_what_a_bot_thought_is_read_at_its_move(visitor: Visitor) -> None:
    page, ana = visitor.page, Client(visitor.port).player("Ana")
    game = open_game(ana)
    visitor.go(f"/games/{game}")
    expect(page.locator(".table")).to_have_attribute("data-status", "ended")
    events = ana.get(f"/v1/games/{game}/events?limit=1000")["events"]
    chosen, thoughts = next(
        (event, candidates)
        for event in reversed(events)
        if event["by"].get("seat") == 0
        and (candidates := event["body"]["bot"]["thoughts"].get("candidates"))
    )
    visitor.go(f"/games/{game}#v={chosen['seq']}")
    page.get_by_text("What Marco thought").click()
    rows = page.get_by_role("region", name="What Marco thought").get_by_role("row")
    expect(rows).to_have_count(len(thoughts) + 1)
    expect(rows.filter(has_text="(played)")).to_have_count(1)
    visits = [f"{candidate['visits']}" for candidate in thoughts]
    for row, visit in zip(rows.all()[1:], visits, strict=True):
        expect(row.get_by_role("cell").first).to_have_text(visit)
