"""Webhooks: a player's notices reach a URL at least once and in order."""

import hmac
import re
import time
from base64 import b64decode, b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from threading import Event, Thread
from typing import Any

import pytest

from service.api.schemas.streams import WEBHOOKS, component_of
from service.ledger import notices
from service.ledger.notices import LISTENERS, UNSENT, notices_key
from service.outbound.asking import Asker
from service.players.bans import BANS
from service.runtime import Runtime
from service.webhooks import course, sending
from service.webhooks.lanes import LANES
from service.webhooks.receivers import DISABLED, ReceiverState, attempts_key, state_key
from service.webhooks.sending import Sender
from tests.receiver import Receiver, Sent
from tests.running import ROOT, all_told, due_notices, hurry_webhooks, queued_webhooks, wait_for
from tests.service.api.document import need_fit
from tests.service.api.people import House, Json, Person, data, play_on, problem

HOOKS = "/v1/players/me/webhooks"


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver() as found:
        yield found


def new_sender(runtime: Runtime, seconds: float = 5.0) -> Sender:
    return Sender(
        runtime.redis, runtime.webhooks, runtime.browsers, Asker(runtime.settings.outbound, seconds)
    )


@contextmanager
def sending_on(runtime: Runtime, seconds: float = 5.0) -> Iterator[Sender]:
    sender = new_sender(runtime, seconds)
    thread = Thread(target=sender.run, daemon=True)
    thread.start()
    try:
        yield sender
    finally:
        sender.stop()
        thread.join(20)
        assert not thread.is_alive()


def hook(person: Person, url: str, *events: str) -> Json:
    body: Json = {"url": url}
    if events:
        body["events"] = list(events)
    return data(person.post(HOOKS, body))


def told(sent: list[Sent]) -> list[tuple[str, int, int]]:
    for one in sent:
        need_fit(component_of(WEBHOOKS[one.json["type"]]), one.json, is_sent=True)
    return [(s.json["type"], s.json["data"]["seat"], s.json["data"]["version"]) for s in sent]


PAGE = (ROOT / "docs" / "api" / "webhooks.md").read_text(encoding="utf-8")


def is_signed(sent: Sent, secret: str) -> bool:
    """Check a signature with the function in docs/api/webhooks.md."""
    function = re.search(r"^def is_genuine.*?(?=^\w|^```)", PAGE, re.DOTALL | re.MULTILINE)
    assert function is not None
    known: dict[str, Any] = {"hmac": hmac, "time": time}
    known |= {"b64decode": b64decode, "b64encode": b64encode}
    exec(function[0], known)
    later = time.time() + 600
    assert not known["is_genuine"](sent.headers, sent.body, secret, now=lambda: later)
    assert not known["is_genuine"](sent.headers, sent.body + b" ", secret)
    return bool(known["is_genuine"](sent.headers, sent.body, secret))


def attempts(person: Person, made: Json) -> list[Json]:
    found: list[Json] = data(person.get(f"{HOOKS}/{made['id']}/deliveries"))["deliveries"]
    return found


def game_id(url: str) -> str:
    return url.rpartition("/")[2]


# Sent messages


def test_what_happens_in_a_game_is_sent_signed_and_in_order(
    house: House, runtime: Runtime, receiver: Receiver
) -> None:
    ana, bea = house.player("Ana"), house.player("Bea")
    made = hook(ana, receiver.url)
    assert made["secret"].startswith("whsec_")
    assert len(b64decode(made["secret"].removeprefix("whsec_"))) == 32
    with sending_on(runtime):
        url = house.table(ana, bea)
        play_on(url, [ana, bea])
        due = due_notices(runtime, game_id(url), ana.id)
        wait_for(lambda: len(receiver.sent) >= len(due))
        wait_for(lambda: not runtime.redis.exists(UNSENT))
    assert told(receiver.sent) == due
    assert receiver.most_at_once == 1
    first = receiver.sent[0]
    assert all(is_signed(sent, made["secret"]) for sent in receiver.sent)
    assert not is_signed(first, "whsec_" + b64encode(b"x" * 32).decode())
    assert first.path == "/hook?a=b"
    assert first.headers["content-type"] == "application/json"
    assert first.json.keys() == {"type", "timestamp", "data"}
    assert first.json["data"]["game_id"] == game_id(url)
    names = [sent.headers["webhook-id"] for sent in receiver.sent]
    assert len(set(names)) == len(names)
    listed = attempts(ana, made)
    assert [one["id"] for one in reversed(listed)] == names
    assert {(one["status"], one["delivered"], one["attempt"]) for one in listed} == {(204, True, 1)}


