"""``lonja verify``: checks a record, with nothing but the file and the rules."""

import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path

import click
import orjson

from rules.kernel.canonical import JsonObject
from rules.kernel.verify import Check, NotARecordError, Report, verify
from rules.registry import Registry
from service import record_checks
from service.cli import common
from service.record import Record, RecordError, read
from service.tournaments import record as tournament_record
from service.tournaments.verify import verify_tournament

RECOMPUTE_MODULE = "workers.bots.recompute"
"""By its name, because the service never imports its workers."""

MAX_RECEIPT_BYTES = 65_536
SHOWN = 5
NOT_CHECKED_HERE = 3

_MEANINGS = {
    "header": "the first line agrees with the events and is signed",
    "receipt": "the record agrees with the receipt you were given",
    "viewer": "nothing that this viewer may see is left out",
    "chain": "every event follows from the one before; none was edited, moved or removed",
    "batches": "every request stands whole; the record is not cut inside one",
    "parts": "every part of every event is what its header committed to",
    "openings": "what was sealed opened as it was sealed",
    "commitments": "chance was committed to before play and opened as committed",
    "chance": "every draw follows from the committed seed",
    "play": "every move was legal, every state and the result follow from the rules",
    "course": "every pairing, seat and disqualification follows from the seed and the results",
    "games": "every game that had to be played is there, sound, and ended as the table has it",
    "report": "every figure of the published report comes out again",
    "bots": "every bot's move is what the bot plays from what its seat knew",
}


@click.command("verify", short_help="Check the record of a game or a tournament.")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--receipt",
    type=click.Path(dir_okay=False, path_type=Path),
    help="A receipt that you kept, as JSON: proves the record up to its event.",
)
@click.option(
    "--public-key", metavar="HEX", help="The service's key, from a source that you trust."
)
@click.option("--bots", is_flag=True, help="Recompute the bots' moves too; slower.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, for programs.")
def command(
    file: Path, receipt: Path | None, public_key: str | None, *, bots: bool, as_json: bool
) -> None:
    """Check the record FILE of a game or a tournament; no service and no Redis is needed.

    The exit code is 0 if every check passed, 1 if one failed, 2 if FILE is no record, and 3 if one
    could not be made because the rules or a bot are not installed here.
    """
    registry = common.load_registry()
    if tournament_record.is_one(file):
        if receipt is not None or public_key is not None:
            raise common.Failure("A tournament's record carries its own receipts.")
        _end(_tournament(file, registry, bots=bots), as_json=as_json)
        return
    record = _read(file)
    try:
        report = verify(record.game_id, record.copies, registry)
    except NotARecordError as error:
        raise common.Failure(f"{file} is no record of a game: {error}.") from None
    report.checks.insert(0, _guarded("header", lambda: record_checks.check_header(record)))
    report.checks.insert(1, _guarded("viewer", lambda: record_checks.check_viewer(record)))
    if receipt is None and public_key is None:
        report.notes.insert(0, "No receipt and no trusted key was given (--receipt, --public-key).")
    else:
        kept = None if receipt is None else _read_receipt(receipt)
        report.checks.insert(
            2, _guarded("receipt", lambda: _check_receipt(record, kept, public_key))
        )
    if bots:
        report.checks.append(_guarded("bots", lambda: _recompute(record, registry)))
    _end(report, as_json=as_json)


def _end(report: Report, *, as_json: bool) -> None:
    _tell(report, as_json=as_json)
    if not report.ok:
        sys.exit(1)
    if not report.complete:
        sys.exit(NOT_CHECKED_HERE)


def _tournament(file: Path, registry: Registry, *, bots: bool) -> Report:
    """Check the record of a tournament, with a bar for its games."""

    def progress(games: Iterator[Record], count: int) -> Iterator[Record]:
        with click.progressbar(games, length=count, label="Games", file=sys.stderr) as bar:
            yield from bar

    try:
        with tournament_record.reading(file) as found:
            return verify_tournament(
                found,
                registry,
                also=(lambda game: _recompute(game, registry)) if bots else None,
                progress=progress,
            )
    except (RecordError, NotARecordError, EOFError) as error:
        raise common.Failure(f"{file} is no record of a tournament: {error}.") from None
    except OSError as error:
        raise common.Failure(f"{file} cannot be read: {error.strerror or error}.") from None


def _read(file: Path) -> Record:
    try:
        return read(file)
    except RecordError as error:
        raise common.Failure(f"{file} is no record of a game: {error}.") from None
    except OSError as error:
        raise common.Failure(f"{file} cannot be read: {error.strerror}.") from None


def _read_receipt(file: Path) -> JsonObject:
    try:
        with file.open("rb") as opened:
            receipt = orjson.loads(opened.read(MAX_RECEIPT_BYTES))
    except OSError as error:
        raise common.Failure(f"{file} cannot be read: {error.strerror}.") from None
    except orjson.JSONDecodeError as error:
        raise common.Failure(f"{file} is no receipt: {error}.") from None
    receipt = receipt.get("receipt", receipt) if isinstance(receipt, dict) else receipt
    if not isinstance(receipt, dict):
        raise common.Failure(f"{file} is no receipt: it is not a JSON object.")
    return receipt


def _check_receipt(record: Record, receipt: JsonObject | None, public_key: str | None) -> Check:
    """Check a kept receipt, or the record's own, with the key that the caller trusts."""
    check = Check("receipt")
    header = record.header
    record_checks.check_receipt(
        check, record, receipt or header["receipt"], public_key or header["public_key"]
    )
    return check


def _recompute(record: Record, registry: Registry) -> Check:
    common.bots_module()
    check: Check = import_module(RECOMPUTE_MODULE).check_bots(
        record.game_id, record.copies, registry
    )
    return check


def _guarded(name: str, do: Callable[[], Check]) -> Check:
    """Do a check on what may be any JSON; whatever that provokes is a failure of the record."""
    try:
        return do()
    except Exception as error:  # noqa: BLE001 - see above
        return Check(name, 1, [f"the record is not readable: {type(error).__name__} {error}"])


def _tell(report: Report, *, as_json: bool) -> None:
    if as_json:
        click.echo(orjson.dumps(report.to_json()))
        return
    what = "Tournament" if report.game_id.startswith("t") else "Game"
    click.echo(f"{what} {report.game_id}, {report.version} events, {report.status}.")
    for check in report.checks:
        mark = "skipped" if check.skipped else "ok     " if check.ok else "FAILED "
        reason = f" ({check.skipped})" if check.skipped else ""
        click.echo(f"  {mark} {check.name}: {_MEANINGS[check.name]}; {check.checked} facts{reason}")
        for failure in check.failures[:SHOWN]:
            click.echo(f"          {failure}")
        if len(check.failures) > SHOWN:
            click.echo(f"          and {len(check.failures) - SHOWN} more")
    for note in report.notes:
        click.echo(f"  Note: {note}")
    skipped = [check.name for check in report.checks if check.skipped]
    if not report.ok:
        click.echo("This record is NOT what it claims to be.")
    elif not report.complete:
        click.echo(f"NOT wholly checked: {', '.join(skipped)} skipped.")
    elif skipped:
        click.echo(f"What can be checked passed; skipped: {', '.join(skipped)}.")
    else:
        click.echo("Every check passed.")
