"""Requests take turns by address: other addresses wait neither for a crowd nor for slow clients."""

from concurrent.futures import ThreadPoolExecutor
from io import BytesIO

import pytest

from service.process.fair_queue import AT_ONCE, FairQueue
from tests.running import wait_for
from tests.service.api.people import House

HERE, ELSEWHERE = "127.0.0.1", "192.0.2.1"


@pytest.fixture
def queue(house: House) -> FairQueue:
    """Return the queue of ``house``'s process, filled with requests of this address."""
    found: FairQueue = house.app.extensions["lonja"].queue
    for _ in range(AT_ONCE):
        found.enter(HERE)
    return found


def test_a_crowd_from_one_address_delays_nobody_elsewhere(house: House, queue: FairQueue) -> None:
    with ThreadPoolExecutor(1) as pool:
        late = pool.submit(house.app.test_client().get, "/v1/rulesets")
        wait_for(lambda: queue.waiting == 1)
        for path in ("/v1/rulesets", "/docs", "/nothing"):
            house.client.get(path, environ_base={"REMOTE_ADDR": ELSEWHERE})
        assert house.client.get("/readyz").status_code == 200, "balancers never wait"
        assert not late.done()
        queue.leave(HERE)
        assert late.result().status_code == 200
    queue.enter(HERE)
    assert queue.waiting == 0, "what was answered has left"


def test_what_balancers_ask_waits_for_no_more_than_more_of_that_from_there(
    house: House, queue: FairQueue
) -> None:
    assert house.client.get("/healthz").status_code == 200, "beside what else is asked from there"
    queue.enter(f"health {HERE}")
    with ThreadPoolExecutor(1) as pool:
        late = pool.submit(house.app.test_client().get, "/readyz")
        wait_for(lambda: queue.waiting == 1)
        balancers = house.client.get("/readyz", environ_base={"REMOTE_ADDR": ELSEWHERE})
        assert balancers.status_code == 200
        assert not late.done()
        queue.leave(f"health {HERE}")
        assert late.result().status_code == 200


@pytest.mark.parametrize(
    ("peer", "forwarded", "waits"),
    [
        ("2001:db8:1:2::5", "", 1),
        ("2001:db8:1:3::5", "", 0),
        ("198.51.100.1", "2001:db8:1:2::7", 0),
    ],
    ids=["the same /64", "another /64", "who claims to be a proxy"],
)
def test_turns_are_by_address_as_limits_are(
    house: House, peer: str, forwarded: str, waits: int
) -> None:
    queue: FairQueue = house.app.extensions["lonja"].queue
    for _ in range(AT_ONCE):
        queue.enter("2001:db8:1:2::/64")
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(
            house.app.test_client().get,
            "/v1/rulesets",
            environ_base={"REMOTE_ADDR": peer},
            headers={"X-Forwarded-For": forwarded},
        )
        wait_for(lambda: asked.done() if not waits else queue.waiting == waits)
        queue.leave("2001:db8:1:2::/64")
        assert asked.result().status_code == 200


def test_who_sends_slowly_keeps_nobody_waiting(house: House, queue: FairQueue) -> None:
    class Slow(BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            queue.enter(HERE)  # another request arrives meanwhile
            queue.leave(HERE)
            return super().read(size)

    queue.leave(HERE)
    sent = {"wsgi.input": Slow(b'{"name": "Ana"}'), "CONTENT_LENGTH": "15"}
    made = house.client.post("/v1/players", environ_overrides=sent, content_type="application/json")
    assert made.status_code == 201, made.text


def test_a_body_that_has_come_is_read_in_the_same_turn(house: House, queue: FairQueue) -> None:
    at_work = []

    class Come(BytesIO):
        has_come = True

        def read(self, size: int | None = -1, /) -> bytes:
            at_work.append(queue._lines[HERE].at_work)
            return super().read(size)

    queue.leave(HERE)
    sent = {"wsgi.input": Come(b'{"name": "Ana"}'), "CONTENT_LENGTH": "15"}
    made = house.client.post("/v1/players", environ_overrides=sent, content_type="application/json")
    assert made.status_code == 201, made.text
    assert at_work == [AT_ONCE]


def test_a_stream_takes_its_turn_for_each_piece_and_waits_with_none(house: House) -> None:
    queue: FairQueue = house.app.extensions["lonja"].queue
    ana = house.player()
    url = house.table(ana, house.player())
    stream = house.client.get(
        f"{url}/stream?last=1", environ_base={"REMOTE_ADDR": ELSEWHERE}, buffered=False
    )
    pieces = stream.iter_encoded()
    next(pieces)
    assert not queue._lines, "it is open, and nobody waits for it"
    for _ in range(AT_ONCE):
        queue.enter(ELSEWHERE)
    with ThreadPoolExecutor(1) as pool:
        piece = pool.submit(next, pieces)
        assert ana.move(url, 0).status_code == 201
        wait_for(lambda: queue.waiting == 1)
        queue.leave(ELSEWHERE)
        assert b"id: " in piece.result()
    stream.close()
