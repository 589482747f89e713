"""Ratings are the same when the games from which they follow have left the store and its lists."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest
from redis import Redis

from service.api import wsgi
from service.clock import TOLERANCE_MS
from service.ledger import lists
from service.ledger.unlisting import ArchiveBehindError, NoPastLists
from service.redis.keys import ALL_SHARDS, shard_key
from service.redis.server import RedisServer
from service.runtime import Runtime, open_runtime
from service.settings import load
from service.skill import host_rows, proof, ratings
from service.skill.host_rows import HostRows
from service.skill.progress import COUNTED, PREFIX, ROWS, SHOWN, has_rows
from service.skill.ratings import PlayerRatings
from service.upkeep import archiving, moving
from tests.service.api.archiving import lonja, moved
from tests.service.api.people import House, Person, data, play_on, problem
from workers.turns import Turns

RATED: Any = {"table": {"rated": True}}
QUICK = "plus_ultra"
"""Another ruleset, in which games are played to their end by defaults alone."""
GAMES = "/v1/rulesets/sealed/rated_games"


@pytest.fixture
def environment(redis_server: RedisServer, redis_client: Redis, tmp_path: Path) -> dict[str, str]:
    return {
        "REDIS_URL": redis_server.url,
        "LONJA_EXTRA_RULESETS": "tests.sealed",
        "LONJA_ARCHIVE": str(tmp_path / "packs"),
        "LONJA_DATA_DIR": str(tmp_path / "data"),
    }


@pytest.fixture
def runtime(environment: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Runtime:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(archiving, "REST_MS", 0)
    return open_runtime(load(environment))


def count(runtime: Runtime) -> None:
    """Count the ended games, as a worker does later."""
    runtime.player_ratings.catch_up(runtime.ledger.store.clock.ask() + TOLERANCE_MS + 1)


def counted_again(runtime: Runtime) -> dict[str, Any]:
    """Return all stored ratings after they were derived again."""
    runtime.player_ratings.count_again()
    count(runtime)
    return contents(runtime)


def contents(runtime: Runtime) -> dict[str, Any]:
    """Return all stored ratings, by keys without the number of the count."""
    found = proof.stored(runtime.redis, runtime.host_rows)
    return {name.removeprefix(found.keys.all): told for name, told in found.contents.items()}


def number(runtime: Runtime) -> int:
    """Return the number of the count whose ratings are shown."""
    return int(runtime.redis.get(SHOWN) or 0)


def played(house: House, *people: Person, seed: int = 1) -> str:
    """Play a rated game of these players to its end; return its URL."""
    url = house.table(*people, **RATED)
    play_on(url, [*people], seed)
    return url


def resigned(house: House, runtime: Runtime, *people: Person) -> None:
    """Play a game of another ruleset that one player resigns, and then the other."""
    url = house.table(*people, ruleset=QUICK, **RATED)
    for seat, person in enumerate(people):
        data(person.post(f"{url}/resignations", {"seat": seat}))
    Turns(runtime, seconds=math.inf).play(url.rpartition("/")[2])
    assert data(people[0].get(url))["status"] == "ended"


def answers(house: House, *people: Person) -> dict[str, bytes]:
    """Return the bytes of all that the API says of ratings, also page by page."""
    lists = [f"/v1/rulesets/{r}/{what}" for r in ("sealed", QUICK)
             for what in ("player_ratings", "rated_games")]  # fmt: skip
    for one in people:
        lists += [f"/v1/players/{one.id}/ratings/{ruleset}" for ruleset in ("sealed", QUICK)]
    games = data(house.visitor.get("/v1/games?limit=50"))["games"]
    pages = [f"/v1/players/{one.id}" for one in people] + [f"/v1/games/{g['id']}" for g in games]
    pages += lists
    pages += [f"{name}?limit=2&after={after}" for name in lists if "player_ratings" not in name
              for after in (0, 1, 2, 5, 9)]  # fmt: skip
    found = {page: house.visitor.get(page) for page in pages}
    assert {one.status_code for one in found.values()} == {200}
    return {page: one.data for page, one in found.items()}


def rows_in_store(runtime: Runtime) -> list[str]:
    """Return the names of the keys that grow with rated games."""
    names = (raw.decode() for raw in runtime.redis.scan_iter(f"{PREFIX}[0-9]*"))
    return [*filter(has_rows, names)]


def files(runtime: Runtime) -> list[Path]:
    """Return the files of this host with the rows of rated games."""
    return sorted(runtime.settings.data_dir.glob("ratings-*.db"))


def hide(runtime: Runtime, url: str) -> Callable[[], None]:
    """Take a game out of all lists, as if its end was not appended yet; return what appends it."""
    found = []
    for key in (shard_key(shard, lists.LISTS) for shard in ALL_SHARDS):
        entries: Any = runtime.redis.zrange(key, 0, -1)
        found += [(key, one) for one in entries if one.endswith(url.rpartition("/")[2].encode())]

    def show() -> None:
        for key, entry in found:
            runtime.redis.zadd(key, {entry: 0})

    for key, entry in found:
        runtime.redis.zrem(key, entry)
    return show


def test_ratings_are_as_before_when_rated_games_have_left_the_lists(
    house: House, runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Games against the same opponents weigh 1, 1/2, 1/3, …: so their order matters."""
    monkeypatch.setattr(ratings, "AT_ONCE", 2)
    ana, bob, cem = (house.player(name) for name in ("Ana", "Bob", "Cem"))
    for seed in range(3):
        played(house, ana, bob, seed=seed)
    played(house, cem, ana, seed=3)
    resigned(house, runtime, ana, bob)
    played(house, bob, ana, seed=4)
    resigned(house, runtime, bob, ana)
    count(runtime)
    before, told, first = contents(runtime), answers(house, ana, bob, cem), number(runtime)
    weights = [row["weight"] for row in orjson.loads(told[GAMES])["games"]]
    assert weights == pytest.approx([1, 1 / 2, 1 / 3, 1, 1 / 4])
    assert moved(runtime) == (7, 7)
    assert lists.sizes(runtime.redis, [lists.RATED, "games:*:*"]) == [0, 0]
    assert rows_in_store(runtime) == []
    count(runtime)
    assert (contents(runtime), answers(house, ana, bob, cem)) == (before, told)
    assert number(runtime) == first, "nothing was counted again"
    (file,) = files(runtime)
    file.unlink()
    assert answers(house, ana, bob, cem) == told
    file.write_bytes(b"?" * 5_000)
    problem(house.visitor.get(GAMES), 503, "store_unavailable")
    assert answers(house, ana, bob, cem) == told
    assert counted_again(runtime) == before
    assert answers(house, ana, bob, cem) == told
    assert "as the games say" in lonja("projections", "check")
    assert (len(files(runtime)), file.exists()) == (1, False)

    played(house, ana, bob, seed=5)
    again = number(runtime)
    count(runtime)
    after = contents(runtime)
    assert number(runtime) == again
    assert after != before
    assert counted_again(runtime) == after
    assert rows_in_store(runtime) == []
    assert moved(runtime) == (1, 1)
    assert counted_again(runtime) == after
    runtime.player_ratings.count_again()
    runtime.player_ratings.catch_up(TOLERANCE_MS)  # as if a failover had set the clock back
    assert contents(runtime) == after

    back = data(house.visitor.get("/v1/games?limit=50"))["games"][3]["id"]
    lonja("archive", "restore", back)
    count(runtime)
    assert contents(runtime) == after
    lonja("archive", "move", "--again")
    count(runtime)
    assert contents(runtime) == after
    lonja("projections", "rebuild")
    count(runtime)
    assert (contents(runtime), lists.sizes(runtime.redis, [lists.RATED])) == (after, [0])
    for key in runtime.redis.scan_iter("lonja:*:rated_gone"):
        runtime.redis.delete(key)  # as in a store that was restored
    lonja("archive", "move", "--adopt")
    assert runtime.redis.get(COUNTED) is None
    count(runtime)
    assert contents(runtime) == after
    assert "as the games say" in lonja("projections", "check")


