"""Whose requests a web process works at: addresses take turns.

Rate limits count requests, not what each costs. An address that asks for the dearest pages on all
of its connections stays within them, and everybody else's request would wait behind all of these.
"""

from collections import Counter, OrderedDict, deque
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Lock

from flask import Flask, g, request

from service.metrics import REQUESTS_WAITING

AT_ONCE = 16
"""So many requests are worked at in a process; more only of addresses that have no other there."""

_NEVER_WAIT = frozenset(("/healthz", "/readyz"))
"""What balancers ask, all the time."""


class AtWork:
    """The requests that are worked at, by address; for several threads.

    An address that has none at work never waits. What waits is let in by address, in turn.
    """

    def __init__(self, at_once: int = AT_ONCE) -> None:
        self._at_once = at_once
        self._at_work = Counter[str]()
        self._waiting: OrderedDict[str, deque[Event]] = OrderedDict()
        self._lock = Lock()

    @property
    def waiting(self) -> int:
        """How many requests wait."""
        with self._lock:
            return sum(map(len, self._waiting.values()))

    def enter(self, address: str) -> None:
        """Return when a request of this address may be worked at; ``leave`` when that is done."""
        with self._lock:
            if not self._at_work[address] or (self._has_room() and not self._waiting):
                self._at_work[address] += 1
                return
            called = Event()
            self._waiting.setdefault(address, deque()).append(called)
        try:
            with REQUESTS_WAITING.track_inprogress():
                called.wait()
        except BaseException:  # the request was ended while it waited
            self._give_up(address, called)
            raise

    def _give_up(self, address: str, called: Event) -> None:
        with self._lock:
            waiting = self._waiting.get(address, deque())
            if called in waiting:
                waiting.remove(called)
                if not waiting:
                    del self._waiting[address]
                return
        self.leave(address)

    def leave(self, address: str) -> None:
        """Make room for the next one."""
        with self._lock:
            self._at_work[address] -= 1
            if not self._at_work[address]:
                del self._at_work[address]
                if address in self._waiting:
                    self._let_in(address)
            while self._waiting and self._has_room():
                self._let_in(next(iter(self._waiting)))

    def _has_room(self) -> bool:
        return self._at_work.total() < self._at_once

    def _let_in(self, address: str) -> None:
        """Call the first that waits of an address, whose turn comes again after all others'."""
        waiting = self._waiting.pop(address)
        self._at_work[address] += 1
        waiting.popleft().set()
        if waiting:
            self._waiting[address] = waiting

    def guard(self, app: Flask) -> None:
        """Have the requests of ``app`` wait for their turn; a stream has none once it is open."""
        app.before_request(self._begin)
        app.teardown_request(self._end)

    def _begin(self) -> None:
        if request.path not in _NEVER_WAIT:
            self.enter(g.address)
            g.at_work = self

    def _end(self, _error: BaseException | None) -> None:
        if g.pop("at_work", None) is not None:
            self.leave(g.address)


@contextmanager
def others_first() -> Iterator[None]:
    """Make room while the present request waits for its client."""
    at_work: AtWork | None = g.get("at_work")
    if at_work is None:
        yield
        return
    at_work.leave(g.address)
    try:
        yield
    finally:
        at_work.enter(g.address)
