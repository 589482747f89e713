"""The real cause of every alert fires it in a real Prometheus; afterwards it stops."""

import os
import random
import re
import shutil
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest
from redis import Redis

from service.following.lease import Lease
from service.following.telling import NoticeWriter
from service.ledger.exits import ASIDE
from service.ledger.feeds import TAILS
from service.ledger.notices import LISTENERS
from service.publishing.keys import LogKeys
from service.publishing.marker import MARKER
from service.publishing.witnesses import WITNESSES
from service.redis.client import make_client
from service.redis.keys import BACKED_UP, game_key, shard_of_key
from service.redis.server import RedisServer
from service.tlog.merkle import EMPTY_ROOT
from service.upkeep import maintenance
from service.upkeep.due import note_run
from service.upkeep.scrub import note_scrub
from tests.campaigns import Figure
from tests.faults import crash
from tests.faults.people import Client
from tests.faults.processes import descendants, free_port, lonja, serve, web
from tests.faults.sentinels import installation
from tests.monitoring import files
from tests.monitoring.installation import WAIT, Installation, Prometheus
from tests.running import PLAYER, bot, open_game, wait_for
from tests.service.api.people import METRICS_TOKEN
from tests.service.ledger.test_replicas import HOST, server

pytestmark = [
    pytest.mark.campaign("alerts"),
    pytest.mark.timeout(600),
    pytest.mark.skipif(shutil.which("prometheus") is None, reason="prometheus is not on the PATH"),
]
GREEDY = bot("greedy")


@pytest.fixture(scope="module")
def running(
    tmp_path_factory: pytest.TempPathFactory, redis_binary: Path | None
) -> Iterator[Installation]:
    with Installation(tmp_path_factory.mktemp("installation"), redis_binary) as made:
        yield made


@pytest.fixture
def prometheus(running: Installation) -> Iterator[Prometheus]:
    """A Prometheus; no alert fires before and after a test."""
    running.prometheus.wait_until_quiet()
    yield running.prometheus
    running.prometheus.wait_until_quiet()


def redis_of(found: RedisServer) -> Redis:
    return make_client(found.url)


def kill(found: RedisServer) -> None:
    os.kill(found.pid, signal.SIGKILL)
    crash.wait_until_dead(found.pid)


def test_every_query_of_the_dashboard_returns_a_series(
    running: Installation, prometheus: Prometheus, record_property: Figure
) -> None:
    ana = running.player()
    ana.play_on(ana.open("sealed", "greedy", "random"), random.Random(1))
    lonja("admin", "ban", ana.id, "--by", "Bea", "--reason", "a test", env=running.env)
    missing = list(files.queries())

    def answered() -> bool:
        missing[:] = [
            (title, query)
            for title, query in missing
            if not prometheus.series(query.replace("$__rate_interval", "1m"))
        ]
        return not missing

    try:
        wait_for(answered, WAIT)
    except AssertionError:
        pytest.fail(f"these return nothing: {missing}")
    record_property("queries", len(list(files.queries())))


def test_a_web_node_that_has_gone(running: Installation, prometheus: Prometheus) -> None:
    with running.without_web():
        prometheus.wait_until_fires("LonjaWebDown")


def test_a_worker_that_has_stopped(running: Installation, prometheus: Prometheus) -> None:
    with running.without(running.worker):
        open_game(running.runtime(), "sealed", GREEDY, GREEDY)
        prometheus.wait_until_fires("LonjaWorkerDown", "LonjaNoWorker", "LonjaTurnsWait")
        assert "LonjaDueTooOld" not in prometheus.firing(), "another worker sweeps"
        with running.without(running.host):
            prometheus.wait_until_fires("LonjaDueTooOld")


def test_a_worker_that_never_comes_back(running: Installation, prometheus: Prometheus) -> None:
    runtime = running.runtime()
    game_id = open_game(runtime, "sealed", bot("lookahead"), GREEDY)
    try:
        prometheus.wait_until_fires("LonjaWorkerSilent")
    finally:
        running.worker.kill()
    with running.without(running.worker):
        runtime.tables.abort(game_id, PLAYER)