def test_a_game_that_ended_before_what_has_left_counts_in_its_place(
    house: House, runtime: Runtime
) -> None:
    """For example after a failover to a server whose clock shows an earlier time."""
    ana, bob, cem = (house.player(name) for name in ("Ana", "Bob", "Cem"))
    _first, second, _third = (played(house, *both) for both in ((ana, bob), (cem, ana), (bob, ana)))
    count(runtime)
    told = answers(house, ana, bob, cem)
    show = hide(runtime, second)
    count(runtime)
    assert moved(runtime) == (2, 2)
    without = answers(house, ana, bob, cem)
    assert len(orjson.loads(without[GAMES])["games"]) == 2
    show()
    assert answers(house, ana, bob)[GAMES] == without[GAMES], "until all is counted again"
    count(runtime)
    assert answers(house, ana, bob, cem) == told
    assert "as the games say" in lonja("projections", "check")
    assert moved(runtime) == (1, 1)
    assert answers(house, ana, bob, cem) == told


def test_the_old_ratings_are_shown_while_all_is_counted_again(
    house: House, runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, bob = house.player("Ana"), house.player("Bob")
    for seed in range(3):
        played(house, ana, bob, seed=seed)
    count(runtime)
    moved(runtime)
    told, (old,) = answers(house, ana, bob), files(runtime)
    monkeypatch.setattr(ratings, "AT_ONCE", 1)
    runtime.player_ratings.count_again()
    until = runtime.ledger.store.clock.ask() + TOLERANCE_MS + 1
    turns = 0
    assert runtime.host_rows is not None
    while not runtime.player_ratings.catch_up(until, -1.0):
        assert runtime.host_rows.catch_up()
        assert answers(house, ana, bob) == told
        turns += 1
    assert turns > 3
    assert runtime.host_rows.catch_up()
    assert answers(house, ana, bob) == told
    assert not old.exists()


def test_a_host_that_has_not_folded_all_says_so(
    house: House, runtime: Runtime, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ana, bob = house.player("Ana"), house.player("Bob")
    urls = [played(house, ana, bob, seed=seed) for seed in range(3)]
    count(runtime)
    moved(runtime)
    told = answers(house, ana, bob)
    monkeypatch.setattr(host_rows, "AT_ONCE", 2)
    (file,) = files(runtime)
    file.unlink()
    for page in (f"/v1/players/{ana.id}/ratings/sealed", GAMES, urls[0]):
        problem(house.visitor.get(page), 503, "store_unavailable")
    assert data(house.visitor.get("/v1/rulesets/sealed/player_ratings"))["ratings"]
    assert data(house.visitor.get(f"/v1/players/{ana.id}"))["ratings"]
    assert runtime.host_rows is not None
    assert runtime.host_rows.catch_up(-1.0) is False
    assert runtime.host_rows.catch_up() is True
    assert answers(house, ana, bob) == told
    elsewhere = HostRows(runtime.redis, NoPastLists(runtime.redis), tmp_path / "other")
    with pytest.raises(ArchiveBehindError, match="this process has no archive"):
        elsewhere.catch_up()
    without = PlayerRatings(runtime.redis, NoPastLists(runtime.redis))
    with pytest.raises(ArchiveBehindError, match="this process has no archive"):
        without.history("sealed", ana.id, 0, 9)


def test_games_stay_in_lists_until_a_web_process_has_folded_the_rated_ones(
    house: House, runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(moving, "INDEXED_SECONDS", 0)
    monkeypatch.setattr(host_rows, "AT_ONCE", 1)
    monkeypatch.setattr(wsgi, "FOLD_SECONDS", -1.0)
    ana, bob = house.player("Ana"), house.player("Bob")
    for seed in range(3):
        played(house, ana, bob, seed=seed)
    count(runtime)
    wsgi.catch_up(runtime)
    assert moved(runtime, exit_code=1) == (3, 0)
    wsgi.catch_up(runtime)
    assert moved(runtime, exit_code=1) == (0, 0), "two of three games are folded"
    told = answers(house, ana, bob)
    for _ in range(2):  # it folds the last one, and then finds that there are no more
        wsgi.catch_up(runtime)
    assert moved(runtime) == (0, 3)
    assert answers(house, ana, bob) == told


def test_a_move_that_was_killed_while_rows_left_is_finished_by_the_next_one(
    house: House, runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, bob = house.player("Ana"), house.player("Bob")
    for seed in range(2):
        played(house, ana, bob, seed=seed)
    count(runtime)
    told = answers(house, ana, bob)
    assert len(rows_in_store(runtime)) == 4
    with monkeypatch.context() as killed:
        killed.setattr(type(runtime.redis), "unlink", lambda *_: pytest.fail("killed"))
        with pytest.raises(pytest.fail.Exception, match="killed"):
            moved(runtime)
    assert len(rows_in_store(runtime)) == 4
    runtime.ledger.store.past_lists.catch_up()
    assert answers(house, ana, bob) == told
    played(house, ana, bob, seed=2)
    count(runtime)
    after = answers(house, ana, bob)
    assert after != told
    assert "as the games say" in lonja("projections", "check")
    assert moved(runtime) == (1, 3)
    assert rows_in_store(runtime) == []
    assert answers(house, ana, bob) == after
    assert runtime.redis.hget(ROWS, "gone") == b"done"
