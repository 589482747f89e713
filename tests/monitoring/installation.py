"""An installation of several processes that a real Prometheus watches, with shorter waits."""

import json
import os
import shutil
import subprocess
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, Self

import pytest
import yaml

from service import settings
from service.redis.server import RedisServer
from service.runtime import Runtime, open_runtime
from tests.faults.people import Client, answers
from tests.faults.processes import free_port, started
from tests.full_disk import small_disk
from tests.monitoring import files
from tests.running import environment, wait_for
from tests.service.api.people import METRICS_TOKEN

WAIT = 120.0
DISK_MB = 64
"""Size of the data folder's disk, if root runs the tests; it also holds the AOF and the logs."""
SHORTER = (
    ("> 90", "> 20"),  # an idle worker sends a heartbeat every 15 s
    ("lonja_due_age_seconds) > 60", "lonja_due_age_seconds) > 5"),
    ('lonja_queue_age_seconds{queue="live"}) > 60', 'lonja_queue_age_seconds{queue="live"}) > 5'),
    (
        'lonja_queue_age_seconds{queue="heavy"}) > 600',
        'lonja_queue_age_seconds{queue="heavy"}) > 5',
    ),
    ('queue="tournaments"}) > 1800', 'queue="tournaments"}) > 5'),
    ("lonja_following_age_seconds) > 60", "lonja_following_age_seconds) > 5"),
    ("lonja_sender_silent_seconds) > 60", "lonja_sender_silent_seconds) > 5"),
)


class Running:
    """A process that can be stopped and started again."""

    def __init__(self, log: Path, *command: str, env: dict[str, str]) -> None:
        self._log = log
        self._command = command
        self._env = env
        self._stack = ExitStack()
        self.process: subprocess.Popen[bytes] | None = None

    def start(self, **more: str) -> None:
        env = {**self._env, **more}
        self.process = self._stack.enter_context(started(*self._command, env=env, log=self._log))

    def stop(self) -> None:
        """End the process with SIGTERM, or kill it if it does not end."""
        if self.process is not None:
            self.process.terminate()
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(20)
        self.kill()

    def kill(self) -> None:
        self._stack.close()
        self.process = None


class Installation:
    """Two Redis servers, a web node, workers of live games and tournaments, and Prometheus."""

    def __init__(self, folder: Path, binary: Path | None) -> None:
        self.events = RedisServer(folder / "events", binary=binary)
        self.queue = RedisServer(folder / "queue", binary=binary)
        self.port, self.worker_port, self.host_port = free_port(), free_port(), free_port()
        self.data = folder / "events"
        self._folder = folder
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        if os.getuid() == 0:
            self._stack.enter_context(small_disk(self.data, DISK_MB))
        for server in (self.events, self.queue):
            self._stack.enter_context(server)
        counts = self._folder / "counts"
        counts.mkdir()
        self.env = environment(
            self.events.url,
            LONJA_QUEUE_REDIS_URL=self.queue.url,
            LONJA_DATA_DIR=str(self.data),
            LONJA_METRICS_TOKEN=METRICS_TOKEN,
            LONJA_WEB_WORKERS="1",
            PORT=str(self.port),
        )
        self.web = Running(
            self._folder / "web.log",
            "-m", "gunicorn", "--config", "python:service.api.gunicorn.config",
            env={**self.env, "PROMETHEUS_MULTIPROC_DIR": str(counts)},
        )  # fmt: skip
        self.worker = self._worker("live", LONJA_METRICS_PORT=str(self.worker_port))
        self.host = self._worker("tournaments", LONJA_METRICS_PORT=str(self.host_port))
        for one in (self.web, self.worker, self.host):
            self._stack.callback(one.kill)
        self.start_web()
        self.worker.start()
        self.host.start()
        self.prometheus = self._stack.enter_context(
            Prometheus(
                self._folder / "prometheus",
                web=(self.port,),
                worker=(self.worker_port, self.host_port),
            )
        )
        return self

    def __exit__(self, *_error: object) -> None:
        self._stack.close()

    def _worker(self, queue: str, **more: str) -> Running:
        command = ("-m", "tests.monitoring.stuck", "--queue", queue)
        return Running(self._folder / f"{queue}.log", *command, env={**self.env, **more})

    @contextmanager
    def without(self, one: Running) -> Iterator[None]:
        """Stop a worker, and start it again afterwards."""
        one.stop()
        try:
            yield
        finally:
            one.start()

    @contextmanager
    def without_web(self, **more: str) -> Iterator[None]:
        """Stop the web node, and start it again afterwards, with more settings."""
        self.web.stop()
        try:
            yield
        finally:
            self.start_web(**more)

    def start_web(self, **more: str) -> None:
        self.web.start(**more)
        wait_for(lambda: answers(self.port, "/readyz"), WAIT)

    def runtime(self) -> Runtime:
        """Return the service in this process, for changes that no client can make."""
        return open_runtime(settings.load(self.env))

    def player(self) -> Client:
        return Client(self.port).player()


class Prometheus:
    """Scrapes the installation every other second."""

    def __init__(self, folder: Path, **ports: tuple[int, ...]) -> None:
        self._folder = folder
        self._ports = ports
        self._port = free_port()
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self._folder.mkdir()
        (self._folder / "token").write_text(METRICS_TOKEN)
        config = yaml.safe_load(files.CONFIG.read_text())
        config["global"] = {
            "scrape_interval": "2s", "scrape_timeout": "2s", "evaluation_interval": "1s",
        }  # fmt: skip
        for job in config["scrape_configs"]:
            job["authorization"]["credentials_file"] = str(self._folder / "token")
            ports = self._ports[job["job_name"].removeprefix("lonja-")]
            job["static_configs"] = [{"targets": [f"127.0.0.1:{port}" for port in ports]}]
        (self._folder / "prometheus.yml").write_text(yaml.safe_dump(config))
        (self._folder / "alerts.yml").write_text(files.shortened(files.RULES, *SHORTER))
        program = shutil.which("prometheus")
        assert program is not None
        with (self._folder / "log").open("wb") as log:
            self._process = subprocess.Popen(
                [
                    program,
                    f"--config.file={self._folder / 'prometheus.yml'}",
                    f"--storage.tsdb.path={self._folder / 'data'}",
                    f"--web.listen-address=127.0.0.1:{self._port}",
                    "--log.level=warn",
                ],
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        wait_for(lambda: answers(self._port, "/-/ready"), WAIT)
        return self

    def __exit__(self, *_error: object) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait(20)

    def ask(self, path: str) -> Any:
        url = f"http://127.0.0.1:{self._port}/api/v1/{path}"
        with urllib.request.urlopen(url, timeout=10) as answer:
            return json.load(answer)["data"]

    def series(self, query: str) -> list[Any]:
        """Return the present result of a query."""
        found: list[Any] = self.ask(f"query?query={urllib.parse.quote(query)}")["result"]
        return found

    def firing(self) -> set[str]:
        """Return the firing alerts."""
        told = self.ask("alerts")["alerts"]
        return {one["labels"]["alertname"] for one in told if one["state"] == "firing"}

    def wait_until_fires(self, *alerts: str) -> None:
        try:
            wait_for(lambda: set(alerts) <= self.firing(), WAIT)
        except AssertionError:
            pytest.fail(f"of {alerts} there fire {self.firing()} alone")

    def wait_until_quiet(self) -> None:
        try:
            wait_for(lambda: not self.firing(), WAIT)
        except AssertionError:
            pytest.fail(f"these go on: {self.ask('alerts')['alerts']}")
