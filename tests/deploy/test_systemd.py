"""The commands of deploy/README.md, one by one, on a fresh Debian with systemd.

The machine is a container of systemd-nspawn: systemd is its first process, so all restrictions of
the units apply.
"""

import re
import resource
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.campaigns import Figure
from tests.deploy.debian import bare_debian
from tests.deploy.network import network
from tests.deploy.programs import needed
from tests.deploy.proxies import DEPLOY
from tests.faults.processes import descendants, kill_tree
from tests.running import ROOT, wait_for

pytestmark = [pytest.mark.campaign("machines"), pytest.mark.timeout(1800)]

PACKAGES = ("systemd", "systemd-sysv", "dbus", "python3", "ca-certificates", "curl", "iproute2")
SYSTEM_PATH = "PATH=/usr/sbin:/usr/bin:/sbin:/bin"
GENEROUS_S = 120


class Machine:
    """A Debian whose first process is systemd."""

    def __init__(self, process: int) -> None:
        spaces = ("--mount", "--net", "--pid", "--uts", "--ipc", "--cgroup", "--root", "--wd=/")
        self._enter = [needed("nsenter"), "--target", str(process), *spaces, "env", SYSTEM_PATH]

    def try_(self, script: str) -> "subprocess.CompletedProcess[str]":
        """Run a script as root."""
        return subprocess.run(
            [*self._enter, "sh", "-euc", script], capture_output=True, text=True, check=False
        )

    def run(self, script: str) -> str:
        """Run a script as root, which must succeed; return its output."""
        ran = self.try_(script)
        assert ran.returncode == 0, ran.stdout + ran.stderr
        return ran.stdout

    def is_ready(self) -> bool:
        return self.try_("curl -sfk --max-time 5 https://localhost/readyz").returncode == 0

    def main_process(self, unit: str) -> int:
        return int(self.run(f"systemctl show --property MainPID --value {unit}"))


@contextmanager
def booted(root: Path, log: Path, inside: list[str]) -> Iterator[Machine]:
    """Boot the machine with the files in ``root``; shut it down afterwards."""
    boot = ["--boot", "--directory", str(root), "--machine", "lonja", "--link-journal=no"]
    with log.open("wb") as said:
        process = subprocess.Popen(
            [*inside, needed("systemd-nspawn"), *boot, "--register=no", "--keep-unit"],
            stdin=subprocess.DEVNULL, stdout=said, stderr=said,
        )  # fmt: skip
    try:
        wait_for(lambda: descendants(process.pid), GENEROUS_S)
        machine = Machine(descendants(process.pid)[0])
        wait_for(lambda: "running" in machine.try_("systemctl is-system-running").stdout, 60)
        yield machine
        process.terminate()
        process.wait(60)
    finally:
        kill_tree(process)


@pytest.fixture(scope="module")
def inside(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[str]]:
    needed("systemd-nspawn", "debootstrap")
    with network(tmp_path_factory.mktemp("network")) as found:
        yield found


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory, inside: list[str]) -> Path:
    """A Debian with systemd, and a checkout in root's folder."""
    root = bare_debian(tmp_path_factory.mktemp("machine") / "root")
    install = "apt-get update && apt-get install --yes --no-install-recommends"
    subprocess.run(
        [
            *inside, "chroot", root, "env", SYSTEM_PATH, "DEBIAN_FRONTEND=noninteractive",
            "sh", "-ec", f"{install} {' '.join(PACKAGES)}",
        ],
        check=True,
    )  # fmt: skip
    (root / "etc/hosts").write_text("127.0.0.1 localhost\n::1 localhost\n")
    kept = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    checkout = root / "root/lonja"
    checkout.mkdir()
    copy: list[str | Path] = ["xargs", "-0", "cp", "--parents", "--target-directory", checkout]
    subprocess.run(copy, cwd=ROOT, input=kept.stdout, check=True)
    allow_as_many_files_as_this_machine_does(root)
    return root


def allow_as_many_files_as_this_machine_does(root: Path) -> None:
    """Lower the limit of open files if even root may not have 65,536, as in some sandboxes."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    if most == resource.RLIM_INFINITY or most >= 65_536:
        return
    for unit in ("caddy", "lonja-"):
        folder = root / f"etc/systemd/system/{unit}.service.d"
        folder.mkdir(parents=True)
        (folder / "zz-fewer.conf").write_text(f"[Service]\nLimitNOFILE={most}\n")


def commands(after: str) -> list[str]:
    """Return the command blocks in a section of deploy/README.md."""
    section = (DEPLOY / "README.md").read_text().partition(f"\n## {after}\n")[2]
    return re.findall(r"^```sh\n(.*?)^```", section.partition("\n## ")[0], re.MULTILINE | re.DOTALL)


def test_one_host_as_the_readme_says(
    root: Path, inside: list[str], tmp_path: Path, record_property: Figure
) -> None:
    lonja, caddy = commands("One host, with systemd")
    with booted(root, tmp_path / "log", inside) as machine:
        machine.run(f"cd /root/lonja; {lonja}")
        here = caddy.replace("lonja.example.org", "localhost")
        machine.run(f"cd /root/lonja; export DEBIAN_FRONTEND=noninteractive; {here}")
        wait_for(machine.is_ready, GENEROUS_S)
        wait_for(lambda: "/games/" in machine.run("journalctl --unit lonja-serve"), GENEROUS_S)
        assert is_bounded(machine, "lonja-serve")
        machine.run("systemctl is-active lonja-backup.timer && systemctl start lonja-backup")
        assert machine.run("ls /var/lib/lonja-backups").count(".gz") == 1

        began = time.monotonic()
        machine.run("kill -KILL $(systemctl show --property MainPID --value lonja-serve)")
        wait_for(lambda: not machine.is_ready(), GENEROUS_S)
        wait_for(machine.is_ready, GENEROUS_S)
        record_property("seconds until it is back after a kill", round(time.monotonic() - began, 1))
        machine.run("systemctl stop lonja-serve")
        assert (
            "code=exited, status=0/SUCCESS" in machine.try_("systemctl status lonja-serve").stdout
        )

    with booted(root, tmp_path / "log", inside) as machine:
        began = time.monotonic()
        wait_for(machine.is_ready, GENEROUS_S)
        record_property("seconds from its boot", round(time.monotonic() - began, 1))


def is_bounded(machine: Machine, unit: str) -> bool:
    """Whether the unit has a filter of system calls and cannot gain privileges."""
    status = machine.run(f"cat /proc/$(systemctl show -p MainPID --value {unit})/status")
    found = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
    return (found["Seccomp"], found["NoNewPrivs"], int(found["CapBnd"], 16)) == ("2", "1", 0)
