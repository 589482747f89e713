from pathlib import Path

import pytest

from service import redis_binary
from service.redis_binary import RedisServerError, choose, stamp
from service.redis_version import ServerVersion


def program(folder: Path, name: str, banner: str) -> Path:
    """A stand-in for a server of any version; only its banner is ever asked for."""
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(f"#!/bin/sh\necho '{banner} sha=00000000:0'\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    path = tmp_path / "data"
    path.mkdir()
    return path


@pytest.fixture(autouse=True)
def bundled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with nothing on PATH and the bundled Redis 6.2."""
    monkeypatch.setenv("PATH", str(tmp_path / "path"))
    path = program(tmp_path / "venv", "redis-server", "Redis server v=6.2.14")
    monkeypatch.setattr(redis_binary, "bundled_path", lambda: path)
    return path


def test_the_bundled_server_is_what_a_fresh_machine_gets(data_dir: Path, bundled: Path) -> None:
    assert choose(data_dir, None).path == bundled


def test_a_patched_server_on_the_path_comes_first(tmp_path: Path, data_dir: Path) -> None:
    redis = program(tmp_path / "path", "redis-server", "Redis server v=7.0.15")
    assert choose(data_dir, None).path == redis
    valkey = program(tmp_path / "path", "valkey-server", "Valkey server v=8.0.1")
    assert choose(data_dir, None).path == valkey


def test_an_old_server_on_the_path_is_passed_over(
    tmp_path: Path, data_dir: Path, bundled: Path
) -> None:
    program(tmp_path / "path", "redis-server", "Redis server v=6.2.5")
    assert choose(data_dir, None).path == bundled


def test_an_explicit_server_wins(tmp_path: Path, data_dir: Path) -> None:
    program(tmp_path / "path", "redis-server", "Redis server v=7.0.15")
    explicit = program(tmp_path / "own", "server", "Redis server v=6.2.7")
    assert choose(data_dir, explicit).path == explicit


def test_a_server_that_cannot_read_the_data_is_passed_over(tmp_path: Path, data_dir: Path) -> None:
    program(tmp_path / "path", "redis-server", "Redis server v=7.0.15")
    valkey = program(tmp_path / "path", "valkey-server", "Valkey server v=8.0.1")
    stamp(data_dir, ServerVersion("valkey", 8, 0, 1))
    assert choose(data_dir, None).path == valkey


def test_a_downgrade_is_refused(data_dir: Path) -> None:
    stamp(data_dir, ServerVersion("redis", 7, 0, 15))
    with pytest.raises(RedisServerError) as refusal:
        choose(data_dir, None)
    assert str(refusal.value) == (
        f"The data in {data_dir} was written by redis 7.0.15, which redis 6.2.14 cannot read"
        " safely: set LONJA_REDIS_SERVER to a redis 7.0.15 program or a newer one,"
        " or LONJA_DATA_DIR to another folder."
    )


def test_newer_data_is_known_without_its_stamp(data_dir: Path) -> None:
    (data_dir / "appendonlydir").mkdir()
    with pytest.raises(RedisServerError, match=r"written by redis 7\.0\.0"):
        choose(data_dir, None)


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"name": "redis", "version": "new"}'])
def test_an_unreadable_stamp_is_no_licence(data_dir: Path, content: str) -> None:
    (data_dir / "server.json").write_text(content)
    with pytest.raises(RedisServerError, match=r"server\.json does not say"):
        choose(data_dir, None)


@pytest.mark.parametrize("banner", ["Redis server v=6.0.9", "Python 3.11.7"])
def test_an_explicit_program_that_does_not_fit_is_refused(
    tmp_path: Path, data_dir: Path, banner: str
) -> None:
    with pytest.raises(RedisServerError, match="set LONJA_REDIS_SERVER to"):
        choose(data_dir, program(tmp_path / "own", "server", banner))


def test_a_machine_without_a_server_is_told_what_to_install(data_dir: Path, bundled: Path) -> None:
    bundled.unlink()
    with pytest.raises(RedisServerError, match=r"install redis-server 7\.0 or newer"):
        choose(data_dir, None)
