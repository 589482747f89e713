"""Fair queueing: addresses take turns at a process's processor.

One address may send expensive requests; the requests of others must not wait for all of them. So
each address has an account of its processor time (fair queueing: Demers, Keshav, Shenker 1989; a
newcomer begins with the smallest account, Goyal, Vin, Cheng 1996). A request pauses while an
address with a smaller account works. It pauses only after a stretch of work (``give_way``), or
after an answer of the store (``go_on``). Nobody waits for an idle address, so the processor is
never idle.

A process sees new requests only when its event loop polls. So between two polls, the requests of
one address together work for at most one stretch; if newcomers wait, the same holds for the
requests of all addresses together.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from heapq import heapify, heappop, heappush, heapreplace
from itertools import count
from threading import Event, Lock
from typing import TypeVar

from service.metrics import REQUESTS_WAITING
from service.process import task_time

AT_ONCE = 16
"""Maximum concurrent requests of an address that is alone in a process."""

STRETCH_NS = 700_000
"""Length of a stretch: time since the last poll after which a running request may pause."""

LEEWAY_NS = 250_000
"""Difference of accounts below which no address goes first."""

PATIENCE_S = 0.05
"""Maximum time that a request lets others go first; then it gets one stretch, because the others
may be waiting for something other than the processor, such as the store.
"""

_OLD_ENTRIES = 100
"""Number of old entries of a heap that are not worth removing."""

T = TypeVar("T")


class AddressQueue:
    """An address in the queue: its processor time, and its waiting requests."""

    def __init__(self, queue: "FairQueue", used: int) -> None:
        self.queue = queue
        self.used = used
        """The account of the address: processor time (ns), similar for all active addresses."""
        self.granted = 0
        """The value of ``used`` up to which the address does not wait for others."""
        self.at_work = 0
        self.waiting: deque[Event] = deque()
        """Requests that wait for admission."""
        self.paused: deque[Event] = deque()
        """Requests that have begun, and pause for other requests."""
        self.polling: deque[Event] = deque()
        """Requests that go on after the next polls, one after each poll."""


class AddressHeap:
    """Addresses, of which the least served one is found without a look at the others.

    Accounts only grow. So an entry of the heap may be old, but never above the account: the first
    entry that is up to date is the least.
    """

    def __init__(self) -> None:
        self._heap: list[tuple[int, int, AddressQueue]] = []
        """(account when added, number, address)"""
        self._here: dict[AddressQueue, int] = {}
        """The number of each address's entry; entries with other numbers are old."""
        self._numbers = count()

    def __len__(self) -> int:
        """Return the number of addresses."""
        return len(self._here)

    def add(self, line: AddressQueue) -> None:
        """Add an address, unless it is here."""
        if line in self._here:
            return
        if len(self._heap) > 2 * len(self._here) + _OLD_ENTRIES:
            self._heap = [entry for entry in self._heap if self._is_here(entry)]
            heapify(self._heap)
        number = self._here[line] = next(self._numbers)
        heappush(self._heap, (line.used, number, line))

    def discard(self, line: AddressQueue) -> None:
        """Remove an address, if it is here."""
        self._here.pop(line, None)
        if not self._here:
            self._heap.clear()

    def first(self) -> AddressQueue | None:
        """Return the least served address, if there is one."""
        while self._heap:
            entry = used, number, line = self._heap[0]
            if not self._is_here(entry):
                heappop(self._heap)
            elif line.used > used:
                heapreplace(self._heap, (line.used, number, line))
            else:
                return line
        return None

    def _is_here(self, entry: tuple[int, int, AddressQueue]) -> bool:
        _, number, line = entry
        return self._here.get(line) == number


