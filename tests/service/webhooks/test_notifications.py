"""Web push: a browser is told whose turn it is, encrypted, and only as long as it is so."""

from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from redis import Redis

from service.ledger.notices import LISTENERS, UNSENT, notices_key
from service.outbound.asking import Asker
from service.runtime import Runtime
from service.webhooks import sending
from service.webhooks.receivers import attempts_key, state_key
from service.webhooks.sending import Sender
from tests.pushed import PushedBrowser, identified, raw
from tests.receiver import Receiver, certificate
from tests.running import all_told, hurry_webhooks, queued_webhooks, wait_for
from tests.service.api.people import House, Json, Person, asked, data, play_on, problem

PUSHES = "/v1/players/me/push_subscriptions"
CONTACT = "mailto:operator@example.org"
ENDPOINT = "https://push.example.net/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV"


@pytest.fixture
def push_service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Receiver]:
    """The push service of a browser's vendor: it answers as RFC 8030 says, over TLS."""
    trusted, serving = certificate(tmp_path, "127.0.0.1")
    monkeypatch.setenv("SSL_CERT_FILE", str(trusted))
    with Receiver(status=201, tls=serving) as receiver:
        yield receiver


@pytest.fixture(autouse=True)
def _no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sending, "PAUSE_MS", 0)


@contextmanager
def sending_on(runtime: Runtime) -> Iterator[None]:
    sender = new_sender(runtime)
    thread = Thread(target=sender.run, daemon=True)
    thread.start()
    try:
        yield
    finally:
        sender.stop()
        thread.join(20)
        assert not thread.is_alive()


def new_sender(runtime: Runtime) -> Sender:
    asker = Asker(runtime.settings.outbound, 5)
    return Sender(runtime.redis, runtime.webhooks, runtime.browsers, asker)


def send_all(runtime: Runtime) -> None:
    """Send what is due now."""
    all_told(runtime)

    def is_sent() -> bool:
        return not runtime.redis.zcount(LISTENERS, "(0", "+inf") and not runtime.redis.exists(
            UNSENT
        )

    with sending_on(runtime):
        wait_for(is_sent)


def endpoint(push_service: Receiver, name: str = "one") -> str:
    return f"https://127.0.0.1:{push_service.port}/push/{name}"


def subscribe(person: Person, url: str, language: str = "en") -> tuple[PushedBrowser, Json]:
    browser = PushedBrowser()
    return browser, data(person.post(PUSHES, browser.subscription(url, language)))


def answer(url: str, person: Person, seat: int) -> None:
    """Play for a seat until others have to."""
    while seat in asked(url, person):
        assert person.move(url, seat).status_code == 201


def game_id(url: str) -> str:
    return url.rpartition("/")[2]


def test_a_browser_is_told_in_its_language_that_it_is_its_players_turn(
    house: House, runtime: Runtime, push_service: Receiver
) -> None:
    ana = house.player("Ana")
    english, _ = subscribe(ana, endpoint(push_service, "en"))
    spanish, _ = subscribe(ana, endpoint(push_service, "es"), "es")
    table = {"title": "Friday", "visibility": "private"}
    url = house.table(ana, ana, table=table, clock={"decision_seconds": 1_000})
    send_all(runtime)
    assert {sent.path for sent in push_service.sent} == {"/push/en", "/push/es"}
    last = {sent.path: sent for sent in push_service.sent}
    told = english.read(last["/push/en"])
    assert told == {
        "title": "Sealed – Friday",
        "body": "It is your turn.",
        "lang": "en",
        "game": game_id(url),
    }
    assert spanish.read(last["/push/es"])["body"] == "Es tu turno."
    key = data(ana.get(PUSHES))["application_server_key"]
    for sent in push_service.sent:
        claims = identified(sent, key)
        assert claims.pop("exp")
        assert claims == {"aud": f"https://127.0.0.1:{push_service.port}", "sub": CONTACT}
        assert 0 < int(sent.headers["ttl"]) <= 1_000, "no longer than there is time to answer"
        assert sent.headers["urgency"] == "high"
    assert len({len(sent.body) for sent in push_service.sent}) == 1
    assert len({sent.headers["topic"] for sent in push_service.sent}) == 2, "one for each browser"
    assert not any(game_id(url) in str(sent.headers) for sent in push_service.sent)


