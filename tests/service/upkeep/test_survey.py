"""A survey shows the state that the tests write into the store."""

import time
from pathlib import Path
from typing import Any

import orjson
import pytest
from click.testing import CliRunner
from prometheus_client.registry import REGISTRY
from redis import Redis

from rules.kernel.contract.seats import Seat
from rules.kernel.record.batch import RefusedError
from service import settings
from service.administration.journal import Journal, Who
from service.cli import main
from service.following.consumer import Lead
from service.following.cursors import FOLLOWED, FeedCursors
from service.following.telling import NoticeWriter
from service.ledger.feeds import TAIL
from service.ledger.notices import LISTENERS
from service.ledger.store import LOWERED
from service.metrics import STREAM_REWOUND
from service.process.launcher import ChildEnd
from service.publishing.keys import LogKeys
from service.publishing.marker import MARKER, Mark
from service.publishing.witnesses import WITNESSES
from service.redis.keys import BACKED_UP, SENDER_SEEN, game_key, shard_key
from service.redis.server import RedisServer
from service.runtime import Runtime
from service.upkeep import survey
from service.upkeep.gauges import FAMILIES, Gauges
from service.upkeep.restarts import RestartWriter, find_all
from service.upkeep.survey import Surveyor
from service.upkeep.troubles import troubles
from tests import running
from tests.running import ME, PLAYER, bot, environment, follower_of, game, open_game, wait_for
from workers.sender import Presence

GREEDY = bot("greedy")
FIRST = Seat(0)


@pytest.fixture
def runtime(redis_server: RedisServer, redis_client: Redis) -> Runtime:
    return running.runtime_on(redis_server.url)


@pytest.fixture
def surveyor(runtime: Runtime) -> Surveyor:
    return Surveyor(runtime.settings)


def test_games_count_by_status(runtime: Runtime, surveyor: Surveyor) -> None:
    first = open_game(runtime, "sealed", ME, GREEDY)
    open_game(runtime, "sealed", ME, GREEDY)
    runtime.tables.create(running.PLAYER, "sealed", {}, [ME, None])
    found = surveyor.survey().games
    assert found is not None
    assert found.by_status == {"lobby": 1, "closed": 0, "running": 2, "ended": 0, "aborted": 0}
    runtime.tables.resign(first, FIRST, running.PLAYER)
    again = surveyor.survey().games
    assert again is not None
    assert sum(again.by_status.values()) == 3


def test_the_age_of_what_is_owed_is_that_of_the_oldest(
    runtime: Runtime, surveyor: Surveyor
) -> None:
    now = 1000 * time.time()
    for shard, age in ((3, 50), (17, 400), (63, -900)):  # the last replica is silent
        runtime.redis.zadd(shard_key(shard, "due"), {f"g{shard}-x": now - 1000 * age})
    runtime.redis.zadd(shard_key(5, "deadlines"), {"g05-x": now + 60_000})
    found = surveyor.survey().owed
    assert found is not None
    assert (found.due, found.deadlines, found.deadline_age) == (3, 1, 0)
    assert found.due_age == pytest.approx(400, abs=20)


def test_what_waits_for_a_turn_counts_whether_or_not_it_was_read(
    runtime: Runtime, surveyor: Surveyor
) -> None:
    for _ in range(2):
        open_game(runtime, "sealed", GREEDY, GREEDY)
    for _ in range(2):
        queues = surveyor.survey().queues
        assert queues is not None
        (live,) = (one for one in queues if one.name == "live")
        assert (live.waiting, live.jobs, live.alive) == (2, 2, [])
        assert 0 <= live.age < 20
        runtime.jobs.waiting()  # it reads the queued jobs


def test_replicas_are_wanted_as_far_as_nobody_lowered_it(redis_server: RedisServer) -> None:
    wanted = Surveyor(settings.load(environment(redis_server.url, LONJA_REPLICAS_TO_WAIT="2")))
    store = wanted.survey().store
    assert store is not None
    assert (store.replicas_wanted, store.replicas) == (2, [])
    running.runtime_on(redis_server.url).redis.set(LOWERED, 1)
    lowered = wanted.survey().store
    assert lowered is not None
    assert lowered.replicas_wanted == 1


def test_it_is_asked_once_for_a_while(surveyor: Surveyor, monkeypatch: pytest.MonkeyPatch) -> None:
    first = surveyor.latest()
    assert surveyor.latest() is first
    monkeypatch.setattr(survey, "EVERY_SECONDS", 0.0)
    assert surveyor.latest() is not first


