"""`lonja archive move` on a store: what leaves it, what stays, and what a pack decides."""

import gzip
import math
import subprocess
from pathlib import Path
from typing import Any

import orjson
import pytest
from redis import Redis

from rules.kernel.canonical import JsonObject
from service.following.telling import NoticeWriter
from service.games.listing import GameList
from service.ledger import export, lists
from service.ledger.exits import ASIDE, MOVED
from service.ledger.places import PackPlaces, buckets, field
from service.ledger.terms import DEFAULT_TERMS, PRIVATE, TableTerms
from service.redis.format import FORMAT_KEY
from service.redis.keys import ALL_SHARDS, game_key, shard_key
from service.redis.server import RedisServer
from service.runtime import Runtime, open_runtime
from service.settings import SettingsError, load
from service.upkeep import archiving
from tests import running
from tests.running import ME, PLAYER, bot, open_game
from tests.service.cli.conftest import Lonja
from tests.service.tournaments.conftest import Hall, hall_on
from workers.turns import Turns

GREEDY = bot("greedy")
FRIENDS = TableTerms(title="Friends")


@pytest.fixture
def hall(redis_server: RedisServer, redis_client: Redis, tmp_path: Path) -> Hall:
    return hall_on(redis_server.url, LONJA_ARCHIVE=str(tmp_path / "packs"))


@pytest.fixture
def runtime(hall: Hall) -> Runtime:
    return hall.runtime


