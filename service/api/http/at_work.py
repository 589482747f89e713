"""Fair queueing of requests by their address within a web process (``service.process.fair_queue``).

Rate limits count the cost of a request only after the request. So an address that requests the most
expensive pages on all of its connections stays within the limits for a while, and without the queue
all other requests would wait for it.
"""

from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from flask import Flask, Response, g

from service.api.http.context import Caller
from service.process.fair_queue import FairQueue

EVENT_STREAM = "text/event-stream"


def begin(caller: Caller) -> None:
    """Wait for the caller's turn."""
    queue, address = caller.services.queue, caller.address
    line = f"health {address}" if caller.access.of_balancers else address
    queue.enter(line)
    g.queue, g.line = queue, line


def guard(app: Flask, queue: FairQueue) -> None:
    """Queue the requests of ``app`` fairly. An open stream queues for each of its messages."""

    def end(_error: BaseException | None) -> None:
        if g.pop("queue", None) is not None:
            queue.leave(g.line)

    def go_on(response: Response) -> Response:
        # An event stream itself queues for each message.
        if response.is_streamed and response.mimetype != EVENT_STREAM:
            response.response = _in_turn(queue, g.caller.address, response.response)
        return response

    app.after_request(go_on)
    app.teardown_request(end)


def _in_turn(queue: FairQueue, address: str, pieces: Iterable[Any]) -> Iterator[Any]:
    """Yield the pieces of an answer; each is generated in a turn of its own."""
    found = iter(pieces)
    try:
        while True:
            with queue.at_work(address):
                piece = next(found, None)
            if piece is None:
                return
            yield piece
    finally:
        if isinstance(found, Generator):
            found.close()


@contextmanager
def others_first() -> Iterator[None]:
    """Let other requests run while the present one waits for its client."""
    queue: FairQueue | None = g.get("queue")
    if queue is None:
        yield
        return
    queue.leave(g.line)
    try:
        yield
    finally:
        queue.enter(g.line)
