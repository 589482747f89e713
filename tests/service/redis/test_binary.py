import platform
from pathlib import Path

import pytest

from service.redis import binary
from service.redis.binary import RedisServerError, choose, stamp
from service.redis.version import ServerVersion


def program(folder: Path, name: str, banner: str) -> Path:
    """A fake server program of any version; tests only ask for its version."""
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
    """A machine with nothing on PATH and the bundled Valkey 9.1."""
    monkeypatch.setenv("PATH", str(tmp_path / "path"))
    path = program(tmp_path / "venv", "valkey-server", "Valkey server v=9.1.2")
    monkeypatch.setattr(binary, "bundled_path", lambda: path)
    return path


@pytest.fixture
def unbundled(bundled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without a bundled server."""
    monkeypatch.setattr(binary, "bundled_path", lambda: None)


def test_the_bundled_server_is_what_a_machine_gets(
    tmp_path: Path, data_dir: Path, bundled: Path
) -> None:
    assert choose(data_dir, None).path == bundled
    program(tmp_path / "path", "valkey-server", "Valkey server v=8.0.1")
    assert choose(data_dir, None).path == bundled


def test_without_a_bundled_server_the_path_is_searched(
    tmp_path: Path, data_dir: Path, unbundled: None
) -> None:
    redis = program(tmp_path / "path", "redis-server", "Redis server v=7.0.15")
    assert choose(data_dir, None).path == redis
    valkey = program(tmp_path / "path", "valkey-server", "Valkey server v=8.0.1")
    assert choose(data_dir, None).path == valkey


def test_a_server_on_the_path_reads_what_the_bundled_one_cannot(
    tmp_path: Path, data_dir: Path
) -> None:
    newer = program(tmp_path / "path", "valkey-server", "Valkey server v=9.2.0")
    stamp(data_dir, ServerVersion("valkey", 9, 2, 0))
    assert choose(data_dir, None).path == newer


def test_a_program_that_does_not_run_here_is_passed_over(
    tmp_path: Path, data_dir: Path, bundled: Path
) -> None:
    bundled.write_text("#!/bin/sh\necho 'version GLIBC_2.28 not found' >&2; exit 1\n")
    with pytest.raises(RedisServerError, match="no Redis server that runs here"):
        choose(data_dir, None)
    redis = program(tmp_path / "path", "redis-server", "Redis server v=7.0.15")
    assert choose(data_dir, None).path == redis


def test_an_old_server_on_the_path_is_refused(
    tmp_path: Path, data_dir: Path, unbundled: None
) -> None:
    program(tmp_path / "path", "redis-server", "Redis server v=6.2.14")
    with pytest.raises(RedisServerError, match=r"is redis 6\.2\.14, and Lonja needs 7\.0 or newer"):
        choose(data_dir, None)


def test_an_explicit_server_wins(tmp_path: Path, data_dir: Path) -> None:
    program(tmp_path / "path", "redis-server", "Redis server v=7.0.15")
    explicit = program(tmp_path / "own", "server", "Redis server v=7.0.4")
    assert choose(data_dir, explicit).path == explicit


def test_what_an_earlier_release_left_is_read(data_dir: Path, bundled: Path) -> None:
    stamp(data_dir, ServerVersion("redis", 6, 2, 14))
    assert choose(data_dir, None).path == bundled


@pytest.mark.parametrize(
    ("writer", "asks_for"),
    [
        (ServerVersion("valkey", 9, 2, 0), "a valkey 9.2.0 program or a newer one"),
        (ServerVersion("redis", 8, 0, 1), "a redis 8.0.1 program or a newer one"),
    ],
)
def test_data_that_the_bundled_server_cannot_read_is_refused(
    data_dir: Path, writer: ServerVersion, asks_for: str
) -> None:
    stamp(data_dir, writer)
    with pytest.raises(RedisServerError) as refusal:
        choose(data_dir, None)
    assert str(refusal.value) == (
        f"The data in {data_dir} was written by {writer}, which valkey 9.1.2 cannot read"
        f" safely: set LONJA_REDIS_SERVER to {asks_for},"
        " or LONJA_DATA_DIR to another folder."
    )


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


def test_a_machine_without_a_server_is_told_what_to_set(data_dir: Path, unbundled: None) -> None:
    with pytest.raises(RedisServerError) as refusal:
        choose(data_dir, None)
    machine = f"{platform.system()} on {platform.machine()}"
    assert str(refusal.value) == (
        f"No server comes with Lonja for this machine ({machine}), and none is on the PATH:"
        " install valkey-server, or redis-server 7.0 or newer, name a program in"
        " LONJA_REDIS_SERVER, or a running server in REDIS_URL."
    )
