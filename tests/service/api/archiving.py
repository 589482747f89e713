"""Lets games leave the store of a service that is tested over HTTP."""

from collections.abc import Callable
from pathlib import Path

import orjson
import pytest
from click.testing import CliRunner

from service.cli import main
from service.following.cursors import FOLLOWED
from service.following.telling import NoticeWriter
from service.redis.keys import ALL_SHARDS, shard_key
from service.runtime import Runtime, open_runtime
from service.settings import load
from service.upkeep import archiving


def lonja(*words: str, exit_code: int = 0) -> str:
    """Run a command on the service that the environment names; return what it says."""
    result = CliRunner().invoke(main, [*words])
    assert result.exit_code == exit_code, (result.output, result.exception)
    return result.output


def reopening(
    url: str, folder: Path, monkeypatch: pytest.MonkeyPatch, **more: str
) -> Callable[[], Runtime]:
    """Return a function that opens a service with an archive, as a new process does.

    Games need not rest before they leave. ``more`` are further settings.
    """
    environment = {
        "REDIS_URL": url,
        "LONJA_EXTRA_RULESETS": "tests.sealed",
        "LONJA_ARCHIVE": str(folder / "packs"),
        "LONJA_DATA_DIR": str(folder / "data"),
        **more,
    }
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(archiving, "REST_MS", 0)

    def reopen() -> Runtime:
        runtime = open_runtime(load(environment))
        runtime.ledger.store.past_lists.catch_up()
        return runtime

    return reopen


def moved(runtime: Runtime, exit_code: int = 0) -> tuple[int, int]:
    """Let games leave, as when players have been told of their ends.

    Return how many have left the store, and its lists.
    """
    for shard in ALL_SHARDS:
        runtime.redis.hset(shard_key(shard, FOLLOWED), NoticeWriter.name, "99999999999999-0")
    told = orjson.loads(lonja("archive", "move", "--json", exit_code=exit_code))["moved"]
    runtime.ledger.store.past_lists.catch_up()  # as web processes do every second
    return told["gone"], told["unlisted"]
