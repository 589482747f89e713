"""A tournament with an overwritten stream: workers skip it, and play the others."""

from collections.abc import MutableMapping
from typing import Any

import pytest
import structlog
from redis import Redis

from service.cli.common import Failure
from service.cli.tournament.hosts import LocalHost
from service.ids import shard_of
from service.redis.keys import game_key, shard_key
from service.tournaments.global_ratings import KEPT
from service.tournaments.listing import TournamentFilter
from service.tournaments.tournament import Tournament, TournamentDamagedError
from tests.service.tournaments.conftest import HOST, Hall
from tests.service.tournaments.test_held import NewHall
from workers.analyses import AnalysisWork
from workers.hints import HintWork
from workers.process import Process
from workers.sweeper import Sweeper
from workers.turns import Turns

Logs = list[MutableMapping[str, Any]]


def overwrite(redis: Redis, tournament: Tournament) -> None:
    key = game_key(tournament.id, "events")
    redis.delete(key)
    redis.set(key, "x")


def told_of(logs: Logs) -> list[str]:
    return [log["tournament"] for log in logs if log["event"] == "tournament_damaged"]


def test_a_worker_leaves_it(hall: Hall, redis_client: Redis) -> None:
    tournament = hall.open()
    overwrite(redis_client, tournament)
    with structlog.testing.capture_logs() as logs:
        assert not hall.matches.play(tournament.id)
    assert told_of(logs) == [tournament.id]


def test_a_sweep_tells_of_it_and_puts_it_off(hall: Hall, redis_client: Redis) -> None:
    tournament = hall.open()
    overwrite(redis_client, tournament)
    due = shard_key(shard_of(tournament.id), "due")
    redis_client.zadd(due, {tournament.id: 1})
    runtime = hall.runtime
    sweeper = Sweeper(
        Process(runtime, Turns(runtime), hall.matches, AnalysisWork(runtime), HintWork(runtime))
    )
    with structlog.testing.capture_logs() as logs:
        sweeper.sweep()
        sweeper.sweep()
    assert told_of(logs) == [tournament.id]


def test_the_others_are_rated_and_listed(hall: Hall, redis_client: Redis) -> None:
    broken, sound = hall.hold(seed="a"), hall.hold(seed="b")
    key = game_key(broken.id, "events")
    whole: Any = redis_client.dump(key)
    overwrite(redis_client, broken)
    redis_client.delete(KEPT)
    ratings = hall.runtime.ratings
    ratings.catch_up()
    assert ratings.to_json("sealed", HOST["player"], {})["field"]["tournaments"] == 1
    redis_client.delete(game_key(broken.id, "kept"))
    listed = LocalHost(hall.runtime).newest(10, TournamentFilter())
    assert [summary["id"] for summary in listed] == [sound.id]
    redis_client.restore(key, 0, whole, replace=True)
    hall.runtime.standings.make_again(hall.find(broken))
    ratings.catch_up()
    assert ratings.to_json("sealed", HOST["player"], {})["field"]["tournaments"] == 2


def test_the_command_line_says_what_to_do(hall: Hall, redis_client: Redis) -> None:
    tournament = hall.open()
    overwrite(redis_client, tournament)
    with pytest.raises(Failure, match=f"{tournament.id} is damaged: .*: restore a back-up"):
        LocalHost(hall.runtime).act(tournament.id, "pause", {})


def test_an_event_that_is_missing_is_named(
    hall: Hall, new_hall: NewHall, redis_client: Redis
) -> None:
    tournament = hall.hold()
    redis_client.xdel(game_key(tournament.id, "events"), "3-0")
    with pytest.raises(TournamentDamagedError, match="event 4 follows 2"):
        new_hall().find(tournament)


def test_the_other_blocks_go_on_if_a_game_is_damaged(
    hall: Hall, new_hall: NewHall, redis_client: Redis
) -> None:
    tournament = hall.open()
    hall.matches.seconds = 0.0
    hall.matches.play(tournament.id)
    first, *_others = hall.find(tournament).open_blocks()
    name = tournament.game_ids(first)[0]
    redis_client.xdel(game_key(name, "events"), *_ids(redis_client, name)[1:2])
    other = new_hall()
    with structlog.testing.capture_logs() as logs:
        assert not other.matches.play(tournament.id)
    assert told_of(logs) == [tournament.id]
    left = hall.find(tournament)
    assert [block.number for block in left.open_blocks()] == [first.number]
    assert len(left.results) == len(left.blocks) - 1
    hall.runtime.director.cancel(tournament.id, "one game is lost", HOST)
    other.matches.play(tournament.id)
    assert hall.find(tournament).status == "cancelled"


def _ids(redis: Redis, game: str) -> list[bytes]:
    found: Any = redis.xrange(game_key(game, "events"))
    return [entry for entry, _fields in found]
