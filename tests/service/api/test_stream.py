"""Server-sent events: resuming, waking, keep-alives, ends, tickets and limits."""

import threading
import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from itertools import islice
from types import SimpleNamespace
from typing import Any

import orjson
import pytest
from werkzeug.test import TestResponse

from service.api.app import create_app
from service.live import streams
from service.live.hub import HEARTBEAT_SECONDS, Hub
from service.runtime import Runtime
from tests.running import wait_for
from tests.service.api.document import need_fit
from tests.service.api.people import House, Json, Person, data, play_on, problem


@contextmanager
def streaming(person: Person, url: str, **headers: str) -> Iterator["Reader"]:
    answer = person.get(url, **headers)
    assert answer.status_code == 200, answer.text
    try:
        yield Reader(answer)
    finally:
        answer.close()


class Reader:
    """Reads a stream message by message."""

    def __init__(self, answer: TestResponse) -> None:
        self.answer = answer
        self._chunks = answer.iter_encoded()
        self._text = ""
        self.bytes = 0

    def message(self) -> str:
        while "\n\n" not in self._text:
            chunk = next(self._chunks)
            self.bytes += len(chunk)
            self._text += chunk.decode()
        message, _, self._text = self._text.partition("\n\n")
        self._need_described(message)
        return message

    def _need_described(self, message: str) -> None:
        """Validate each message that a test reads by the description."""
        lines = dict(line.split(": ", 1) for line in message.splitlines())
        if "data" in lines:
            is_notice = self.answer.request.path == "/v1/players/me/stream"
            told: Json = {"event": "message", **lines, "data": orjson.loads(lines["data"])}
            if "id" in told and not is_notice:
                told["id"] = int(told["id"])
            need_fit("NoticeMessage" if is_notice else "StreamMessage", told)

    def event(self) -> Json:
        """Return the next event; skip comments and the retry time."""
        while True:
            lines = dict(line.split(": ", 1) for line in self.message().splitlines())
            if "data" in lines:
                found: Json = self.answer.json_module.loads(lines["data"])
                assert lines.get("event") or lines["id"] == str(found["seq"])
                return found


def test_a_stream_begins_where_one_wants(house: House) -> None:
    people = [house.player(), house.player()]
    url = house.table(*people)
    events = data(people[0].get(f"{url}/events"))["events"]
    with streaming(people[0], f"{url}/stream") as stream:
        assert stream.answer.mimetype == "text/event-stream"
        assert stream.answer.headers["X-Accel-Buffering"] == "no"
        assert stream.message() == "retry: 2000"
        assert [stream.event() for _ in events] == events
    with streaming(people[0], f"{url}/stream?after=1", Last_Event_ID="3") as stream:
        assert [stream.event() for _ in events[3:]] == events[3:]
    with streaming(people[0], f"{url}/stream?after=2") as stream:
        assert stream.event() == events[2]


def test_a_move_reaches_every_stream_as_its_viewer_may_see_it(
    house: House, runtime: Runtime
) -> None:
    people = [house.player(), house.player()]
    url = house.table(*people)
    people[0].move(url, 0)
    version = data(people[0].get(url))["version"]
    elsewhere = House(create_app(runtime))  # as another process would
    with (
        streaming(people[0], f"{url}/stream?after={version}") as own,
        streaming(people[1], f"{url}/stream?after={version}") as other,
        streaming(house.visitor, f"{url}/stream?after={version}") as nobody,
    ):
        timer = threading.Timer(0.2, lambda: Person(elsewhere, people[0].headers).move(url, 0))
        timer.start()
        assert own.event()["body"]["move"]["type"] == "bid"
        assert "move" not in other.event()["body"]
        assert "move" not in nobody.event()["body"]
        timer.join()


