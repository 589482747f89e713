"""All times are by the store's clock; the machines' clocks do not matter."""

import time
from collections.abc import Callable

import pytest

from rules.kernel.contract.seats import Seat
from rules.kernel.record.batch import Batch, RefusedError
from rules.kernel.record.game import Game
from rules.kernel.record.instants import from_ms, to_ms
from rules.kernel.record.secrets import Secrets
from service import clock
from service.games.commands import TableCommands
from service.ledger import run
from service.ledger.ledger import AppendedBatch, Ledger
from service.ledger.repository import ConflictError
from service.ledger.run import BufferedGame
from service.ledger.store import AppendSuccess, ClockMismatch, Obligations, Store
from tests.service.ledger.conftest import PLAYERS, REGISTRY, choose, lay, play, start

NewLedger = Callable[[], Ledger]
WRONG_BY = pytest.mark.parametrize("wrong_by", [90_000, -90_000])
A_MINUTE = {"decision_seconds": 60}


def store_ms(store: Store) -> int:
    seconds, microseconds = store.redis.time()
    return seconds * 1000 + microseconds // 1000


def is_now(at: str, store: Store) -> bool:
    return abs(to_ms(at) - store_ms(store)) <= clock.TOLERANCE_MS


def resigning(game: Game, secrets: Secrets, at: int) -> Batch:
    batch = Batch(game, secrets, from_ms(at))
    batch.resign(Seat(0), {"seat": 0})
    return batch


# The script


