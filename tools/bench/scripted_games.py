"""Games whose moves are prepared requests, and what a request costs the web processes."""

import math
import socket
from collections.abc import Iterator
from itertools import count
from typing import NamedTuple

import orjson

from rules.kernel.contract.registry import Registry
from tests.scripted import Script
from tools.bench.load import post_on_time, request
from tools.bench.moves import HOST, sign_up
from tools.bench.web import WebService

EARLIER = 20
"""Number of moves in a game before its stream is opened."""


class Move(NamedTuple):
    """A prepared request for a move; ``version`` is the version of the game after the move."""

    game_id: str
    version: int
    request: bytes


class ScriptedGames:
    """Stores games of one ruleset, and asks the service about them as their player."""

    def __init__(self, service: WebService, registry: Registry, ruleset: str) -> None:
        self._service = service
        self._made_of = registry, ruleset
        self._key, player = sign_up(service.port)
        self._holder = {"player": player}
        self._seeds = count()

    def begun(self) -> Move:
        """Play a game for some moves; return the last one."""
        (moves,) = self.opened(1, EARLIER)
        post_on_time(HOST, self._service.port, [on_time(moves, math.inf)])
        return moves[-1]

    def opened(self, games: int, moves: int) -> list[list[Move]]:
        """Store ``games`` games; return the next ``moves`` moves of each."""
        return [list(self._open(next(self._seeds), moves)) for _ in range(games)]

    def _open(self, seed: int, moves: int) -> Iterator[Move]:
        script = Script(*self._made_of, 2 + seed % 3, seed, holder=self._holder)
        rehearsed = script.rehearse(moves)
        script.open_in(self._service.store)
        path = f"/v1/games/{script.id}/moves"
        for number, (seat, move, version, events) in enumerate(rehearsed):
            body = orjson.dumps({"seat": seat, "move": move, "expected_version": version})
            asked = request(path, self._key, f"{script.id}-{number}", body)
            yield Move(script.id, version + events, asked)

    def cost(self, path: str, until: bytes, requests: int) -> float:
        """Return the mean processor seconds of a GET request on a new connection.

        The answer is read until ``until`` is in it.
        """
        for _ in range(requests // 10):
            self._ask(path, until)
        before = self._service.processor_seconds()
        for _ in range(requests):
            self._ask(path, until)
        return (self._service.processor_seconds() - before) / requests

    def _ask(self, path: str, until: bytes) -> None:
        head = (
            f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {self._key}\r\n\r\n"
        )
        found = b""
        with socket.create_connection((HOST, self._service.port)) as stream:
            stream.sendall(head.encode())
            while until not in found:
                read = stream.recv(65_536)
                if not read:
                    raise RuntimeError(found.decode())
                found += read


def on_time(moves: list[Move], a_second: float, first: float = 0.0) -> list[tuple[float, bytes]]:
    """Return the requests with the times at which they are due, in seconds from the beginning."""
    return [(first + number / a_second, move.request) for number, move in enumerate(moves)]
