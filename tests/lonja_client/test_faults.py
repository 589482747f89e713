"""Networks, processes and stores that fail: a move counts once, and a stream has no gap."""

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
from lonja_client import (
    ME,
    OPEN,
    Client,
    Event,
    MoveAnswer,
    Rewound,
    ServiceFailed,
    Table,
    TooMany,
    Unreachable,
)
from lonja_client.errors import CUT, NO_LISTENER

from service.redis.client import make_client
from tests.faults import processes
from tests.faults.conftest import kill_redis
from tests.faults.proxy import CuttingProxy, Network
from tests.lonja_client.conftest import Pair, Place
from tests.running import wait_for
from tests.service.ledger.conftest import Moment


@contextmanager
def through(port: int, table: Table, patience: float = 60.0) -> Iterator[Table]:
    """Return a client of the same player and table that goes through a proxy."""
    with Client(f"http://127.0.0.1:{port}", table.client.key, patience=patience) as client:
        yield client.table(table.id)


def moves(table: Table) -> int:
    return sum(event["kind"] == "moved" for event in table.events())


def test_a_move_whose_answer_is_lost_counts_once(place: Place, pair: Pair) -> None:
    legal = pair.ana.legal_moves()
    with Network(place.port) as network, through(network.port, pair.ana) as table:
        network.lose_answer(f"POST /v1{pair.ana.path}/moves".encode())
        answer = table.move(legal["moves"][0], seat=0, expected_version=legal["version"])
        assert [receipt["seq"] for receipt in table.receipts] == [answer["receipt"]["seq"]]
        assert answer["receipt"]["idempotency_key"]
    assert moves(pair.ana) == 1


@pytest.fixture
def waiting(players: tuple[Client, Client]) -> Pair:
    """A table with three seats, at which Bob may sit down and leave again."""
    table = players[0].open("pig", [ME, OPEN, OPEN])
    return Pair(table, players[1].table(table.id))


def test_a_stream_that_is_cut_in_a_message_has_no_gap(place: Place, waiting: Pair) -> None:
    with CuttingProxy(place.port, 2_000) as network, through(network.port, waiting.bob) as table:
        followed = table.follow(include=["words"])
        seen = [next(followed)]
        for _ in range(6):
            waiting.bob.sit(1)
            waiting.bob.stand(1)
        waiting.ana.cancel()
        seen += followed
        assert network.connections > 3
    assert [event["seq"] for event in seen] == list(range(1, seen[-1]["seq"] + 1))
    assert "aborted" in {event["kind"] for event in seen}
    assert [event["hash"] for event in seen] == [event["hash"] for event in waiting.ana.events()]


def test_a_record_that_is_cut_is_whole_in_the_end(
    place: Place, waiting: Pair, tmp_path: Path
) -> None:
    for _ in range(3):
        waiting.bob.sit(1)
        waiting.bob.stand(1)
    waiting.ana.cancel()
    whole, cut = tmp_path / "whole.ndjson", tmp_path / "cut.ndjson"
    waiting.ana.save_record(whole)
    with CuttingProxy(place.port, 4_000) as network, through(network.port, waiting.ana) as table:
        table.save_record(cut)
        assert network.connections > 1
    assert cut.read_bytes() == whole.read_bytes()
    assert sorted(tmp_path.iterdir()) == [cut, whole]


def test_a_limit_is_waited_for(place: Place) -> None:
    with Client(place.url, patience=0) as hasty, Client(place.url) as patient:
        with pytest.raises(TooMany) as refused:
            sign_up_without_end(hasty)
        assert refused.value.code == "rate_limited"
        assert 0 < refused.value.retry_after <= 2
        with patient.sign_up("Ana") as ana:
            assert ana.me()["name"] == "Ana"


def sign_up_without_end(client: Client) -> None:
    while True:
        client.sign_up("Ana").close()


def test_a_service_that_is_not_there_is_said_to_be_so() -> None:
    with Client(f"http://127.0.0.1:{processes.free_port()}", patience=0.5) as client:
        with pytest.raises(Unreachable, match="nothing listens there") as away:
            client.rulesets()
        assert away.value.why == NO_LISTENER


def test_whoever_waits_is_let_go_when_the_client_is_closed(place: Place, pair: Pair) -> None:
    came = threading.Event()
    ended: list[str] = []

    def follow(table: Table) -> None:
        try:
            for _event in table.follow():
                came.set()
        except Unreachable as error:
            ended.append(error.why)

    with through(place.port, pair.bob) as table:
        thread = threading.Thread(target=follow, args=(table,))
        thread.start()
        assert came.wait(30)
    thread.join(30)
    assert ended == [CUT]
    with pytest.raises(Unreachable, match="the client is closed"):
        table.game()


def test_a_store_that_dies_and_comes_back_costs_no_move(place: Place, pair: Pair) -> None:
    legal = pair.ana.legal_moves()

    def move(table: Table) -> MoveAnswer:
        return table.move(legal["moves"][0], seat=0, expected_version=legal["version"])

    kill_redis(place.store)
    with ThreadPoolExecutor() as pool, through(place.port, pair.ana, patience=0) as one_try:
        try:
            with pytest.raises(ServiceFailed) as refused:
                move(one_try)
            assert refused.value.passing
            moved = pool.submit(move, pair.ana)
            time.sleep(0.2)  # it is refused once or more often
            assert not moved.done()
        finally:
            place.store.start()
        assert moved.result(60)["seat"] == 0
    assert moves(pair.ana) == 1


def test_events_that_were_lost_are_told_with_the_receipts_of_them(place: Place, pair: Pair) -> None:
    followed = pair.ana.follow()
    first = next(followed)
    moment = Moment(make_client(place.store.url))
    kept = pair.bob.game()["version"]
    legal = pair.ana.legal_moves()
    lost = pair.ana.move(legal["moves"][0], seat=0, expected_version=legal["version"])["receipt"]
    assert until(followed, lost["seq"])[-1]["hash"] == lost["hash"]
    moment.come_back()
    pair.bob.resign(1)
    with pytest.raises(Rewound) as rewound:
        wait_for(lambda: list(followed))
    assert rewound.value.lost == [lost]
    assert rewound.value.version >= kept >= first["seq"]


def test_a_move_names_the_newest_event_that_its_player_has_seen(place: Place, pair: Pair) -> None:
    """So a service cannot take moves for another history than the one that it has shown."""
    moment = Moment(make_client(place.store.url))
    head = pair.ana.head()
    legal = pair.ana.legal_moves()
    lost = pair.ana.move(legal["moves"][0], seat=0, expected_version=legal["version"])["receipt"]
    (moved,) = [event for event in pair.ana.events() if event["kind"] == "moved"]
    assert moved["body"]["client"] == {"expected_head": head["hash"]}
    moment.come_back()
    with pytest.raises(Rewound) as rewound:
        pair.ana.move(legal["moves"][0], seat=0, expected_version=legal["version"])
    assert rewound.value.lost == [lost]
    pair.ana.move(legal["moves"][0], seat=0, expected_version=legal["version"])
    (moved,) = [event for event in pair.ana.events() if event["kind"] == "moved"]
    assert "client" not in moved["body"], "nothing of this history was seen"


def until(events: Iterator[Event], seq: int) -> list[Event]:
    found = []
    for event in events:
        found.append(event)
        if event["seq"] == seq:
            break
    return found
