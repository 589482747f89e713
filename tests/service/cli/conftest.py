"""Runs commands in this process, and makes records of games with all kinds of events."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from service.cli import main
from service.records import game_file
from tests.service.cli import records

Lonja = Callable[..., Result]


@pytest.fixture
def lonja(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Lonja:
    """Run a command as in a shell, without a Redis and with ``sealed`` installed."""
    monkeypatch.delenv("REDIS_URL", raising=False)
    monkeypatch.setenv("LONJA_EXTRA_RULESETS", "tests.sealed")
    monkeypatch.setenv("LONJA_DATA_DIR", str(tmp_path / "var"))
    monkeypatch.setenv("LONJA_GAMES_DIR", str(tmp_path / "games"))

    def run(*arguments: object, input: str | None = None) -> Result:  # noqa: A002 - as click calls it
        result = CliRunner().invoke(main, [str(a) for a in arguments], input=input)
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return run


@pytest.fixture(params=["sealed", "santiago_de_cuba"])
def finished(request: pytest.FixtureRequest) -> game_file.Record:
    """The record of a finished game."""
    return records.finished(request.param)


@pytest.fixture
def write(tmp_path: Path) -> Callable[[game_file.Record], Path]:
    """Write a record to a file."""

    def write(what: game_file.Record, name: str = "game.ndjson") -> Path:
        game_file.write(tmp_path / name, what.header, what.copies)
        return tmp_path / name

    return write
