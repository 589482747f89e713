"""A service with a public log, which strangers audit over HTTP; and the same service on a copy."""

import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

from rules.kernel.contract.seats import Seat
from service.ledger.terms import DEFAULT_TERMS, TableTerms
from service.publishing.folder import LogFiles
from service.redis.server import RedisServer
from service.runtime import Runtime
from tests import running
from tests.faults import processes
from tests.running import ME, PLAYER, open_game
from tests.service.cli.terminal.places import APPLICATION
from tests.service.publishing import logs

PRIVATE = TableTerms(visibility="private")
END = 10_000
"""More moves than a game has."""


class Place(NamedTuple):
    """A running service in a folder."""

    folder: Path
    redis: RedisServer
    runtime: Runtime
    url: str
    ruleset: str

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
        """End a game at once: its player gives up."""
        self.runtime.tables.resign(game_id, Seat(0), PLAYER)

    def lose(self, id_: str) -> None:
        """Delete everything that the store has of a game, as its operator may."""
        redis = self.runtime.redis
        redis.delete(*redis.scan_iter(f"*{id_}*"))

    def copy(self, folder: Path) -> Path:
        """Copy everything as it is on disk, also the log with its keys."""
        # What says that a server runs here does not hold of a copy.
        ignored = shutil.ignore_patterns("redis.lock", "server.json")
        shutil.copytree(self.folder, folder, ignore=ignored)
        return folder


@contextmanager
def place_in(
    folder: Path, binary: Path | None, *, ruleset: str = "sealed", serves: bool = True
) -> Iterator[Place]:
    """Run a service in a folder, which may be a copy of another one's; perhaps its store alone."""
    folder.mkdir(exist_ok=True)
    port = processes.free_port()
    with ExitStack() as stack:
        redis = stack.enter_context(RedisServer(folder / "redis", binary=binary))
        web = processes.web_on(
            port, redis.url, folder / "web.log", APPLICATION, LONJA_PUBLIC_LOG=str(folder / "log")
        )
        if serves:
            stack.enter_context(web)
        url = f"http://127.0.0.1:{port}"
        yield Place(folder, redis, running.runtime_on(redis.url), url, ruleset)
