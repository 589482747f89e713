"""``lonja play --seek``: waiting for others at a service."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from lonja_client import Client, Table

from service.redis.server import RedisServer
from tests.faults import processes
from tests.service.cli.conftest import Lonja
from tests.service.cli.terminal.places import service


@pytest.fixture
def visitor(tmp_path: Path) -> Iterator[Client]:
    port = processes.free_port()
    with (
        RedisServer(tmp_path / "redis") as redis,
        service(tmp_path, redis, port),
        Client(f"http://127.0.0.1:{port}") as found,
    ):
        yield found


def comes_and_plays(player: Client) -> Table:
    """Seek, and play until it is the other's turn, since the game may begin with this player."""
    table = player.seek("pig", 2)
    assert table is not None
    seat = table.own_seats()[0]
    while table.state()["decisions"][0]["seat"] == seat:
        legal = table.legal_moves(seat)
        table.move(legal["moves"][-1], seat=seat, expected_version=legal["version"])
    return table


def test_whoever_seeks_comes_to_a_table(visitor: Client, lonja: Lonja) -> None:
    with (
        visitor.sign_up("Ana") as ana,
        visitor.sign_up("Bob") as bob,
        ThreadPoolExecutor() as pool,
    ):
        other = pool.submit(comes_and_plays, bob)
        done = lonja("play", "pig", "--url", visitor.url, "--key", ana.key or "", "--seek")
        table = other.result()
    assert "You wait for others: Pig, 2 players." in done.output
    assert table.id in done.output


def test_only_at_a_service_others_are_sought(lonja: Lonja) -> None:
    done = lonja("play", "pig", "--seek")
    assert done.exit_code == 2
    assert "--url" in done.output
