"""A stream is rewound or lost while a process has its game in the cache."""

from collections.abc import Callable

import pytest
from prometheus_client import REGISTRY as METRICS
from redis import Redis
from structlog.testing import capture_logs

from rules.kernel.record.game import Game
from service.games.commands import StaleVersionError, TableCommands
from service.ledger.ledger import AppendedBatch, GameNotFoundError, Ledger, RewoundError
from service.ledger.store import RepeatedRequest, Retry
from service.redis.keys import game_key
from tests.service.ledger.conftest import (
    PLAYERS,
    Moment,
    choose,
    newest_snapshot,
    play,
    start,
    state_of,
)

NewLedger = Callable[[], Ledger]


@pytest.fixture
def elsewhere(new_ledger: NewLedger) -> TableCommands:
    """Another process."""
    return TableCommands(new_ledger())


def lose(tables: TableCommands, redis: Redis, game: Game, moves: int) -> Game:
    """Play moves, then restore the earlier store; return the game as the process has cached it."""
    moment = Moment(redis)
    lost = play(tables, game.id, moves, key="lost")
    moment.come_back()
    return lost


@pytest.mark.parametrize("by_others", [0, 1, 2, 6])
def test_reading_finds_the_log_and_not_what_was_lost(
    tables: TableCommands, elsewhere: TableCommands, redis_client: Redis, by_others: int
) -> None:
    game = play(tables, start(tables).id, 2)
    lost = lose(tables, redis_client, game, 2)
    play(elsewhere, game.id, by_others)
    counted = METRICS.get_sample_value("lonja_stream_rewound_total") or 0
    with capture_logs() as logs:
        found = tables.ledger.table(game.id).game
        again = tables.ledger.table(game.id).game
    assert state_of(found) == state_of(elsewhere.ledger.game_at(game.id, None))
    assert again is found
    assert found.head != lost.head
    assert [entry["event"] for entry in logs] == ["stream_rewound"]
    assert METRICS.get_sample_value("lonja_stream_rewound_total") == counted + 1


@pytest.mark.parametrize("by_others", [0, 1, 2, 6])
def test_a_move_is_judged_on_the_log(
    tables: TableCommands, elsewhere: TableCommands, redis_client: Redis, by_others: int
) -> None:
    game = play(tables, start(tables).id, 2)
    lose(tables, redis_client, game, 2)
    now = play(elsewhere, game.id, by_others)
    seat = min(now.asked)
    done = tables.move(game.id, seat, choose(now, seat), now.version, PLAYERS[seat])
    assert isinstance(done, AppendedBatch)
    assert done.batch.base_hash == now.head
    assert state_of(done.game) == state_of(elsewhere.ledger.game_at(game.id, None))


def test_a_refusal_is_judged_on_the_log(tables: TableCommands, redis_client: Redis) -> None:
    game = start(tables, "santiago_de_cuba")
    seat = min(game.asked)
    lose(tables, redis_client, game, 1)
    done = tables.move(game.id, seat, choose(game, seat), game.version, PLAYERS[seat])
    assert isinstance(done, AppendedBatch)  # the seat had moved before the log was rewound
    with pytest.raises(StaleVersionError):
        tables.move(game.id, seat, choose(game, seat), game.version, PLAYERS[seat])


def test_a_lost_answer_is_not_given_again(tables: TableCommands, redis_client: Redis) -> None:
    game = start(tables, "santiago_de_cuba")
    seat = min(game.asked)
    move, retry = choose(game, seat), Retry.of(PLAYERS[seat], "key", b"f" * 16)
    moment = Moment(redis_client)
    first = tables.move(game.id, seat, move, game.version, PLAYERS[seat], retry=retry)
    moment.come_back()
    again = tables.move(game.id, seat, move, game.version, PLAYERS[seat], retry=retry)
    assert isinstance(first, AppendedBatch)
    assert isinstance(again, AppendedBatch)
    once_more = tables.move(game.id, seat, move, game.version, PLAYERS[seat], retry=retry)
    assert once_more == RepeatedRequest(game.id, again.events[0].seq, again.events[-1].seq)


def test_what_a_bot_thought_of_a_lost_position_is_not_played(
    tables: TableCommands, elsewhere: TableCommands, redis_client: Redis
) -> None:
    game = start(tables)
    lost = lose(tables, redis_client, game, 1)
    now = play(elsewhere, game.id, 1, key="other")
    assert now.version == lost.version
    assert now.head != lost.head
    seat = min(now.asked)
    assert not tables.answer_for(lost, seat, lambda batch: batch.default(seat, "resigned"))


def test_what_is_read_of_a_game_is_of_one_history(
    tables: TableCommands, elsewhere: TableCommands, redis_client: Redis
) -> None:
    """A reader that began before the rewind gets no events of the other history."""
    game = start(tables)
    lost = lose(tables, redis_client, game, 4)
    play(elsewhere, game.id, 8, key="other")
    for read in (
        lambda: tables.ledger.history(lost, 0, 5),
        lambda: tables.ledger.earlier(lost, game.version),
        lambda: tables.ledger.effects(lost, 0, game.version),
    ):
        with pytest.raises(RewoundError):
            read()
    now = tables.ledger.table(game.id).game
    assert tables.ledger.history(now, 2, 3) == tables.ledger.events(game.id, 2, 3)
    assert state_of(tables.ledger.earlier(now, 3)) == state_of(tables.ledger.game_at(game.id, 3))


def test_a_snapshot_of_a_lost_position_is_not_used(
    tables: TableCommands, elsewhere: TableCommands, new_ledger: NewLedger, redis_client: Redis,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr("service.ledger.snapshots.EVERY", 1)
    game = start(tables)
    lost = play(tables, game.id, 4)
    key = game_key(game.id, "snapshots")
    raw, version = newest_snapshot(redis_client, game.id)
    redis_client.delete(game_key(game.id, "events"))
    again = start(tables)  # another game's events in its place
    redis_client.copy(game_key(again.id, "events"), game_key(game.id, "events"), replace=True)
    redis_client.zadd(key, {raw: version})
    assert new_ledger().table(game.id).game.head == again.head != lost.head


def test_a_game_that_is_gone_is_served_no_more(tables: TableCommands, redis_client: Redis) -> None:
    game = play(tables, start(tables).id, 2)
    seat = min(game.asked)
    redis_client.flushall()
    with pytest.raises(GameNotFoundError):
        tables.ledger.table(game.id)
    with pytest.raises(GameNotFoundError):
        tables.ledger.table(game.id, at_least=0)
    with pytest.raises(GameNotFoundError):
        tables.move(game.id, seat, choose(game, seat), game.version, PLAYERS[seat])


def test_a_move_finds_that_its_game_is_gone(tables: TableCommands, redis_client: Redis) -> None:
    game = play(tables, start(tables).id, 2)
    seat = min(game.asked)
    redis_client.flushall()
    with pytest.raises(GameNotFoundError):
        tables.move(game.id, seat, choose(game, seat), game.version, PLAYERS[seat])


def test_a_game_may_be_opened_again_after_it_was_lost(
    tables: TableCommands, redis_client: Redis, new_ledger: NewLedger
) -> None:
    lost = start(tables, idempotency_key="k", fingerprint=b"f" * 16)
    redis_client.flushall()
    new = start(tables, idempotency_key="k", fingerprint=b"f" * 16)
    assert new.id == lost.id
    assert new.head != lost.head
    seat = min(new.asked)
    tables.move(new.id, seat, choose(new, seat), new.version, PLAYERS[seat])
    assert state_of(tables.ledger.table(new.id).game) == state_of(new_ledger().table(new.id).game)
