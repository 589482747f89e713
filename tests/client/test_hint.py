"""A hint at the table: asked for below the question, read, taken, and out of date later."""

from playwright.sync_api import expect

from tests.client.test_axe import judge
from tests.client.visitors import WIDEST, Visitor
from tests.faults.people import Client, Json

ASK = "What would Marco do?"
PHONE = {"width": 360, "height": 640}
BOT = {"holder": "bot", "bot": "greedy"}


def opened(ana: Client, ruleset: str, *others: Json, **more: object) -> str:
    """Open a table with Ana and others, and return its path."""
    seats = [{"holder": "me"}, *others]
    body: Json = {"ruleset": ruleset, "seats": seats, **more}
    return f"/games/{ana.post('/v1/games', body)['id']}"


def test_a_hint_is_asked_for_read_and_followed(visitor: Visitor) -> None:
    page, ana = visitor.page, Client(visitor.port).player("Ana")
    path = opened(ana, "macao", BOT)
    visitor.come_as(ana)
    visitor.go(path)
    page.get_by_role("button", name=ASK).click()
    hint = page.get_by_role("region", name=ASK)
    expect(hint.get_by_role("status")).to_contain_text("Marco would do this: ")
    found = ana.get(f"/v1{path}/hint")["result"]["moves"]
    moves = hint.get_by_role("listitem")
    expect(moves.locator("span")).to_have_text([move["label"] for move in found])
    expect(moves.first).to_contain_text("the mean of the others")
    expect(page.get_by_role("button", name=ASK)).to_have_count(0)
    judge(page, "hint")
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]  # a dict of its keys
    assert page.evaluate(WIDEST) <= PHONE["width"]
    hint.get_by_role("button", name="Close the hint").click()
    expect(hint).to_have_count(0)
    page.get_by_role("button", name=ASK).click()  # it is there already
    moves.nth(1).get_by_role("button").click()
    page.locator("[data-confirm]").click()
    expect(page.locator(".hint")).to_have_count(0)
    played = [
        event["body"]["move"]
        for event in ana.get(f"/v1{path}/events?limit=200")["events"]
        if event["kind"] == "moved" and event["by"]["seat"] == 0
    ]
    assert played == [found[1]["move"]]


def test_a_table_with_others_has_no_hint(visitor: Visitor) -> None:
    page, ana = visitor.page, Client(visitor.port).player("Ana")
    path = opened(ana, "ragusa", {"holder": "open"})
    assert Client(visitor.port).player("Bea").ask("PUT", f"/v1{path}/seats/1").status == 200
    visitor.come_as(ana)
    visitor.go(path)
    visitor.wait()
    expect(page.locator(".besides")).to_be_attached()
    expect(page.get_by_role("button", name=ASK)).to_have_count(0)


def test_where_the_table_has_hints_the_log_says_who_asks(visitor: Visitor) -> None:
    page, people = visitor.page, Client(visitor.port)
    ana, bea = people.player("Ana"), people.player("Bea")
    path = opened(ana, "ragusa", {"holder": "open"}, hints=True)
    assert bea.ask("PUT", f"/v1{path}/seats/1").status == 200
    visitor.come_as(ana)
    visitor.go(path)
    visitor.wait()
    expect(page.locator(".besides")).to_contain_text("All at the table see that you ask")
    page.get_by_role("button", name=ASK).click()
    hint = page.get_by_role("region", name=ASK)
    expect(hint.get_by_role("listitem").first).to_be_visible()
    expect(page.locator(".log")).to_contain_text("asks for a hint")
    hint.get_by_role("listitem").first.get_by_role("button").click()
    page.locator("[data-confirm]").click()
    expect(hint.get_by_role("status")).to_have_text(
        "The game has gone on: the hint was for an earlier question."
    )
    kinds = [each["kind"] for each in ana.get(f"/v1{path}/events?limit=200")["events"]]
    assert kinds.count("hinted") == 1
    assert kinds.index("hinted") < kinds.index("moved")