@pytest.fixture
def move(lonja: Lonja, runtime: Runtime, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """Run `lonja archive move` on the test's Redis; games need not rest."""
    monkeypatch.setenv("REDIS_URL", runtime.settings.redis_url or "")
    monkeypatch.setenv("LONJA_ARCHIVE", str(tmp_path / "packs"))
    monkeypatch.setattr(archiving, "REST_MS", 0)

    def run(*options: str, exit_code: int = 0) -> JsonObject:
        _followed(runtime.redis)
        result = lonja("archive", "move", "--json", *options)
        assert result.exit_code == exit_code, result.output
        found: JsonObject = orjson.loads(result.stdout)
        moved: JsonObject = found["moved"]
        return moved

    return run


def _followed(redis: Redis) -> None:
    """Let the follower have told players of everything."""
    for shard in ALL_SHARDS:
        redis.hset(shard_key(shard, "followed"), NoticeWriter.name, "99999999999999-0")


def played(runtime: Runtime, terms: TableTerms = DEFAULT_TERMS, **more: Any) -> str:
    created: Any = runtime.tables.create(
        PLAYER, "sealed", {}, [GREEDY, GREEDY], terms=terms, **more
    )
    Turns(runtime, seconds=math.inf).play(created.game.id)
    game_id: str = created.game.id
    return game_id


def record(runtime: Runtime, game_id: str) -> list[JsonObject]:
    return [*export.lines(runtime, runtime.ledger.table(game_id), None)]


def stored(redis: Redis, game_id: str) -> list[str]:
    """Return the names of a game's keys."""
    return sorted(key.decode().rpartition(":")[2] for key in redis.scan_iter(f"*{game_id}*"))


def opened(runtime: Runtime) -> Runtime:
    """Return another process of the service."""
    return open_runtime(runtime.settings, announce=False)


def listed(runtime: Runtime) -> list[str]:
    return [lists.id_at(place) for place in lists.newest(runtime.redis, "games:*:ended", 99)]


def test_a_game_leaves_and_is_read_as_before(
    move: Any, lonja: Lonja, runtime: Runtime, tmp_path: Path
) -> None:
    game_id = played(runtime, FRIENDS, idempotency_key="k", fingerprint=b"f" * 16)
    going_on = open_game(runtime, "sealed", GREEDY, ME)
    lines = record(runtime, game_id)
    assert move() == {"gone": 1, "noted": 0, "aside": [], "stay": []}
    assert stored(runtime.redis, game_id) == []
    assert "events" in stored(runtime.redis, going_on)
    assert record(runtime, game_id) == lines
    assert runtime.ledger.terms(runtime.ledger.table(game_id).game) == FRIENDS
    assert listed(runtime) == [game_id]
    again: Any = runtime.tables.create(
        PLAYER, "sealed", {}, [GREEDY, GREEDY], terms=FRIENDS, idempotency_key="k",
        fingerprint=b"f" * 16,
    )  # fmt: skip
    assert (again.game_id, again.first) == (game_id, 1)
    assert move() == {"gone": 0, "noted": 0, "aside": [], "stay": []}
    checked = lonja("archive", "check", tmp_path / "packs")
    assert checked.exit_code == 0
    assert "1 have left it, and it knows their packs." in checked.stdout
    assert "Archive: 1 games are read in packs." in lonja("status").stdout
    assert lonja("ledger", "check").exit_code == 0


def test_what_has_left_is_read_with_the_tools_of_everybody(
    move: Any, runtime: Runtime, tmp_path: Path
) -> None:
    game_id = played(runtime)
    move()
    (pack,) = (tmp_path / "packs").glob("*.pack")
    assert said("sha256sum", str(pack)).startswith(pack.stem)
    said("gzip", "-t", "-S", ".pack", str(pack))
    assert game_id in said("gzip", "-dc", "-S", ".pack", str(pack))
    assert game_id.encode() in gzip.decompress(pack.read_bytes())


def said(*words: str) -> str:
    return subprocess.run(words, capture_output=True, check=True).stdout.decode()


def test_tournaments_their_games_and_private_games_stay(
    move: Any, runtime: Runtime, hall: Hall
) -> None:
    hidden = played(runtime, TableTerms(visibility=PRIVATE))
    cup = hall.hold(format={"type": "round_robin", "games": 2})
    assert move()["gone"] == 0
    assert "events" in stored(runtime.redis, hidden)
    assert "events" in stored(runtime.redis, cup.id)
    for game_id in cup.game_ids(cup.blocks[1]):
        assert "events" in stored(runtime.redis, game_id)


def test_words_that_change_before_it_leaves_are_in_the_file_beside(
    move: Any, lonja: Lonja, runtime: Runtime, tmp_path: Path
) -> None:
    game_id = played(runtime, FRIENDS)
    assert lonja("archive", "write", tmp_path / "packs").exit_code == 0
    runtime.tables.guests.note_rematch(game_id, "g00-rematch")
    assert move()["gone"] == 1
    game = runtime.ledger.table(game_id).game
    assert runtime.tables.guests.host_and_rematch(game) == (PLAYER, "g00-rematch")
    assert stored(runtime.redis, game_id) == []


def test_a_game_stays_until_players_have_been_told_of_its_end(
    move: Any, lonja: Lonja, runtime: Runtime
) -> None:
    game_id = played(runtime)
    for shard in ALL_SHARDS:
        runtime.redis.hdel(shard_key(shard, "followed"), NoticeWriter.name)
    result = lonja("archive", "move")
    assert result.exit_code == 1
    assert f"STAYS  {game_id}: players have not been told of its end yet" in result.stderr
    assert move()["gone"] == 1


def rewind(runtime: Runtime, game_id: str, entries: Any) -> None:
    """Let the store be as before the game left, and have these entries of its stream."""
    redis = runtime.redis
    for key in buckets(game_id):
        redis.hdel(key, field(game_id))
    redis.delete(MOVED)
    for place, fields in entries:
        redis.xadd(game_key(game_id, "events"), fields, id=place)


@pytest.mark.parametrize("lost", [0, 3])
def test_a_pack_decides_about_a_game_that_goes_on(move: Any, runtime: Runtime, lost: int) -> None:
    redis = runtime.redis
    game_id = played(runtime)
    lines = record(runtime, game_id)
    entries: Any = redis.xrange(game_key(game_id, "events"))
    kept = redis.hgetall(game_key(game_id, "secrets"))
    move()
    rewind(runtime, game_id, entries[: len(entries) - lost])
    redis.hset(game_key(game_id, "secrets"), mapping=kept)  # type: ignore[arg-type]
    redis.zadd(shard_key(int(game_id[1:3]), "due"), {game_id: 1})
    told = move(exit_code=1 if lost else 0)
    assert (told["gone"], told["aside"]) == ((0, [game_id]) if lost else (1, []))
    aside = f"aside_{len(entries) - lost}"
    assert stored(redis, game_id) == ([f"{aside}_events", f"{aside}_secrets"] if lost else [])
    assert redis.zscore(shard_key(int(game_id[1:3]), "due"), game_id) is None
    assert int(redis.get(ASIDE) or 0) == (1 if lost else 0)
    assert record(runtime, game_id) == lines
    assert listed(runtime) == [game_id]
    assert move() == {"gone": 0, "noted": 0, "aside": [], "stay": []}


def test_another_history_of_a_finished_game_is_told_and_nothing_is_removed(
    move: Any, runtime: Runtime
) -> None:
    game_id = played(runtime)
    events = [stored.event for stored in runtime.ledger.store.read_all(game_id)]
    before_last_batch = sum(event.last < len(events) for event in events)
    entries: Any = runtime.redis.xrange(game_key(game_id, "events"))
    kept: Any = runtime.redis.hgetall(game_key(game_id, "secrets"))
    move()
    rewind(runtime, game_id, entries[:before_last_batch])
    runtime.redis.hset(game_key(game_id, "secrets"), mapping=kept)
    Turns(opened(runtime), seconds=math.inf).play(game_id)
    told = move(exit_code=1)
    why = "the store has another history of it"
    assert told["stay"] == [{"id": game_id, "why": why, "other_history": True}]
    assert (told["gone"], told["aside"]) == (0, [])
    assert "events" in stored(runtime.redis, game_id)


def test_the_store_does_not_open_without_its_archive(move: Any, runtime: Runtime) -> None:
    played(runtime)
    move()
    with pytest.raises(SettingsError, match="set LONJA_ARCHIVE to the folder of their packs"):
        open_runtime(load(running.environment(runtime.settings.redis_url or "")))


def test_the_command_needs_a_folder(
    lonja: Lonja, runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REDIS_URL", runtime.settings.redis_url or "")
    result = lonja("archive", "move")
    assert (result.exit_code, "LONJA_ARCHIVE is missing" in result.stderr) == (2, True)


def test_a_pack_that_is_damaged_lets_nothing_leave(
    move: Any, lonja: Lonja, runtime: Runtime, tmp_path: Path
) -> None:
    game_id = played(runtime)
    assert lonja("archive", "write", tmp_path / "packs").exit_code == 0
    (pack,) = (tmp_path / "packs").glob("*.pack")
    raw = bytearray(pack.read_bytes())
    raw[100] ^= 1
    pack.chmod(0o644)
    pack.write_bytes(raw)
    _followed(runtime.redis)
    result = lonja("archive", "move")
    assert result.exit_code == 2
    assert "is not what was written" in result.stderr
    assert "events" in stored(runtime.redis, game_id)


def test_a_game_that_leaves_during_a_backup_is_no_fault(
    move: Any, lonja: Lonja, runtime: Runtime, tmp_path: Path
) -> None:
    game_id = played(runtime)
    move()
    runtime.redis.xadd(game_key(game_id, "events"), {"e": ""}, "9-0")
    runtime.redis.xdel(game_key(game_id, "events"), "9-0")
    assert lonja("backup", tmp_path / "backup.gz").exit_code == 0


def test_lists_are_rebuilt_with_what_has_left(move: Any, runtime: Runtime) -> None:
    first, second = played(runtime, FRIENDS), played(runtime)
    move()
    third = played(runtime)
    before = lists.summaries(runtime.redis, (first, second, third))
    assert sum(1 for _id in GameList(runtime.redis, runtime.ledger).rebuild()) == 3
    assert lists.summaries(runtime.redis, (first, second, third)) == before
    assert sorted(listed(runtime)) == sorted((first, second, third))


def test_a_restored_store_knows_what_is_in_packs(
    move: Any, lonja: Lonja, runtime: Runtime, tmp_path: Path
) -> None:
    gone, file = played(runtime, FRIENDS), tmp_path / "backup.gz"
    move()
    lines = record(runtime, gone)
    going_on = open_game(runtime, "sealed", GREEDY, ME)
    assert lonja("backup", file).exit_code == 0
    late = played(runtime)
    assert move()["gone"] == 1
    runtime.redis.flushall()
    restored = lonja("restore", file)
    assert restored.exit_code == 0, restored.output
    assert runtime.redis.get(FORMAT_KEY) is not None
    assert record(runtime, gone) == lines
    assert runtime.ledger.table(late).game.over
    assert sorted(listed(runtime)) == sorted((gone, late))
    assert "events" in stored(runtime.redis, going_on)
    assert PackPlaces(runtime.redis).count() == 2
    assert move() == {"gone": 0, "noted": 0, "aside": [], "stay": []}
