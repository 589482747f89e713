import os
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.process.launcher import Child, GaveUp, Launcher
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


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


@pytest.fixture(autouse=True)
def _handlers() -> Iterator[None]:
    """Put back the signal handlers that a launcher sets."""
    kept = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    yield
    for number, handler in kept.items():
        signal.signal(number, handler)


def test_a_child_that_keeps_dying_is_given_up(tmp_path: Path) -> None:
    log = tmp_path / "log"
    dying = Child("dying", python(f"open({str(log)!r}, 'a').write('x')"))
    steady = Child("steady", python("import time; time.sleep(600)"))
    with pytest.raises(GaveUp, match="The dying process ended 6 times within a minute"):
        Launcher([steady, dying], os.environ).run()
    assert log.read_text() == "xxxxxx"
    assert steady.process is not None
    assert steady.process.poll() is not None


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
