"""Commands on a service's Redis."""

import math
import os
import pty
import re
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import orjson
import pytest
from redis import Redis

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.seats import Seat
from service.cli import checking
from service.clock import TOLERANCE_MS
from service.ids import shard_of
from service.ledger.store import RepeatedRequest
from service.ledger.terms import TableTerms
from service.records.game_file import read
from service.redis.keys import game_key, shard_key
from service.redis.server import RedisServer
from service.runtime import Runtime
from service.skill.progress import CountKeys
from tests import running
from tests.faults.processes import LONJA
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
    Turns(worker, seconds=math.inf).play(game_id)
    return game_id


@pytest.fixture
def going(worker: Runtime) -> str:
    game_id = open_game(worker, "sealed", GREEDY, ME)
    Turns(worker, seconds=math.inf).play(game_id)
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
    assert report["verdict"] != "failed"
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
    assert stored("verify", path).exit_code == 3


def test_games_are_told_from_the_store(stored: Lonja, ended: str, going: str) -> None:
    assert "The game ends" in stored("replay", ended).output
    spectator = stored("replay", going).output
    assert "Seat 1 moves in secret" in spectator
    assert "Seat 1: Bid" in stored("replay", going, "--seat", 0).output
    assert re.search(r"^Seat 1 +\d+", stored("replay", going, "--at", 10).output, re.MULTILINE)


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
    assert "The service at http://127.0.0.1:1 does not answer" in result.stderr
    result = lonja("export", "g00-a", "--output", tmp_path / "x", "--url", "file:///etc/passwd")
    assert "begins with http://" in result.stderr


def test_the_ledger_is_checked_and_repaired(
    stored: Lonja, ended: str, going: str, worker: Runtime
) -> None:
    clean = stored("ledger", "check", "--json")
    assert clean.exit_code == 0
    assert orjson.loads(clean.stdout) == {"games": 2, "findings": []}
    worker.tables.resign(going, Seat(1), PLAYER)  # now the game is due
    worker.redis.zrem(shard_key(shard_of(going), "due"), going)
    found = stored("ledger", "check")
    assert found.exit_code == 1
    assert going in found.stdout
    assert "`lonja ledger repair` puts it right" in found.stdout
    assert stored("ledger", "repair").exit_code == 0
    assert stored("ledger", "check").exit_code == 0


@pytest.fixture
def spoilt(worker: Runtime) -> dict[str, str]:
    """Games, some of them with different faults, and the expected findings."""
    games = [open_game(worker, "sealed", GREEDY, ME) for _ in range(8)]
    for game_id in games:
        Turns(worker).play(game_id)
    worker.redis.xdel(game_key(games[1], "events"), "3-0")
    worker.redis.delete(game_key(games[3], "secrets"))
    due = shard_key(shard_of(games[5]), "due")
    if not worker.redis.zrem(due, games[5]):  # listed if it is not due
        worker.redis.zadd(due, {games[5]: 1})
    worker.redis.zadd(shard_key(7, "due"), {"g07-aaaaaaaaaaaaaaaaaaaa": 1})
    return {
        games[1]: "gap", games[3]: "no_secrets", games[5]: "wrong_due",
        "g07-aaaaaaaaaaaaaaaaaaaa": "orphan_due",
    }  # fmt: skip


