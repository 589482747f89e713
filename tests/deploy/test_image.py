"""The image: its build steps run in a bare Debian, and then Lonja runs in the result.

This needs no container daemon; the campaign ``containers`` builds the image with one. Here the
wheels of the lock file are downloaded beforehand, and installed without network; the build itself
downloads only Debian's packages.
"""

import os
import shlex
import shutil
import signal
import subprocess
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.campaigns import Figure
from tests.deploy import installed
from tests.deploy.debian import bare_debian
from tests.deploy.programs import needed
from tests.deploy.proxies import DEPLOY
from tests.faults.people import answers
from tests.faults.processes import free_port, kill_tree
from tests.running import ROOT, forget_metrics, wait_for

pytestmark = [pytest.mark.campaign("image"), pytest.mark.timeout(1800)]

LARGEST_MB = 250
SYSTEM_PATH = "/usr/sbin:/usr/bin:/sbin:/bin"


class Step(NamedTuple):
    """An instruction of the container file."""

    name: str
    rest: str


def steps() -> list[Step]:
    text = (DEPLOY / "Containerfile").read_text().replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [Step(*line.split(maxsplit=1)) for line in lines]


def test_it_installs_without_network_and_compiler(wheels: Path, tmp_path: Path) -> None:
    alone = [needed("unshare"), "--net"]
    python = installed.environment(tmp_path / "own")
    env = {**installed.bare(), **installed.without_network(wheels)}
    pip = [str(python), str(installed.PIP / "pip"), "install", "--quiet", "--only-binary", ":all:"]
    subprocess.run([*alone, *pip, "lonja"], env=env, check=True)
    simulate = [str(tmp_path / "own/bin/lonja"), "simulate", "manila", "--games", "5"]
    subprocess.run([*alone, *simulate], env=env, check=True)


@pytest.fixture
def image(wheels: Path, tmp_path: Path) -> Iterator[Path]:
    """The root of the image."""
    base = bare_debian(tmp_path / "base")
    stages: list[Path] = []
    for step in steps():
        if step.name == "FROM":
            assert step.rest.startswith("debian:bookworm-slim")
            root = tmp_path / f"stage-{len(stages)}"
            subprocess.run(["cp", "--archive", base, root], check=True)
            stages.append(root)
        elif step.name == "RUN":
            run(step.rest, stages[-1], wheels)
        elif step.name == "WORKDIR":
            (stages[-1] / step.rest[1:]).mkdir(parents=True, exist_ok=True)
        elif step.name == "COPY":
            copy(step.rest, stages)
    yield stages[-1]
    for root in (base, *stages):
        shutil.rmtree(root)


def run(command: str, root: Path, wheels: Path) -> None:
    """Run a step in a root; its network reaches only Debian's packages."""
    inside = root / "wheels"
    shutil.copytree(wheels, inside, copy_function=os.link)
    alone = [] if "apt-get" in command else [needed("unshare"), "--net"]
    env = {
        **{name: text for name, text in os.environ.items() if name.lower().endswith("_proxy")},
        **installed.without_network(Path("/wheels")),
        "PATH": SYSTEM_PATH,
        "DEBIAN_FRONTEND": "noninteractive",
    }
    script = f"if [ -d /src ]; then cd /src; fi; {command}"
    subprocess.run([*alone, "chroot", root, "sh", "-ec", script], env=env, check=True)
    shutil.rmtree(inside)


def copy(rest: str, stages: list[Path]) -> None:
    *sources, target = shlex.split(rest)
    if sources[0].startswith("--from="):
        origin, sources, place = stages[0], [sources[1][1:]], stages[-1] / target[1:]
    else:
        origin, place = ROOT, stages[-1] / "src" / target
        place.parent.mkdir(exist_ok=True)
    for source in sources:
        subprocess.run(["cp", "--archive", origin / source, place], check=True)


@pytest.fixture
def port() -> Iterator[int]:
    port = free_port()
    yield port
    forget_metrics(port)


def test_the_image_is_small_and_runs(
    image: Path, port: int, tmp_path: Path, record_property: Figure
) -> None:
    for name in ("gcc", "cc", "pip", "pip3"):
        assert not [*image.glob(f"usr/bin/{name}"), *image.glob(f"opt/lonja/bin/{name}")]
    megabytes = sum(path.lstat().st_size for path in image.rglob("*") if path.is_file()) / 1e6
    record_property("MB of the image", round(megabytes))
    record_property("MB of it packed", round(packed(image, tmp_path) / 1e6))
    assert megabytes < LARGEST_MB

    log = tmp_path / "log"
    with log.open("wb") as said:
        serving = subprocess.Popen(
            [needed("unshare"), "--mount", "--propagation", "private", "sh", "-euc", CONTAINER],
            env={"PATH": SYSTEM_PATH, "ROOT": str(image), "ENVIRONMENT": variables(port)},
            stdin=subprocess.DEVNULL, stdout=said, stderr=said,
        )  # fmt: skip
    try:
        wait_for(lambda: serving.poll() is not None or answers(port, "/readyz"), 60)
        assert serving.poll() is None, log.read_text()
        serving.send_signal(signal.SIGTERM)
        assert serving.wait(30) == 0, log.read_text()
    finally:
        kill_tree(serving)
    assert "the games are kept" in log.read_text()


CONTAINER = """
mount --bind "$ROOT" "$ROOT"
mount -t tmpfs lonja "$ROOT/tmp"
mount -t tmpfs -o mode=700,uid=10001,gid=10001 lonja "$ROOT/var/lib/lonja"
mount -t proc proc "$ROOT/proc"
mount -t tmpfs lonja "$ROOT/dev"
touch "$ROOT/dev/null" "$ROOT/dev/urandom"
mount --bind /dev/null "$ROOT/dev/null"
mount --bind /dev/urandom "$ROOT/dev/urandom"
mkdir -m 1777 "$ROOT/dev/shm"
mount -o remount,bind,ro "$ROOT"
exec chroot --userspec=10001:10001 "$ROOT" \\
  /usr/bin/env --ignore-environment $ENVIRONMENT lonja serve
"""
"""A script that runs a command as in a container: in the image's root, read-only, as its user."""


def variables(port: int) -> str:
    """Return the variables of the image's last stage, with a port of this test."""
    (said,) = [step.rest for step in steps() if step.name == "ENV"]
    (user,) = [step.rest for step in steps() if step.name == "USER"]
    (command,) = [step.rest for step in steps() if step.name == "CMD"]
    assert (user, command) == ("10001:10001", '["lonja", "serve"]')
    return " ".join([*said.split(), f"PORT={port}", "LONJA_HOST=127.0.0.1"])


def packed(root: Path, folder: Path) -> int:
    """Return the compressed size of an image in bytes."""
    archive = folder / "image.tar.gz"
    with tarfile.open(archive, "w:gz", compresslevel=6) as packing:
        packing.add(root, "/")
    size = archive.stat().st_size
    archive.unlink()
    return size