def test_only_what_still_holds_is_told_and_of_a_game_only_the_newest(
    house: House, runtime: Runtime, push_service: Receiver
) -> None:
    ana, bea = house.player("Ana"), house.player("Bea")
    browser, _ = subscribe(ana, endpoint(push_service))
    answered, waiting = house.table(ana, bea), house.table(ana, bea)
    all_told(runtime)
    answer(answered, ana, 0)
    send_all(runtime)
    games = [browser.read(sent)["game"] for sent in push_service.sent]
    assert games == [game_id(waiting)]
    (first,) = push_service.sent
    assert first.headers["urgency"] == "normal"
    answer(answered, bea, 1)
    send_all(runtime)
    games = [browser.read(sent)["game"] for sent in push_service.sent]
    assert games == [game_id(waiting), game_id(answered)]
    assert first.headers["topic"] != push_service.sent[1].headers["topic"]


def test_a_turn_is_told_after_a_pause(
    house: House, runtime: Runtime, push_service: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sending, "PAUSE_MS", 60_000)
    ana = house.player("Ana")
    browser, made = subscribe(ana, endpoint(push_service))
    house.table(ana, house.player())
    all_told(runtime)
    sender = new_sender(runtime)
    (taken,) = sender.take()
    sender.serve(taken)
    assert push_service.sent == []
    assert taken.now + 50_000 < queued_webhooks(runtime.redis)[made["id"]] <= taken.now + 60_000
    monkeypatch.setattr(sending, "PAUSE_MS", 0)
    hurry_webhooks(runtime.redis)
    send_all(runtime)
    assert [browser.read(sent)["body"] for sent in push_service.sent] == ["It is your turn."]


def test_an_invitation_and_a_begun_game_are_told_and_no_game_that_is_over(
    house: House, runtime: Runtime, push_service: Receiver
) -> None:
    ana, bea = house.player("Ana"), house.player("Bea")
    browser, _ = subscribe(bea, endpoint(push_service))
    over = house.table(ana, bea)
    play_on(over, [ana, bea])
    send_all(runtime)
    assert push_service.sent == [], "nothing of a game that is over"
    again = data(ana.post(f"{over}/rematch"))["id"]
    begun = house.table(ana, bea)
    send_all(runtime)
    told = {one["game"]: one["body"] for one in map(browser.read, push_service.sent)}
    is_asked = 1 in asked(begun, bea)  # who decides first is drawn
    assert told == {
        again: "A seat is kept for you.",
        game_id(begun): "It is your turn." if is_asked else "Your game has begun.",
    }


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_its_push_service_forgot_is_removed(
    house: House, runtime: Runtime, push_service: Receiver, status: int
) -> None:
    ana = house.player("Ana")
    _, made = subscribe(ana, endpoint(push_service))
    push_service.status = status
    house.table(ana, house.player())
    send_all(runtime)
    assert len(push_service.sent) == 1
    assert data(ana.get(PUSHES))["subscriptions"] == []
    assert not runtime.redis.exists(state_key(made["id"]), "lonja:{meta}:webhooks_of")
    assert queued_webhooks(runtime.redis) == {}


@pytest.mark.parametrize("status", [429, 503])
def test_a_push_service_that_has_no_time_is_asked_again(
    house: House, runtime: Runtime, push_service: Receiver, status: int
) -> None:
    ana, bea = house.player("Ana"), house.player("Bea")
    browser, made = subscribe(ana, endpoint(push_service))
    push_service.status, push_service.headers = status, {"Retry-After": "90"}
    first, second = house.table(ana, bea), house.table(ana, bea)
    all_told(runtime)
    sender = new_sender(runtime)
    (taken,) = sender.take()
    sender.serve(taken)
    assert [browser.read(sent)["game"] for sent in push_service.sent] == [game_id(first)]
    assert queued_webhooks(runtime.redis)[made["id"]] >= taken.now + 90_000
    assert not runtime.redis.exists(attempts_key(made["id"])), "no answer of it is kept"
    answer(first, ana, 0)
    push_service.status, push_service.headers = 201, {}
    hurry_webhooks(runtime.redis)
    send_all(runtime)
    told = [browser.read(sent)["game"] for sent in push_service.sent[1:]]
    assert told == [game_id(second)], "the first has been answered meanwhile"


def test_lost_notices_are_not_told(house: House, runtime: Runtime, push_service: Receiver) -> None:
    ana, bea = house.player("Ana"), house.player("Bea")
    browser, _ = subscribe(ana, endpoint(push_service))
    house.table(ana, bea)
    all_told(runtime)
    runtime.redis.delete(notices_key(ana.id))
    send_all(runtime)
    assert push_service.sent == []
    second = house.table(ana, bea)
    send_all(runtime)
    assert [browser.read(sent)["game"] for sent in push_service.sent] == [game_id(second)]


