"""`lonja archive move`: the games of a tournament that do not count leave the store with it.

They are those of tries that were abandoned, and of blocks that did not end.
"""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import orjson
import pytest
from redis import Redis

from rules.kernel.canonical import JsonObject
from rules.kernel.record.instants import to_ms
from service.ids import new_game_id
from service.ledger import export
from service.ledger.feeds import TAILS
from service.ledger.places import PackedStream, PackPlace, PackPlaces, buckets, field
from service.publishing.folder import LogFiles
from service.records import game_file
from service.redis.keys import game_key
from service.redis.server import RedisServer
from service.runtime import Runtime
from service.tournaments.record import export as tournament_export
from service.tournaments.tournament import Tournament
from service.upkeep import archiving, estimate
from service.upkeep.backup_check import LACKS_GAME
from service.upkeep.due import last_run
from service.upkeep.maintenance import end_damaged
from tests.service.cli.conftest import Lonja
from tests.service.cli.test_archive_move import (
    NOTHING,
    ONE_ROUND,
    bytes_of_all_keys,
    hall_of,
    move,
    opened,
    played,
    shown,
    stored,
)
from tests.service.publishing import logs
from tests.service.tournaments.conftest import HOST, Hall, hall_on
from tests.service.tournaments.test_abandoned import hold_disturbed, once

TWO = [{"bot": "greedy"}, {"bot": "random"}]

__all__ = ["move", "once"]


@pytest.fixture
def hall(redis_server: RedisServer, redis_client: Redis, tmp_path: Path) -> Hall:
    folders = {"LONJA_ARCHIVE": str(tmp_path / "packs"), "LONJA_DATA_DIR": str(tmp_path / "data")}
    return hall_on(redis_server.url, "tests.bots.killed", **folders)


@pytest.fixture
def runtime(hall: Hall) -> Runtime:
    return hall.runtime


def counted(tournament: Tournament) -> list[str]:
    return [*tournament_export.game_ids(tournament)]


def uncounted(runtime: Runtime, tournament: Tournament) -> list[str]:
    """Return the ids of the games in the store that are in no result of a tournament."""
    tries = [each for block in tournament.blocks.values() for each in block.tries()]
    ids = [name for each in tries for name in tournament.game_ids(each)]
    left = [name for name in ids if name not in counted(tournament)]
    return [name for name in left if runtime.redis.keys(f"*{name}:events")]


def cancelled(hall: Hall) -> Tournament:
    """Return a tournament that was cancelled while games of it were played."""
    hall.matches.seconds = 0.0  # for a move or two
    cup = hall.open(seed="cancelled", entries=TWO, format={"type": "round_robin", "games": 4})
    hall.matches.play(cup.id)
    hall.runtime.director.cancel(cup.id, "enough", HOST)
    hall.matches.seconds = 60.0
    hall.matches.play(cup.id)
    return hall.find(cup)


def records(runtime: Runtime, ids: Iterable[str]) -> list[list[JsonObject]]:
    """Return the records of games as a process that has just started reads them."""
    ledger = opened(runtime).ledger
    return [[*export.lines(runtime, ledger.table(id_), None)] for id_ in ids]


READERS: dict[str, Callable[[Redis, bytes], Any]] = {
    "string": Redis.get,
    "hash": Redis.hgetall,
    "set": Redis.smembers,
    "list": lambda redis, key: redis.lrange(key, 0, -1),
    "zset": lambda redis, key: redis.zrange(key, 0, -1),
    "stream": Redis.xrange,
}


def keys_of(runtime: Runtime, ids: Iterable[str]) -> list[bytes]:
    """Return the keys with one of these ids in their name or in their value.

    Feeds have a maximum length, and workers empty the queues of turns.
    """
    runtime.ratings.catch_up()  # as workers do: it forgets what has left the lists
    redis, names, found = runtime.redis, [*ids], []
    for key in redis.scan_iter("*", count=10_000):
        is_passing = redis.ttl(key) != -1 or key.startswith((b"rq:", b"lonja:{turns_2}:"))
        if not is_passing and key.decode() not in TAILS:
            kind: Any = redis.type(key)
            told = f"{key} {READERS[kind.decode()](redis, key)}"
            found += [key] if any(name in told for name in names) else []
    return found


def test_games_of_abandoned_tries_leave_and_are_read_as_before(
    move: Any, lonja: Lonja, runtime: Runtime, hall: Hall, once: Path, tmp_path: Path
) -> None:
    cup = hold_disturbed(hall, once, seed="cup")
    hall.matches.play(cup.id)
    gone, other = counted(cup), uncounted(runtime, cup)
    assert other
    before, lines = shown(hall, cup), records(runtime, other)
    assert move() == {**NOTHING, "gone": len(gone) + len(other) + 1, "unlisted": 1}
    assert keys_of(runtime, (*gone, *other, cup.id)) == []
    assert records(runtime, other) == lines
    assert shown(hall, cup) == before
    assert move() == NOTHING
    packs = tmp_path / "packs"
    told = lonja("verify", packs)
    assert told.exit_code == 0, told.output
    assert lonja("archive", "check", packs).exit_code == 0
    assert lonja("ledger", "check").exit_code == 0


