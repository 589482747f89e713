"""Many watchers of games: a process that does nothing but note when each line came."""

import multiprocessing
import re
import resource
import selectors
import socket
import time
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection
from typing import NamedTuple

HOST = "127.0.0.1"
OTHER_FILES = 100
_ID = re.compile(rb"^id: (\d+)\n", re.MULTILINE)
_READ = 1 << 18
_SECONDS = 120.0


class WatcherLines(NamedTuple):
    """The times (by ``time.monotonic``) at which one watcher of a game read its newest events.

    ``read`` is the number of bytes that came over the network, with HTTP's head and chunks.
    """

    game_id: str
    came: list[tuple[float, int]]
    read: int


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

    def end(self, version: int = 0) -> WatchersResult:
        """End the streams once all have read this version of their games.

        Return the messages that they received since ``until_open`` returned.

        Raises:
            RuntimeError: the watchers failed.
        """
        self._pipe.send(version)
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
def watching(
    port: int, game_ids: Sequence[str], query: str = "last=0", *, gzip: bool = False
) -> Iterator[WatcherProcess]:
    """Start one watcher for each of the ids; an id may occur more than once."""
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(
        target=_watch, args=(there, port, list(game_ids), query, gzip), daemon=True
    )
    process.start()
    there.close()
    try:
        found = WatcherProcess(here)
        found.until_open()
        yield found
    finally:
        process.kill()
        process.join()


def _watch(pipe: Connection, port: int, game_ids: list[str], query: str, gzip: bool) -> None:  # noqa: FBT001 - passed by a process
    try:
        _raise_limit(len(game_ids) + OTHER_FILES)
        streams = [
            _open(port, game_id, f"127.1.{1 + number // 250}.{1 + number % 250}", query, gzip=gzip)
            for number, game_id in enumerate(game_ids)
        ]
    except (OSError, RuntimeError) as error:
        pipe.send(RuntimeError(f"the watchers cannot watch: {error}"))
        return
    came: list[list[tuple[float, int]]] = [[] for _ in game_ids]
    with selectors.DefaultSelector() as waiting:
        waiting.register(pipe, selectors.EVENT_READ)
        for stream, noted in zip(streams, came, strict=True):
            waiting.register(stream.connection, selectors.EVENT_READ, (stream, noted))
        pipe.send(None)
        began, spent = time.monotonic(), time.process_time()
        until: int | None = None
        while True:
            for key, _events in waiting.select():
                if key.data is None:
                    until = pipe.recv()
                else:
                    stream, noted = key.data
                    _note(stream, noted)
                    if stream.is_over:
                        waiting.unregister(stream.connection)
                if until is not None and all(_newest(noted) >= until for noted in came):
                    share = (time.process_time() - spent) / (time.monotonic() - began)
                    reads = zip(game_ids, came, streams, strict=True)
                    lines = [WatcherLines(id_, noted, stream.bytes) for id_, noted, stream in reads]
                    pipe.send(WatchersResult(lines, share))
                    return


def _raise_limit(files: int) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < files:
        raise RuntimeError(f"{files} open files are needed and {hard} allowed: ulimit -Hn")
    if soft != resource.RLIM_INFINITY and soft < files:
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, hard))


class _EventStream:
    """The text of a stream as it comes: in chunks (RFC 9112, 7.1), and perhaps in gzip."""

    def __init__(self, connection: socket.socket, *, gzip: bool) -> None:
        self.connection = connection
        self.bytes = 0
        self.is_over = False
        self._decoder = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16) if gzip else None
        self._rest = b""
        self._is_in_body = False

    def read(self) -> bytes:
        """Return what has come, without gzip; what is no text of the stream may be in it.

        Nothing may have come as a whole. When the stream has ended, ``is_over`` is set.
        """
        found = self.connection.recv(_READ)
        self.is_over = not found
        self.bytes += len(found)
        if self._decoder is None:
            return found
        self._rest += found
        return b"".join(map(self._decoder.decompress, self._chunks()))

    def _chunks(self) -> Iterator[bytes]:
        """Yield the chunks that are whole."""
        if not self._is_in_body:
            head, end, rest = self._rest.partition(b"\r\n\r\n")
            if not end:
                return
            if b"gzip" not in head:
                raise RuntimeError(f"a stream is not in gzip: {head.decode()}")
            self._rest, self._is_in_body = rest, True
        while True:
            size, end, rest = self._rest.partition(b"\r\n")
            many = int(size, 16) if end else 0
            if not end or len(rest) < many + 2:
                return
            self._rest = rest[many + 2 :]
            yield rest[:many]


def _open(port: int, game_id: str, address: str, query: str, *, gzip: bool) -> _EventStream:
    """Open the stream of a game; the connection comes from ``address``."""
    connection = socket.create_connection((HOST, port), _SECONDS, source_address=(address, 0))
    head = f"GET /v1/games/{game_id}/stream?{query} HTTP/1.1\r\nHost: localhost\r\n"
    coding = "Accept-Encoding: gzip\r\n" if gzip else ""
    connection.sendall(f"{head}{coding}\r\n".encode())
    stream = _EventStream(connection, gzip=gzip)
    found = b""
    while b"retry:" not in found:
        found += stream.read()
        if stream.is_over:
            raise RuntimeError(found.decode())
    return stream


def _note(stream: _EventStream, came: list[tuple[float, int]]) -> None:
    """Note the event that a watcher has read now; the service writes whole messages only."""
    read = stream.read()
    if ids := _ID.findall(read):
        came.append((time.monotonic(), int(ids[-1])))


def _newest(came: list[tuple[float, int]]) -> int:
    return came[-1][1] if came else 0
