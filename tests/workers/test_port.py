"""The port of a worker: its health and its metrics."""

import signal
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager

import orjson
import pytest

from service.process.notify import ADDRESS, READY, WATCHDOG, NotifySocket
from service.redis.server import RedisServer
from service.runtime import Runtime
from tests.faults.processes import free_port
from tests.running import bot, environment, game, open_game, process, wait_for
from tests.service.api.people import METRICS_TOKEN, SCRAPER
from workers.beats import JOBS, SILENT_SECONDS, SWEEPER, Beats
from workers.port import Port


def ask(port: int, path: str, **headers: str) -> tuple[int, str]:
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=5) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


@contextmanager
def listening(beats: Beats, token: str | None = METRICS_TOKEN) -> Iterator[int]:
    port = Port("127.0.0.1", 0, token, beats)
    try:
        yield port.server_address[1]
    finally:
        port.close()


def test_a_worker_is_healthy_while_both_of_its_loops_come_round() -> None:
    now = 100.0
    beats = Beats("live", lambda: now)
    with listening(beats) as port:
        assert ask(port, "/healthz")[0] == 200
        now += SILENT_SECONDS - 1
        beats.note(SWEEPER)
        assert ask(port, "/healthz")[0] == 200
        now += 2
        status, told = ask(port, "/healthz")
        assert status == 503
        said = orjson.loads(told)
        assert said["status"] == "silent"
        assert said["silent_ms"] == {JOBS: 91_000, SWEEPER: 2_000}
        beats.note(JOBS)
        assert ask(port, "/healthz")[0] == 200


def test_whoever_supervises_a_worker_hears_that_it_is_alive_unless_it_hangs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    supervisor, now, allowed = NotifySocket(), 100.0, 0.0
    monkeypatch.setenv(ADDRESS, supervisor.address)
    beats = Beats("live", lambda: now, allowed=lambda: allowed)

    def heard_after(seconds: float) -> list[str]:
        nonlocal now
        now += seconds
        beats.note(SWEEPER)
        return [notice.line for notice in supervisor.notices()]

    try:
        beats.note(JOBS)
        assert heard_after(0) == [READY, WATCHDOG]
        assert heard_after(0.5) == [], "once a second is enough"
        assert heard_after(SILENT_SECONDS - 1) == [WATCHDOG]
        assert heard_after(1) == [], "the jobs' loop hangs"
        allowed = 60
        assert heard_after(1) == [WATCHDOG], "a bot has so long to decide"
    finally:
        supervisor.close()


def test_its_metrics_are_for_those_who_have_the_token() -> None:
    with listening(Beats("live")) as port:
        assert ask(port, "/metrics")[0] == 401
        assert ask(port, "/metrics", Authorization="Bearer é")[0] == 401
        status, told = ask(port, "/metrics", **SCRAPER)
        assert status == 200
        assert "lonja_sweep_seconds_count" in told
        assert ask(port, "/other", **SCRAPER)[0] == 404
    with listening(Beats("live"), token=None) as port:
        assert ask(port, "/metrics", Authorization="Bearer None")[0] == 404


def test_a_worker_tells_what_it_did(web: Runtime, redis_server: RedisServer) -> None:
    port = free_port()
    env = environment(
        redis_server.url, LONJA_METRICS_PORT=str(port), LONJA_METRICS_TOKEN=METRICS_TOKEN
    )
    game_id = open_game(web, "sealed", bot("greedy"), bot("random"))
    with process("-m", "workers.worker", env=env) as worker:
        wait_for(lambda: game(web, game_id).over)
        wait_for(lambda: 'lonja_turn_seconds_count{queue="live"}' in scrape(port))
        told = scrape(port)
        for name in (
            'lonja_bot_decision_seconds_count{bot="greedy"}',
            'lonja_bot_wait_seconds_count{queue="live"}',
            'lonja_worker_beat_timestamp_seconds{loop="jobs",queue="live"}',
            'lonja_appends_total{outcome="done"}',
            "lonja_store_unfit 0.0",
        ):
            assert name in told
        with process("-m", "workers.worker", env=env) as second:
            said, _ = second.communicate(timeout=20)
            assert second.returncode == 1
        assert f"cannot listen on 127.0.0.1:{port}" in said
        assert "Traceback" not in said
        worker.send_signal(signal.SIGTERM)
        assert worker.wait(20) == 0


def scrape(port: int) -> str:
    status, told = ask(port, "/metrics", **SCRAPER)
    assert status == 200
    return told


@pytest.mark.parametrize("bind", ["::1", "127.0.0.1"])
def test_it_listens_where_it_is_told_to(bind: str) -> None:
    port = Port(bind, 0, None, Beats("live"))
    assert port.server_address[0] == bind
    port.close()
