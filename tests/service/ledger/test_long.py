"""Long games: the costs of reads and retries, and the size of snapshots."""

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import orjson
import pytest
from redis import Redis

from rules.kernel.contract.effects import EffectLog
from rules.kernel.record.game import Game
from service.games.commands import TableCommands
from service.ledger import snapshots
from service.ledger.ledger import Ledger, RewoundError
from service.ledger.store import RepeatedRequest, Retry, Store
from service.redis.keys import game_key
from tests.service.ledger.conftest import (
    PLAYERS,
    REGISTRY,
    choose,
    newest_snapshot,
    play,
    start,
    state_of,
)

EVERY = 8
MOST = 2 * EVERY + 6
"""Maximum number of events that are read beyond the requested ones, because batches are not cut."""
LONG = 70


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshots, "EVERY", EVERY)


class Counting(Store):
    """A store that records the number of read events, and the largest read."""

    most = 0

    def _counted(self, found: Any) -> Any:
        self.most = max(self.most, len(found) if isinstance(found, list) else 0)
        return found

    def read(self, *arguments: Any) -> Any:
        return self._counted(super().read(*arguments))

    def read_before(self, *arguments: Any) -> Any:
        return self._counted(super().read_before(*arguments))

    def look(self, *arguments: Any) -> Any:
        look = super().look(*arguments)
        self._counted(look.missed)
        return look


@pytest.fixture
def cold(redis_client: Redis) -> Callable[[], Ledger]:
    """Make ledgers with empty caches, each with a counting store."""
    return lambda: Ledger(Counting(redis_client), REGISTRY)


def most_read(ledger: Ledger) -> int:
    assert isinstance(ledger.store, Counting)
    most, ledger.store.most = ledger.store.most, 0
    return most


@pytest.mark.parametrize("ruleset", ["plus_ultra", "santiago_de_cuba"])
def test_the_past_costs_the_same_at_any_age(
    tables: TableCommands, cold: Callable[[], Ledger], ruleset: str
) -> None:
    game = play(tables, start(tables, ruleset).id, LONG)
    folded, told = Game(game.id, REGISTRY), []
    states = {}
    ledger = cold()
    now = ledger.table(game.id).game
    assert most_read(ledger) <= MOST
    for stored in tables.ledger.store.read_all(game.id):
        log = EffectLog()
        folded.apply(stored.event, log)
        told += [(stored.event.seq, effect) for effect in log.effects]
        states[folded.version] = deepcopy(state_of(folded))
    assert game.version > 3 * MOST
    for version, state in states.items():
        assert state_of(ledger.earlier(now, version)) == state
        assert state_of(ledger.game_at(game.id, version)) == state
        assert most_read(ledger) <= MOST
    for after in range(0, game.version, 5):
        until = min(after + 5, game.version)
        wanted = [each for each in told if after < each[0] <= until]
        assert ledger.effects(now, after, until) == wanted
        assert most_read(ledger) <= MOST + 5


def test_a_repeated_request_costs_the_same_at_any_age(
    tables: TableCommands, cold: Callable[[], Ledger]
) -> None:
    game = start(tables, "santiago_de_cuba")
    asked = []
    for number in range(LONG):
        now = tables.ledger.table(game.id).game
        seat = min(now.asked)
        move, retry = choose(now, seat), Retry.of(PLAYERS[seat], f"{number}", b"f" * 16)
        request = (game.id, seat, move, now.version, PLAYERS[seat])
        done = tables.move(*request, retry=retry)
        assert not isinstance(done, RepeatedRequest)
        batch = tables.ledger.events(game.id, now.version, len(done.events))
        asked.append((request, retry, batch, done.batch.effects, state_of(done.game)))
    ledger = cold()
    for request, retry, batch, effects, state in asked:
        answer = TableCommands(ledger).move(*request, retry=retry)
        assert answer == RepeatedRequest(game.id, batch[0][0].seq, batch[-1][0].seq)
        again = ledger.replay(*answer)
        assert (again.chained, again.effects, state_of(again.game)) == (batch, effects, state)
        assert most_read(ledger) <= MOST + len(batch)
    with pytest.raises(RewoundError):
        ledger.replay(game.id, game.version + 1, 10_000)


@pytest.mark.parametrize("ruleset", ["plus_ultra", "santiago_de_cuba"])
def test_a_snapshot_holds_nothing_that_only_gathers(
    tables: TableCommands, redis_client: Redis, ruleset: str
) -> None:
    """Neither the answered requests nor the sealed and opened parts."""
    game_id = start(tables, ruleset).id
    sizes = []
    for number in range(LONG // 2):
        game = play(tables, game_id, 2, key=f"{number} ")
        if game.over:
            break
        if redis_client.exists(game_key(game_id, "snapshots")):
            data = orjson.loads(newest_snapshot(redis_client, game_id)[0])
            del data["state"], data["sealed"]
            sizes.append(len(orjson.dumps(data)))
    assert len(sizes) > 10
    assert max(sizes) < 1.1 * min(sizes)


def test_there_is_one_snapshot_for_so_many_events(
    tables: TableCommands, redis_client: Redis
) -> None:
    game = play(tables, start(tables, "santiago_de_cuba").id, LONG)
    found: Any = redis_client.zrange(game_key(game.id, "snapshots"), 0, -1, withscores=True)
    assert [int(version) // EVERY for _raw, version in found] == [
        *range(1, game.version // EVERY + 1)
    ]


def test_what_was_lost_is_written_again(
    tables: TableCommands, redis_client: Redis, cold: Callable[[], Ledger]
) -> None:
    """Reads of the past write snapshots again, a fold from the first event writes the index."""
    game = play(tables, start(tables, "santiago_de_cuba").id, LONG)
    wanted: Any = redis_client.hgetall(game_key(game.id, "index"))
    redis_client.delete(game_key(game.id, "index"), game_key(game.id, "snapshots"))
    first = cold()
    now = first.table(game.id).game
    assert redis_client.hgetall(game_key(game.id, "index")) == wanted
    assert most_read(first) == now.version
    late = now.version - 2 * EVERY
    first.earlier(now, late)
    second = cold()
    second.table(game.id)
    assert most_read(second) <= MOST
    for version in range(1, now.version + 1):
        second.earlier(now, version)
    most_read(second)
    for version in range(1, late):
        second.earlier(now, version)
        assert most_read(second) <= MOST


def test_a_stale_snapshot_of_the_past_is_not_used(
    tables: TableCommands, redis_client: Redis, cold: Callable[[], Ledger]
) -> None:
    game = play(tables, start(tables, "santiago_de_cuba").id, LONG)
    key = game_key(game.id, "snapshots")
    states = {v: state_of(tables.ledger.earlier(game, v)) for v in range(1, game.version + 1)}
    found: Any = redis_client.zrange(key, 0, -1, withscores=True)
    for raw, version in found:
        data = orjson.loads(raw)
        redis_client.zrem(key, raw)
        redis_client.zadd(key, {orjson.dumps({**data, "head": "00" * 32}): version})
    ledger = cold()
    for version, state in states.items():
        assert state_of(ledger.earlier(game, version)) == state
    most_read(ledger)
    ledger.earlier(game, game.version // 2)
    assert most_read(ledger) <= MOST, "it was written anew"
