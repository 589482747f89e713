"""A web process, or its Redis, is killed at each command of a move; no move is lost or made twice.

The process is a worker of a real gunicorn in the state of a fresh start: no script is loaded, all
caches are empty, and the move ends with a snapshot and a job for the bot.
"""

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from rules.kernel.record.instants import moved_on, to_ms
from service.ledger import streams
from service.records.receipts import is_genuine
from service.redis.server import RedisServer
from service.runtime import Runtime
from tests import running
from tests.faults import bot_worker, processes
from tests.faults.conftest import Whole, proves
from tests.faults.crash import ALL_SIDES, SIDES, Order, writes
from tests.faults.people import LOST, Answer, Client, wait_for
from tests.faults.web_names import POINTS_HEADER

POINTS = (
    # the start of the process
    "INFO",
    "MGET lonja:{meta}:format",
    "EXISTS lonja:{meta}:packs",
    "EXISTS lonja:{meta}:signing_key",
    "GET lonja:{meta}:signing_key",
    "INFO",
    "CONFIG",
    "HGETALL lonja:server",
    "GET lonja:{meta}:replicas_to_wait",
    "INFO",
    "HGETALL lonja:{meta}:bans",
    "GET lonja:{meta}:secret",
    "XREVRANGE lonja:{meta}:changed",
    "EXISTS lonja:{meta}:cursor_key",
    "GET lonja:{meta}:cursor_key",
    # the caller's key and limits
    "HMGET lonja:{meta}:key:<id>",
    "HGET lonja:{meta}:keys:<player>",
    "TIME",
    "MGET lonja:{meta}:player:<player>",
    (
        "EVALSHA lonja:{rate}:key:<player>:60"
        " + XREVRANGE lonja:{meta}:changed + GET lonja:{meta}:secret"
    ),
    "SCRIPT LOAD",
    "EVALSHA lonja:{rate}:key:<player>:60",
    # folding the game
    "HMGET lonja:{s}:game:<game>:secrets",
    "ZREVRANGEBYSCORE lonja:{s}:game:<game>:snapshots",
    "XRANGE lonja:{s}:game:<game>:events + GET lonja:{s}:game:<game>:damage + TIME",
    "HMGET lonja:{s}:game:<game>:table",
    # the append; only the last of these makes the move count
    "EVALSHA lonja:{s}:game:<game>:events",
    "SCRIPT LOAD",
    "EVALSHA lonja:{s}:game:<game>:events",
    # the snapshot
    "ZREMRANGEBYSCORE lonja:{s}:game:<game>:snapshots + ZADD lonja:{s}:game:<game>:snapshots",
    # the bot's turn, and a job for it
    "INFO",
    (
        "MULTI + HSET lonja:{turns_2}:live:requests + RPUSH lonja:{turns_2}:live:asked"
        " + SADD rq:queues + HSET rq:job:<id> + RPUSH rq:queue:live + EXEC"
    ),
)
APPEND = 29
CASES = [
    (1, "before"),
    *((number, "after") for number, point in enumerate(POINTS, 1) if writes(point)),
]
"""The tests kill only after commands that write: for Redis and the client, "after" one command is
the same as "before" the next. The campaign has all cases."""
REDIS_CASES = [(number, side) for number in (APPEND, APPEND + 1, APPEND + 3) for side in SIDES]
ALL_CASES = [(number, side) for number in range(1, len(POINTS) + 1) for side in ALL_SIDES]

Case = tuple[int, str]


def named(case: Case) -> str:
    number, side = case
    return f"{side}-{number:02d}-{POINTS[number - 1].replace(' ', '_')}"


