"""A tournament with an overwritten stream: workers skip it, and play the others."""

from collections.abc import MutableMapping
from typing import Any

import pytest
import structlog
from redis import Redis

from rules.kernel.canonical import FORMAT, JsonObject
from service.cli.common import Failure
from service.cli.tournament.hosts import LocalHost
from service.ids import shard_of
from service.ledger import lists
from service.redis.format import FORMAT_KEY, NEWEST
from service.redis.keys import game_key, shard_key
from service.tournaments.global_ratings import KEPT
from service.tournaments.listing import TournamentFilter
from service.tournaments.record import export
from service.tournaments.tournament import Tournament, TournamentDamagedError
from service.upkeep.maintenance import end_damaged
from tests.service.tournaments.conftest import HOST, Check, Hall
from tests.service.tournaments.test_held import NewHall
from tests.service.tournaments.test_other_verifier import Judge, judge
from tests.service.verifier.programs import standing
from workers.analyses import AnalysisWork
from workers.hints import HintWork
from workers.process import Process
from workers.sweeper import Sweeper
from workers.turns import Turns

__all__ = ["judge"]

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


@pytest.mark.parametrize(
    ("lost", "clock"),
    [(0, "seconds"), (1, "processor_seconds")],
    ids=["its beginning is lost", "a later event is lost"],
)
def test_a_block_is_played_again_if_the_operator_ends_a_game_as_damaged(
    hall: Hall,
    new_hall: NewHall,
    redis_client: Redis,
    check: Check,
    judge: Judge,
    lost: int,
    clock: str,
) -> None:
    tournament = hall.open(failures={clock: 10}, format={"type": "round_robin", "games": 6})
    hall.matches.seconds = 0.0
    hall.matches.play(tournament.id)
    first, *_others = hall.find(tournament).open_blocks()
    name = tournament.game_ids(first)[0]
    redis_client.xdel(game_key(name, "events"), _ids(redis_client, name)[lost])
    end_damaged(hall.runtime.ledger.store, hall.runtime.registry, name, {"admin": "Ana"})
    assert lists.sizes(redis_client, ["games:*:*", "games:*:aborted"]) == [0, 0]
    held = new_hall().finish(tournament)
    assert held.reason == "completed"
    assert held.blocks[first.number].try_ == 2
    lines = [*export.lines(hall.runtime, held)]
    (told,) = [line["body"]["block_abandoned"] for line in lines if is_abandoned(line)]
    newest = hall.runtime.ledger.store.newest_event(name)
    assert newest is not None
    assert told == {
        "block": first.number, "try": 1, "rotation": 0, "reason": "damaged",
        "games": [{"version": newest.seq, "head": newest.hash.hex()}, None],
    }  # fmt: skip
    assert "abandoned" not in lines[0]["report"], "no bot was stopped"
    assert check(lines).ok
    assert standing(judge(lines)) == "sound"


def test_a_block_waits_if_an_older_release_beside_us_does_not_know_why_it_is_played_again(
    hall: Hall, new_hall: NewHall, redis_client: Redis
) -> None:
    tournament = hall.open(failures={"seconds": 10})
    hall.matches.seconds = 0.0
    hall.matches.play(tournament.id)
    first, *_others = hall.find(tournament).open_blocks()
    name = tournament.game_ids(first)[0]
    redis_client.xdel(game_key(name, "events"), _ids(redis_client, name)[1])
    end_damaged(hall.runtime.ledger.store, hall.runtime.registry, name, {"admin": "Ana"})
    redis_client.set(FORMAT_KEY, FORMAT)
    other = new_hall()
    other.matches.play(tournament.id)
    assert [block.number for block in hall.find(tournament).open_blocks()] == [first.number]
    redis_client.set(FORMAT_KEY, NEWEST)
    assert other.finish(tournament).reason == "completed"


def test_the_games_beside_a_damaged_one_are_ended_and_open(
    hall: Hall, new_hall: NewHall, redis_client: Redis
) -> None:
    """The second game of the block had begun; the first one is ended before it is over."""
    tournament = hall.open()
    hall.matches.seconds = 0.0
    first, *_others = hall.find(tournament).open_blocks()
    lost, other = tournament.game_ids(first)
    while not redis_client.exists(game_key(other, "events")):
        hall.matches.play(tournament.id)
    redis_client.xdel(game_key(lost, "events"), _ids(redis_client, lost)[1])
    end_damaged(hall.runtime.ledger.store, hall.runtime.registry, lost, {"admin": "Ana"})
    new_hall().finish(tournament)
    *_played, aborted, revealed = hall.runtime.ledger.store.read_all(other)
    assert aborted.event.body["aborted"].value["reason"] == "block_abandoned"
    assert revealed.event.kind == "chance_revealed"


def is_abandoned(line: JsonObject) -> bool:
    return line.get("kind") == "block_abandoned"


def _ids(redis: Redis, game: str) -> list[bytes]:
    found: Any = redis.xrange(game_key(game, "events"))
    return [entry for entry, _fields in found]
