"""A worker, or its Redis, is killed at each command of a bot's turn; the bot plays on.

The worker has just started, so no script is loaded and all caches are empty.
"""

import random
import signal
from collections.abc import Callable
from pathlib import Path

import orjson
import pytest

from rules.kernel.contract.seats import Seat
from rules.kernel.record.game import Game
from service.redis.server import RedisServer
from service.runtime import Runtime
from tests import running
from tests.faults import bot_worker
from tests.faults.conftest import Whole, proves
from tests.faults.crash import ALL_SIDES, SIDES, Order, writes
from tests.faults.people import wait_for

START = 23
"""Number of commands that a worker sends while it starts, before it asks for a job."""

POINTS = (
    # taking the job
    "LMOVE rq:queue:live",
    "HGETALL rq:job:<id>",
    "HSET rq:worker:<id>",
    "EXPIRE rq:worker:<id>",
    (
        "MULTI + HSET rq:execution:<id>:<id>"
        " + EXPIRE rq:execution:<id>:<id>"
        " + ZADD rq:executions:<id> + EXPIRE rq:executions:<id>"
        " + ZADD rq:wip:live + HSET rq:worker:<id> + EXEC"
    ),
    (
        "MULTI + HSET rq:worker:<id> + EXPIRE rq:worker:<id> + HSET rq:job:<id>"
        " + LREM rq:queue:live:intermediate + EXEC"
    ),
    "PERSIST rq:job:<id>",
    # reading the due turns
    "EVALSHA lonja:{turns_2}:live:asked",
    # folding the game
    "HMGET lonja:{s}:game:<game>:secrets",
    "ZREVRANGEBYSCORE lonja:{s}:game:<game>:snapshots",
    (
        "XINFO lonja:{s}:game:<game>:events + HLEN lonja:{s}:game:<game>:index"
        " + XRANGE lonja:{s}:game:<game>:events + GET lonja:{s}:game:<game>:damage + TIME"
    ),
    "ZREMRANGEBYSCORE lonja:{s}:game:<game>:snapshots + ZADD lonja:{s}:game:<game>:snapshots",
    "HGETALL lonja:{s}:game:<game>:bot_failures",
    "XRANGE lonja:{s}:game:<game>:events + GET lonja:{s}:game:<game>:damage + TIME",
    "HMGET lonja:{s}:game:<game>:table",
    # the append; only the last of these makes the move count
    "EVALSHA lonja:{s}:game:<game>:events",
    "SCRIPT LOAD",
    "EVALSHA lonja:{s}:game:<game>:events",
    "ZREMRANGEBYSCORE lonja:{s}:game:<game>:snapshots + ZADD lonja:{s}:game:<game>:snapshots",
    # looking for more work in the game
    "XRANGE lonja:{s}:game:<game>:events + GET lonja:{s}:game:<game>:damage + TIME",
    # looking for another turn
    "EVALSHA lonja:{turns_2}:live:asked",
    # finishing the job
    "HSET rq:job:<id>",
    "WATCH rq:job:<id>:dependents",
    "SMEMBERS rq:job:<id>:dependents",
    "HGET rq:job:<id>",
    "HGET rq:job:<id>",
    "HGET rq:job:<id>",
    "ZREMRANGEBYSCORE rq:executions:<id>",
    "ZRANGE rq:executions:<id>",
    "HGETALL rq:execution:<id>:<id>",
    "ZREMRANGEBYSCORE rq:executions:<id>",
    "ZRANGE rq:executions:<id>",
    "HGETALL rq:execution:<id>:<id>",
    (
        "MULTI + HINCRBY rq:worker:<id> + HINCRBYFLOAT rq:worker:<id> + ZREM rq:wip:live"
        " + DEL rq:execution:<id>:<id> + ZREM rq:wip:live"
        " + ZREM rq:executions:<id> + DEL rq:executions:<id>"
        " + DEL rq:job:<id> + HDEL rq:worker:<id>"
        " + DEL rq:execution:<id>:<id> + ZREM rq:wip:live"
        " + ZREM rq:executions:<id> + EXEC"
    ),
)
APPEND = 18
NUMBERS = range(1, len(POINTS) + 1)
Case = tuple[int, str]
CASES = [
    (1, "before"),
    *((number, "after") for number in NUMBERS if writes(POINTS[number - 1])),
]
"""The tests kill only after commands that write: for Redis and for observers, "after" one command
is the same as "before" the next. The campaign has all cases."""
REDIS_CASES = [(number, side) for number in (1, 8, APPEND, 21, 34) for side in SIDES]
ALL_CASES = [(number, side) for number in NUMBERS for side in ALL_SIDES]


def named(case: Case) -> str:
    number, side = case
    words = POINTS[number - 1].split()
    return f"{side}-{number:02d}-{'_'.join(words[:3] if words[0] == 'MULTI' else words)}"


