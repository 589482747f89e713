"""A Docker daemon for a test, with images made here and a network of its own.

It uses no registry. The bare Debian is made from Debian's packages, and Debian's program of the
same name, in any version, replaces the image of another project.
"""

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.deploy.debian import bare_debian
from tests.deploy.network import network
from tests.deploy.programs import needed
from tests.running import ROOT, wait_for

STAND_INS = {
    "caddy:2.10": (
        "caddy",
        """ENV XDG_CONFIG_HOME=/config XDG_DATA_HOME=/data
CMD caddy run --adapter caddyfile --config /etc/caddy/Caddyfile""",
    ),
    "prom/prometheus:v3.5.0": (
        "prometheus",
        """RUN install --directory --owner=65534 /prometheus
USER 65534
ENTRYPOINT ["/usr/bin/prometheus"]""",
    ),
}


class Docker:
    """A daemon, with folders and a network of its own."""

    def __init__(self, folder: Path, inside: list[str]) -> None:
        self._folder = folder
        self._inside = inside
        self._socket = f"unix://{folder}/docker.sock"
        self._daemon: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the daemon, which also starts the containers that it ran before."""
        places = {"data-root": "data", "exec-root": "exec", "pidfile": "pid"}
        options = [f"--{name}={self._folder / place}" for name, place in places.items()]
        with (self._folder / "dockerd.log").open("ab") as log:
            self._daemon = subprocess.Popen(
                [*self._inside, needed("dockerd"), *options, "--host", self._socket],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            )  # fmt: skip
        wait_for(lambda: self.try_("version").returncode == 0, 60)

    def stop(self) -> None:
        """End the daemon and all containers, as a machine that is shut down does."""
        if self._daemon is not None:
            self._daemon.terminate()
            self._daemon.wait(200)
            self._daemon = None

    def try_(self, *arguments: str, cwd: Path = ROOT) -> "subprocess.CompletedProcess[str]":
        env = {**os.environ, "DOCKER_HOST": self._socket}
        return subprocess.run(
            [needed("docker"), *arguments],
            env=env, cwd=cwd, capture_output=True, text=True, check=False,
        )  # fmt: skip

    def run(self, *arguments: str, cwd: Path = ROOT) -> str:
        """Run a Docker command, which must succeed; return its output."""
        ran = self.try_(*arguments, cwd=cwd)
        assert ran.returncode == 0, ran.stdout + ran.stderr
        return ran.stdout

    def on_its_machine(self, *command: str) -> str:
        """Run a program in the network with the containers' ports; return its output."""
        ran = subprocess.run([*self._inside, *command], capture_output=True, text=True, check=False)
        return ran.stdout

    def make_images(self, base: Path) -> None:
        """Make the image of the bare Debian, and those in place of other projects' images."""
        archive = self._folder / "base.tar"
        subprocess.run(["tar", "-C", base, "-cf", archive, "."], check=True)
        self.run("import", str(archive), "debian:bookworm-slim")
        archive.unlink()
        for image, (program, lines) in STAND_INS.items():
            context = self._folder / program
            context.mkdir()
            shutil.copy(needed(program), context)
            text = f"FROM debian:bookworm-slim\nCOPY {program} /usr/bin/{program}\n{lines}\n"
            (context / "Dockerfile").write_text(text)
            self.run("build", "--tag", image, str(context))


@contextmanager
def docker(folder: Path) -> Iterator[Docker]:
    """Run a daemon with these images; afterwards remove everything that it ran."""
    needed("dockerd", "docker", "debootstrap")
    base = bare_debian(folder / "base")
    with network(folder) as inside:
        made = Docker(folder, inside)
        try:
            made.start()
            made.make_images(base)
            yield made
        finally:
            made.stop()
    time.sleep(0.5)  # overlays are unmounted a moment after the daemon's end
    for name in ("base", "data"):
        shutil.rmtree(folder / name, ignore_errors=True)
