"""Many concurrent clients on two web processes: no request fails, and no move counts twice."""

import random
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from service.redis.server import RedisServer
from service.runtime import Runtime
from tests.campaigns import left_to
from tests.faults import processes
from tests.faults.conftest import Whole, proves
from tests.faults.people import Answer, Client, Json

SEATS = 4
REFUSED = ("stale_version", "not_your_turn", "game_over")


@pytest.fixture(scope="module")
def port(server: RedisServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    log = tmp_path_factory.mktemp("race") / "log"
    with processes.web(server.url, log, "service.api.wsgi:app", workers=2) as port:
        yield port


class Table:
    """A game with four players."""

    def __init__(self, port: int, ruleset: str) -> None:
        self.people = [Client(port).player(name) for name in ("Ana", "Bea", "Ciro", "Dani")]
        seats = [{"holder": "me"}, *({"holder": "open"} for _ in range(SEATS - 1))]
        opened = self.people[0].post(
            "/v1/games", {"ruleset": ruleset, "options": {}, "seats": seats}
        )
        self.game_id = opened["id"]
        self.game = f"/v1/games/{self.game_id}"
        for seat, person in enumerate(self.people[1:], 1):
            assert person.ask("PUT", f"{self.game}/seats/{seat}").status == 200

    def events(self) -> list[Json]:
        return self.people[0].events(self.game)

    def form(self, seat: int, rng: random.Random) -> Json | None:
        """Return a move for the seat if it has a decision."""
        listed = self.people[seat].get(f"{self.game}/legal_moves")
        if not listed["moves"]:
            return None
        return {
            "seat": seat,
            "move": rng.choice(listed["moves"]),
            "expected_version": listed["version"],
        }

    def send(self, form: Json, **headers: Any) -> Answer:
        return self.people[form["seat"]].ask("POST", f"{self.game}/moves", form, **headers)

    def check(self, told: list[Answer], runtime: Runtime) -> None:
        """Fail unless the log has exactly the acknowledged moves, each once."""
        log = self.events()
        assert [event["seq"] for event in log] == list(range(1, len(log) + 1))
        moved = {e["seq"]: e["by"]["seat"] for e in log if e["kind"] == "moved"}
        accepted = [answer.json for answer in told if answer.status == 201]
        firsts = [answer["events"][0]["seq"] for answer in accepted]
        assert sorted(firsts) == sorted(moved)
        assert all(moved[a["events"][0]["seq"]] == a["seat"] for a in accepted)
        for answer in accepted:
            for event in answer["events"]:
                assert log[event["seq"] - 1]["hash"] == event["hash"]
        proves(runtime, self.game_id)


def together(*acts: Callable[[], object]) -> None:
    """Run all functions at the same time; raise their errors here."""
    failures: list[BaseException] = []
    barrier = threading.Barrier(len(acts))

    def run(act: Callable[[], object]) -> None:
        try:
            barrier.wait(20)
            act()
        except BaseException as error:  # noqa: BLE001 - raised below
            failures.append(error)

    threads = [threading.Thread(target=run, args=(act,), daemon=True) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(100)
    assert failures == []


@pytest.mark.parametrize("ruleset", left_to("crashes", ["sealed", "santiago_de_cuba"], "sealed"))
def test_two_for_each_seat_race_through_a_game(
    ruleset: str, port: int, runtime: Runtime, whole: Whole
) -> None:
    table = Table(port, ruleset)
    told: list[Answer] = []

    def play(seat: int, number: int) -> None:
        rng = random.Random(10 * seat + number)
        while not table.people[seat].is_over(table.game):
            form = table.form(seat, rng)
            if form is not None:
                told.append(table.send(form, Idempotency_Key=f"{number}-{rng.random()}"))

    together(*(lambda s=s, n=n: play(s, n) for s in range(SEATS) for n in range(2)))
    codes = Counter(a.status if a.status == 201 else a.json["code"] for a in told)
    print(codes)  # noqa: T201
    assert set(codes) <= {201, *REFUSED}
    table.check(told, runtime)
    whole(runtime)


def test_sealed_bids_at_once_stale_nobody(port: int, runtime: Runtime, whole: Whole) -> None:
    rng = random.Random(3)
    table = Table(port, "sealed")
    told: list[Answer] = []
    rounds = 0
    while not table.people[0].is_over(table.game):
        forms = [form for seat in range(SEATS) if (form := table.form(seat, rng)) is not None]
        together(*(lambda form=form: told.append(table.send(form)) for form in forms))
        assert [answer.status for answer in told] == [201] * len(told)
        rounds += len(forms) == SEATS
    assert rounds > 1
    table.check(told, runtime)
    whole(runtime)


def test_one_request_sent_eight_times_at_once_counts_once(port: int, runtime: Runtime) -> None:
    rng = random.Random(4)
    table = Table(port, "sealed")
    distinct: list[Answer] = []
    while not table.people[0].is_over(table.game):
        form = next(form for s in range(SEATS) if (form := table.form(s, rng)) is not None)
        told: list[Answer] = []
        key = f"key-{len(distinct)}"
        together(*[lambda: told.append(table.send(form, Idempotency_Key=key))] * 8)  # noqa: B023
        assert [answer.status for answer in told] == [201] * 8
        assert len({answer.body for answer in told}) == 1
        assert sum("Idempotent-Replayed" in answer.headers for answer in told) == 7
        distinct.append(told[0])
    table.check(distinct, runtime)
