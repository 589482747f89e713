"""``-`` as standard input or output: the data go there, and messages to the standard error."""

import gzip
import io
import math
from collections.abc import Callable, Mapping
from pathlib import Path

import orjson
import pytest
from click.testing import CliRunner, Result
from redis import Redis

from service.api import openapi
from service.cli import main
from service.records.game_file import written
from service.redis.server import RedisServer
from tests import running
from tests.running import bot, open_game
from tests.service.cli import records
from tests.service.cli.conftest import Lonja
from tests.service.cli.test_import import file as file  # noqa: PLC0414 - a fixture
from workers.turns import Turns

Piped = Callable[..., Result]


@pytest.fixture
def piped(lonja: Lonja) -> Piped:
    """Run a command with these bytes as standard input."""

    def run(*arguments: object, sent: bytes = b"") -> Result:
        return CliRunner().invoke(main, [*map(str, arguments)], input=sent)

    return run


def sealed() -> bytes:
    record = records.finished("sealed")
    return b"".join(map(written, (record.header, *record.copies)))


@pytest.fixture
def ended(
    lonja: Lonja,
    redis_server: RedisServer,
    redis_client: Redis,
    monkeypatch: pytest.MonkeyPatch,
) -> str:
    """A finished game, the only one in the store."""
    monkeypatch.setenv("REDIS_URL", redis_server.url)
    runtime = running.runtime_on(redis_server.url, announce=False)
    game_id = open_game(runtime, "sealed", bot("greedy"), bot("greedy"))
    Turns(runtime, seconds=math.inf).play(game_id)
    return game_id


def test_records_are_read(piped: Piped) -> None:
    """Compressed or not."""
    told = piped("replay", "-", sent=sealed())
    assert (told.exit_code, told.stderr) == (0, "")
    assert told.stdout.startswith("This record is proved.\nThe table is opened")
    judged = piped("analyse", "-", "--bot", "greedy", "--json", sent=gzip.compress(sealed()))
    assert judged.exit_code == 0, judged.output
    assert orjson.loads(judged.stdout)["game_id"] == records.finished("sealed").game_id


@pytest.mark.parametrize("command", ["replay", "analyse"])
def test_what_is_no_record_is_named(piped: Piped, command: str) -> None:
    told = piped(command, "-", sent=b"x\n")
    assert told.exit_code == 2
    assert told.stderr.startswith("Error: - is no record of a game: ")


def test_a_receipt_and_a_record_are_not_both_read_there(piped: Piped, tmp_path: Path) -> None:
    path = tmp_path / "game.ndjson"
    path.write_bytes(sealed())
    receipt = orjson.dumps(records.finished("sealed").header["receipt"])
    told = piped("verify", path, "--receipt", "-", sent=receipt)
    assert told.exit_code == 0, told.output
    assert "receipt: the record agrees" in told.stdout
    both = piped("verify", "-", "--receipt", "-", sent=receipt)
    assert both.exit_code == 2
    assert "Choose one of FILE and --receipt to be -" in both.stderr


@pytest.mark.usefixtures("ended")
def test_records_are_imported(piped: Piped, file: Path) -> None:
    """A single record, and one among several, which other processes store."""
    sent = file.read_bytes()
    key = orjson.loads(sent.splitlines()[0])["public_key"]
    alone = piped("import", "-", "--by", "Ana", "--public-key", key, "--json", sent=sent)
    assert alone.exit_code == 0, alone.output
    (outcome,) = orjson.loads(alone.stdout)["files"]
    assert (outcome["file"], outcome["outcome"]) == ("-", "imported")
    more = piped("import", "-", file, "--by", "Ana", "--public-key", key, "--json", sent=sent)
    assert orjson.loads(more.stdout)["counts"]["already_here"] == 2


@pytest.mark.usefixtures("ended")
def test_a_backup_goes_through_a_pipe(piped: Piped) -> None:
    told = piped("backup", "-", "--json")
    assert told.exit_code == 0, told.output
    report = orjson.loads(told.stderr)
    assert (report["file"], report["bytes"], report["checked"]) == ("-", None, False)
    with gzip.open(io.BytesIO(told.stdout_bytes)) as lines:
        assert b'"backup":"lonja-backup/1"' in lines.readline()
    in_words = piped("backup", "-")
    assert "-: 1 games, 0 tournaments" in in_words.stderr
    assert "`lonja restore --dry-run`" in in_words.stderr
    read = piped("restore", "-", "--dry-run", "--json", sent=told.stdout_bytes)
    assert read.exit_code == 0, read.output
    assert orjson.loads(read.stdout)["counts"]["games"] == 1
    cut = piped("restore", "-", "--dry-run", sent=told.stdout_bytes[:-40])
    assert cut.exit_code == 2
    assert cut.stderr.startswith("Error: - cannot be restored: ")


def test_receipts_are_read(piped: Piped, ended: str) -> None:
    exported = piped("export", ended, "-o", "-")
    assert exported.stderr.startswith("-: ")
    assert exported.stderr.endswith(" events, ended.\n")
    spanish = piped("export", ended, "-o", "-", "--lang", "es")
    assert spanish.stderr.endswith(" sucesos, terminada.\n")
    receipt = orjson.loads(exported.stdout_bytes.splitlines()[0])["receipt"]
    told = piped("ledger", "check", "--receipts", "-", "--json", sent=orjson.dumps(receipt))
    assert told.exit_code == 0, told.output
    assert orjson.loads(told.stdout) == {"receipts": 1, "missing": 0, "findings": []}
    assert "- cannot be read" in piped("ledger", "check", "--receipts", "-", sent=b"{").stderr


def test_a_tournament_is_read(piped: Piped) -> None:
    told = piped("tournament", "run", "-", sent=b'ruleset = "sealed"\nentries = 3\n')
    assert told.exit_code == 2
    assert "That is no tournament: entries" in told.stderr
    assert "- is no TOML file" in piped("tournament", "run", "-", sent=b"name = ").stderr


CUP: Mapping[str, tuple[str, ...]] = {
    "run": ("run", "--ruleset", "sealed", "--entrants", "random,random"),
    "watch": ("watch", "t07-mfrggzdfmztwq2lknnwg"),
}


@pytest.mark.parametrize("command", CUP)
def test_a_record_and_json_do_not_go_to_one_place(piped: Piped, command: str) -> None:
    told = piped("tournament", *CUP[command], "--json", "-o", "-")
    assert told.exit_code == 2
    assert "Choose one of --json and --output -" in told.stderr


def test_what_was_an_option_of_the_ruleset_is_told(piped: Piped) -> None:
    for command in ("play", "simulate"):
        assert "No such option '-o'. Did you mean '-O'?" in piped(command, "-o", "x=3").stderr
    told = piped("tournament", *CUP["run"], "-o", "rounds=3")
    assert told.exit_code == 2
    assert "An option of the ruleset is -O NAME=VALUE." in told.stderr


def test_the_description_is_printed(piped: Piped, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openapi, "build", lambda: {"openapi": "3.1"})
    assert piped("openapi", "--write", "--file", "-").stdout == "openapi: '3.1'\n"
    assert piped("openapi", "--check", "--file", "-").exit_code == 2
