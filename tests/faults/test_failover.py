"""A failover loses unreplicated events; no process may play on as if they existed."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from rules.kernel.proof.verify import verify
from service import settings
from service.api.app import create_app
from service.ledger import store
from service.runtime import Runtime, open_runtime
from tests import running
from tests.faults.failover import Pair, pair
from tests.faults.people import Client
from tests.faults.processes import web
from tests.service.api.people import House, Json, Person, data
from tests.service.api.test_stream import streaming

GAMES = 3


@pytest.fixture
def redis_pair(tmp_path: Path, redis_binary: Path | None) -> Iterator[Pair]:
    with pair(tmp_path, redis_binary) as made:
        yield made


class Node:
    """A web process with its players."""

    def __init__(self, url: str, replicas: int) -> None:
        env = running.environment(url, LONJA_REPLICAS_TO_WAIT=str(replicas))
        self.runtime: Runtime = open_runtime(settings.load(env))
        self.house = House(create_app(self.runtime))
        self.receipts: list[Json] = []

    def play(self, url: str, people: list[Person], rng: random.Random, moves: int) -> None:
        """Make the deciding seats play here, and keep the receipts."""
        for _ in range(moves):
            decisions = data(self._as(people[0]).get(url))["decisions"]
            if not decisions:
                return
            seat = rng.choice(decisions)["seat"]
            person = self._as(people[seat])
            answer = person.move(url, seat, rng.choice(person.legal(url, seat)["moves"]))
            if answer.status_code == 201:
                assert answer.json is not None
                self.receipts.append(answer.json["receipt"])

    def _as(self, person: Person) -> Person:
        return Person(self.house, person.headers, person.id, person.key)


def is_held(runtime: Runtime, receipt: Json) -> bool:
    """Whether the log has the event of a receipt."""
    found = runtime.ledger.events(receipt["game_id"], receipt["seq"] - 1, 1)
    return [event.hash.hex() for event, _prev_hash in found] == [receipt["hash"]]


@pytest.mark.parametrize("replicas", [0, 1])
@pytest.mark.parametrize("by_others", [5, 0], ids=["passed by", "ahead of the log"])
def test_nobody_plays_on_a_position_that_was_lost(
    redis_pair: Pair, replicas: int, by_others: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One process has lost events in memory; others make ``by_others`` moves before it reads."""
    rng = random.Random(f"{replicas} {by_others}")
    survivor, other = (Node(redis_pair.url, replicas) for _ in range(2))
    people = [survivor.house.player(), survivor.house.player()]
    urls = [survivor.house.table(*people) for _ in range(GAMES)]
    for url in urls:
        survivor.play(url, people, rng, 2)
        other.play(url, people, rng, 2)
    redis_pair.cut_off()
    with monkeypatch.context() as patched:
        patched.setattr(store, "WAIT_MS", 50)  # for the replica, which never gets these events
        for url in urls:
            survivor.play(url, people, rng, 2)
    redis_pair.fail_over()
    survivor.receipts.clear()
    for url in urls:
        other.play(url, people, rng, by_others)
        survivor.play(url, people, rng, 3)
        for node in (other, survivor) * 100:
            node.play(url, people, rng, 1)
    stored = Node(redis_pair.url, 0).runtime
    for receipt in survivor.receipts + other.receipts:
        assert is_held(stored, receipt)
    for url in urls:
        game_id = url.rpartition("/")[2]
        report = verify(game_id, running.copies(stored, game_id), stored.registry)
        assert report.ok, report.to_json()
        assert report.status == "ended"


def test_a_stream_whose_events_were_lost_says_so(redis_pair: Pair) -> None:
    survivor, other = (Node(redis_pair.url, 0) for _ in range(2))
    rng = random.Random(1)
    people = [survivor.house.player(), survivor.house.player()]
    url = survivor.house.table(*people)
    redis_pair.cut_off()
    kept = data(survivor.house.visitor.get(url))["version"]
    survivor.play(url, people, rng, 3)
    lost = data(survivor.house.visitor.get(url))["version"]
    with streaming(survivor.house.visitor, f"{url}/stream") as stream:
        for seq in range(1, lost + 1):
            assert stream.event()["seq"] == seq
        redis_pair.fail_over()
        other.play(url, people, rng, 20)  # until the new log is at least as long as the old one
        message = stream.message()
        while message == ": keep-alive":
            message = stream.message()
        now = data(other.house.visitor.get(url))["version"]
        assert now > lost > kept
        assert message == f'event: rewound\ndata: {{"version":{now}}}'
        with pytest.raises(StopIteration):
            stream.message()
    with streaming(survivor.house.visitor, f"{url}/stream", Last_Event_ID=str(now + 9)) as stream:
        assert stream.message() == "retry: 2000"
        assert stream.message() == f'event: rewound\ndata: {{"version":{now}}}'


def test_two_web_servers_agree_after_a_failover(redis_pair: Pair, tmp_path: Path) -> None:
    rng = random.Random(2)
    with (
        web(redis_pair.url, tmp_path / "one.log", "service.api.wsgi:app") as one,
        web(redis_pair.url, tmp_path / "other.log", "service.api.wsgi:app") as other,
    ):
        ana = Client(one).player()
        there = Client(other, ana.key, ana.id)
        game = ana.open("sealed", "greedy")
        game_id = game.rpartition("/")[2]
        runtime = running.runtime_on(redis_pair.url)
        there.get(game)
        redis_pair.cut_off()
        ana.post(f"{game}/resignations", {"seat": 0})  # this event is lost
        redis_pair.fail_over()
        assert runtime.ledger.table(game_id).game.seats[0].resigned is False
        for client in (there, ana):
            move = {"seat": 0, **_choice(client, game, rng)}
            receipt = client.post(f"{game}/moves", move)["receipt"]
            assert is_held(runtime, receipt)


def _choice(client: Client, game: str, rng: random.Random) -> Json:
    listed = client.get(f"{game}/legal_moves")
    return {"move": rng.choice(listed["moves"]), "expected_version": listed["version"]}
