"""Finding players in the lobby: one waits, and comes to the table when somebody seeks the same."""

import re

from playwright.sync_api import Browser, expect

from tests.client.services import Service
from tests.client.test_axe import judge
from tests.client.visitors import Visitor
from tests.faults.people import Client

MINUTE = {"decision_seconds": 60}


def test_a_visitor_waits_for_others_and_plays(browser: Browser, service: Service) -> None:
    bob, eve = (Client(service.port).player(name) for name in ("Bob", "Eve"))
    sought = eve.post("/v1/seeks", {"ruleset": "pig", "seats": 4, "clock": MINUTE})["id"]
    with Visitor.at(browser, service.port, locale="es") as visitor:
        page = visitor.page
        visitor.go("/lobby#pig")
        waiting = page.get_by_role("region", name="Quién espera jugadores")
        expect(waiting).to_contain_text("Eve")
        expect(waiting).to_contain_text("4 jugadores · 1 minuto por decisión")
        page.get_by_text("Buscar jugadores").first.click()
        form = page.locator("details", has_text="Buscar jugadores").first
        form.get_by_label("Tiempo para pensar").select_option("60")
        form.get_by_label(re.compile("^Con")).select_option("people")
        form.get_by_label("al menos").fill("1400")
        judge(page, "the form")
        form.get_by_role("button", name="Buscar jugadores").click()
        own = page.get_by_role("status")
        expect(own).to_contain_text("Esperando a otros:")
        expect(own).to_contain_text(
            "2 jugadores · 1 minuto por decisión · solo personas · clasificación desde 1400"
        )
        judge(page, "waiting")
        own.get_by_role("button", name="Dejar de esperar").click()
        expect(own).to_have_count(0)
        assert [one["seats"] for one in bob.get("/v1/seeks")["seeks"]] == [4]

        page.get_by_text("Buscar jugadores").first.click()
        form.get_by_role("button", name="Buscar jugadores").click()
        expect(own).to_contain_text("Esperando a otros:")
        page.reload()
        expect(own).to_contain_text("Esperando a otros:")
        visitor.turn_to("/rules")
        bob.post("/v1/seeks", {"ruleset": "pig", "seats": 2, "clock": MINUTE})
        expect(page).to_have_url(re.compile("/games/g"))
    assert eve.ask("DELETE", f"/v1/seeks/{sought}").status == 204


def test_a_visitor_joins_who_waits(browser: Browser, service: Service) -> None:
    bob = Client(service.port).player("Bob")
    made = bob.post("/v1/seeks", {"ruleset": "pig", "seats": 2, "clock": MINUTE})
    with Visitor.at(browser, service.port) as visitor:
        visitor.go("/lobby")
        visitor.page.get_by_role("button", name="Join: Bob").click()
        expect(visitor.page).to_have_url(re.compile("/games/g"))
    assert bob.get(f"/v1/seeks/{made['id']}")["status"] == "matched"
