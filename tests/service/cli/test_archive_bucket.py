"""Games leave for a bucket and are read in it; what it refuses is told, and nothing else ends."""

from collections.abc import Iterator
from pathlib import Path

import orjson
import pytest
from redis import Redis

from service.api.app import create_app
from service.redis.server import RedisServer
from service.upkeep import archiving
from tests.buckets import servers
from tests.buckets.servers import KEY, SECRET, Door
from tests.running import ME, open_game
from tests.service.api.people import House, data, problem
from tests.service.cli.conftest import Lonja
from tests.service.cli.test_archive_move import GREEDY, _followed, listed, opened, played, record
from tests.service.tournaments.conftest import hall_on

PLACE = "s3://packs/lonja"


@pytest.fixture
def door(monkeypatch: pytest.MonkeyPatch) -> Iterator[Door]:
    with servers.small() as server:
        for name, value in servers.environment(server.door.url).items():
            monkeypatch.setenv(name, value)
        yield server.door


def test_games_leave_for_a_bucket_and_are_read_in_it(
    redis_server: RedisServer,
    redis_client: Redis,
    lonja: Lonja,
    door: Door,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    where = {"LONJA_ARCHIVE": PLACE, "LONJA_DATA_DIR": str(tmp_path / "data")}
    runtime = hall_on(redis_server.url, **where).runtime
    for name, value in {"REDIS_URL": redis_server.url, **where}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(archiving, "REST_MS", 0)
    game_id = played(runtime)
    going_on = open_game(runtime, "sealed", GREEDY, ME)
    lines = record(runtime, game_id)
    _followed(redis_client)

    told = orjson.loads(lonja("archive", "move", "--json").stdout)
    assert (told["folder"], told["moved"]["gone"], told["moved"]["unlisted"]) == (PLACE, 1, 1)
    (pack,) = orjson.loads(lonja("archive", "ls", PLACE, "--json").stdout)["packs"]
    assert pack["file"] == f"{PLACE}/{told['packs'][0]['name']}"
    assert (pack["beside"], [row["id"] for row in pack["records"]]) == (True, [game_id])
    out = tmp_path / "record.ndjson"
    assert lonja("archive", "export", game_id, pack["file"], "-o", out).exit_code == 0
    assert [*map(orjson.loads, out.read_bytes().splitlines())] == lines
    assert orjson.loads(lonja("archive", "check", PLACE, "--json").stdout)["different"] == []

    reader = opened(runtime)
    before = door.count("GET")
    assert record(reader, game_id) == lines
    assert door.count("GET") == before + 2  # the range, and the file beside for the first time
    assert listed(reader) == [game_id]

    # The bucket cannot be reached any more.
    door.refuse(403, "AccessDenied")
    stranger = House(create_app(opened(runtime))).visitor
    problem(stranger.get(f"/v1/games/{game_id}"), 503, "store_unavailable")
    assert data(stranger.get(f"/v1/games/{going_on}"))["status"] == "running"
    assert [game["id"] for game in data(stranger.get("/v1/games"))["games"]] == [going_on, game_id]
    for command in (["write", PLACE], ["move"], ["ls", PLACE]):
        failed = lonja("archive", *command)
        assert failed.exit_code != 0
        assert "s3://packs does not let these credentials" in failed.output
        assert not {KEY, SECRET} & {*failed.output.split()}
    refused = lonja("archive", "restore", game_id)
    assert "s3://packs does not let these credentials read" in refused.output

    door.mend()
    assert lonja("archive", "restore", game_id).exit_code == 0


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("s3://key:hunter2@packs", "it has a user or options"),
        ("ftp://packs", "a bucket's URL begins with s3://, gs://, az://"),
        ("s3://", "it names no bucket"),
    ],
)
def test_a_url_that_names_no_bucket_is_refused(lonja: Lonja, url: str, told: str) -> None:
    for command in ("write", "ls"):
        refused = lonja("archive", command, url)
        assert told in " ".join(refused.output.split())
        assert "hunter2" not in refused.output
