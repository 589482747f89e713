"""The rows of rated games on a host: they are those of the games that the store has counted."""

import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import orjson
import pytest
from redis import Redis

from rules.kernel.record.instants import from_ms
from service.ids import new_game_id, shard_of
from service.ledger.lists import LISTED, LISTS, RATED, place_of
from service.ledger.unlisting import ArchiveBehindError, NoPastLists
from service.redis.keys import shard_key
from service.skill import host_rows, proof
from service.skill.host_rows import HostRows
from service.skill.progress import (
    COUNTED,
    PREFIX,
    ROWS,
    STORE_ID,
    CountKeys,
    RatingState,
    has_rows,
)
from service.skill.ratings import PlayerRatings
from service.skill.repeats import WINDOW_MS

BEGIN = 1_790_000_000_000
ANA, BEN, CEM = (f"p-{letter * 16}" for letter in "abc")
LATER = BEGIN + 9 * WINDOW_MS


@pytest.fixture
def host(redis_client: Redis, tmp_path: Path) -> HostRows:
    return HostRows(redis_client, NoPastLists(redis_client), tmp_path)


@pytest.fixture
def ratings(redis_client: Redis, host: HostRows) -> PlayerRatings:
    return PlayerRatings(redis_client, NoPastLists(redis_client), host)


def end(redis: Redis, at: int, *players: str, ruleset: str = "sealed") -> str:
    """List a rated game that ended at ``at`` (ms after BEGIN); the first player has won."""
    id_, ended = new_game_id(), from_ms(BEGIN + at)
    standings = [{"side": f"seat:{seat}", "rank": seat + 1} for seat in range(len(players))]
    summary = {
        "id": id_, "ruleset": ruleset, "status": "ended", "changed_at": ended, "imported": None,
        "seats": [{"player": player} for player in players], "rated": True, "rating_rule": 2,
        "result": {"standings": standings},
    }  # fmt: skip
    redis.zadd(shard_key(shard_of(id_), LISTS), {f"{RATED}:{place_of(ended, id_)}": 0})
    listing = orjson.dumps({"version": 1, "entries": [], "summary": summary})
    redis.hset(shard_key(shard_of(id_), LISTED), id_, listing)
    return id_


def in_store(redis: Redis) -> dict[str, object]:
    """Return the rows that the store has, by their keys."""
    found = proof.stored(redis, None)
    return {name: told for name, told in found.contents.items() if has_rows(name)}


def keys(redis: Redis) -> CountKeys:
    return CountKeys(RatingState.of(redis).progress.number)


def games(host: HostRows) -> list[str]:
    """Return the ids of the games that the host shows, in their order."""
    return [orjson.loads(raw)[1][0][0] for raw in host.counted("sealed", 0, 99).games]


def test_a_host_folds_what_the_store_has_counted(
    redis_client: Redis, ratings: PlayerRatings, host: HostRows, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host_rows, "AT_ONCE", 2)
    for n in range(9):
        end(redis_client, 1_000 * n, *(ANA, BEN, CEM)[n % 2 :])
        end(redis_client, 1_000 * n, CEM, ANA, ruleset="nim")
    assert host.contents(keys(redis_client)) == {}
    ratings.catch_up(LATER)
    assert host.contents(keys(redis_client)) == in_store(redis_client) != {}
    end(redis_client, 2 * WINDOW_MS, BEN, ANA)
    assert host.contents(keys(redis_client)) == in_store(redis_client), "it has not counted"
    ratings.catch_up(LATER)
    assert host.contents(keys(redis_client)) == in_store(redis_client)
    rows = in_store(redis_client)
    ratings.let_rows_leave()
    assert in_store(redis_client) == {}
    ratings.count_again()
    ratings.catch_up(LATER)
    assert in_store(redis_client) == {}
    again = host.contents(keys(redis_client))
    assert sorted(again.values(), key=repr) == sorted(rows.values(), key=repr)


@pytest.mark.parametrize(("lost", "since"), [(1, 0), (1, 1), (1, 2), (2, 1)])
def test_what_a_store_has_lost_is_not_shown(
    redis_client: Redis, ratings: PlayerRatings, host: HostRows, lost: int, since: int
) -> None:
    """After a failover that lost the last writes, whatever is counted until a host looks."""
    first = end(redis_client, 0, ANA, BEN)
    ratings.catch_up(LATER)
    ratings.let_rows_leave()
    assert games(host) == [first]
    kept = {key: redis_client.dump(key) for key in redis_client.scan_iter("lonja:*")}
    for _ in range(lost):
        end(redis_client, 1_000, BEN, CEM)
    ratings.catch_up(LATER)
    assert len(games(host)) == 1 + lost
    redis_client.flushall()
    for key, value in kept.items():
        redis_client.restore(key, 0, value or b"")
    new = [end(redis_client, 2_000 + n, CEM, ANA) for n in range(since)]
    ratings.catch_up(LATER)
    with pytest.raises(ArchiveBehindError, match="are not those that have counted"):
        host.catch_up()
    assert games(host) == [first, *new]


