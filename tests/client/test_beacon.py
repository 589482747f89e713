"""A table with a beacon on the page: it is opened, waits for its round, and says what is known."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.beacons import CHAIN
from tests.client.services import Service, serving
from tests.client.visitors import Visitor
from tests.relay import Relay, offered

OWN = CHAIN._replace(period=1)


@pytest.fixture(scope="module")
def offering(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service that offers a beacon."""
    folder = tmp_path_factory.mktemp("offering")
    with (
        Relay(own=OWN) as relay,
        serving(folder, LONJA_BEACONS=str(offered(folder, relay.url, own=OWN))) as service,
    ):
        yield service


def open_table(page: Page, choice: str, late: tuple[str, str], button: str) -> None:
    """Open a table with a beacon with the form of the lobby."""
    form = page.locator("form.form").filter(has=page.locator(".seats-form"))
    form.get_by_label(choice).check()
    form.get_by_label(late[0]).select_option(label=late[1])
    expect(form.locator("a[href='/docs/proving#what-a-beacon-leaves-open']")).to_be_visible()
    form.get_by_role("button", name=button).click()
    page.wait_for_url("**/games/*")


def test_a_table_waits_for_its_round_and_says_so(browser: Browser, offering: Service) -> None:
    with Visitor.at(browser, offering.port) as visitor:
        page = visitor.page
        visitor.go("/lobby#pig")
        late = "If the beacon is late", "the game begins without it"
        open_table(page, "A public beacon goes into the luck", late, "Open the table")
        beacon = page.locator("[data-beacon]")
        waits = re.compile(r"waits for round \d+ of the beacon [0-9a-f]{16}…, which is out at")
        expect(beacon).to_contain_text(waits)
        expect(beacon).to_contain_text("the game begins without it")
        expect(beacon).to_contain_text("still foresees the luck")
        game = visitor.client().get(f"/v1/games/{visitor.game}")
        assert game["beacon"]["late"] == "start"
        assert game["seats"][0]["entropy"]["commitment"]
        went = re.compile(rf"Round {game['beacon']['round']} of the beacon .* went into the luck")
        expect(beacon).to_contain_text(went)
        expect(page.locator("[data-entropy=given]")).to_contain_text("was given by")


def test_in_spanish_too(browser: Browser, offering: Service) -> None:
    with Visitor.at(browser, offering.port, locale="es") as visitor:
        page = visitor.page
        visitor.go("/lobby#pig")
        late = "Si el faro llega tarde", "la partida se cancela"
        open_table(page, "Un faro público entra en la suerte", late, "Abrir la mesa")
        expect(page.locator("[data-beacon]")).to_contain_text("La suerte espera a la ronda")


def test_where_there_is_none_no_table_can_have_one(visitor: Visitor) -> None:
    visitor.go("/lobby#pig")
    form = visitor.page.locator("form.form").filter(has=visitor.page.locator(".seats-form"))
    expect(form.get_by_label("Players sign their moves")).to_be_visible()
    visitor.page.wait_for_load_state("networkidle")
    expect(form.get_by_label("A public beacon")).to_have_count(0)
