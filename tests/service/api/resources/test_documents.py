"""Documents of rulesets: a client loads each once, and may cache it for ever."""

import hashlib

import orjson
import pytest
from flask import Flask
from jsonschema_rs import Draft202012Validator
from redis import Redis

from service.api.app import create_app
from service.redis.server import RedisServer
from service.runtime import open_runtime
from service.settings import load
from tests.service.api.people import House, Json, data, problem

FOR_EVER = "public, max-age=31536000, immutable"
GAMES = ["macao", "manila", "plus_ultra", "ragusa", "santiago_de_cuba", "sealed"]


def documents(house: House, game: str) -> Json:
    found: Json = data(house.visitor.get(f"/v1/rulesets/{game}"))["documents"]
    return found


@pytest.mark.parametrize("game", GAMES)
def test_each_ruleset_names_its_documents_by_digest(house: House, game: str) -> None:
    found = documents(house, game)
    wanted = [("board", found["board"]), ("labels", found["labels"])]
    wanted += [(name, found[name]) for name in ("renderer", "picture", "first_game") if found[name]]
    wanted += [(f"rules?lang={tongue}", digest) for tongue, digest in found["rules"].items()]
    assert len(wanted) >= 4
    for path, digest in wanted:
        plain = house.visitor.get(f"/v1/rulesets/{game}/{path}")
        assert (plain.status_code, plain.headers["Cache-Control"]) == (200, "no-cache")
        assert hashlib.sha256(plain.data).hexdigest() == digest
        mark = "&" if "?" in path else "?"
        kept = house.visitor.get(f"/v1/rulesets/{game}/{path}{mark}digest={digest}")
        assert (kept.data, kept.headers["Cache-Control"]) == (plain.data, FOR_EVER)
        again = house.visitor.get(
            f"/v1/rulesets/{game}/{path}", If_None_Match=plain.headers["ETag"]
        )
        assert again.status_code == 304


def test_another_digest_is_not_answered_with_something_else(house: House) -> None:
    digest = documents(house, "ragusa")["board"]
    for path in ("board", "labels", "rules"):
        other = house.visitor.get(f"/v1/rulesets/ragusa/{path}?digest={'0' * 64}")
        said = problem(other, 404, "unknown_document")
        assert "0" * 64 in said["detail"]
        assert other.headers["Cache-Control"] == "no-store"
    said = problem(
        house.visitor.get(f"/v1/rulesets/ragusa/labels?digest={digest}"), 404, "unknown_document"
    )
    assert said["digest"] == documents(house, "ragusa")["labels"]


def test_what_there_is_not(house: House) -> None:
    get = house.visitor.get
    said = problem(get("/v1/rulesets/ragusa/cover"), 404, "unknown_document")
    assert said["detail"] == (
        "a ruleset has board, labels, rules, renderer, picture, first_game, and no 'cover'"
    )
    problem(get("/v1/rulesets/ragusa/rules.en"), 404, "unknown_document")
    problem(get("/v1/rulesets/chess/board"), 404, "unknown_ruleset")
    problem(get("/v1/rulesets/ragusa/board?digest=ABC"), 422, "invalid_query")
    problem(get("/v1/rulesets/ragusa/rules?lang=fr"), 422, "invalid_query")
    said = problem(get("/v1/rulesets/ragusa/labels?lang=es"), 422, "invalid_query")
    assert said["errors"][0]["value"] == "es"


def test_the_rules_are_in_the_language_that_is_asked_for(house: House) -> None:
    path = "/v1/rulesets/santiago_de_cuba/rules"
    english = house.visitor.get(path)
    spanish = house.visitor.get(path, Accept_Language="es-MX, es;q=0.9, en;q=0.5")
    assert english.headers["Content-Type"] == "text/markdown; charset=utf-8"
    assert "Accept-Language" in english.headers["Vary"]
    assert "## Your turn" in english.text
    assert "## Tu turno" in spanish.text
    assert house.visitor.get(f"{path}?lang=es").data == spanish.data
    assert house.visitor.get(f"{path}?lang=en", Accept_Language="es").data == english.data


def test_lists_say_what_a_game_is_about_and_how_long_and_heavy_it_is(house: House) -> None:
    of = {}
    for tongue in ("en", "es"):
        listed = data(house.visitor.get("/v1/rulesets", Accept_Language=tongue))["rulesets"]
        of[tongue] = {each["id"]: each for each in listed}
    for game in GAMES[:-1]:
        english, spanish = of["en"][game], of["es"][game]
        assert english["about"].endswith(".")
        assert spanish["about"] not in (None, english["about"])
        assert 10 <= english["min_minutes"] <= english["max_minutes"] <= 200
        assert 1 <= english["weight"] <= 5
        drawn = house.visitor.get(f"/v1/rulesets/{game}/picture?digest={english['picture']}")
        assert (drawn.mimetype, drawn.data[:4]) == ("image/svg+xml", b"<svg")
        led = f"/v1/rulesets/{game}/first_game?digest={english['first_game']}"
        assert 1 <= len(data(house.visitor.get(led))["steps"]) <= 12
    silent = ("about", "min_minutes", "max_minutes", "weight", "picture", "first_game")
    assert {of["en"]["sealed"][member] for member in silent} == {None}


def test_words_are_told_in_all_languages_at_once(house: House) -> None:
    both = data(house.visitor.get("/v1/rulesets/ragusa/labels"))
    assert [*both] == ["en", "es"]
    for tongue, words in both.items():
        whole = data(house.visitor.get("/v1/rulesets/ragusa", Accept_Language=tongue))
        assert whole["labels"] == words


@pytest.mark.parametrize("game", GAMES)
def test_boards_fit_the_schema_that_is_published(house: House, game: str) -> None:
    schema = house.visitor.get("/docs/board.schema.json")
    assert schema.mimetype == "application/schema+json"
    board = data(house.visitor.get(f"/v1/rulesets/{game}/board"))
    assert [*Draft202012Validator(orjson.loads(schema.data)).iter_errors(board)] == []


@pytest.fixture
def bare(redis_server: RedisServer, redis_client: Redis, app: Flask) -> House:
    """A service with a ruleset without a board and without rules in words."""
    environ = {"REDIS_URL": redis_server.url, "LONJA_EXTRA_RULESETS": "tests.sealed"}
    house = House(create_app(open_runtime(load(environ))))
    published = house.app.extensions["lonja"].published
    for name in ("board", "rules.en", "rules.es"):
        del published["sealed"][name]
    return house


def test_a_ruleset_may_have_none_but_its_words(bare: House) -> None:
    found = documents(bare, "sealed")
    assert found == {
        "board": None,
        "first_game": None,
        "labels": found["labels"],
        "picture": None,
        "renderer": None,
        "rules": {"en": None, "es": None},
    }
    for path in ("board", "rules", "renderer", "picture", "first_game"):
        problem(bare.visitor.get(f"/v1/rulesets/sealed/{path}"), 404, "unknown_document")
