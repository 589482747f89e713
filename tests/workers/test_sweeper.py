from collections.abc import Callable

import pytest
from redis.exceptions import ConnectionError as RedisConnectionError

from rules.kernel.contract.seats import Seat
from rules.kernel.proof.verify import verify
from rules.kernel.record.instants import to_ms
from service import clock
from service.catalogue.bots import LIVE
from service.games.exhibition import GAME_KEY, NUMBER_KEY
from service.games.listing import GameList
from service.ids import new_tournament_id, shard_of
from service.ledger.damage import Damage
from service.ledger.store import RepeatedRequest
from service.redis.keys import game_key, shard_key
from service.runtime import Runtime
from service.turns.watch import ObligationList
from tests.running import (
    ME,
    PLAYER,
    bot,
    copies,
    forget_jobs,
    game,
    kinds,
    open_game,
    wait_for,
)
from workers import exhibition, jobs, sweeper
from workers.analyses import AnalysisWork
from workers.hints import HintWork
from workers.matches import Matches
from workers.process import Process
from workers.sweeper import Sweeper
from workers.turns import Turns

GREEDY = bot("greedy")
SOON = {"decision_seconds": 1}


@pytest.fixture
def parts(worker: Runtime, turns: Turns) -> Process:
    return Process(worker, turns, Matches(worker), AnalysisWork(worker), HintWork(worker))


@pytest.fixture
def sweep(parts: Process) -> Sweeper:
    return Sweeper(parts)


def open_table(runtime: Runtime) -> str:
    """Open a table with one free seat."""
    created = runtime.tables.create(PLAYER, "sealed", {}, [ME, None])
    assert not isinstance(created, RepeatedRequest)
    return created.game.id


def long_ago(runtime: Runtime, game_id: str) -> None:
    runtime.redis.zadd(shard_key(shard_of(game_id), "due"), {game_id: 1}, xx=True)


def test_a_game_whose_job_was_lost_is_asked_for_again(web: Runtime, sweep: Sweeper) -> None:
    game_id = open_game(web, "sealed", GREEDY, GREEDY)
    forget_jobs(web)
    sweep.sweep()
    assert web.jobs.waiting() == 0  # the job on the queue comes first
    long_ago(web, game_id)
    sweep.sweep()
    assert web.jobs.waiting() == 1
    sweep.sweep()
    assert web.jobs.waiting() == 1  # once, for a while