def test_its_cost_does_not_grow_with_the_games(runtime: Runtime, surveyor: Surveyor) -> None:
    def commands() -> int:
        runtime.redis.config_resetstat()
        surveyor.survey()
        stats = runtime.redis.info("commandstats")
        return int(sum(one["calls"] for name, one in stats.items() if "config" not in name))

    surveyor.survey()
    few = commands()
    for _ in range(20):
        open_game(runtime, "sealed", GREEDY, GREEDY)
    assert commands() <= few + 3  # the oldest job counts


def test_acts_of_admins_are_counted_by_act(runtime: Runtime, surveyor: Surveyor) -> None:
    journal = Journal(runtime.redis)
    assert surveyor.survey().acts == {}
    for acts, counted in (
        (["ban_player", "end_game", "ban_player"], {"ban_player": 2, "end_game": 1}),
        (["unban_player"], {"ban_player": 2, "end_game": 1, "unban_player": 1}),
        ([], {"ban_player": 2, "end_game": 1, "unban_player": 1}),
    ):
        for act in acts:
            journal.note("now", Who("Ana"), act, PLAYER, "a test")
        assert surveyor.survey().acts == counted


def test_the_age_of_the_newest_backup_is_told(
    runtime: Runtime, surveyor: Surveyor, tmp_path: Path
) -> None:
    def alarming() -> bool:
        return any(one.alert == "LonjaBackupOld" for one in troubles(surveyor.survey()))

    assert runtime.health.complaint() is None  # which notes when the store began
    assert not alarming()
    runtime.redis.set(BACKED_UP, int(1000 * time.time()) - 3 * 86_400_000)
    assert alarming()
    operator = CliRunner(env=environment(runtime.settings.redis_url or ""))
    done = operator.invoke(main, ["backup", "--no-check", str(tmp_path / "backup.gz")])
    assert done.exit_code == 0
    assert not alarming()


def test_a_sender_that_is_missing_is_told_when_somebody_waits_for_it(
    runtime: Runtime, surveyor: Surveyor
) -> None:
    def alarming() -> bool:
        return any(one.alert == "LonjaSenderSilent" for one in troubles(surveyor.survey()))

    now = int(1000 * time.time())
    runtime.redis.set(SENDER_SEEN, now - 300_000)
    assert not alarming()
    runtime.redis.zadd(LISTENERS, {PLAYER: 0})
    assert not alarming()
    runtime.redis.zadd(LISTENERS, {PLAYER: now - 200_000})
    assert alarming()
    Presence(runtime).note()
    assert not alarming()
    runtime.redis.delete(SENDER_SEEN)  # there has never been a backup
    assert alarming()


def test_a_follower_that_is_missing_is_told(runtime: Runtime, surveyor: Surveyor) -> None:
    def alarming() -> bool:
        return any(one.alert == "LonjaFollowerBehind" for one in troubles(surveyor.survey()))

    follower_of(runtime).catch_up()
    assert not alarming()
    long_ago = f"{int(1000 * time.time()) - 200_000}-0"
    cursors = FeedCursors(runtime.redis, NoticeWriter.name)
    runtime.redis.hset(shard_key(7, FOLLOWED), NoticeWriter.name, "1-0")
    runtime.redis.xadd(shard_key(7, TAIL), {"g": "g07-aaaaaaaaaaaaaaaaaaaa", "v": 1}, id=long_ago)
    assert alarming()
    cursors.claim(Lead(2**45, 0))
    cursors.move(Lead(2**45, 0), {7: long_ago})
    assert not alarming()


def noted(runtime: Runtime, *ends: ChildEnd) -> None:
    """Record ends of children, as `lonja serve` does."""
    restarts = RestartWriter(runtime.redis, ["heavy 1"])
    for end in ends:
        restarts.note(end)
    restarts.start()
    wait_for(lambda: sum(one.times for one in find_all(runtime.redis)) >= len(ends))


def test_children_that_were_started_again_are_counted_and_told(
    runtime: Runtime, surveyor: Surveyor
) -> None:
    ends = [ChildEnd("heavy 1", -9, 1), ChildEnd("heavy 1", -9, 2), ChildEnd("store", 1, 1)]
    noted(runtime, *ends)
    found = surveyor.survey()
    assert {one.child: one.times for one in found.restarts or ()} == {"heavy 1": 2, "store": 1}
    assert not any(one.alert == "LonjaChildRestarts" for one in troubles(found))
    noted(runtime, ChildEnd("heavy 1", -9, 3))
    wait_for(lambda: surveyor.survey().restarts != found.restarts)
    (trouble,) = (one for one in troubles(surveyor.survey()) if one.alert == "LonjaChildRestarts")
    assert "heavy 1 on " in trouble.detail
    assert "has ended 3 times in a row" in trouble.detail
    assert "lately with SIGKILL" in trouble.detail