def test_what_a_crowd_is_told_is_made_once_and_takes_one_turn(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = [house.player(), house.player()]
    url = house.table(*people)
    queue, turns = hub_of(house).queue, list[str]()
    enter = queue.enter

    def noted(address: str) -> None:
        turns.append(address)
        enter(address)

    monkeypatch.setattr(queue, "enter", noted)
    with ExitStack() as stack:
        crowd = [stack.enter_context(streaming(house.visitor, f"{url}/stream")) for _ in range(9)]
        seated = stack.enter_context(streaming(people[1], f"{url}/stream?seat=1"))
        first = [stream.event() for stream in crowd]
        version = data(people[0].get(url))["version"]
        for stream in crowd:
            while stream.event()["seq"] < version:
                pass
        while seated.event()["seq"] < version:
            pass
        people[0].move(url, 0)
        wait_for(lambda: told_version(house, url) > version)
        turns.clear()
        told = [stream.event() for stream in crowd]
        assert len(turns) == 1, "the others take what is made"
        own = seated.event()
    assert all(event == first[0] for event in first)
    assert all(event == told[0] for event in told)
    assert told[0]["seq"] == own["seq"] == version + 1
    assert len(turns) == 2, "what a seat sees is its own"


def test_a_crowd_that_hears_nothing_has_the_log_read_once(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise streams that were opened together would all read the log at each keep-alive."""
    now = [100.0]
    monkeypatch.setattr(streams, "time", SimpleNamespace(monotonic=lambda: now[0]))
    hub = hub_of(house)
    hub.heartbeat = 0.02
    people = [house.player(), house.player()]
    url = house.table(*people)
    with ExitStack() as stack:
        opened = (streaming(house.visitor, f"{url}/stream?last=0") for _ in range(5))
        crowd = [stack.enter_context(stream) for stream in opened]
        room = hub._rooms[url.rpartition("/")[2]]
        make, reads = room._make, [0]  # type: ignore[attr-defined]

        def counted(*about: Any, look_again: bool) -> Any:
            reads[0] += look_again
            return make(*about, look_again=look_again)

        monkeypatch.setattr(room, "_make", counted)
        for stream in crowd:
            assert stream.message() == "retry: 2000"
        for later, expected in ((0.0, 0), (0.02, 1), (0.04, 2)):
            now[0] = 100.0 + later
            for stream in crowd:
                for _ in range(2):  # the work after a keep-alive is done when the next one comes
                    assert stream.message() == ": keep-alive"
            assert reads[0] == expected


def test_a_crowd_that_is_woken_together_waits_for_one_page(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If each stream queued for itself, requests of busier addresses would wait for all of them."""
    monkeypatch.setattr(streams, "_PATIENCE_SECONDS", 60.0)
    people = [house.player(), house.player()]
    url = house.table(*people)
    version = data(people[0].get(url))["version"]
    hub, turns, made = hub_of(house), list[str](), threading.Event()
    enter = hub.queue.enter
    with ExitStack() as stack:
        look = f"{url}/stream?last=0"
        crowd = [stack.enter_context(streaming(house.visitor, look)) for _ in range(9)]
        for stream in crowd:
            assert stream.message() == "retry: 2000"
        people[0].move(url, 0)
        wait_for(lambda: told_version(house, url) > version)

        def waits(address: str) -> None:
            turns.append(address)
            made.wait()
            enter(address)

        monkeypatch.setattr(hub.queue, "enter", waits)
        with ThreadPoolExecutor(len(crowd)) as pool:
            told = [pool.submit(stream.event) for stream in crowd]
            wait_for(lambda: len(turns) == 1)
            made.set()
            assert {one.result()["seq"] for one in told} == {version + 1}
    assert len(turns) == 1


def told_version(house: House, url: str) -> int:
    room = hub_of(house)._rooms[url.rpartition("/")[2]]
    return room.told[0] if room.told else 0


def test_a_stream_ends_with_the_right_to_it(house: House) -> None:
    """A player who leaves a seat no longer gets its view when another player takes it."""
    house.app.extensions["lonja"].hub.heartbeat = 0.1
    ana, bob = house.player("Ana"), house.player("Bob")
    seats = [{"holder": "me"}, {"holder": "open"}, {"holder": "open"}]
    asked = {"ruleset": "sealed", "seats": seats, "table": {"visibility": "private"}}
    url = ana.post("/v1/games", asked).headers["Location"]
    made = data(ana.post(f"{url}/invitations", {}))
    body = {"invitation": made["token"]}
    assert bob.put(f"{url}/seats/1", body).status_code == 200
    with streaming(bob, f"{url}/stream?seat=1") as seated:
        assert seated.event()["seq"] == 1
        assert bob.delete(f"{url}/seats/1").status_code == 200
        ends(seated)
    with streaming(bob, f"{url}/stream") as guest:
        assert guest.event()["seq"] == 1
        assert ana.delete(f"{url}/invitations/{made['id']}").status_code == 200
        ends(guest)


def ends(stream: "Reader") -> None:
    deque(islice(iter(stream.message, None), 100))  # the rest, unless the stream is endless
    with pytest.raises(StopIteration):
        stream.message()


def test_a_stream_ends_with_its_game(house: House) -> None:
    people = [house.player(), house.player()]
    url = house.table(*people)
    play_on(url, people)
    version = data(people[0].get(url))["version"]
    with streaming(house.visitor, f"{url}/stream") as stream:
        for seq in range(1, version + 1):
            assert stream.event()["seq"] == seq
        assert stream.message() == f'event: end\ndata: {{"version":{version}}}'
        with pytest.raises(StopIteration):
            stream.message()


def hub_of(house: House) -> Hub:
    hub: Hub = house.app.extensions["lonja"].hub
    return hub


def test_silence_is_filled_with_heartbeats(house: House) -> None:
    hub_of(house).heartbeat = 0.05
    people = [house.player(), house.player()]
    url = house.table(*people)
    version = data(people[0].get(url))["version"]
    with streaming(people[0], f"{url}/stream?after={version}") as stream:
        assert stream.message() == "retry: 2000"
        assert [stream.message() for _ in range(3)] == [": keep-alive"] * 3


def test_streams_are_limited_and_closed_ones_make_room(house: House) -> None:
    hub = hub_of(house)
    hub.shares = hub.shares._replace(total=1)
    people = [house.player(), house.player()]
    url = house.table(*people)
    with streaming(people[0], f"{url}/stream"):
        assert hub.count == 1
        refused = people[1].get(f"{url}/stream")
        problem(refused, 503, "too_many_streams")
        assert int(refused.headers["Retry-After"]) > 0
    assert hub.count == 0
    with streaming(people[1], f"{url}/stream"):
        pass


def test_streams_end_when_the_process_is_to_end(house: House) -> None:
    hub = hub_of(house)
    people = [house.player(), house.player()]
    url = house.table(*people)
    version = data(people[0].get(url))["version"]
    with streaming(people[0], f"{url}/stream?after={version}") as stream:
        stream.message()
        hub.is_stopping = lambda: True
        began = time.monotonic()
        with pytest.raises(StopIteration):
            stream.message()
        assert time.monotonic() - began < HEARTBEAT_SECONDS


def test_a_stream_that_is_refused_leaves_its_ticket_good(house: House) -> None:
    people = [house.player(), house.player()]
    url = house.table(*people)
    ticket = data(people[0].post("/v1/stream_tickets"))["ticket"]
    problem(house.visitor.get(f"{url}/stream?ticket={ticket}&seat=1"), 403, "not_your_seat")
    with streaming(house.visitor, f"{url}/stream?ticket={ticket}&seat=0"):
        pass


def test_one_of_two_streams_that_ask_with_a_ticket_at_once_is_opened(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = [house.player(), house.player()]
    url = house.table(*people)
    ticket = data(people[0].post("/v1/stream_tickets"))["ticket"]
    tickets, hub = (getattr(house.app.extensions["lonja"], part) for part in ("tickets", "hub"))
    found = tickets.find(ticket)
    monkeypatch.setattr(tickets, "find", lambda _ticket: found)  # as both viewers see it
    with streaming(house.visitor, f"{url}/stream?ticket={ticket}&seat=0"):
        problem(house.visitor.get(f"{url}/stream?ticket={ticket}"), 401, "unknown_ticket")
        assert hub.count == 1, "the other one has no place"


def test_a_ticket_opens_one_stream(house: House) -> None:
    people = [house.player(), house.player()]
    url = house.table(*people)
    ticket = data(people[0].post("/v1/stream_tickets"))["ticket"]
    version = data(people[0].get(url))["version"]
    with streaming(house.visitor, f"{url}/stream?ticket={ticket}&seat=0&after={version - 1}"):
        pass
    problem(house.visitor.get(f"{url}/stream?ticket={ticket}"), 401, "unknown_ticket")
    problem(house.visitor.get(f"{url}/stream?ticket=lt_x"), 401, "unknown_ticket")
    problem(house.visitor.post("/v1/stream_tickets"), 401, "key_required")
    problem(house.visitor.get(f"{url}/stream?seat=0"), 403, "not_your_seat")