def test_whoever_takes_back_a_move_is_asked_the_same_once_more(
    house: House, runtime: Runtime, receiver: Receiver
) -> None:
    ana, bea = house.player("Ana"), house.player("Bea")
    with sending_on(runtime):
        url = house.table(ana, bea, take_back=True)
        hook(ana, receiver.url, "asked")
        to = data(ana.get(url))["version"]
        assert ana.move(url, 0).status_code == 201
        assert ana.post(f"{url}/take_backs", {"seat": 0, "to": to}).status_code == 201
        wait_for(lambda: len(receiver.sent) == 2)
    assert told(receiver.sent) == [("asked", 0, to + 1), ("asked", 0, to + 2)]
    assert [sent.json["data"]["decision"] for sent in receiver.sent] == [to + 1, to]


def test_a_webhook_gets_what_it_asked_for_and_nothing_of_before(
    house: House, runtime: Runtime, receiver: Receiver
) -> None:
    ana = house.player("Ana")
    house.table(ana, house.player())
    hook(ana, receiver.url, "ended")
    with sending_on(runtime):
        url = house.table(ana, ana)
        play_on(url, [ana, ana])
        wait_for(lambda: len(receiver.sent) == 2)
        wait_for(lambda: not runtime.redis.exists(UNSENT))
    assert [sent.json["type"] for sent in receiver.sent] == ["ended", "ended"]


def test_a_ping_is_sent_at_once_and_once(
    house: House, runtime: Runtime, receiver: Receiver
) -> None:
    ana = house.player("Ana")
    made = hook(ana, receiver.url)
    receiver.status = 500
    with sending_on(runtime):
        ping = data(ana.post(f"{HOOKS}/{made['id']}/ping"))["id"]
        (listed,) = wait_for(lambda: attempts(ana, made))
        wait_for(lambda: not runtime.redis.exists(UNSENT))
    assert (listed["id"], listed["type"], listed["status"]) == (ping, "ping", 500)
    assert (listed["delivered"], listed["next_attempt_at"]) == (False, None)
    (sent,) = receiver.sent
    assert sent.headers["webhook-id"] == ping
    assert sent.json["data"] == {"webhook_id": made["id"]}
    assert not queued_webhooks(runtime.redis)


