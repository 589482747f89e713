"""The page of the player's account: keys, refused requests, webhooks, stored data, and leaving."""

import re
from collections.abc import Iterator
from pathlib import Path

import orjson
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.client.services import Service
from tests.client.test_axe import judge
from tests.client.visitors import Visitor
from tests.faults.people import Client, Json
from tests.receiver import Receiver

KEYS = "/v1/players/me/keys"
HOOKS = "/v1/players/me/webhooks"
PIG = {"ruleset": "pig", "seats": [{"holder": "me"}, {"holder": "open"}]}


@pytest.fixture
def ana(service: Service) -> Client:
    return Client(service.port).player()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver() as receiver:
        yield receiver


def bot_of(somebody: Client) -> Client:
    made = somebody.post(KEYS, {"name": "my bot", "scope": "play", "days": 30})
    return somebody.known_as(made["key"], somebody.id)


def section(page: Page, name: str) -> Locator:
    return page.get_by_role("region", name=name)


def names(somebody: Client) -> list[str]:
    return [key["name"] for key in somebody.get(KEYS)["keys"]]


def open_game(ana: Client) -> str:
    """Start a game between Ana and another player, and return its path."""
    game = f"/v1/games/{ana.post('/v1/games', PIG)['id']}"
    bob = Client(ana.port).player("Bob")
    assert bob.ask("PUT", f"{game}/seats/1", {"holder": "me"}).status == 200
    return game


def test_keys_are_listed_with_what_was_refused_and_are_revoked_and_made(
    visitor: Visitor, ana: Client
) -> None:
    bot, page = bot_of(ana), visitor.page
    ana.post(f"{open_game(ana)}/seats/0/keys", {"name": "my board"})
    assert bot.ask("POST", "/v1/games", {}).status == 403
    assert bot.ask("GET", "/v1/game").status == 404
    visitor.sit(ana)
    visitor.go("/you")
    keys = section(page, "Keys")
    own, bots = (keys.locator(".owned > li").nth(nth) for nth in range(2))
    expect(own).to_contain_text("everything this browser")
    expect(own.get_by_role("button", name="Revoke")).to_have_count(0)
    expect(bots).to_contain_text(re.compile("my bot looking and playing.*Made.*Last used.*until"))
    keys.get_by_text("1 key for one seat").click()
    expect(keys.locator(".owned > li")).to_have_count(3)
    expect(keys.get_by_role("link", name="a game")).to_have_attribute("href", re.compile("/games/"))

    bots.get_by_text("Refused requests").click()
    newest, oldest = (bots.locator(".attempts > li").nth(nth) for nth in range(2))
    expect(newest).to_contain_text(re.compile("GET /v1/game404 not_found: there is nothing at"))
    expect(oldest).to_contain_text("POST /v1/games")
    link = oldest.get_by_role("link", name="insufficient_scope")
    expect(link).to_have_attribute("href", "/docs/problems/insufficient_scope")
    assert bot.ask("GET", "/v1/players/p-none").status == 404
    bots.get_by_role("button", name="Look again").click()
    expect(bots.locator(".attempts > li")).to_have_count(3)

    revoke = bots.get_by_role("button", name="Revoke my bot")
    revoke.focus()
    page.keyboard.press("Enter")
    question = bots.get_by_role("group", name="Revoke “my bot”?")
    expect(question).to_be_focused()
    page.keyboard.press("Escape")
    expect(revoke).to_be_focused()
    page.keyboard.press("Enter")
    expect(question).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(keys.get_by_role("status")).to_have_text("“my bot” is revoked.")
    expect(keys.get_by_role("heading")).to_be_focused()
    expect(keys.get_by_text("my bot", exact=True)).to_have_count(0)
    assert names(ana) == ["first", "my board"]
    assert bot.ask("GET", "/v1/players/me").status == 401

    keys.get_by_text("Make a key").click()
    keys.get_by_label("What it is for").fill("a screen")
    keys.get_by_label("What it opens").select_option("Only looking")
    keys.get_by_label("For how long").select_option("30 days")
    keys.get_by_role("button", name="Make", exact=True).press("Enter")
    expect(keys.get_by_role("group", name="a screen")).to_be_focused()
    text = keys.get_by_label("a screen").get_by_role("textbox").input_value()
    screen = ana.known_as(text, ana.id).get("/v1/players/me")["key"]
    assert (screen["scope"], screen["expires_at"] is None) == ("read", False)
    keys.get_by_role("button", name="I have it").click()
    expect(keys.locator(".owned > li", has_text="a screen")).to_contain_text("looking")
    assert text not in page.content(), "it is shown once"


