"""What it costs to read games that have left the store, and to ask for what is nowhere."""

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from flask.testing import FlaskClient

from rules.kernel.contract.registry import Registry
from service.api.app import create_app
from service.archive.archive import Archive
from service.archive.catalogue import Catalogue
from service.archive.files import Folder
from service.catalogue.bots import BOTS
from service.games.listing import GameList
from service.ids import new_game_id
from service.ledger import export
from service.records.game_file import Record
from service.redis.server import RedisServer
from service.runtime import Runtime, open_runtime
from service.settings import load
from service.upkeep.besides import BesideFiles
from service.upkeep.moving import Mover
from tests.scripted import HOLDER
from tools.bench.measure import Row, alternate, at_most
from workers.turns import Turns

GAMES = 20
ASKED = 100
BOUND_MS = 150.0
"""Time in which a game is to be open."""


def measure(registry: Registry, ruleset: str) -> Iterator[Row]:
    """Yield the time to open an archived game, and that of asking for a game that nobody has."""
    with tempfile.TemporaryDirectory() as name, RedisServer(Path(name), "everysec") as server:
        folder = Path(name) / "packs"
        folder.mkdir()
        environ = {
            "REDIS_URL": server.url,
            "LONJA_APPENDFSYNC": "everysec",
            "LONJA_LOG_LEVEL": "error",
        }
        without = open_runtime(load(environ))
        alone = create_app(without).test_client()  # before games leave: later it would not start
        ids = [play(without, registry, ruleset) for _ in range(GAMES)]
        environ["LONJA_ARCHIVE"] = str(folder)
        move(open_runtime(load(environ)), Folder(folder), ids)
        with_archive = create_app(open_runtime(load(environ))).test_client()
        times = sorted(_ask(with_archive, game_id, 200) for game_id in ids)
        yield at_most(
            "milliseconds to open a game that has left the store, out of a pack in a folder, 95th"
            " percentile", times[int(0.95 * len(times))], BOUND_MS, ms=times,
        )  # fmt: skip
        figures = alternate(lambda: _ask_for_nothing(with_archive), lambda: _ask_for_nothing(alone))
        yield at_most(
            "time to answer that there is no such game, with an archive against without",
            figures[2], 2.0, with_ms=figures[0], without_ms=figures[1],
        )  # fmt: skip


def play(runtime: Runtime, registry: Registry, ruleset: str, seats: int = 2) -> str:
    """Play a game of bots; return its id."""
    holder = BOTS["greedy"].holder(registry.find(ruleset))
    opened: Any = runtime.tables.create(HOLDER["player"], ruleset, {}, [holder] * seats)
    game_id: str = opened.game.id
    turns = Turns(runtime, seconds=float("inf"))
    while not runtime.ledger.table(game_id).game.over:
        turns.play(game_id)
    return game_id


def move(runtime: Runtime, folder: Folder, ids: list[str]) -> None:
    """Move finished games out of the store into a pack in ``folder``."""
    with Archive.at_work(folder, Catalogue.of(folder, runtime.settings.data_dir)) as archive:
        for game_id in ids:
            first, *copies = export.lines(runtime, runtime.ledger.table(game_id), None)
            archive.add(Record(first, copies))
        archive.finish()
    besides = BesideFiles(runtime.ledger.store, folder)
    for lacking in besides.complete():
        raise AssertionError(lacking)
    runtime.redis.delete(*runtime.redis.keys("*:tail"))  # nobody follows
    games = GameList(runtime.redis, runtime.ledger)
    key = runtime.signer.public_key.hex()
    mover = Mover(runtime.ledger, folder, besides, games.list_again, key)
    gone = {outcome.id for outcome in mover.move() if outcome.gone}
    assert gone == set(ids), ids


def _ask(client: FlaskClient, game_id: str, status: int) -> float:
    """Return the time to read the newest state of a game, in ms."""
    began = time.perf_counter()
    answer = client.get(f"/v1/games/{game_id}/state")
    assert answer.status_code == status, answer.text
    return 1000 * (time.perf_counter() - began)


def _ask_for_nothing(client: FlaskClient) -> float:
    return sum(_ask(client, new_game_id(), 404) for _ in range(ASKED)) / ASKED
