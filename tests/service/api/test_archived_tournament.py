"""Clients see no difference when a finished tournament has left the store."""

from pathlib import Path
from typing import Any

import pytest
from redis import Redis

from service.api.app import create_app
from service.ids import TOURNAMENT_ID
from service.redis.server import RedisServer
from service.runtime import Runtime, open_runtime
from service.settings import load
from service.upkeep import archiving
from tests.running import patient_matches
from tests.service.api.archiving import moved
from tests.service.api.people import House, Json, data, problem
from tests.service.api.test_archived import differing, got

PLAN: Json = {
    "name": "Cup",
    "ruleset": "sealed",
    "seats": 2,
    "entries": [{"name": "a", "bot": "greedy"}, {"name": "b", "bot": "random"}],
    "format": {"type": "round_robin", "games": 4},
}


def opened(environment: dict[str, str]) -> Runtime:
    runtime = open_runtime(load(environment))
    runtime.ledger.store.past_lists.catch_up()
    return runtime


def lasting(redis: Redis, tournament_id: str) -> list[Any]:
    """Return the keys of a tournament, without leases, which expire by themselves."""
    keys = redis.scan_iter(f"*{tournament_id}*")
    return [key for key in keys if redis.ttl(key) == -1]


def test_a_finished_tournament_is_answered_as_before(
    redis_server: RedisServer,
    redis_client: Redis,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    environment = {
        "REDIS_URL": redis_server.url,
        "LONJA_EXTRA_RULESETS": "tests.sealed",
        "LONJA_ARCHIVE": str(tmp_path / "packs"),
        "LONJA_DATA_DIR": str(tmp_path / "data"),
    }
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(archiving, "REST_MS", 0)
    runtime = opened(environment)
    house = House(create_app(runtime))
    ana = house.player("Ana")
    first = ana.post("/v1/tournaments", PLAN, Idempotency_Key="k")
    url = first.headers["Location"]
    tournament_id = url.rpartition("/")[2]
    assert TOURNAMENT_ID.match(tournament_id)
    matches = patient_matches(runtime)
    while matches.play(tournament_id):
        pass
    played = data(ana.get(f"{url}/games"))["games"]
    game, games = played[0]["id"], len(played)
    version = data(ana.get(url))["version"]
    pages = (
        url, f"{url}/report", f"{url}/ratings.svg", f"{url}/ranks.svg", f"{url}/games",
        f"{url}/games?limit=3", f"{url}/rounds", f"{url}/events", f"{url}/events?after=3",
        f"{url}/head", f"{url}/record", f"{url}/stream?after={version - 2}",
        f"/v1/games/{game}", f"/v1/games/{game}/events",
        "/v1/tournaments", "/v1/tournaments?over=true", "/v1/tournaments?over=false",
        "/v1/tournaments?host=me", "/v1/tournaments?ruleset=sealed&format=round_robin",
        "/v1/rulesets/sealed/ratings?host=me",
    )  # fmt: skip
    before = {page: got(ana, page) for page in pages}
    assert {old.status_code for old in before.values()} == {200}
    gone, unlisted = moved(runtime)
    assert (gone, unlisted) == (games + 1, 1)
    assert lasting(redis_client, tournament_id) == []

    for app in (house.app, create_app(opened(environment))):
        runtime.ledger.store.past_lists.catch_up()
        house.client = app.test_client()
        for page, old in before.items():
            new = got(ana, page)
            assert new.status_code == old.status_code, page
            assert differing(new, old) == [], page
            assert new.headers.get("ETag") == old.headers.get("ETag"), page
        again = ana.post("/v1/tournaments", PLAN, Idempotency_Key="k")
        assert data(again)["id"] == tournament_id
        problem(ana.post(f"{url}/cancel", {"reason": "x"}), 409, "tournament_over")
    assert lasting(redis_client, tournament_id) == [], "reading writes nothing"
