"""Editions that an installation adds, over HTTP."""

from collections.abc import Iterator
from pathlib import Path

import orjson
import pytest
from redis import Redis

from rules.macao import RULESET, tables
from service.api.app import create_app
from service.redis.server import RedisServer
from service.runtime import open_runtime
from service.settings import load
from tests.service.api.people import House, data, problem

PUBLISHED = RULESET.data.tables


@pytest.fixture
def house(redis_server: RedisServer, redis_client: Redis, tmp_path: Path) -> Iterator[House]:
    words = RULESET.labels.tables
    file = tmp_path / "mine.json"
    first, *others = PUBLISHED["quarters"]
    mine = {"ruleset": "macao", "edition": "mine", "quarters": [first, *others]}
    file.write_bytes(orjson.dumps(mine))
    settings = load({"REDIS_URL": redis_server.url, "LONJA_EDITIONS": str(file)})
    yield House(create_app(open_runtime(settings)))
    del tables.EDITIONS["mine"], tables.TABLES["mine"]
    tables.OFFERED.discard("mine")
    RULESET.labels.tables = words


def test_tables_are_shown_by_edition(house: House) -> None:
    whole = data(house.visitor.get("/v1/rulesets/macao"))
    assert whole["editions"] == ["macao/1", "mine"]
    assert whole["options"]["data"]["enum"] == ["macao/1", "mine"]
    assert whole["data"]["edition"] == "macao/1"
    mine = data(house.visitor.get("/v1/rulesets/macao?edition=mine"))
    assert mine["data"]["edition"] == "mine"
    assert mine["data"]["digest"] == tables.EDITIONS["mine"].digest
    assert mine["data"]["tables"].keys() == {"edition", "quarters"}


def test_there_is_no_such_edition(house: House) -> None:
    problem(house.visitor.get("/v1/rulesets/macao?edition=yours"), 404, "unknown_edition")
    problem(house.visitor.get("/v1/rulesets/manila?edition=mine"), 404, "unknown_edition")
    problem(house.visitor.get("/v1/rulesets/macao?edition="), 422, "invalid_query")


def test_a_game_is_played_with_an_edition(house: House) -> None:
    ana = house.player()
    seats = [{"holder": "me"}, {"holder": "bot", "bot": "random"}]
    body = {"ruleset": "macao", "options": {"data": "mine"}, "seats": seats}
    game = data(ana.post("/v1/games", body))
    events = data(ana.get(f"/v1/games/{game['id']}/events"))["events"]
    assert events[0]["body"]["game"]["data"]["edition"] == "mine"
    assert "quarters" in events[0]["body"]["game"]["data"]["tables"]
