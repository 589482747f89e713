"""Notifications: turned on in the account, sent by the service, and shown by the service worker."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, CDPSession, Page, expect

from tests.client.services import Service
from tests.client.visitors import PATIENCE, Visitor
from tests.conftest import BROWSERS, browser_path
from tests.faults.people import Client
from tests.pushed import PushedBrowser, identified
from tests.receiver import Receiver
from tests.running import wait_for

PUSHES = "/v1/players/me/push_subscriptions"
SUBSCRIBES = """(made) => {
    const read = () => JSON.parse(localStorage.pushed ?? 'null');
    const found = () => read() && {
        ...read(),
        toJSON: read,
        unsubscribe: async () => delete localStorage.pushed,
    };
    PushManager.prototype.getSubscription = async () => found();
    PushManager.prototype.subscribe = async ({ applicationServerKey, userVisibleOnly }) => {
        if (!userVisibleOnly) throw new Error('every message is shown');
        localStorage.pushed = JSON.stringify({ ...made, applicationServerKey });
        return found();
    };
}"""
"""What a vendor's push service answers; there is none for this browser."""
SHOWN = """async () => {
    const { active } = await navigator.serviceWorker.ready;
    const registration = await navigator.serviceWorker.getRegistration();
    const shown = await registration.getNotifications();
    return shown.map(({ title, body, lang, tag }) => ({ title, body, lang, tag }));
}"""
CLICK = """async (tag) => {
    const [notification] = await registration.getNotifications({ tag });
    const went = [];
    Clients.prototype.openWindow = async (path) => went.push(`opens ${path}`);
    WindowClient.prototype.focus = async function () {
        went.push(`shows ${new URL(this.url).pathname}`);
    };
    const event = new NotificationEvent('notificationclick', { notification });
    let done;
    event.waitUntil = (promise) => { done = promise; }; // a browser waits for its own events alone
    dispatchEvent(event);
    await done;
    return [went, (await registration.getNotifications({ tag })).length];
}"""
"""Clicks on a notification; only a person's click may open or show a window."""


@pytest.fixture(scope="module")
def browser(browser: Browser) -> Iterator[Browser]:
    """A browser with windows: only these show notifications."""
    found = browser_path(windows=True)
    if found is None:
        pytest.skip(f"none of {', '.join(BROWSERS)} is on the PATH")
    launched = browser.browser_type.launch(executable_path=found, args=["--no-sandbox"])
    yield launched
    launched.close()


@pytest.fixture
def ana(service: Service) -> Client:
    return Client(service.port).player()


@pytest.fixture
def push_service() -> Iterator[Receiver]:
    with Receiver(status=201) as receiver:
        yield receiver


@pytest.fixture
def pushed() -> PushedBrowser:
    return PushedBrowser()


@pytest.fixture
def context(
    browser: Browser, ana: Client, pushed: PushedBrowser, push_service: Receiver
) -> Iterator[BrowserContext]:
    """A browser of Ana's in which service workers run, and which may show notifications."""
    context = browser.new_context(service_workers="allow", permissions=["notifications"])
    context.set_default_timeout(1000 * PATIENCE)
    known = json.dumps(json.dumps({"id": ana.id, "name": "Ana", "key": ana.key}))
    context.add_init_script(f"sessionStorage.out ?? (localStorage['lonja:identity'] ??= {known})")
    made = pushed.subscription(push_service.url)
    del made["language"]
    context.add_init_script(f"({SUBSCRIBES})({json.dumps(made)})")
    yield context
    context.close()


def open_game(ana: Client) -> str:
    """Open a game in which it is always Ana's turn, and return its id."""
    seats = [{"holder": "me"}, {"holder": "me"}]
    return str(ana.post("/v1/games", {"ruleset": "pig", "seats": seats})["id"])


