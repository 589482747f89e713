"""A tournament that a host opens for entries on the page, and an owner who enters a bot there."""

from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.client.services import Service
from tests.client.test_axe import judge
from tests.client.test_people import fits_every_screen
from tests.client.visitors import Visitor
from tests.faults.people import Client
from tests.faults.test_strangers import STRANGER, stranger
from tests.running import wait_for

SAYS = {"name": "Strange", "version": "1", "takes": [{"ruleset": "sealed", "seats": [2]}]}


def opened(visitor: Visitor) -> str:
    """Hold a tournament for one bot of the service and one of an owner; return its path."""
    page = visitor.page
    visitor.go("/tournaments")
    page.locator("summary", has_text="Hold a tournament").click()
    form = page.locator("form.hold")
    form.locator("select").first.select_option("sealed")
    form.get_by_label("Owners may enter their bots").check()
    form.get_by_role("button", name="Remove entry 2").click()
    form.get_by_label("Entries at most, with yours").fill("2")
    form.get_by_label("Games, at least").fill("200")
    expect(form.get_by_role("status")).to_contain_text("with all places taken")
    judge(page, "the form")
    form.get_by_role("button", name="Hold it").click()
    page.wait_for_url("**/tournaments/t*")
    expect(page.locator(".cup-head")).to_contain_text("1 of 2 places are taken")
    expect(page.get_by_role("region", name="Your bots")).to_have_count(0)
    return page.url.removeprefix(visitor.url)


def test_a_host_opens_a_tournament_and_an_owner_enters_a_bot_and_withdraws_it(
    browser: Browser, service: Service, visitor: Visitor, tmp_path: Path
) -> None:
    path = opened(visitor)
    program = tmp_path / "stranger.py"
    program.write_text(STRANGER)
    bea = Client(service.port).player("Bea")
    bot = bea.post("/v1/players/me/bots", SAYS)
    bea.post("/v1/players/me/bots", {**SAYS, "name": "Other", "takes": [
        {"ruleset": "sealed", "seats": [3]},
    ]})  # fmt: skip
    with Visitor.at(browser, service.port, locale="es") as owner:
        page = owner.page
        owner.come_as(bea)
        owner.go(path)
        own = page.get_by_role("region", name="Tus bots")
        expect(own.locator("option")).to_have_text(["Strange 1 · no está a la escucha"])
        own.get_by_role("button", name="Inscribir mi bot").click()
        expect(own.get_by_role("alert")).to_contain_text("bot_absent")
        owner.faults.clear()  # the browser told of the refusal
        fits_every_screen(page)
        with stranger(program, service.port, bot["key"]):
            wait_for(lambda: bea.get(f"/v1/bots/{bot['id']}")["present"])
            own.get_by_role("button", name="Inscribir mi bot").click()
            expect(own).to_contain_text("Strange juega su partida de validación")
            expect(own.get_by_role("link", name="Ver la partida")).to_be_visible()
            judge(page, "a validation game")
            expect(own.get_by_role("status").first).to_have_text("Strange está inscrito.")
            expect(visitor.page.locator(".cup")).to_have_attribute("data-status", "running")
            own.get_by_role("button", name="Retirar Strange").click()
            own.get_by_role("button", name="Sí").click()
            expect(page.locator(".cup")).to_contain_text("Se retiró a Strange")
            expect(own.get_by_role("button")).to_have_count(0)
        expect(page.locator(".cup")).to_have_attribute("data-status", "ended")
