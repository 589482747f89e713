"""What ``lonja bot run`` adds to the time of a decision: over pipes, and at a service."""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from http import HTTPStatus
from http.client import HTTPConnection
from itertools import islice
from pathlib import Path
from typing import Any

import click
import orjson
from lonja_client import ME, Client

from rules.kernel.contract.registry import Registry
from rules.registry import PACKAGES
from service.games.questions import question
from service.process.limits import Limit
from tests.scripted import Script
from tools.bench.measure import Row, alternate, at_most
from tools.bench.moves import HOST, service, sign_up
from workers.engines.engine import Engine
from workers.engines.engine_process import EngineProcess

ENGINE = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if "hello" in message:
        print('{"hello": {"protocol": 1}}', flush=True)
    elif "question" in message:
        print(json.dumps({"answer": {"id": message["question"]["id"], "move": 0}}), flush=True)
"""
"""A bot that thinks about nothing."""
LATE = 40
"""The version of a game at which an engine is asked."""
ASKED = 300
DECISIONS = 60
SEATS = 2


def measure(registry: Registry, ruleset: str) -> Iterator[Row]:
    """Yield the milliseconds of a decision over pipes, and those that the bridge adds to a game."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "engine.py"
        program.write_text(ENGINE)
        times = _over_pipes(registry, program)
        slowest = max(statistics.median(each) for each in times.values())
        name = "milliseconds of a question and its answer over pipes, median of the slowest game"
        yield at_most(name, slowest, 1.0, milliseconds=times)
        with service(Path(folder), "everysec") as (_url, port):
            key, _player = sign_up(port)
            new = partial(_open, port, key, ruleset)
            bridged, by_hand, _ratio = alternate(
                lambda: _each(_bridged(port, key, program), new),
                lambda: _each(_by_hand(port, key), new),
            )
        name = (
            "milliseconds that `lonja bot run` takes for a decision at a service, more than by hand"
            " over the stream and POST"
        )
        more = statistics.median(a - b for a, b in zip(bridged, by_hand, strict=True))
        yield at_most(name, more, 5.0, bridged=bridged, by_hand=by_hand)


def _over_pipes(registry: Registry, program: Path) -> dict[str, list[float]]:
    """Return the milliseconds of questions to an engine, by ruleset."""
    engine = Engine(lambda: EngineProcess([sys.executable, str(program)], os.environ))
    found: dict[str, list[float]] = {}
    try:
        engine.start()
        for ruleset in registry:
            info = ruleset.info
            script = Script(registry, info.id, info.max_seats, 1, name="pipes")
            game = next(batch.game for batch in script.play() if batch.game.version >= LATE)
            seat = min(game.asked)
            asked = question(game, seat, ruleset.legal_moves(game.state, seat))
            times = found[info.id] = []
            for _ in range(ASKED):
                began = time.perf_counter()
                engine.ask(asked, Limit(10, by_wall=True))
                times.append(1000 * (time.perf_counter() - began))
    finally:
        engine.close()
    return found


def _open(port: int, key: str, ruleset: str) -> None:
    """Open a game at which the player holds all seats, so that it is asked without a pause."""
    table = {"visibility": "unlisted"}
    with Client(f"http://{HOST}:{port}", key) as player:
        player.open(ruleset, [ME] * SEATS, table=table)


def _each(answers: Iterator[None], new: Callable[[], None]) -> float:
    """Return the milliseconds from one answer to the next one, on average."""
    next(answers)  # it listens
    new()
    next(answers)
    began = time.perf_counter()
    assert len([*islice(answers, DECISIONS)]) == DECISIONS
    found = (time.perf_counter() - began) / DECISIONS
    answers.close()  # type: ignore[attr-defined]  # a generator
    return 1000 * found


def _bridged(port: int, key: str, program: Path) -> Iterator[None]:
    """Yield when the command listens, and at each answer."""
    line = f"{sys.executable} {program}"
    url = f"http://{HOST}:{port}"
    lonja = str(Path(sys.executable).with_name("lonja"))
    command = [lonja, "bot", "run", "--engine", line, "--url", url, "--json"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, env={**os.environ, "LONJA_KEY": key}
    ) as running:
        assert running.stdout is not None
        try:
            for told in running.stdout:
                message = orjson.loads(told)
                if "listening" in message or "answered" in message:
                    yield
        finally:
            running.terminate()


def _by_hand(port: int, key: str) -> Iterator[None]:
    """Yield when the stream is open, and at each answer; as a program without a library does it."""
    stream, posts = HTTPConnection(HOST, port), HTTPConnection(HOST, port)
    headers = {"Authorization": f"Bearer {key}"}
    stream.request("GET", "/v1/players/me/stream?questions=true", headers=headers)
    answer = stream.getresponse()
    kind = b""
    try:
        while line := answer.readline():
            if line.startswith(b"event: "):
                kind = line[7:].strip()
                if kind == b"resync":
                    yield
            elif line.startswith(b"data: ") and kind == b"asked":
                asked: Any = orjson.loads(line[6:])["question"]
                if asked is not None:
                    _post(posts, headers, asked)
                    yield
    finally:
        stream.close()
        posts.close()


def _post(posts: HTTPConnection, headers: dict[str, str], asked: Any) -> None:
    body = {"seat": asked["seat"], "index": 0, "expected_version": asked["version"]}
    more = {
        "Content-Type": "application/json",
        "Idempotency-Key": f"{asked['game']}-{asked['seat']}-{asked['decision']}",
    }
    posts.request(
        "POST", f"/v1/games/{asked['game']}/moves", orjson.dumps(body), {**headers, **more}
    )
    answer = posts.getresponse()
    told = answer.read()
    if answer.status != HTTPStatus.CREATED:
        raise RuntimeError(told)


if __name__ == "__main__":
    for row in measure(Registry(PACKAGES), "macao"):
        click.echo(f"{row.value:8.2f}   {row.bound:18} {row.name}")
