"""``kill -9`` to one process of ``lonja serve`` after another: no other process ends with it."""

import os
import random
import signal
import subprocess
import time
from collections import Counter, deque
from pathlib import Path

import orjson
import pytest

from tests.campaigns import Figure
from tests.faults import processes
from tests.faults.crash import is_alive, wait_until_dead
from tests.faults.movers import Mover
from tests.faults.people import Client, answers, wait_for
from tests.running import environment

KILLS = 400
PAUSES_S = (0.1, 1.2)
VITAL_A_MINUTE = 4
"""Maximum kills of the web processes' master in a minute: at the sixth, the service ends."""

NAMES = {
    "gunicorn": "web", "--queue heavy": "heavy 1", "--queue tournaments": "tournaments 1",
    "workers.sender": "sender", "workers.worker": "worker 1", "-server": "store",
}  # fmt: skip


def name_of(pid: int) -> str:
    """Return the launcher's name for one of its children."""
    command = command_of(pid)
    return next((name for word, name in NAMES.items() if word in command), "")


def command_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")
    except OSError:
        return ""


def parent_of(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0


@pytest.mark.campaign("kills")
@pytest.mark.timeout(1800)
def test_a_death_ends_nothing_else(tmp_path: Path, record_property: Figure) -> None:
    rng, port, data = random.Random(400), processes.free_port(), tmp_path / "data"
    killed: Counter[str] = Counter()
    masters: deque[float] = deque(maxlen=VITAL_A_MINUTE)
    with processes.serve(data, port, "--no-exhibition", LONJA_HEAVY_WORKERS="1") as launcher:
        movers = [Mover([Client(port)], seed) for seed in range(2)]
        for mover in movers:
            mover.start()
        own_command = command_of(launcher.pid)
        while killed.total() < KILLS:
            time.sleep(rng.uniform(*PAUSES_S))
            assert_goes_on(launcher, data)
            commands = {pid: command_of(pid) for pid in processes.descendants(launcher.pid)}
            for pid, command in list(commands.items()):
                # The launcher runs the server once to find its version. A newly forked child has
                # the launcher's command line at first.
                if not command or "--version" in command or command == own_command:
                    del commands[pid]
            if not commands:  # each child waits for its restart, or has just been killed
                continue
            victim = rng.choice(list(commands))
            own = parent_of(victim) == launcher.pid
            name = name_of(victim) if own else "a web process"
            if not name:
                continue
            if name == "web":
                if len(masters) == VITAL_A_MINUTE and masters[0] > time.monotonic() - 60:
                    continue
                masters.append(time.monotonic())
            with_it = {victim, *processes.descendants(victim)}
            try:
                os.kill(victim, signal.SIGKILL)
            except ProcessLookupError:  # it was ending already, because its parent had been killed
                continue
            wait_until_dead(victim)
            killed[name] += 1
            others = {pid: said for pid, said in commands.items() if pid not in with_it}
            assert {pid: said for pid, said in others.items() if not is_alive(pid)} == {}
            assert_goes_on(launcher, data)
        wait_for(lambda: answers(port, "/readyz"), 60)
        wait_for(lambda: everybody_is_back(launcher.pid), 150)
        before = [len(mover.promises) for mover in movers]
        for mover, had in zip(movers, before, strict=True):
            wait_for(lambda m=mover, h=had: len(m.promises) > h + 5, 60)  # type: ignore[misc]
            mover.stop()
        assert sum(mover.lost() for mover in movers) == 0
        env = environment("", LONJA_DATA_DIR=str(data))
        assert "0 findings" in processes.lonja("ledger", "check", env=env)
        told = counted(env)
        began = time.monotonic()
        launcher.send_signal(signal.SIGINT)
        assert launcher.wait(60) == 0
        record_property("seconds until Ctrl-C had ended it", round(time.monotonic() - began, 1))
    print(killed, told)  # noqa: T201
    children = Counter({name: n for name, n in killed.items() if name != "a web process"})
    assert told.keys() == children.keys()
    # An end may be counted twice, if the store is killed before it acknowledges the count.
    assert all(children[name] <= told[name] <= children[name] + children["store"] for name in told)
    record_property("kills", killed.total())
    record_property("acknowledged moves", sum(len(mover.promises) for mover in movers))


def assert_goes_on(launcher: "subprocess.Popen[bytes]", data: Path) -> None:
    assert launcher.poll() is None, (
        launcher.returncode,
        (data / "serve.log").read_text()[-20_000:],
    )


def everybody_is_back(launcher: int) -> bool:
    family = processes.descendants(launcher)
    return {name_of(pid) for pid in family if parent_of(pid) == launcher} == set(NAMES.values())


def counted(env: dict[str, str]) -> dict[str, int]:
    """Return the number of restarts of each child, by `lonja status`."""
    told = processes.run_lonja("status", "--json", env=env)
    return {one["child"]: one["times"] for one in orjson.loads(told.stdout)["restarts"]}
