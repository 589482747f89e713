"""The systemd units: systemd's analysis of them, and their command lines as a new user.

No systemd runs here, so the tests run the command lines as systemd would: as the user that a unit
names, with its variables, and with write access only to its folders.
"""

import ctypes
import os
import re
import shlex
import signal
import subprocess
import sys
import sysconfig
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
import yaml

from service import settings
from service.redis.client import make_client
from tests.deploy import installed
from tests.deploy.programs import needed
from tests.deploy.proxies import DEPLOY
from tests.faults.people import answers
from tests.faults.processes import free_port, kill_tree
from tests.running import forget_metrics, wait_for

UNITS = DEPLOY / "systemd"
COMMON = UNITS / "lonja-.service.d/lonja.conf"
NAMES = sorted(path.name.replace("@", "@1") for path in UNITS.glob("*.service"))
LIBRARIES = sysconfig.get_paths()["purelib"]
WORST_EXPOSURE = 20
"""Maximum exposure of a unit in tenths, by systemd: 1.4 is good, an unhardened unit has 9.6."""
PR_SET_MDWE, NO_EXECUTABLE_GAIN = 65, 1  # linux/prctl.h; what MemoryDenyWriteExecute does


def file_of(name: str) -> Path:
    return UNITS / name.replace("@1", "@")


def directives(name: str) -> dict[str, list[str]]:
    """Return the directives of a unit, including those common to all units."""
    found = defaultdict(list)
    own = sorted((UNITS / f"{name}.d").glob("*.conf"))
    for path in (COMMON, file_of(name), *own):
        for line in path.read_text().splitlines():
            key, equals, value = line.partition("=")
            if equals and not line.startswith("#"):
                found[key].append(value)
    return found


class Host:
    """A machine on which Lonja is installed as deploy/README.md says."""

    def __init__(self, holder: int) -> None:
        self._enter = [needed("nsenter"), "--mount", "--target", str(holder)]

    def run(self, *command: str) -> str:
        """Run a program as root; return its output."""
        ran = subprocess.run([*self._enter, *command], capture_output=True, text=True, check=False)
        assert ran.returncode == 0, ran.stdout + ran.stderr
        return ran.stdout

    @contextmanager
    def runs(
        self, command: str, log: Path, **variables: str
    ) -> Iterator["subprocess.Popen[bytes]"]:
        """Run a command line as the units' user; end it with the context at the latest."""
        settled = (f"{name}={value}" for name, value in variables.items())
        alone = [
            "setpriv", "--reuid=lonja", "--regid=lonja", "--clear-groups", "--no-new-privs",
            "--bounding-set=-all", "env", "--ignore-environment", "--chdir=/", *settled,
        ]  # fmt: skip
        with log.open("ab") as said:
            process = subprocess.Popen(
                [*self._enter, *alone, *shlex.split(command)],
                stdin=subprocess.DEVNULL, stdout=said, stderr=said,
                preexec_fn=_deny_write_execute,  # noqa: PLW1509 - a single system call, no lock
            )  # fmt: skip
        try:
            yield process
        finally:
            kill_tree(process)

    @contextmanager
    def unit(self, name: str, log: Path, **variables: str) -> Iterator["subprocess.Popen[bytes]"]:
        """Run a unit's command line with the unit's variables."""
        found = directives(name)
        (command,) = found["ExecStart"]
        command = command.replace("%%", "%")
        said = dict(each.split("=", 1) for each in found["Environment"])
        (file,) = found["EnvironmentFile"]
        lines = self.run("cat", file).splitlines()
        kept = dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))
        with self.runs(command, log, **said | kept | variables) as process:
            yield process


def _deny_write_execute() -> None:
    ctypes.CDLL(None).prctl(PR_SET_MDWE, NO_EXECUTABLE_GAIN, 0, 0, 0)


