"""Entropy from a terminal: on the disk before it is promised, given by whichever program comes."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pytest
from redis import Redis

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.registry import Registry
from rules.kernel.contract.seats import Seat
from rules.kernel.record.secrets import entropy_commitment
from service.cli.terminal.api import ApiClient, UnreachableError
from service.cli.terminal.entropy import KEPT_SECONDS, Entropies
from service.cli.terminal.service import new_game, open_table, sit_down
from service.redis.format import FORMAT_KEY, LEVELS
from service.redis.server import RedisServer
from tests.faults import processes
from tests.faults.people import Client
from tests.faults.proxy import Network
from tests.running import wait_for
from tests.service.cli.terminal.places import service

REGISTRY = Registry(("tests.pig",))
ME: JsonObject = {"holder": "me"}
OPEN: JsonObject = {"holder": "open"}
BOT: JsonObject = {"holder": "bot", "bot": "greedy"}


def entropies(folder: Path) -> Entropies:
    return Entropies(folder / "entropy", pytest.fail)


def test_it_is_on_the_disk_when_it_is_told_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[Path] = []
    sync = os.fsync

    def note(file: int) -> None:
        synced.append(Path(f"/proc/self/fd/{file}").readlink())
        sync(file)

    monkeypatch.setattr(os, "fsync", note)
    mine = entropies(tmp_path)
    commitment = mine.bring("g00-x", Seat(1))["entropy_commitment"]
    file = tmp_path / "entropy" / commitment
    assert [path.name for path in synced] == [f"{commitment}.part", "entropy"]
    assert file.stat().st_mode & 0o777 == 0o600
    assert mine.bring("g00-x", Seat(1)) == {"entropy_commitment": commitment}, "as often as asked"
    others = [mine.bring(game, seat) for game, seat in (("g00-x", None), ("g00-y", Seat(1)))]
    opening = [mine.bring(None, Seat(1)) for _ in range(2)]
    assert len({one["entropy_commitment"] for one in (*others, *opening)}) == 4

    seat = {"seat": 1, "entropy": {"commitment": commitment, "revealed": None}}
    game = {"status": "closed", "seats": [seat]}
    (due,) = mine.due(game)
    assert entropy_commitment("g00-x", 1, bytes.fromhex(due.entropy)).hex() == commitment
    assert mine.due({**game, "status": "lobby"}) == []
    long_ago = file.stat().st_mtime - KEPT_SECONDS - 1
    os.utime(file, (long_ago, long_ago))
    assert mine.due(game) == []
    assert not file.exists()


def test_what_cannot_be_kept_is_not_promised(tmp_path: Path) -> None:
    (tmp_path / "entropy").write_text("in the way")
    told: list[str] = []
    assert Entropies(tmp_path / "entropy", told.append).bring(None, Seat(0)) == {}
    assert "entropy: " in told[0]


def test_a_program_that_ends_costs_nobody_a_table(tmp_path: Path) -> None:
    port = processes.free_port()
    with RedisServer(tmp_path / "redis") as redis, service(tmp_path, redis, port):
        ana, bob = (Client(port).player(name) for name in ("Ana", "Bob"))

        def at(person: Client, through: int = port) -> ApiClient:
            return ApiClient(f"http://127.0.0.1:{through}", person.key, "en")

        def game(game_id: str) -> JsonObject:
            return ana.get(f"/v1/games/{game_id}")

        @contextmanager
        def comes(person: Client, game_id: str, folder: Path) -> Iterator[None]:
            table = open_table(at(person), REGISTRY, game_id, None, entropies(folder))
            follows = Thread(target=table.think)
            follows.start()
            try:
                yield
            finally:
                table.close()
                follows.join()

        here, there = tmp_path / "here", tmp_path / "there"
        with Network(port) as network:  # the answer to the opening is lost
            network.lose_answer(b"POST /v1/games")
            opened = new_game(at(ana, network.port), "pig", [ME, BOT], {}, entropies(here))
        assert len(ana.get("/v1/games?player=me")["games"]) == 1
        assert game(opened)["status"] == "closed"
        with comes(ana, opened, there):  # another machine has no bytes
            assert game(opened)["status"] == "closed"
        with comes(ana, opened, here):
            wait_for(lambda: game(opened)["status"] == "running")
        assert game(opened)["seats"][0]["entropy"]["revealed"]

        shared = new_game(at(ana), "pig", [ME, OPEN], {}, entropies(here))
        with comes(ana, shared, here):
            for _ in range(2):  # who sits there already stays
                sit_down(at(bob), shared, Seat(1), entropies(here))
            with comes(bob, shared, here):  # on the same machine
                wait_for(lambda: game(shared)["status"] == "running")
        assert all(seat["entropy"]["revealed"] for seat in game(shared)["seats"])
        assert [*(here / "entropy").iterdir()] == []

        Redis.from_url(redis.url).set(FORMAT_KEY, LEVELS[0])  # an older release works here still
        plain = new_game(at(ana), "pig", [ME, BOT], {}, entropies(here))
        assert game(plain)["status"] == "running"
    with pytest.raises(UnreachableError):
        sit_down(at(ana), shared, Seat(0), entropies(here))
