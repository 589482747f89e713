"""The ledger on a real Redis: it has exactly the acknowledged events."""

import threading
from collections.abc import Callable
from typing import Any

import orjson
import pytest
from redis import Redis
from redis.crc import key_slot

from rules.kernel.contract.errors import IllegalMove
from rules.kernel.contract.seats import Seat
from rules.kernel.proof.verify import verify
from rules.kernel.record import snapshot
from rules.kernel.record.batch import Batch, RefusedError
from rules.kernel.record.events import copy_for
from rules.kernel.record.game import Game
from rules.kernel.record.instants import to_ms
from service import clock
from service.games.commands import StaleVersionError, TableCommands
from service.ids import game_id_for, shard_of
from service.ledger import snapshots
from service.ledger.ledger import AppendedBatch, GameNotFoundError, Ledger
from service.ledger.lists import LISTED, Listing, game_listing
from service.ledger.store import (
    ArchivedGame,
    MissedEvents,
    Obligations,
    RepeatedRequest,
    Retry,
    RewoundStream,
    Store,
)
from service.ledger.vault import Vault, VaultError
from service.redis.keys import game_key, shard_key
from tests.service.ledger.conftest import (
    PLAYERS,
    REGISTRY,
    choose,
    newest_snapshot,
    play,
    seat_all,
    start,
    state_of,
)

NewLedger = Callable[[], Ledger]


def other_process(new_ledger: NewLedger) -> TableCommands:
    return TableCommands(new_ledger())


def entries(redis_client: Redis, key: str) -> Any:
    return redis_client.xrange(key)


def all_keys(redis_client: Redis) -> Any:
    return redis_client.keys()


# Reading what was written


@pytest.mark.parametrize("ruleset", ["sealed", "santiago_de_cuba"])
def test_every_process_reads_the_same_game(
    tables: TableCommands, new_ledger: NewLedger, ruleset: str
) -> None:
    game = start(tables, ruleset)
    play(tables, game.id, 40)
    mine = tables.ledger.table(game.id).game
    assert state_of(new_ledger().table(game.id).game) == state_of(mine)
    assert state_of(new_ledger().game_at(game.id, mine.version)) == state_of(mine)


def test_a_game_is_read_as_it_was_at_any_version(
    tables: TableCommands, new_ledger: NewLedger
) -> None:
    game = start(tables)
    states = {game.version: state_of(game)}
    while not game.over:
        game = play(tables, game.id, 1, key=str(game.version))
        states[game.version] = state_of(game.fork())
    ledger = new_ledger()
    for version, wanted in states.items():
        assert state_of(ledger.game_at(game.id, version)) == wanted


def test_events_come_with_the_hash_before_them(tables: TableCommands) -> None:
    game = play(tables, start(tables).id, 5)
    everything = tables.ledger.events(game.id, 0, 1000)
    assert [event.seq for event, _ in everything] == list(range(1, game.version + 1))
    assert tables.ledger.events(game.id, 3, 2) == everything[3:5]
    assert [event.hash for event, _ in everything[:-1]] == [prev for _, prev in everything[1:]]


def test_a_played_game_verifies(tables: TableCommands) -> None:
    game = play(tables, start(tables).id, 100)
    assert game.over
    table = tables.ledger.table(game.id)
    copies = [
        copy_for(None, event, prev, table.secrets.salt, game.access, game.version)
        for event, prev in tables.ledger.events(game.id, 0, 1000)
    ]
    report = verify(game.id, copies, REGISTRY)
    assert report.ok, report.to_json()
    assert all(check.checked for check in report.checks)


def test_an_unknown_game_is_not_found(new_ledger: NewLedger) -> None:
    with pytest.raises(GameNotFoundError):
        new_ledger().table("g00-aaaaaaaaaaaaaaaaaaaa")


# Appending


def test_a_move_is_one_round_trip(tables: TableCommands, redis_client: Redis) -> None:
    game = start(tables)
    redis_client.config_resetstat()
    seat = min(game.asked)
    tables.move(game.id, seat, choose(game, seat), game.version, PLAYERS[seat])
    calls = {
        name.removeprefix("cmdstat_"): stat["calls"]
        for name, stat in redis_client.info("commandstats").items()
    }
    sent = {name: n for name, n in calls.items() if name in ("evalsha", "get", "hmget", "eval")}
    assert sent == {"evalsha": 1}
    assert calls["xadd"] == 1 + len(tables.ledger.events(game.id, game.version, 99))