def test_what_a_worker_lost_with_its_store_is_asked_for_at_once(
    web: Runtime, sweep: Sweeper, parts: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    game_id = open_game(web, "sealed", GREEDY, GREEDY)
    long_ago(web, game_id)
    sweep.sweep()  # which postpones it
    monkeypatch.setattr("workers.process._current", parts)
    with monkeypatch.context() as away:
        away.setattr(parts.runtime.ledger, "table", raises(RedisConnectionError))
        jobs.take_turns(LIVE)
    assert web.jobs.lost(LIVE, [game_id]) == [game_id]
    sweep.sweep()
    assert web.jobs.waiting() == 1
    assert parts.undone == set()


def raises(error: type[Exception]) -> Callable[..., None]:
    def fail(*_arguments: object) -> None:
        raise error

    return fail


def test_of_several_watchers_one_is_given_a_game(web: Runtime) -> None:
    game_ids = {open_game(web, "sealed", GREEDY, GREEDY) for _ in range(5)}
    now = to_ms(clock.now()) + 60_000
    first, second = (ObligationList(web.redis).claim_overdue(now, now + 1, 50) for _ in range(2))
    assert set(first) == game_ids
    assert second == []


def test_what_only_waits_for_its_turn_is_not_asked_for_again(web: Runtime, sweep: Sweeper) -> None:
    game_id = open_game(web, "sealed", GREEDY, GREEDY)
    long_ago(web, game_id)
    sweep.sweep()
    assert web.jobs.waiting() == 1
    assert web.jobs.queues[LIVE].count == 1


def test_a_turn_whose_job_was_lost_gets_another(web: Runtime, sweep: Sweeper) -> None:
    open_game(web, "sealed", GREEDY, GREEDY)
    web.jobs.queues[LIVE].empty()  # type: ignore[no-untyped-call]  # rq has few types
    sweep.sweep()
    assert web.jobs.queues[LIVE].count == 1


def test_a_flood_does_not_keep_a_lost_game_waiting(web: Runtime, sweep: Sweeper) -> None:
    """Sweeps once queued nothing while many jobs waited, whatever their owners."""
    lost = open_game(web, "sealed", GREEDY, GREEDY)
    forget_jobs(web)
    long_ago(web, lost)
    for _ in range(501):
        web.jobs.queues[LIVE].enqueue("workers.jobs.take_turns", LIVE)
    sweep.sweep()
    assert web.jobs.lost(LIVE, [lost]) == []


def test_a_tournament_that_cannot_be_read_stops_no_sweep(web: Runtime, worker: Runtime) -> None:
    name, done = new_tournament_id(), list[Runtime]()
    web.redis.hset(game_key(name, "secrets"), mapping={"salt": bytes(33), "chance_seed": bytes(33)})
    web.redis.set(game_key(name, "events"), "x")
    web.redis.zadd(shard_key(shard_of(name), "due"), {name: 1})
    parts = Process(worker, Turns(worker), Matches(worker), AnalysisWork(worker), HintWork(worker))
    Sweeper(parts, also=(done.append,)).sweep()
    assert done == [worker]


def test_a_game_that_is_thought_about_is_not_asked_for(
    web: Runtime, sweep: Sweeper, turns: Turns
) -> None:
    game_id = open_game(web, "sealed", GREEDY, GREEDY)
    forget_jobs(web)
    long_ago(web, game_id)
    turns.playing = game_id
    sweep.sweep()
    assert web.jobs.waiting() == 0


def test_who_lets_a_deadline_pass_is_answered_for(web: Runtime, sweep: Sweeper) -> None:
    game_id = open_game(web, "sealed", ME, ME, clock=SOON)
    version = game(web, game_id).version
    sweep.sweep()
    assert game(web, game_id).version == version

    def swept() -> bool:
        sweep.sweep()
        return game(web, game_id).version > version

    wait_for(swept)
    assert kinds(web, game_id)[version : version + 2] == ["timed_out", "defaulted"]
    defaulted = copies(web, game_id)[version + 1]
    assert defaulted["by"]["service"] == "timed_out"


def test_bots_go_on_after_a_deadline(web: Runtime, sweep: Sweeper, turns: Turns) -> None:
    game_id = open_game(web, "santiago_de_cuba", ME, GREEDY, clock=SOON)
    turns.play(game_id)
    forget_jobs(web)

    def asked_bot() -> bool:
        sweep.sweep()
        return bool(game(web, game_id).automatic_seats())

    wait_for(asked_bot, 60)
    assert web.jobs.waiting() >= 1


def test_withheld_entropy_aborts_in_time(web: Runtime, sweep: Sweeper) -> None:
    created = web.ledger.create(
        "g00-aaaaaaaaaaaaaaaaaaaa",
        web.ledger.store.secrets(open_game(web, "sealed", ME, ME)),  # type: ignore[arg-type]
        lambda batch: (
            batch.create("sealed", 2, {}, ME, entropy={"mode": "reveal", "seconds": 1}),  # type: ignore[func-returns-value]
            batch.sit(Seat(0), ME, ME, "00" * 32),  # type: ignore[func-returns-value]
            batch.sit(Seat(1), ME, ME),  # type: ignore[func-returns-value]
        )[0],
    )
    assert not isinstance(created, RepeatedRequest)

    def aborted() -> bool:
        sweep.sweep()
        return game(web, created.game.id).status == "aborted"

    wait_for(aborted)


def test_a_lenient_game_starts_without_what_is_withheld(
    web: Runtime, sweep: Sweeper, turns: Turns
) -> None:
    """Time stands still while the game is suspended; then bots continue."""
    mode = {"mode": "lenient", "seconds": 1}
    created = web.tables.create(
        PLAYER, "sealed", {}, [ME, GREEDY], entropy=mode, commitments=["00" * 32]
    )
    assert not isinstance(created, RepeatedRequest)
    game_id = created.game.id
    web.ledger.change(game_id, lambda batch: batch.suspend({"admin": "ana"}))
    clock_at = web.ledger.store.clock.now_ms
    ends = clock_at() + 1_500
    while clock_at() < ends:
        sweep.sweep()
    assert game(web, game_id).status == "closed"
    web.ledger.change(game_id, lambda batch: batch.resume({"admin": "ana"}))

    def started() -> bool:
        sweep.sweep()
        return game(web, game_id).status == "running"

    wait_for(started)
    record = copies(web, game_id)
    at = {event["kind"]: to_ms(event["at"]) for event in record[:7]}
    stood = at["resumed"] - at["suspended"]
    assert stood > 1_000
    assert at["started"] - at["closed"] > 1_000 + stood
    report = verify(game_id, record, web.registry)
    assert report.ok
    assert f"entropy of seat 0 (player {PLAYER})" in " ".join(report.notes)
    forget_jobs(web)
    long_ago(web, game_id)
    sweep.sweep()
    assert web.jobs.waiting() == (1 if game(web, game_id).automatic_seats() else 0)


def test_a_table_that_nobody_starts_is_cancelled_and_proved(web: Runtime, sweep: Sweeper) -> None:
    waiting = open_table(web)
    playing = open_game(web, "sealed", ME, ME)
    at = web.ledger.store.clock.now_ms()
    hours = web.settings.table_hours * sweeper.HOUR_MS
    sweep.cancel_unstarted(at + hours - 60_000)
    assert game(web, waiting).status == "lobby"
    sweep.cancel_unstarted(at + hours + 60_000)
    assert game(web, waiting).status == "aborted"
    assert game(web, playing).status == "running"
    record = copies(web, waiting)
    assert record[-2]["by"] == {"service": "clock"}
    assert record[-2]["body"]["aborted"]["reason"] == "cancelled"
    assert verify(waiting, record, web.registry).ok
    listed = GameList(web.redis, web.ledger)
    assert [found["id"] for found in listed.page(9).games] == [playing]


def test_a_record_of_a_started_game_that_the_clock_cancelled_is_refused(web: Runtime) -> None:
    game_id = open_game(web, "sealed", ME, ME)
    web.ledger.change(game_id, lambda batch: batch.abort("cancelled", {"service": "clock"}))
    assert not verify(game_id, copies(web, game_id), web.registry).ok


def test_a_damaged_table_keeps_no_other_from_being_cancelled(web: Runtime, sweep: Sweeper) -> None:
    damaged, sound = open_table(web), open_table(web)
    web.ledger.store.note_damage(damaged, Damage.at("gap", 2, damaged, ()))
    sweep.cancel_unstarted(to_ms(clock.now()) + web.settings.table_hours * sweeper.HOUR_MS + 1)
    assert game(web, sound).status == "aborted"


def test_each_process_looks_for_such_tables_once_a_minute(
    web: Runtime, sweep: Sweeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[int] = []
    monkeypatch.setattr(sweep, "cancel_unstarted", looked.append)
    sweep.sweep()
    sweep.sweep()
    assert len(looked) == 1


def test_the_thread_survives_what_goes_wrong(worker: Runtime, turns: Turns) -> None:
    calls: list[int] = []

    def fail(_runtime: Runtime) -> None:
        calls.append(1)
        raise ValueError("broken")

    thread = Sweeper(
        Process(worker, turns, Matches(worker), AnalysisWork(worker), HintWork(worker)),
        interval=0.01,
        also=(fail,),
    )
    thread.start()
    wait_for(lambda: len(calls) > 2)
    thread.stop()
    thread.join(5)
    assert not thread.is_alive()


def test_an_exhibition_is_opened_once_and_followed_by_the_next(
    worker: Runtime, turns: Turns, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = exhibition.keep_going(worker)
    assert exhibition.keep_going(worker) == first
    assert worker.ledger.terms(game(worker, first)).tags == ("exhibition",)
    assert game(worker, first).status == "running"
    monkeypatch.setattr(exhibition, "pace_ms", lambda _game: 0)
    monkeypatch.setattr("workers.turns.pace_ms", lambda _game: 0)
    for _ in range(20):
        turns.play(first)
    assert game(worker, first).over
    assert exhibition.keep_going(worker) == first  # its end is shown for a while
    monkeypatch.setattr(exhibition, "SHOW_RESULT_MS", 0)
    second = exhibition.keep_going(worker)
    assert second != first
    assert game(worker, second).status == "running"
    assert game(worker, second).created_by["player"] != PLAYER


def test_an_exhibition_is_not_doubled_by_a_crash_between_its_steps(worker: Runtime) -> None:
    first = exhibition.keep_going(worker)
    worker.redis.delete(GAME_KEY, NUMBER_KEY)
    assert exhibition.keep_going(worker) == first
