"""Ratings are the same when the games from which they follow have left the store and its lists."""

import math
from pathlib import Path
from typing import Any

import pytest
from redis import Redis

from service.clock import TOLERANCE_MS
from service.ledger import lists
from service.redis.server import RedisServer
from service.runtime import Runtime, open_runtime
from service.settings import load
from service.skill import proof, ratings
from service.skill.progress import COUNTED, SHOWN
from service.upkeep import archiving
from tests.service.api.archiving import lonja, moved
from tests.service.api.people import House, Person, data, play_on
from workers.turns import Turns

RATED: Any = {"table": {"rated": True}}
QUICK = "plus_ultra"
"""Another ruleset, in which games are played to their end by defaults alone."""


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


def played(house: House, *people: Person, seed: int = 1) -> None:
    play_on(house.table(*people, **RATED), [*people], seed)


def resigned(house: House, runtime: Runtime, *people: Person) -> None:
    """Play a game of another ruleset that one player resigns, and then the other."""
    url = house.table(*people, ruleset=QUICK, **RATED)
    for seat, person in enumerate(people):
        data(person.post(f"{url}/resignations", {"seat": seat}))
    Turns(runtime, seconds=math.inf).play(url.rpartition("/")[2])
    assert data(people[0].get(url))["status"] == "ended"


def answers(house: House, *people: Person) -> list[object]:
    """Return all that the API says of ratings."""
    pages = [f"/v1/rulesets/{r}/{what}" for r in ("sealed", QUICK)
             for what in ("player_ratings", "rated_games")]  # fmt: skip
    for one in people:
        pages += [f"/v1/players/{one.id}"]
        pages += [f"/v1/players/{one.id}/ratings/{ruleset}" for ruleset in ("sealed", QUICK)]
    games = data(house.visitor.get("/v1/games?limit=50"))["games"]
    pages += [f"/v1/games/{game['id']}" for game in games]
    return [house.visitor.get(page).json for page in pages]


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
    weights = [row["weight"] for row in told[1]["games"]]  # type: ignore[index]
    assert weights == pytest.approx([1, 1 / 2, 1 / 3, 1, 1 / 4])
    assert moved(runtime) == (7, 7)
    assert lists.sizes(runtime.redis, [lists.RATED, "games:*:*"]) == [0, 0]
    count(runtime)
    assert (contents(runtime), answers(house, ana, bob, cem)) == (before, told)
    assert number(runtime) == first, "nothing was counted again"
    assert counted_again(runtime) == before
    assert answers(house, ana, bob, cem) == told
    assert "as the games say" in lonja("projections", "check")

    played(house, ana, bob, seed=5)
    again = number(runtime)
    count(runtime)
    after = contents(runtime)
    assert number(runtime) == again
    assert after != before
    assert counted_again(runtime) == after
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
