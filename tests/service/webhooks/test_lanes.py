"""The order of webhooks: addresses take turns, and new or slow receivers delay nobody."""

import os
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import median, quantiles

import pytest

from service.cli.sender import SENDER
from service.outbound.asking import Asker
from service.runtime import Runtime
from service.webhooks import course, sending
from service.webhooks.lanes import LANES, QUICK, SLOW
from service.webhooks.sending import Sender, TakenWebhook
from tests.campaigns import Figure
from tests.receiver import Receiver, Sent
from tests.running import queued_webhooks, wait_for
from tests.service.api.people import House, Json, Person, data
from tests.service.api.test_admission import from_address
from tests.service.api.test_gunicorn import Service

HOOKS = "/v1/players/me/webhooks"
OUTBOUND = {"LONJA_OUTBOUND_NETWORKS": "127.0.0.1", "LONJA_OUTBOUND_HTTP": "yes"}


@pytest.fixture
def sender(runtime: Runtime, monkeypatch: pytest.MonkeyPatch) -> Sender:
    monkeypatch.setattr(sending, "SLOW_AT_ONCE", 1)
    monkeypatch.setattr(sending, "QUICK_AT_ONCE", 1)
    return Sender(
        runtime.redis, runtime.webhooks, runtime.browsers, Asker(runtime.settings.outbound, 5)
    )


def hooks(house: House, address: str, url: str, people: int = 1, each: int = 1) -> list[str]:
    """Make webhooks of several players at one address, ping them, and return their ids."""
    from_address(house, address)
    made = []
    for number in range(people):
        person = house.player(f"P{number}")
        for _ in range(each):
            hook = data(person.post(HOOKS, {"url": url}))["id"]
            data(person.post(f"{HOOKS}/{hook}/ping"))
            made.append(hook)
    return made


def next_one(sender: Sender) -> str:
    """Let the sender take and serve one webhook; return its id."""
    (taken,) = sender.take()
    sender._serve(taken)
    return taken.id


def test_addresses_take_turns_however_many_keys_they_make(house: House, sender: Sender) -> None:
    with Receiver() as receiver:
        many = hooks(house, "192.0.2.1", receiver.url, people=3, each=2)
        first = next_one(sender)
        (other,) = hooks(house, "192.0.2.2", receiver.url)
        time.sleep(0.002)  # within one millisecond, either order is possible
        served = [first, *(next_one(sender) for _ in range(6))]
    assert set(served) == {*many, other}
    assert other in served[:3], "it waits for one turn of the other address"
    assert sender.take() == []


def test_of_an_address_only_so_many_are_asked_at_once(
    house: House, sender: Sender, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sending, "SLOW_AT_ONCE", 5)
    monkeypatch.setattr(sending, "GROUP_AT_ONCE", 2)
    with Receiver() as receiver:
        many = hooks(house, "2001:db8::1", receiver.url, people=2, each=2)
        first = sender.take()
        assert len(first) == 2
        assert sender.take() == [], "nothing is free for this address"
        others = hooks(house, "2001:db8::2", receiver.url)  # an address of the same /64
        assert sender.take() == []
        elsewhere = hooks(house, "2001:db8:0:1::1", receiver.url)
        assert ids(sender.take()) == set(elsewhere)
        sender._serve(first[0])
        (last,) = sender.take()
        assert last.id in {*many, *others} - ids(first)


def ids(taken: list[TakenWebhook]) -> set[str]:
    return {one.id for one in taken}


