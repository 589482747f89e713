"""Real worker processes on a real Redis; only processes started here are ended, by their id."""

import os
import signal
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from subprocess import Popen

import pytest

from rules.kernel.contract.seats import Seat
from rules.kernel.proof.verify import verify
from rules.kernel.record.game import Game
from service.redis.format import FORMAT_KEY
from service.redis.server import RedisServer
from service.runtime import Runtime
from tests.running import (
    ME,
    PLAYER,
    bot,
    copies,
    environment,
    game,
    kinds,
    open_game,
    process,
    wait_for,
)
from workers.turns import GRACE_MS

GREEDY, RANDOM = bot("greedy"), bot("random")
WAIT = 20
"""Seconds that a process may take on a busy machine."""

Start = Callable[..., AbstractContextManager[Popen[str]]]


@pytest.fixture
def start(redis_server: RedisServer, tmp_path: Path) -> Start:
    """Start a worker process, as the launcher does."""
    env = environment(redis_server.url)
    return partial(process, "-m", "workers.worker", env=env, log=tmp_path / "worker.log")


def all_over(web: Runtime, game_ids: list[str]) -> bool:
    return all(game(web, game_id).over for game_id in game_ids)


def test_a_worker_plays_games_to_their_end_and_they_verify(web: Runtime, start: Start) -> None:
    game_ids = [open_game(web, name, GREEDY, RANDOM) for name in ("santiago_de_cuba", "sealed")]
    with start():
        wait_for(lambda: all_over(web, game_ids))
        wait_for(lambda: web.jobs.waiting() == 0)  # a sweep may have queued another job
    for game_id in game_ids:
        assert verify(game_id, copies(web, game_id), web.registry).ok


def test_a_worker_answers_a_person_at_once(web: Runtime, start: Start) -> None:
    first = open_game(web, "sealed", GREEDY, RANDOM)
    game_id = open_game(web, "sealed", ME, GREEDY)
    with start():
        wait_for(lambda: game(web, first).over)  # the process has started
        seconds = []
        while (now := wait_for(lambda: waits_or_over(web, game_id))) and not now.over:
            began = time.monotonic()
            move = now.ruleset.legal_moves(now.state, Seat(0))[0]
            web.tables.move(game_id, Seat(0), move.to_json(), now.version, PLAYER)
            wait_for(lambda: waits_or_over(web, game_id))
            seconds.append(time.monotonic() - began)
    assert min(seconds) < GRACE_MS / 1000  # the queue did it, because a sweep waits longer
    assert kinds(web, game_id).count("defaulted") == 0


def waits_or_over(web: Runtime, game_id: str) -> Game | None:
    now = game(web, game_id)
    return now if now.over or list(now.asked) == [0] else None


def test_after_kill_9_another_worker_finishes_every_game(web: Runtime, start: Start) -> None:
    game_ids = [open_game(web, "santiago_de_cuba", GREEDY, GREEDY) for _ in range(8)]
    versions = {game_id: game(web, game_id).version for game_id in game_ids}
    with start() as first:
        wait_for(lambda: any(game(web, g).version > versions[g] for g in game_ids))
        os.kill(first.pid, signal.SIGKILL)
        first.wait()
    left = [game_id for game_id in game_ids if not game(web, game_id).over]
    assert left, "it was killed too late to show anything"
    with start():
        wait_for(lambda: all_over(web, game_ids), 60)
    for game_id in left:
        assert verify(game_id, copies(web, game_id), web.registry).ok


def test_games_go_on_when_the_whole_queue_is_lost(web: Runtime, start: Start) -> None:
    game_ids = [open_game(web, "sealed", GREEDY, RANDOM) for _ in range(5)]
    for key in web.redis.scan_iter("rq:*"):
        web.redis.delete(key)
    with start():
        wait_for(lambda: all_over(web, game_ids))


def test_two_workers_make_one_game(web: Runtime, start: Start) -> None:
    game_ids = [open_game(web, "sealed", GREEDY, RANDOM, GREEDY) for _ in range(10)]
    for game_id in game_ids:
        web.jobs.play_automatic_seats(game(web, game_id))  # a second job for each
    with start(), start():
        wait_for(lambda: all_over(web, game_ids))
    for game_id in game_ids:
        assert verify(game_id, copies(web, game_id), web.registry).ok


def test_sigterm_ends_the_move_and_then_the_worker(web: Runtime, start: Start) -> None:
    game_ids = [open_game(web, "santiago_de_cuba", GREEDY, GREEDY) for _ in range(8)]
    versions = {game_id: game(web, game_id).version for game_id in game_ids}
    with start() as first:
        wait_for(lambda: any(game(web, g).version > versions[g] for g in game_ids))
        first.terminate()
        assert first.wait(WAIT) == 0
    assert not all_over(web, game_ids)
    with start():
        wait_for(lambda: all_over(web, game_ids), 60)


def test_an_idle_worker_ends_at_once(web: Runtime, start: Start) -> None:
    game_id = open_game(web, "sealed", GREEDY, RANDOM)
    with start() as worker:
        wait_for(lambda: game(web, game_id).over)
        time.sleep(0.2)
        worker.terminate()
        assert worker.wait(WAIT) == 0  # not only at the end of the queue's blocking read


def test_a_worker_leaves_a_store_that_a_newer_release_has_taken_over(
    web: Runtime, start: Start, tmp_path: Path
) -> None:
    game_id, log = open_game(web, "sealed", GREEDY, RANDOM), tmp_path / "log"
    with start(log=log) as worker:
        wait_for(lambda: game(web, game_id).over)
        web.redis.set(FORMAT_KEY, "lonja/2.9")
        assert worker.wait(WAIT) == 0
    assert "the format lonja/2.9" in log.read_text()
    with start() as worker:
        assert worker.wait(WAIT) == 1


def test_a_redis_that_would_lose_games_is_refused(web: Runtime, start: Start) -> None:
    web.redis.config_set("maxmemory-policy", "allkeys-lru")
    try:
        with start(log=None) as worker:
            told, _ = worker.communicate(timeout=20)
            assert worker.returncode == 1
    finally:
        web.redis.config_set("maxmemory-policy", "noeviction")
    assert "set it to noeviction" in told
    assert "Traceback" not in told


def test_settings_that_cannot_be_used_are_told_in_a_sentence() -> None:
    with process("-m", "workers.worker", env=environment("", LONJA_WEB_WORKERS="many")) as worker:
        told, _ = worker.communicate(timeout=20)
        assert worker.returncode == 2
    assert "LONJA_WEB_WORKERS is 'many'" in told
    assert "Traceback" not in told