class Scene:
    """A table at which the bot has a decision, and its turn waits for a worker."""

    def __init__(self, runtime: Runtime, server: RedisServer, notes: Path) -> None:
        for left_over in ("rq:*", "lonja:{turns*"):  # by the worker that was killed earlier
            for key in runtime.redis.scan_iter(left_over):
                runtime.redis.delete(key)
        self.runtime = runtime
        self.environment = running.environment(server.url)
        self.notes = notes
        self.game_id = running.open_game(runtime, "sealed", running.ME, running.bot("greedy"))
        self.move(random.Random(1))
        self.before = running.copies(runtime, self.game_id)
        assert runtime.jobs.waiting() == 1
        runtime.redis.script_flush()
        runtime.jobs.waiting()  # this loads the schedule's script, as a sweep may do at any time

    def move(self, rng: random.Random) -> None:
        now = running.game(self.runtime, self.game_id)
        chosen = rng.choice(now.ruleset.legal_moves(now.state, Seat(0))).to_json()
        self.runtime.tables.move(self.game_id, Seat(0), chosen, now.version, running.PLAYER)

    def work(self, order: Order) -> int | None:
        """Run a worker until the queue is empty; return its exit code."""
        with bot_worker.fork(self.environment, str(order), burst=True, notes=self.notes) as worker:
            worker.join(30)
            return worker.exitcode

    def added(self) -> int:
        return len(running.copies(self.runtime, self.game_id)) - len(self.before)

    def wait_for_the_bot(self) -> None:
        """Fail unless a worker makes the bot's move, once."""
        wait_for(lambda: running.game(self.runtime, self.game_id).asked.keys() == {0})
        log = running.copies(self.runtime, self.game_id)
        assert log[: len(self.before)] == self.before
        new = [event for event in log[len(self.before) :] if event["kind"] == "moved"]
        assert [event["by"]["seat"] for event in new] == [1]

    def play_on(self, rng: random.Random) -> None:
        """Play to the end with a running worker; check that the bot made all its moves itself."""
        while not self._wait_for_a_person().over:
            self.move(rng)
        proves(self.runtime, self.game_id)
        kinds = running.kinds(self.runtime, self.game_id)
        assert "defaulted" not in kinds
        assert "bot_failed" not in kinds

    def play_on_with_another(self, rng: random.Random) -> None:
        with bot_worker.fork(self.environment):
            self.wait_for_the_bot()
            self.play_on(rng)

    def _wait_for_a_person(self) -> Game:
        """Wait until the player has a decision, or the game is over."""

        def found() -> Game | None:
            now = running.game(self.runtime, self.game_id)
            return now if now.over or 0 in now.asked else None

        return running.wait_for(found)  # type: ignore[return-value]  # it waits for a true one


@pytest.fixture
def scene(runtime: Runtime, server: RedisServer, tmp_path: Path) -> Scene:
    return Scene(runtime, server, tmp_path / "notes")


def test_a_turn_passes_these_points(scene: Scene, rng: random.Random) -> None:
    assert scene.work(Order()) == 0
    passed = orjson.loads(scene.notes.read_bytes())[START : START + len(POINTS)]
    for number, name in enumerate(passed, 1):
        print(f"{number:3} {name}")  # noqa: T201 - pytest -rP shows the list
    assert tuple(passed) == POINTS
    scene.play_on_with_another(rng)


def killed_at(
    case: Case, scene: Scene, server: RedisServer, rng: random.Random, whole: Whole
) -> None:
    number, side = case
    assert scene.work(Order(START + number, side)) == -signal.SIGKILL
    if side != "sent":
        assert (scene.added() > 0) == (number > APPEND or case == (APPEND, "after"))
    whole(scene.runtime)
    scene.play_on_with_another(rng)
    whole(scene.runtime)


def killed_redis_at(
    case: Case, scene: Scene, server: RedisServer, rng: random.Random, whole: Whole
) -> None:
    """The same worker must continue, once Redis is back."""
    number, side = case
    order = Order(START + number, side, server.pid)
    with bot_worker.fork(scene.environment, str(order)) as worker:
        wait_for(lambda: not server.running)
        server.start()
        whole(scene.runtime)
        scene.wait_for_the_bot()
        scene.play_on(rng)
        assert worker.exitcode is None
    whole(scene.runtime)


@pytest.mark.parametrize("case", CASES, ids=named)
def test_kill_the_worker(
    case: Case, scene: Scene, server: RedisServer, rng: random.Random, whole: Whole
) -> None:
    killed_at(case, scene, server, rng, whole)


@pytest.mark.parametrize("case", REDIS_CASES, ids=named)
def test_kill_redis(
    case: Case, scene: Scene, server: RedisServer, rng: random.Random, whole: Whole
) -> None:
    killed_redis_at(case, scene, server, rng, whole)


@pytest.mark.campaign("crashes")
@pytest.mark.parametrize("case", ALL_CASES, ids=named)
@pytest.mark.parametrize("kill", [killed_at, killed_redis_at], ids=["worker", "redis"])
def test_kill_everywhere(
    kill: Callable[..., None], case: Case, scene: Scene, server: RedisServer, rng: random.Random,
    whole: Whole,
) -> None:  # fmt: skip
    kill(case, scene, server, rng, whole)


SUBSCRIBE = 7
"""The number of the command whose answer another thread reads."""
STARTS = [
    (number, side)
    for number in range(1, START + 1)
    for side in ALL_SIDES
    if (number, side) != (SUBSCRIBE, "after")
]


@pytest.mark.campaign("crashes")
@pytest.mark.parametrize(("number", "side"), STARTS)
def test_kill_a_worker_that_starts(
    number: int, side: str, scene: Scene, rng: random.Random, whole: Whole
) -> None:
    assert scene.work(Order(number, side)) == -signal.SIGKILL
    assert scene.added() == 0
    scene.play_on_with_another(rng)
    whole(scene.runtime)