def test_a_child_that_keeps_ending(
    running: Installation, prometheus: Prometheus, tmp_path: Path
) -> None:
    few = {"LONJA_BOT_WORKERS": "0", "LONJA_TOURNAMENT_WORKERS": "0", "LONJA_HEAVY_WORKERS": "1"}
    store = {"REDIS_URL": running.events.url, "LONJA_QUEUE_REDIS_URL": running.queue.url}
    with serve(tmp_path / "data", free_port(), "--no-exhibition", **store, **few) as launcher:

        def killed() -> bool:
            for pid in descendants(launcher.pid):
                if b"--queue\0heavy" in Path(f"/proc/{pid}/cmdline").read_bytes():
                    os.kill(pid, signal.SIGKILL)
            return "LonjaChildRestarts" in prometheus.firing()

        wait_for(killed, WAIT)


def test_stores_that_have_gone(running: Installation, prometheus: Prometheus) -> None:
    for found, alert in ((running.queue, "LonjaQueueDown"), (running.events, "LonjaStoreUnfit")):
        kill(found)
        try:
            prometheus.wait_until_fires(alert)
        finally:
            found.start()
        prometheus.wait_until_quiet()


def test_a_store_that_fills_up(running: Installation, prometheus: Prometheus) -> None:
    redis = redis_of(running.events)
    used = redis.info("memory")["used_memory"]
    try:
        redis.config_set("maxmemory", int(used * 1.15))
        prometheus.wait_until_fires("LonjaMemoryMark")
        assert "LonjaStoreUnfit" not in prometheus.firing()
        redis.config_set("maxmemory", used // 2)
        prometheus.wait_until_fires("LonjaStoreUnfit")
    finally:
        redis.config_set("maxmemory", 0)


@pytest.mark.skipif(os.getuid() != 0, reason="only root may mount a small disk")
def test_a_disk_that_fills_up(running: Installation, prometheus: Prometheus) -> None:
    free = shutil.disk_usage(running.data).free
    ballast = running.data / "ballast"
    with ballast.open("wb") as file:
        os.posix_fallocate(file.fileno(), 0, int(free * 0.95))
    prometheus.wait_until_fires("LonjaDiskNearlyFull")
    ballast.unlink()


def test_a_primary_that_dies(tmp_path: Path, redis_binary: Path | None) -> None:
    """The test has its own sentinels, web node and Prometheus, and no worker."""
    counts = tmp_path / "counts"
    counts.mkdir()
    with (
        installation(tmp_path / "servers", redis_binary) as servers,
        web(
            servers.url,
            tmp_path / "web.log",
            "service.api.wsgi:app",
            LONJA_METRICS_TOKEN=METRICS_TOKEN,
            PROMETHEUS_MULTIPROC_DIR=str(counts),
        ) as port,
        Prometheus(tmp_path / "prometheus", web=(port,), worker=()) as prometheus,
    ):
        Client(port).player()
        wait_for(lambda: prometheus.series("lonja_primary_changes_total"), WAIT)
        assert "LonjaPrimaryChanged" not in prometheus.firing()
        victim = servers.primary()
        victim.kill()
        servers.wait_for_another_than(victim)
        prometheus.wait_until_fires("LonjaPrimaryChanged")
        wait_for(lambda: "LonjaPrimaryChanged" not in prometheus.firing(), WAIT)


def test_a_backup_that_nobody_made(running: Installation, prometheus: Prometheus) -> None:
    redis = redis_of(running.events)
    noted = redis.get(BACKED_UP)
    assert noted is not None
    redis.set(BACKED_UP, int(noted) - 3 * 86_400_000)  # as if it had started that long ago
    prometheus.wait_until_fires("LonjaBackupOld")
    backup = running.data.parent / "backup.gz"
    lonja("backup", "--no-check", str(backup), env=running.env)


def test_games_that_nobody_follows(running: Installation, prometheus: Prometheus) -> None:
    """The process that leads the followers renews its lease, and reads nothing."""
    leader = Lease(redis_of(running.events), NoticeWriter.name, 1000 * int(2 * WAIT))
    with running.without_web():
        wait_for(lambda: leader.take() is not None)
    running.player().open("sealed", "greedy", "random")
    prometheus.wait_until_fires("LonjaFollowerBehind")
    leader.give_back()


def test_messages_that_nobody_sends(running: Installation, prometheus: Prometheus) -> None:
    ana = running.player()
    ana.post("/v1/players/me/webhooks", {"url": "https://example.org/hook", "events": ["asked"]})
    ana.open("sealed", "greedy")
    prometheus.wait_until_fires("LonjaSenderSilent")
    redis_of(running.events).delete(LISTENERS)


def test_turns_that_nobody_takes(running: Installation, prometheus: Prometheus) -> None:
    runtime, visitor = running.runtime(), running.player()
    thinking = runtime.bots["search"].holder(runtime.registry.find("sealed"))
    with running.without(running.host):
        game_id = open_game(runtime, "sealed", thinking, GREEDY)
        body = {
            "ruleset": "sealed",
            "seats": 2,
            "entries": [{"bot": "greedy"}, {"bot": "random"}],
            "format": {"type": "round_robin", "games": 4},
        }
        visitor.post("/v1/tournaments", body)
        prometheus.wait_until_fires("LonjaHeavyTurnsWait", "LonjaTournamentTurnsWait")
    runtime.tables.abort(game_id, PLAYER)
    for name in ("heavy", "tournaments"):
        redis_of(running.queue).delete(f"rq:queue:{name}")


def test_replicas_that_are_missing(
    running: Installation, prometheus: Prometheus, tmp_path: Path, redis_binary: Path | None
) -> None:
    with running.without_web(LONJA_REPLICAS_TO_WAIT="1"):
        pass
    visitor = Client(running.port).player()
    table = {"ruleset": "sealed", "options": {}, "seats": [{"holder": "me"}, {"holder": "open"}]}

    def refused() -> bool:
        assert visitor.ask("POST", "/v1/games", table).status == 503
        return {"LonjaTooFewReplicas", "LonjaErrors"} <= prometheus.firing()

    wait_for(refused, WAIT)
    port = free_port()
    redis_of(running.events).config_set("port", port)
    try:
        with server(tmp_path / "replica", redis_binary, "--replicaof", HOST, str(port)):
            prometheus.wait_until_quiet()
            assert visitor.ask("POST", "/v1/games", table).status == 201
    finally:
        redis_of(running.events).config_set("port", 0)
        with running.without_web():
            pass


def test_a_stream_that_was_rewound(running: Installation, prometheus: Prometheus) -> None:
    redis, ana = redis_of(running.events), running.player()
    path = ana.open("sealed", "greedy")
    keys = [game_key(path.rpartition("/")[2], name) for name in ("events", "index")]
    rng = random.Random(1)
    move = ana.next_move(path, rng)
    backup = [redis.dump(key) for key in keys]
    ana.post(f"{path}/moves", move)
    for key, dumped in zip(keys, backup, strict=True):
        redis.restore(key, 0, dumped, replace=True)  # type: ignore[arg-type]  # it takes bytes
    ana.get(f"{path}/state")
    prometheus.wait_until_fires("LonjaStreamRewound")


def test_a_game_whose_stream_is_damaged(running: Installation, prometheus: Prometheus) -> None:
    runtime, ana = running.runtime(), running.player()
    game_id = ana.open("sealed", "greedy").rpartition("/")[2]
    runtime.redis.xdel(game_key(game_id, "events"), "2-0")
    list(maintenance.check(runtime.ledger.store, runtime.registry))
    prometheus.wait_until_fires("LonjaGamesDamaged")
    maintenance.end_damaged(runtime.ledger.store, runtime.registry, game_id, {"admin": "Ana"})


def test_a_tournament_whose_stream_is_damaged(
    running: Installation, prometheus: Prometheus
) -> None:
    redis, host = redis_of(running.events), running.player()
    body = {
        "ruleset": "sealed",
        "seats": 2,
        "entries": [{"bot": "greedy"}, {"bot": "random"}],
        "format": {"type": "round_robin", "games": 4},
    }
    with running.without(running.host):
        made = host.post("/v1/tournaments", body)
        key = game_key(made["id"], "events")
        backup = redis.dump(key)
        redis.xdel(key, "1-0")
    prometheus.wait_until_fires("LonjaTournamentDamaged")
    redis.restore(key, 0, backup, replace=True)  # type: ignore[arg-type]  # it takes bytes
    path = f"/v1/tournaments/{made['id']}"
    wait_for(lambda: host.get(path)["status"] == "ended", WAIT)  # the turn was a minute late


def test_a_game_that_goes_on_although_a_pack_has_its_end(
    running: Installation, prometheus: Prometheus
) -> None:
    running.runtime().redis.incr(ASIDE)  # by what: tests/service/cli/test_archive_move.py
    prometheus.wait_until_fires("LonjaGameTakenAside")


def test_an_archive_that_does_not_go_on(running: Installation, prometheus: Prometheus) -> None:
    redis, long_ago = running.runtime().redis, int(1000 * time.time()) - 4 * 86_400_000
    note_run(redis, long_ago, {"left_out": [{}], "moved": {"gone": 1, "stay": []}})
    prometheus.wait_until_fires("LonjaArchiveBehind")
    prometheus.wait_until_fires("LonjaArchiveRefused")


def test_a_public_log_that_does_not_go_on(running: Installation, prometheus: Prometheus) -> None:
    redis = running.runtime().redis
    note = LogKeys.generate(None).signed(0, EMPTY_ROOT, int(time.time()) - 86_400)
    tree: Any = {"size": 0, "root": EMPTY_ROOT.hex(), "note": note, "indexed": 0}
    redis.hset(MARKER, mapping=tree)
    feed = next(feed for feed in TAILS if not redis.exists(feed))
    told: Any = {"g": f"g{shard_of_key(feed):02d}-{'a' * 20}", "v": 1, "h": b"", "n": b""}
    redis.xadd(feed, told, id=f"{int(1000 * time.time()) - 3_600_000}-0")
    prometheus.wait_until_fires("LonjaPublicLogBehind", "LonjaPublicLogSilent")
    # what the process that builds has told of its witnesses: tests/service/publishing
    witness = ["one", None, None, "it has seen another history of this log", True]
    redis.set(WITNESSES, orjson.dumps({"witnesses": [witness], "since": 1}))
    prometheus.wait_until_fires("LonjaPublicLogUnwitnessed", "LonjaPublicLogRefused")
    redis.delete(MARKER, feed, WITNESSES)


def test_packs_that_are_not_whole_and_not_read_again(
    running: Installation, prometheus: Prometheus
) -> None:
    redis, long_ago = running.runtime().redis, int(1000 * time.time()) - 4 * 86_400_000
    note_scrub(redis, long_ago, {"packs": 2, "lost": ["one"], "healed": []})
    prometheus.wait_until_fires("LonjaArchiveUnscrubbed")
    prometheus.wait_until_fires("LonjaArchiveLost")


def test_a_store_that_is_slow(running: Installation, prometheus: Prometheus) -> None:
    redis, ana = redis_of(running.events), running.player()
    path, rng = "", random.Random(1)

    def moved_slowly() -> bool:
        nonlocal path
        move = ana.next_move(path, rng) if path else None
        if move is None:
            path = ana.open("sealed", "greedy")
        else:
            redis.client_pause(900, all=False)
            ana.post(f"{path}/moves", move)
        return "LonjaMovesSlow" in prometheus.firing()

    wait_for(moved_slowly, WAIT)


def test_each_alert_is_fired_here() -> None:
    named = re.findall(r'"(Lonja\w+)"', Path(__file__).read_text())
    assert set(named) == {one["alert"] for one in files.alerts()}
