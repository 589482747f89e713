import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.process.launcher import Child, ChildEnd, GaveUpError, Launcher
from service.process.pauses import STEADY_SECONDS, Pauses
from tests.running import wait_for

STUBBORN = """
import pathlib, signal, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
pathlib.Path(sys.argv[1]).touch()
time.sleep(600)
"""


PATIENT = """
import pathlib, signal, sys, time
told = pathlib.Path({told!r})
signal.signal(signal.SIGTERM, lambda *_: told.write_text("drain"))
signal.signal(signal.SIGINT, lambda *_: sys.exit(7))
told.write_text("ready")
time.sleep(600)
"""


AT_WORK = """
import sys, time
from service.process.notify import READY, notify
notify(READY)
""".strip().replace("\n", "; ")
"""The program of a child that starts without faults."""


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


@pytest.fixture(autouse=True)
def _handlers() -> Iterator[None]:
    """Restore the signal handlers that a launcher sets."""
    kept = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    yield
    for number, handler in kept.items():
        signal.signal(number, handler)


def test_a_vital_child_that_keeps_dying_is_given_up(tmp_path: Path) -> None:
    log = tmp_path / "log"
    dying = Child("dying", python(f"open({str(log)!r}, 'a').write('x')"), vital=True)
    steady = Child("steady", python("import time; time.sleep(600)"))
    with pytest.raises(GaveUpError, match="The dying process ended 6 times within a minute"):
        Launcher([steady, dying], os.environ).run()
    assert log.read_text() == "xxxxxx"
    assert steady.process is not None
    assert steady.process.poll() is not None


@pytest.fixture
def ends() -> list[ChildEnd]:
    """The reported ends of children."""
    return []


def test_another_child_waits_and_delays_nobody(ends: list[ChildEnd]) -> None:
    dying = Child("dying", python(f"{AT_WORK}; sys.exit(3)"), pauses=Pauses((0.1, 0.2, 3600.0)))
    killed = Child("killed", python(f"{AT_WORK}; time.sleep(600)"), vital=True)
    seen = set()

    def each_round() -> None:
        if dying.next_start < time.monotonic() + 60 or killed.process is None:
            return
        seen.add(killed.process.pid)
        if len(seen) == 1:
            os.kill(killed.process.pid, signal.SIGKILL)
        else:  # the child runs again
            os.kill(os.getpid(), signal.SIGINT)

    Launcher([dying, killed], os.environ, each_round, ended=ends.append).run()
    assert dying.process is None
    told = [(end.code, end.in_a_row) for end in ends if end.child == "dying"]
    assert told == [(3, 1), (3, 2), (3, 3)]
    assert [end.code for end in ends if end.child == "killed"] == [-signal.SIGKILL]


def test_pauses_double_up_to_a_minute_and_begin_again_after_a_steady_life() -> None:
    pauses = Child("any", ()).pauses
    assert [pauses.after(0.0) for _ in range(9)] == [1, 2, 4, 8, 16, 32, 60, 60, 60]
    assert pauses.after(STEADY_SECONDS) == 1
    assert pauses.after(STEADY_SECONDS - 1) == 2


def test_a_child_that_ends_before_it_is_at_work_ends_everything(ends: list[ChildEnd]) -> None:
    wrong = Child("wrong", python("import sys; sys.exit('the setting is wrong')"))
    steady = Child("steady", python("import time; time.sleep(600)"))
    with pytest.raises(
        GaveUpError, match="The wrong process ended before it was at work, with exit"
    ):
        Launcher([steady, wrong], os.environ, ended=ends.append).run()
    assert steady.process is not None
    assert steady.process.poll() is not None
    assert ends == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_everything(number: signal.Signals) -> None:
    child = Child("child", python("import time; time.sleep(600)"))
    rounds: list[int] = []

    def each_round() -> None:
        rounds.append(1)
        if len(rounds) == 3:
            os.kill(os.getpid(), number)

    Launcher([child], os.environ, each_round).run()
    assert child.process is not None
    assert child.process.poll() == -signal.SIGTERM


def test_a_child_that_ignores_the_end_is_killed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("service.process.launcher.STOP_SECONDS", 0.3)
    ignoring = tmp_path / "ignoring"
    child = Child("stubborn", [*python(STUBBORN), str(ignoring)])

    def each_round() -> None:
        if ignoring.exists():
            os.kill(os.getpid(), signal.SIGTERM)

    Launcher([child], os.environ, each_round).run()
    assert child.process is not None
    assert child.process.poll() == -signal.SIGKILL


def test_whoever_asks_twice_does_not_wait_for_the_drain(tmp_path: Path) -> None:
    told = tmp_path / "told"
    child = Child("patient", python(PATIENT.format(told=str(told))))

    def ask_twice() -> None:
        for state in ("ready", "drain"):
            wait_for(lambda state=state: told.exists() and told.read_text() == state)  # type: ignore[misc]
            os.kill(os.getpid(), signal.SIGTERM)

    asking = threading.Thread(target=ask_twice)
    asking.start()
    Launcher([child], os.environ, drain_seconds=600).run()
    asking.join()
    assert child.process is not None
    assert child.process.poll() == 7


def test_what_goes_wrong_in_a_round_ends_everything() -> None:
    child = Child("child", python("import time; time.sleep(600)"))

    def fail() -> None:
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        Launcher([child], os.environ, fail).run()
    assert child.process is not None
    assert child.process.poll() is not None


SILENT = """
import pathlib, sys, time
from service.process.notify import WATCHDOG, notify
notify(WATCHDOG)
open(sys.argv[1], 'a').write('x')
time.sleep(600)
"""
ALIVE = """
import time
from service.process.notify import WATCHDOG, notify
while True:
    notify(WATCHDOG)
    time.sleep(0.05)
"""


def test_a_child_that_says_no_more_that_it_is_alive_is_killed(
    tmp_path: Path, ends: list[ChildEnd]
) -> None:
    """Even if it catches signals; a child without a watchdog may be silent."""
    log = tmp_path / "log"
    silent = Child("silent", [*python(SILENT), str(log)])
    silent.was_ready = True
    alive, quiet = (
        Child("alive", python(ALIVE)),
        Child("quiet", python("import time; time.sleep(600)")),
    )

    def enough() -> None:
        if len(ends) == 2:
            launcher.stop()

    launcher = Launcher(
        [silent, alive, quiet], os.environ, enough, ended=ends.append, silent_seconds=1.5
    )
    launcher.run()
    assert {(end.child, end.code) for end in ends} == {("silent", -signal.SIGKILL)}
    assert log.read_text() == "xx"
