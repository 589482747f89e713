"""The page of a bot account: what its owner says, and the record that follows from its games."""

import re

from playwright.sync_api import Browser, expect

from tests.client.services import Service
from tests.client.test_axe import judge
from tests.client.test_people import fits_every_screen
from tests.client.visitors import Visitor
from tests.faults.people import Client
from tests.running import wait_for

SAYS = {
    "name": "Robbie", "version": "1.0", "author": "Ana & Co", "page": "https://example.org/robbie",
    "takes": [{"ruleset": "pig", "seats": [2, 3]}], "concurrency": 3,
}  # fmt: skip


def lose_as(bot: Client) -> None:
    """Resign in a game against a bot of the service."""
    seats = [{"holder": "open"}, {"holder": "bot", "bot": "random"}]
    table = Client(bot.port).player().post("/v1/games", {"ruleset": "pig", "seats": seats})["id"]
    assert bot.ask("PUT", f"/v1/games/{table}/seats/0").status == 200
    assert bot.ask("POST", f"/v1/games/{table}/resignations", {"seat": 0}).status == 201
    wait_for(lambda: bot.is_over(f"/v1/games/{table}"))


def test_it_tells_who_owns_it_and_how_each_version_played(
    browser: Browser, service: Service
) -> None:
    ana = Client(service.port).player("Ana")
    made = ana.post("/v1/players/me/bots", SAYS)
    bot = ana.known_as(made["key"], made["id"])
    lose_as(bot)
    assert ana.ask("PATCH", f"/v1/players/me/bots/{bot.id}", {"version": "1.1"}).status == 200
    lose_as(bot)
    lose_as(bot)
    with Visitor.at(browser, service.port, locale="es") as visitor:
        page = visitor.page
        visitor.go(f"/players/{bot.id}")
        about = page.get_by_role("region", name="Sobre este bot")
        expect(about.get_by_role("link", name="Ana", exact=True)).to_have_attribute(
            "href", f"/players/{ana.id}"
        )
        own = about.get_by_role("link", name="https://example.org/robbie")
        expect(own).to_have_attribute("rel", "noreferrer nofollow")
        for fact in (
            "Ahora no está aquí.",
            "1.1 · desde",
            "Ana & Co",
            "2 o 3 jugadores",
            "nadie lo comprueba",
        ):
            expect(about).to_contain_text(fact)
        record = page.get_by_role("region", name="Historial").get_by_role("row")
        expect(record.nth(1)).to_contain_text(re.compile(r"^1\.1.*22 ?0 \(0.%\)$"))
        expect(record.nth(2)).to_contain_text(re.compile(r"^1\.0.*21 ?0 \(0.%\)$"))
        expect(page.get_by_role("heading", name="Clasificación")).to_have_count(0)
        page.get_by_text("Las 2 versiones").click()
        judge(page, "a bot")
        fits_every_screen(page)
