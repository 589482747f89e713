"""A builder that is killed anywhere signs no second successor, and leaves no head out.

It is killed (SIGKILL) before, within and after each of its commands to the store and to the disk.
Then a game goes on, so that a tree that would be signed again would be another one.
"""

import os
import signal
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

import pytest
import structlog
from redis import Redis

from service.following.lease import lease_of
from service.ledger.store import Store
from service.ledger.terms import TableTerms
from service.publishing import folder
from service.publishing.marker import MARKER, NAME
from service.redis.client import make_client
from service.redis.commands import Commands
from service.redis.server import RedisServer
from service.runtime import Runtime
from tests import running
from tests.running import ME, PLAYER
from tests.service.publishing import logs
from tests.service.publishing.logs import Builder

BEFORE, WITHIN, AFTER = MOMENTS = range(3)


class Point:
    """The end of a process: at the ``number``th command, counted from 1."""

    def __init__(self, number: int, moment: int) -> None:
        self._left = number
        self._moment = moment

    def pass_by(self, do: Callable[..., Any], half: Callable[..., Any]) -> Any:
        self._left -= 1
        if self._left == 0 and self._moment != AFTER:
            if self._moment == WITHIN:
                half()
            _die()
        done = do()
        if self._left == 0:
            _die()
        return done

    def patch(self) -> None:
        """Let every command of this process pass by."""
        ask, replace, fsync = Commands.ask, Path.replace, os.fsync

        def halves(commands: Commands, *all_: Sequence[Any]) -> list[Any]:
            half = all_[: len(all_) // 2]
            done: list[Any] = self.pass_by(
                partial(ask, commands, *all_), partial(ask, commands, *half)
            )
            return done

        def nothing() -> None:
            return

        Commands.ask = halves  # type: ignore[method-assign,assignment]  # in a process of its own
        Path.replace = lambda path, to: self.pass_by(partial(replace, path, to), nothing)  # type: ignore[method-assign,assignment]  # the same
        os.fsync = lambda handle: self.pass_by(partial(fsync, handle), nothing)  # type: ignore[assignment]  # the same
        write = folder._write

        def half_written(path: Path, content: bytes) -> None:
            path.write_bytes(content[: len(content) // 2])

        folder._write = lambda path, content: self.pass_by(  # the same
            partial(write, path, content), partial(half_written, path, content)
        )


def _say_nothing(*_log: Any) -> NoReturn:
    raise structlog.DropEvent


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def build_and_die(url: str, path: Path, point: Point) -> bool:
    """Build in a process of its own; return whether it was killed."""
    child = os.fork()
    if child == 0:
        code = 3
        try:
            structlog.configure(processors=[_say_nothing])
            with make_client(url) as client:
                point.patch()
                Builder.open(Store(client), path).build()
            code = 0
        finally:
            os._exit(code)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert code in (0, -signal.SIGKILL)
    return code != 0


class Torture:
    """Games that go on, and a log of them whose builders are killed."""

    def __init__(self, runtime: Runtime, path: Path) -> None:
        self.runtime = runtime
        self.path = path
        self.kills = 0
        self.signed: set[bytes] = set()
        """All checkpoints that the process may have let out of its memory."""
        self.games = [self._opened() for _ in range(3)]

    def _opened(self, visibility: str = "public") -> str:
        terms = TableTerms(visibility=visibility)
        return running.open_game(self.runtime, "sealed", ME, ME, terms=terms)

    def go_on(self) -> None:
        """Play a move in one of the games, or open another one, sometimes for few."""
        for game_id in self.games[-3:]:
            game = running.game(self.runtime, game_id)
            seat = next(iter(game.asked), None)
            if seat is not None:
                move = game.ruleset.legal_moves(game.state, seat)[-1]
                self.runtime.tables.move(game_id, seat, move.to_json(), game.version, PLAYER)
                return
        self.games.append(self._opened("private" if self.kills % 5 == 4 else "public"))

    def look(self) -> None:
        """Note what is signed, and that what is published is whole."""
        logs.entries(self.path)
        note: Any = self.runtime.redis.hget(MARKER, "note")
        self.signed |= {(self.path / "public/checkpoint").read_bytes(), note}

    def kill_at(self, point: Point) -> bool:
        redis = self.runtime.redis
        self.go_on()
        killed = build_and_die(self.runtime.settings.redis_url or "", self.path, point)
        redis.hset(lease_of(NAME), mapping={"until": 0, "holder": ""})
        self.look()
        self.kills += killed
        self.go_on()
        return killed

    def check(self) -> None:
        """Check that all signed trees are beginnings of the last one, and that it has all heads."""
        logs.build(self.runtime.ledger.store, self.path)
        self.look()
        entries = logs.entries(self.path)
        for note in self.signed:
            tree = logs.parse(note)
            assert tree.root == logs.root_of(entries[: tree.size])
        chains = logs.chains(self.path)
        for game_id in self.games:
            game = running.game(self.runtime, game_id)
            chain = chains.get(game_id)
            if chain is not None:
                assert chain[-1].hash == game.head.hex()
        hidden = [chain for id_, chain in chains.items() if id_.startswith("~")]
        assert len(chains) == len(self.games)
        assert all(len(chain) <= 2 for chain in hidden)


def torture(runtime: Runtime, path: Path, which: slice, moments: Sequence[int] = MOMENTS) -> int:
    """Kill a builder at these of its points; return the number of kills."""
    found = Torture(runtime, path)
    logs.build(runtime.ledger.store, path)
    for moment in moments:
        number = which.start + 1
        while found.kill_at(Point(number, moment)):
            number += which.step
        found.check()
    return found.kills


@pytest.fixture
def runtime(redis_server: RedisServer, redis_client: Redis) -> Runtime:
    return running.runtime_on(redis_server.url)


def test_a_builder_that_is_killed_goes_on(runtime: Runtime, tmp_path: Path) -> None:
    assert torture(runtime, tmp_path / "log", slice(4, None, 7), (AFTER,)) >= 3


@pytest.mark.campaign("crashes")
@pytest.mark.timeout(600)
def test_a_builder_that_is_killed_anywhere_goes_on(
    runtime: Runtime, tmp_path: Path, record_property: Any
) -> None:
    record_property("kills", torture(runtime, tmp_path / "log", slice(0, None, 1)))
