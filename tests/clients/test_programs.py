"""Programs with generated clients play whole games, though streams break and servers die."""

import json
import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from rules.registry import PACKAGES
from tests.clients import generators
from tests.clients.conftest import Service
from tests.running import ROOT, wait_for
from tests.test_api_pages import programs

RULESETS = {package.removeprefix("rules.") for package in PACKAGES}
SECONDS = 240
"""Time limit of all games of a program, on a busy machine."""

pytestmark = pytest.mark.timeout(300)


def games(
    command: list[str], service: Service, wanted: set[str], **env: str
) -> list[dict[str, Any]]:
    """Run a program to its end, kill the server once, and return the games that it prints."""
    told = []
    with subprocess.Popen(
        [*command, service.url, *wanted],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, **env},
    ) as program:
        assert program.stdout is not None
        timer = threading.Timer(SECONDS, program.kill)
        timer.start()
        try:
            for line in program.stdout:
                told.append(json.loads(line))
                if len(told) == 1:  # the other games go on, and are not over soon
                    service.kill_web()
        except BaseException:
            program.kill()
            raise
        finally:
            timer.cancel()
    assert program.returncode == 0
    return told


@pytest.mark.campaign("clients")
def test_python(service: Service, tmp_path: Path) -> None:
    warned = generators.python_client(tmp_path / "lonja_client")
    assert warned == generators.NOT_JSON
    program = str(generators.CLIENTS / "python/play.py")
    made = {"PYTHONPATH": str(tmp_path), "ENTROPY": str(tmp_path)}
    told = games([sys.executable, program], service, RULESETS, **made)
    hold_whole_games(told, RULESETS)
    hold_one_connection(told)
    assert sum(game["taken_back"] for game in told) > 1, "most games have turns of several moves"


def test_typescript(service: Service, tmp_path: Path) -> None:
    folder = generators.typescript_clients(tmp_path)
    generators.run([generators.node(), "node_modules/.bin/tsc", "--project", "."], folder)
    for program, wanted in (("play.ts", RULESETS), ("hey.ts", {"manila"})):
        command = [generators.node(), str(folder / program)]
        told = games(command, service, wanted, ENTROPY=str(tmp_path))
        hold_whole_games(told, wanted)
        if program == "play.ts":
            hold_one_connection(told)


@pytest.mark.campaign("clients")
@pytest.mark.parametrize("ruleset", sorted(RULESETS))
def test_the_bot_of_the_guide(service: Service, ruleset: str, tmp_path: Path) -> None:
    """It uses the project's own client; `tests/test_api_pages.py` plays one game with it."""
    text = programs(ROOT / "docs/api/client.md")["robbie.py"]
    program = tmp_path / "robbie.py"
    program.write_text(text.replace("http://127.0.0.1:8000", service.url))
    with subprocess.Popen(
        [sys.executable, program.name, ruleset], cwd=tmp_path, stdout=subprocess.PIPE, text=True
    ) as robbie:
        wait_for((tmp_path / "robbie/receipts").exists)
        service.kill_web()
        told, _ = robbie.communicate(timeout=SECONDS)
    assert told.startswith("ended after ")
    assert (tmp_path / "robbie.ndjson").exists()


@pytest.mark.campaign("clients")
def test_models_of_python_read_every_answer(service: Service, tmp_path: Path) -> None:
    """The models come from the description only, and no answer has unknown members."""
    generators.python_client(tmp_path / "lonja_client")
    assert generators.pydantic_models(tmp_path / "lonja_models.py") == ""
    record = tmp_path / "record.jsonl"
    program, reader = (str(generators.CLIENTS / f"python/{name}.py") for name in ("play", "read"))
    made = {"PYTHONPATH": str(tmp_path), "RECORD": str(record), "ENTROPY": str(tmp_path)}
    games([sys.executable, program], service, RULESETS, **made)
    reading = [sys.executable, reader, str(generators.DOCUMENT), str(record)]
    found = json.loads(generators.run(reading, packages=str(tmp_path)))
    assert found["unknown"] == {}
    assert found["read"].keys() > {"ChangedGame", "EventPage", "Game", "Invitation", "MoveAnswer"}


@pytest.mark.campaign("clients")
@pytest.mark.timeout(900)  # mypy needs two minutes for the 800 files
def test_types_of_python(tmp_path: Path) -> None:
    """All errors of mypy are in a file that does not depend on the description."""
    generators.python_client(tmp_path / "lonja_client")
    shutil.copy(generators.CLIENTS / "python/play.py", tmp_path)
    checked = subprocess.run(
        [generators.tool("mypy"), "--strict", "play.py", "lonja_client"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    wrong = {line.partition(":")[0] for line in checked.stdout.splitlines() if ": error: " in line}
    assert wrong <= {"lonja_client/client.py"}, checked.stdout


def hold_whole_games(told: list[dict[str, Any]], wanted: set[str]) -> None:
    assert {game["ruleset"] for game in told} == wanted
    for game in told:
        assert game["status"] == "ended", game
        assert game["moves"] > 0, game
        assert game["entropy"], "the luck of each depends on the program's"


def hold_one_connection(told: list[dict[str, Any]]) -> None:
    """Check that all games used one connection, which was resumed after the server was killed."""
    assert told[-1]["breaks"] > 0
