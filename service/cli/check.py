"""``lonja check``: checks a ruleset against all laws."""

import re
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module, resources
from pathlib import Path
from typing import Any, NamedTuple

import click
import orjson
from click.core import ParameterSource

from laws.book import LAWS
from laws.games import SEEDS, Spot, Subject, random_game, shown, written
from laws.judging import FOUNDATIONS, PLAYABLE, Coverage, Failure, Piece, judge, pieces
from laws.law import Law, Scope
from laws.shrinking import position_of, smallest
from laws.tables import tables_of
from rules.kernel.canonical import JsonObject
from rules.kernel.contract.published import package_of
from rules.kernel.contract.registry import UnknownRulesetError
from rules.kernel.contract.ruleset import Ruleset
from rules.kernel.digests import files, hashed
from service.cli import common, completing, console, guide, parameters
from service.cli.common import Failure as CommandFailure
from service.cli.mutating import mutate
from service.cli.sharing import shared
from service.settings import Settings

SHRINKING = 4.0
"""Seconds of the search for a smaller position, for each broken law."""
SHOWN = 12
"""Maximum events before a position that are shown in words."""
LONG = 400
"""Maximum characters of a view that are printed."""
OBJECTS = {
    Scope.RULESET: "rulesets",
    Scope.GAME: "games",
    Scope.POSITION: "positions",
    Scope.EVERY_POSITION: "positions",
}


class BrokenLaw(NamedTuple):
    """A broken law in the form that processes exchange: names and numbers."""

    law: str
    told: str
    table: int
    seed: int
    number: int
    origin: str
    advice: str


@dataclass
class CheckOutcome:
    """The result of checking a ruleset."""

    laws: Sequence[Law]
    failures: list[Failure] = field(default_factory=list)
    """One broken law for each fault of the ruleset. Not all faults can be told apart."""
    alike: dict[str, list[str]] = field(default_factory=dict)
    """The other laws that the same fault breaks, by the name of the failure's law."""
    unjudged: list[Law] = field(default_factory=list)
    looked: Coverage = field(default_factory=Coverage)

    @property
    def broken(self) -> list[Law]:
        """All laws that are broken, each once."""
        names = [f.law.name for f in self.failures]
        alike = [name for names in self.alike.values() for name in names]
        return [LAWS[name] for name in [*names, *alike]]

    @property
    def kept(self) -> list[Law]:
        """The laws that are kept."""
        others = {*self.broken, *self.unjudged}
        return [law for law in self.laws if law not in others]


