"""What a bot makes of a finished game, asked for and read beside the replay."""

import re

from playwright.sync_api import expect

from service.catalogue.bots import HEAVY
from tests.client.services import EXTRA, Service
from tests.client.test_table import bots_game
from tests.client.visitors import Visitor
from tests.faults.people import Client
from tests.running import environment, process

MEASURED = re.compile(r"[+-]?[\d.]+ ± [\d.]+")


def test_whoever_has_a_name_has_a_game_analysed_and_goes_by_it(
    visitor: Visitor, service: Service
) -> None:
    game, page = bots_game(visitor.port), visitor.page
    panel = page.get_by_role("region", name="Analysis")
    visitor.come_as(Client(visitor.port).player("Ana"))
    visitor.go(f"/games/{game}")
    table = page.locator(".table")
    expect(table).to_have_attribute("data-status", "ended", timeout=60_000)
    panel.get_by_role("button", name="Analyse the game").click()
    expect(panel.get_by_role("status")).to_contain_text("waits for its turn")
    graph = panel.get_by_role("img", name="How far each seat gets ahead")
    env = environment(service.redis_url, **EXTRA)
    with process("-m", "workers.worker", "--queue", HEAVY, env=env):
        expect(graph).to_be_visible()

    graph.locator(".hit").click()
    expect(table).not_to_have_attribute("data-shown", table.get_attribute("data-newest") or "")
    panel.get_by_text("The same as a table").click()
    rows = panel.get_by_role("region", name="How far each seat gets ahead").get_by_role("row")
    found = Client(visitor.port).get(f"/v1/games/{game}/analysis")["result"]
    expect(rows).to_have_count(len(found["expected"]) + 1)
    luck = panel.get_by_role("region", name="Luck, and what moves cost").get_by_role("row")
    for row in range(1, len(found["seats"]) + 1):
        expect(luck.nth(row).get_by_role("cell")).to_have_text([MEASURED, MEASURED])

    costly = [seq for seat in found["seats"] for seq in seat["costly"]]
    at = costly[0] if costly else found["decisions"][0]["seq"]
    moved = next(one for one in found["decisions"] if one["seq"] == at)
    if costly:
        panel.get_by_role("link", name=f"Event {at}", exact=True).click()
    else:
        visitor.go(f"/games/{game}#v={at}")
    expect(table).to_have_attribute("data-shown", str(at))
    expect(panel.locator(".here")).to_contain_text(moved["words"]["en"]["played"])