@pytest.fixture(scope="module")
def port(server: RedisServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    log = tmp_path_factory.mktemp("web") / "log"
    with processes.web(server.url, log, processes.CRASHING) as port:
        yield port


class Scene:
    """A player with a decision at a table with a bot, and the request with the move."""

    def __init__(self, port: int, runtime: Runtime, rng: random.Random) -> None:
        self.ana = Client(port).player()
        self.game = self.ana.open("sealed", "random")
        self.game_id = self.game.rpartition("/")[2]
        self.before = self.ana.events(self.game)
        self.move = self.ana.next_move(self.game, rng)
        runtime.redis.script_flush()

    def send(self, order: Order | None = None) -> Answer | None:
        """Send the move with its Idempotency-Key; return None if the process died."""
        headers: Any = {} if order is None else {"X_Crash": str(order)}
        try:
            return self.ana.ask(
                "POST", f"{self.game}/moves", self.move, Idempotency_Key="once", **headers
            )
        except LOST:
            return None

    def check_answer(self, answer: Answer | None) -> None:
        """Fail unless the answer agrees with the log, and a repetition gets the same answer."""
        assert answer is not None
        assert answer.status == 201, answer
        told: dict[str, Any] = answer.json
        again = self.send()
        assert again is not None
        assert (again.status, again.body) == (201, answer.body)
        assert again.headers["Idempotent-Replayed"] == "true"
        log = self.ana.events(self.game)
        first, last = len(self.before), told["version"]
        assert log[:first] == self.before
        # A process that dies, on a busy machine, may be away for so long that clocks stand still.
        begun = told["events"][0]["seq"] - 1
        assert all(event["kind"] == "interrupted" for event in log[first:begun])
        assert log[begun:last] == told["events"]
        assert told["receipt"]["hash"] == log[last - 1]["hash"]
        (key,) = self.ana.get("/v1/signing_keys")["keys"]
        assert is_genuine(told["receipt"], bytes.fromhex(key["public_key"]))
        assert [e["kind"] for e in log[first:]].count("moved") == 1
        assert log[begun]["by"] == {"seat": 0}

    def play_on(self, runtime: Runtime, server: RedisServer, rng: random.Random) -> None:
        """Fail unless the bot plays until the game ends, even if its job was lost."""
        with bot_worker.fork(running.environment(server.url)):
            self.ana.play_on(self.game, rng)
        proves(runtime, self.game_id)
        made = [e for e in self.ana.events(self.game) if e["kind"] in ("moved", "defaulted")]
        assert {e["by"]["seat"] for e in made} == {0, 1}


def test_a_move_passes_these_points(port: int, runtime: Runtime, rng: random.Random) -> None:
    scene = Scene(port, runtime, rng)
    answer = scene.send(Order())
    assert answer is not None
    passed = json.loads(answer.headers[POINTS_HEADER])
    for number, name in enumerate(passed, 1):
        print(f"{number:3} {name}")  # noqa: T201 - pytest -rP shows the list
    assert tuple(passed) == POINTS
    scene.check_answer(answer)


def counts(case: Case) -> bool:
    """Whether the move is in the log at this point; later points must not change its answer."""
    return case[0] > APPEND or case == (APPEND, "after")


def killed_at(
    case: Case, port: int, server: RedisServer, runtime: Runtime, rng: random.Random, whole: Whole
) -> None:
    scene = Scene(port, runtime, rng)
    assert scene.send(Order(*case)) is None
    added = len(running.copies(runtime, scene.game_id)) - len(scene.before)
    if case[1] != "sent":
        assert (added > 0) == counts(case)
    whole(runtime)
    scene.check_answer(scene.send())
    scene.play_on(runtime, server, rng)
    whole(runtime)


def killed_redis_at(
    case: Case, port: int, server: RedisServer, runtime: Runtime, rng: random.Random, whole: Whole
) -> None:
    scene = Scene(port, runtime, rng)
    answer = scene.send(Order(*case, server.pid))
    wait_for(lambda: not server.running)
    server.start()
    whole(runtime)
    assert answer is not None
    if case[1] != "sent":
        assert (answer.status == 201) == counts(case)
    if answer.status == 201:
        scene.check_answer(answer)  # acknowledged moves are in the log
    else:
        assert (answer.status, answer.json["code"]) == (503, "store_unavailable")
        assert int(answer.headers["Retry-After"]) > 0
    repeated = scene.send()
    scene.check_answer(repeated)
    assert answer.status == 503 or (repeated is not None and repeated.body == answer.body)
    scene.play_on(runtime, server, rng)
    whole(runtime)


@pytest.mark.parametrize("case", CASES, ids=named)
def test_kill_the_process(
    case: Case, port: int, server: RedisServer, runtime: Runtime, rng: random.Random, whole: Whole
) -> None:
    killed_at(case, port, server, runtime, rng, whole)


@pytest.mark.parametrize("case", REDIS_CASES, ids=named)
def test_kill_redis(
    case: Case, port: int, server: RedisServer, runtime: Runtime, rng: random.Random, whole: Whole
) -> None:
    killed_redis_at(case, port, server, runtime, rng, whole)


CLOCK = {"budget_seconds": 600, "increment_seconds": 1, "grace_ms": 1}


class Cup:
    """A tournament with a budget, in which an owner's bot has a decision; bots play here."""

    def __init__(self, port: int, runtime: Runtime) -> None:
        ana = Client(port).player()
        takes = [{"ruleset": "sealed", "seats": [2]}]
        form = {"name": "Robbie", "version": "1", "takes": takes}
        made = ana.post("/v1/players/me/bots", form)
        self.bot = ana.known_as(made["key"], made["id"])
        plan = {
            "ruleset": "sealed", "seats": 2, "clock": CLOCK,
            "entries": [{"player": self.bot.id}, {"bot": "random"}],
            "format": {"type": "round_robin", "games": 2},
        }  # fmt: skip
        self.id = ana.post("/v1/tournaments", plan)["id"]
        self._runtime, self._matches = runtime, running.patient_matches(runtime)

    def asks(self) -> tuple[str, dict[str, Any]] | None:
        """Return a game that asks the bot, and the decision; None if the tournament is over."""
        self._matches.play(self.id)
        cup = self._runtime.director.find(self.id)
        for name in (name for block in cup.open_blocks() for name in cup.game_ids(block)):
            if not self._runtime.ledger.store.newest(name):
                continue
            game = running.game(self._runtime, name)
            for seat, decision in game.asked.items():
                if game.seats[seat].holder == {"player": self.bot.id}:
                    asked_at = game.asked_at[seat]
                    told = {"seat": seat, "id": decision, "asked_at": asked_at}
                    return f"/v1/games/{name}", told
        assert cup.over
        return None

    def left_ms(self, game: str, seat: int) -> int:
        found = self.bot.get(f"{game}/state")["budgets"]
        (left,) = [one["left_ms"] for one in found if one["seat"] == seat]
        return int(left)


def cost_ms(decision: dict[str, Any], events: list[dict[str, Any]]) -> int:
    """Return what a decision costs, by the times in the events from it to its answer."""
    since = to_ms(decision["asked_at"])
    for event in events:
        if event["kind"] == "interrupted":
            away = event["body"]["interruption"]
            since = moved_on(since, to_ms(away["from"]), to_ms(away["to"]))
        if event["kind"] == "moved" and event["by"]["seat"] == decision["seat"]:
            return max(0, to_ms(event["at"]) - since - CLOCK["grace_ms"])
    raise AssertionError("it is not answered")


def test_a_decision_costs_a_budget_once_if_the_process_is_killed(
    port: int, runtime: Runtime, rng: random.Random, whole: Whole
) -> None:
    """It costs the time until the service has the answer, however often it was sent."""
    cup, append, sides = Cup(port, runtime), 0, ["", "", *SIDES]
    while (asked := cup.asks()) is not None:
        game, decision = asked
        before = cup.left_ms(game, decision["seat"])
        move = cup.bot.next_move(game, rng)
        version = cup.bot.get(f"{game}/state")["version"]
        side = sides.pop(0) if sides else None
        headers: Any = {"Idempotency_Key": f"decision-{decision['id']}"}
        if side is not None:
            runtime.redis.script_flush()
            order = Order(append, side) if side else Order()
            try:
                answer = cup.bot.ask("POST", f"{game}/moves", move, X_Crash=str(order), **headers)
            except LOST:
                assert side
            else:
                assert (side, answer.status) == ("", 201), answer
                passed = json.loads(answer.headers[POINTS_HEADER])
                append = len(passed) - passed[::-1].index(POINTS[APPEND - 1])
        sent = cup.bot.ask("POST", f"{game}/moves", move, **headers)
        assert sent.status == 201, sent
        if running.game(runtime, game.rpartition("/")[2]).over:
            continue  # it is sealed until its block ends
        cost = cost_ms(decision, cup.bot.events(game, version))
        assert cup.left_ms(game, decision["seat"]) == before - cost + 1_000
    assert not sides, "all kills came"
    whole(runtime)


@pytest.mark.campaign("crashes")
@pytest.mark.parametrize("case", ALL_CASES, ids=named)
@pytest.mark.parametrize("kill", [killed_at, killed_redis_at], ids=["process", "redis"])
def test_kill_everywhere(
    kill: Any, case: Case, port: int, server: RedisServer, runtime: Runtime, rng: random.Random,
    whole: Whole,
) -> None:  # fmt: skip
    kill(case, port, server, runtime, rng, whole)


BEGINNING = 7
"""Number of points that belong to the start of the process."""

KINDS = {
    "create": "created",
    "sit": "seated",
    "leave": "left",
    "cancel": "aborted",
    "resign": "resigned",
}


@pytest.mark.campaign("crashes")
@pytest.mark.timeout(600)
@pytest.mark.parametrize("what", KINDS)
def test_kill_at_every_other_request(what: str, port: int, runtime: Runtime, whole: Whole) -> None:
    """Every request that changes a game is done once, and always gets the same answer."""
    ana = Client(port).player()
    bot = {"holder": "bot", "bot": "random"}
    table = {"ruleset": "sealed", "options": {}, "seats": [{"holder": "me"}, bot]}
    lobby = {**table, "seats": [{"holder": "me"}, {"holder": "open"}]}

    def request() -> tuple[str, str, Any]:
        if what == "create":
            return "POST", "/v1/games", table
        game = f"/v1/games/{ana.post('/v1/games', table if what == 'resign' else lobby)['id']}"
        if what == "resign":
            return "POST", f"{game}/resignations", {"seat": 0}
        if what == "cancel":
            return "DELETE", game, None
        if what == "leave":
            return "DELETE", f"{game}/seats/0", None
        return "PUT", f"{game}/seats/1", bot

    def games() -> int:
        return len(list(streams.game_ids(runtime.redis)))

    recorded = ana.ask(*request(), X_Crash=str(Order()), Idempotency_Key="first")
    points = json.loads(recorded.headers[POINTS_HEADER])
    for number, name in list(enumerate(points, 1))[BEGINNING:]:
        for side in ALL_SIDES:
            print(f"{side:6} {number:2} {name}")  # noqa: T201 - pytest -rP shows the list
            asked, before = request(), games()
            key = f"{number}-{side}"
            runtime.redis.script_flush()
            with pytest.raises(LOST):
                ana.ask(*asked, X_Crash=str(Order(number, side)), Idempotency_Key=key)
            told = ana.ask(*asked, Idempotency_Key=key)
            assert told.status in (200, 201), told
            again = ana.ask(*asked, Idempotency_Key=key)
            assert (again.status, again.body) == (told.status, told.body)
            assert games() == before + (what == "create")
            kinds = running.kinds(runtime, told.json["id"])
            assert kinds.count(KINDS[what]) == (2 if what == "sit" else 1)
    whole(runtime)
