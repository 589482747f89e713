"""Mutants of a ruleset, each run in its own process, and the findings so far."""

import hashlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import click
import orjson

from laws.law import Law
from laws.mutants import MUTANTS
from rules.kernel.canonical import JsonObject
from rules.kernel.digests import package_digest
from service.cli import common, console
from service.cli.common import Failure
from service.process.launcher import die_with_parent

SECONDS = 600.0
"""Limit of wall time for a mutant, in seconds, because one that only waits uses no processor."""
TESTS, TIMES = 10.0, 10.0
"""Limit of processor time for a mutant's tests: TESTS seconds, plus TIMES the sound run's."""
NO_TESTS = 5
"""Pytest's exit code if it finds no test."""
NOTICED, UNNOTICED, OUT_OF_TIME, UNFIT = "noticed", "unnoticed", "out_of_time", "unfit"


def mutate(
    package: str, laws: Sequence[Law], tests: Sequence[str], notes: Path, *, as_json: bool
) -> bool:
    """Run all mutants of a package, report the results, and return whether all are noticed.

    A mutant is noticed if a law or a test fails on it; the report has these laws and tests for each
    mutant. A mutant that only ran out of time does not count as noticed. A mutant is not run again
    if ``notes`` has its findings for the same package, laws and tests.

    Raises:
        Failure: the tests fail on the package as it is.
        KeyboardInterrupt: the run was interrupted, also by SIGTERM; no process is left.
    """
    key = _key(package, laws, tests)
    known = _noted(notes, key)
    left = [name for name in MUTANTS if name not in known]
    label = f"Mutants of {package}"
    pulse = console.Pulse(label, len(MUTANTS))
    pulse.beat(done=len(known))
    with _ending_children() as running, console.progress() as progress, notes.open("ab") as file:
        task = progress.add_task(label, total=len(MUTANTS), completed=len(known))
        seconds = _sound(running, package, tests) if tests and left else 0.0
        rest = [",".join(law.name for law in laws), f"{seconds}", *tests]
        for name, found in _tried(running, package, left, rest):
            known[name] = found
            file.write(orjson.dumps({"key": key, "mutant": name, **found}) + b"\n")
            file.flush()
            progress.update(task, advance=1)
            pulse.beat()
    told = {name: known[name] for name in MUTANTS if name in known}
    by_verdict = {
        verdict: [name for name, found in told.items() if _verdict(found) == verdict]
        for verdict in (NOTICED, UNNOTICED, OUT_OF_TIME, UNFIT)
    }
    if as_json:
        rows = [
            {"mutant": name, "says": MUTANTS[name].says, "verdict": _verdict(found), **found}
            for name, found in told.items()
        ]
        unnoticed = {name: by_verdict[name] for name in (UNNOTICED, OUT_OF_TIME)}
        click.echo(orjson.dumps({"package": package, "mutants": rows, **unnoticed}))
    else:
        _tell(told, by_verdict, tests)
    return not by_verdict[UNNOTICED] + by_verdict[OUT_OF_TIME]


def _verdict(found: JsonObject) -> str:
    if "unfit" in found:
        return UNFIT
    if found["laws"] or found["tests"] or "ended" in found:
        return NOTICED
    return OUT_OF_TIME if found["out_of_time"] else UNNOTICED


# The processes


@dataclass
class RunningProcesses:
    """The running processes, so that an interruption can end them."""

    processes: set[subprocess.Popen[bytes]] = field(default_factory=set)
    stopped: bool = False


@contextmanager
def _ending_children() -> Iterator[RunningProcesses]:
    """If the context fails or is interrupted, kill the processes and their children.

    SIGTERM interrupts as Ctrl-C does.
    """
    running = RunningProcesses()
    usual = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield running
    except BaseException:
        running.stopped = True  # threads kill what they start from now on
        for process in [*running.processes]:
            _end(process)
        raise
    finally:
        signal.signal(signal.SIGTERM, usual)


