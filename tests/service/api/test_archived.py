"""Clients see no difference when a finished game has left the store."""

from collections.abc import Callable
from itertools import zip_longest
from pathlib import Path

import pytest
from redis import Redis
from werkzeug.test import TestResponse

from service.api.app import create_app
from service.archive.files import Folder
from service.ledger import export
from service.redis.keys import game_key
from service.redis.server import RedisServer
from service.runtime import Runtime, open_runtime
from service.settings import load
from tests.running import copies
from tests.service.api.people import House, Person, data, play_on, problem
from tests.service.archive.taking import OF_A_GAME, take_out


@pytest.fixture
def new_runtime(
    redis_server: RedisServer, redis_client: Redis, tmp_path: Path
) -> Callable[[], Runtime]:
    """Make the parts of processes that share a store and a folder of packs."""
    environ = {
        "REDIS_URL": redis_server.url,
        "LONJA_EXTRA_RULESETS": "tests.sealed",
        "LONJA_ARCHIVE": str(tmp_path),
    }
    return lambda: open_runtime(load(environ))


def record(runtime: Runtime, game_id: str) -> list[dict[str, object]]:
    return [*export.lines(runtime, runtime.ledger.table(game_id), None)]


def got(person: Person, page: str) -> TestResponse:
    """Read a whole answer, which is a stream's, too, if the game is over."""
    answer = person.get(page)
    assert answer.text
    answer.close()
    return answer


def differing(new: TestResponse, old: TestResponse) -> list[tuple[str | None, str | None]]:
    """Return the lines that differ, by any byte."""
    lines = zip_longest(new.text.splitlines(), old.text.splitlines())
    return [(one, other) for one, other in lines if one != other]


def test_a_finished_game_is_answered_as_before(
    new_runtime: Callable[[], Runtime], redis_client: Redis, tmp_path: Path
) -> None:
    runtime = new_runtime()
    house = House(create_app(runtime))
    ana, bea = house.player("Ana"), house.player("Bea")
    url = house.table(ana, bea, table={"title": "Friends", "tags": ["eve"]})
    moves = ana.legal(url, 0)
    body = {"seat": 0, "move": moves["moves"][0], "expected_version": moves["version"]}
    first = ana.post(f"{url}/moves", body, Idempotency_Key="k")
    play_on(url, [ana, bea])
    game_id = url.rpartition("/")[2]
    version = data(ana.get(url))["version"]
    pages = (
        url, f"{url}/state", f"{url}/state?at=3", f"{url}/state?at=3&seat=0", f"{url}/events",
        f"{url}/events?after=2", f"{url}/headers", f"{url}/log", f"{url}/scores",
        f"{url}/head", f"{url}/record",
        f"{url}/legal_moves?seat=0", f"{url}/stream?after={version - 2}", "/v1/games",
        f"/v1/games?player={ana.id}", "/v1/games?tag=eve", f"{url}/analysis",
    )  # fmt: skip
    before = {page: [got(who, page) for who in (ana, house.visitor)] for page in pages}
    odd = {page: old[0].status_code for page, old in before.items() if old[0].status_code != 200}
    assert odd == {f"{url}/analysis": 404}  # nobody has asked for one
    take_out(redis_client, Folder(tmp_path), game_id, record(runtime, game_id))

    other = new_runtime()
    for app in (house.app, create_app(other)):
        house.client = app.test_client()
        for page, answers in before.items():
            for who, old in zip((ana, house.visitor), answers, strict=True):
                new = got(who, page)
                assert (new.status_code, new.headers.get("ETag")) == (
                    old.status_code, old.headers.get("ETag")
                ), page  # fmt: skip
                if old.status_code == 200:
                    assert differing(new, old) == [], page
        again = ana.post(f"{url}/moves", body, Idempotency_Key="k")
        assert (again.status_code, data(again)) == (first.status_code, data(first))
        problem(ana.move(url, 0, {"type": "pass"}), 409, "game_over")
    assert copies(other, game_id) == copies(runtime, game_id)
    left = [game_key(game_id, name) for name in OF_A_GAME]
    assert not redis_client.exists(*left), "reading writes nothing"


def test_a_game_whose_pack_is_lost_cannot_be_reached_and_the_others_can(
    new_runtime: Callable[[], Runtime], redis_client: Redis, tmp_path: Path
) -> None:
    runtime = new_runtime()
    house = House(create_app(runtime))
    ana, bea = house.player("Ana"), house.player("Bea")
    url, other = (house.table(ana, bea) for _ in range(2))
    play_on(url, [ana, bea])
    game_id = url.rpartition("/")[2]
    take_out(redis_client, Folder(tmp_path), game_id, record(runtime, game_id))
    for path in tmp_path.glob("*.pack"):
        path.unlink()
    house.client = create_app(new_runtime()).test_client()
    problem(ana.get(url), 503, "store_unavailable")
    assert data(ana.get(other))["status"] == "running"