class Worker:
    """The service worker of a page, as its browser's developer tools reach it."""

    def __init__(self, page: Page) -> None:
        self._origin = page.evaluate("location.origin")
        self._session: CDPSession = page.context.new_cdp_session(page)
        found: list[Any] = []

        def hear(told: Any) -> None:  # Playwright takes no method of a list
            found.append(told)

        self._session.on("ServiceWorker.workerRegistrationUpdated", hear)
        self._session.send("ServiceWorker.enable")
        wait_for(lambda: page.evaluate("1") and any(one["registrations"] for one in found))
        self._id = next(one for one in found if one["registrations"])["registrations"][0]
        self._page = page

    def hear(self, message: Any) -> None:
        """Give the worker a message of the push service, decrypted as the browser does it."""
        asked = {"origin": self._origin, "registrationId": self._id["registrationId"]}
        data = {**asked, "data": json.dumps(message)}
        self._session.send("ServiceWorker.deliverPushMessage", data)

    def click(self, tag: str) -> Any:
        """Click on a notification; return where that leads, and how many are left."""
        return self._page.context.service_workers[0].evaluate(CLICK, tag)


def test_a_turn_is_told_by_a_notification_that_leads_to_the_table(
    context: BrowserContext,
    service: Service,
    ana: Client,
    pushed: PushedBrowser,
    push_service: Receiver,
) -> None:
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{service.port}/you")
    panel = page.get_by_role("region", name="Notifications")
    expect(panel).to_contain_text("off in this browser")
    panel.get_by_role("button", name="Turn on").click()
    expect(panel.get_by_role("status")).to_contain_text("will tell you")
    expect(panel).to_contain_text("on in this browser")
    listed = ana.get(PUSHES)
    (made,) = listed["subscriptions"]
    assert (made["endpoint"], made["language"]) == (push_service.url, "en")

    game, other = open_game(ana), open_game(ana)
    wait_for(lambda: {pushed.read(sent)["game"] for sent in push_service.sent} == {game, other})
    assert identified(push_service.sent[0], listed["application_server_key"])
    told = {one["game"]: one for one in map(pushed.read, push_service.sent)}
    worker = Worker(page)
    for _ in range(2):
        worker.hear(told[game])
    (shown,) = wait_for(lambda: page.evaluate(SHOWN))
    assert shown == {"title": "Pig", "body": "It is your turn.", "lang": "en", "tag": game}
    assert worker.click(game) == [[f"opens /games/{game}"], 0]

    table = context.new_page()
    table.goto(f"http://127.0.0.1:{service.port}/games/{game}")
    expect(table.locator(".table")).to_be_visible()
    worker.hear(told[game])
    worker.hear(told[other])
    wait_for(lambda: page.evaluate(SHOWN))
    assert [one["tag"] for one in page.evaluate(SHOWN)] == [other], "who looks at it needs none"
    table.evaluate("history.pushState(null, '', '/lobby')")
    worker.hear(told[game])
    wait_for(lambda: len(page.evaluate(SHOWN)) == 2)
    table.evaluate(f"history.pushState(null, '', '/games/{game}')")
    assert worker.click(game) == [[f"shows /games/{game}"], 0]

    panel.get_by_role("button", name="Turn off").click()
    expect(panel).to_contain_text("off in this browser")
    assert ana.get(PUSHES)["subscriptions"] == []
    panel.get_by_role("button", name="Turn on").click()
    expect(panel).to_contain_text("on in this browser")
    page.evaluate("sessionStorage.out = 'yes'")
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("button", name="Yes").click()
    wait_for(lambda: page.evaluate("localStorage.pushed === undefined"))


@pytest.mark.parametrize(
    ("script", "text"),
    [
        ("delete globalThis.PushManager", "This browser cannot show notifications"),
        (
            "Object.defineProperty(Notification, 'permission', {get: () => 'denied'})",
            "You have blocked notifications",
        ),
    ],
)
def test_a_browser_without_notifications_says_why(
    visitor: Visitor, ana: Client, script: str, text: str
) -> None:
    visitor.sit(ana)
    visitor.page.add_init_script(script)
    visitor.go("/you")
    panel = visitor.page.get_by_role("region", name="Notifications")
    expect(panel).to_contain_text(text)
    expect(panel.get_by_role("button")).to_have_count(0)