def test_every_family_tells_something(runtime: Runtime, surveyor: Surveyor) -> None:
    open_game(runtime, "sealed", ME, GREEDY)
    Journal(runtime.redis).note("now", Who("Ana"), "ban_player", PLAYER, "a test")
    noted(runtime, ChildEnd("heavy 1", -9, 1))
    told = {metric.name: metric.samples for metric in Gauges(surveyor).collect()}
    empty = {name for name, samples in told.items() if not samples}
    assert len(told) == len(FAMILIES)
    assert empty == {
        "lonja_data_free_bytes",
        "lonja_data_size_bytes",
        "lonja_backup_age_seconds",
        "lonja_worker_silent_seconds",
        "lonja_archive_run_age_seconds",
        "lonja_archive_refused",
        "lonja_public_log_age_seconds",
        "lonja_public_log_behind_seconds",
        "lonja_public_log_unwitnessed_seconds",
        "lonja_public_log_witnesses_refusing",
        "lonja_archive_scrub_age_seconds",
        "lonja_archive_lost",
    }


def test_the_public_log_has_an_age_and_is_behind(runtime: Runtime, surveyor: Surveyor) -> None:
    now = runtime.ledger.store.clock.now_ms() // 1000
    mark = Mark(7, bytes(32), LogKeys.generate(None).signed(7, bytes(32), now - 100))
    kept: Any = {"size": 7, "root": mark.root.hex(), "note": mark.note}
    runtime.redis.hset(MARKER, mapping=kept)
    assert surveyor.survey().public_log is None  # as after a restore where no log is kept
    runtime.redis.hset(MARKER, "indexed", 7)
    open_game(runtime, "sealed", ME, GREEDY)
    found = surveyor.survey().public_log
    assert found is not None
    assert found.leaves == 7
    assert found.age == pytest.approx(100, abs=30)
    assert 0 <= found.behind < 30
    assert (found.unwitnessed, found.witnesses) == (0.0, [])
    told = [["one", now - 200, 6, "no answer: timeout", False], ["two", None, None, "no", True]]
    runtime.redis.set(WITNESSES, orjson.dumps({"witnesses": told, "since": now - 100}))
    found = surveyor.survey().public_log
    assert found is not None
    assert found.unwitnessed == pytest.approx(100, abs=30)
    one, two = found.witnesses
    assert (one.name, one.size, one.why, one.refuses) == ("one", 6, "no answer: timeout", False)
    assert one.age == pytest.approx(200, abs=30)
    assert (two.size, two.age, two.refuses) == (None, None, True)
    wrong = found._replace(age=7_201, behind=301, unwitnessed=301)
    survey = surveyor.survey()._replace(public_log=wrong)
    named = {one.alert for one in troubles(survey)}
    assert named >= {
        "LonjaPublicLogBehind",
        "LonjaPublicLogSilent",
        "LonjaPublicLogUnwitnessed",
        "LonjaPublicLogRefused",
    }


def test_a_conflict_and_a_rewound_stream_are_counted(
    runtime: Runtime, redis_server: RedisServer
) -> None:
    other = running.runtime_on(redis_server.url)
    game_id = open_game(runtime, "sealed", ME, ME)
    found = game(other, game_id)
    conflicts, rewound = conflicts_so_far(), STREAM_REWOUND._value.get()
    move = found.ruleset.legal_moves(found.state, FIRST)[0].to_json()
    runtime.tables.move(game_id, FIRST, move, found.version, running.PLAYER)
    with pytest.raises(RefusedError):
        other.tables.move(game_id, FIRST, move, found.version, running.PLAYER)
    assert conflicts_so_far() == conflicts + 1
    key = game_key(game_id, "events")
    backup = runtime.redis.dump(key)
    other.tables.resign(game_id, FIRST, running.PLAYER)
    runtime.redis.restore(key, 0, backup, replace=True)  # type: ignore[arg-type]  # it takes bytes
    game(other, game_id)
    assert STREAM_REWOUND._value.get() == rewound + 1


def conflicts_so_far() -> float:
    return REGISTRY.get_sample_value("lonja_appends_total", {"outcome": "behind"}) or 0.0
