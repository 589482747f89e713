"""A service with a public log, which strangers audit over HTTP; and the same service on a copy."""

import math
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any, NamedTuple

from rules.kernel.contract.seats import Seat
from service import settings
from service.following.telling import NoticeWriter
from service.ledger.terms import DEFAULT_TERMS, TableTerms
from service.publishing.folder import LogFiles
from service.redis.keys import ALL_SHARDS, shard_key
from service.redis.server import RedisServer
from service.runtime import Runtime, open_runtime
from tests import running
from tests.faults import command, processes
from tests.running import ME, PLAYER, open_game
from tests.service.cli.terminal.places import APPLICATION
from tests.service.publishing import logs
from workers.turns import Turns

PRIVATE = TableTerms(visibility="private")
_LATEST = "99999999999999-0"
END = 10_000
"""More moves than a game has."""


class Place(NamedTuple):
    """A running service in a folder."""

    folder: Path
    redis_url: str
    runtime: Runtime
    url: str
    ruleset: str
    environment: Mapping[str, str]

    @property
    def log(self) -> Path:
        return self.folder / "log"

    @property
    def keys(self) -> list[str]:
        """The log's keys, as a stranger gives them to commands."""
        verifiers = LogFiles(self.log).keys().verifiers
        return [word for key in verifiers for word in ("--log-key", str(key))]

    def build(self) -> None:
        """Make a checkpoint of all that happened."""
        logs.build(self.runtime.ledger.store, self.log)

    def open(self, terms: TableTerms = DEFAULT_TERMS) -> str:
        """Open a game of a person against himself."""
        return open_game(self.runtime, self.ruleset, ME, ME, terms=terms)

    def play(self, game_id: str, moves: int = END, choice: int = 0) -> int:
        """Play some moves; return the number of events then."""
        for _ in range(moves):
            game = running.game(self.runtime, game_id)
            seat = next(iter(game.asked), None)
            if seat is None:
                break
            move = game.ruleset.legal_moves(game.state, seat)[choice]
            self.runtime.tables.move(game_id, seat, move.to_json(), game.version, PLAYER)
        return running.game(self.runtime, game_id).version

    def end(self, game_id: str) -> None:
        """End a game at once: its player gives up all seats."""
        for seat, _held in enumerate(running.game(self.runtime, game_id).seats):
            self.runtime.tables.resign(game_id, Seat(seat), PLAYER)
        Turns(self.runtime, seconds=math.inf).play(game_id)
        assert running.game(self.runtime, game_id).over

    def lose(self, id_: str) -> None:
        """Delete everything that the store has of a game, as its operator may."""
        redis = self.runtime.redis
        redis.delete(*redis.scan_iter(f"*{id_}*"))

    def archive(self) -> None:
        """Let finished games leave the store for packs."""
        for shard in ALL_SHARDS:  # nobody follows here who tells players of them
            self.runtime.redis.hset(shard_key(shard, "followed"), NoticeWriter.name, _LATEST)
        environment = dict(self.environment)
        code, _points = command.run("archive", "move", environment=environment, folder=self.folder)
        assert code == 0, (self.folder / "said.log").read_text()

    def copy(self, folder: Path) -> Path:
        """Copy everything as it is on disk, also the log with its keys."""
        # What says that a server runs here does not hold of a copy.
        ignored = shutil.ignore_patterns("redis.lock", "server.json")
        shutil.copytree(self.folder, folder, ignore=ignored)
        return folder


@contextmanager
def place_in(
    folder: Path,
    binary: Path | None,
    *,
    ruleset: str = "sealed",
    serves: bool = True,
    archives: bool = False,
) -> Iterator[Place]:
    """Run a service in a folder, which may be a copy of another one's; perhaps its store alone.

    ``archives`` lets games leave the store (``Place.archive``).
    """
    folder.mkdir(exist_ok=True)
    with (
        RedisServer(folder / "redis", binary=binary) as redis,
        place_on(folder, redis.url, ruleset=ruleset, serves=serves, archives=archives) as found,
    ):
        yield found


@contextmanager
def place_on(
    folder: Path, redis_url: str, *, ruleset: str, serves: bool = True, archives: bool = False
) -> Iterator[Place]:
    """Run a service in a folder, with a store that runs elsewhere."""
    port = processes.free_port()
    names = {"LONJA_PUBLIC_LOG": "log", "LONJA_DATA_DIR": "data"}
    names |= {"LONJA_ARCHIVE": "packs"} if archives else {}
    more: dict[str, Any] = {name: str(folder / each) for name, each in names.items()}
    environment = running.environment(redis_url, **more)
    runtime = open_runtime(settings.load(environment), announce=False)
    web = processes.web_on(port, redis_url, folder / "web.log", APPLICATION, **more)
    with web if serves else nullcontext():
        url = f"http://127.0.0.1:{port}"
        yield Place(folder, redis_url, runtime, url, ruleset, environment)
