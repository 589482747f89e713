"""Ends a process, or its Redis, exactly before or after a command that it sends to Redis.

``install`` wraps the client's connections; ``watched`` then notes what the calling thread (or
greenlet) sends, and carries out an ``Order``. A pipeline is one point. Handshakes of new
connections are no points, because they touch no data.
"""

import os
import re
import signal
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, Self

from redis.connection import AbstractConnection
from redis.exceptions import ResponseError

SIDES = ("before", "after")
ALL_SIDES = ("before", "sent", "after")
"""The sides of a command on which to kill; ``sent``: it is sent, but perhaps not carried out."""

_READS = frozenset((
    "CONFIG", "EXISTS", "GET", "HGET", "HGETALL", "HLEN", "HMGET", "INFO", "MGET", "SMEMBERS",
    "TIME", "WATCH", "XINFO", "XRANGE", "XREVRANGE", "ZRANGE", "ZREVRANGEBYSCORE",
))  # fmt: skip
_HANDSHAKE = frozenset(("HELLO", "CLIENT", "AUTH", "SELECT", "PING"))
_NAMES = (
    (re.compile(r"\{s\d\d\}"), "{s}"),
    (re.compile(r"g\d\d-[a-z2-7]{20}"), "<game>"),
    (re.compile(r"p-[a-z2-7]{16}"), "<player>"),
    (re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"), "<id>"),
    (re.compile(r"[0-9a-f]{32}"), "<id>"),
)


def writes(point: str) -> bool:
    """Whether a point may change stored data; kills after other points need no test."""
    return any(command.split()[0] not in _READS for command in point.split(" + "))


class Order(NamedTuple):
    """Kill ``victim`` (0: this process) on one side of command ``number`` (0: kill nothing)."""

    number: int = 0
    side: str = "before"
    victim: int = 0

    def __str__(self) -> str:
        return f"{self.number} {self.side} {self.victim}"

    @classmethod
    def of(cls, text: str) -> Self:
        number, side, victim = text.split()
        return cls(int(number), side, int(victim))


class _Watch:
    def __init__(self, order: Order) -> None:
        self.points: list[str] = []
        self._order = order

    def reach(self, point: int, side: str) -> None:
        number, wanted, victim = self._order
        if (point, side) == (number, wanted):
            os.kill(victim or os.getpid(), signal.SIGKILL)
            wait_until_dead(victim or os.getpid())


_here = threading.local()


@contextmanager
def watched(order: Order) -> Iterator[list[str]]:
    """Record the points that this thread reaches, and carry out ``order``."""
    watch = _here.watch = _Watch(order)
    try:
        yield watch.points
    finally:
        _here.watch = None


def install() -> None:
    """Wrap the connections of this process."""
    send: Any = AbstractConnection.send_packed_command
    read: Any = AbstractConnection.read_response

    def send_packed_command(self: Any, command: Any, check_health: bool = True) -> None:  # noqa: FBT001, FBT002 - the client's signature
        watch: _Watch | None = getattr(_here, "watch", None)
        commands = [] if watch is None else list(_parse(_joined(command)))
        if watch is None or _word(commands[0]) in _HANDSHAKE:
            send(self, command, check_health)
            return
        watch.points.append(" + ".join(_once(map(_label, commands))))
        point = len(watch.points)
        watch.reach(point, "before")
        send(self, command, check_health)
        self.owed = (point, len(commands))
        watch.reach(point, "sent")

    def read_response(self: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            reply = read(self, *args, **kwargs)
        except ResponseError:
            _answered(self)
            raise
        _answered(self)
        return reply

    AbstractConnection.send_packed_command = send_packed_command  # type: ignore[method-assign]
    AbstractConnection.read_response = read_response  # type: ignore[method-assign]


def _answered(connection: Any) -> None:
    watch: _Watch | None = getattr(_here, "watch", None)
    point, left = getattr(connection, "owed", (0, 0))
    if watch is None or left == 0:
        return
    connection.owed = (point, left - 1)
    if left == 1:
        watch.reach(point, "after")


def wait_until_dead(pid: int, seconds: float = 10.0) -> None:
    """Wait until a killed process is dead, perhaps as a zombie."""
    deadline = time.monotonic() + seconds
    while is_alive(pid):
        assert time.monotonic() < deadline, f"process {pid} does not end"
        time.sleep(0.001)


def is_alive(pid: int) -> bool:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] not in "ZX"


# Sent commands


def _joined(command: Any) -> bytes:
    if isinstance(command, (str, bytes)):
        command = [command]
    return b"".join(part.encode() if isinstance(part, str) else bytes(part) for part in command)


def _parse(raw: bytes) -> Iterator[list[bytes]]:
    at = 0

    def number() -> int:
        nonlocal at
        end = raw.index(b"\r\n", at)
        value = int(raw[at + 1 : end])
        at = end + 2
        return value

    while at < len(raw):
        words = []
        for _ in range(number()):
            length = number()
            words.append(raw[at : at + length])
            at += length + 2
        yield words


def _word(command: list[bytes]) -> str:
    return command[0].decode().upper()


def _label(command: list[bytes]) -> str:
    word = _word(command)
    if word == "SCRIPT":
        return f"SCRIPT {command[1].decode().upper()}"
    at = {"EVALSHA": 3, "EVAL": 3, "XINFO": 2}.get(word, 1)
    key = command[at].decode("utf-8", "replace") if len(command) > at else ""
    if not key.startswith(("lonja:", "rq:")):
        return word
    for pattern, name in _NAMES:
        key = pattern.sub(name, key)
    return f"{word} {key}"


def _once(labels: Iterable[str]) -> list[str]:
    """Yield the items without immediate repetitions."""
    kept: list[str] = []
    for label in labels:
        if label not in kept[-1:]:
            kept.append(label)
    return kept
