"""Years of an installation with an archive: what stays of a game is small, and nothing gets slower.

The campaign plays whole games, lets them leave the store part after part, and measures after each.
It goes on where it was stopped, in a folder of the commit.
"""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import orjson
import pytest
from redis import Redis

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.seats import Seat
from rules.kernel.record.game import Game
from service import settings
from service.archive.index import INDEX, PackIndex
from service.following.telling import NoticeWriter
from service.games.listing import GameList
from service.ledger.feeds import TAILS
from service.ledger.lists import Span, place_of
from service.ledger.places import PackPlaces
from service.redis.client import make_client
from service.redis.keys import ALL_SHARDS, shard_key
from service.redis.server import RedisServer
from service.runtime import Runtime, open_runtime
from tests import running
from tests.campaigns import JOURNALS, Figure
from tests.scripted import HOLDER, Script
from tests.service.archive import test_index

GAMES, PART = 100_000, 2_500
LEAST_EVENTS = 20
TARGET, ENOUGH = 40, 10
"""The points of a game of Pig, and of a turn after which its players hold."""
BYTES_A_GAME = 64
NEAR = 0.1
"""By which part what was foreseen for all games may differ from what they take."""
ROWS, ROWS_A_PACK = 1_000_000, 20_000
SAME = 0.05
"""By which part the bytes of a game in the second half may differ from those in the first."""

# A finished game need not rest here before it leaves.
LONJA = (
    "from service.upkeep import archiving; archiving.REST_MS = 0;"
    " from service.cli import main; main(prog_name='lonja')"
)


class Ran(NamedTuple):
    """A command that has ended well: what it told, its processor seconds, and its memory."""

    told: Any
    seconds: float
    memory: int


class Installation:
    """A store and a folder of packs, and the measurements so far."""

    def __init__(self, folder: Path, redis_url: str) -> None:
        self.folder = folder
        self.environment = running.environment(
            redis_url,
            LONJA_ARCHIVE=str(folder / "packs"),
            LONJA_DATA_DIR=str(folder / "data"),
            LONJA_EXTRA_RULESETS="tests.pig",
            LONJA_APPENDFSYNC="everysec",
        )
        self.redis = make_client(redis_url)
        self._notes = folder / "parts.ndjson"

    @property
    def parts(self) -> list[JsonObject]:
        """What was measured after each part."""
        if not self._notes.exists():
            return []
        return [orjson.loads(line) for line in self._notes.read_bytes().splitlines()]

    def opened(self) -> Runtime:
        return open_runtime(settings.load(self.environment), announce=False)

    def run(self, *command: str) -> Ran:
        """Run a command in a process of its own."""
        process = subprocess.Popen(
            [sys.executable, "-c", LONJA, *command, "--json"],
            env=self.environment, stdout=subprocess.PIPE,
        )  # fmt: skip
        assert process.stdout is not None
        with process.stdout as said:
            told = said.read()
        _id, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        assert process.returncode == 0, (command, told)
        return Ran(orjson.loads(told), used.ru_utime + used.ru_stime, 1024 * used.ru_maxrss)

    def add(self, games: int) -> None:
        """Play games, let them leave the store, and note what is there then."""
        played = _play(self.opened(), games)
        estimated = self.run("archive", "estimate", "--games", str(GAMES)).told["history"]
        for shard in ALL_SHARDS:  # as if the follower had told everybody of them
            self.redis.hset(shard_key(shard, "followed"), NoticeWriter.name, "99999999999999-0")
        moved = self.run("archive", "move")
        counts = moved.told["moved"]
        assert moved.told["left_out"] == counts["stay"] == counts["aside"] == []
        assert counts["gone"] == counts["unlisted"] == games
        found = {
            "games": PackPlaces(self.redis).count(),
            "estimated": estimated,
            "events": played,
            "move_seconds": moved.seconds,
            "move_memory": moved.memory,
            "store_bytes": _bytes_of_all_keys(self.redis),
            "packs_bytes": _size(self.folder / "packs"),
            "index_bytes": _size(self.folder / "data"),
            **self._reading(),
            **self._keeping(),
        }
        with self._notes.open("ab") as notes:
            notes.write(orjson.dumps(found) + b"\n")

    def _reading(self) -> JsonObject:
        """Return the milliseconds of what a host does: begin, list, open a game."""
        began = time.process_time()
        runtime = self.opened()
        runtime.ledger.store.past_lists.catch_up()
        start = time.process_time() - began
        games = GameList(runtime.redis, runtime.ledger)
        page = games.page(30).games
        return {
            "start_ms": 1000 * start,
            "list_ms": _milliseconds(lambda: games.page(30)),
            "player_ms": _milliseconds(lambda: games.page(30, player=HOLDER["player"])),
            "open_ms": _milliseconds(lambda: runtime.ledger.table(page[0]["id"])),
        }

    def _keeping(self) -> JsonObject:
        """Return what a backup and a check of the store cost."""
        file = self.folder / "backup"
        file.unlink(missing_ok=True)
        backup = self.run("backup", str(file))
        check = self.run("ledger", "check")
        return {
            "backup_bytes": file.stat().st_size,
            "backup_seconds": backup.seconds,
            "check_seconds": check.seconds,
        }


