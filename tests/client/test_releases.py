"""A page that stays open while the service is upgraded."""

import re

from playwright.sync_api import Locator, Route, expect

from tests.client.positions import Tables
from tests.client.visitors import Visitor

VERSION = re.compile(r"\?v=[0-9a-f]{12}")
FORMER = f"?v={'0' * 12}"


def former(route: Route) -> None:
    """Make the page and its parts link to the versions of an earlier release."""
    url = route.request.url
    if route.request.resource_type != "document" and "/static/app/" not in url:
        return route.fallback()
    told = route.fetch(url=VERSION.sub("", url))
    headers = {**told.headers, "etag": '"former"'}
    return route.fulfill(response=told, headers=headers, body=VERSION.sub(FORMER, told.text()))


def come(visitor: Visitor, path: str) -> None:
    """Open a page of the earlier release, then upgrade to the present release."""
    visitor.page.route("**/*", former)
    visitor.go(path)
    visitor.page.wait_for_load_state("networkidle")
    visitor.page.unroute("**/*")
    visitor.page.evaluate("document.documentElement.dataset.former = 'yes'")


def former_page(visitor: Visitor) -> Locator:
    return visitor.page.locator("html[data-former]")


def missed(visitor: Visitor) -> None:
    """Check that only requests for parts of the earlier release failed."""
    assert visitor.faults != []
    visitor.faults.clear()


def test_a_room_that_was_not_loaded_yet_is_that_of_the_new_release(visitor: Visitor) -> None:
    come(visitor, "/")
    visitor.page.click("nav a[href='/settings']")
    expect(former_page(visitor)).to_have_count(0)
    expect(visitor.page.locator("main h1")).to_be_visible()
    assert visitor.page.url == f"{visitor.url}/settings"
    missed(visitor)


def test_a_page_that_cannot_go_on_says_so_and_is_loaded_again(
    visitor: Visitor, tables: Tables
) -> None:
    come(visitor, "/lobby")
    visitor.turn_to(tables["pig"].path + "#check")
    told = visitor.page.locator(".checking .failed")
    expect(told).to_contain_text("newer release")
    assert former_page(visitor).count() == 1, "nobody is torn from what they look at"
    missed(visitor)
    told.get_by_role("button").click()
    expect(former_page(visitor)).to_have_count(0)
    expect(visitor.page.locator("[data-checked]")).to_be_visible()


def test_a_board_that_was_not_loaded_yet_is_drawn_with_what_the_page_has(
    visitor: Visitor, tables: Tables
) -> None:
    visitor.sit(tables["ragusa"].ana)
    come(visitor, "/lobby")
    visitor.turn_to(tables["ragusa"].path)
    visitor.wait()
    visitor.check_board()
    assert former_page(visitor).count() == 1
    # A part of the lobby that the page asks for late is gone, too.
    visitor.faults[:] = [fault for fault in visitor.faults if FORMER not in fault]
