"""Visitors with different needs and screens."""

import re

from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.client.services import Service
from tests.client.visitors import Visitor
from tests.faults.people import Client

PHONE: ViewportSize = {"width": 360, "height": 740}
SCREENS: tuple[ViewportSize, ...] = (
    PHONE,
    {"width": 800, "height": 1000},
    {"width": 1400, "height": 900},
)
WRONG_CLOCK = """hours => {
    const Right = Date;
    const now = () => Right.now() + hours * 3600 * 1000;
    Date = class extends Right {
        static now() { return now(); }
        constructor(...given) { super(...(given.length ? given : [now()])); }
    };
}"""
FITS = "width => document.documentElement.scrollWidth <= width"


def fits_every_screen(page: Page) -> None:
    """Check that nothing is wider than the screen, from a phone's on."""
    for screen in SCREENS:
        page.set_viewport_size(screen)
        page.wait_for_function(FITS, arg=screen["width"])


def test_nothing_is_wider_than_the_screen(visitor: Visitor) -> None:
    page = visitor.page
    for path in ("/", "/lobby", "/settings", "/you", "/rules/ragusa", "/tournaments"):
        page.set_viewport_size(PHONE)
        visitor.go(path)
        page.wait_for_load_state("networkidle")
        fits_every_screen(page)
    page.set_viewport_size(PHONE)
    visitor.go("/")
    page.get_by_role("listitem").filter(has_text="Macao").get_by_role(
        "button", name="Play now"
    ).click()
    page.wait_for_selector(".board-sheet")
    fits_every_screen(page)


def test_the_longest_names_fit_on_a_phone(browser: Browser, service: Service) -> None:
    names = ("W" * 60, "Maximiliana Bartholomea von Habsburg-Lothringen", "龍" * 60)
    people = [Client(service.port).player(name) for name in names]
    wide, *others = people
    seats = [{"holder": "me"}, *({"holder": "open"} for _ in others)]
    game = wide.post("/v1/games", {"ruleset": "manila", "seats": seats})["id"]
    for seat, other in enumerate(others, 1):
        other.ask("PUT", f"/v1/games/{game}/seats/{seat}", {"holder": "me"})
    with Visitor.at(browser, service.port, viewport=PHONE) as visitor:
        visitor.come_as(wide)
        shown = {
            f"/games/{game}": ".seats li a",
            "/games": ".rows .who",
            f"/players/{wide.id}": ".rows .status",
            "/you": ".account .lead",
        }
        for path, last in shown.items():
            visitor.go(path)
            visitor.page.wait_for_selector(last)
            visitor.page.wait_for_function(FITS, arg=PHONE["width"])


def test_the_time_left_is_right_on_a_machine_whose_clock_is_wrong(
    browser: Browser, service: Service
) -> None:
    player = Client(service.port).player()
    seats = [{"holder": "me"}, {"holder": "me"}]
    table = {"ruleset": "pig", "seats": seats, "clock": {"decision_seconds": 600}}
    game = player.post("/v1/games", table)["id"]
    for hours in (5, -5):
        with Visitor.at(browser, service.port) as visitor:
            visitor.page.add_init_script(f"({WRONG_CLOCK})({hours})")
            visitor.come_as(player)
            visitor.go(f"/games/{game}")
            clock = visitor.page.locator(".questions .clock")
            expect(clock).to_have_text(re.compile("time left ([4-9]|10):[0-9]{2}"))


def test_what_another_tab_has_chosen_stays(visitor: Visitor) -> None:
    page = visitor.page
    visitor.go("/settings")
    sound = page.get_by_label("A sound when it is your turn")
    expect(sound).not_to_be_checked()
    other = page.context.new_page()
    other.goto(f"{visitor.url}/settings")
    other.get_by_label("Colours").select_option("dark")
    expect(page.get_by_label("Colours")).to_have_value("dark")
    sound.check()
    other.reload()
    expect(other.get_by_label("Colours")).to_have_value("dark")