def test_messages_are_sent_once_more(house: House, runtime: Runtime, receiver: Receiver) -> None:
    ana, bob = house.player("Ana"), house.player("Bob")
    made = hook(ana, receiver.url, "started", "asked")
    other = hook(ana, receiver.url + "/other", "ended")
    url = house.table(ana, bob)
    play_on(url, [ana, bob], at_most=6)
    all_told(runtime)
    again = f"{HOOKS}/{made['id']}/redeliveries"
    with sending_on(runtime):
        wait_for(lambda: len(attempts(ana, made)) > 3)
        wait_for(lambda: not runtime.redis.exists(UNSENT))
        first = [one for one in receiver.sent if one.headers["webhook-id"].startswith(made["id"])]
        ids = [one.headers["webhook-id"] for one in first]
        assert len(ids) > 2
        del receiver.sent[:]
        receiver.status = 500
        receiver.answer = b"no \x1b[31mroom\x00 here, " + 1000 * b"x"
        assert data(ana.post(again, {"first": ids[1]})) == {"ids": [ids[1]]}
        wait_for(lambda: not runtime.redis.exists(UNSENT))
        listed = attempts(ana, made)[0]
        assert [one.body for one in receiver.sent] == [first[1].body], "once, and as it was"
        assert (listed["id"], listed["status"], listed["attempt"]) == (ids[1], 500, 1)
        assert listed["answer"].startswith("no \ufffd[31mroom\ufffd here, x")
        assert len(listed["answer"]) == 256
        assert listed["next_attempt_at"] is None
        receiver.status = 204
        del receiver.sent[:]
        key = {"Idempotency_Key": "again"}
        body = {"first": ids[0], "last": ids[-1]}
        assert data(ana.post(again, body, **key)) == {"ids": ids}
        wait_for(lambda: len(receiver.sent) == len(ids))
        assert [one.headers["webhook-id"] for one in receiver.sent] == ids
        replayed = ana.post(again, body, **key)
        assert replayed.headers["Idempotent-Replayed"] == "true"
        assert data(replayed) == {"ids": ids}
        wait_for(lambda: not runtime.redis.exists(UNSENT))
        play_on(url, [ana, bob], at_most=2)
        all_told(runtime)
        wait_for(lambda: len(receiver.sent) > len(ids))
    assert receiver.sent[len(ids)].headers["webhook-id"] not in ids, "it goes on where it was"
    for wrong in (
        {"first": "w-none_1-0"},
        {"first": ids[1], "last": ids[0]},
        {"first": ids[0].replace(made["id"], other["id"])},
        {"first": f"{other['id']}_{ids[0].rpartition('_')[2]}"},
    ):
        problem(ana.post(again, wrong), 422, "invalid_body")
    problem(bob.post(again, {"first": ids[0]}), 404, "unknown_webhook")


def test_a_rotated_secret_signs_beside_the_new_one_for_a_day(
    house: House, runtime: Runtime, receiver: Receiver
) -> None:
    ana = house.player("Ana")
    made = hook(ana, receiver.url)
    rotated = data(ana.post(f"{HOOKS}/{made['id']}/rotate"))
    assert rotated["secret"] != made["secret"]
    with sending_on(runtime):
        ana.post(f"{HOOKS}/{made['id']}/ping")
        wait_for(lambda: receiver.sent)
    assert is_signed(receiver.sent[0], made["secret"])
    assert is_signed(receiver.sent[0], rotated["secret"])
    found = runtime.webhooks.find(made["id"])
    assert found is not None
    in_a_day = runtime.ledger.store.clock.now_ms() + 24 * 3_600_000
    assert [len(found.signing(at)) for at in (0, in_a_day)] == [2, 1]


# Failures


def test_what_fails_is_sent_again_in_its_place_and_with_its_id(
    house: House, runtime: Runtime, receiver: Receiver
) -> None:
    ana = house.player("Ana")
    made = hook(ana, receiver.url)
    receiver.status = 503
    with sending_on(runtime):
        house.table(ana, house.player())
        (first,) = wait_for(lambda: attempts(ana, made))
        shown = wait_for(lambda: data(ana.get(f"{HOOKS}/{made['id']}")))
        assert (first["delivered"], first["status"]) == (False, 503)
        assert first["next_attempt_at"] == shown["next_attempt_at"] is not None
        assert shown["failing_since"] == first["at"]
        receiver.status = 204
        hurry_webhooks(runtime.redis)
        wait_for(lambda: len(receiver.sent) >= 3)
        wait_for(lambda: not runtime.redis.exists(UNSENT))
    kinds = [sent.json["type"] for sent in receiver.sent]
    assert kinds == ["started", "started", "asked"]
    assert receiver.sent[0].headers["webhook-id"] == receiver.sent[1].headers["webhook-id"]
    assert [one["attempt"] for one in attempts(ana, made)] == [1, 2, 1]
    assert data(ana.get(f"{HOOKS}/{made['id']}"))["failing_since"] is None