def test_who_is_behind_gets_the_missed_events_and_goes_on(
    tables: TableCommands, new_ledger: NewLedger
) -> None:
    game = start(tables)
    elsewhere = other_process(new_ledger)
    elsewhere.ledger.table(game.id)
    seats = sorted(game.asked)
    assert game.question == "bid" or len(seats) == 1
    play(tables, game.id, 1)
    now = tables.ledger.table(game.id).game
    for seat in sorted(now.asked):
        elsewhere.move(game.id, seat, choose(now, seat), now.version, PLAYERS[seat])
    assert state_of(elsewhere.ledger.table(game.id).game) == state_of(
        tables.ledger.table(game.id).game
    )


def test_sealed_bids_in_any_order_stale_nobody(
    tables: TableCommands, new_ledger: NewLedger
) -> None:
    game = start(tables, seats=4)
    while game.question != "bid":
        game = play(tables, game.id, 1)
    asked = dict(game.asked)
    assert len(asked) == 4
    processes = [other_process(new_ledger) for _ in asked]
    failures: list[BaseException] = []

    def bid(seat: Seat) -> None:
        try:
            processes[seat].move(game.id, seat, choose(game, seat), game.version, PLAYERS[seat])
        except BaseException as error:  # noqa: BLE001 - reported below
            failures.append(error)

    threads = [threading.Thread(target=bid, args=(seat,)) for seat in asked]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    moved = [e for e, _ in tables.ledger.events(game.id, game.version, 99) if e.kind == "moved"]
    assert sorted(event.by["seat"] for event in moved) == sorted(asked)


def test_two_who_race_for_one_decision_make_one_event(
    tables: TableCommands, new_ledger: NewLedger
) -> None:
    game = start(tables, "santiago_de_cuba")
    seat = min(game.asked)
    processes = [other_process(new_ledger) for _ in range(2)]
    for process in processes:
        process.ledger.table(game.id)
    outcomes: list[object] = []

    def move(process: TableCommands) -> None:
        try:
            outcomes.append(
                process.move(game.id, seat, choose(game, seat), game.version, PLAYERS[seat])
            )
        except RefusedError as refused:
            outcomes.append(refused)

    threads = [threading.Thread(target=move, args=(process,)) for process in processes]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(type(outcome).__name__ for outcome in outcomes) == [
        "AppendedBatch",
        "StaleVersionError",
    ]
    events = tables.ledger.events(game.id, game.version, 99)
    assert [event.kind for event, _ in events].count("moved") == 1


def test_the_script_refuses_what_does_not_follow(tables: TableCommands, store: Store) -> None:
    game = start(tables)
    batch = Batch(game, tables.ledger.table(game.id).secrets, clock.now())
    batch.resign(Seat(0), {"seat": 0})
    events = batch.seal()
    nothing = Obligations(None, None)

    def append(seq: int, hash_: bytes) -> object:
        return store.append(game.id, seq, hash_, events, nothing)

    assert isinstance(append(game.version, b"x" * 32), RewoundStream)
    assert isinstance(append(game.version + 1, game.head), RewoundStream)
    assert isinstance(append(game.version - 1, b"x" * 32), RewoundStream)
    earlier = tables.ledger.game_at(game.id, game.version - 1)
    behind = append(earlier.version, earlier.head)
    assert isinstance(behind, MissedEvents)
    assert [stored.event.hash for stored in behind.missed] == [game.head]
    assert tables.ledger.table(game.id).game.version == game.version


def test_an_archived_game_takes_no_more_events(tables: TableCommands, redis_client: Redis) -> None:
    game = start(tables)
    redis_client.set(game_key(game.id, "tombstone"), "archived")
    batch = Batch(game, tables.ledger.table(game.id).secrets, clock.now())
    batch.resign(Seat(0), {"seat": 0})
    outcome = tables.ledger.store.append(
        game.id, game.version, game.head, batch.seal(), Obligations(None, None)
    )
    assert isinstance(outcome, ArchivedGame)


# Retries


def test_a_retry_finds_its_first_answer(tables: TableCommands, new_ledger: NewLedger) -> None:
    game = start(tables, "santiago_de_cuba")
    seat = min(game.asked)
    move = choose(game, seat)
    retry = Retry.of(PLAYERS[seat], "key", b"f" * 16)
    first = tables.move(game.id, seat, move, game.version, PLAYERS[seat], retry=retry)
    assert isinstance(first, AppendedBatch)
    answer = RepeatedRequest(game.id, first.events[0].seq, first.events[-1].seq)
    play(tables, game.id, 5)
    for process in (tables, other_process(new_ledger)):
        again = process.move(game.id, seat, move, game.version, PLAYERS[seat], retry=retry)
        assert again == answer
    other_body = Retry.of(PLAYERS[seat], "key", b"g" * 16)
    with pytest.raises(RefusedError) as refused:
        tables.move(game.id, seat, move, game.version, PLAYERS[seat], retry=other_body)
    assert refused.value.code == "idempotency_key_reused"


