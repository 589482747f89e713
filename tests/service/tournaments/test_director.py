"""The director with a Redis that loses replies, goes back in time, or has no replicas."""

import threading
import time
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any, ClassVar

import pytest
import structlog
from redis import Redis
from redis.exceptions import ConnectionError as RedisGone

from rules.kernel.canonical import JsonObject
from rules.kernel.record.batch import RefusedError
from rules.kernel.record.secrets import entropy_commitment
from service.ledger.lists import id_at
from service.ledger.store import Retry, Store, TooFewReplicasError
from service.metrics import STREAM_REWOUND
from service.redis.keys import game_key
from service.redis.server import RedisServer
from service.tournaments.director import Change, Director
from service.tournaments.repository import Tournaments
from service.tournaments.tournament import Tournament, TournamentNotFoundError
from service.turns.queue import TOURNAMENTS
from tests.faults.proxy import LosingProxy
from tests.running import ROOT, forget_jobs
from tests.service.tournaments import recorded
from tests.service.tournaments.conftest import HOST, SMALL, Hall, hall_on
from tests.service.tournaments.held import plan
from tests.service.tournaments.test_held import NewHall

ENTROPY = b"\x11" * 32
RETRY = Retry.of("p-x", "k", b"f" * 16)

SERVICE = str(ROOT / "service")

Command = Callable[..., Change]


def kinds(hall: Hall, tournament: Tournament) -> list[str]:
    stored = hall.runtime.ledger.store.read_all(tournament.id)
    return [event.kind for event, _retry in stored]


class TestALostReply:
    @pytest.fixture
    def proxy(self, redis_server: RedisServer, redis_client: Redis) -> Iterator[LosingProxy]:
        with LosingProxy(redis_server.url) as proxy:
            yield proxy

    @pytest.fixture
    def hall(self, proxy: LosingProxy) -> Hall:
        return hall_on(proxy.url)

    @pytest.fixture
    def tournament(self, hall: Hall) -> Tournament:
        committed = entropy_commitment(None, 0, ENTROPY).hex()
        entries = [{"bot": "greedy", "entropy_commitment": committed}, *SMALL["entries"][1:]]
        return hall.open(entries=entries)

    COMMANDS: ClassVar[dict[str, Command]] = {
        "extended": lambda director, name, **more: director.extend(name, 12, HOST, **more),
        "paused": lambda director, name, **more: director.pause(name, HOST, **more),
        "withdrawn": lambda director, name, **more: director.withdraw(name, 0, HOST, **more),
        "cancelled": lambda director, name, **more: director.cancel(name, "x", HOST, **more),
        "entropy_revealed": lambda director, name, **more: director.reveal_entropy(
            name, 0, ENTROPY, HOST, **more
        ),
    }

    @pytest.fixture(params=COMMANDS)
    def kind(self, request: pytest.FixtureRequest, hall: Hall, tournament: Tournament) -> str:
        kind: str = request.param
        if kind != "entropy_revealed":
            hall.runtime.director.reveal_entropy(tournament.id, 0, ENTROPY, HOST)
        return kind

    def test_is_asked_for_again_by_the_client_and_nothing_happens_twice(
        self, hall: Hall, tournament: Tournament, proxy: LosingProxy, kind: str
    ) -> None:
        proxy.lose(1)
        done = self.COMMANDS[kind](hall.runtime.director, tournament.id)
        assert proxy.lost == 1
        assert not done.replayed
        assert kinds(hall, tournament).count(kind) == 1
        assert done.tournament.version == hall.find(tournament).version

    def test_that_nobody_hears_of_is_answered_when_the_request_is_repeated(
        self, hall: Hall, tournament: Tournament, proxy: LosingProxy, kind: str
    ) -> None:
        proxy.lose(2)
        command = self.COMMANDS[kind]
        with pytest.raises(RedisGone):
            command(hall.runtime.director, tournament.id, retry=RETRY)
        assert proxy.lost == 2
        after = hall.find(tournament)
        if kind == "paused":
            hall.runtime.director.resume(tournament.id, HOST)
        done = command(hall.runtime.director, tournament.id, retry=RETRY)
        assert done.replayed
        assert (done.tournament.version, done.tournament.status) == (after.version, after.status)
        assert kinds(hall, tournament).count(kind) == 1

    def test_does_not_make_two_tournaments(self, hall: Hall, proxy: LosingProxy) -> None:
        proxy.lose(1)
        made = hall.open(seed=None)
        assert proxy.lost == 1
        assert [id_at(place) for place in hall.runtime.director.newest(10)] == [made.id]

    def test_of_a_worker_counts_a_block_once(
        self, hall: Hall, tournament: Tournament, proxy: LosingProxy
    ) -> None:
        hall.runtime.director.reveal_entropy(tournament.id, 0, ENTROPY, HOST)
        proxy.lose(3)
        with pytest.raises(RedisGone):  # the worker leaves the block, which is still due
            hall.matches.play(tournament.id)
        hall.finish(tournament)
        assert proxy.lost == 3
        assert kinds(hall, tournament).count("block_ended") == 6

    def test_of_a_worker_has_the_next_round_played(self, hall: Hall, proxy: LosingProxy) -> None:
        """Even if the batch is stored already, the next round is queued."""
        swiss = plan(4, "swiss", seats=2, rounds=2)
        tournament = recorded.play(hall.runtime, recorded.opened(hall.runtime, swiss), most=1)
        assert [block.round for block in tournament.open_blocks()] == [1]
        forget_jobs(hall.runtime)
        proxy.lose(1)
        tournament = recorded.play(hall.runtime, tournament, most=1)
        assert proxy.lost == 1
        assert [block.round for block in tournament.open_blocks()] == [2, 2]
        assert hall.runtime.jobs.waiting(TOURNAMENTS) == 2