def test_a_webhook_is_made_tested_and_sends_again_what_failed(
    visitor: Visitor, ana: Client, receiver: Receiver
) -> None:
    page = visitor.page
    visitor.sit(ana)
    visitor.go("/you")
    hooks = section(page, "Webhooks")
    expect(hooks).to_contain_text("You have none.")
    hooks.get_by_text("Make a webhook").click()
    hooks.get_by_label("Address").fill(receiver.url)
    hooks.get_by_label("A game of yours is over").uncheck()
    hooks.get_by_role("button", name="Make", exact=True).click()
    assert hooks.get_by_label("Secret").get_by_role("textbox").input_value().startswith("whsec_")
    hooks.get_by_role("button", name="I have it").click()
    (made,) = ana.get(HOOKS)["webhooks"]
    assert made["url"] == receiver.url
    assert {*made["events"]} == {"invited", "closed", "started", "asked", "clock_low", "declined"}

    hook = hooks.locator(".owned > li")
    expect(hook).to_contain_text("works")
    receiver.status, receiver.answer = 503, b"the database is away"
    hook.get_by_role("button", name="Send a test").click()
    attempts = hook.locator(".attempts > li")
    expect(attempts).to_have_count(1)
    expect(attempts).to_contain_text(re.compile("✗ answered 503 in .* ms ping.*attempt 1"))
    expect(attempts.locator("pre")).to_have_text("the database is away")
    expect(attempts.get_by_role("button")).to_have_count(0)  # a test message is not sent again

    receiver.status, receiver.answer = 204, b""
    open_game(ana)
    hook.get_by_role("button", name="Send a test").click()  # waiting messages follow it at once
    asked = hook.locator(".attempts > li", has_text=re.compile("✓ answered 204 in .* ms asked"))
    expect(asked).to_have_count(1)
    expect(hook).to_contain_text("works")
    before = len(receiver.sent)
    asked.get_by_role("button", name="Send again: asked").click()
    expect(hook.get_by_role("status")).to_have_text("1 message is sent again.")
    expect(asked).to_have_count(2)
    again = receiver.sent[before]
    sent = [each for each in receiver.sent[:before] if each.json["type"] == "asked"]
    assert again.headers["webhook-id"] == sent[0].headers["webhook-id"]

    hook.get_by_text("Send several again").click()
    hook.get_by_label("From").select_option(index=1)
    hook.get_by_role("button", name="Send all of these again").click()
    expect(hook.get_by_role("status")).to_have_text("2 messages are sent again.")
    expect(asked).to_have_count(3)
    expect(attempts.filter(has_text="started")).to_have_count(2)

    hook.get_by_role("button", name="Disable").click()
    expect(hook).to_contain_text("Disabled by you")
    hook.get_by_role("button", name="Enable").click()
    expect(hook).to_contain_text("works")
    hook.get_by_role("button", name="Delete").click()
    hook.get_by_role("button", name="Delete the webhook").click()
    expect(hooks.get_by_role("status").first).to_have_text("The webhook is deleted.")
    expect(hooks).to_contain_text("You have none.")
    assert ana.get(HOOKS)["webhooks"] == []
    visitor.faults.clear()  # the page may have requested its deliveries at the same moment


def test_the_data_are_saved_and_the_account_is_deleted(visitor: Visitor, ana: Client) -> None:
    page = visitor.page
    game = open_game(ana)
    visitor.sit(ana)
    visitor.go("/you")
    with page.expect_download() as download:
        section(page, "Your data").get_by_role("button").click()
    assert download.value.suggested_filename == f"lonja-{ana.id}.json"
    saved: Json = orjson.loads(Path(download.value.path()).read_bytes())
    assert saved["player"]["id"] == ana.id
    assert [each["id"] for each in saved["games"]] == [game.rpartition("/")[2]]

    page.locator("summary", has_text="Delete your account").click()
    delete = page.get_by_role("button", name="Delete your account")
    delete.click()
    page.get_by_role("button", name="Delete it for good").click()
    expect(page.get_by_role("alert")).to_contain_text("still_playing")
    link = page.get_by_role("link", name="game 1")
    expect(link).to_have_attribute("href", game.removeprefix("/v1"))
    visitor.faults.clear()  # the refused request
    page.get_by_label("Resign the games").check()
    page.add_init_script("delete localStorage['lonja:identity']")
    page.get_by_role("button", name="Delete it for good").click()
    expect(page.get_by_text("Your account is deleted")).to_be_visible()
    expect(page.get_by_label("Have you a key")).to_be_visible()
    assert ana.ask("GET", "/v1/players/me").status == 401
    assert page.evaluate("localStorage['lonja:identity']") is None


def test_a_key_that_opens_little_is_told_so(visitor: Visitor, ana: Client) -> None:
    visitor.sit(bot_of(ana))
    visitor.go("/you/")  # some people type a slash at the end
    expect(visitor.page.locator(".banner")).to_contain_text("opens only this: looking and playing")
    expect(section(visitor.page, "Keys")).to_have_count(0)
    assert visitor.page.url.endswith("/you")


@pytest.mark.parametrize(
    ("language", "colours", "width"),
    [
        pytest.param("en-GB", "light", 768, marks=pytest.mark.campaign("client")),
        ("es-ES", "dark", 390),
    ],
)
def test_all_of_it_is_accessible_and_fits(
    browser: Browser, service: Service, ana: Client, language: str, colours: str, width: int
) -> None:
    assert bot_of(ana).ask("GET", "/v1/" + "x" * 150).status == 404
    ana.post(HOOKS, {"url": "http://127.0.0.1:1/" + "y" * 90})
    context = {"viewport": {"width": width, "height": 800}, "color_scheme": colours}
    with Visitor.at(browser, service.port, locale=language, **context) as visitor:
        page = visitor.page
        visitor.sit(ana)
        visitor.go("/you")
        expect(page.locator(".owned > li")).to_have_count(3)
        first = {"en-GB": "first", "es-ES": "primera"}[language]
        expect(page.locator(".owned strong").first).to_have_text(first)
        for summary in page.locator("main summary").all():
            summary.click()
        page.get_by_role("button", name=re.compile("^(Revoke|Revocar) my bot$")).click()
        expect(page.locator(".attempts > li")).to_have_count(1)
        page.wait_for_load_state("networkidle")
        judge(page, f"/you in {language}")
        assert page.evaluate("document.documentElement.scrollWidth") == width
