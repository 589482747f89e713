"""The files of the public log, as everybody reads and keeps them."""

import gzip
import time
from pathlib import Path

import pytest
from redis import Redis

from service.api.app import create_app
from service.publishing.folder import LogFiles, LogFolder
from service.publishing.rotation import rotate
from service.redis.server import RedisServer
from service.runtime import open_runtime
from service.settings import load
from tests import running
from tests.running import ME
from tests.service.api.people import House
from tests.service.publishing import logs
from tests.service.publishing.closed import close, lobby


def test_tiles_are_kept_for_a_day_and_the_checkpoint_is_not(
    redis_server: RedisServer, redis_client: Redis, tmp_path: Path
) -> None:
    path = tmp_path / "log"
    environ = running.environment(redis_server.url, LONJA_PUBLIC_LOG=str(path))
    runtime = open_runtime(load(environ))
    visitor = House(create_app(runtime)).visitor
    assert visitor.get("/log/checkpoint").status_code == 404
    for _ in range(3):
        running.open_game(runtime, "sealed", ME, ME)
    logs.build(runtime.ledger.store, path)
    found = visitor.get("/log/checkpoint")
    assert found.data == (path / "public/checkpoint").read_bytes()
    assert found.headers["Cache-Control"] == "public, max-age=5"
    assert found.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert found.headers["Access-Control-Allow-Origin"] == "*"
    same = visitor.get("/log/checkpoint", If_None_Match=found.headers["ETag"])
    assert (same.status_code, same.data) == (304, b"")
    told = visitor.get("/log/public_keys")
    assert told.text.split() == [str(key) for key in LogFiles(path).keys().verifiers]
    assert told.headers["Cache-Control"] == "public, max-age=5"
    folder = LogFolder(path)
    rotate(folder, int(time.time()))
    folder.close()
    bound = visitor.get("/log/rotations/1")
    assert bound.data == (path / "public/rotations/1").read_bytes()
    assert bound.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert visitor.get("/log/public_keys").text != told.text
    game_id = lobby(runtime)
    close(runtime, game_id)
    logs.build(runtime.ledger.store, path)
    (kept,) = (path / "public/closed").iterdir()
    waited = visitor.get(f"/log/closed/{kept.name}")
    assert waited.data == (path / "public/checkpoint").read_bytes()
    assert waited.headers["Content-Type"] == "text/plain; charset=utf-8"
    for name in ("tile/0/000.p/7", "tile/entries/000.p/7"):
        tile = visitor.get(f"/log/{name}", Accept_Encoding="gzip")
        body = gzip.decompress(tile.data) if "Content-Encoding" in tile.headers else tile.data
        assert body == (path / "public" / name).read_bytes()
        assert tile.headers["Cache-Control"] == "public, max-age=86400"
        assert tile.headers["Content-Type"] == "application/octet-stream"
    for name in (
        "tile/0/000",
        "tile/0/000.p/8",
        "keys",
        "../keys",
        "%2e%2e/keys",
        "tile/../../keys",
        "rotations/2",
        "closed/001",
        "closed/../../keys",
        "rotations/../../keys",
    ):
        missing = visitor.get(f"/log/{name}")
        assert missing.status_code == 404
        assert "max-age=86400" not in missing.headers.get("Cache-Control", "")


@pytest.mark.parametrize("name", ["checkpoint", "tile/0/000"])
def test_without_a_log_there_are_no_files(house: House, name: str) -> None:
    assert house.visitor.get(f"/log/{name}").status_code == 404