def test_games_of_a_cancelled_tournament_leave_and_are_read_as_before(
    move: Any, lonja: Lonja, runtime: Runtime, hall: Hall, tmp_path: Path
) -> None:
    cup = cancelled(hall)
    gone, other = counted(cup), uncounted(runtime, cup)
    assert other
    before, lines = shown(hall, cup), records(runtime, other)
    assert move() == {**NOTHING, "gone": len(gone) + len(other) + 1, "unlisted": 1}
    assert keys_of(runtime, (*gone, *other, cup.id)) == []
    assert records(runtime, other) == lines
    assert shown(hall, cup) == before
    again = hall_of(opened(runtime))
    again.matches.play(cup.id)  # as a sweep may ask for it
    assert keys_of(runtime, (*gone, *other, cup.id)) == []
    assert lonja("verify", tmp_path / "packs").exit_code == 0
    assert lonja("ledger", "check").exit_code == 0
    out, kept = tmp_path / "a.ndjson", tmp_path / "b.ndjson"
    for id_ in (other[0], cup.id):
        command = ("export",) if id_ == other[0] else ("tournament", "export")
        assert lonja(*command, id_, "-o", out).exit_code == 0
        assert lonja("archive", "export", id_, tmp_path / "packs", "-o", kept).exit_code == 0
        assert out.read_bytes() == kept.read_bytes()
        out.unlink()
        kept.unlink()


@pytest.mark.parametrize("lost", [1, -1], ids=["from its beginning", "at its newest event"])
def test_a_game_that_was_ended_as_damaged_stays_and_its_tournament_leaves(
    move: Any, lonja: Lonja, runtime: Runtime, hall: Hall, tmp_path: Path, lost: int
) -> None:
    hall.matches.seconds = 0.0  # for a move or two
    going = hall.open(seed="damaged", format=ONE_ROUND)
    hall.matches.play(going.id)
    first, *_others = hall.find(going).open_blocks()
    damaged = going.game_ids(first)[0]
    end_as_damaged(runtime, damaged, lost)
    cup = hall_of(opened(runtime)).finish(going)
    hall_of(opened(runtime)).matches.play(cup.id)
    gone = [id_ for id_ in (*counted(cup), *uncounted(runtime, cup)) if id_ != damaged]
    before, kept = shown(hall, cup), opened(runtime).ledger.store.read_all(damaged)
    assert move() == {**NOTHING, "gone": len(gone) + 1, "unlisted": 1}
    assert keys_of(runtime, gone) == []
    assert [key for key in keys_of(runtime, [cup.id]) if damaged not in key.decode()] == []
    assert shown(hall, cup) == before
    assert opened(runtime).ledger.store.read_all(damaged) == kept
    run = last_run(runtime.redis)
    assert run is not None
    assert run.refused == 0, "no alert tells of it"
    assert lonja("ledger", "check").exit_code == 0
    told = orjson.loads(lonja("backup", tmp_path / "backup.gz", "--json").stdout)
    assert (told["findings"], told["counts"]["games"]) == ([], 1)


def end_as_damaged(runtime: Runtime, game_id: str, lost: int) -> None:
    """Lose an event of a game, and end the game as an operator does."""
    key = game_key(game_id, "events")
    entries: Any = runtime.redis.xrange(key)
    runtime.redis.xdel(key, entries[lost][0])
    end_damaged(runtime.ledger.store, runtime.registry, game_id, {"admin": "Ana"})


def test_a_game_that_was_ended_as_damaged_is_no_trouble(
    lonja: Lonja, move: Any, runtime: Runtime, tmp_path: Path
) -> None:
    game_id = played(runtime)
    end_as_damaged(runtime, game_id, -4)
    told = orjson.loads(lonja("archive", "write", tmp_path / "packs", "--json").stdout)
    assert (told["damaged"], told["left_out"], told["records"]) == (1, [], 0)
    assert "1 were ended as damaged" in lonja("archive", "write", tmp_path / "packs").stdout
    assert move() == NOTHING
    assert "events" in stored(runtime.redis, game_id)