@pytest.mark.parametrize("days", [0, 5])
def test_a_webhook_that_is_gone_or_fails_for_days_is_disabled_and_says_so(
    house: House, runtime: Runtime, receiver: Receiver, days: int
) -> None:
    ana = house.player("Ana")
    made = hook(ana, receiver.url)
    receiver.status = 500 if days else 410
    if days:
        past = runtime.ledger.store.clock.now_ms() - days * 24 * 3_600_000
        runtime.redis.hset(state_key(made["id"]), "failing_since", past)
    with sending_on(runtime):
        house.table(ana, house.player())
        shown = wait_for(lambda: _disabled(ana, made))
        assert shown["disabled"]["reason"] == ("failing" if days else "gone")
        assert shown["next_attempt_at"] is None
        house.table(ana, house.player())
        wait_for(lambda: not queued_webhooks(runtime.redis))
        assert len(receiver.sent) == 1
        receiver.status = 200
        again = data(ana.house.client.patch(_of(made), json={"enabled": True}, headers=ana.headers))
        assert again["disabled"] is None
        wait_for(lambda: len(receiver.sent) >= 5)
    assert [sent.json["type"] for sent in receiver.sent] == [
        "started", "started", "asked", "started", "asked",
    ]  # fmt: skip


def _of(made: Json) -> str:
    return f"{HOOKS}/{made['id']}"


def _disabled(person: Person, made: Json) -> Json:
    shown = data(person.get(_of(made)))
    return shown if shown["disabled"] else {}


def test_whoever_missed_too_much_is_told_so(
    house: House, runtime: Runtime, receiver: Receiver
) -> None:
    ana = house.player("Ana")
    made = hook(ana, receiver.url)
    house.table(ana, house.player())
    all_told(runtime)
    runtime.redis.xtrim(notices_key(ana.id), maxlen=1, approximate=False)
    receiver.status = 500
    with sending_on(runtime):
        wait_for(lambda: attempts(ana, made))
        receiver.status = 200
        hurry_webhooks(runtime.redis)
        wait_for(lambda: len(receiver.sent) >= 2)
        wrong: Any = runtime.redis.xadd(notices_key(ana.id), {"k": "started", "b": b"{}"})
        house.table(ana, house.player())
        wait_for(lambda: len(receiver.sent) >= 4)
    first, second, unfit, third = receiver.sent[:4]
    assert first.json["type"] == second.json["type"] == unfit.json["type"] == "resync"
    assert unfit.headers["webhook-id"] == f"{made['id']}_{wrong.decode()}_resync"
    assert first.headers["webhook-id"] == second.headers["webhook-id"]
    assert first.json["data"] == {"read": "/v1/games?player=me&asked=true"}
    assert third.json["type"] == "started"


