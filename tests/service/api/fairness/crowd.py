"""One address that sends requests on many connections, as fast as it gets answers.

A process of its own: ``python -m tests.service.api.fairness.crowd``, with a JSON object on its
standard input. It ends by itself after ``SECONDS``.
"""

import base64
import os
import socket
import sys
import threading
import time
from contextlib import suppress

import orjson

SECONDS = 300.0
QUIET_SECONDS = 0.05
"""Silence after which a stream has sent all existing messages: it is closed and opened again."""


def visit(port: int, address: str, requests: list[bytes], first: int) -> None:
    """Send the requests in turn on one connection; if it is closed, open another."""
    turn = first
    while True:
        with (
            suppress(OSError),
            socket.create_connection(
                ("127.0.0.1", port), 60, source_address=(address, 0)
            ) as connection,
        ):
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            while True:
                connection.sendall(requests[turn % len(requests)])
                turn += 1
                if not read_answer(connection):
                    break


def read_answer(connection: socket.socket) -> bool:
    """Read an answer to its end; return whether the connection can be used again."""
    found = b""
    while b"\r\n\r\n" not in found:
        if not (more := connection.recv(65_536)):
            return False
        found += more
    head, _, body = found.partition(b"\r\n\r\n")
    told = head.lower()
    if b"\r\ncontent-type: text/event-stream" in told:
        connection.settimeout(QUIET_SECONDS)
        with suppress(TimeoutError):
            while connection.recv(262_144):
                pass
        return False
    if b"\r\ntransfer-encoding: chunked" in told:
        while not body.endswith(b"0\r\n\r\n"):
            if not (more := connection.recv(262_144)):
                return False
            body = body[-16:] + more
    elif b"\r\ncontent-length: " in told:
        left = int(told.partition(b"\r\ncontent-length: ")[2].partition(b"\r\n")[0]) - len(body)
        while left > 0:
            if not (more := connection.recv(262_144)):
                return False
            left -= len(more)
    return b"\r\nconnection: close" not in told


def main() -> None:
    told = orjson.loads(sys.stdin.buffer.read())
    requests = [base64.b64decode(one) for one in told["requests"]]
    for nth in range(told["connections"]):
        arguments = (told["port"], told["address"], requests, nth)
        threading.Thread(target=visit, args=arguments, daemon=True).start()
    deadline, parent = time.monotonic() + SECONDS, os.getppid()
    while time.monotonic() < deadline and os.getppid() == parent:
        time.sleep(0.2)


if __name__ == "__main__":
    main()
