"""An operator's drill: back up during play, lose the store, restore it, find missing events."""

import random
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import NamedTuple

import orjson
import pytest

from service.upkeep import backup_check
from service.upkeep.backup_check import Copy
from tests.faults import processes
from tests.faults.people import Client, Json, wait_for
from tests.running import ROOT, environment

PEOPLE = 3
SMALL = {"LONJA_WEB_WORKERS": "1", "LONJA_BOT_WORKERS": "1", "LONJA_TOURNAMENT_WORKERS": "0"}


class Promise(NamedTuple):
    """A receipt, and the times at which its request was sent and answered."""

    sent: float
    answered: float
    receipt: Json

    @property
    def event(self) -> tuple[str, int]:
        return self.receipt["game_id"], self.receipt["seq"]


class Player(threading.Thread):
    """A client that plays one game after another, and keeps every receipt."""

    def __init__(self, client: Client, seed: int, stop: threading.Event) -> None:
        super().__init__(daemon=True)
        self.client = client
        self.kept: list[Promise] = []
        self.game = ""
        self.failure: BaseException | None = None
        self._rng = random.Random(seed)
        self._stop_playing = stop

    def run(self) -> None:
        try:
            while not self._stop_playing.is_set():
                if not self.game:
                    self.game = self.client.open("sealed", "greedy", "random")
                self._move()
        except BaseException as error:  # noqa: BLE001 - the test tells
            self.failure = error

    def _move(self) -> None:
        move = self.client.next_move(self.game, self._rng, 60)
        if move is None:
            self.game = ""
            return
        sent = time.monotonic()
        answer = self.client.post(f"{self.game}/moves", move)
        self.kept.append(Promise(sent, time.monotonic(), answer["receipt"]))


def last_events(path: Path) -> dict[str, int]:
    """Return the number of events of each game in a backup."""
    copies = [copy for copy in backup_check.copies(path, {}) if isinstance(copy, Copy)]
    return {copy.stream.id: len(copy.stored()) for copy in copies}


@pytest.mark.timeout(300)
def test_the_drill(tmp_path: Path) -> None:
    path, receipts = tmp_path / "backup.gz", tmp_path / "receipts.ndjson"
    port, stop = processes.free_port(), threading.Event()
    env = environment("", LONJA_DATA_DIR=str(tmp_path / "lost"))
    with processes.serve(tmp_path / "lost", port, "--no-exhibition", **SMALL):
        people = [Player(Client(port).player(), seed, stop) for seed in range(PEOPLE)]
        for each in people:
            each.start()

        def kept() -> list[Promise]:
            assert [each.failure for each in people] == [None] * PEOPLE
            return [promise for each in people for promise in each.kept]

        wait_for(lambda: len(kept()) >= 20, 60)
        began = time.monotonic()
        told = orjson.loads(processes.lonja("backup", str(path), "--json", env=env))
        ended = time.monotonic()
        wait_for(lambda: sum(promise.sent > ended for promise in kept()) >= 20, 60)
        stop.set()
        for each in people:
            each.join(90)
    assert told["findings"] == []

    env = environment("", LONJA_DATA_DIR=str(tmp_path / "found"))
    del env["REDIS_URL"]
    restored = orjson.loads(processes.lonja("restore", str(path), "--json", env=env))
    assert restored["findings"] == []
    assert restored["counts"] == told["counts"]

    promises = kept()
    receipts.write_bytes(b"\n".join(orjson.dumps(promise.receipt) for promise in promises))
    known = last_events(path)
    lacking = {p.event for p in promises if p.event[1] > known.get(p.event[0], 0)}
    assert not lacking & {promise.event for promise in promises if promise.answered < began}
    assert lacking >= {promise.event for promise in promises if promise.sent > ended}

    port = processes.free_port()
    with processes.serve(tmp_path / "found", port, "--no-exhibition", **SMALL):
        found = missing(receipts, env)
        assert {(one["game_id"], one["seq"]) for one in found} == lacking
        assert all(one["signed_here"] and one["missing"] for one in found)
        for each in people:
            again = Client(port, each.client.key, each.client.id)
            mine = again.get("/v1/games?player=me&status=running")["games"]
            for game in mine:
                again.play_on(f"/v1/games/{game['id']}", random.Random(1))
                record = tmp_path / f"{game['id']}.ndjson"
                processes.lonja("export", game["id"], "--output", str(record), env=env)
                key = told["public_key"]
                processes.lonja("verify", str(record), "--public-key", key, env=env)
        assert "0 findings" in processes.lonja("ledger", "check", env=env)


def missing(receipts: Path, env: dict[str, str]) -> list[Json]:
    command = [sys.executable, *processes.LONJA, "ledger", "check", "--receipts", str(receipts)]
    done = subprocess.run(
        [*command, "--json"], env=env, cwd=ROOT, capture_output=True, timeout=60, check=False
    )
    assert done.returncode == 1, done.stderr
    findings: list[Json] = orjson.loads(done.stdout)["findings"]
    return findings
