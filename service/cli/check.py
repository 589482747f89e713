"""``lonja check``: checks a ruleset against all laws."""

import sys
import time
from collections.abc import Iterator, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import click
import orjson

from laws.book import LAWS
from laws.games import SEEDS, Subject, random_game, shown, written
from laws.judging import Failure, judge, pieces
from laws.law import Law
from laws.shrinking import position_of, smallest
from laws.tables import tables_of
from rules.kernel.canonical import JsonObject, encode
from rules.kernel.contract.published import package_of
from rules.kernel.contract.registry import UnknownRulesetError
from rules.kernel.contract.ruleset import Ruleset
from service.cli import common, console, guide
from service.cli.common import Failure as CommandFailure
from service.cli.mutating import mutate
from service.cli.sharing import shared
from service.settings import Settings

SHRINKING = 4.0
"""Seconds of the search for a smaller position, for each broken law."""
SHOWN = 12
"""Maximum events before a position that are shown in words."""
LONG = 400
"""Maximum characters of a view that are shown."""


class Found(NamedTuple):
    """A broken law in the form that processes exchange: names and numbers."""

    law: str
    told: str
    table: int
    seed: int
    number: int


@click.command("check", short_help="Hold a ruleset to the laws that every ruleset keeps.")
@click.argument("package")
@click.option(
    "--law", "names", multiple=True, metavar="NAME", help="Hold it to this law; may be repeated."
)
@click.option(
    "--seeds",
    type=click.IntRange(1, 1000),
    default=len(SEEDS),
    show_default=True,
    help="How many random games of each table most laws look at.",
)
@click.option(
    "--mutate", "mutating", is_flag=True, help="Put faults into it, and tell who notices each."
)
@click.option(
    "--tests", multiple=True, metavar="TESTS", help="With --mutate: tests of yours, for pytest."
)
@click.option("--list", "listing", is_flag=True, help="List the laws, and check nothing.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, for programs.")
def command(
    package: str,
    names: tuple[str, ...],
    seeds: int,
    tests: tuple[str, ...],
    *,
    mutating: bool,
    listing: bool,
    as_json: bool,
) -> None:
    """Check the ruleset of PACKAGE against all laws, and report each that it breaks.

    PACKAGE is the id of an installed ruleset, or a package by its dotted name: installed, or in the
    working folder. Its code runs with all rights of your account: check only packages that you
    trust.

    For a broken law the report has the smallest position found that breaks it, each seat's view
    there, and the remedy. The exit code is 1 if a law is broken, and 130 if you stopped it.

    With --mutate, some forty faults are put into it, one at a time, and the report says which laws
    and which of your tests notice each. An interrupted run continues where it was: mutants-….ndjson
    in the working folder has its findings. The exit code is 1 if some fault goes unnoticed.
    """
    laws = _chosen(names)
    ruleset = find(package)
    if listing:
        _list(laws)
        return
    if mutating:
        notes = Path(f"mutants-{ruleset.info.id}.ndjson")
        try:
            sys.exit(0 if mutate(package_of(ruleset), tests, notes, as_json=as_json) else 1)
        except KeyboardInterrupt:
            console.say(
                f"You stopped it; the same command goes on ({notes} has the rest).", err=True
            )
            sys.exit(common.INTERRUPTED)
    if tests:
        raise CommandFailure("--tests goes with --mutate.")
    subject = Subject(ruleset, tuple(range(1, seeds + 1)))
    began = time.perf_counter()
    try:
        failures = list(failures_of(subject, laws))
    except KeyboardInterrupt:
        console.say("You stopped it; nothing is said of the laws.", err=True)
        sys.exit(common.INTERRUPTED)
    seconds = time.perf_counter() - began
    if as_json:
        click.echo(orjson.dumps(report(ruleset, laws, failures, seconds)))
    else:
        _tell(ruleset, laws, failures, seconds)
    if failures:
        sys.exit(1)


def _chosen(names: Sequence[str]) -> list[Law]:
    for name in names:
        if name not in LAWS:
            raise CommandFailure(f"There is no law {name!r}: `lonja check --list` has them all.")
    return [LAWS[name] for name in names or LAWS]


def find(name: str) -> Ruleset[Any]:
    """Return the ruleset of an id, or of a package. Raises Failure."""
    try:
        return common.load_registry().find(name)
    except UnknownRulesetError:
        pass
    try:
        ruleset = open_package(name)
    except Exception as error:
        raise CommandFailure(f"{name} is no ruleset: {type(error).__name__}: {error}") from error
    if not isinstance(ruleset, Ruleset):
        if (Path(name) / Path(name).name / "__init__.py").is_file():  # as `lonja new` writes it
            raise CommandFailure(f"{name} is a project with its package inside: `cd {name}` first.")
        raise CommandFailure(f"{name} has no RULESET, or it is no Ruleset.")
    return ruleset


def open_package(name: str) -> Any:
    """Return a package's RULESET; the package may lie in the working folder."""
    folder = str(Path.cwd())
    if folder not in sys.path:
        sys.path.append(folder)  # the last: no module of the product is looked up there
    return getattr(import_module(name.rstrip("/")), "RULESET", None)


