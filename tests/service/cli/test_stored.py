"""Commands on a service's Redis."""

from collections.abc import Callable
from pathlib import Path

import orjson
import pytest
from redis import Redis

from service.ids import shard_of
from service.ledger.keys import game_key, shard_key
from service.record import read
from service.redis_server import RedisServer
from service.runtime import Runtime
from tests import running
from tests.running import ME, PLAYER, bot, open_game
from tests.service.cli.conftest import Lonja
from workers.turns import Turns

GREEDY = bot("greedy")


@pytest.fixture
def worker(redis_server: RedisServer, redis_client: Redis) -> Runtime:
    return running.runtime_on(redis_server.url, announce=False)


@pytest.fixture
def stored(lonja: Lonja, worker: Runtime, monkeypatch: pytest.MonkeyPatch) -> Lonja:
    """Run a command on the test's Redis."""
    monkeypatch.setenv("REDIS_URL", worker.settings.redis_url or "")
    return lonja


@pytest.fixture
def ended(worker: Runtime) -> str:
    game_id = open_game(worker, "sealed", GREEDY, GREEDY)
    for _ in range(20):
        Turns(worker).play(game_id)
    return game_id


@pytest.fixture
def going(worker: Runtime) -> str:
    game_id = open_game(worker, "sealed", GREEDY, ME)
    Turns(worker).play(game_id)
    return game_id


Export = Callable[..., Path]


@pytest.fixture
def export(stored: Lonja, tmp_path: Path) -> Export:
    def export(game_id: str, *more: object) -> Path:
        path = tmp_path / "game.ndjson"
        result = stored("export", game_id, "--output", path, *more)
        assert result.exit_code == 0, result.output
        return path

    return export


def test_an_ended_game_is_exported_and_verifies(
    stored: Lonja, export: Export, ended: str, worker: Runtime
) -> None:
    path = export(ended)
    record = read(path)
    assert record.header["status"] == "ended"
    assert record.header["public_key"] == worker.signer.public_key.hex()
    assert record.copies == running.copies(worker, ended)
    report = orjson.loads(stored("verify", path, "--bots", "--json").stdout)
    assert report["ok"]
    assert not [check["name"] for check in report["checks"] if check["skipped"]]


@pytest.mark.parametrize("viewer", [[], ["--seat", 0], ["--seat", 1]])
def test_a_running_game_is_exported_as_it_is_seen(
    stored: Lonja, export: Export, going: str, viewer: list[object]
) -> None:
    path = export(going, *viewer)
    record = read(path)
    assert record.header["viewer"] == (viewer[1] if viewer else None)
    secret = [c for c in record.copies if c["audiences"].get("move", "").startswith("seat:0")]
    assert secret
    assert all(("move" in c["body"]) == (viewer[1:] == [0]) for c in secret)
    assert b"salt_secret" not in path.read_bytes()
    assert stored("verify", path).exit_code == 0


def test_games_are_told_from_the_store(stored: Lonja, ended: str, going: str) -> None:
    assert "The game ends" in stored("replay", ended).output
    spectator = stored("replay", going).output
    assert "Seat 0 moves in secret" in spectator
    assert "Seat 0: Bid" in stored("replay", going, "--seat", 0).output
    assert "Side 0" in stored("replay", going, "--at", 10).output


def test_unknown_games_and_seats_are_refused(stored: Lonja, going: str, tmp_path: Path) -> None:
    for game_id in ("g00-aaaaaaaaaaaaaaaaaaaa", "nonsense", "g99-x", ""):
        result = stored("export", game_id, "--output", tmp_path / "x")
        assert result.exit_code == 2
        assert f"There is no game {game_id!r} here." in result.stderr
    result = stored("export", going, "--output", tmp_path / "x", "--seat", 5)
    assert "There is no seat 5 in this game." in result.stderr
    result = stored("export", going, "--output", tmp_path / "no" / "x")
    assert result.exit_code == 2
    assert "cannot be written" in result.stderr
    assert not list(tmp_path.glob("*x*"))


def test_no_answer_is_told_in_a_sentence(
    lonja: Lonja, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("REDIS_URL", f"unix://{tmp_path}/none.sock")
    result = lonja("export", "g00-aaaaaaaaaaaaaaaaaaaa", "--output", tmp_path / "x")
    assert result.exit_code == 2
    assert "The Redis of the service does not answer" in result.stderr
    result = lonja("export", "g00-a", "--output", tmp_path / "x", "--url", "http://127.0.0.1:1")
    assert result.exit_code == 2
    assert "The service does not answer" in result.stderr
    result = lonja("export", "g00-a", "--output", tmp_path / "x", "--url", "file:///etc/passwd")
    assert "begins with http://" in result.stderr


def test_the_ledger_is_checked_and_repaired(
    stored: Lonja, ended: str, going: str, worker: Runtime
) -> None:
    clean = stored("ledger", "check", "--json")
    assert clean.exit_code == 0
    assert orjson.loads(clean.stdout) == {"games": 2, "findings": []}
    worker.tables.resign(going, 1, PLAYER)  # now the game is due
    worker.redis.zrem(shard_key(shard_of(going), "due"), going)
    found = stored("ledger", "check")
    assert found.exit_code == 1
    assert going in found.stdout
    assert "`lonja ledger repair` puts it right" in found.stdout
    assert stored("ledger", "repair").exit_code == 0
    assert stored("ledger", "check").exit_code == 0


def test_what_cannot_be_repaired_is_said(stored: Lonja, ended: str, worker: Runtime) -> None:
    worker.redis.xdel(game_key(ended, "events"), "5-0")
    repaired = stored("ledger", "repair")
    assert repaired.exit_code == 1
    assert "cannot be repaired" in repaired.stdout


def test_projections_are_rebuilt(stored: Lonja, ended: str, going: str) -> None:
    result = stored("projections", "rebuild")
    assert result.exit_code == 0
    assert "2 games are listed again." in result.output
