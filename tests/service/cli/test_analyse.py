"""``lonja analyse`` of a record or a stored game, with text or JSON output."""

import math
from collections.abc import Callable
from pathlib import Path

import orjson
import pytest
from redis import Redis

from rules.kernel.record.events import from_copy
from service.catalogue.bots import BOTS
from service.records.game_file import Record
from service.redis.server import RedisServer
from tests import running
from tests.running import ME, bot, open_game
from tests.sealed import RULESET as SEALED
from tests.service.cli import records
from tests.service.cli.conftest import Lonja
from workers.analysis import course, futures
from workers.turns import Turns

Write = Callable[..., Path]
GREEDY = bot("greedy")


@pytest.fixture(autouse=True)
def _few_futures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use few futures, which are enough for these tests."""
    monkeypatch.setattr(futures, "FUTURES", 2)


@pytest.fixture
def record() -> Record:
    return records.finished("sealed")


def test_a_record_is_analysed_for_programs(lonja: Lonja, write: Write, record: Record) -> None:
    told = lonja("analyse", write(record), "--bot", "greedy", "--json")
    assert told.exit_code == 0, told.output
    events = [*map(from_copy, record.copies)]
    holder = BOTS["greedy"].holder(SEALED)
    found = course.analyse(record.game_id, events, records.REGISTRY, holder, lambda: None)
    assert orjson.loads(told.stdout) == {"game_id": record.game_id, **found}


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ("judged by greedy 2", "its moves cost", "Luck, what the draws did", "(cost ")),
        (
            "es",
            ("juzgada por greedy 2", "sus jugadas costaron", "Suerte, lo que", "(costó"),
        ),
    ],
)
def test_it_is_told_in_words(
    lonja: Lonja, write: Write, record: Record, language: str, words: tuple[str, ...]
) -> None:
    told = lonja("analyse", write(record), "--bot", "greedy", "--lang", language)
    assert told.exit_code == 0, told.output
    for each in words:
        assert each in told.stdout
    steps = [copy["seq"] for copy in record.copies if copy["kind"] in ("moved", "chanced")]
    numbers = [line.split()[0] for line in told.stdout.splitlines() if line.startswith("  ")]
    assert {str(seq) for seq in steps} <= {*numbers}


def test_what_cannot_be_analysed_is_named(
    lonja: Lonja, write: Write, record: Record, tmp_path: Path
) -> None:
    def refused(*arguments: object) -> str:
        told = lonja("analyse", *arguments)
        assert told.exit_code == 2
        return " ".join(told.stderr.split())

    file = write(record)
    assert "There is no bot 'rendom'" in refused(file, "--bot", "rendom")
    assert "'random' tries nothing out" in refused(file, "--bot", "random")
    going = records.record_of(records.played("sealed", moves=5))
    assert "only a game that is over" in refused(write(going, "going.ndjson"))
    forged = records.alone(record)
    records.events(forged)[-2]["at"] = "2026-01-01T00:00:00.000Z"
    assert "is not what it claims to be" in refused(write(forged, "forged.ndjson"))
    (tmp_path / "other").write_text("{}\n")
    assert f"{tmp_path / 'other'} is no record of a game" in refused(tmp_path / "other")
    assert "No service runs" in refused("g00-nobody")


def test_a_stored_game_is_analysed(
    lonja: Lonja, redis_server: RedisServer, redis_client: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    worker = running.runtime_on(redis_server.url, announce=False)
    ended = open_game(worker, "sealed", GREEDY, GREEDY)
    Turns(worker, seconds=math.inf).play(ended)
    monkeypatch.setenv("REDIS_URL", redis_server.url)
    told = lonja("analyse", ended, "--bot", "greedy", "--json")
    assert orjson.loads(told.stdout)["game_id"] == ended
    assert "There is no game 'g00-none'" in lonja("analyse", "g00-none").stderr
    going = open_game(worker, "sealed", ME, GREEDY)
    assert f"{going} goes on" in lonja("analyse", going).stderr
