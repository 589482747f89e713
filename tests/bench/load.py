"""A load of POSTs over keep-alive connections, one request in flight on each."""

import asyncio
import time
from typing import NamedTuple


class Load(NamedTuple):
    """What a load found: requests a second, and each request's seconds."""

    rate: float
    seconds: list[float]


def post_all(host: str, port: int, queues: list[list[bytes]]) -> Load:
    """Send each queue of ready-made requests over a connection of its own.

    Raises:
        RuntimeError: an answer is not 201.

    """
    return asyncio.run(_post_all(host, port, queues))


async def _post_all(host: str, port: int, queues: list[list[bytes]]) -> Load:
    seconds: list[float] = []
    connections = [await asyncio.open_connection(host, port) for _ in queues]
    start = time.perf_counter()
    await asyncio.gather(
        *(
            _post(*connection, requests, seconds)
            for connection, requests in zip(connections, queues, strict=True)
        )
    )
    elapsed = time.perf_counter() - start
    for _reader, writer in connections:
        writer.close()
    return Load(len(seconds) / elapsed, seconds)


async def _post(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    requests: list[bytes],
    seconds: list[float],
) -> None:
    for request in requests:
        start = time.perf_counter()
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length:")[2].split(b"\r\n", 1)[0])
        body = await reader.readexactly(length)
        seconds.append(time.perf_counter() - start)
        if b" 201 " not in head[:20]:
            raise RuntimeError(f"{head.decode()}{body.decode()}")


def request(path: str, key: str, idempotency_key: str, body: bytes) -> bytes:
    """Return a POST as it goes over the wire."""
    head = (
        f"POST {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\n"
        f"Idempotency-Key: {idempotency_key}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body
