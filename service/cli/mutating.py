"""Mutants of a ruleset, each run in its own process, and the findings so far."""

import hashlib
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from pathlib import Path

import click
import orjson

from laws.mutants import MUTANTS
from rules.kernel.canonical import JsonObject
from rules.kernel.digests import package_digest
from service.cli import common, console

SECONDS = 180
"""Time limit of a mutant; one that exceeds it never ends, and counts as noticed."""


def mutate(package: str, tests: Sequence[str], notes: Path, *, as_json: bool) -> bool:
    """Run all mutants of a package, report what notices each, and return whether all are noticed.

    Findings in ``notes`` for the same package, laws and tests are not repeated.
    """
    key = _key(package, tests)
    known = _noted(notes, key)
    left = [name for name in MUTANTS if name not in known]
    with console.progress() as progress, notes.open("ab") as file:
        task = progress.add_task(f"Mutants of {package}", total=len(MUTANTS), completed=len(known))
        for name, found in _tried(package, tests, left):
            known[name] = found
            file.write(orjson.dumps({"key": key, "mutant": name, **found}) + b"\n")
            file.flush()
            progress.update(task, advance=1)
    told = {name: known[name] for name in MUTANTS if name in known}
    unnoticed = [name for name, found in told.items() if not _is_noticed(found)]
    if as_json:
        rows = [{"mutant": n, "says": MUTANTS[n].says, **found} for n, found in told.items()]
        click.echo(orjson.dumps({"package": package, "mutants": rows, "unnoticed": unnoticed}))
    else:
        _tell(told, tests, unnoticed)
    return not unnoticed


def _is_noticed(found: JsonObject) -> bool:
    return bool(found.get("unfit") or found["laws"] or found["tests"])


def _tried(
    package: str, tests: Sequence[str], names: Sequence[str]
) -> Iterator[tuple[str, JsonObject]]:
    pool = ThreadPoolExecutor(common.cores())
    try:
        work = {pool.submit(_try, package, tests, name): name for name in names}
        for done in as_completed(work):
            yield work[done], done.result()
    finally:
        pool.shutdown(cancel_futures=True)


def _try(package: str, tests: Sequence[str], name: str) -> JsonObject:
    """Let a process put one mutant into the package, and say who notices."""
    program = "import sys; sys.path.append('.'); from laws.mutating import main; main()"  # the last
    command = [sys.executable, "-P", "-c", program, package, name, *tests]
    try:
        done = subprocess.run(command, capture_output=True, check=False, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return {"laws": {"games_can_be_played": f"it takes more than {SECONDS} s"}, "tests": []}
    try:
        found: JsonObject = orjson.loads(done.stdout)
    except orjson.JSONDecodeError:
        said = done.stderr.decode(errors="replace").strip().splitlines()[-1:]
        return {"laws": {"games_can_be_played": f"the process ends: {' '.join(said)}"}, "tests": []}
    return found


def _key(package: str, tests: Sequence[str]) -> str:
    """Name what an answer is of: the package, the laws and the tests as they are now."""
    files = [file for name in tests if (file := Path(name.partition("::")[0])).is_file()]
    digest = hashlib.sha256(package_digest(package).encode())
    laws = Path(sys.modules["laws"].__file__ or "").parent.rglob("*.py")
    for path in [*sorted(laws), *files]:
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _noted(notes: Path, key: str) -> dict[str, JsonObject]:
    known: dict[str, JsonObject] = {}
    lines = notes.read_bytes().splitlines() if notes.exists() else []
    for line in lines:
        with suppress(orjson.JSONDecodeError, KeyError):  # the last line may be incomplete
            found = orjson.loads(line)
            if found.pop("key") == key:
                known[found.pop("mutant")] = found
    return known


def _tell(told: JsonObject, tests: Sequence[str], unnoticed: Sequence[str]) -> None:
    for name, found in told.items():
        console.say(f"{name}: {MUTANTS[name].says}")
        if "unfit" in found:
            console.say(f"  not tried: {found['unfit']}")
            continue
        if tests:
            console.say(f"  your tests: {', '.join(found['tests']) or 'none notices'}")
        console.say(f"  laws: {', '.join(found['laws']) or 'none notices'}")
    tried = [found for found in told.values() if "unfit" not in found]
    by_tests = sum(bool(found["tests"]) for found in tried)
    by_laws = sum(bool(found["laws"]) for found in tried)
    console.say("")
    console.say(f"{len(tried)} mutants were tried: laws notice {by_laws} of them.")
    if tests:
        console.say(f"Your tests notice {by_tests} of them.")
    if unnoticed:
        console.say(f"Nobody notices {', '.join(unnoticed)}.")
