"""What a store lost before the log had it is told apart from a second history."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest
from click.testing import CliRunner

from rules.kernel.canonical import JsonObject
from service.cli import main
from service.publishing.folder import LogFolder
from service.records.statements import RESTARTED
from service.redis.server import RedisServer
from service.runtime import Runtime
from service.tlog.tiles import WIDTH
from tests import running
from tests.running import ME, runtime_on
from tests.service.ledger.conftest import Moment
from tests.service.publishing import logs


@pytest.fixture
def redis(tmp_path: Path, redis_binary: Path | None) -> Iterator[RedisServer]:
    with RedisServer(tmp_path / "redis", binary=redis_binary) as server:
        yield server


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "log"


def moved(runtime: Runtime, game_id: str, which: int = 0) -> JsonObject:
    """Move; return the receipt of the newest event."""
    game = running.game(runtime, game_id)
    seat = next(iter(game.asked))
    chosen = game.ruleset.legal_moves(game.state, seat)[which].to_json()
    runtime.tables.move(game_id, seat, chosen, game.version, running.PLAYER)
    receipt: JsonObject = runtime.signer.head(running.game(runtime, game_id))
    return receipt


def ask(receipt: JsonObject, path: Path, runtime: Runtime, *more: str) -> Any:
    """Return what `lonja verify` tells of a receipt and a log."""
    folder = LogFolder(path)
    keys = [word for key in folder.signer.verifiers for word in ("--log-key", str(key))]
    folder.close()
    file = path.parent / "receipt.json"
    file.write_bytes(orjson.dumps(receipt))
    key = runtime.signer.public_key.hex()
    words = ["verify", "--receipt", file, "--log", path, *keys, "--public-key", key, *more]
    result = CliRunner().invoke(main, [*map(str, words), "--json"])
    assert result.exit_code in (0, 1, 3), result.output
    return orjson.loads(result.stdout)


def test_a_store_that_lost_what_the_log_had_not_yet(
    redis: RedisServer, path: Path, tmp_path: Path
) -> None:
    """As a failover does: nobody forked, and the log says when something may have been lost."""
    runtime = runtime_on(redis.url)
    game_id = running.open_game(runtime, "sealed", ME, ME)
    kept = moved(runtime, game_id)
    logs.build(runtime.ledger.store, path)
    then = Moment(runtime.redis)
    lost = moved(runtime, game_id)
    new = running.open_game(runtime, "sealed", ME, ME)
    unlogged = moved(runtime, new)
    then.come_back()
    redis.stop()
    redis.start()
    after = runtime_on(redis.url)
    assert ask(lost, path, after)["verdict"] == "not_yet"
    other = moved(after, game_id, -1)
    assert (lost["seq"], lost["hash"]) != (other["seq"], other["hash"])
    logs.build(after.ledger.store, path)
    (said,) = (one for one in logs.statements(path) if one.kind == RESTARTED)
    assert said.until is not None
    assert said.at < lost["at"] <= unlogged["at"] <= said.until
    found = ask(lost, path, after)
    assert found["verdict"] == "lost"
    assert f"between {said.at} and {said.until} the store was restarted" in found["why"]
    assert [ask(each, path, after)["verdict"] for each in (kept, other)] == ["kept", "kept"]
    size = len(logs.entries(path))
    for _ in range(2):  # it is said once
        logs.build(after.ledger.store, path)
    assert len(logs.entries(path)) == size
    assert ask(unlogged, path, after)["verdict"] == "untold"  # the folder alone cannot tell


def test_a_restart_that_loses_nothing_excuses_nothing_else(
    redis: RedisServer, path: Path, tmp_path: Path, redis_binary: Path | None
) -> None:
    """A fork on copied folders, of which the log that is shown was restarted before it."""
    runtime = runtime_on(redis.url)
    game_id = running.open_game(runtime, "sealed", ME, ME)
    before = moved(runtime, game_id)
    logs.build(runtime.ledger.store, path)
    redis.stop()
    redis.start()
    honest = runtime_on(redis.url)
    logs.build(honest.ledger.store, path)
    assert RESTARTED in {one.kind for one in logs.statements(path)}
    assert ask(before, path, honest)["verdict"] == "kept"
    redis.stop()
    shutil.copytree(tmp_path / "redis", tmp_path / "copied")
    redis.start()
    with RedisServer(tmp_path / "copied", binary=redis_binary) as copied:
        honest, fork = runtime_on(redis.url), runtime_on(copied.url)
        logs.build(honest.ledger.store, path)
        forked = moved(fork, game_id, -1)
        assert forked["hash"] != moved(honest, game_id)["hash"]
        logs.build(honest.ledger.store, path)
        file = tmp_path / "evidence.json"
        assert ask(forked, path, fork, "--evidence", str(file))["verdict"] == "broken"
    assert file.exists()


def test_a_server_whose_clock_is_behind_is_covered(
    redis: RedisServer, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its events have the time of the newest one until its clock catches up."""
    runtime = runtime_on(redis.url)
    running.open_game(runtime, "sealed", ME, ME)
    logs.build(runtime.ledger.store, path)
    redis.stop()
    redis.start()
    store = runtime_on(redis.url).ledger.store
    monkeypatch.setattr(store.clock, "now_ms", lambda: store.clock.ask() - 3_600_000)
    logs.build(store, path)
    (said,) = (one for one in logs.statements(path) if one.kind == RESTARTED)
    assert said.until is not None
    assert said.at < said.until


def test_a_folder_that_does_not_know_its_server_says_so_once(
    redis: RedisServer, path: Path
) -> None:
    runtime = runtime_on(redis.url)
    running.open_game(runtime, "sealed", ME, ME)
    logs.build(runtime.ledger.store, path)
    assert RESTARTED not in {one.kind for one in logs.statements(path)}
    (path / "server").write_text("damaged")
    for _ in range(2):
        logs.build(runtime.ledger.store, path)
    assert [one.kind for one in logs.statements(path)].count(RESTARTED) == 1
    assert len(logs.entries(path)) < WIDTH