def _play(runtime: Runtime, games: int) -> int:
    """Play whole games of Pig; return the number of their events."""
    events, lists = 0, GameList(runtime.redis, runtime.ledger)
    for seed in range(games):
        script = Script(runtime.registry, "pig", 2, seed, _hold_in_time, options={"target": TARGET})
        game = script.store(runtime.ledger.store)
        assert game.over
        assert game.version >= LEAST_EVENTS
        lists.list_again(game.id)
        events += game.version
    return events


def _hold_in_time(game: Game, seat: Seat) -> JsonObject:
    return {"type": "hold" if game.state.total >= ENOUGH else "roll"}


def _bytes_of_all_keys(redis: Redis) -> int:
    redis.delete(*TAILS)  # they have a maximum length
    keys = [*redis.scan_iter("*", count=10_000)]
    return sum(int(redis.memory_usage(key, samples=0) or 0) for key in keys)


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def _milliseconds(ask: Any) -> float:
    """Return the median processor time of a call."""
    times = []
    for _ in range(9):
        began = time.process_time()
        ask()
        times.append(1000 * (time.process_time() - began))
    return median(times)


@contextmanager
def _years() -> Iterator[Installation]:
    """Go on in the folder of this commit, which is removed once all is measured."""
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"],
        cwd=running.ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    folder = JOURNALS / commit / "years of games"
    for name in ("packs", "data"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    with RedisServer(folder / "redis", "everysec") as redis:
        yield Installation(folder, redis.url)
    shutil.rmtree(folder)


@pytest.mark.campaign("years")
@pytest.mark.timeout(36_000)
def test_a_hundred_thousand_games(record_property: Figure) -> None:
    """All are verified once; the second half takes as many bytes as the first."""
    with _years() as installation:
        while not (parts := installation.parts) or parts[-1]["games"] < GAMES:
            installation.add(PART)
        first, middle, last = parts[0], parts[len(parts) // 2 - 1], parts[-1]
        assert last["games"] == GAMES
        for name in ("store_bytes", "packs_bytes", "index_bytes"):
            early, late = _a_game(name, first, middle), _a_game(name, middle, last)
            record_property(f"{name} a game in the first half", round(early, 2))
            record_property(f"{name} a game in the second half", round(late, 2))
        for name in ("move_seconds", "backup_seconds", "check_seconds"):
            half = len(parts) // 2
            early, late = (
                median(one[name] for one in some) for some in (parts[:half], parts[half:])
            )
            record_property(f"{name} in the second half against the first", round(late / early, 3))
        for name in ("start_ms", "list_ms", "player_ms", "open_ms", "move_memory", "backup_bytes"):
            record_property(
                f"{name} at the end against the first part", round(last[name] / first[name], 3)
            )
        assert _a_game("store_bytes", first, last) <= BYTES_A_GAME
        for name in ("store_bytes", "packs_bytes", "index_bytes"):
            early, late = _a_game(name, first, middle), _a_game(name, middle, last)
            assert late <= early * (1 + SAME), name
        for name, packed in {"pack_bytes": "packs_bytes", "index_bytes": "index_bytes"}.items():
            foreseen = first["estimated"][name]
            record_property(f"{name} against what was foreseen", round(last[packed] / foreseen, 3))
            assert abs(last[packed] - foreseen) <= NEAR * foreseen, name
        assert last["backup_bytes"] <= first["backup_bytes"] + BYTES_A_GAME * GAMES


def _a_game(name: str, before: JsonObject, after: JsonObject) -> float:
    grown: float = (after[name] - before[name]) / (after["games"] - before["games"])
    return grown


@pytest.mark.campaign("years")
@pytest.mark.timeout(3_600)
def test_an_index_of_a_million_games(tmp_path: Path, record_property: Figure) -> None:
    """Each page is read as fast among a million games as among the first packs."""
    index, times, sizes = PackIndex(tmp_path / INDEX), [], []
    reads: list[float] = []
    for first in range(0, ROWS, ROWS_A_PACK):
        rows = [test_index.row(n, 1_000 * n) for n in range(first, first + ROWS_A_PACK)]
        began = time.process_time()
        index.put(f"pack {first}", "", test_index.listed(*rows))
        times.append(time.process_time() - began)
        sizes.append(_size(tmp_path))
        reads.append(_milliseconds(lambda: _pages(index, first)))  # noqa: B023 - called at once
    half = len(times) // 2
    early, late = sum(times[:half]), sum(times[half:])
    grown = [sizes[half - 1] - sizes[0], sizes[-1] - sizes[half - 1]]
    record_property(
        "bytes of a row in the second half", round(grown[1] / (ROWS - half * ROWS_A_PACK))
    )
    record_property("seconds of a row in the second half against the first", round(late / early, 3))
    record_property("a page among all rows against the first", round(reads[-1] / reads[0], 3))
    assert grown[1] / half <= (1 + SAME) * grown[0] / (half - 1)
    assert len(_pages(index, ROWS - 1)) == 2 * 30


def _pages(index: PackIndex, newest: int) -> list[Any]:
    """Read a page of all games, and one from the middle of a player's."""
    ended, own = ["games:*:ended"], [f"games:{test_index.ANA}:ended"]
    after = place_of(test_index.row(newest // 2, 1_000 * (newest // 2)).facts["created_at"], "z")
    return [*index.newest(ended, 30).games, *index.newest(own, 30, after, Span(None, None)).games]