def test_two_hosts_who_ask_for_the_same_at_once_both_get_it(
    hall: Hall, new_hall: NewHall, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Equal events at the same time count as two, though their hashes are equal."""
    tournament = hall.open()
    monkeypatch.setattr("service.clock.StoreClock.now", lambda _clock: tournament.at)
    one, other = hall.runtime.director, new_hall().runtime.director
    append, calls = one._store.append, 0

    def late(*args: Any, **more: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == 1:
            other.extend(tournament.id, 12, HOST)
        return append(*args, **more)

    monkeypatch.setattr(one._store, "append", late)
    one.extend(tournament.id, 12, HOST)
    assert kinds(hall, tournament).count("extended") == 2


def test_who_is_far_behind_reads_on_until_the_newest_event(
    hall: Hall, new_hall: NewHall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Tournaments, "at_once", 2)
    tournament, other = hall.open(), new_hall()
    for number in range(5):
        other.runtime.director.extend(tournament.id, 10 + number, HOST)
    assert hall.find(tournament).head == other.find(tournament).head


def test_a_key_stands_for_one_request(hall: Hall) -> None:
    tournament, director = hall.open(), hall.runtime.director
    director.extend(tournament.id, 12, HOST, RETRY)
    other = Retry.of("p-x", "k", b"g" * 16)
    with pytest.raises(RefusedError) as refused:
        director.extend(tournament.id, 14, HOST, other)
    assert refused.value.code == "idempotency_key_reused"
    assert director.extend(tournament.id, 12, HOST, RETRY).replayed


class Rewinding:
    """A store that can be set back to an earlier state."""

    def __init__(self, redis: Redis, tournament: Tournament) -> None:
        self._redis = redis
        self._key = game_key(tournament.id, "events")
        self._then: Any = redis.dump(self._key)

    def rewind(self) -> None:
        self._redis.restore(self._key, 0, self._then, replace=True)


class TestAStoreThatWasRewound:
    @staticmethod
    def noticed(hall: Hall, tournament: Tournament) -> tuple[Tournament, list[JsonObject]]:
        before = STREAM_REWOUND._value.get()
        with structlog.testing.capture_logs() as logs:
            found = hall.find(tournament)
        assert STREAM_REWOUND._value.get() == before + 1
        return found, [dict(log) for log in logs]

    @pytest.mark.parametrize("others", [0, 1, 3])
    def test_is_noticed_however_far_others_have_written_since(
        self, hall: Hall, new_hall: NewHall, redis_client: Redis, others: int
    ) -> None:
        tournament = hall.open()
        store = Rewinding(redis_client, tournament)
        hall.runtime.director.pause(tournament.id, HOST)
        lost = hall.find(tournament)
        store.rewind()
        other = new_hall()
        for number in range(others):
            other.runtime.director.extend(tournament.id, 10 + number, HOST)
        found, logs = self.noticed(hall, tournament)
        assert [(log["event"], log["version"]) for log in logs] == [
            ("stream_rewound", lost.version)
        ]
        assert found.status == "running"
        assert (found.version, found.head) == (
            other.find(tournament).version, other.find(tournament).head,
        )  # fmt: skip
        hall.runtime.director.pause(tournament.id, HOST)
        assert new_hall().find(tournament).status == "paused"

    def test_and_emptied_has_no_tournament(self, hall: Hall, redis_client: Redis) -> None:
        tournament = hall.open()
        redis_client.flushall()
        with pytest.raises(TournamentNotFoundError):
            hall.find(tournament)


def test_what_no_replica_holds_is_not_kept(
    hall: Hall, redis_client: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = hall.open()
    store, director = Rewinding(redis_client, tournament), hall.runtime.director
    with monkeypatch.context() as patched:
        patched.setattr(director._store, "_replicas", 1)
        patched.setattr("service.ledger.store.WAIT_MS", 10)
        with pytest.raises(TooFewReplicasError):
            director.pause(tournament.id, HOST)
    store.rewind()  # a primary without this event took over
    with structlog.testing.capture_logs() as logs:
        assert hall.find(tournament).status == "running"
    assert logs == []  # the process had nothing to drop


def test_what_others_read_before_it_was_confirmed_is_not_kept_either(
    hall: Hall, redis_client: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = hall.open()
    store, director = Rewinding(redis_client, tournament), hall.runtime.director

    def confirm(_store: object, name: str, _seq: int, _what: bytes | Retry) -> None:
        assert director.find(name).status == "paused"  # as another thread may do
        raise TooFewReplicasError

    with monkeypatch.context() as patched:
        patched.setattr(Store, "confirm", confirm)
        with pytest.raises(TooFewReplicasError):
            director.pause(tournament.id, HOST)
    store.rewind()
    with structlog.testing.capture_logs() as logs:
        assert hall.find(tournament).status == "running"
    assert logs == []


def test_a_repetition_asks_again_for_the_replicas(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament, director = hall.open(), hall.runtime.director
    retry = Retry.of(HOST["player"], "k", b"f" * 16)
    monkeypatch.setattr(director._store, "_replicas", 1)
    monkeypatch.setattr("service.ledger.store.WAIT_MS", 10)
    for _ in range(2):
        with pytest.raises(TooFewReplicasError):
            director.pause(tournament.id, HOST, retry)


def switch(frame: FrameType, _event: str, _argument: object) -> Callable[..., Any] | None:
    """Let another thread run before each line of the service, the worst case."""
    if not frame.f_code.co_filename.startswith(SERVICE):
        return None
    time.sleep(1e-6)  # and not 0, which may continue the same thread
    return switch


def test_several_threads_share_what_is_cached(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hall.runtime.director._tournaments, "cache_size", 1)
    opened = [hall.open(key=key) for key in "abc"]
    failed: list[BaseException] = []

    def look(director: Director) -> None:
        try:
            for number in range(45):
                name = opened[number % 3].id
                assert director.find(name).id == name
        except BaseException as error:  # noqa: BLE001 - whatever it is, the test tells it
            failed.append(error)

    threading.settrace(switch)
    try:
        threads = [threading.Thread(target=look, args=(hall.runtime.director,)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        threading.settrace(None)
    assert failed == []