# The work, on all cores


def failures_of(subject: Subject, laws: Sequence[Law]) -> Iterator[Failure]:
    """Yield each broken law, with the smallest position found."""
    work = range(len(list(pieces(subject, laws))))
    begin = partial(_begin, package_of(subject.ruleset), subject.seeds, [law.name for law in laws])
    met: dict[str, Found] = {}
    with console.progress(auto_refresh=False) as progress:
        task = progress.add_task(f"Holding {subject.ruleset.info.id} to the laws", total=len(work))
        for found in shared(_judge, work, begin, common.load_settings()):
            for one in found:
                if one.law not in met or _size(subject, one) < _size(subject, met[one.law]):
                    met[one.law] = one
            progress.update(task, advance=1, refresh=True)
        task = progress.add_task("Looking for smaller positions", total=len(met))
        for failure in map(partial(_failure, subject), met.values()):
            yield smallest(failure, SHRINKING)
            progress.update(task, advance=1, refresh=True)


def _size(subject: Subject, found: Found) -> tuple[int, int]:
    return found.number, tables_of(subject.ruleset)[found.table].seats


def _failure(subject: Subject, found: Found) -> Failure:
    table = tables_of(subject.ruleset)[found.table]
    game = random_game(table, found.seed) if found.seed else None
    return Failure(LAWS[found.law], found.told, game, found.number)


_work: list[Any] = []
"""What a process of the pool holds to which laws, and the pieces of that."""


def _begin(package: str, seeds: tuple[int, ...], names: list[str], _settings: Settings) -> None:
    subject = Subject(open_package(package), seeds)
    _work[:] = [subject, list(pieces(subject, [LAWS[name] for name in names]))]


def _judge(number: int) -> list[Found]:
    subject, work = _work
    piece = work[number]
    tables = tables_of(subject.ruleset)
    table = tables.index(piece.table) if piece.table else 0
    failures = judge(subject, piece)
    return [Found(f.law.name, f.told, table, piece.seed, f.number) for f in failures]


# The report


def report(
    ruleset: Ruleset[Any], laws: Sequence[Law], failures: Sequence[Failure], seconds: float
) -> JsonObject:
    """Return all findings as JSON."""
    broken = {failure.law.name for failure in failures}
    return {
        "ruleset": ruleset.info.id,
        "rules_version": ruleset.info.version,
        "package": package_of(ruleset),
        "seconds": round(seconds, 3),
        "laws": [
            {"name": law.name, "version": law.version, "kept": law.name not in broken}
            for law in laws
        ],
        "broken": [_broken(failure) for failure in failures],
    }


def _broken(failure: Failure) -> JsonObject:
    law, spot = failure.law, position_of(failure)
    told: JsonObject = {
        "law": law.name,
        "version": law.version,
        "says": law.says,
        "told": failure.told,
        "advice": law.advice,
        "guide": guide.page_of(law.section),
        "position": None,
    }
    if spot is not None:
        views = [
            {"viewer": viewer, "view": spot.ruleset.view(spot.state, viewer)}
            for viewer in spot.table.viewers
        ]
        told["position"] = {
            "seats": spot.table.seats,
            "options": spot.table.options,
            "events": [written(event) for event in spot.game.events[: spot.number]],
            "state": spot.ruleset.to_json(spot.state),
            "views": views,
        }
    return told


def _tell(
    ruleset: Ruleset[Any], laws: Sequence[Law], failures: Sequence[Failure], seconds: float
) -> None:
    info = ruleset.info
    for failure in failures:
        console.say(f"BROKEN {failure.law}: {failure.law.says}")
        console.say(f"  {failure.told}")
        _tell_position(failure)
        console.say(f"  What to do: {failure.law.advice}.")
        console.say(f"  The guide: {guide.command_of(failure.law.section)}")
        console.say("")
    kept = f"{len(laws) - len(failures)} of {len(laws)} laws"
    console.say(f"{info.id} {info.version} keeps {kept} ({seconds:.0f} s).")
    if failures:
        console.say(f"It breaks {len(failures)}: {', '.join(str(f.law) for f in failures)}.")


def _tell_position(failure: Failure) -> None:
    try:
        spot = position_of(failure)
        if spot is None:
            return
        events = spot.game.events[: spot.number]
        at = f"after {len(events)} events" if events else "before the first event"
        console.say(f"  At a table of {spot.table.seats} ({spot.table}), {at}:")
        if len(events) > SHOWN:
            console.say(f"    … {len(events) - SHOWN} events (--json has all)")
        for event in events[-SHOWN:]:
            console.say(f"    {shown(event)}")
        for viewer in spot.table.viewers:
            view = encode(spot.ruleset.view(spot.state, viewer)).decode()
            name = "a spectator" if viewer is None else f"seat {viewer}"
            cut = f"{view[:LONG]}…" if len(view) > LONG else view
            console.say(f"    {name} sees {cut}")
    except Exception as error:  # noqa: BLE001 - rules that are broken may break here too
        console.say(f"    and here they raise {type(error).__name__}: {error}")


def _list(laws: Sequence[Law]) -> None:
    for law in laws:
        console.say(f"{law}: {law.says}")
