"""Addresses take turns at a process: admission and continuation, in an order without clocks."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partialmethod
from itertools import islice
from threading import Event

import pytest

from service.process import fair_queue, task_time
from service.process.fair_queue import STRETCH_NS, FairQueue, give_way, go_on, paced
from tests.running import wait_for
from tests.service.process.test_task_time import MS, work

FOR_EVER = 60.0


@pytest.fixture
def nobody_is_impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fair_queue, "PATIENCE_S", FOR_EVER)


def paused(queue: FairQueue) -> int:
    return sum(len(line.paused) for line in queue._lines.values())


def test_an_address_that_has_none_at_work_never_waits() -> None:
    queue = FairQueue(2)
    for address in ("crowd", "crowd", "ana", "bea", "eva"):
        queue.enter(address)
    assert queue.waiting == 0


def test_of_an_address_that_is_not_alone_one_request_is_let_in() -> None:
    queue, order = FairQueue(3), ""

    def enter(address: str) -> None:
        nonlocal order
        queue.enter(address)
        order += address

    for address in "aab":
        queue.enter(address)
    with ThreadPoolExecutor(4) as pool:
        for waiting, address in enumerate("aaab", 1):
            pool.submit(enter, address)
            wait_for(lambda waiting=waiting: queue.waiting == waiting)  # type: ignore[misc]
        for leaves, then in (("a", ""), ("a", "a"), ("b", "ab"), ("b", "abaa")):
            queue.leave(leaves)
            wait_for(lambda then=then: order == then)  # type: ignore[misc]
            assert queue.waiting == 4 - len(then)


def test_a_request_that_is_ended_while_it_waits_leaves_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Killed(BaseException):
        """The exception with which a server ends a request."""

    def end(event: Event, _timeout: float | None = None, *, called_first: bool) -> None:
        if called_first:
            crowd.leave("a")
        assert event.is_set() is called_first
        raise Killed

    for called_first in (False, True):
        crowd = FairQueue(1)
        crowd.enter("a")
        with monkeypatch.context() as patched:
            patched.setattr(Event, "wait", partialmethod(end, called_first=called_first))
            with pytest.raises(Killed):
                crowd.enter("a")
        assert crowd.waiting == 0
        if not called_first:
            crowd.leave("a")
        crowd.enter("b")
        crowd.enter("a")  # the address has no request in progress, so it does not wait


@pytest.mark.usefixtures("nobody_is_impatient")
@pytest.mark.parametrize("pause", [go_on, give_way], ids=["after an answer", "after a stretch"])
def test_who_has_had_more_waits_for_who_has_had_less(pause: Callable[[], None]) -> None:
    queue, order = FairQueue(), []

    def crowd() -> None:
        queue.enter("crowd")
        work(STRETCH_NS / MS)
        begun.set()
        came.wait()
        work(STRETCH_NS / MS + 1)
        pause()
        order.append("crowd")
        queue.leave("crowd")

    begun, came = Event(), Event()
    with ThreadPoolExecutor(1) as pool:
        late = pool.submit(crowd)
        begun.wait()
        queue.enter("ana")
        go_on()  # a new address does not wait
        came.set()
        wait_for(lambda: paused(queue) == 1)
        order.append("ana")
        queue.leave("ana")
        late.result()
    assert order == ["ana", "crowd"]


@pytest.mark.usefixtures("nobody_is_impatient")
def test_of_an_address_that_waits_all_go_on_when_it_is_alone() -> None:
    queue = FairQueue()
    begun = [Event() for _ in range(3)]
    came = Event()

    def crowd(begins: Event) -> None:
        queue.enter("crowd")
        begins.set()
        came.wait()
        work(STRETCH_NS / MS + 1)
        go_on()
        queue.leave("crowd")

    with ThreadPoolExecutor(3) as pool:
        asked = [pool.submit(crowd, begins) for begins in begun]
        for begins in begun:
            begins.wait()
        queue.enter("ana")
        came.set()
        wait_for(lambda: paused(queue) == 3)
        queue.leave("ana")
        for one in asked:
            one.result()
    assert not queue._lines, "nothing is kept of who has gone"


def test_nobody_waits_for_ever_for_who_does_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fair_queue, "PATIENCE_S", 0.001)
    queue = FairQueue()
    with ThreadPoolExecutor(1) as pool:
        pool.submit(queue.enter, "ana").result()  # and waits for an event that never comes
        queue.enter("crowd")
        for _ in range(5):
            work(STRETCH_NS / MS + 1)
            go_on()
        assert paused(queue) == 0
        pool.submit(queue.leave, "ana").result()
    queue.leave("crowd")


def test_a_newcomer_owes_nothing_and_has_saved_nothing() -> None:
    queue = FairQueue()
    queue.enter("crowd")
    work(5)
    queue.leave("crowd")
    queue.enter("ana")
    (line,) = queue._lines.values()
    assert line.used >= 5 * MS, "it begins with what the least served had last"
    queue.leave("ana")


def test_work_gives_way_after_each_stretch(monkeypatch: pytest.MonkeyPatch) -> None:
    gave_way = []
    monkeypatch.setattr(fair_queue, "go_on", lambda: gave_way.append(task_time.now_ns()))
    queue = FairQueue()
    queue.enter("ana")
    began = task_time.now_ns()
    for _ in islice(paced(iter(range(100))), 100):
        work(0.2)
    queue.leave("ana")
    stretches = [b - a for a, b in zip([began, *gave_way], gave_way, strict=False)]
    assert len(gave_way) >= 8, "some 20 ms of work"
    assert max(stretches) < 3 * MS


def test_who_works_for_nobody_gives_way_to_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fair_queue, "go_on", lambda: pytest.fail("a worker has no queue"))
    for _ in paced(range(3)):
        work(1.5)


def test_nobody_looks_at_a_crowd_of_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten thousand followers may be as many addresses: each request would look at all of them."""
    crowd, queue = 5000, FairQueue()
    looks = 0

    class CountingQueue(fair_queue.AddressQueue):
        @property
        def used(self) -> int:
            nonlocal looks
            looks += 1
            return self.__dict__["used"]  # type: ignore[no-any-return]

        @used.setter
        def used(self, used: int) -> None:
            self.__dict__["used"] = used

    monkeypatch.setattr(fair_queue, "AddressQueue", CountingQueue)
    for number in range(crowd):
        queue.enter(str(number))
        line = queue._lines[str(number)]
        line.used = number * STRETCH_NS
        if number % 2:
            line.paused.append(Event())
            queue._pausing.add(line)
    queue.enter("warm")
    queue.leave("warm")
    looks = 0
    for _ in range(100):
        queue.enter("ana")
        queue.leave("ana")
    assert looks <= 2000


def test_addresses_that_have_gone_leave_nothing() -> None:
    queue = FairQueue()
    queue.enter("ana")  # the least served address hides the old entries of all others
    for number in range(10_000):
        queue.enter(str(number))
        queue._lines[str(number)].used += STRETCH_NS
        queue.leave(str(number))
    assert len(queue._active._heap) <= 200
