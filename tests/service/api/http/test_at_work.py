"""Addresses take turns at a web process: who is let in when, in an order that no clock decides."""

from concurrent.futures import ThreadPoolExecutor
from functools import partialmethod
from io import BytesIO
from threading import Event

import pytest

from service.api.http.at_work import AT_ONCE, AtWork
from tests.running import wait_for
from tests.service.api.people import House

HERE, ELSEWHERE = "127.0.0.1", "192.0.2.1"


@pytest.fixture
def at_work(house: House) -> AtWork:
    """Return who is at work in the process of ``house``: as many requests from here as may be."""
    found: AtWork = house.app.extensions["lonja"].at_work
    for _ in range(AT_ONCE):
        found.enter(HERE)
    return found


def test_an_address_that_has_none_at_work_never_waits() -> None:
    at_work = AtWork(2)
    for address in ("crowd", "crowd", "ana", "bea", "eva"):
        at_work.enter(address)
    assert at_work.waiting == 0


def test_what_waits_is_let_in_by_address_in_turn() -> None:
    at_work, order = AtWork(2), ""

    def enter(address: str) -> None:
        nonlocal order
        at_work.enter(address)
        order += address

    for address in "aab":
        at_work.enter(address)
    with ThreadPoolExecutor(4) as pool:
        for waiting, address in enumerate("aaab", 1):
            pool.submit(enter, address)
            wait_for(lambda waiting=waiting: at_work.waiting == waiting)  # type: ignore[misc]
        for leaves, then in (("a", ""), ("a", "a"), ("b", "ab"), ("b", "aba"), ("a", "abaa")):
            at_work.leave(leaves)
            wait_for(lambda then=then: order == then)  # type: ignore[misc]
            assert at_work.waiting == 4 - len(then)


def test_a_request_that_is_ended_while_it_waits_leaves_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Killed(BaseException):
        """What a server throws into a request that it ends."""

    def end(event: Event, *, called_first: bool) -> None:
        if called_first:
            crowd.leave("a")
        assert event.is_set() is called_first
        raise Killed

    for called_first in (False, True):
        crowd = AtWork(1)
        crowd.enter("a")
        monkeypatch.setattr(Event, "wait", partialmethod(end, called_first=called_first))
        with pytest.raises(Killed):
            crowd.enter("a")
        assert crowd.waiting == 0
        if not called_first:
            crowd.leave("a")
        crowd.enter("b")
        crowd.enter("a")  # has none at work, so that it does not wait


def test_a_crowd_from_one_address_delays_nobody_elsewhere(house: House, at_work: AtWork) -> None:
    with ThreadPoolExecutor(1) as pool:
        late = pool.submit(house.app.test_client().get, "/v1/rulesets")
        wait_for(lambda: at_work.waiting == 1)
        for path in ("/v1/rulesets", "/docs", "/nothing"):
            house.client.get(path, environ_base={"REMOTE_ADDR": ELSEWHERE})
        assert house.client.get("/readyz").status_code == 200, "balancers never wait"
        assert not late.done()
        at_work.leave(HERE)
        assert late.result().status_code == 200
    at_work.enter(HERE)
    assert at_work.waiting == 0, "what was answered has left"


def test_who_sends_slowly_keeps_nobody_waiting(house: House, at_work: AtWork) -> None:
    class Slow(BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            at_work.enter(HERE)  # another request comes in meanwhile
            at_work.leave(HERE)
            return super().read(size)

    at_work.leave(HERE)
    sent = {"wsgi.input": Slow(b'{"name": "Ana"}'), "CONTENT_LENGTH": "15"}
    made = house.client.post("/v1/players", environ_overrides=sent, content_type="application/json")
    assert made.status_code == 201, made.text
