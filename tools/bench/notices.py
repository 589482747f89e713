"""The time from a move until its notice comes on a player's stream of notices."""

import math
import random
import tempfile
import time
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from itertools import accumulate
from pathlib import Path
from statistics import median
from threading import Event, Thread

import click
import orjson

from rules.kernel.contract.registry import Registry
from rules.registry import PACKAGES
from service.ledger.store import Store
from service.redis.client import make_client
from tests.scripted import Script
from tools.bench.load import post_on_time, request
from tools.bench.measure import Row, at_most
from tools.bench.moves import HOST, p99, service, sign_up

GAMES, MOVES, A_SECOND = 16, 32, 20.0
"""The number of games, the number of moves in each, and the mean number of moves a second. At this
rate, the follower takes a third of the moves together with the move before.
"""


def measure(registry: Registry, ruleset: str) -> list[Row]:
    """Return the time from a move's answer to its notice: median and 99th percentile, in ms."""
    with tempfile.TemporaryDirectory() as folder, service(Path(folder), "everysec") as running:
        url, port = running
        key, player = sign_up(port)
        heard = _listen(port, key)
        store, rng = Store(make_client(url)), random.Random(1)
        games = []
        for seed in range(GAMES):
            script = Script(registry, ruleset, 2 + seed % 3, seed, holder={"player": player})
            games.append([
                (
                    (script.id, version + events),
                    request(
                        f"/v1/games/{script.id}/moves",
                        key,
                        f"{script.id}-{number}",
                        orjson.dumps({"seat": seat, "move": move, "expected_version": version}),
                    ),
                )
                for number, (seat, move, version, events) in enumerate(script.rehearse(MOVES))
            ])  # fmt: skip
            script.open_in(store)
        moments = accumulate(rng.expovariate(A_SECOND) for _ in range(GAMES * MOVES))
        queues: list[list[tuple[float, bytes]]] = [[] for _ in games]
        for number, moment in enumerate(moments):
            turn, game = divmod(number, GAMES)
            if turn < len(games[game]):
                queues[game].append((moment, games[game][turn][1]))
        made = post_on_time(HOST, port, queues)
        time.sleep(1.0)  # the last notices are still under way
        late = [
            heard.get(which, math.inf) - timed.ended
            for moves, times in zip(games, made, strict=True)
            for (which, _request), timed in zip(moves, times, strict=True)
        ]
    if math.inf in late:
        raise RuntimeError(f"{late.count(math.inf)} of {len(late)} moves were not told")
    name = "milliseconds from the answer to a move to its player's notice"
    return [
        at_most(f"{name}, median", 1000 * median(late), 6.0, notices=len(late)),
        at_most(f"{name}, 99th percentile", 1000 * p99(late), 35.0, notices=len(late)),
    ]


def _listen(port: int, key: str) -> dict[tuple[str, int], float]:
    """Listen; return the time (``time.monotonic``) of each notice, by game and version."""
    heard: dict[tuple[str, int], float] = {}
    opened = Event()

    def listen() -> None:
        stream = HTTPConnection(HOST, port)
        headers = {"Authorization": f"Bearer {key}"}
        stream.request("GET", "/v1/players/me/stream", headers=headers)
        answer = stream.getresponse()
        while line := answer.readline():
            now = time.monotonic()
            if line.startswith(b"event: resync"):
                opened.set()
            elif line.startswith(b"data: ") and "version" in (told := orjson.loads(line[6:])):
                heard[told["game_id"], told["version"]] = now

    def until_its_end() -> None:
        with suppress(OSError, HTTPException):  # raised when the service ends the stream
            listen()

    Thread(target=until_its_end, daemon=True).start()
    if not opened.wait(60):
        raise RuntimeError("the stream of notices does not open")
    return heard


if __name__ == "__main__":
    for row in measure(Registry(PACKAGES), "santiago_de_cuba"):
        click.echo(f"{row.value:8.2f}   {row.bound:18} {row.name}   {row.detail}")