@click.command("check", short_help="Check a ruleset against the laws that every ruleset must keep.")
@click.argument("package", shell_complete=completing.rulesets)
@click.option(
    "--law",
    "names",
    multiple=True,
    metavar="LAW",
    shell_complete=completing.laws,
    help="Check only this law; may be given several times.",
)
@click.option(
    "--games",
    type=click.IntRange(1, 1000),
    default=len(SEEDS),
    show_default=True,
    metavar="N",
    help="The number of games that most laws check, for each number of seats and options.",
)
@click.option("--seeds", "games", type=click.IntRange(1, 1000), hidden=True)
@click.option(
    "--mutate",
    "mutating",
    is_flag=True,
    help="Put faults into the ruleset, and report which laws and tests notice each.",
)
@click.option(
    "--tests",
    multiple=True,
    metavar="TESTS",
    help="With --mutate: your own tests, for pytest; may be given several times.",
)
@click.option("--list", "listing", is_flag=True, help="List the laws, and check nothing.")
@parameters.json_option
def command(
    package: str,
    names: tuple[str, ...],
    games: int,
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

    First the command plays games, the same ones each time: if a game fails, it checks no other law.
    For a broken law the report has the smallest position found that breaks it, what each seat sees
    there, and what to do. If one error of the rules breaks several laws, the report explains only
    the first. The exit code is 1 if a law is broken, and 130 after an interruption.

    With --mutate, some forty faults are put into the ruleset, one at a time, and the report says
    which laws and which of your tests notice each. The tests are first run on the package as it is,
    and must pass there. --law chooses the laws here, too. The findings are saved in
    mutants-….ndjson in the working folder, and an interrupted run continues from them. The exit
    code is 1 if a fault was not noticed, or was not noticed before its time limit.
    """
    laws = _chosen(names)
    ruleset = find(package)
    only_copy(package_of(ruleset))
    if listing:
        _list(laws, as_json=as_json)
        return
    if mutating:
        if click.get_current_context().get_parameter_source("games") is not ParameterSource.DEFAULT:
            raise CommandFailure("--games goes without --mutate, which has games of its own.")
        notes = Path(f"mutants-{ruleset.info.id}.ndjson")
        try:
            sys.exit(0 if mutate(package_of(ruleset), laws, tests, notes, as_json=as_json) else 1)
        except KeyboardInterrupt:
            console.say(
                f"You stopped it; the same command goes on ({notes} has the rest).", err=True
            )
            sys.exit(common.INTERRUPTED)
    if tests:
        raise CommandFailure("--tests goes with --mutate.")
    subject = Subject(ruleset, tuple(range(1, games + 1)))
    began = time.perf_counter()
    try:
        outcome = held(subject, laws)
    except KeyboardInterrupt:
        console.say("You stopped it; nothing is said of the laws.", err=True)
        sys.exit(common.INTERRUPTED)
    seconds = time.perf_counter() - began
    if as_json:
        click.echo(orjson.dumps(report(ruleset, outcome, seconds)))
    else:
        _tell(ruleset, outcome, seconds)
    if outcome.failures:
        sys.exit(1)


def _chosen(names: Sequence[str]) -> list[Law]:
    for name in names:
        if name not in LAWS:
            raise CommandFailure(
                f"There is no law {name!r}: `lonja check --list` has them all."
                f"{common.did_you_mean(name, LAWS)}"
            )
    return [LAWS[name] for name in names or LAWS]


def find(name: str) -> Ruleset[Any]:
    """Return the ruleset whose id is ``name``, or else the ruleset in the package ``name``.

    Raises Failure.
    """
    try:
        return common.load_registry().find(name)
    except UnknownRulesetError:
        pass
    try:
        ruleset = open_package(name)
    except Exception as error:
        raise CommandFailure(f"{name} is no ruleset: {type(error).__name__}: {error}") from error
    if not isinstance(ruleset, Ruleset):
        # The layout that `lonja new` writes.
        if (Path(name) / Path(name).name / "__init__.py").is_file():
            raise CommandFailure(f"{name} is a project with its package inside: `cd {name}` first.")
        raise CommandFailure(f"{name} has no RULESET, or it is no Ruleset.")
    return ruleset


def only_copy(package: str) -> None:
    """Make sure that the package to check is the one in the working folder.

    Raises:
        Failure: Python finds the package outside of the working folder, and that copy differs from
            the copy in the working folder.
    """
    here = Path.cwd().joinpath(*package.split("."))
    found = resources.files(package)
    if not (here / "__init__.py").is_file() or here.samefile(str(found)):
        return
    one, other = (
        {path: hash_ for path, hash_ in hashed(files(folder)) if path.endswith((".py", ".json"))}
        for folder in (here, found)
    )
    if differing := sorted(path for path in {*one, *other} if one.get(path) != other.get(path)):
        raise CommandFailure(
            f"{package} is found in {found}, and the working folder has another: they differ in"
            f" {', '.join(differing[:5])}. Install the folder's (`pip install -e .`), or take the"
            " other from PYTHONPATH."
        )


def open_package(name: str) -> Any:
    """Return a package's RULESET; the package may lie in the working folder."""
    folder = str(Path.cwd())
    if folder not in sys.path:
        sys.path.append(folder)  # appended last, so that the folder hides no installed module
    return getattr(import_module(name.rstrip("/")), "RULESET", None)


# The work, on all cores


def held(subject: Subject, laws: Sequence[Law]) -> CheckOutcome:
    """Check a ruleset against ``laws``.

    If the ruleset breaks a fundamental law, it is not checked against the other laws.
    """
    outcome = CheckOutcome(laws)
    first = [LAWS[name] for name in FOUNDATIONS if name == PLAYABLE or LAWS[name] in laws]
    met = _broken_of(subject, first, outcome, first=True)
    if PLAYABLE in met:
        met = {PLAYABLE: met[PLAYABLE]}
    if met:
        outcome.unjudged = [law for law in laws if law.name not in met]
    else:
        rest = [law for law in laws if law not in first or law.games]
        met = _broken_of(subject, rest, outcome, first=False)
    origins: dict[str, str] = {}
    ordered = sorted(met.values(), key=_by_cause)
    with console.progress(auto_refresh=False) as progress:
        task = progress.add_task("Looking for smaller positions", total=len(met))
        for one in ordered:
            progress.update(task, advance=1, refresh=True)
            if one.origin and (told := origins.setdefault(one.origin, one.law)) != one.law:
                outcome.alike.setdefault(told, []).append(one.law)
            else:
                outcome.failures.append(_smallest(_failure(subject, one)))
    return outcome


def _by_cause(one: BrokenLaw) -> tuple[bool, bool, int]:
    """Return a sort key for broken laws.

    PLAYABLE comes first. Laws that were broken because the rules raised an error come last.
    Otherwise the order is that of LAWS.
    """
    return one.law != PLAYABLE, bool(one.origin), [*LAWS].index(one.law)


def _broken_of(
    subject: Subject, laws: Sequence[Law], outcome: CheckOutcome, *, first: bool
) -> dict[str, BrokenLaw]:
    """Return the broken laws by name, each with the smallest position found that breaks it."""
    total = len(_pieces(subject, laws, first=first))
    names = [law.name for law in laws]
    begin = partial(_begin, package_of(subject.ruleset), subject.seeds, names, first=first)
    met: dict[str, BrokenLaw] = {}
    told = f"Holding {subject.ruleset.info.id} to the laws"
    if first:
        told = f"Playing {subject.ruleset.info.id}"
    with console.progress(auto_refresh=False) as progress:
        task, pulse = progress.add_task(told, total=total), console.Pulse(told, total)
        for found, looked in shared(_judge, range(total), begin, common.load_settings()):
            outcome.looked.add(looked)
            for one in found:
                if one.law not in met or _size(subject, one) < _size(subject, met[one.law]):
                    met[one.law] = one
            progress.update(task, advance=1, refresh=True)
            pulse.beat()
            if first and PLAYABLE in met:
                break
    return met


def _pieces(subject: Subject, laws: Sequence[Law], *, first: bool) -> list[Piece]:
    """Return the pieces into which the checks are divided.

    If ``first`` is true, the pieces have only the few games that every law needs.
    """
    if first:
        return list(pieces(subject, laws, more=False))
    return list(pieces(subject, laws))


def _smallest(failure: Failure) -> Failure:
    try:
        return smallest(failure, SHRINKING)
    except Exception:  # noqa: BLE001 - rules that are broken may go another way each time
        return failure


def _size(subject: Subject, found: BrokenLaw) -> tuple[int, int]:
    return found.number, tables_of(subject.ruleset)[found.table].seats


def _failure(subject: Subject, found: BrokenLaw) -> Failure:
    table = tables_of(subject.ruleset)[found.table]
    game = random_game(table, found.seed) if found.seed else None
    return Failure(LAWS[found.law], found.told, game, found.number, found.origin, found.advice)


_work: list[Any] = []
"""The subject that a process of the pool checks, and its pieces of work."""


def _begin(
    package: str, seeds: tuple[int, ...], names: list[str], _settings: Settings, *, first: bool
) -> None:
    subject = Subject(open_package(package), seeds)
    _work[:] = [subject, _pieces(subject, [LAWS[name] for name in names], first=first)]


def _judge(number: int) -> tuple[list[BrokenLaw], Coverage]:
    subject, work = _work
    piece, looked = work[number], Coverage()
    tables = tables_of(subject.ruleset)
    table = tables.index(piece.table) if piece.table else 0
    failures = judge(subject, piece, looked)
    found = [
        BrokenLaw(
            f.law.name, f.told, table, piece.seed if f.game else 0, f.number, f.origin, f.special
        )
        for f in failures
    ]
    return found, looked


# The report


def report(ruleset: Ruleset[Any], outcome: CheckOutcome, seconds: float) -> JsonObject:
    """Return all findings as JSON."""
    looked, kept = outcome.looked, outcome.kept
    unseen = _unseen(ruleset, looked)
    return {
        "ruleset": ruleset.info.id,
        "rules_version": ruleset.info.version,
        "package": package_of(ruleset),
        "folder": str(resources.files(package_of(ruleset))),
        "seconds": round(seconds, 3),
        "games": len(looked.games),
        "positions": sum(looked.games.values()),
        "laws": [
            {
                "name": law.name,
                "version": law.version,
                "kept": None if law in outcome.unjudged else law in kept,
                "looked_at": {OBJECTS[law.scope]: looked.times[law.name]},
            }
            for law in outcome.laws
        ],
        "broken": [
            _broken(failure, outcome.alike.get(failure.law.name, []))
            for failure in outcome.failures
        ],
        "never_seen": dict(unseen),
    }


def _unseen(ruleset: Ruleset[Any], looked: Coverage) -> dict[str, list[str]]:
    """Return the types of moves that were never played, and the refusals that never occurred."""
    moves = [type_.type for type_ in ruleset.move_types if type_.type not in looked.moves]
    judged = looked.times["nothing_but_legal_moves_is_accepted"]
    codes = [code for code in ruleset.error_codes if code not in looked.refusals] if judged else []
    return {"moves": moves if looked.games else [], "refusals": codes}


def _broken(failure: Failure, alike: Sequence[str]) -> JsonObject:
    law = failure.law
    told: JsonObject = {
        "law": law.name,
        "version": law.version,
        "says": law.says,
        "told": failure.told,
        "advice": failure.advice or None,
        "guide": guide.page_of(law.section),
        "also": [*alike],
        "position": None,
    }
    try:
        spot = position_of(failure)
        if spot is not None:
            told["position"] = _position(spot)
    except Exception as error:  # noqa: BLE001 - rules that are broken may break here too
        told["position_fails"] = f"{type(error).__name__}: {error}"
    return told


def _position(spot: Spot) -> JsonObject:
    return {
        "seats": spot.table.seats,
        "options": spot.table.options,
        "events": [written(event) for event in spot.game.events[: spot.number]],
        "state": spot.ruleset.to_json(spot.state),
        "views": [
            {"viewer": viewer, "view": spot.ruleset.view(spot.state, viewer)}
            for viewer in spot.table.viewers
        ],
    }


def _tell(ruleset: Ruleset[Any], outcome: CheckOutcome, seconds: float) -> None:
    info, looked = ruleset.info, outcome.looked
    for failure in outcome.failures:
        console.say(f"BROKEN {failure.law}: {failure.law.says}")
        console.say(f"  {failure.told}")
        _tell_position(failure)
        if failure.advice:
            console.say(f"  What to do: {failure.advice}.")
            console.say(f"  The guide: {guide.command_of(failure.law.section)}")
        if alike := outcome.alike.get(failure.law.name):
            console.say(f"  By the same error these fail, too: {', '.join(alike)}")
        console.say("")
    over = f"{sum(looked.games.values())} positions of {len(looked.games)} games"
    if outcome.unjudged:
        what = "other law was" if len(outcome.unjudged) == 1 else "other laws were"
        console.say(
            f"{info.id} {info.version}: {len(outcome.unjudged)} {what} not judged: their games need"
            f" what is broken ({over}, {seconds:.0f} s)."
        )
    else:
        kept = f"{len(outcome.kept)} of {len(outcome.laws)} laws"
        console.say(f"{info.id} {info.version} keeps {kept} ({over}, {seconds:.0f} s).")
        for what, names in _unseen(ruleset, looked).items():
            if names:
                console.say(f"Never seen there: the {what} {', '.join(names)}.")
    if broken := outcome.broken:
        console.say(f"It breaks {len(broken)}: {', '.join(map(str, broken))}.")


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
            view = _marked(spot.ruleset.view(spot.state, viewer), failure.told)
            name = "a spectator" if viewer is None else f"seat {viewer}"
            cut = f"{view[:LONG]}…" if len(view) > LONG else view
            console.say(f"    {name} sees {cut}")
    except Exception as error:  # noqa: BLE001 - rules that are broken may break here too
        console.say(f"    and here they raise {type(error).__name__}: {error}")


def _marked(view: JsonObject, told: str) -> str:
    """Return the JSON of a view. The members that the finding mentions come first."""
    named = re.findall(r"\w+", told)
    members = sorted(view, key=lambda name: (name not in named, name))
    return orjson.dumps({name: view[name] for name in members}).decode()


def _list(laws: Sequence[Law], *, as_json: bool) -> None:
    if as_json:
        listed = [{"name": law.name, "version": law.version, "says": law.says} for law in laws]
        click.echo(orjson.dumps({"laws": listed}))
        return
    for law in laws:
        console.say(f"{law}: {law.says}")
