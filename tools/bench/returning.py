"""Watchers who come back when the service has ended their streams, as browsers do."""

import asyncio
import multiprocessing
import random
import re
import resource
import time
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

HOST = "127.0.0.1"
RETRY_SECONDS = 2.0
"""What the service asks for with ``retry``."""
_ID = re.compile(rb"^id: (\d+)\n", re.MULTILINE)
_AT_ONCE = 200
"""How many connections a process of watchers opens at the same time."""
_OTHER_FILES = 100
_SECONDS = 300.0


class Watch(NamedTuple):
    """What one watcher follows: the stream of a game, from an address, perhaps in gzip.

    A watcher of a game that is over reads it as a whole ``again`` after so many seconds, the first
    time within these.
    """

    game_id: str
    query: str
    address: str
    gzip: bool
    again: float | None = None


class SeenEvents(NamedTuple):
    """What one watcher read: the times (by ``time.monotonic``) of its newest events."""

    came: list[tuple[float, int]]
    refused: list[str]
    """The first lines of answers other than 200."""


class Crowd:
    """A process of watchers, for a benchmark to control."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe

    def open_streams(self) -> int:
        """Return how many streams are open now."""
        found: int = self._ask("open")
        return found

    def seen(self) -> list[SeenEvents]:
        """Return what each watcher has read so far, and forget it."""
        found: list[SeenEvents] = self._ask("seen")
        return found

    def _ask(self, what: str) -> Any:
        self._pipe.send(what)
        if not self._pipe.poll(_SECONDS):
            raise RuntimeError("the watchers do not answer")
        return self._pipe.recv()


@contextmanager
def returning(port: int, watches: Sequence[Watch]) -> Iterator[Crowd]:
    """Start one watcher for each watch; they stay until the context ends.

    Raises:
        RuntimeError: the system does not allow so many open files.
    """
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < len(watches) + _OTHER_FILES:
        raise RuntimeError(f"{len(watches)} open files are needed and {hard} allowed: ulimit -Hn")
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=_run, args=(there, port, list(watches)), daemon=True)
    process.start()
    there.close()
    try:
        yield Crowd(here)
    finally:
        process.kill()
        process.join()


def _run(pipe: Connection, port: int, watches: list[Watch]) -> None:
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    asyncio.run(_watch_all(pipe, port, watches))


async def _watch_all(pipe: Connection, port: int, watches: list[Watch]) -> None:
    openings = asyncio.Semaphore(_AT_ONCE)
    watchers = [_Watcher(port, watch, openings) for watch in watches]

    def answer() -> None:
        if pipe.recv() == "open":
            pipe.send(sum(watcher.is_open for watcher in watchers))
        else:
            pipe.send([watcher.take() for watcher in watchers])

    asyncio.get_running_loop().add_reader(pipe.fileno(), answer)
    await asyncio.gather(*(watcher.stay() for watcher in watchers))


class _Watcher:
    def __init__(self, port: int, watch: Watch, openings: asyncio.Semaphore) -> None:
        self.is_open = False
        self._port = port
        self._watch = watch
        self._openings = openings
        self._seen = SeenEvents([], [])
        self._newest = 0

    def take(self) -> SeenEvents:
        found, self._seen = self._seen, SeenEvents([], [])
        return found

    async def stay(self) -> None:
        again = self._watch.again
        if again is not None:
            await asyncio.sleep(again * random.random())
        while True:
            with suppress(OSError, asyncio.IncompleteReadError):
                await self._follow()
            self.is_open = False
            if again is not None:
                self._newest = 0
            await asyncio.sleep(again or RETRY_SECONDS)

    async def _follow(self) -> None:
        game_id, query, address, gzip, _again = self._watch
        coding = "Accept-Encoding: gzip\r\n" if gzip else ""
        last = f"Last-Event-ID: {self._newest}\r\n" if self._newest else ""
        async with self._openings:
            reader, writer = await asyncio.open_connection(
                HOST, self._port, local_addr=(address, 0)
            )
            try:
                request = f"GET /v1/games/{game_id}/stream?{query} HTTP/1.1\r\nHost: localhost\r\n"
                writer.write(f"{request}{coding}{last}\r\n".encode())
                head = await reader.readuntil(b"\r\n\r\n")
            except BaseException:
                writer.close()
                raise
        try:
            if b" 200 " not in head[:20]:
                self._seen.refused.append(head.partition(b"\r\n")[0].decode())
                return
            self.is_open = True
            await self._read(reader, zlib.decompressobj(wbits=31) if gzip else None)
        finally:
            writer.close()

    async def _read(self, reader: asyncio.StreamReader, decoder: "zlib._Decompress | None") -> None:
        """Read chunks (RFC 9112, 7.1) until there are no more; each has whole messages."""
        while size := int(await reader.readline() or b"0", 16):  # a cut ends it, too
            chunk = (await reader.readexactly(size + 2))[:-2]
            text = chunk if decoder is None else decoder.decompress(chunk)
            if ids := _ID.findall(text):
                self._newest = int(ids[-1])
                self._seen.came.append((time.monotonic(), self._newest))