@pytest.fixture(scope="module")
def host(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    unshare = needed("unshare", "nsenter", "setpriv", "systemd-analyze")
    if os.getuid():
        pytest.skip("only root may make a fresh user and a host for him")
    folder = tmp_path_factory.mktemp("host")
    alone = [unshare, "--mount", "--propagation", "private"]
    command: list[str | Path] = [
        Path(__file__).parent / "host.sh", folder, sys.base_prefix, LIBRARIES, wheel,
        installed.PIP / "pip", DEPLOY,
    ]  # fmt: skip
    with (folder / "log").open("wb") as log:
        holder = subprocess.Popen(
            [*alone, *command],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True,
        )  # fmt: skip
    assert holder.stdin is not None
    assert holder.stdout is not None
    try:
        assert holder.stdout.readline() == "ready\n", (folder / "log").read_text()
        yield Host(holder.pid)
    finally:
        holder.stdin.close()
        holder.stdout.close()
        holder.wait(20)


@pytest.fixture
def port() -> Iterator[int]:
    port = free_port()
    yield port
    forget_metrics(port)


def test_systemd_finds_no_fault_in_the_units(host: Host) -> None:
    for name in NAMES:
        if "@1" in name:
            host.run("ln", "--force", "--symbolic", file_of(name).name, f"/opt/units/{name}")
    paths = [f"/opt/units/{name}" for name in (*NAMES, "lonja-backup.timer")]
    path = "SYSTEMD_UNIT_PATH=/opt/units:"
    host.run("env", path, "systemd-analyze", "verify", "--man=no", *paths)
    told = host.run(
        "env", path, "systemd-analyze", "security", "--offline=true", "--no-pager",
        f"--threshold={WORST_EXPOSURE}", *paths[:-1],
    )  # fmt: skip
    assert told.count("Overall exposure level") == len(NAMES)


def test_everything_on_one_host(host: Host, port: int, tmp_path: Path) -> None:
    log = tmp_path / "log"
    with host.unit("lonja-serve.service", log, **on(port), LONJA_LOG_FORMAT="text") as serving:
        wait_for(lambda: serving.poll() is not None or "/games/" in log.read_text(), 60)
        assert serving.poll() is None, log.read_text()
        assert answers(port, "/readyz")
        with host.unit("lonja-backup.service", tmp_path / "backup", **on(port)) as backup:
            assert backup.wait(60) == 0, (tmp_path / "backup").read_text()
        assert "lonja-2" in host.run("ls", "/var/lib/lonja-backups")
        serving.send_signal(signal.SIGTERM)
        assert serving.wait(stop_seconds("lonja-serve.service")) == 0
    assert "process_ended" not in log.read_text()


def test_web_processes_and_workers_on_a_valkey_of_their_own(
    host: Host, port: int, redis_binary: Path, tmp_path: Path
) -> None:
    """The Valkey has deploy/valkey/server.conf; a worker has started when it is registered."""
    valkey_port = free_port()
    url = f"redis://127.0.0.1:{valkey_port}/0"
    workers = [name for name in NAMES if "@" in name]
    assert len(workers) == 3
    valkey = f"/opt/libraries/{redis_binary.relative_to(LIBRARIES)}"
    alone = f"--bind 127.0.0.1 --port {valkey_port} --dir /tmp"  # an empty store
    with ExitStack() as ending:
        ending.enter_context(host.runs(f"{valkey} /opt/valkey.conf {alone}", tmp_path / "valkey"))
        variables = {
            "REDIS_URL": url, "LONJA_PUBLIC_LOG": "/var/lib/lonja-log", **on(port),
        }  # fmt: skip
        processes = {
            name: ending.enter_context(host.unit(name, tmp_path / name, **variables))
            for name in ("lonja-web.service", "lonja-log.service", *workers)
        }

        def everything_is_up() -> bool:
            for name, process in processes.items():
                assert process.poll() is None, (tmp_path / name).read_text()
            is_served = answers(port, "/log/checkpoint")
            return answers(port, "/readyz") and is_served and registered(url) == len(workers)

        wait_for(everything_is_up, 60)
        for process in processes.values():
            process.send_signal(signal.SIGTERM)
        for name, process in processes.items():
            assert process.wait(stop_seconds(name)) == 0, (tmp_path / name).read_text()


def on(port: int) -> dict[str, str]:
    """Return the variables for the minimum number of processes, on a port of this test."""
    few = ("LONJA_WEB_WORKERS", "LONJA_BOT_WORKERS")
    return {
        "PORT": str(port), **dict.fromkeys(few, "1"), "LONJA_TOURNAMENT_WORKERS": "0",
    }  # fmt: skip


def registered(url: str) -> int:
    """Return the number of registered workers."""
    with make_client(url) as redis:
        return int(redis.scard("rq:workers"))


def stop_seconds(name: str) -> int:
    said = directives(name)["TimeoutStopSec"][-1]
    return 60 * int(said.removesuffix("min")) if said.endswith("min") else int(said)


@pytest.mark.parametrize("name", NAMES)
def test_a_unit_leaves_time_to_drain_and_files_for_all_connections(name: str) -> None:
    found = directives(name)
    variables = dict(each.split("=", 1) for each in found["Environment"])
    known = settings.load(variables)
    assert stop_seconds(name) >= known.drain_seconds + 20
    assert int(found["LimitNOFILE"][-1]) >= known.max_streams + 1_200
    assert found["MemoryMax"]


def test_the_variables_are_settings() -> None:
    known = {row.name for row in settings.describe()}
    of_proxies = set(re.findall(r"LONJA_[A-Z_]+", (DEPLOY / "Caddyfile").read_text()))
    named = re.findall(r"^(\w+)=", (DEPLOY / ".env.example").read_text(), re.MULTILINE)
    assert set(named) <= known | of_proxies | {"GRAFANA_PASSWORD"}


def test_proxies_keep_no_connection_for_longer_than_a_web_process_drains() -> None:
    (drain,) = re.findall(
        r"^Environment=LONJA_DRAIN_SECONDS=(\d+)$", COMMON.read_text(), re.MULTILINE
    )
    nginx = re.findall(r"keepalive_timeout (\d+)s;", (DEPLOY / "nginx/lonja.conf").read_text())
    (caddy,) = re.findall(r"\tkeepalive (\d+)s\n", (DEPLOY / "Caddyfile").read_text())
    assert max(int(seconds) for seconds in (*nginx, caddy)) < int(drain)
    assert len(nginx) == 3, "each upstream says so"
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    assert compose["services"]["web"]["environment"]["LONJA_DRAIN_SECONDS"] == drain
