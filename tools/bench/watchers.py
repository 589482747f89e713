"""Many watchers of games: a process that does nothing but note when each line came."""

import multiprocessing
import re
import resource
import selectors
import socket
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection
from typing import NamedTuple, cast

HOST = "127.0.0.1"
OTHER_FILES = 100
_ID = re.compile(rb"^id: (\d+)\n", re.MULTILINE)
_READ = 1 << 18
_SECONDS = 120.0


class WatcherLines(NamedTuple):
    """The times (by ``time.monotonic``) at which one watcher of a game read its newest events."""

    game_id: str
    came: list[tuple[float, int]]


class WatchersResult(NamedTuple):
    """The lines of all watchers, and how much of a processor they used."""

    lines: list[WatcherLines]
    share: float


class WatcherProcess:
    """The process of the watchers, for the benchmark to control."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe

    def until_open(self) -> None:
        """Wait until all streams are open.

        Raises:
            RuntimeError: the streams cannot be opened.
        """
        self._hear()

    def end(self) -> WatchersResult:
        """End the streams; return the messages that came since ``until_open`` returned.

        Raises:
            RuntimeError: the watchers failed.
        """
        self._pipe.send(None)
        found = self._hear()
        assert isinstance(found, WatchersResult)
        return found

    def _hear(self) -> WatchersResult | None:
        if not self._pipe.poll(_SECONDS):
            raise RuntimeError("the watchers do not answer")
        found: WatchersResult | RuntimeError | None = self._pipe.recv()
        if isinstance(found, RuntimeError):
            raise found
        return found


@contextmanager
def watching(port: int, game_ids: Sequence[str]) -> Iterator[WatcherProcess]:
    """Start one watcher for each of the ids; an id may occur more than once."""
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=_watch, args=(there, port, list(game_ids)), daemon=True)
    process.start()
    there.close()
    try:
        found = WatcherProcess(here)
        found.until_open()
        yield found
    finally:
        process.kill()
        process.join()


def _watch(pipe: Connection, port: int, game_ids: list[str]) -> None:
    try:
        _raise_limit(len(game_ids) + OTHER_FILES)
        streams = [
            _open(port, game_id, f"127.1.{1 + number // 250}.{1 + number % 250}")
            for number, game_id in enumerate(game_ids)
        ]
    except (OSError, RuntimeError) as error:
        pipe.send(RuntimeError(f"the watchers cannot watch: {error}"))
        return
    lines = [WatcherLines(game_id, []) for game_id in game_ids]
    with selectors.DefaultSelector() as waiting:
        waiting.register(pipe, selectors.EVENT_READ)
        for stream, line in zip(streams, lines, strict=True):
            waiting.register(stream, selectors.EVENT_READ, line)
        pipe.send(None)
        began, spent = time.monotonic(), time.process_time()
        while True:
            for key, _events in waiting.select():
                if key.data is None:
                    share = (time.process_time() - spent) / (time.monotonic() - began)
                    pipe.send(WatchersResult(lines, share))
                    return
                _note(cast("socket.socket", key.fileobj), key.data)


def _raise_limit(files: int) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < files:
        raise RuntimeError(f"{files} open files are needed and {hard} allowed: ulimit -Hn")
    if soft != resource.RLIM_INFINITY and soft < files:
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, hard))


def _open(port: int, game_id: str, address: str) -> socket.socket:
    """Open a game's stream at its newest event, on a connection from ``address``."""
    stream = socket.create_connection((HOST, port), _SECONDS, source_address=(address, 0))
    head = f"GET /v1/games/{game_id}/stream?last=0 HTTP/1.1\r\nHost: localhost\r\n\r\n"
    stream.sendall(head.encode())
    found = b""
    while b"retry:" not in found:
        read = stream.recv(_READ)
        found += read
        if not read:
            raise RuntimeError(found.decode())
    return stream


def _note(stream: socket.socket, line: WatcherLines) -> None:
    """Note the event that a watcher has just read; the service writes only whole messages."""
    read = stream.recv(_READ)
    now = time.monotonic()
    if not read:
        raise RuntimeError(f"a stream of {line.game_id} has ended")
    if ids := _ID.findall(read):
        line.came.append((now, int(ids[-1])))
