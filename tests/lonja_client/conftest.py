"""A service with Pig for two clients; its store can be killed and set back to earlier data."""

from collections.abc import Iterator
from typing import NamedTuple

import pytest
from lonja_client import ME, OPEN, Client, Table

from service.redis.server import RedisServer
from tests.faults import processes

SIGN_UPS = 3
"""Maximum number of players that may sign up in two seconds."""


class Place(NamedTuple):
    """A service, and the Redis of its events."""

    port: int
    store: RedisServer

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


class Pair(NamedTuple):
    """Two players at one table; the first has seat 0."""

    ana: Table
    bob: Table

    def act(self) -> None:
        """Make the deciding seat play its first legal move."""
        for table, seat in ((self.ana, 0), (self.bob, 1)):
            legal = table.legal_moves(seat)
            if legal["moves"]:
                table.move(legal["moves"][0], seat=seat, expected_version=legal["version"])
                return


@pytest.fixture(scope="package")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    folder, port = tmp_path_factory.mktemp("service"), processes.free_port()
    with (
        RedisServer(folder / "redis") as store,
        processes.web_on(
            port, store.url, folder / "log", "service.api.wsgi:app",
            LONJA_EXTRA_RULESETS="tests.pig", LONJA_HOSTS="",
            LONJA_SIGN_UP_LIMIT=f"{SIGN_UPS} per 2 second",
        ),
    ):  # fmt: skip
        yield Place(port, store)


@pytest.fixture(scope="package")
def players(place: Place) -> Iterator[tuple[Client, Client]]:
    with Client(place.url) as visitor, visitor.sign_up("Ana") as ana, visitor.sign_up("Bob") as bob:
        yield ana, bob


@pytest.fixture
def pair(players: tuple[Client, Client]) -> Pair:
    """A new table."""
    ana, bob = players
    table = ana.open("pig", [ME, OPEN])
    other = bob.table(table.id)
    other.sit(1)
    return Pair(table, other)