@pytest.mark.parametrize("at_once", [1, 3, 50])
def test_many_processes_find_and_repair_what_one_does(
    stored: Lonja, spoilt: dict[str, str], monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    monkeypatch.setattr(checking, "AT_ONCE", at_once)
    found = stored("ledger", "check", "--json")
    told = orjson.loads(found.stdout)
    assert (found.exit_code, told["games"]) == (1, 8)
    assert {f["game_id"]: f["problem"] for f in told["findings"]} == spoilt
    repaired = orjson.loads(stored("ledger", "repair", "--json").stdout)
    assert len(repaired["findings"]) == 4
    left = orjson.loads(stored("ledger", "check", "--json").stdout)["findings"]
    assert {f["problem"] for f in left} == {"gap", "no_secrets"}


def on_a_terminal(command: list[str], *, stdout: bool) -> tuple[str, str]:
    """Return the output on a terminal, and the standard output if it is a pipe."""
    terminal, end = pty.openpty()
    with os.fdopen(terminal, "rb", buffering=0) as shown, os.fdopen(end, "wb") as screen:
        output = screen if stdout else subprocess.PIPE
        with subprocess.Popen(command, stdout=output, stderr=screen, text=True) as process:
            screen.close()
            drawn = b""
            with suppress(OSError):  # the other end is closed
                while part := shown.read(65_536):
                    drawn += part
            told = process.stdout.read() if process.stdout else ""
        assert process.returncode == 1
    return drawn.decode(), told


def test_a_terminal_shows_how_far_a_check_is(
    stored: Lonja, spoilt: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    command = [sys.executable, *LONJA, "ledger", "check"]
    shown, told = on_a_terminal(command, stdout=False)
    assert "Checking" in shown
    assert "100%" in shown
    assert all(problem in told for problem in spoilt.values())
    assert told.endswith("8 games, 4 findings.\n")
    shown, _ = on_a_terminal(command, stdout=True)
    for line in told.splitlines():  # no progress bar is before it on its line
        assert re.search(rf"(\n|\x1b\[2K|\x1b\[\?25h){re.escape(line)}\r\n", shown), shown
    unwatched = subprocess.run(command, check=False, capture_output=True, text=True)
    assert sorted(unwatched.stdout.splitlines()) == sorted(told.splitlines())
    assert unwatched.stderr == ""


def test_what_cannot_be_repaired_is_said(stored: Lonja, ended: str, worker: Runtime) -> None:
    worker.redis.xdel(game_key(ended, "events"), "5-0")
    repaired = stored("ledger", "repair")
    assert repaired.exit_code == 1
    assert "cannot be repaired" in repaired.stdout


def test_projections_are_rebuilt(stored: Lonja, ended: str, going: str) -> None:
    result = stored("projections", "rebuild")
    assert result.exit_code == 0
    assert "2 games are listed again." in result.output


def test_ratings_are_compared_with_the_games(stored: Lonja, worker: Runtime) -> None:
    other = {"player": "p-bbbbbbbbbbbbbbbb"}
    made = worker.tables.create(PLAYER, "sealed", {}, [ME, other], terms=TableTerms(rated=True))
    assert not isinstance(made, RepeatedRequest)
    for seat, player in enumerate((PLAYER, other["player"])):
        worker.tables.resign(made.game.id, Seat(seat), player)
    Turns(worker, seconds=math.inf).play(made.game.id)
    worker.player_ratings.catch_up(worker.ledger.store.clock.ask() + TOLERANCE_MS + 1)
    assert worker.player_ratings.of(PLAYER)["sealed"].games == 1
    checked = stored("projections", "check")
    assert checked.exit_code == 0, checked.output
    assert "1 rated games; people's ratings: as the games say." in checked.output
    key = CountKeys(1).of(PLAYER)
    worker.redis.hset(key, "sealed", b"[2500.0,40.0,1]")
    altered = stored("projections", "check", "--json")
    assert altered.exit_code == 1
    assert orjson.loads(altered.stdout) == {"rated_games": 1, "differing": [key]}
    assert f"{key} does not hold what the games say." in stored("projections", "check").output
    time.sleep(TOLERANCE_MS / 1000)  # until the game counts
    assert stored("projections", "rebuild").exit_code == 0
    assert stored("projections", "check").exit_code == 0
    assert worker.player_ratings.of(PLAYER)["sealed"].games == 1


def test_a_damaged_game_is_ended_by_an_operator(
    stored: Lonja, going: str, worker: Runtime, tmp_path: Path
) -> None:
    end = ("ledger", "end", going, "--reason", "a test")
    sound = stored(*end, "--by", "Ana")
    assert sound.exit_code == 2
    assert "only damaged games can be ended" in sound.stderr
    version = running.game(worker, going).version
    worker.redis.xadd(game_key(going, "events"), {"x": "y"}, id=f"{version + 1}-0")
    checked = stored("ledger", "check", "--json")
    assert checked.exit_code == 1
    (finding,) = orjson.loads(checked.stdout)["findings"]
    assert (finding["game_id"], finding["problem"], finding["seq"]) == (
        going, "broken_chain", version + 1,
    )  # fmt: skip
    refused = stored("export", going, "--output", tmp_path / "x")
    assert refused.exit_code == 2
    assert "Nobody signs the record" in refused.stderr
    assert stored(*end).exit_code == 2  # by whom?
    assert stored(*end, "--by", "").exit_code == 2
    ended = stored(*end, "--by", "Ana")
    assert ended.exit_code == 0, ended.output
    assert f"is aborted by event {version + 2}" in ended.stdout
    assert stored("ledger", "check").exit_code == 0
    assert stored("export", going, "--output", tmp_path / "x").exit_code == 0
    assert read(tmp_path / "x").header["status"] == "aborted"
    assert stored("verify", tmp_path / "x").exit_code != 0
    assert "There is no game" in stored(*end[:2], "nonsense", *end[3:], "--by", "Ana").stderr


def test_receipts_tell_what_is_missing(
    stored: Lonja, going: str, ended: str, worker: Runtime, tmp_path: Path
) -> None:
    def receipt(game_id: str) -> JsonObject:
        return worker.signer.head(running.game(worker, game_id))

    held, lost, gone = receipt(ended), receipt(going), receipt(open_game(worker, "sealed", ME, ME))
    other = {**held, "hash": "00" * 32}
    worker.redis.xdel(game_key(going, "events"), f"{lost['seq']}-0")
    worker.redis.delete(game_key(gone["game_id"], "events"))
    lines, array = tmp_path / "receipts.ndjson", tmp_path / "receipts.json"
    array.write_bytes(orjson.dumps([held, {"receipt": held, "version": 3}]))
    lines.write_bytes(b"\n".join(map(orjson.dumps, [held, {"receipt": lost}, gone, other])))
    fine = stored("ledger", "check", "--receipts", array)
    assert fine.exit_code == 0
    assert fine.stdout == "2 receipts, 0 of them for events that are missing.\n"
    found = stored("ledger", "check", "--receipts", lines)
    assert found.exit_code == 1
    assert f"{going}: event {lost['seq']} is missing: it has {lost['seq'] - 1} events" in (
        found.stdout
    )
    assert f"{gone['game_id']}: event {gone['seq']} is missing: there is no such game\n" in (
        found.stdout
    )
    assert "is another one; not signed by this installation's key" in found.stdout
    told = orjson.loads(stored("ledger", "check", "--receipts", lines, "--json").stdout)
    assert (told["receipts"], told["missing"]) == (4, 3)
    assert [one["signed_here"] for one in told["findings"]] == [True, True, False]


@pytest.mark.parametrize(
    "text",
    ["{", "[1]", '{"game_id": 7}', '{"game_id": "g00-aaaaaaaaaaaaaaaaaaaa", "seq": -1}', "[[]]"],
)
def test_what_is_no_receipt_is_said(stored: Lonja, tmp_path: Path, text: str) -> None:
    path = tmp_path / "receipts"
    path.write_text(text)
    found = stored("ledger", "check", "--receipts", path)
    assert found.exit_code == 2
    assert "cannot be read" in found.stderr


def test_the_number_of_replicas_can_be_lowered(stored: Lonja) -> None:
    assert stored("ledger", "replicas").stdout == (
        "Appends wait for LONJA_REPLICAS_TO_WAIT replicas.\n"
    )
    assert "but 0 at most" in stored("ledger", "replicas", 0).stdout
    assert "but 0 at most" in stored("ledger", "replicas").stdout
    assert "at most" not in stored("ledger", "replicas", "--as-set").stdout
    assert stored("ledger", "replicas", "many").exit_code == 2


def test_rulesets_that_cannot_be_used_are_told_in_a_sentence(
    stored: Lonja, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LONJA_EXTRA_RULESETS", "no.such.rules")
    for arguments in (
        ["ledger", "check"],
        ["tournament", "run", "--ruleset", "sealed", "--entrants", "greedy,random"],
    ):
        result = stored(*arguments)
        assert result.exit_code == 2
        assert "LONJA_EXTRA_RULESETS names what is no ruleset" in result.stderr
        told = " ".join(result.stderr.split())
        assert "run `pip install -e .` in its project, or name that folder in PYTHONPATH" in told
