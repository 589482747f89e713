"""What the public log costs: the processor time of its builder, against that of the moves."""

import os
import tempfile
import time
from itertools import accumulate
from pathlib import Path
from random import Random

import click
import orjson

from rules.kernel.contract.registry import Registry
from rules.registry import PACKAGES
from service.cli.log import LOG
from service.ledger.store import Store
from service.process.procfs import children, processor_seconds
from service.redis.client import make_client
from tests.faults.processes import started
from tests.running import environment, wait_for
from tests.scripted import Script
from tools.bench.load import post_on_time, request
from tools.bench.measure import Row, at_most
from tools.bench.moves import HOST, service, sign_up

GAMES, MOVES, A_SECOND = 32, 30, 15.0
"""The number of games, the number of moves in each, and the mean number of moves a second: some 28
moves a minute in each game, and one leaf.
"""


def measure(registry: Registry, ruleset: str) -> list[Row]:
    """Return the builder's processor time a move, as a percentage of that of web and store."""
    with tempfile.TemporaryDirectory() as folder, service(Path(folder), "everysec") as running:
        url, port = running
        others = _below(os.getpid())
        env = environment(url, LONJA_PUBLIC_LOG=f"{folder}/log", LONJA_APPENDFSYNC="everysec")
        with started(*LOG[1:], env=env, log=Path(folder) / "log.log") as builder:
            wait_for((Path(folder) / "log/public/checkpoint").exists, 60)
            key, player = sign_up(port)
            store, rng = Store(make_client(url)), Random(1)
            queues: list[list[tuple[float, bytes]]] = []
            for seed in range(GAMES):
                script = Script(registry, ruleset, 2 + seed % 3, seed, holder={"player": player})
                moves = script.rehearse(MOVES)
                moments = accumulate(rng.expovariate(A_SECOND / GAMES) for _ in moves)
                queues.append([
                    (moment, request(
                        f"/v1/games/{script.id}/moves", key, f"{script.id}-{number}",
                        orjson.dumps({"seat": seat, "move": move, "expected_version": version}),
                    ))
                    for number, (moment, (seat, move, version, _events))
                    in enumerate(zip(moments, moves, strict=True))
                ])  # fmt: skip
                script.open_in(store)
            began, whole = processor_seconds(builder.pid), sum(map(processor_seconds, others))
            made = sum(map(len, post_on_time(HOST, port, queues)))
            time.sleep(62)  # until the last checkpoint is made
            spent = processor_seconds(builder.pid) - began
            played = sum(map(processor_seconds, others)) - whole
    return [
        at_most(
            "percent of the processor time of moves that the builder of the public log takes",
            100 * spent / played, 2.0,
            moves=made, ms_a_move=1000 * played / made, log_ms_a_move=1000 * spent / made,
        )
    ]  # fmt: skip


def _below(pid: int) -> list[int]:
    """Return all processes that this process has started, and theirs."""
    return [one for child in children(pid) for one in (child, *_below(child))]


if __name__ == "__main__":
    for row in measure(Registry(PACKAGES), "santiago_de_cuba"):
        click.echo(f"{row.value:8.2f}   {row.bound:18} {row.name}   {row.detail}")