def test_a_retry_is_found_among_the_missed_events(
    tables: TableCommands, new_ledger: NewLedger
) -> None:
    game = start(tables, "santiago_de_cuba")
    elsewhere = other_process(new_ledger)
    elsewhere.ledger.table(game.id)
    seat = min(game.asked)
    move, player = choose(game, seat), PLAYERS[seat]
    retry = Retry.of(player, "key", b"f" * 16)
    first = tables.move(game.id, seat, move, game.version, player, retry=retry)
    assert isinstance(first, AppendedBatch)
    again = elsewhere.move(game.id, seat, move, game.version, player, retry=retry)
    assert again == RepeatedRequest(game.id, first.events[0].seq, first.events[-1].seq)


def test_keys_are_scoped_by_caller(tables: TableCommands) -> None:
    game = start(tables)
    while game.question != "bid":
        game = play(tables, game.id, 1)
    for seat in sorted(game.asked):
        retry = Retry.of(PLAYERS[seat], "the same key", b"f" * 16)
        done = tables.move(
            game.id, seat, choose(game, seat), game.version, PLAYERS[seat], retry=retry
        )
        assert isinstance(done, AppendedBatch)


def test_creation_takes_a_key_too(tables: TableCommands, new_ledger: NewLedger) -> None:
    def create(process: TableCommands, fingerprint: bytes) -> object:
        return process.create(
            PLAYERS[0], "sealed", {}, seat_all(2), idempotency_key="k", fingerprint=fingerprint
        )

    first = create(tables, b"f" * 16)
    assert isinstance(first, AppendedBatch)
    assert first.game.id == game_id_for(PLAYERS[0], "k")
    again = create(other_process(new_ledger), b"f" * 16)
    assert again == RepeatedRequest(first.game.id, 1, first.events[-1].seq)
    with pytest.raises(RefusedError):
        create(tables, b"g" * 16)


def test_a_creation_that_comes_second_leaves_the_secrets_of_the_first(
    tables: TableCommands, new_ledger: NewLedger
) -> None:
    def full(_game: Game) -> None:
        raise RefusedError("too_many_games", "nobody may open another one")

    request: Any = {"idempotency_key": "k", "fingerprint": b"f" * 16}
    first = start(tables, **request)
    elsewhere = other_process(new_ledger)
    again = elsewhere.create(PLAYERS[0], "sealed", {}, seat_all(3), admit=full, **request)
    assert again == RepeatedRequest(first.id, 1, first.version)
    assert elsewhere.ledger.table(first.id).secrets == tables.ledger.table(first.id).secrets


# Decisions and refusals


def test_an_old_form_is_stale_and_does_nothing(tables: TableCommands) -> None:
    game = start(tables, "santiago_de_cuba")
    seat, old = min(game.asked), game.version
    later = play(tables, game.id, 1)
    while seat not in later.asked:
        later = play(tables, game.id, 1, key=str(later.version))
    with pytest.raises(StaleVersionError) as stale:
        tables.move(game.id, seat, choose(later, seat), old, PLAYERS[seat])
    assert stale.value.details["version"] == later.version
    with pytest.raises(StaleVersionError):
        tables.move(game.id, seat, choose(later, seat), later.version + 1, PLAYERS[seat])


def test_refusals_change_nothing(tables: TableCommands) -> None:
    game = start(tables, "santiago_de_cuba")
    seat = min(game.asked)
    other = next(s for s in range(3) if s != seat)
    with pytest.raises(IllegalMove):
        tables.move(game.id, seat, {"type": "juggle"}, game.version, PLAYERS[seat])
    for code, attempt in {
        "not_your_seat": (seat, PLAYERS[other]),
        "not_your_turn": (other, PLAYERS[other]),
        "unknown_seat": (7, PLAYERS[0]),
    }.items():
        with pytest.raises(RefusedError) as refused:
            tables.move(game.id, Seat(attempt[0]), choose(game, seat), game.version, attempt[1])
        assert refused.value.code == code
    assert tables.ledger.table(game.id).game.version == game.version


# Obligations and notifications


def test_a_game_with_bots_is_due_until_a_person_is_asked(
    tables: TableCommands, redis_client: Redis
) -> None:
    bot = {"bot": "random", "version": "1", "settings": {}}
    done = tables.create(PLAYERS[0], "sealed", {}, [bot, bot])
    assert isinstance(done, AppendedBatch)
    due = shard_key(shard_of(done.game.id), "due")
    assert redis_client.zscore(due, done.game.id) == to_ms(done.game.at)
    people = start(tables)
    assert redis_client.zscore(shard_key(shard_of(people.id), "due"), people.id) is None


