"""A game that is not for everybody leaves the store: who could read it can, and nobody else."""

from pathlib import Path
from typing import Any

import orjson
import pytest
from redis import Redis
from werkzeug.test import TestResponse

from service.api.app import create_app
from service.archive.files import Folder
from service.archive.index import INDEX
from service.ledger import lists
from service.ledger.lists import HIDDEN, games_list
from service.redis.server import RedisServer
from service.runtime import Runtime, open_runtime
from service.settings import load
from service.upkeep import archiving
from tests.service.api.archiving import lonja, moved
from tests.service.api.people import House, Person, data, play_on, problem

KEY, OTHER = "0f" * 32, "f0" * 32


@pytest.fixture
def environment(redis_server: RedisServer, redis_client: Redis, tmp_path: Path) -> dict[str, str]:
    return {
        "REDIS_URL": redis_server.url,
        "LONJA_EXTRA_RULESETS": "tests.sealed",
        "LONJA_ARCHIVE": str(tmp_path / "packs"),
        "LONJA_ARCHIVE_KEYS": KEY,
        "LONJA_DATA_DIR": str(tmp_path / "data"),
    }


@pytest.fixture
def runtime(environment: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Runtime:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(archiving, "REST_MS", 0)
    return open_runtime(load(environment))


def played(house: House, host: Person, guest: Person, **table: Any) -> str:
    """Play a game of two; the second one was invited to it."""
    seats = [{"holder": "me"}, {"holder": "open"}]
    opened = host.post("/v1/games", {"ruleset": "sealed", "seats": seats, "table": table})
    url = opened.headers["Location"]
    invited = {"invitation": data(host.post(f"{url}/invitations", {}))["token"]}
    data(guest.put(f"{url}/seats/1", invited))
    play_on(url, [host, guest])
    return url


def told(house: House, urls: list[str], *people: Person) -> dict[str, list[Any]]:
    """Return what these people, and a visitor, are answered about games, and in lists."""
    pages = [f"{url}{page}" for url in urls for page in ("", "/state", "/events", "/record")]
    pages += ["/v1/games", *(f"/v1/games?player={one.id}" for one in people)]
    asking = (*people, house.visitor)
    found: dict[str, list[Any]] = {}
    for page in pages:
        answers = [one.get(page) for one in asking]
        found[page] = [(answer.status_code, _lines(answer)) for answer in answers]
    return found


def _lines(answer: TestResponse) -> list[Any]:
    """Return the lines of an answer, without the id of the request, which problems have."""
    lines = [answer.data] if answer.is_json else answer.data.splitlines()
    found = map(orjson.loads, lines)
    return [{name: value for name, value in line.items() if name != "request_id"} for line in found]


@pytest.mark.parametrize("visibility", ["private", "unlisted"])
def test_who_could_read_a_game_reads_it_as_before_and_nobody_else(
    house: House, runtime: Runtime, tmp_path: Path, visibility: str
) -> None:
    ana, bob, eve = (house.player(name) for name in ("Ana", "Bob", "Eve"))
    hidden = played(house, ana, bob, visibility=visibility, title="Ours")
    public = played(house, bob, eve)
    before = told(house, [hidden, public], ana, bob, eve)
    assert before[hidden][2][0] == before[hidden][3][0] == (404 if visibility == "private" else 200)
    assert moved(runtime) == (2, 2)
    assert lists.sizes(runtime.redis, ["games:*:*", games_list(None, None, HIDDEN)]) == [0, 0]
    game_id = hidden.rpartition("/")[2]
    assert not runtime.redis.keys(f"*{game_id}:[^o]*"), "nothing is left but marks that expire"
    assert told(house, [hidden, public], ana, bob, eve) == before
    house.client = create_app(open_runtime(runtime.settings)).test_client()
    assert told(house, [hidden, public], ana, bob, eve) == before

    (file,) = (tmp_path / "packs").glob("*.private")
    (beside,) = (tmp_path / "packs/beside").glob(f"{file.stem}.beside")
    assert file.stat().st_mode & 0o777 == beside.stat().st_mode & 0o777 == 0o600
    for raw in (file.read_bytes(), beside.read_bytes()):
        assert raw.startswith(b"lonja-private/1\n")
        assert b"\x1f\x8b\x08" not in raw[:60], "it does not show that it is compressed"
    assert Folder(tmp_path / "packs").digest(file.name) == file.stem
    assert file.name in lonja("archive", "ls", str(tmp_path / "packs"), "--json")
    assert game_id in lonja("archive", "ls", str(file))
    lonja("verify", str(tmp_path / "packs"))
    lonja("archive", "scrub")
    assert "have left it" in lonja("archive", "check", str(file))
    lonja("archive", "restore", game_id)
    assert runtime.redis.keys(f"*{game_id}:events")
    assert told(house, [hidden, public], ana, bob, eve) == before


def test_a_repetition_shows_the_terms_of_a_private_table_and_opens_it_to_nobody(
    house: House, runtime: Runtime
) -> None:
    ana, bob = house.player("Ana"), house.player("Bob")
    seats = [{"holder": "me"}, {"holder": "open"}]
    terms = {"visibility": "private", "title": "Ours"}
    body = {"ruleset": "sealed", "seats": seats, "table": terms}
    first = ana.post("/v1/games", body, Idempotency_Key="k")
    url = first.headers["Location"]
    assert ana.delete(url).status_code == 200
    assert moved(runtime) == (1, 1)
    house.client = create_app(open_runtime(runtime.settings)).test_client()
    # The answer is about the table as it was then, when it was not over.
    again = ana.post("/v1/games", body, Idempotency_Key="k")
    assert (data(again)["table"], again.headers["Idempotent-Replayed"]) == (
        data(first)["table"], "true"
    )  # fmt: skip
    for page in ("", "/state", "/events", "/record"):
        for stranger in (bob, house.visitor):
            problem(stranger.get(f"{url}{page}"), 404, "unknown_game")


def test_without_the_key_private_games_stay_or_cannot_be_read(
    house: House, runtime: Runtime, environment: dict[str, str], tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    ana, bob = house.player("Ana"), house.player("Bob")
    hidden = played(house, ana, bob, visibility="private")
    monkeypatch.setenv("LONJA_ARCHIVE_KEYS", "")
    assert moved(runtime) == (0, 0)
    monkeypatch.setenv("LONJA_ARCHIVE_KEYS", KEY)
    assert moved(runtime) == (1, 1)
    seen = data(ana.get(hidden))

    def asked(keys: str) -> Any:
        """Ask a process that has these keys."""
        monkeypatch.setenv("LONJA_ARCHIVE_KEYS", keys)
        opened = open_runtime(load({**environment, "LONJA_ARCHIVE_KEYS": keys}))
        opened.ledger.store.past_lists.catch_up()
        house.client = create_app(opened).test_client()
        return ana.get(hidden)

    (file,) = (tmp_path / "packs").glob("*.private")
    for keys in ("", OTHER):
        problem(asked(keys), 503, "store_unavailable")
        assert "it is encrypted with the key" in lonja("verify", str(file), exit_code=2)
        assert "it is encrypted with the key" in lonja("archive", "ls", str(file), exit_code=2)
    assert data(asked(f"{OTHER},{KEY}")) == seen
    again = played(house, bob, ana, visibility="private")
    before = data(ana.get(again))
    assert moved(runtime) == (1, 1)
    assert data(asked(f"{KEY},{OTHER}")) == seen
    assert data(ana.get(again)) == before
    assert asked(KEY).status_code == 200
    problem(ana.get(again), 503, "store_unavailable")  # its pack has the new key


def test_a_private_game_whose_file_beside_is_lost_is_open_to_nobody(
    house: House, runtime: Runtime, tmp_path: Path
) -> None:
    """The file says who may read it; without one it would be a public game."""
    ana, bob, eve = (house.player(name) for name in ("Ana", "Bob", "Eve"))
    hidden = played(house, ana, bob, visibility="private")
    public = played(house, bob, eve)
    game_id = hidden.rpartition("/")[2]
    assert moved(runtime) == (2, 2)
    (file,) = (tmp_path / "packs").glob("*.private")
    beside = tmp_path / "packs/beside" / f"{file.stem}.beside"
    kept = beside.rename(tmp_path / "kept")
    (tmp_path / "data" / INDEX).unlink()

    def reopened() -> None:
        opened = open_runtime(runtime.settings)
        opened.ledger.store.past_lists.catch_up()
        house.client = create_app(opened).test_client()

    reopened()
    for person in (ana, eve, house.visitor):
        problem(person.get(hidden), 503, "store_unavailable")
        problem(person.get(f"{hidden}/record"), 503, "store_unavailable")
        for page in ("/v1/games", f"/v1/games?player={ana.id}"):
            problem(person.get(page), 503, "store_unavailable")
    assert house.visitor.get(public).status_code == 200
    told = lonja("archive", "restore", game_id, exit_code=1)
    assert "the file beside its pack is lost, and with it who may read it" in told
    assert f"LACKS  {file.name}" in lonja("archive", "index", exit_code=1)
    assert "LOST  what is beside" in lonja("archive", "scrub", exit_code=1)
    kept.rename(beside)
    reopened()
    assert data(ana.get(hidden))["table"]["visibility"] == "private"
    problem(eve.get(hidden), 404, "unknown_game")
    assert [game["id"] for game in data(eve.get("/v1/games"))["games"]] == [id_of(public)]
    assert "1 games are in the Redis again" in lonja("archive", "restore", game_id)


def test_the_host_revokes_an_invitation_to_a_game_that_has_left(
    house: House, runtime: Runtime, tmp_path: Path
) -> None:
    ana, bob, cleo = (house.player(name) for name in ("Ana", "Bob", "Cleo"))
    seats = [{"holder": "me"}, {"holder": "open"}, {"holder": "open"}]
    table = {"visibility": "private"}
    opened = ana.post("/v1/games", {"ruleset": "sealed", "seats": seats, "table": table})
    url = opened.headers["Location"]
    made, other = (data(ana.post(f"{url}/invitations", {})) for _ in range(2))
    data(cleo.put(f"{url}/seats/2", {"invitation": made["token"]}))
    data(cleo.delete(f"{url}/seats/2"))
    data(bob.put(f"{url}/seats/1", {"invitation": other["token"]}))
    data(ana.put(f"{url}/host", {"seat": 1}))
    data(bob.delete(url))
    assert moved(runtime) == (1, 1)
    house.client = create_app(open_runtime(runtime.settings)).test_client()
    assert data(cleo.get(url))["table"]["host"] == bob.id
    problem(ana.delete(f"{url}/invitations/{made['id']}"), 403, "not_your_table")
    problem(bob.put(f"{url}/host", {"seat": 0}), 409, "not_in_lobby")
    data(bob.delete(f"{url}/invitations/i-aaaaaaaaaaaaaaaa"))
    assert not runtime.redis.keys(f"*{id_of(url)}:table"), "there was nothing to revoke"

    def revoked() -> None:
        problem(cleo.get(url), 404, "unknown_game")
        shown = data(bob.get(url))["table"]["invitations"]
        assert [one["id"] for one in shown] == [other["id"]]

    for _ in range(2):
        data(bob.delete(f"{url}/invitations/{made['id']}"))
        revoked()
    lonja("backup", str(tmp_path / "backup.gz"))
    runtime.redis.flushall()
    lonja("restore", str(tmp_path / "backup.gz"))
    house.client = create_app(open_runtime(runtime.settings)).test_client()
    revoked()
    lonja("archive", "restore", id_of(url))
    revoked()
    lonja("archive", "move", "--again")
    assert not runtime.redis.keys(f"*{id_of(url)}:table")
    house.client = create_app(open_runtime(runtime.settings)).test_client()
    revoked()


def id_of(url: str) -> str:
    return url.rpartition("/")[2]
