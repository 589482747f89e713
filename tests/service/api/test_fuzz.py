"""Schemathesis: the description covers the answers to all requests, valid or not."""

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from string import Template
from typing import Any

import pytest

from service.redis.server import RedisServer
from service.runtime import Runtime
from tests.campaigns import Figure
from tests.faults import processes
from tests.faults.people import answers, wait_for
from tests.running import ROOT, environment
from tests.service.api.fuzz import ground
from tests.service.api.fuzz.ground import Ground
from tests.service.api.people import House

HERE = Path(__file__).parent / "fuzz"
EACH = "examples,coverage,fuzzing"
PLAYING = ("getMe", "listLegalMoves", "playMove", "previewMove")
MOVES = ["--mode", "positive", *(f"--include-operation-id={name}" for name in PLAYING)]
"""Options that call only operations which lead to moves, so that moves are reached reliably."""


class Fuzzer:
    """Schemathesis, and the service that gets its requests."""

    def __init__(self, there: Ground, folder: Path, port: int) -> None:
        self._there, self._folder, self._port = there, folder, port
        self._answers = folder / "answers"

    def run(self, phases: str, *limits: str, infer: tuple[str, ...] = ()) -> None:
        """Run Schemathesis; fail if an answer is not as the description says."""
        config = self._folder / "schemathesis.toml"
        config.write_text(configured(self._there, self._folder, [*infer]))
        for_hooks = {
            "SCHEMATHESIS_HOOKS": "tests.service.api.fuzz.hooks",
            "PYTHONPATH": str(ROOT),
            "ANSWERS": str(self._answers),
            "RUNNING": ",".join(self._there.running),
        }
        ran = subprocess.run(
            [Path(sys.executable).parent / "schemathesis", "--config-file", config, "run",
             f"http://127.0.0.1:{self._port}/openapi.json", "--phases", phases, *limits],
            cwd=self._folder, env={**os.environ, **for_hooks},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert ran.returncode == 0, ran.stdout + ran.stderr

    def answered(self) -> Counter[tuple[str, bool]]:
        """Return the numbers of accepted and of refused requests, by operation."""
        lines = self._answers.read_text().splitlines()
        return Counter((name, status < "300") for name, status in map(str.split, lines))


@pytest.fixture
def fuzzer(
    house: House, runtime: Runtime, redis_server: RedisServer, tmp_path: Path
) -> Iterator[Fuzzer]:
    there, port = ground.prepare(house, runtime), processes.free_port()
    command = (*processes.LONJA, "web", "--port", str(port))
    env = environment(redis_server.url)
    with processes.started(*command, env=env, log=tmp_path / "web.log"):
        wait_for(lambda: answers(port, "/readyz"))
        yield Fuzzer(there, tmp_path, port)


@pytest.mark.timeout(300)
def test_every_answer_is_described(fuzzer: Fuzzer) -> None:
    """On a busy machine fewer requests fit into the time, but some are moves."""
    fuzzer.run(EACH, "--max-time", "5")
    fuzzer.run("stateful", "--max-examples", "15")
    fuzzer.run("stateful", "--max-examples", "15", *MOVES)
    assert fuzzer.answered()["playMove", True] > 0


@pytest.mark.campaign("fuzz")
@pytest.mark.timeout(1_200)
def test_every_answer_is_described_for_ten_minutes(fuzzer: Fuzzer, record_property: Figure) -> None:
    fuzzer.run(EACH, "--max-time", "300")
    fuzzer.run("stateful", "--max-time", "150")
    fuzzer.run("stateful", "--max-time", "100", infer=("dependency-analysis",))
    fuzzer.run("stateful", "--max-time", "50", *MOVES)
    answered = fuzzer.answered()
    assert answered["playMove", True] > 0
    record_property("requests", answered.total())
    record_property("moves", answered["playMove", True])
    record_property(
        "operations that let a request in", len({n for n, let_in in answered if let_in})
    )


def configured(there: Ground, folder: Path, infer: list[str]) -> str:
    """Return the configuration, in TOML; texts and lists look as in JSON."""
    identities = folder / "identities.json"
    identities.write_text(json.dumps({"auth": [sends(*known) for known in there.keys.items()]}))
    written: dict[str, Any] = {
        "identities": str(identities),
        "inference": ["location-headers", *infer],
        "games": [*there.running, *there.running, there.ended, *there.tables, *there.signed],
        "tables": [*there.tables, there.signed[1]],
        "cups": [there.cup, there.spent_cup],
        "players": there.players,
        "kept_keys": there.kept_key_ids,
        "invitation": there.invitation,
        "ended": there.ended,
        "resigned": there.resigned,
        "suspended": there.suspended,
        "stopped": there.stopped,
        "spent_cup": there.spent_cup,
        "spent_player": there.spent_player,
    }
    keys = {
        "admin_key": there.keys["admin"],
        "leaving_key": there.leaving_key,
        "keeping_key": there.keeping_key,
    }
    template = Template((HERE / "schemathesis.toml").read_text())
    return template.substitute({n: json.dumps(value) for n, value in written.items()}, **keys)


def sends(name: str, key: str) -> dict[str, Any]:
    return {
        "name": name,
        "fixedHeaders": [{"name": "Authorization", "value": f"Bearer {key}"}],
    }
