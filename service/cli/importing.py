"""``lonja import``: stores finished games that were played elsewhere, once they are proved."""

import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import click
import orjson
from redis.exceptions import RedisError

from rules.kernel.canonical import JsonObject
from rules.kernel.proof.shape import is_digest
from rules.kernel.proof.verdicts import PROVED, NotARecordError, Report
from rules.kernel.record.events import from_copy
from rules.kernel.record.secrets import Secrets
from service.cli import common, console
from service.cli.common import Failure
from service.cli.sharing import shared
from service.cli.verifying import Asked, find_files, text_of, verify_game
from service.ids import GAME_ID, SHARDS, shard_of
from service.ledger.imports import DONE, HERE, Imports
from service.ledger.origin import Origin
from service.records import tournament_file
from service.records.game_file import Record, RecordError, read
from service.runtime import Runtime, open_runtime
from service.settings import Settings
from service.terminal import printable
from service.text import BadTextError, clean

MAX_NAME = 100
SHOWN = 5
IMPORTED, ALREADY_HERE, REFUSED, UNREADABLE = "imported", "already_here", "refused", "unreadable"
_EXIT_CODES = {REFUSED: 1, UNREADABLE: 2}
"""Of several files, the first of these that any of them has counts; else it is 0."""
_IN_SHORT = {
    IMPORTED: "imported", ALREADY_HERE: "already here", REFUSED: "REFUSED",
    UNREADABLE: "unreadable",
}  # fmt: skip


class Outcome(NamedTuple):
    """What came of one file, and why if nothing did."""

    file: str
    outcome: str
    game_id: str | None
    why: list[str]


class RefusedRecord(Exception):
    """A record that is not stored; the arguments say why."""


@click.command("import", short_help="Store finished games that were played elsewhere.")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--by", required=True, metavar="NAME", help="Who imports them; everybody sees it.")
@click.option(
    "--public-key",
    "public_keys",
    metavar="HEX",
    multiple=True,
    help="A key of another installation, from a source that you trust; may be given several times.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, for programs.")
def command(
    files: tuple[str, ...], by: str, public_keys: tuple[str, ...], *, as_json: bool
) -> None:
    """Store the games whose records are FILE, as `lonja export` writes them.

    Each is verified as `lonja verify` does. It has to be over, proved wholly, and signed with the
    key of this installation or with one that you name. It keeps its id and its events, is shown as
    imported, and exports to the same record again.

    FILE may be compressed with gzip; a folder stands for every *.ndjson and *.ndjson.gz below it.

    The exit code is 0 if all of them are stored, or were before; 1 if any is refused; 2 if any is
    no record or cannot be read.
    """
    found = find_files(files)
    if not found:
        raise Failure(f"There is no *.ndjson and no *.ndjson.gz in {', '.join(files)}.")
    runtime = common.local_runtime(announce=False)
    if full := runtime.health.nearly_full():
        raise Failure(f"Nothing is imported: {full}")
    trusted = {runtime.signer.public_key.hex(), *map(_key, public_keys)}
    do = partial(_import, by=_name(by), trusted=frozenset(trusted))
    try:
        with console.progress(auto_refresh=False) as progress:
            done = shared(do, found, _open, runtime.settings)
            outcomes = [*progress.track(done, len(found), description="Importing")]
    except RedisError as error:
        raise Failure(f"The Redis of the service does not answer: {error}") from None
    _tell(outcomes, as_json=as_json)
    verdicts = {outcome.outcome for outcome in outcomes}
    sys.exit(next((code for verdict, code in _EXIT_CODES.items() if verdict in verdicts), 0))


def _name(by: str) -> str:
    try:
        name = clean(by)
    except BadTextError as error:
        raise Failure(f"Nobody can be shown {by!r:.80}: {error}.") from None
    if len(name) > MAX_NAME:
        raise Failure(f"A name has 1 to {MAX_NAME} characters, unlike {by!r:.80}.")
    return name


def _key(text: str) -> str:
    if not is_digest(text.lower()):
        raise Failure(f"{text!r:.80} is no key: it has 64 hexadecimal digits.")
    return text.lower()


# In a process of the pool

_runtime: list[Runtime] = []


def _open(settings: Settings) -> None:
    _runtime.append(open_runtime(settings, announce=False))


def _import(file: str, by: str, trusted: frozenset[str]) -> Outcome:
    """Verify a record and store its game."""
    game_id = None
    try:
        record = _read(Path(file))
        game_id = record.game_id
        _expect_to_be_proved(record, trusted)
        return Outcome(file, _store(record, by), game_id, [])
    except RefusedRecord as error:
        return Outcome(file, REFUSED, game_id, [str(why) for why in error.args])
    except (RecordError, NotARecordError) as error:
        return Outcome(file, UNREADABLE, game_id, [f"it is no record of a game: {error}"])
    except OSError as error:
        return Outcome(file, UNREADABLE, game_id, [f"it cannot be read: {error.strerror or error}"])


def _read(path: Path) -> Record:
    if tournament_file.is_one(path):
        raise RefusedRecord("it is the record of a tournament: games alone can be imported")
    return read(path)


def _expect_to_be_proved(record: Record, trusted: frozenset[str]) -> None:
    """Raise RefusedRecord unless a record is of a whole game, proved, and signed as trusted."""
    key = record.header["public_key"]
    if key not in trusted:
        raise RefusedRecord(
            f"it is signed with the key {key!r:.80}, which is not this installation's: if you trust"
            " it, name it with --public-key"
        )
    report = verify_game(record, Asked(public_key=key), _runtime[-1].registry)
    if report.verdict != PROVED:
        raise RefusedRecord(*_findings(report))
    game_id = record.game_id
    if not GAME_ID.match(game_id) or shard_of(game_id) >= SHARDS:
        raise RefusedRecord(f"no stored game has an id like {game_id!r:.80}")
    if record.copies[0]["body"]["game"]["chance"]["scope"] != game_id:
        raise RefusedRecord("it is a game of a tournament, whose other games share its luck")


def _findings(report: Report) -> list[str]:
    if report.ok:
        return [f"it is not wholly proved: {missing}" for missing in report.missing]
    failed = [f"{check.name}: {failure}" for check in report.checks for failure in check.failures]
    more = [f"and {len(failed) - SHOWN} more"] if len(failed) > SHOWN else []
    return [*failed[:SHOWN], *more]


def _store(record: Record, by: str) -> str:
    runtime, header = _runtime[-1], record.header
    store = runtime.ledger.store
    opened = {name: part for copy in record.copies[-2:] for name, part in copy["body"].items()}
    secrets = Secrets(
        bytes.fromhex(opened["salt"]["salt_secret"]), bytes.fromhex(opened["chance"]["chance_seed"])
    )
    own = runtime.signer.public_key.hex()
    origin = Origin(
        by, store.clock.now(), header["public_key"], header["receipt"], header["public_key"] == own
    )
    events = [from_copy(copy) for copy in record.copies]
    found = Imports(store, runtime.registry).put(record.game_id, events, secrets, origin)
    if found not in (DONE, HERE):
        raise RefusedRecord("another game, or another history of this one, has its id here")
    return IMPORTED if found == DONE else ALREADY_HERE


# What is told


def _tell(outcomes: Sequence[Outcome], *, as_json: bool) -> None:
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
