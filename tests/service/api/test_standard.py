"""The service's answers about a table fit the standard (docs/api/table.md) in every game."""

import random
from typing import Any

import pytest
from flask import Flask
from redis import Redis

from laws.standard import misfits
from rules.kernel.contract.labels import LANGUAGES
from service.api.app import create_app
from service.redis.server import RedisServer
from service.runtime import open_runtime
from service.settings import load
from tests.contract.tables import RULESETS
from tests.service.api.people import House, asked, data

INCLUDE = "include=effects,words,state,legal_moves,groups"
MOVES = 4


@pytest.fixture
def app(redis_server: RedisServer, redis_client: Redis) -> Flask:
    more = "tests.sealed,tests.pig"
    environ = {"REDIS_URL": redis_server.url, "LONJA_EXTRA_RULESETS": more}
    return create_app(open_runtime(load(environ)))


def fits(name: str, answer: Any) -> None:
    assert misfits(name, answer) == [], name


@pytest.mark.parametrize("ruleset", [ruleset.info.id for ruleset in RULESETS])
def test_answers_fit_the_schemas(house: House, ruleset: str) -> None:
    told = {"Accept_Language": LANGUAGES[len(ruleset) % 2]}
    rules = data(house.visitor.get(f"/v1/rulesets/{ruleset}", **told))
    fits("ruleset", rules)
    fits("view", rules["view"])
    fits("labels", data(house.visitor.get(f"/v1/rulesets/{ruleset}/labels")))
    board = data(house.visitor.get(f"/v1/rulesets/{ruleset}/board"))
    fits("board", board)
    places = [*board["places"]]
    people = [house.player() for _ in range(max(2, rules["min_seats"]))]
    url, rng = house.table(*people, ruleset=ruleset), random.Random(ruleset)
    fits("me", data(people[0].get("/v1/players/me")))
    for _ in range(MOVES):
        fits("game", data(house.visitor.get(url, **told)))
        seats = asked(url, house.visitor)
        if not seats:
            break
        mover = people[seat := rng.choice(seats)]
        legal = data(mover.get(f"{url}/legal_moves?seat={seat}&group=true", **told))
        fits("legal_moves", legal)
        fits("state", data(mover.get(f"{url}/state?seat={seat}", **told)))
        element = rng.choice(["place:none", *(f"place:{key}" for key in places)])
        fits("refusal", data(mover.get(f"{url}/refusal?seat={seat}&element={element}", **told)))
        form = {"seat": seat, "move": rng.choice(legal["moves"])}
        form["expected_version"] = legal["version"]
        fits("move_request", form)
        fits("preview", data(mover.post(f"{url}/preview", form, **told)))
        fits("moved", data(mover.post(f"{url}/moves", form, **told)))
    late = {"seat": 0, "move": {"type": "none"}, "expected_version": 1}
    fits("problem", people[0].post(f"{url}/moves", late, **told).json)
    fits("log", data(house.visitor.get(f"{url}/log", **told)))
    fits("events", data(people[0].get(f"{url}/events?seat=0&{INCLUDE}", **told)))
    fits("events", data(house.visitor.get(f"{url}/events?spectator=true&{INCLUDE}", **told)))


def test_the_schemas_are_served_whole(house: House) -> None:
    whole = house.visitor.get("/docs/table.schema.json")
    assert whole.mimetype == "application/schema+json"
    board = data(house.visitor.get("/docs/board.schema.json"))
    assert board == {**data(whole), "$ref": "#/$defs/board"}
    vectors = data(house.visitor.get("/docs/table_vectors.json"))
    assert vectors.keys() == {"documents", "labels", "boards", "targets", "choices"}
