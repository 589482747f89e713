"""``lonja verify --log`` as a stranger runs it, against a service that a test runs and forks."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import orjson
import pytest
from lonja_client import Client, Table

from rules.kernel.canonical import JsonObject
from service.ledger import export
from service.publishing.folder import LogFiles
from service.records import game_file
from service.redis.server import RedisServer
from service.runtime import Runtime
from tests import running
from tests.faults import processes
from tests.running import runtime_on
from tests.service.cli.conftest import Lonja
from tests.service.cli.terminal.places import APPLICATION
from tests.service.publishing import logs

ME = {"holder": "me"}


class Place(NamedTuple):
    """A service with a public log, and the keys of the log."""

    folder: Path
    redis: RedisServer
    runtime: Runtime
    url: str
    log: Path

    @property
    def keys(self) -> list[str]:
        return [
            word for key in LogFiles(self.log).keys().verifiers for word in ("--log-key", str(key))
        ]

    def build(self) -> None:
        logs.build(self.runtime.ledger.store, self.log)

    def write(self, receipt: JsonObject) -> Path:
        file = self.folder / "receipt.json"
        file.write_bytes(orjson.dumps(receipt))
        return file

    def record(self, game_id: str) -> Path:
        table = self.runtime.ledger.table(game_id)
        first, *more = export.lines(self.runtime, table, None)
        game_file.write(self.folder / "game.ndjson", first, more)
        return self.folder / "game.ndjson"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory, redis_binary: Path | None) -> Iterator[Place]:
    folder, port = tmp_path_factory.mktemp("service"), processes.free_port()
    log = folder / "log"
    with (
        RedisServer(folder / "redis", binary=redis_binary) as redis,
        processes.web_on(
            port, redis.url, folder / "web.log", APPLICATION, LONJA_PUBLIC_LOG=str(log)
        ),
    ):
        yield Place(folder, redis, runtime_on(redis.url), f"http://127.0.0.1:{port}", log)


@pytest.fixture
def ana(place: Place) -> Iterator[Client]:
    with Client(place.url) as visitor, visitor.sign_up("Ana") as found:
        yield found


def move(table: Table) -> JsonObject:
    """Play a move of the seat that is asked; return its receipt."""
    seat = table.game()["decisions"][0]["seat"]
    legal = table.legal_moves(seat)
    answer = table.move(legal["moves"][0], seat=seat, expected_version=legal["version"])
    return {**answer["receipt"]}


def told(lonja: Lonja, place: Place, receipt: JsonObject, *more: Any, log: Any = None) -> Any:
    """Return what the command says, after comparing its exit code."""
    asked = ("--receipt", place.write(receipt), "--log", log or place.url, *place.keys)
    result = lonja("verify", *asked, "--json", *more)
    found = orjson.loads(result.stdout)
    codes = {"kept": 0, "broken": 1}
    assert result.exit_code == codes.get(found["verdict"], 3), result.output
    return found


def test_an_honest_log_keeps_what_receipts_promise(lonja: Lonja, place: Place, ana: Client) -> None:
    table = ana.open("sealed", [ME, ME])
    first = move(table)
    place.build()
    kept = told(lonja, place, first)
    assert (kept["verdict"], kept["leaves"][0]["leaf"]["hash"]) == ("kept", first["hash"])
    assert kept["log"]["origin"] == LogFiles(place.log).keys().origin
    assert not kept["signed_by"]["trusted"]
    early, last = move(table), move(table)
    waits = told(lonja, place, last)
    assert (waits["verdict"], waits["evidence"]) == ("not_yet", None)
    assert 0 < waits["seconds_left"] <= 120
    place.build()
    key = ("--public-key", kept["signed_by"]["public_key"])
    for receipt in (early, last, first):
        found = told(lonja, place, receipt, *key, log=f"{place.url}/log/")
        assert (found["verdict"], found["signed_by"]["trusted"]) == ("kept", True)
    # A copy of the log in a folder has no headers, and the record has them.
    for log in (place.log, place.log / "public"):
        assert told(lonja, place, last, *key, log=log)["verdict"] == "kept"
        assert told(lonja, place, early, *key, log=log)["verdict"] == "untold"
        record = place.record(table.id)
        assert told(lonja, place, early, record, log=log)["verdict"] == "kept"
    words = lonja("verify", "--receipt", place.write(early), "--log", place.url, *place.keys)
    assert "The promise is kept." in words.output
    assert "nobody but the operator" in words.output


def test_a_tournament_keeps_its_promises_by_its_events(
    lonja: Lonja, place: Place, ana: Client
) -> None:
    entries = [{"bot": "greedy"}, {"bot": "random"}]
    form = {"type": "round_robin", "games": 2}
    body = {"ruleset": "sealed", "seats": 2, "entries": entries, "format": form}
    path = f"/tournaments/{ana.post('/tournaments', body)['id']}"
    receipt = ana.get(f"{path}/head")
    ana.post(f"{path}/pause")
    place.build()
    found = told(lonja, place, receipt)
    assert (found["verdict"], found["leaves"][0]["leaf"]["seq"]) == ("kept", receipt["seq"] + 1)


def test_a_game_that_is_not_public_cannot_be_told(lonja: Lonja, place: Place, ana: Client) -> None:
    table = ana.open("sealed", [ME, ME], table={"visibility": "private"})
    receipt = move(table)
    place.build()
    assert "--key" in told(lonja, place, receipt)["why"]
    assert ana.key is not None
    found = told(lonja, place, receipt, "--key", ana.key)
    assert (found["verdict"], "pseudonym" in found["why"]) == ("untold", True)


def test_a_second_server_on_a_copied_folder_is_found_out(
    lonja: Lonja, place: Place, ana: Client, tmp_path: Path, redis_binary: Path | None
) -> None:
    table = ana.open("sealed", [ME, ME])
    before = move(table)
    place.build()
    shutil.copytree(place.folder / "redis", tmp_path / "redis")
    with RedisServer(tmp_path / "redis", binary=redis_binary) as copied:
        fork = runtime_on(copied.url)
        kept = []
        for _ in range(2):
            game = running.game(fork, table.id)
            seat = next(iter(game.asked))
            chosen = game.ruleset.legal_moves(game.state, seat)[-1].to_json()
            fork.tables.move(table.id, seat, chosen, game.version, ana.player_id)
            kept.append(fork.signer.head(running.game(fork, table.id)))
    _, honest = move(table), move(table)
    place.build()
    evidence = tmp_path / "evidence.json"
    for receipt in kept:
        found = told(lonja, place, receipt, "--evidence", evidence)
        assert (found["verdict"], found["evidence"]) == ("broken", str(evidence))
        assert "two histories" in found["why"]
        shown = orjson.loads(evidence.read_bytes())
        assert shown["receipt"] == receipt
        assert shown["checkpoint"].encode() == (place.log / "public/checkpoint").read_bytes()
        assert shown["leaves"] == found["leaves"]
        evidence.unlink()
    for receipt in (before, honest):
        assert told(lonja, place, receipt, "--evidence", evidence)["verdict"] == "kept"
        assert not evidence.exists()


def test_what_is_wrong_with_the_input_is_said(
    lonja: Lonja, place: Place, ana: Client, tmp_path: Path
) -> None:
    table = ana.open("sealed", [ME, ME])
    receipt = move(table)
    place.build()
    log = ("--log", place.url, *place.keys)
    key = ("--public-key", place.runtime.signer.public_key.hex())
    other = LogFiles(place.log).keys().generate("example.org/log").verifiers

    def refusal(given: JsonObject, *words: Any) -> str:
        result = lonja("verify", "--receipt", place.write(given), *words)
        assert result.exit_code == 2, result.output
        return " ".join(result.stderr.split())

    assert "not signed with the key" in refusal({**receipt, "seq": 1}, *log)
    assert "no seq" in refusal({k: v for k, v in receipt.items() if k != "seq"}, *log)
    assert "does not know the key" in refusal({**receipt, "key_id": "0" * 16}, *log)
    assert "not signed by" in refusal(receipt, "--log", place.url, "--log-key", other[0])
    assert "no folder" in refusal(receipt, "--log", tmp_path / "no", *place.keys, *key)
    assert "Name the key" in refusal(receipt, "--log", place.log, *place.keys)
    assert "no checkpoint" in refusal(receipt, "--log", tmp_path, *place.keys, *key)
    assert "NAME+ID+KEY" in refusal(receipt, "--log", place.url, "--log-key", "key")
    assert "--log-key" in refusal(receipt, "--log", place.url)
    assert "name it" in refusal(receipt, *place.keys)
    assert "--bots" in refusal(receipt, *log, "--bots")
    strange = place.record(ana.open("sealed", [ME, ME]).id)
    assert "the receipt is of" in refusal(receipt, strange, *log)
    copy = tmp_path / "copy"
    shutil.copytree(place.log / "public", copy)
    for file in (copy / "tile/entries").rglob("*"):
        if file.is_file():
            file.write_bytes(file.read_bytes()[:-1])
    assert "no log that is whole" in refusal(receipt, "--log", copy, *place.keys, *key)


class Signed(NamedTuple):
    """A head that the service has signed some time ago."""

    id: str
    version: int
    head: bytes = b"\1" * 32
    at: str = "2026-11-20T21:29:00.123Z"


def test_a_game_that_was_dropped_or_cut_is_missed(lonja: Lonja, place: Place, ana: Client) -> None:
    table = ana.open("sealed", [ME, ME])
    early = move(table)
    move(table)
    place.build()
    cut = told(lonja, place, place.runtime.signer.head(Signed(table.id, 99)))
    assert (cut["verdict"], "had event" in cut["why"]) == ("broken", True)
    dropped = place.runtime.signer.head(Signed(f"{table.id[:4]}{'a' * 20}", 9))
    assert told(lonja, place, dropped)["verdict"] == "untold"  # it may be a private game
    assert ana.key is not None
    found = told(lonja, place, dropped, "--key", ana.key)
    assert (found["verdict"], "had nothing of" in found["why"]) == ("broken", True)
    assert told(lonja, place, early)["verdict"] == "kept"
    redis = place.runtime.redis
    redis.delete(*redis.scan_iter(f"*{table.id}*"))
    found = told(lonja, place, early)
    assert (found["verdict"], "serves no headers" in found["why"]) == ("broken", True)
