"""Entropy from a terminal: any program of the player on the same machine can reveal it."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Thread

import pytest
from lonja_client import ME, OPEN, Client, Unreachable, bot
from redis import Redis

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.registry import Registry
from service.cli.terminal.service import open_table
from service.redis.format import FORMAT_KEY, LEVELS
from service.redis.server import RedisServer
from tests.faults import processes
from tests.faults.people import Client as People
from tests.faults.proxy import Network
from tests.running import wait_for
from tests.service.cli.terminal.places import service

REGISTRY = Registry(("tests.pig",))
BOT = bot("greedy")


def test_a_program_that_ends_costs_nobody_a_table(tmp_path: Path) -> None:
    port = processes.free_port()
    with (
        ExitStack() as closing,
        RedisServer(tmp_path / "redis") as redis,
        service(tmp_path, redis, port),
    ):
        ana, bob = (People(port).player(name) for name in ("Ana", "Bob"))

        def at(person: People, folder: Path, through: int = port) -> Client:
            url = f"http://127.0.0.1:{through}"
            client = Client(url, person.key, folder=folder, patience=0.5, warn=pytest.fail)
            return closing.enter_context(client)

        def game(game_id: str) -> JsonObject:
            return ana.get(f"/v1/games/{game_id}")

        def kept(folder: Path) -> list[Path]:
            return [*(folder / "entropy").iterdir()]

        @contextmanager
        def comes(person: People, game_id: str, folder: Path) -> Iterator[None]:
            table = open_table(at(person, folder).table(game_id), REGISTRY, None)
            follows = Thread(target=table.think)
            follows.start()
            try:
                yield
            finally:
                table.close()
                follows.join()

        here, there = tmp_path / "here", tmp_path / "there"
        with Network(port) as network:  # the answer to the request that opens the table is lost
            network.lose_answer(b"POST /v1/games")
            opened = at(ana, here, network.port).open("pig", [ME, BOT]).id
        assert len(ana.get("/v1/games?player=me")["games"]) == 1
        assert game(opened)["status"] == "closed"
        with comes(ana, opened, there):  # another machine does not have the bytes
            assert game(opened)["status"] == "closed"
        with comes(ana, opened, here):
            wait_for(lambda: game(opened)["status"] == "running")
            wait_for(lambda: kept(here) == [])
        assert game(opened)["seats"][0]["entropy"]["revealed"]

        shared = at(ana, here).open("pig", [ME, OPEN]).id
        with comes(ana, shared, here):
            for _ in range(2):  # the player sits there already
                at(bob, here).table(shared).sit(1)
            with comes(bob, shared, here):  # a program on the same machine
                wait_for(lambda: game(shared)["status"] == "running")
                wait_for(lambda: kept(here) == [])  # the game goes on before its answer is read
        assert all(seat["entropy"]["revealed"] for seat in game(shared)["seats"])

        Redis.from_url(redis.url).set(FORMAT_KEY, LEVELS[0])  # as with an older release
        plain = at(ana, here).open("pig", [ME, BOT]).id
        assert game(plain)["status"] == "running"
        left = at(ana, here).table(shared)
    with pytest.raises(Unreachable):
        left.sit(0)