def test_games_are_added_to_packs_of_a_release_that_left_them_out(
    move: Any, lonja: Lonja, runtime: Runtime, hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    cup = cancelled(hall)
    gone, other = counted(cup), uncounted(runtime, cup)
    with monkeypatch.context() as older:
        older.setattr(archiving, "games_without_result", lambda _tournament: iter(()))
        assert lonja("archive", "write", runtime.settings.archive or "").exit_code == 0
    assert move()["gone"] == len(gone) + len(other) + 1
    assert keys_of(runtime, (*gone, *other, cup.id)) == []


def test_a_tournament_waits_for_the_end_of_its_last_game(
    move: Any, runtime: Runtime, hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    cup = cancelled(hall)
    ends = [runtime.ledger.store.newest_event(id_) for id_ in uncounted(runtime, cup)]
    last = max(to_ms(event.at) for event in ends if event is not None)
    with monkeypatch.context() as patch:
        patch.setattr(archiving, "REST_MS", runtime.ledger.store.clock.ask() - last + 1_000)
        assert move() == NOTHING
    assert move()["gone"] > 1


def test_all_come_back_and_leave_again(
    move: Any, lonja: Lonja, runtime: Runtime, hall: Hall, tmp_path: Path
) -> None:
    cup = cancelled(hall)
    gone, other = counted(cup), uncounted(runtime, cup)
    ids = [*gone, *other, cup.id]
    before, lines = shown(hall, cup), records(runtime, other)
    told = orjson.loads(lonja("archive", "estimate", "--json").stdout)
    move()
    assert lonja("archive", "restore", "--all").exit_code == 0
    assert uncounted(runtime, cup) == other
    assert (shown(hall, cup)[:6], records(runtime, other)) == (before[:6], lines)
    assert lonja("ledger", "check").exit_code == 0
    told = orjson.loads(lonja("backup", tmp_path / "backup.gz", "--json").stdout)
    assert (told["findings"], told["counts"]["games"]) == ([], len(ids) - 1)
    assert move("--again")["gone"] == len(ids)
    assert keys_of(runtime, ids) == []
    runtime.redis.flushall()
    assert lonja("restore", tmp_path / "backup.gz").exit_code == 0
    assert move("--again")["stay"] == []
    assert keys_of(runtime, ids) == []
    assert (shown(hall, cup)[:6], records(runtime, other)) == (before[:6], lines)


def test_all_of_them_are_estimated(
    lonja: Lonja, runtime: Runtime, hall: Hall, move: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(estimate, "REST_MS", 0)
    cup = cancelled(hall)
    games = len([*counted(cup), *uncounted(runtime, cup)])
    assert orjson.loads(lonja("archive", "estimate", "--json").stdout)["games"] == games
    move()
    assert orjson.loads(lonja("archive", "estimate", "--json").stdout)["games"] == 0


def test_a_backup_lacks_a_game_however_many_others_are_in_packs(
    move: Any, lonja: Lonja, runtime: Runtime, hall: Hall, once: Path, tmp_path: Path
) -> None:
    cup = hold_disturbed(hall, once)
    hall.matches.play(cup.id)
    first = counted(cup)[0]
    move()
    assert lonja("archive", "restore", *counted(cup), cup.id).exit_code == 0
    runtime.redis.delete(*(game_key(first, name) for name in ("events", "secrets")))
    for key in buckets(first):
        runtime.redis.hdel(key, field(first))
    told = orjson.loads(lonja("backup", tmp_path / "backup.gz", "--json").stdout)
    assert [(one["game_id"], one["problem"]) for one in told["findings"]] == [(first, LACKS_GAME)]


def test_the_public_log_is_proved_of_them_as_before(
    move: Any,
    lonja: Lonja,
    runtime: Runtime,
    hall: Hall,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    path, out, proved = (tmp_path / name for name in ("log", "game.ndjson", "proved.ndjson"))
    monkeypatch.setenv("LONJA_PUBLIC_LOG", str(path))
    logs.build(runtime.ledger.store, path)
    keys = LogFiles(path).keys().verifiers
    asked = ["--log", path, *(word for key in keys for word in ("--log-key", str(key)))]
    other, *_others = uncounted(runtime, cancelled(hall))

    def told() -> Any:
        logs.build(opened(runtime).ledger.store, path)
        found = orjson.loads(lonja("log", "check", "--json").stdout)
        out.unlink(missing_ok=True)
        assert lonja("export", other, "-o", out).exit_code == 0
        assert lonja("log", "prove", out, *asked, "--output", proved).exit_code == 0
        return found["leaves"], found["failures"], game_file.read(proved).header["proof"]["leaf"]

    before = told()
    assert before[1] == []
    assert move()["gone"] > 1
    assert told() == before


def test_what_has_left_takes_at_most_64_bytes(move: Any, runtime: Runtime, hall: Hall) -> None:
    cancelled(hall)
    move()
    others = [
        PackedStream(new_game_id(), 1, bytes(32), PackPlace(0, 1, 1, bytes(8))) for _ in range(999)
    ]
    PackPlaces(runtime.redis).note(others, absent=True)  # so there are hashes in all shards
    runtime.ratings.catch_up()
    before = bytes_of_all_keys(runtime.redis)
    cups = [cancelled(hall) for _ in range(8)]
    gone = sum(len([*counted(cup), *uncounted(runtime, cup), cup.id]) for cup in cups)
    assert move()["gone"] == gone
    runtime.ratings.catch_up()
    runtime.redis.delete("lonja:{turns_2}:tournaments:asked")  # workers empty it
    assert 0 < (bytes_of_all_keys(runtime.redis) - before) / gone <= 64
