"""deploy/compose.yaml on a real Docker: started, killed, and restarted with the machine.

Debian's Caddy and Prometheus replace their images, and Grafana is left out. The build of the image
downloads the packages of the lock file.
"""

import resource
import secrets
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest
import yaml

from tests.campaigns import Figure
from tests.deploy.docker import Docker, docker
from tests.deploy.test_containers import SERVICES
from tests.running import ROOT, wait_for

pytestmark = [pytest.mark.campaign("containers"), pytest.mark.timeout(1800)]

NOT_TO_BE_HAD = {"grafana"}
STARTED = sorted(name for name, each in SERVICES.items() if "profiles" not in each)
GENEROUS_S = 180


class Compose:
    """A checkout whose deploy/compose.yaml is running."""

    def __init__(self, engine: Docker, checkout: Path) -> None:
        self.engine = engine
        self._folder = checkout / "deploy"
        self._files = ["--file", "compose.yaml"]
        (self._folder / "metrics_token").write_text(secrets.token_hex(24))
        said = (self._folder / ".env.example").read_text()
        for name in ("LONJA_SECRETS_KEY", "GRAFANA_PASSWORD"):
            said = said.replace(f"\n{name}=\n", f"\n{name}={secrets.token_hex(32)}\n")
        token = (self._folder / "metrics_token").read_text()
        (self._folder / ".env").write_text(f"{said}\nLONJA_METRICS_TOKEN={token}\n")
        self._allow_as_many_files_as_this_machine_does()

    def _allow_as_many_files_as_this_machine_does(self) -> None:
        """Lower the limit of open files if even root may not have 65,536, as in some sandboxes."""
        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        asked = {name: each["ulimits"] for name, each in SERVICES.items() if "ulimits" in each}
        if most != resource.RLIM_INFINITY and most < max(each["nofile"] for each in asked.values()):
            fewer = {"services": {name: {"ulimits": {"nofile": most}} for name in asked}}
            (self._folder / "fewer.yaml").write_text(yaml.safe_dump(fewer))
            self._files += ["--file", "fewer.yaml"]

    def __call__(self, *arguments: str) -> str:
        return self.engine.run("compose", *self._files, *arguments, cwd=self._folder)

    def up(self, *arguments: str) -> None:
        wanted = [name for name in STARTED if name not in NOT_TO_BE_HAD]
        self("up", "--detach", *arguments, *wanted)

    def states(self) -> dict[str, str]:
        """Return the state of each container, by name."""
        told = self("ps", "--all", "--format", "{{.Name}} {{.Status}}").splitlines()
        return dict(line.split(" ", 1) for line in told)

    def ask(self, path: str, body: Any = None, key: str = "") -> Any:
        """Send a request through the proxy; return the JSON, None if there is none or a refusal."""
        command = ["curl", "--silent", "--insecure", "--fail", "--max-time", "20"]
        if body is not None:
            command += ["--json", orjson.dumps(body).decode()]
        if key:
            command += ["--header", f"Authorization: Bearer {key}"]
        told = self.engine.on_its_machine(*command, f"https://localhost{path}")
        return orjson.loads(told) if told else None

    def is_ready(self) -> bool:
        return self.ask("/readyz") is not None


@pytest.fixture(scope="module")
def compose(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Compose]:
    checkout = tmp_path_factory.mktemp("checkout")
    kept = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    for name in kept:
        (checkout / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, checkout / name)
    with docker(tmp_path_factory.mktemp("docker")) as engine:
        if engine.try_("compose", "version").returncode:
            pytest.skip(
                "needs Docker Compose: docker-compose of Debian 13, or docker-compose-plugin"
            )
        made = Compose(engine, checkout)
        engine.run(
            "build", "--network", "host", "--file", "deploy/Containerfile",
            "--tag", SERVICES["web"]["image"], ".", cwd=checkout,
        )  # fmt: skip
        made.up()
        yield made
        made("down", "--volumes", "--timeout", "10")


def test_everything_comes_up_and_bots_play(compose: Compose, record_property: Figure) -> None:
    wait_for(compose.is_ready, GENEROUS_S)
    size = compose.engine.run("image", "inspect", "--format", "{{.Size}}", SERVICES["web"]["image"])
    record_property("MB of the image by Docker", round(int(size) / 1e6))
    wait_for(lambda: compose.ask("/v1/games?status=running")["games"], GENEROUS_S)
    assert all("Up" in state for state in compose.states().values()), compose.states()


def test_more_workers_are_scraped_as_they_come(compose: Compose) -> None:
    compose.up("--scale", "live=2", "--scale", "tournaments=2")

    def scraped() -> list[str]:
        """Return each target's health: web, two workers of each of two queues, heavy, sender."""
        query = "import urllib.request as u; print(u.urlopen('http://prometheus:9090/api/v1/targets').read().decode())"
        told = compose("exec", "web", "/opt/lonja/bin/python", "-c", query)
        return [target["health"] for target in orjson.loads(told)["data"]["activeTargets"]]

    wait_for(lambda: scraped() == ["up"] * 7, GENEROUS_S)


@pytest.mark.parametrize("name", ["valkey", "web", "live", "proxy"])
def test_what_is_killed_starts_again_and_nothing_is_lost(compose: Compose, name: str) -> None:
    game, version = play(compose)
    pid = compose.engine.run("inspect", "--format", "{{.State.Pid}}", f"lonja-{name}-1").strip()
    subprocess.run(["kill", "-KILL", pid], check=True)
    wait_for(compose.is_ready, GENEROUS_S)
    wait_for(lambda: (compose.ask(game) or {"version": 0})["version"] >= version, GENEROUS_S)
    wait_for(lambda: all("Up" in state for state in compose.states().values()), GENEROUS_S)


def test_a_machine_that_restarts_starts_all_of_it_in_any_order(compose: Compose) -> None:
    """The daemon does not wait for healthy containers then, unlike ``compose up``."""
    game, version = play(compose)
    compose.engine.stop()
    compose.engine.start()
    wait_for(compose.is_ready, GENEROUS_S)
    assert compose.ask(game)["version"] >= version
    assert play(compose)[1] > 1
    wait_for(lambda: all("Up" in state for state in compose.states().values()), GENEROUS_S)


def play(compose: Compose) -> tuple[str, int]:
    """Open a game and make a move; return its path, and the version that was acknowledged."""
    key = wait_for(lambda: compose.ask("/v1/players", {"name": "Ana"}), GENEROUS_S)["key"]
    table = {"ruleset": "ragusa", "options": {}, "seats": [{"holder": "me"}]}
    game = f"/v1/games/{compose.ask('/v1/games', table, key)['id']}"
    listed = compose.ask(f"{game}/legal_moves", key=key)
    move = {"seat": listed["seat"], "move": listed["moves"][0]}
    told = compose.ask(f"{game}/moves", {**move, "expected_version": listed["version"]}, key)
    return game, told["version"]