def test_another_store_has_another_file(
    redis_client: Redis, ratings: PlayerRatings, host: HostRows, tmp_path: Path
) -> None:
    seen: set[Path] = set()
    for store in range(2):
        redis_client.flushall()
        ids = [end(redis_client, 1_000 * n, *both) for n, both in enumerate([(ANA, BEN)] * 3)]
        ratings.catch_up(LATER)
        assert games(host) == ids
        assert host.catch_up()
        (file,) = tmp_path.glob("ratings-*.db")
        seen.add(file)
        assert len(seen) == store + 1
        assert str(redis_client.hget(ROWS, STORE_ID), "ascii") in file.name  # type: ignore[arg-type]


def damaged(statement: str) -> Callable[[Path], None]:
    def change(file: Path) -> None:
        with closing(sqlite3.connect(file, isolation_level=None)) as other:
            other.execute(statement)

    return change


@pytest.mark.parametrize(
    "damage",
    [
        Path.unlink,
        lambda file: file.write_bytes(b"?" * 9_000),
        lambda file: file.write_bytes(file.read_bytes()[:100]),
        damaged("DROP TABLE game"),
        damaged("DELETE FROM position"),
        damaged("UPDATE game SET told = CAST('{' AS BLOB)"),
        damaged("UPDATE game SET told = CAST('[1, []]' AS BLOB)"),
    ],
    ids=("lost", "no database", "cut", "no table", "no position", "no JSON", "other JSON"),
)
def test_a_file_that_is_damaged_is_made_anew(
    redis_client: Redis,
    ratings: PlayerRatings,
    host: HostRows,
    tmp_path: Path,
    damage: Callable[[Path], None],
) -> None:
    for n in range(3):
        end(redis_client, 1_000 * n, ANA, BEN)
    ratings.catch_up(LATER)
    ratings.let_rows_leave()
    told = ratings.history("sealed", ANA, 0, 9)
    assert next(row["before"] for row in told) == 1500.0
    (file,) = tmp_path.glob("ratings-*.db")
    damage(file)
    for _ in range(2):
        try:
            assert ratings.history("sealed", ANA, 0, 9) == told
        except ArchiveBehindError:
            continue
    assert ratings.history("sealed", ANA, 0, 9) == told


def test_processes_of_a_host_share_the_work(
    redis_client: Redis, ratings: PlayerRatings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host_rows, "AT_ONCE", 1)
    ids = [end(redis_client, 1_000 * n, ANA, BEN) for n in range(9)]
    ratings.catch_up(LATER)
    past, start = NoPastLists(redis_client), threading.Barrier(4)
    hosts = [HostRows(redis_client, past, tmp_path) for _ in range(4)]

    def work(host: HostRows) -> None:
        start.wait()
        host.catch_up()

    threads = [threading.Thread(target=work, args=[host]) for host in hosts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert games(hosts[0]) == ids
    assert hosts[0].contents(keys(redis_client)) == in_store(redis_client)


def test_times_that_change_no_weight_any_more_are_forgotten(
    redis_client: Redis, ratings: PlayerRatings, host: HostRows
) -> None:
    end(redis_client, 0, ANA, BEN)
    end(redis_client, 5, BEN, CEM)
    end(redis_client, 10, ANA, CEM)
    end(redis_client, WINDOW_MS + 5, ANA, CEM)
    ratings.catch_up(LATER)
    ratings.forget_ends()
    kept = redis_client.hkeys(keys(redis_client).ends)
    assert kept == [f"sealed {ANA} {CEM}".encode()]
    end(redis_client, WINDOW_MS + 6, ANA, BEN)
    end(redis_client, WINDOW_MS + 7, CEM, ANA)
    ratings.catch_up(LATER)
    found = proof.stored(redis_client, host)
    ratings.count_again()
    ratings.catch_up(LATER)
    again = proof.stored(redis_client, host)
    for one in (found, again):
        one.contents.pop(one.keys.ends)
    assert [*found.contents.values()] == [*again.contents.values()]


def test_nothing_is_read_of_a_store_that_has_counted_nothing(
    redis_client: Redis, ratings: PlayerRatings, host: HostRows, tmp_path: Path
) -> None:
    assert host.catch_up()
    ratings.let_rows_leave()
    assert ratings.history("sealed", ANA, 0, 9) == []
    assert ratings.of_game("g00-none") is None
    assert ratings.counted("sealed", 0, 9) == ([], 0)
    assert [*tmp_path.iterdir()] == []
    assert redis_client.get(COUNTED) is None
    assert [*redis_client.scan_iter(f"{PREFIX}[0-9]*")] == []