def test_who_has_larger_limits_waits_by_himself(
    house: House, runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    from_address(house, "192.0.2.1")
    people = [house.player(), house.player()]
    groups = set()
    for person, factor in ((people[0], 1), (people[0], 2), (people[1], 1), (people[1], 2)):
        monkeypatch.setattr("service.api.http.context.Caller.allowance", factor)
        found = runtime.webhooks.find(hooked(person))
        assert found is not None
        groups.add(found.group)
    assert len(groups) == 3
    assert {person.id for person in people} < groups
    assert not any("192.0.2.1" in group for group in groups)


def hooked(person: Person) -> str:
    made: Json = data(person.post(HOOKS, {"url": "http://127.0.0.1:9/"}))
    return str(made["id"])


def test_a_new_or_failing_webhook_has_the_slow_lane_until_it_answers_quickly(
    house: House, runtime: Runtime, sender: Sender
) -> None:
    from_address(house, "192.0.2.1")
    ana = house.player("Ana")
    with Receiver() as receiver:
        path = f"{HOOKS}/{data(ana.post(HOOKS, {'url': receiver.url}))['id']}/ping"
        lanes = []
        for status in (500, 204, 204, 500, 204):
            data(ana.post(path))
            lanes += [lane for lane in LANES if queued_webhooks(runtime.redis, lane)]
            receiver.status = status
            next_one(sender)
    assert lanes == [SLOW, SLOW, QUICK, QUICK, SLOW]
    assert len(receiver.sent) == 5


def test_messages_keep_their_order_from_lane_to_lane(
    house: House, runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(course, "SLOW_SECONDS", 0.1)
    monkeypatch.setattr(course, "SLOW_FOR", 2)
    lanes: list[str] = []
    take = Sender.take

    def noted(sender: Sender) -> list[TakenWebhook]:
        taken = take(sender)
        lanes.extend(one.lane for one in taken)
        return taken

    monkeypatch.setattr(Sender, "take", noted)

    def dawdle(_sent: Sent) -> None:
        if len(receiver.sent) % 5 == 0:
            time.sleep(0.15)

    ana = house.player("Ana")
    with Receiver(before=dawdle) as receiver, running(runtime):
        data(ana.post(HOOKS, {"url": receiver.url}))
        for _ in range(6):
            house.table(ana, ana)
        wait_for(lambda: len(receiver.sent) >= 18)
    assert [sent.json["timestamp"] for sent in receiver.sent] == sorted(
        sent.json["timestamp"] for sent in receiver.sent
    )
    names = [sent.headers["webhook-id"].rpartition("_")[2] for sent in receiver.sent]
    assert names == sorted(set(names), key=lambda name: [*map(int, name.split("-"))])
    assert receiver.most_at_once == 1
    assert set(lanes) == {QUICK, SLOW}


@contextmanager
def running(runtime: Runtime) -> Iterator[None]:
    sender = Sender(
        runtime.redis, runtime.webhooks, runtime.browsers, Asker(runtime.settings.outbound, 5)
    )
    thread = threading.Thread(target=sender.run, daemon=True)
    thread.start()
    try:
        yield
    finally:
        sender.stop()
        thread.join(20)


@contextmanager
def process(redis_url: str, **more: str) -> Iterator["subprocess.Popen[bytes]"]:
    """Run the sender as ``lonja sender`` does."""
    env = {**os.environ, "REDIS_URL": redis_url, **OUTBOUND, **more}
    with subprocess.Popen(SENDER, env=env, stdin=subprocess.DEVNULL) as started:
        try:
            yield started
        finally:
            started.terminate()
            assert started.wait(30) == 0


def until(over: threading.Event) -> Callable[[Sent], None]:
    """Return a function that makes a receiver wait until an event."""

    def dawdle(_sent: Sent) -> None:
        over.wait(30)

    return dawdle


def test_a_receiver_that_is_waited_for_holds_no_thread(house: House, runtime: Runtime) -> None:
    waiting = threading.Event()
    with Receiver(before=until(waiting)) as receiver:
        for number in range(4):
            hooks(house, f"192.0.2.{number}", receiver.url, people=2, each=4)
        url = runtime.settings.redis_url
        assert url is not None
        with process(url, LONJA_SECRETS_KEY="5c" * 32) as sender:
            try:
                wait_for(lambda: receiver.at_once == 32)
                threads = len([*Path(f"/proc/{sender.pid}/task").iterdir()])
            finally:
                waiting.set()
            wait_for(lambda: not queued_webhooks(runtime.redis))
    assert threads < 20, "some are left of looking names up"


# Beside an address with very many webhooks


def _ping(service: Service, key: str, hook: str, at: str, receiver: Receiver) -> float:
    """Return the seconds until a ping arrives."""
    began, before = time.monotonic(), len(receiver.sent)
    answer = service.call("POST", f"{HOOKS}/{hook}/ping", key, X_Forwarded_For=at)
    assert answer.status == 202
    wait_for(lambda: len(receiver.sent) > before)
    return receiver.sent[-1].at - began


def _victim(service: Service, receiver: Receiver, pings: int) -> list[float]:
    """Return the times of pings to a new webhook, and to an established one."""
    at, seconds = "203.0.113.9", []
    made = service.call("POST", "/v1/players", body={"name": "Ana"}, X_Forwarded_For=at)
    key, body = made.json["key"], {"url": receiver.url}

    def new() -> str:
        return str(service.call("POST", HOOKS, key, body, X_Forwarded_For=at).json["id"])

    known = new()
    _ping(service, key, known, at, receiver)
    for _ in range(pings):
        hook = new()
        seconds += [_ping(service, key, one, at, receiver) for one in (hook, known)]
        service.call("DELETE", f"{HOOKS}/{hook}", key, X_Forwarded_For=at)
    return seconds


def _crowd(service: Service, url: str, over: threading.Event) -> None:
    """Make 150 webhooks with 30 keys of one address, ping them, and replace them every 11 s."""
    at = {"X_Forwarded_For": "198.51.100.7"}
    keys = [
        service.call("POST", "/v1/players", body={"name": f"P{n}"}, **at).json["key"]
        for n in range(30)
    ]
    while not over.is_set():
        began = time.monotonic()
        for key in keys:
            for old in service.call("GET", HOOKS, key, **at).json["webhooks"]:
                service.call("DELETE", f"{HOOKS}/{old['id']}", key, **at)
            for _ in range(5):
                hook = service.call("POST", HOOKS, key, {"url": url}, **at).json["id"]
                service.call("POST", f"{HOOKS}/{hook}/ping", key, **at)
        over.wait(max(0.0, 11 - (time.monotonic() - began)))


@pytest.mark.campaign("webhooks")
@pytest.mark.timeout(600)
def test_another_addresss_slow_receivers_delay_nobody(
    tmp_path: Path, redis_binary: Path | None, record_property: Figure
) -> None:
    many = dict.fromkeys(("RATE", "ADDRESS_RATE", "SIGN_UP", "CREATION"), "100000 per minute")
    limits = {f"LONJA_{name}_LIMIT": limit for name, limit in many.items()}
    settings = {"LONJA_HOSTS": "", "LONJA_TRUSTED_PROXIES": "127.0.0.1", **limits, **OUTBOUND}
    over = threading.Event()
    with (
        Service(tmp_path, redis_binary, log=None, **settings) as service,
        process(service.redis.url),
        Receiver() as quick,
        Receiver(before=until(over)) as slow,
    ):
        alone = _victim(service, quick, 10)
        crowd = threading.Thread(target=_crowd, args=(service, slow.url, over))
        crowd.start()
        try:
            wait_for(partial(_is_crowded, slow))
            beside = [each for _ in range(10) for each in _victim(service, quick, 6)]
        finally:
            over.set()
            crowd.join()
    for name, seconds in (("alone", alone), ("beside", beside)):
        record_property(f"ms of a ping {name}, median", round(1_000 * median(seconds)))
        record_property(f"ms {name}, p90", round(1_000 * quantiles(seconds, n=10)[-1]))
    assert median(beside) <= 3 * median(alone)
    assert quantiles(beside, n=10)[-1] <= 3 * quantiles(alone, n=10)[-1]


def _is_crowded(receiver: Receiver) -> bool:
    return receiver.at_once >= 8