@pytest.mark.parametrize("off", [-3_000, 3_000])
def test_the_script_refuses_what_is_not_stamped_now(
    tables: TableCommands, store: Store, off: int
) -> None:
    game = start(tables)
    time.sleep(1.1)  # so that a time 3 s ahead is also later than the newest event
    secrets = tables.ledger.table(game.id).secrets
    for wrong, wanted in ((off, ClockMismatch), (off // 6, AppendSuccess)):
        batch = resigning(game, secrets, store_ms(store) + wrong)
        batch.at = from_ms(store_ms(store) + wrong)  # also a time before the game's newest event
        outcome = store.append(
            game.id, game.version, game.head, batch.seal(), Obligations(None, None)
        )
        assert type(outcome) is wanted


def test_every_answer_of_the_script_tells_the_time(
    tables: TableCommands, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store.clock, "_ask", lambda: pytest.fail("the store was asked"))
    store.clock.heard(clock.steady_ms(), 0)  # its time in 1970
    game = start(tables)
    assert is_now(game.at, store)
    assert abs(store.clock.now_ms() - store_ms(store)) < 1_000


def test_a_slow_answer_makes_a_good_clock_no_worse(monkeypatch: pytest.MonkeyPatch) -> None:
    here = 0
    monkeypatch.setattr(clock, "steady_ms", lambda: here)
    heard = clock.StoreClock(lambda: 1_000)
    assert heard.now_ms() == 1_000
    here = 5_000
    heard.heard(0, 1_000 + 2_500)  # sent at 0, answered in the middle, received at 5,000
    assert heard.now_ms() == 6_000
    heard.heard(5_000, 96_000)  # a quick answer that contradicts
    assert heard.now_ms() == 96_000
    heard.heard(5_000, 6_000)
    assert heard.now_ms() == 6_000


# Nodes


@WRONG_BY
def test_the_clock_of_a_node_decides_nothing(
    store: Store, monkeypatch: pytest.MonkeyPatch, wrong_by: int
) -> None:
    """A node whose clock is always wrong opens a game and plays."""
    real = time.time_ns
    with monkeypatch.context() as patch:
        patch.setattr(time, "time_ns", lambda: real() + wrong_by * 1_000_000)
        node = TableCommands(Ledger(store, REGISTRY))
        game = start(node, clock_limits=A_MINUTE)
        assert is_now(game.at, store)
        game = play(node, game.id, 1)
        assert is_now(game.at, store)
        assert node.expire(game.id) is None
    assert TableCommands(Ledger(store, REGISTRY)).expire(game.id) is None


@WRONG_BY
def test_a_node_that_lost_the_time_finds_it_again(
    store: Store, monkeypatch: pytest.MonkeyPatch, wrong_by: int
) -> None:
    """The process was stopped, or another Redis took over, so its estimate of the time is wrong."""
    node = TableCommands(Ledger(store, REGISTRY))
    game = start(node, clock_limits=A_MINUTE)
    seat = min(game.asked)
    loses_the_time(monkeypatch, wrong_by)
    done = node.move(game.id, seat, choose(game, seat), game.version, PLAYERS[seat])
    assert isinstance(done, AppendedBatch)
    assert is_now(done.game.at, store)
    assert node.expire(game.id) is None


def test_nobody_is_late_by_a_wrong_idea_of_the_time(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    node, other = (TableCommands(Ledger(store, REGISTRY)) for _ in range(2))
    game = start(node, clock_limits={"decision_seconds": 1})
    seat = min(game.asked)
    loses_the_time(monkeypatch, -90_000)
    time.sleep(2.5)
    with pytest.raises(RefusedError) as refused:  # late only by the store's clock
        node.move(game.id, seat, choose(game, seat), game.version, PLAYERS[seat])
    assert refused.value.code == "too_late"
    done = other.expire(game.id)
    assert isinstance(done, AppendedBatch)
    assert is_now(done.game.at, store)


def loses_the_time(monkeypatch: pytest.MonkeyPatch, wrong_by: int) -> None:
    real = clock.steady_ms
    monkeypatch.setattr(clock, "steady_ms", lambda: real() + wrong_by)


# A store whose clock goes back


def test_time_stands_still_while_the_stores_clock_is_behind(
    tables: TableCommands, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The newest event has the time of a clock that was an hour ahead of the present one."""
    game = start(tables, clock_limits={"decision_seconds": 3_660})
    seat, secrets = min(game.asked), tables.ledger.table(game.id).secrets
    ahead = Batch(game, secrets, from_ms(store_ms(store) + 3_600_000))
    ahead.move(seat, choose(game, seat), {"seat": seat})
    lay(store, game.id, ahead.seal())
    at = tables.ledger.table(game.id).game.at
    assert to_ms(at) > store_ms(store) + 3_000_000
    for process in (tables, TableCommands(Ledger(Store(store.redis), REGISTRY))):
        before = process.ledger.table(game.id).game
        seat = max(before.asked)
        process.move(game.id, seat, choose(before, seat), before.version, PLAYERS[seat])
        assert process.expire(game.id) is None
        assert process.ledger.table(game.id).game.at == at
    loses_the_time(monkeypatch, 3_600_000 + 60_000)  # a process with that clock's time
    game = play(tables, game.id, 1)
    assert game.at == at


# A game that one process plays alone


def a_run(tables: TableCommands) -> BufferedGame:
    table = tables.ledger.table(start(tables).id)
    return BufferedGame(tables.ledger.store, table.game.fork(), table.secrets, table.game.at)


def default_move(playing: BufferedGame) -> None:
    seat = min(playing.game.asked)
    playing.record(lambda batch: batch.default(seat, "resigned"))


def test_what_gathers_is_appended_while_it_is_fresh(
    tables: TableCommands, monkeypatch: pytest.MonkeyPatch
) -> None:
    playing = a_run(tables)
    default_move(playing)
    playing.flush_if_much()
    game_id = playing.game.id
    assert tables.ledger.table(game_id).game.version < playing.game.version
    monkeypatch.setattr(run, "FLUSH_SECONDS", 0)
    time.sleep(2.2)  # a bot thinks
    default_move(playing)
    playing.flush_if_much()
    assert tables.ledger.table(game_id).game.head == playing.game.head


def test_what_became_too_old_did_not_happen(tables: TableCommands) -> None:
    playing = a_run(tables)
    default_move(playing)
    time.sleep(2.2)
    with pytest.raises(ConflictError):
        playing.flush()
    assert tables.ledger.table(playing.game.id).game.version < playing.game.version
