"""A process that counts rated games is killed at each of its writes; each game counts once."""

import math
import signal
from pathlib import Path

import pytest
from redis import Redis

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.seats import Seat
from service.clock import TOLERANCE_MS
from service.games.listing import GameList
from service.ledger.store import RepeatedRequest
from service.ledger.terms import TableTerms
from service.redis.server import RedisServer
from service.runtime import Runtime
from service.skill import proof
from service.skill.progress import COUNTED, PREFIX
from service.skill.rated_games import RatedGame
from tests import running
from tests.faults import command
from tests.faults.crash import Order
from tests.running import PLAYER, wait_for
from workers.turns import Turns

PEOPLE: list[JsonObject | None] = [{"player": PLAYER}, {"player": "p-bbbbbbbbbbbbbbbb"}]
GAMES = 3
WRITES = ("a count begins", "the games are counted", "the count is shown")


@pytest.fixture
def runtime(redis_server: RedisServer, redis_client: Redis) -> Runtime:
    return running.runtime_on(redis_server.url, announce=False)


def end_a_rated_game(runtime: Runtime) -> None:
    made = runtime.tables.create(PLAYER, "sealed", {}, PEOPLE, terms=TableTerms(rated=True))
    assert not isinstance(made, RepeatedRequest)
    for seat, holder in enumerate(PEOPLE):
        assert holder is not None
        runtime.tables.resign(made.game.id, Seat(seat), holder["player"])
    Turns(runtime, seconds=math.inf).play(made.game.id)


def is_known(runtime: Runtime) -> bool:
    """Whether exactly these games have counted, each once."""
    stored = proof.stored(runtime.redis, runtime.host_rows)
    summaries = list(GameList(runtime.redis, runtime.ledger).ended_rated())
    assert len(summaries) == GAMES
    assert proof.differing(stored, map(RatedGame.of, summaries)) == []
    return runtime.player_ratings.of(PLAYER)["sealed"].games == GAMES


def test_who_is_killed_while_counting_leaves_no_game_out_and_none_twice(
    runtime: Runtime, redis_server: RedisServer, tmp_path: Path
) -> None:
    for _ in range(GAMES):
        end_a_rated_game(runtime)
    store = runtime.ledger.store
    ended = store.clock.now_ms()
    wait_for(lambda: store.clock.ask() > ended + TOLERANCE_MS)

    def count(order: str = "") -> tuple[int | None, list[str]]:
        for key in runtime.redis.scan_iter(f"{PREFIX}*"):
            runtime.redis.delete(key)
        return command.run(
            "projections", "check",
            environment=running.environment(redis_server.url), folder=tmp_path, order=order,
        )  # fmt: skip

    code, points = count()
    assert code == 0
    assert is_known(runtime)
    writes = [n for n, point in enumerate(points, 1) if point.startswith("MULTI")]
    assert [points[n - 1].endswith(f"SET {COUNTED} + EXEC") for n in writes] == [True] * len(WRITES)
    for number in writes:
        for side in ("sent", "after"):  # "before" a write is the same as "after" the previous one
            code, _points = count(str(Order(number, side)))
            assert code == -signal.SIGKILL, (number, side)
            runtime.player_ratings.catch_up(store.clock.ask())
            assert is_known(runtime), (number, side)
