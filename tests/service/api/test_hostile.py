"""Hostile requests to a real service: no answer is a 500, and every refusal has a reason."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.campaigns import Figure
from tests.service.api.document import MADE
from tests.service.api.hostile import Generator, Request, World
from tests.service.api.people import Json
from tests.service.api.raw import Raw
from tests.service.api.test_gunicorn import Service
from tests.service.process.test_logs import RAW

GAMES = ("sealed", "santiago_de_cuba", "macao", "manila", "plus_ultra", "ragusa")
STREAM = b"\r\nContent-Type: text/event-stream"


@pytest.fixture(scope="module")
def service(
    tmp_path_factory: pytest.TempPathFactory, redis_binary: Path | None, log: Path
) -> Iterator[Service]:
    with Service(
        tmp_path_factory.mktemp("service"),
        redis_binary,
        log=log,
        LONJA_RATE_LIMIT="10000000 per minute",
        LONJA_LOG_LEVEL="info",
        GUNICORN_CMD_ARGS="--access-logfile -",
    ) as service:
        yield service


@pytest.fixture
def world(service: Service) -> World:
    """Players, tables of every game, a lobby, a table that awaits entropy, and a tournament."""
    keys = [service.call("POST", "/v1/players", body={"name": "x"}).json["key"] for _ in range(2)]
    me = service.call("GET", "/v1/players/me", keys[0]).json["id"]
    schemas = MADE["components"]["schemas"]
    bodies: dict[str, list[Json]] = {
        operation["operationId"]: [
            schemas[sent["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]][
                "examples"
            ][0]
        ]
        for item in MADE["paths"].values()
        for operation in item.values()
        if isinstance(operation, dict) and (sent := operation.get("requestBody"))
    }
    games: list[str] = []
    moves: list[tuple[str, Json]] = []
    for ruleset in GAMES:
        seats = [{"holder": "me"}] * 3
        body = {"ruleset": ruleset, "seats": seats}
        made = service.call("POST", "/v1/games", keys[0], body)
        assert made.status == 201, made.json
        games.append(made.json["id"])
        for seat in range(3):
            url = f"/v1/games/{games[-1]}/legal_moves?seat={seat}"
            listed = service.call("GET", url, keys[0]).json
            moves += [
                (
                    f"/v1/games/{games[-1]}/moves",
                    {"seat": seat, "move": move, "expected_version": listed["version"]},
                )
                for move in listed["moves"][::5][:20]
            ]
    lobby = {"ruleset": "sealed", "seats": [{"holder": "open"}, {"holder": "bot", "bot": "random"}]}
    sealed = {"ruleset": "sealed", "seats": [{"holder": "me"}, {"holder": "open"}]}
    games += [
        service.call("POST", "/v1/games", keys[0], body).json["id"] for body in (lobby, sealed)
    ]
    cup = {
        "ruleset": "sealed",
        "seats": 2,
        "entries": [{"bot": "greedy"}, {"bot": "random"}],
        "format": {"type": "round_robin", "games": 2},
    }
    cups = [
        service.call("POST", "/v1/tournaments", keys[0], {**cup, **more}).json["id"]
        for more in ({}, {"name": "x"})
    ]
    bodies["createGame"] = [lobby, sealed, {**sealed, "clock": {"decision_seconds": 60}}]
    bodies["createTournament"] = [cup, {**cup, "format": {"type": "comparison", "elo0": 0}}]
    known: dict[str, Sequence[str]] = {
        "game_id": games,
        "seat": [*"0123"],
        "player_id": [me],
        "document": ["board", "labels", "rules"],
        "invitation_id": ["i-mfrggzdfmztwq2lk"],
        "key_id": ["y-mfrggzdfmztwq2lk"],
        "bot_id": ["p-mfrggzdfmztwq2lk"],
        "webhook_id": ["w-mfrggzdfmztwq2lk"],
        "subscription_id": ["d-mfrggzdfmztwq2lk"],
        "seek_id": ["s-mfrggzdfmztwq2lk"],
        "ruleset_id": GAMES,
        "tournament_id": cups,
    }
    return World([*keys[:1] * 12, keys[1], "lk_nobody"], known, bodies, moves)


def judge(request: Request, raw: bytes) -> str:
    """Assert that an answer has the form of the API's answers; return its status and code."""
    if not raw:
        assert not request.whole, request.raw
        return "none"
    answer = Raw(raw.removeprefix(b"HTTP/1.1 100 Continue\r\n\r\n"), request.raw)
    status = answer.status
    assert status < 500 or (status == 503 and answer.headers["Retry-After"]), request.raw
    if status < 400 or request.raw.startswith(b"HEAD "):
        return str(status)
    return f"{status} {answer.problem['code']}"


def assault(service: Service, world: World, seed: int, many: int) -> Counter[str]:
    """Send ``many`` requests; return the number of answers of each kind."""
    generator = Generator(world, seed)
    answers: Counter[str] = Counter()
    for _ in range(many):
        request = generator.request()
        answers[judge(request, service.send(request.raw, until=STREAM))] += 1
    return answers


def check_that_it_lives(service: Service, log: Path) -> None:
    for path in ("/healthz", "/readyz", "/v1/rulesets"):
        assert service.call("GET", path).status == 200
    written = log.read_text()
    for trouble in ("request_failed", "Traceback", "Booting worker", "Worker exiting"):
        assert trouble not in written
    assert not RAW.search(written)


def test_hostile_requests(service: Service, world: World, log: Path) -> None:
    answers = assault(service, world, 0, 400)
    check_that_it_lives(service, log)
    assert len(answers) > 12, "many kinds of answers are provoked"
    assert sum(answers[status] for status in ("200", "201")) > 20, "and not all is refused at once"


@pytest.mark.campaign("hostile")
@pytest.mark.timeout(600)
@pytest.mark.parametrize("seed", range(1_000, 1_020))
def test_many_hostile_requests(
    service: Service, world: World, log: Path, seed: int, record_property: Figure
) -> None:
    answers = assault(service, world, seed, 2_000)
    check_that_it_lives(service, log)
    record_property("requests", answers.total())