def _end(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def _sound(running: RunningProcesses, package: str, tests: Sequence[str]) -> float:
    """Run the tests on the unchanged package; return their time limit for a mutant in seconds.

    Raises:
        Failure: the tests fail, or there are none.
    """
    found = _try(running, [package, "", "", f"{SECONDS}", *tests])
    if "ended" in found or found.get("late", True):
        told = found.get("ended") or f"they take more than {SECONDS:.0f} s"
        raise Failure(f"Your tests cannot be run on {package} as it is: {told}.")
    if found["tests"]:
        raise Failure(
            f"Your tests fail on {package} as it is, and so would notice everything:"
            f" {', '.join(found['tests'])}. Mend that first."
        )
    if found["code"]:
        told = "has no test" if found["code"] == NO_TESTS else "cannot be run by pytest"
        raise Failure(f"{' '.join(tests)} {told}.")
    return TESTS + TIMES * float(found["seconds"])


def _tried(
    running: RunningProcesses, package: str, names: Sequence[str], rest: Sequence[str]
) -> Iterator[tuple[str, JsonObject]]:
    pool = ThreadPoolExecutor(common.cores())
    try:
        work = {pool.submit(_try, running, [package, name, *rest]): name for name in names}
        for done in as_completed(work):
            yield work[done], done.result()
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    pool.shutdown()


def _try(running: RunningProcesses, arguments: Sequence[str]) -> JsonObject:
    """Run one mutant in a process of its own; return which laws and tests notice it."""
    # The working folder comes last in the path, so that it hides no installed module.
    program = "import sys; sys.path.append('.'); from laws.mutating import main; main()"
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", program, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        process_group=0,  # Ctrl-C reaches only this process, which kills the others
        preexec_fn=die_with_parent(by=signal.SIGKILL),  # noqa: PLW1509 - only system calls
    )
    running.processes.add(process)
    if running.stopped:
        _end(process)
    try:
        answer, told = process.communicate(timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return {"laws": {}, "tests": [], "out_of_time": ["process"]}
    finally:
        _end(process)  # and its children
        process.communicate()
        running.processes.discard(process)
    try:
        found: JsonObject = orjson.loads(answer)
    except orjson.JSONDecodeError:
        last = " ".join(told.decode(errors="replace").strip().splitlines()[-1:])
        return {"laws": {}, "tests": [], "out_of_time": [], "ended": last}
    return found


# The findings


def _key(package: str, laws: Sequence[Law], tests: Sequence[str]) -> str:
    """Return a digest of the package, the laws and the tests, under which findings are stored."""
    files = [file for name in tests if (file := Path(name.partition("::")[0])).is_file()]
    digest = hashlib.sha256(package_digest(package).encode())
    digest.update(orjson.dumps([*map(str, laws), *tests]))
    code = Path(sys.modules["laws"].__file__ or "").parent.rglob("*.py")
    for path in [*sorted(code), *files]:
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _noted(notes: Path, key: str) -> dict[str, JsonObject]:
    known: dict[str, JsonObject] = {}
    lines = notes.read_bytes().splitlines() if notes.exists() else []
    for line in lines:
        # After an interruption the last line may be incomplete.
        with suppress(orjson.JSONDecodeError, KeyError):
            found = orjson.loads(line)
            if found.pop("key") == key:
                known[found.pop("mutant")] = found
    return known


def _tell(told: JsonObject, by_verdict: dict[str, list[str]], tests: Sequence[str]) -> None:
    for name, found in told.items():
        console.say(f"{name}: {MUTANTS[name].says}")
        if "unfit" in found:
            console.say(f"  not tried: {found['unfit']}")
            continue
        if "ended" in found:
            console.say(f"  its process ends: {found['ended']}")
            continue
        if tests:
            console.say(f"  your tests: {', '.join(found['tests']) or 'none notices'}")
        console.say(f"  laws: {', '.join(found['laws']) or 'none notices'}")
        if late := found["out_of_time"]:
            console.say(f"  out of time: {' and '.join(late)}")
    tried = [found for found in told.values() if "unfit" not in found]
    by_tests = sum(bool(found["tests"]) for found in tried)
    by_laws = sum(bool(found["laws"]) for found in tried)
    console.say("")
    console.say(f"{len(tried)} mutants were tried: laws notice {by_laws} of them.")
    if tests:
        console.say(f"Your tests notice {by_tests} of them.")
    if names := by_verdict[UNNOTICED]:
        console.say(f"Nobody notices {', '.join(names)}.")
    if names := by_verdict[OUT_OF_TIME]:
        console.say(f"Time ran out before anybody noticed {', '.join(names)}.")