class FairQueue:
    """The requests in progress, by address; thread-safe."""

    def __init__(self, at_once: int = AT_ONCE) -> None:
        self._at_once = at_once
        self._lines: dict[str, AddressQueue] = {}
        """The addresses with a request in progress or waiting."""
        self._active = AddressHeap()
        """The same addresses."""
        self._pausing = AddressHeap()
        """The addresses whose first paused request has not been woken."""
        self._least = 0
        """The account of the least served address, with which a new address begins."""
        self._lock = Lock()

    @property
    def waiting(self) -> int:
        """The number of requests that wait for admission."""
        with self._lock:
            return sum(len(line.waiting) for line in self._lines.values())

    def enter(self, address: str) -> None:
        """Wait until a request of this address may begin; call ``leave`` at its end.

        The first request of an address is admitted at once. While no other address has requests,
        up to ``at_once`` requests of the address run at the same time.
        """
        task = task_time.current()
        with self._lock:
            line = self._lines.get(address)
            if line is None:
                if self._lines:
                    self._least = max(self._least, self._least_used(0))
                line = self._lines[address] = AddressQueue(self, self._least)
                self._active.add(line)
            called = None
            if line.waiting or not self._has_room(line):
                called = Event()
                line.waiting.append(called)
            else:
                line.at_work += 1
        if called is not None:
            try:
                with REQUESTS_WAITING.track_inprogress():
                    called.wait()
            except BaseException:  # the request was ended while it waited for admission
                self._give_up(address, line, called)
                raise
        task.work_for(line)
        try:
            self.go_on(line, task)
        except BaseException:
            self.leave(address)
            raise

    def _has_room(self, line: AddressQueue) -> bool:
        return not line.at_work or (len(self._lines) == 1 and line.at_work < self._at_once)

    def _give_up(self, address: str, line: AddressQueue, called: Event) -> None:
        with self._lock:
            if called in line.waiting:
                line.waiting.remove(called)
                return
        self.leave(address)

    def leave(self, address: str) -> None:
        """Admit the next request."""
        task_time.current().work_for(None)
        with self._lock:
            line = self._lines[address]
            line.at_work -= 1
            if not line.at_work and not line.waiting:
                del self._lines[address]
                self._active.discard(line)
                if not self._lines:
                    self._least = max(self._least, line.used)
                    return
                self._least = max(self._least, self._least_used(0))
            self._admit(line)
            if len(self._lines) == 1:  # an address that is alone has more room
                for alone in self._lines.values():
                    self._admit(alone)
            self._call()

    def _admit(self, line: AddressQueue) -> None:
        while line.waiting and self._has_room(line):
            line.at_work += 1
            line.waiting.popleft().set()

    def _call(self) -> None:
        """Wake one paused request of each of the least served addresses.

        If only one address has requests, wake all of its paused requests.
        """
        if len(self._lines) == 1:
            for line in self._lines.values():
                for paused in line.paused:
                    paused.set()
            return
        least = self._least_used(0)
        while (next_line := self._pausing.first()) and not _is_ahead(next_line, least):
            self._pausing.discard(next_line)
            next_line.paused[0].set()

    def _lets_others_go_first(self, line: AddressQueue) -> bool:
        return _is_ahead(line, self._least_used(0))

    def _least_used(self, default: int) -> int:
        """Return the account of the least served address, or ``default`` if there is none."""
        line = self._active.first()
        return default if line is None else line.used

    def go_on(self, line: AddressQueue, task: task_time.TaskTime) -> None:
        """Pause a request until no other request should go first, or ``PATIENCE_S`` has passed.

        ``line`` is the address of the request, and ``task`` is the request itself. The paused
        requests of an address continue one at a time. If STRETCH_NS or more have passed since the
        event loop's last poll, the request also waits for the next poll. With this poll, the
        process notices new requests.
        """
        if len(self._lines) > 1 or line.paused:
            self._let_others_go_first(line)
        while task_time.wall_ns() - task.stretch >= STRETCH_NS:
            self._poll(line)
            task.stretch = task_time.wall_ns()
            self._let_others_go_first(line)

    def _poll(self, line: AddressQueue) -> None:
        """Wait for a poll.

        After each poll, only one waiting request of an address goes on. Otherwise all requests of
        the address would run after the same poll.
        """
        called = Event()
        with self._lock:
            line.polling.append(called)
            is_first = line.polling[0] is called
        try:
            if not is_first:
                called.wait()
            task_time.see_new_input()
        finally:
            with self._lock:
                line.polling.remove(called)
                if line.polling:
                    line.polling[0].set()

    def _let_others_go_first(self, line: AddressQueue) -> None:
        if len(self._lines) < 2 and not line.paused:
            return
        task_time.current().settle()
        with self._lock:
            if not self._lets_others_go_first(line):
                return
            called = Event()
            line.paused.append(called)
            self._pausing.add(line)
            self._call()
        try:
            while True:
                is_first = line.paused[0] is called
                in_time = called.wait(PATIENCE_S if is_first else None)
                with self._lock:
                    if len(self._lines) < 2 or not self._lets_others_go_first(line):
                        return
                    if is_first and not in_time:
                        line.granted = line.used + STRETCH_NS
                        return
                    called.clear()
                    self._pausing.add(line)
        finally:
            with self._lock:
                line.paused.remove(called)
                self._pausing.discard(line)
                if line.paused:
                    line.paused[0].set()

    @contextmanager
    def at_work(self, address: str) -> Iterator[None]:
        """Return the context of a request in progress."""
        self.enter(address)
        try:
            yield
        finally:
            self.leave(address)


def _is_ahead(line: AddressQueue, least: int) -> bool:
    """Whether an address has used more time than it was granted, and more than others.

    More than others means more than ``least`` + ``LEEWAY_NS``. ``least`` is the time that the least
    served address has used, in nanoseconds.
    """
    return line.used > max(least + LEEWAY_NS, line.granted)


def give_way() -> None:
    """Call ``go_on`` if the process has worked for STRETCH_NS or more since its last poll.

    Call this function often during long work.
    """
    task = task_time.current()
    if task.account is not None and task_time.wall_ns() - task.stretch >= STRETCH_NS:
        go_on()


def go_on() -> None:
    """Pause the current request while requests of other addresses should go first.

    Call this function after each wait, such as the wait for an answer of the store. Long work calls
    ``give_way`` instead.
    """
    task = task_time.current()
    line = task.account
    if isinstance(line, AddressQueue):
        line.queue.go_on(line, task)


def paced(items: Iterable[T]) -> Iterator[T]:
    """Yield the items, giving way in between."""
    task = task_time.current()
    if task.account is None:
        yield from items
        return
    for item in items:
        if task_time.wall_ns() - task.stretch >= STRETCH_NS:
            go_on()
        yield item
