"""``lonja backup``: writes and checks a backup of a running service."""

import sys
import time
from contextlib import suppress
from pathlib import Path

import click
import orjson
from redis.exceptions import RedisError

from rules.kernel.canonical import JsonObject
from service.cli import checking, common, console, parameters, reading_back
from service.cli.common import Failure
from service.redis.keys import BACKED_UP
from service.runtime import Runtime
from service.upkeep import backup_file
from service.upkeep.backup import Backup, UnknownTypeError
from service.upkeep.backup_file import BackupError
from service.upkeep.inspection import Finding


@click.command("backup", short_help="Write a backup of the store to a file.")
@click.argument("file", type=parameters.OUTPUT_FILE)
@click.option(
    "--check/--no-check",
    default=True,
    show_default=True,
    help="Read the backup again and refold every game in it.",
)
@parameters.json_option
def command(file: Path, *, check: bool, as_json: bool) -> None:
    """Write games, tournaments, players and the signing key to FILE, while the service runs.

    FILE appears when it is complete, readable only by this user: it is as secret as the store. An
    existing FILE is not overwritten. `-` is the standard output, for a pipe: that backup is not
    read back, and the report goes to the standard error.

    The exit code is 0 if FILE is written and sound, 1 if FILE is written but part of it is damaged,
    and 2 if FILE could not be written.
    """
    if piped := common.is_stdout(file):
        check = False
        if sys.stdout.isatty():
            raise Failure("A backup is no text for a terminal: name a FILE, or a pipe for -.")
    elif file.exists():
        raise Failure(f"{file} is there already: choose another name, such as one with the date.")
    began = time.monotonic()
    runtime = common.local_runtime(announce=False)
    backup = Backup(runtime.ledger.store, runtime.signer.public_key.hex())
    _write(backup, file, runtime)
    findings = [*backup.findings, *(_checked(file) if check else [])]
    # A replica takes no writes, so it cannot store the time of the backup.
    with suppress(RedisError):
        runtime.redis.set(BACKED_UP, runtime.ledger.store.clock.ask())
    told: JsonObject = {
        "file": str(file),
        "bytes": None if piped else file.stat().st_size,
        "id": backup.id,
        "public_key": runtime.signer.public_key.hex(),
        "began_at": backup.began_at,
        "ended_at": backup.ended_at,
        "counts": dict(backup.counts),
        "checked": check,
        "seconds": round(time.monotonic() - began, 1),
    }
    _tell(told, findings, as_json=as_json, err=piped)
    sys.exit(1 if findings else 0)


def _write(backup: Backup, file: Path, runtime: Runtime) -> None:
    try:
        opened = (
            backup_file.packing(sys.stdout.buffer)
            if common.is_stdout(file)
            else backup_file.writing(file)
        )
        with opened as lines, console.progress() as progress:
            total = 0 if progress.disable else checking.count(runtime)
            task = progress.add_task("Writing", total=total)
            for _stream in backup.write(lines):
                progress.update(task, advance=1)
    except UnknownTypeError as error:
        raise Failure(f"There is no backup: {error}.") from None
    except RedisError as error:
        raise Failure(f"The Redis of the service does not answer: {error}") from None
    except OSError as error:
        raise Failure(f"{file} cannot be written: {error.strerror}.") from None


def _checked(file: Path) -> list[Finding]:
    try:
        return reading_back.read_back(file)[1]
    except (BackupError, OSError) as error:
        raise Failure(f"{file} was written, and cannot be read back: {error}.") from None


def _tell(told: JsonObject, findings: list[Finding], *, as_json: bool, err: bool) -> None:
    if as_json:
        listed = [finding.to_json() for finding in findings]
        click.echo(orjson.dumps({**told, "findings": listed}), err=err)
        return
    reading_back.tell_findings(findings, err=err)
    size = "" if told["bytes"] is None else f"{told['bytes'] / 1e6:.1f} MB "
    click.echo(
        f"{told['file']}: {reading_back.in_words(told['counts'])};"
        f" {size}in {told['seconds']:.1f} s.",
        err=err,
    )
    if not told["checked"]:
        click.echo("It was not checked: `lonja restore --dry-run` does that.", err=err)
    elif findings:
        click.echo(
            f"{len(findings)} findings: `lonja ledger check` says whether the store has them.",
            err=err,
        )
    else:
        click.echo("Read back: every game folds to what was recorded.")
