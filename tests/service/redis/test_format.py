"""A process refuses to start on a store of another format, with a clear error."""

from pathlib import Path

import pytest
from redis import Redis
from structlog.testing import capture_logs

from service.api.app import create_app
from service.api.wsgi import LazyApplication
from service.redis.client import UnsuitableServerError
from service.redis.format import FORMAT_KEY, begin_restoring, end_restoring
from service.redis.server import RedisServer
from tests import running
from tests.faults.processes import free_port

LONJA = ("-c", "from service.cli import main; main(prog_name='lonja')")
ENDED = "lonja/1, which ended before the first release"


def make_old(redis: Redis) -> None:
    """Write the data of a service of lonja/1: a signing key, but no format."""
    redis.delete(FORMAT_KEY)


def test_the_format_is_noted_when_a_store_is_first_used(
    redis_server: RedisServer, redis_client: Redis
) -> None:
    for _ in range(2):
        running.runtime_on(redis_server.url)
        assert redis_client.get(FORMAT_KEY) == b"lonja/2.1"


def test_games_of_another_format_are_refused(
    redis_server: RedisServer, redis_client: Redis
) -> None:
    runtime = running.runtime_on(redis_server.url)
    running.open_game(runtime, "sealed", running.ME, running.ME)
    make_old(redis_client)
    keys = sorted(redis_client.keys())
    with pytest.raises(UnsuitableServerError, match=ENDED):
        running.runtime_on(redis_server.url)
    assert sorted(redis_client.keys()) == keys
    redis_client.set(FORMAT_KEY, "lonja/3")
    with pytest.raises(UnsuitableServerError, match=r"the format lonja/3, .* a newer one"):
        running.runtime_on(redis_server.url)


def test_a_store_is_left_alone_that_a_newer_release_has_taken_over(
    redis_server: RedisServer, redis_client: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.redis.health.EVERY_S", 0.0)
    client = create_app(running.runtime_on(redis_server.url)).test_client()
    assert client.get("/v1/games").status_code == client.get("/readyz").status_code == 200
    redis_client.set(FORMAT_KEY, "lonja/2.9")
    assert client.get("/readyz").status_code == 503
    refused = client.get("/v1/games")
    assert (refused.status_code, refused.json and refused.json["code"]) == (
        503, "store_unavailable",
    )  # fmt: skip
    assert "the format lonja/2.9" in refused.text
    assert client.get("/healthz").status_code == 200


def test_a_part_of_a_backup_is_refused(redis_server: RedisServer, redis_client: Redis) -> None:
    runtime = running.runtime_on(redis_server.url)
    assert runtime.health.complaint() is None
    begin_restoring(redis_client, "some")
    with pytest.raises(UnsuitableServerError, match="A backup is being restored into this Redis"):
        running.runtime_on(redis_server.url)
    complaint = running.wait_for(runtime.health.complaint)  # the process checks every two seconds
    assert complaint is not None
    assert "repeat `lonja restore` with the same file" in complaint
    end_restoring(redis_client)
    running.wait_for(lambda: runtime.health.complaint() is None)


def test_every_process_says_so(
    redis_server: RedisServer, redis_client: Redis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    running.runtime_on(redis_server.url)
    make_old(redis_client)
    env = running.environment(redis_server.url, LONJA_DATA_DIR=str(tmp_path))
    for command, code in (
        ([*LONJA, "serve", "--port", str(free_port())], 2),
        ([*LONJA, "ledger", "check"], 2),
        (["-m", "workers.worker", "--burst"], 1),
    ):
        with running.process(*command, env=env) as process:
            said, _ = process.communicate(timeout=60)
        assert process.returncode == code, said
        assert ENDED in said
        assert "Traceback" not in said
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("service.api.wsgi.logs.configure", lambda _settings: None)
    answers: list[str] = []
    with capture_logs() as logs:
        LazyApplication()(
            {"PATH_INFO": "/v1/games", "REQUEST_METHOD": "GET"},
            lambda status, _headers, *_more: answers.append(status),  # type: ignore[arg-type]
        )
    assert answers == ["503 SERVICE UNAVAILABLE"]
    assert [ENDED in entry["reason"] for entry in logs if entry["event"] == "store_unfit"]
