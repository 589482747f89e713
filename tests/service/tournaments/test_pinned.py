"""A tournament is played by the versions in its plan, even if their code changes."""

import dataclasses
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import orjson
import pytest
import structlog
from redis import Redis

from rules.kernel.canonical import JsonObject
from service.redis.server import RedisServer
from service.tournaments import requests
from service.tournaments.tournament import Tournament
from service.turns.queue import TOURNAMENTS
from tests.faults.processes import LONJA
from tests.running import ROOT, environment, forget_jobs
from tests.service.tournaments.conftest import Hall
from workers import bots


@pytest.fixture(autouse=True)
def _heard(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loggers keep the configuration of their first use, perhaps in an earlier test."""
    for name in ("matches",):
        monkeypatch.setattr(f"workers.{name}.log", structlog.get_logger())


class Machine:
    """A machine with an editable copy of a game; every process starts new."""

    def __init__(self, folder: Path, redis_url: str) -> None:
        self._package = folder / "edited"
        shutil.copytree(ROOT / "tests/sealed", self._package)
        self._folder = folder
        self._env = environment(
            redis_url, LONJA_EXTRA_RULESETS="edited", PYTHONPATH=f"{folder}:{ROOT}"
        )
        self.record = folder / "cup.ndjson"

    def edit(self, old: str, new: str) -> None:
        """Replace a text everywhere in the game's package."""
        shutil.rmtree(self._package / "__pycache__", ignore_errors=True)
        files = [f for f in self._package.rglob("*") if f.suffix in (".py", ".json")]
        edited = [file for file in files if old in file.read_text()]
        assert edited, old
        for file in edited:
            file.write_text(file.read_text().replace(old, new))

    def play(self, name: str, blocks: int, *, export: bool = False) -> JsonObject:
        output = str(self.record) if export else ""
        said = self._run("-m", "tests.service.tournaments.player", name, str(blocks), output)
        assert said.returncode == 0, said.stderr
        found: JsonObject = orjson.loads(said.stdout[said.stdout.index('{"id"') :])
        return found

    def verify(self, *arguments: str) -> tuple[int, JsonObject]:
        said = self._run(*LONJA, "verify", str(self.record), "--json", *arguments)
        found: JsonObject = orjson.loads(said.stdout)
        return said.returncode, found

    def _run(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, *arguments],
            env=self._env, cwd=self._folder, capture_output=True, text=True, check=False,
        )  # fmt: skip


@pytest.fixture
def machine(redis_server: RedisServer, redis_client: Redis, tmp_path: Path) -> Machine:
    return Machine(tmp_path, redis_server.url)


def test_a_version_that_is_gone_is_waited_for_and_a_better_heuristic_fails_nothing(
    machine: Machine,
) -> None:
    name = machine.play("new", 2)["id"]
    machine.edit("3 * prizes", "5 * prizes")
    machine.edit("1.0.0", "2.0.0")
    waits = machine.play(name, 2)
    assert (waits["status"], waits["blocks"]["played"]) == ("running", 2)
    assert "1.0.0 cannot be played here" in waits["waits_for"]

    machine.edit("2.0.0", "1.0.0")
    ended = machine.play(name, 9, export=True)
    assert (ended["status"], ended["reason"], ended["waits_for"]) == ("ended", "completed", None)
    code, found = machine.verify()
    assert (code, found["verdict"]) == (0, "proved"), found
    code, found = machine.verify("--bots")
    assert code == 3, found
    (bots_check,) = [check for check in found["checks"] if check["name"] == "bots"]
    assert bots_check["ok"]
    assert "greedy@2" in bots_check["skipped"]


def test_one_corrected_word_fails_nothing(machine: Machine) -> None:
    name = machine.play("new", 2)["id"]
    machine.edit("You do not have these coins", "You have not so many coins")
    assert machine.play(name, 9, export=True)["status"] == "ended"
    assert machine.record.read_text().count('"kind":"code_declared"') == 1  # labels are no code
    code, found = machine.verify("--bots")
    assert (code, found["verdict"]) == (0, "proved"), found


class TestWhatIsMissing:
    """A tournament whose version of the rules or of a bot is not installed waits."""

    @pytest.fixture
    def begun(self, hall: Hall) -> Tournament:
        tournament = hall.open()
        hall.matches._play_on(tournament.id)
        return hall.find(tournament)

    def waits(self, hall: Hall, tournament: Tournament) -> str:
        """Try to play the tournament, and return the reason why it waits."""
        with structlog.testing.capture_logs() as logs:
            hall.matches.play(tournament.id)
        assert [log["event"] for log in logs] == ["tournament_waits"]
        now = hall.find(tournament)
        assert (now.status, now.version) == ("running", tournament.version)
        assert hall.runtime.jobs.waiting(TOURNAMENTS) == 0
        found = requests.summary(now, hall.runtime.redis)["waits_for"]
        assert logs[0]["reason"] == found
        return str(found)

    def test_a_bot(self, hall: Hall, begun: Tournament, monkeypatch: pytest.MonkeyPatch) -> None:
        forget_jobs(hall.runtime)
        with monkeypatch.context() as patched:
            patched.setitem(bots.FUNCTIONS, ("greedy", "3"), bots.FUNCTIONS["greedy", "2"])
            patched.delitem(bots.FUNCTIONS, ("greedy", "2"))
            assert self.waits(hall, begun) == "there is no bot greedy@2"
        ended = hall.finish(begun)
        assert ended.reason == "completed"
        assert not any(game.failures for games in ended.results.values() for game in games)
        assert requests.summary(ended, hall.runtime.redis)["waits_for"] is None

    def test_a_version_of_the_rules(
        self, hall: Hall, begun: Tournament, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        forget_jobs(hall.runtime)
        with monkeypatch.context() as patched:
            install(hall, patched, version="2.0.0", plays=("2.0.0",))
            assert "sealed 1.0.0 cannot be played here" in self.waits(hall, begun)
        assert hall.finish(begun).reason == "completed"

    def test_a_newer_version_that_plays_the_older_one_too_changes_nothing(
        self, hall: Hall, begun: Tournament, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        install(hall, monkeypatch, version="2.0.0", plays=("1.0.0", "2.0.0"))
        ended = hall.finish(begun)
        games = [
            hall.runtime.ledger.game_at(name, None)
            for block in ended.blocks.values()
            for name in ended.game_ids(block)
        ]
        assert {game.created["rules_version"] for game in games} == {"1.0.0"}


def install(hall: Hall, patched: pytest.MonkeyPatch, **info: Any) -> None:
    """Install the game in another version."""
    ruleset = hall.runtime.registry.find("sealed")
    patched.setattr(type(ruleset), "info", dataclasses.replace(ruleset.info, **info))
