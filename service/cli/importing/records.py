"""The command: selects records, importer and trusted keys, and reports the outcomes."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import click
import orjson
from redis.exceptions import RedisError

from rules.kernel.canonical import JsonObject
from rules.kernel.proof.shape import is_digest
from rules.kernel.proof.verdicts import NotARecordError
from service.cli import common, console, parameters
from service.cli.common import Failure
from service.cli.importing.admission import ALREADY_HERE, IMPORTED, ImportOptions, RefusedRecord
from service.cli.importing.games import import_game
from service.cli.importing.tournaments import TournamentFile, Track
from service.cli.inputs import as_path, find_files
from service.cli.sharing import shared
from service.cli.verifying import text_of
from service.process.terminal import printable
from service.records import game_file, tournament_file
from service.records.game_file import RecordError
from service.runtime import Runtime, open_runtime
from service.settings import Settings

REFUSED, UNREADABLE = "refused", "unreadable"
_EXIT_CODES = {REFUSED: 1, UNREADABLE: 2}
"""Exit codes by outcome. The first outcome that any file has decides; if none has one, it is 0."""
_IN_SHORT = {
    IMPORTED: "imported", ALREADY_HERE: "already here", REFUSED: "REFUSED",
    UNREADABLE: "unreadable",
}  # fmt: skip


class ImportOutcome(NamedTuple):
    """The outcome for one file, with the reason of a refusal."""

    file: str
    outcome: str
    game_id: str | None
    tournament_id: str | None
    why: list[str]


@click.command(
    "import", short_help="Store finished games and tournaments that were played elsewhere."
)
@parameters.files_argument
@parameters.by_option
@click.option(
    "--public-key",
    "public_keys",
    metavar="KEY",
    multiple=True,
    help="A key of another installation, from a source that you trust; may be given several times.",
)
@parameters.json_option
def command(
    files: tuple[str, ...], by: str, public_keys: tuple[str, ...], *, as_json: bool
) -> None:
    """Import games and tournaments from their records, FILE.

    Each record is verified as by `lonja verify`. It must be finished, wholly proved, and signed
    with the key of this installation or with one that you name. The game or tournament keeps its id
    and its events, is shown as imported by NAME, and exports to the same record again. A tournament
    is imported with all its games; after an interruption nothing of it is visible, and the same
    command continues.

    FILE may be compressed with gzip; `-` is the standard input; a folder stands for every
    *.ndjson and *.ndjson.gz below it.

    The exit code is 0 if all records are stored now or were before, 1 if any is refused, and 2 if
    any file is not a record or cannot be read.
    """
    found = find_files(files)
    if not found:
        raise Failure(f"There is no *.ndjson and no *.ndjson.gz in {', '.join(files)}.")
    runtime = common.local_runtime(announce=False)
    if full := runtime.health.nearly_full():
        raise Failure(f"Nothing is imported: {full}")
    trusted = {runtime.signer.public_key.hex(), *map(_key, public_keys)}
    asked = ImportOptions(by, frozenset(trusted))
    try:
        with ExitStack() as copies:  # the processes of a pool have no standard input
            paths = {file: copies.enter_context(as_path(file)) for file in found}
            if len(found) == 1:
                outcomes = [_import(found[0], paths[found[0]], asked, runtime, _tracked)]
            else:
                outcomes = _import_all(paths, asked, runtime.settings)
    except RedisError as error:
        raise Failure(f"The Redis of the service does not answer: {error}") from None
    _tell(outcomes, as_json=as_json)
    verdicts = {outcome.outcome for outcome in outcomes}
    sys.exit(next((code for verdict, code in _EXIT_CODES.items() if verdict in verdicts), 0))


def _import_all(
    found: Mapping[str, Path], asked: ImportOptions, settings: Settings
) -> list[ImportOutcome]:
    """Import on all cores; the terminal shows how many files are done."""
    with console.progress(auto_refresh=False) as progress:
        done = shared(partial(_import_here, asked=asked), found.items(), _open, settings)
        return [*progress.track(done, len(found), description="Importing")]


def _tracked(games: Iterator[Any], count: int, label: str) -> Iterator[Any]:
    """Yield games; the terminal shows how many are done."""
    with console.progress() as progress:
        yield from progress.track(games, count, description=label)


def _key(text: str) -> str:
    if not is_digest(text.lower()):
        raise Failure(f"{text!r:.80} is no key: it has 64 hexadecimal digits.")
    return text.lower()


# In a process of the pool

_runtime: list[Runtime] = []


def _open(settings: Settings) -> None:
    _runtime.append(open_runtime(settings, announce=False))


def _import_here(named: tuple[str, Path], asked: ImportOptions) -> ImportOutcome:
    return _import(*named, asked, _runtime[-1], lambda games, _count, _label: games)


def _import(
    file: str, path: Path, asked: ImportOptions, runtime: Runtime, track: Track
) -> ImportOutcome:
    """Verify the record of a game or tournament at ``path``, and store it."""
    game_id = tournament_id = None
    what = "game"
    try:
        if tournament_file.is_one(path):
            what = "tournament"
            tournament = TournamentFile(path, asked, runtime, track)
            tournament_id = tournament.id
            done = tournament.store()
        else:
            record = game_file.read(path)
            game_id = record.game_id
            done = import_game(record, asked, runtime)
        return ImportOutcome(file, done, game_id, tournament_id, [])
    except RefusedRecord as error:
        return ImportOutcome(
            file, REFUSED, game_id, tournament_id, [str(why) for why in error.args]
        )
    except (RecordError, NotARecordError) as error:
        why = f"it is no record of a {what}: {error}"
    except OSError as error:
        why = f"it cannot be read: {error.strerror or error}"
    return ImportOutcome(file, UNREADABLE, game_id, tournament_id, [why])


# Output


def _tell(outcomes: Sequence[ImportOutcome], *, as_json: bool) -> None:
    counts = {name: sum(one.outcome == name for one in outcomes) for name in _IN_SHORT}
    if as_json:
        files: list[JsonObject] = [
            {**one._asdict(), "file": text_of(one.file), "why": [*map(text_of, one.why)]}
            for one in outcomes
        ]
        click.echo(orjson.dumps({"counts": counts, "files": files}))
        return
    for one in outcomes:
        click.echo(printable(f"{_IN_SHORT[one.outcome]:12}  {one.file}"))
        for why in one.why:
            click.echo(printable(f"    {why}"))
    told = ", ".join(f"{counts[name]} {words}" for name, words in _IN_SHORT.items())
    click.echo(f"{len(outcomes)} records: {told}.")