def test_a_clock_makes_a_deadline_and_time_runs_out(
    tables: TableCommands, redis_client: Redis
) -> None:
    game = start(tables, clock_limits={"decision_seconds": 0})
    deadlines = shard_key(shard_of(game.id), "deadlines")
    assert redis_client.zscore(deadlines, game.id) == to_ms(game.at)
    while (done := tables.expire(game.id)) is None:
        pass  # a move exactly at the deadline is in time
    assert isinstance(done, AppendedBatch)
    assert [event.kind for event in done.events[:2]] == ["timed_out", "defaulted"]
    patient = start(tables, clock_limits={"decision_seconds": 600})
    assert tables.expire(patient.id) is None
    assert tables.expire(start(tables).id) is None


def test_lists_hear_of_the_start_and_the_end_and_the_tail_of_all(
    tables: TableCommands, redis_client: Redis
) -> None:
    begun = start(tables)
    shard = shard_of(begun.id)

    def listed() -> Listing:
        found: Any = redis_client.hget(shard_key(shard, LISTED), begun.id)
        return Listing(**orjson.loads(found))

    assert listed() == game_listing(begun)
    play(tables, begun.id, 1)
    assert listed() == game_listing(begun), "a move is not shown"
    game = play(tables, begun.id, 100)
    assert game.over
    assert listed() == game_listing(game)
    tail = [int(f[b"v"]) for _, f in entries(redis_client, shard_key(shard, "tail"))]
    lasts = {event.last for event, _ in tables.ledger.events(game.id, 0, 1000)}
    assert tail == sorted(lasts)


def test_all_keys_of_a_game_are_in_one_slot_of_a_cluster(
    tables: TableCommands, redis_client: Redis
) -> None:
    game = play(tables, start(tables, clock_limits={"decision_seconds": 60}).id, 3)
    tag = game_key(game.id, "").partition("}")[0] + "}"
    keys = [key for key in all_keys(redis_client) if key.startswith(tag.encode())]
    assert len(keys) >= 5
    assert len({key_slot(key) for key in keys}) == 1


# Snapshots and secrets


@pytest.mark.parametrize("ruleset", ["sealed", "santiago_de_cuba"])
def test_a_snapshot_restores_every_state_and_plays_on(tables: TableCommands, ruleset: str) -> None:
    game = play(tables, start(tables, ruleset).id, 60)
    stored = tables.ledger.store.read_all(game.id)
    for version in range(1, game.version):
        before = tables.ledger.game_at(game.id, version)
        restored = snapshot.restore(game.id, snapshot.take(before), REGISTRY)
        assert restored is not None
        assert state_of(restored) == state_of(before)
        restored.apply(stored[version].event)
        before.apply(stored[version].event)
        assert state_of(restored) == state_of(before)


def test_snapshots_are_used_and_never_believed(
    tables: TableCommands,
    new_ledger: NewLedger,
    redis_client: Redis,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(snapshots, "EVERY", 16)
    game = play(tables, start(tables, "santiago_de_cuba").id, 40)
    key = game_key(game.id, "snapshots")
    raw, version = newest_snapshot(redis_client, game.id)
    read: list[int] = []
    store = Store(redis_client)
    original = store.look

    def spy(game_id: str, seq: int, hash_: bytes) -> object:
        read.append(seq)
        return original(game_id, seq, hash_)

    monkeypatch.setattr(store, "look", spy)
    ledger = Ledger(store, REGISTRY)
    assert state_of(ledger.table(game.id).game) == state_of(game)
    assert read
    assert min(read) > 0, "the snapshot was not used"
    start_of_head = raw.index(b'"head":"') + len(b'"head":"')
    forged = raw[:start_of_head] + b"deadbeef" + raw[start_of_head + 8 :]
    redis_client.zrem(key, raw)
    redis_client.zadd(key, {forged: version})
    assert state_of(new_ledger().table(game.id).game) == state_of(game)


def test_secrets_can_be_wrapped(redis_client: Redis) -> None:
    key = bytes(range(32))
    tables = TableCommands(Ledger(Store(redis_client, Vault(key)), REGISTRY))
    game = play(tables, start(tables).id, 3)
    salt = tables.ledger.table(game.id).secrets.salt
    stored: Any = redis_client.hgetall(game_key(game.id, "secrets"))
    assert salt not in b"".join(stored.values())
    again = Ledger(Store(redis_client, Vault(key)), REGISTRY)
    assert again.table(game.id).secrets.salt == salt
    for wrong in (None, bytes(32)):
        with pytest.raises(VaultError):
            Ledger(Store(redis_client, Vault(wrong)), REGISTRY).table(game.id)