# Access and limits


def test_subscriptions_are_listed_renewed_and_removed(house: House, redis_client: Redis) -> None:
    ana, bea = house.player("Ana"), house.player("Bea")
    body = PushedBrowser().subscription(ENDPOINT)
    made = data(ana.post(PUSHES, body))
    assert (made["endpoint"], made["language"]) == (ENDPOINT, "en")
    again = data(ana.post(PUSHES, PushedBrowser().subscription(ENDPOINT, "es")))
    assert again == {**made, "language": "es"}
    listed = data(ana.get(PUSHES))
    assert listed["subscriptions"] == [again]
    assert "keys" not in again
    assert data(bea.get(PUSHES)) == {**listed, "subscriptions": []}
    one = f"{PUSHES}/{made['id']}"
    problem(bea.delete(one), 404, "unknown_subscription")
    problem(ana.get(f"/v1/players/me/webhooks/{made['id']}"), 404, "unknown_webhook")
    problem(ana.delete(f"/v1/players/me/webhooks/{made['id']}"), 404, "unknown_webhook")
    assert data(ana.get("/v1/players/me/export"))["push_subscriptions"] == [again]
    key = {"Idempotency_Key": "one"}
    assert [ana.delete(one, **key).status_code for _ in range(2)] == [204, 204]
    problem(ana.delete(one), 404, "unknown_subscription")
    assert not [*redis_client.scan_iter("lonja:{meta}:webhook*")]


def test_the_secret_of_a_browser_is_stored_wrapped(house: House, redis_client: Redis) -> None:
    ana = house.player("Ana")
    data(ana.post(PUSHES, body := PushedBrowser().subscription(ENDPOINT)))
    stored: Any = redis_client.hgetall("lonja:{meta}:webhooks")
    assert b64encode(raw(body["keys"]["auth"])) not in b"".join(stored.values())


def test_webhooks_and_browsers_do_not_use_up_each_others_limit(house: House) -> None:
    ana, hooks = house.player("Ana"), "/v1/players/me/webhooks"
    for number in range(10):
        data(ana.post(PUSHES, PushedBrowser().subscription(f"{ENDPOINT}{number}")))
    refused = ana.post(PUSHES, PushedBrowser().subscription(ENDPOINT))
    assert problem(refused, 409, "too_many_subscriptions")["limit"] == 10
    hook, *_ = [data(ana.post(hooks, {"url": "https://example.org"})) for _ in range(5)]
    problem(ana.post(hooks, {"url": "https://example.org"}), 409, "too_many_webhooks")
    assert ana.delete(f"{hooks}/{hook['id']}").status_code == 204
    assert len(data(ana.get(PUSHES))["subscriptions"]) == 10


@pytest.mark.parametrize(
    ("change", "field", "why"),
    [
        ({"endpoint": "https://10.0.0.1/"}, "endpoint", "public address"),
        ({"endpoint": "ftp://push.example.net/"}, "endpoint", "https://"),
        ({"endpoint": "https://push.example.net/" + "x" * 1_000}, "endpoint", "1000"),
        ({"language": "fr"}, "language", "en, es"),
        ({"p256dh": "B" * 87}, "keys.p256dh", "a point of P-256"),
        ({"p256dh": "B" * 86}, "keys.p256dh", "65 bytes"),
        ({"auth": "+" * 22}, "keys.auth", "16 bytes"),
        ({"auth": None}, "keys.auth", ""),
    ],
)
def test_what_is_no_subscription_is_named(house: House, change: Json, field: str, why: str) -> None:
    body = PushedBrowser().subscription(ENDPOINT)
    keys = {name: change.pop(name) for name in ("p256dh", "auth") if name in change}
    body = {**body, **change, "keys": {**body["keys"], **keys}}
    refused = problem(house.player().post(PUSHES, body), 422, "invalid_body")
    (error,) = refused["errors"]
    assert error["field"] == field
    assert why in error["message"]


def test_whoever_leaves_takes_browsers_along(
    house: House, runtime: Runtime, push_service: Receiver
) -> None:
    ana = house.player("Ana")
    _, made = subscribe(ana, endpoint(push_service))
    left = house.client.delete("/v1/players/me", json={"id": ana.id}, headers=ana.headers)
    assert left.status_code == 204, left.text
    assert not runtime.redis.exists(state_key(made["id"]), "lonja:{meta}:webhooks")
