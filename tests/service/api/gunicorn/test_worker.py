"""The shares of connections by address, and the time limit for sending a body."""

from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import gevent
import pytest
from gunicorn.config import Config  # type: ignore[import-untyped]
from gunicorn.http.parser import RequestParser  # type: ignore[import-untyped]

from service.api.gunicorn.problems import has_come, in_time
from service.api.gunicorn.worker import ConnectionCounts


def enter_all(connections: ConnectionCounts, address: str, share: int = 1000) -> int:
    """Open the maximum number of connections of an address."""
    number = 0
    while connections.enter(address, share):
        number += 1
    return number


def test_an_address_has_a_share() -> None:
    connections = ConnectionCounts(1000)
    assert enter_all(connections, "a", 200) == 200
    assert enter_all(connections, "b", 200) == 200


@pytest.mark.parametrize(("crowds", "last"), [(1, 500), (2, 250), (3, 125)])
def test_there_is_room_whoever_came_before(crowds: int, last: int) -> None:
    connections = ConnectionCounts(1000)
    held = [enter_all(connections, f"crowd {n}") for n in range(crowds)]
    assert held[-1] == last
    assert 1000 - sum(held) >= last
    assert connections.enter("somebody", 1)


def test_what_leaves_makes_room() -> None:
    connections = ConnectionCounts(10)
    assert enter_all(connections, "a") == 5
    for _ in range(5):
        connections.leave("a")
    assert enter_all(connections, "b") == 5


def test_a_body_that_does_not_come_is_given_up_with_its_connection(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("service.api.gunicorn.problems.BODY_SECONDS", 0.01)
    request: Any = SimpleNamespace(body=SimpleNamespace(read=gevent.sleep), force_close=Mock())
    with pytest.raises(TimeoutError):
        in_time(request)(60)
    request.force_close.assert_called_once_with()


@pytest.mark.parametrize(
    ("head", "body", "all_of_it"),
    [
        (b"Content-Length: 2", b"{}", True),
        (b"Content-Length: 2", b"{}GET /next", True),
        (b"Content-Length: 2", b"{", False),
        (b"Content-Length: 2", b"", False),
        (b"Accept: x", b"", True),
        (b"Transfer-Encoding: chunked", b"2\r\n{}\r\n0\r\n\r\n", False),
    ],
)
def test_nobody_waits_for_a_body_that_came_with_its_head(
    head: bytes, body: bytes, *, all_of_it: bool
) -> None:
    sent = b"POST / HTTP/1.1\r\nHost: x\r\n" + head + b"\r\n\r\n" + body
    request = next(RequestParser(Config(), iter([sent]), ("127.0.0.1", 1)))
    assert has_come(request) is all_of_it


def test_a_body_that_comes_is_read() -> None:
    request: Any = SimpleNamespace(body=SimpleNamespace(read=b"x".__mul__), force_close=Mock())
    assert in_time(request)(3) == b"xxx"
    request.force_close.assert_not_called()
