"""The processor time of a question to a player's program, with a learner's numbers and without."""

import tempfile
from collections.abc import Collection, Sequence
from functools import partial
from pathlib import Path
from time import process_time

import click
import orjson

from rules.kernel.contract.registry import Registry
from rules.kernel.contract.seats import Seat
from rules.kernel.record.game import Game
from rules.registry import PACKAGES
from service.games.questions import ACTIONS, MASK, OBSERVATION, question_to_player
from service.ledger.ledger import Ledger
from service.ledger.store import Store
from service.redis.client import make_client
from service.redis.server import RedisServer
from tests.scripted import Script
from tools.bench.measure import Row, alternate, at_most

NUMBERS = (OBSERVATION, MASK, ACTIONS)
VERSIONS = (15, 40, 80, 120)
"""The versions of games at which a question is asked."""
TIMES = 40
MOST = 3.0


def measure(registry: Registry) -> Row:
    """Return how many times longer a question with numbers takes, in the slowest game."""
    with tempfile.TemporaryDirectory() as folder, RedisServer(Path(folder), "everysec") as server:
        store = Store(make_client(server.url))
        ledger = Ledger(store, registry)
        figures = {}
        for ruleset in registry:
            info = ruleset.info
            seats = min(4, info.max_seats)
            scripts = [Script(registry, info.id, seats, version) for version in VERSIONS]
            played = [
                script.store(store, version)
                for script, version in zip(scripts, VERSIONS, strict=True)
            ]
            games = [ledger.table(game.id, game.version).game for game in played if game.asked]
            once = partial(_microseconds, ledger, games)
            once(NUMBERS)  # the numbers of the ruleset are made once
            figures[info.id] = alternate(partial(once, NUMBERS), partial(once, ()))
    slowest = max(ratio for _with, _without, ratio in figures.values())
    name = (
        "processor time of a question with `observation`, `mask` and `actions`, against one"
        " without, in the slowest game"
    )
    return at_most(name, slowest, MOST, microseconds=figures)


def _microseconds(ledger: Ledger, games: Sequence[Game], include: Collection[str]) -> float:
    """Return the processor time of a question that is made and written, on average."""
    asked = [(game, seat) for game in games for seat in game.asked]
    start = process_time()
    for _ in range(TIMES):
        for game, seat in asked:
            orjson.dumps(_question(ledger, game, seat, include))
    return (process_time() - start) / TIMES / len(asked) * 1e6


def _question(ledger: Ledger, game: Game, seat: Seat, include: Collection[str]) -> object:
    return question_to_player(ledger, game, seat, game.asked_at[seat], "en", include)


if __name__ == "__main__":
    row = measure(Registry(PACKAGES))
    click.echo(f"{row.value:8.2f}   {row.bound:18} {row.name}   {row.detail}")
