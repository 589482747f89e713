"""``kill -9`` to every process of ``lonja serve`` at random moments; nothing acknowledged is lost.

Meanwhile clients play, each move with an Idempotency-Key, and repeat unanswered requests.
"""

import random
import threading
from collections.abc import Iterator
from pathlib import Path

import orjson
import pytest
from click.testing import CliRunner

from service.cli import main
from tests.campaigns import Figure
from tests.faults import processes
from tests.faults.people import LOST, Answer, Client, Json, answers, wait_for
from tests.running import environment

PEOPLE_ALONE = {"LONJA_TOURNAMENT_WORKERS": "0"}
RETRIED = (429, 500, 502, 503)
HEADER = ("seq", "kind", "by", "at", "last", "parts", "state_proof", "hash")
"""The fields of an event that are the same for everybody at any time; its body may open later."""


class Table(threading.Thread):
    """A client that keeps playing one game, and records all answers."""

    def __init__(self, client: Client, game: str, seed: int, sending: threading.Event) -> None:
        super().__init__(daemon=True)
        self.client = client
        self.game = game
        self.said: list[Json] = []
        self.lost = 0
        self.sending = sending
        self.surprises: list[object] = []
        self.over = False
        self._rng = random.Random(seed)

    def run(self) -> None:
        try:
            while not self.over:
                self._move()
        except BaseException as error:  # noqa: BLE001 - the test tells
            self.surprises.append(error)

    def _move(self) -> None:
        try:
            move = self.client.next_move(self.game, self._rng, 60)
        except (*LOST, AssertionError):
            self.lost += 1
            self._wait()
            return
        if move is None:
            self.over = True
            return
        answer = self._send(move, f"move-{len(self.said)}")
        if answer.status != 201:
            self.surprises.append(answer)
            self.over = True
            return
        self.said.append(answer.json)

    def _send(self, move: Json, key: str) -> Answer:
        """Repeat a request until there is an answer."""
        while True:
            try:
                self.sending.set()
                answer = self.client.ask(
                    "POST", f"{self.game}/moves", move, Idempotency_Key=key, timeout=10
                )
            except LOST:
                answer = None
            if answer is not None and answer.status not in RETRIED:
                return answer
            self.lost += 1
            self._wait()

    def _wait(self) -> None:
        wait_for(lambda: answers(self.client.port, "/readyz"), 60)

    def check(self) -> None:
        """Fail unless the log has each acknowledged move once, and no other move of this client."""
        log = self.client.events(self.game)
        assert [event["seq"] for event in log] == list(range(1, len(log) + 1))
        for told in self.said:
            events = told["events"]
            kept = log[events[0]["seq"] - 1 : told["version"]]
            assert [_header(e) for e in kept] == [_header(e) for e in events]
            for before, now in zip(events, kept, strict=True):
                assert before["body"].items() <= now["body"].items()
            assert told["receipt"]["hash"] == log[told["receipt"]["seq"] - 1]["hash"]
        mine = [e["seq"] for e in log if e["kind"] == "moved" and e["by"]["seat"] == 0]
        assert mine[: len(self.said)] == [told["events"][0]["seq"] for told in self.said]
        assert len(mine) <= len(self.said) + (not self.over)


def _header(event: Json) -> Json:
    return {name: event[name] for name in HEADER}


@pytest.fixture
def port() -> int:
    return processes.free_port()


def sit_down(port: int, seeds: Iterator[int], sending: threading.Event) -> Table:
    """Open a table as a new player, who may withhold entropy, so that the clock starts the game."""
    client = Client(port).player()
    seed = next(seeds)
    ruleset = ("sealed", "santiago_de_cuba")[seed % 2]
    me: Json = {"holder": "me", **({"entropy_commitment": "00" * 32} if seed % 4 > 1 else {})}
    seats = [me, *({"holder": "bot", "bot": bot} for bot in ("greedy", "random"))]
    lenient = {"entropy_mode": "lenient", "entropy_seconds": 1}
    game = client.post("/v1/games", {"ruleset": ruleset, "seats": seats, **lenient})["id"]
    return Table(client, f"/v1/games/{game}", seed, sending)


def torture(data: Path, port: int, kills: int, count: int, seed: int, tmp_path: Path) -> int:
    """Kill all processes again and again; return the number of acknowledged moves."""
    rng, seeds = random.Random(seed), iter(range(10_000))
    tables: list[Table] = []
    sending = threading.Event()
    for _ in range(kills):
        with processes.serve(data, port, "--no-exhibition", **PEOPLE_ALONE) as launcher:
            while sum(not table.over for table in tables) < count:
                tables.append(sit_down(port, seeds, sending))
                tables[-1].start()
            wanted = sum(len(table.said) for table in tables) + rng.randrange(5, 40)
            wait_for(lambda: sum(len(table.said) for table in tables) >= wanted, 60)  # noqa: B023 - called at once
            assert len(processes.descendants(launcher.pid)) >= 4  # web processes, workers, Redis
            sending.clear()
            sending.wait(5)  # to have moves in progress
            processes.kill_tree(launcher)
    with processes.serve(data, port, "--no-exhibition", **PEOPLE_ALONE) as launcher:
        for table in tables:
            table.join(100)
            assert table.surprises == []
            assert table.over
            table.check()
        assert any(table.lost for table in tables), "nobody noticed"
        starts = [
            e["by"] for t in tables for e in t.client.events(t.game) if e["kind"] == "started"
        ]
        assert starts.count({"service": "clock"}) >= len(tables) // 4
        assert len(starts) == len(tables)
        env = environment("", LONJA_DATA_DIR=str(data))
        assert "0 findings" in processes.lonja("ledger", "check", env=env)
        for number, table in enumerate(tables):
            record, receipt = tmp_path / f"{number}.ndjson", tmp_path / f"{number}.json"
            receipt.write_bytes(orjson.dumps(table.said[-1]["receipt"]))
            game_id = table.game.rpartition("/")[2]
            run_here("export", game_id, "--output", str(record), env=env)
            run_here("verify", str(record), "--receipt", str(receipt), env=env)
        assert launcher.poll() is None
    return sum(len(table.said) for table in tables)


def run_here(*arguments: str, env: dict[str, str]) -> None:
    """Run a command that must succeed, in this process, because each game needs two commands."""
    done = CliRunner(env=env).invoke(main, arguments)
    assert done.exit_code == 0, done.output


@pytest.mark.timeout(300)
def test_nothing_acknowledged_is_lost(port: int, tmp_path: Path) -> None:
    torture(tmp_path / "data", port, kills=3, count=4, seed=1, tmp_path=tmp_path)


@pytest.mark.campaign("kills")
@pytest.mark.timeout(900)
def test_nothing_acknowledged_is_lost_in_many_kills(
    port: int, tmp_path: Path, record_property: Figure
) -> None:
    moves = torture(tmp_path / "data", port, kills=20, count=8, seed=2, tmp_path=tmp_path)
    record_property("kills", 20)
    record_property("acknowledged moves", moves)