def test_a_slow_receiver_keeps_no_other_waiting(
    house: House, runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(course, "SLOW_SECONDS", 0.3)
    monkeypatch.setattr(sending, "QUICK_AT_ONCE", 2)
    monkeypatch.setattr(sending, "SLOW_AT_ONCE", 1)
    slow_people = [house.player(f"Slow {n}") for n in range(4)]
    ana = house.player("Ana")
    over = Event()

    def dawdle(_sent: Sent) -> None:
        over.wait(20)

    with Receiver(before=dawdle) as slow, Receiver() as quick:
        made = [hook(person, slow.url) for person in slow_people]
        hook(ana, quick.url)
        with sending_on(runtime, seconds=0.5):
            for person in slow_people:
                house.table(person, house.player())
            for one in made:
                wait_for(partial(_is_slow, runtime, one))
            began = time.monotonic()
            for n in (3, 6, 9):
                house.table(ana, ana)
                wait_for(partial(_has, quick, n))
            assert time.monotonic() - began < 10
            over.set()


def _is_slow(runtime: Runtime, made: Json) -> bool:
    return runtime.redis.hget(state_key(made["id"]), "slow") == str(course.SLOW_FOR).encode()


def _has(receiver: Receiver, many: int) -> bool:
    return len(receiver.sent) >= many


def test_no_more_than_so_many_a_minute_are_sent(
    house: House, runtime: Runtime, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(course, "PER_MINUTE", 2)
    monkeypatch.setattr(course, "_MINUTE_MS", 10**13)  # a game that does not end meanwhile
    ana = house.player("Ana")
    hook(ana, receiver.url)
    house.table(ana, ana)
    with sending_on(runtime):
        wait_for(lambda: len(receiver.sent) == 2)
        wait_for(lambda: 10**13 in queued_webhooks(runtime.redis).values())
    assert len(receiver.sent) == 2
    assert runtime.redis.zcard(UNSENT) == 1


# Killed processes


def test_what_was_sent_when_the_sender_died_is_sent_again(
    house: House, runtime: Runtime, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana = house.player("Ana")
    made = hook(ana, receiver.url)
    house.table(ana, house.player())
    dying = new_sender(runtime)
    (taken,) = dying.take()
    monkeypatch.setattr(dying, "_settled", lambda *_args, **_how: None)  # killed between the two
    dying.serve(taken)
    assert len(receiver.sent) == 1
    sender = new_sender(runtime)
    assert sender.take() == []  # the dead sender may have taken it
    hurry_webhooks(runtime.redis, 1.5)
    with sending_on(runtime):
        wait_for(lambda: len(receiver.sent) >= 3)
    assert [s.json["type"] for s in receiver.sent] == ["started", "started", "asked"]
    assert receiver.sent[0].headers["webhook-id"] == receiver.sent[1].headers["webhook-id"]
    new_sender(runtime)._settled(taken, _hook(runtime, made), _next(taken))  # it was not dead
    assert attempts(ana, made)[0]["type"] == "asked"
    assert not runtime.redis.exists(UNSENT)


def _hook(runtime: Runtime, made: Json) -> Any:
    found = runtime.webhooks.find(made["id"])
    assert found is not None
    return found


def _next(taken: sending.TakenWebhook) -> course.NextAttempt:
    return course.NextAttempt(ReceiverState("1-1"), done=True)


def test_a_store_that_lost_what_waits_finds_it_again(
    house: House, runtime: Runtime, receiver: Receiver
) -> None:
    ana = house.player("Ana")
    hook(ana, receiver.url)
    house.table(ana, house.player())
    waiting = [key for lane in LANES for key in runtime.redis.scan_iter(f"{lane}*")]
    runtime.redis.delete(LISTENERS, UNSENT, *waiting)
    with sending_on(runtime):
        wait_for(lambda: len(receiver.sent) >= 2)
    runtime.redis.delete(LISTENERS, notices_key(ana.id))
    with sending_on(runtime):
        wait_for(lambda: receiver.sent[-1].json["type"] == "resync")
        house.table(ana, house.player())
        wait_for(lambda: receiver.sent[-1].json["type"] == "asked")


# Access and limits


def test_webhooks_are_listed_changed_and_deleted(
    house: House, runtime: Runtime, receiver: Receiver
) -> None:
    ana = house.player("Ana")
    made = hook(ana, receiver.url, "asked", "ended")
    shown = {name: value for name, value in made.items() if name != "secret"}
    assert data(ana.get(HOOKS)) == {"webhooks": [shown]}
    assert data(ana.get(_of(made))) == shown
    other = house.player("Bea")
    for ask in (other.get, other.delete):
        problem(ask(_of(made)), 404, "unknown_webhook")
    changed = data(
        house.client.patch(
            _of(made), json={"events": ["ended"], "enabled": False}, headers=ana.headers
        )
    )
    assert changed["events"] == ["ended"]
    assert changed["disabled"]["reason"] == "asked_for"
    key = {"Idempotency_Key": "one"}
    assert [ana.delete(_of(made), **key).status_code for _ in range(2)] == [204, 204]
    problem(ana.get(_of(made)), 404, "unknown_webhook")
    kept = {name.decode() for name in runtime.redis.scan_iter("lonja:{meta}:webhook*")}
    assert kept == set()
    week = 7 * 24 * 3600
    assert 0 < runtime.redis.ttl(notices_key(ana.id)) <= week


def test_a_secret_is_told_once(house: House, receiver: Receiver, runtime: Runtime) -> None:
    ana = house.player("Ana")
    body = {"url": receiver.url}
    made = data(ana.post(HOOKS, body, Idempotency_Key="one"))
    again = problem(ana.post(HOOKS, body, Idempotency_Key="one"), 409, "already_answered")
    assert again["id"] == made["id"]
    raw = b64decode(made["secret"].removeprefix("whsec_"))
    stored: Any = runtime.redis.hgetall("lonja:{meta}:webhooks")
    assert raw not in b"".join(stored.values())
    assert b64encode(raw) not in b"".join(stored.values())  # wrapped with LONJA_SECRETS_KEY


def test_there_is_a_limit(house: House, receiver: Receiver) -> None:
    ana = house.player("Ana")
    for _ in range(5):
        hook(ana, receiver.url)
    assert problem(ana.post(HOOKS, {"url": receiver.url}), 409, "too_many_webhooks")["limit"] == 5


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("http://10.0.0.1/", "public address"),
        ("https://[::1]/", "public address"),
        ("https://2130706434/", "public address"),
        ("ftp://example.org/", "https://… or http://…"),
        ("https://ana:b@example.org/", "without a user"),
    ],
)
def test_a_url_that_cannot_be_asked_is_named(house: House, url: str, why: str) -> None:
    refused = problem(house.player().post(HOOKS, {"url": url}), 422, "invalid_body")
    assert refused["errors"][0]["value"] == url
    assert why in refused["errors"][0]["message"]


def test_what_the_operator_no_longer_allows_is_refused_when_it_is_sent(
    house: House, runtime: Runtime, receiver: Receiver
) -> None:
    ana = house.player("Ana")
    made = hook(ana, receiver.url)
    strict = replace(runtime.settings, outbound_networks=())
    house.table(ana, house.player())
    sender = Sender(runtime.redis, runtime.webhooks, runtime.browsers, Asker(strict.outbound, 5))
    (taken,) = sender.take()
    sender.serve(taken)
    assert receiver.sent == []
    assert attempts(ana, made)[0]["error"] == "refused"


def test_whoever_is_banned_is_sent_nothing(
    house: House, runtime: Runtime, receiver: Receiver
) -> None:
    ana = house.player("Ana")
    hook(ana, receiver.url)
    runtime.redis.hset(BANS, ana.id, "2026-11-22T10:00:00.000Z")
    house.table(house.player(), house.player())
    sender = new_sender(runtime)
    for taken in sender.take():
        sender.serve(taken)
    assert receiver.sent == []


def test_whoever_leaves_takes_webhooks_along(
    house: House, runtime: Runtime, receiver: Receiver
) -> None:
    ana = house.player("Ana")
    made = hook(ana, receiver.url)
    shown = {name: value for name, value in made.items() if name != "secret"}
    assert data(ana.get("/v1/players/me/export"))["webhooks"] == [shown]
    with sending_on(runtime):
        ana.post(f"{_of(made)}/ping")
        wait_for(lambda: attempts(ana, made))
        left = house.client.delete("/v1/players/me", json={"id": ana.id}, headers=ana.headers)
        assert left.status_code == 204, left.text
        gone = (state_key(made["id"]), attempts_key(made["id"]), notices_key(ana.id), DISABLED)
        assert not runtime.redis.exists(*gone)
        assert runtime.webhooks.find(made["id"]) is None
    assert notices.kept(runtime.redis, ana.id) == []
