"""`lonja archive scrub`: what it tells, and its exit code."""

from pathlib import Path

import orjson
import pytest
from redis import Redis

from service.archive.files import Folder
from service.archive.places import files_at
from service.redis.server import RedisServer
from service.upkeep.scrub import healed_ever, last_scrub
from tests.buckets import servers
from tests.service.archive.packing import kept_games, put
from tests.service.cli.conftest import Lonja


def damage(path: Path) -> None:
    raw = bytearray(path.read_bytes())
    raw[len(raw) // 2] ^= 1
    path.write_bytes(raw)


def test_a_folder_is_healed_from_a_bucket(
    redis_server: RedisServer,
    redis_client: Redis,
    lonja: Lonja,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    place = Folder(tmp_path)
    path, other = (put(tmp_path, [one]) for one in kept_games()[:2])
    whole = path.read_bytes()
    with servers.small() as server:
        environ = servers.environment(server.door.url)
        where = {"LONJA_ARCHIVE": place.place, "LONJA_ARCHIVE_COPY": "s3://packs/copy"}
        for one, value in {**environ, **where, "REDIS_URL": redis_server.url}.items():
            monkeypatch.setenv(one, value)
        told = orjson.loads(lonja("archive", "scrub", "--json").stdout)
        assert (told["packs"], len(told["copied"]), told["lost"]) == (2, 2, [])
        size = path.stat().st_size + other.stat().st_size
        assert (told["bytes"], told["healed"]) == (size, [])
        damage(path)
        result = lonja("archive", "scrub")
        assert (result.exit_code, path.read_bytes()) == (0, whole)
        assert f"HEALED  {path}" in result.output
        assert healed_ever(redis_client) == 1
        files_at("s3://packs/copy").put_aside(path.name)
        damage(path)
        result = lonja("archive", "scrub")
        assert result.exit_code == 1
        assert f"LOST  s3://packs/copy/{path.name}: it is not there" in result.output
        last = last_scrub(redis_client)
        assert last is not None
        assert (last.packs, last.lost) == (2, 2)
        assert "LonjaArchiveLost: packs and files beside" in lonja("status").output
        server.door.refuse(403, "AccessDenied")
        told = lonja("archive", "scrub", "--due").output
        assert "LOST  s3://packs/copy cannot be read: s3://packs does not let these" in told
        assert f"LOST  {path}: its bytes are not those" in told
        monkeypatch.setenv("LONJA_ARCHIVE_COPY", place.place)
        monkeypatch.setenv("LONJA_ARCHIVE", "s3://packs/copy")
        refused = lonja("archive", "scrub")
        assert refused.exit_code == 2
        assert refused.output.startswith("Error: s3://packs does not let these credentials list")
        for secret in (servers.KEY, servers.SECRET):
            assert secret not in told + refused.output + lonja("status").output


def test_without_packs_there_is_nothing_to_scrub(
    redis_server: RedisServer, redis_client: Redis, lonja: Lonja, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REDIS_URL", redis_server.url)
    refused = lonja("archive", "scrub")
    assert refused.exit_code != 0
    assert "LONJA_ARCHIVE is missing" in refused.output
