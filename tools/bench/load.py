"""Sends POST requests over keep-alive connections, one request at a time on each."""

import asyncio
import time
from collections import defaultdict
from typing import NamedTuple

PROCESSES = 2
WHICH_PROCESS = b"GET /process HTTP/1.1\r\nHost: localhost\r\n\r\n"

Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Load(NamedTuple):
    """The result: requests a second, and the seconds that each request took."""

    rate: float
    seconds: list[float]


def post_all(host: str, port: int, queues: list[list[bytes]]) -> Load:
    """Send each queue of prepared requests over its own connection.

    Raises:
        RuntimeError: an answer is not 201.
    """
    return asyncio.run(_post_all(host, port, queues))


async def _post_all(host: str, port: int, queues: list[list[bytes]]) -> Load:
    seconds: list[float] = []
    connections = await _open(host, port, len(queues))
    start = time.perf_counter()
    await asyncio.gather(
        *(
            _post(connection, requests, seconds)
            for connection, requests in zip(connections, queues, strict=True)
        )
    )
    elapsed = time.perf_counter() - start
    for _reader, writer in connections:
        writer.close()
    return Load(len(seconds) / elapsed, seconds)


async def _open(host: str, port: int, count: int) -> list[Connection]:
    """Open ``count`` connections, half of them to each of the two web processes.

    By chance, one process might get up to four times as many as the other, and the slowest requests
    would all be there.
    """
    open_to: dict[bytes, list[Connection]] = defaultdict(list)
    for _ in range(100 * count):
        connection = await asyncio.open_connection(host, port)
        process = await _ask(connection, WHICH_PROCESS, b" 200 ")
        if len(open_to[process]) < count // PROCESSES:
            open_to[process].append(connection)
        else:
            connection[1].close()
        if sum(map(len, open_to.values())) == count:
            return [connection for connections in open_to.values() for connection in connections]
    raise RuntimeError(f"only {len(open_to)} of {PROCESSES} web processes answer")


async def _ask(connection: Connection, request: bytes, status: bytes) -> bytes:
    """Send a request; return the body of the answer.

    Raises:
        RuntimeError: the answer has another status than ``status``.
    """
    reader, writer = connection
    writer.write(request)
    head = await reader.readuntil(b"\r\n\r\n")
    length = int(head.lower().partition(b"content-length:")[2].split(b"\r\n", 1)[0])
    body = await reader.readexactly(length)
    if status not in head[:20]:
        raise RuntimeError(f"{head.decode()}{body.decode()}")
    return body


async def _post(connection: Connection, requests: list[bytes], seconds: list[float]) -> None:
    for request in requests:
        start = time.perf_counter()
        await _ask(connection, request, b" 201 ")
        seconds.append(time.perf_counter() - start)


class RequestTimes(NamedTuple):
    """The times at which a request was due and was answered (by ``time.monotonic``)."""

    due: float
    ended: float


def post_on_time(
    host: str, port: int, queues: list[list[tuple[float, bytes]]]
) -> list[list[RequestTimes]]:
    """Send each queue of prepared requests as ``post_all``, each at its time in seconds from now.

    If a request has to wait for the previous answer, the wait counts, because it was due before.
    """
    return asyncio.run(_post_on_time(host, port, queues))


async def _post_on_time(
    host: str, port: int, queues: list[list[tuple[float, bytes]]]
) -> list[list[RequestTimes]]:
    connections = [await asyncio.open_connection(host, port) for _ in queues]
    start = time.monotonic()
    found = await asyncio.gather(
        *(
            _post_each_on_time(connection, queue, start)
            for connection, queue in zip(connections, queues, strict=True)
        )
    )
    for _reader, writer in connections:
        writer.close()
    return found


async def _post_each_on_time(
    connection: Connection, queue: list[tuple[float, bytes]], start: float
) -> list[RequestTimes]:
    found = []
    for after, request in queue:
        due = start + after
        await asyncio.sleep(max(0.0, due - time.monotonic()))
        await _ask(connection, request, b" 201 ")
        found.append(RequestTimes(due, time.monotonic()))
    return found


def request(path: str, key: str, idempotency_key: str, body: bytes) -> bytes:
    """Return the bytes of a POST request with this JSON body."""
    head = (
        f"POST {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\n"
        f"Idempotency-Key: {idempotency_key}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body
