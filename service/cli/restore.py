"""``lonja restore``: restores a backup into an empty store, and rebuilds derived data."""

import dataclasses
import sqlite3
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import click
import orjson
from redis import Redis
from redis.exceptions import RedisError

from rules.kernel.canonical import JsonObject
from service.archive.beside import BesideError
from service.archive.catalogue import Catalogue
from service.archive.places import files_at
from service.cli import common, console, parameters, reading_back, rederiving
from service.cli.common import Failure
from service.cli.inputs import as_path
from service.games.listing import GameList
from service.ledger.store import online_replicas
from service.process import logs
from service.publishing.marker import adopt
from service.records.game_file import RecordError
from service.redis.binary import RedisServerError
from service.redis.client import UnsuitableServerError, check_server, make_client
from service.redis.server import RedisServer
from service.runtime import Runtime, open_runtime
from service.settings import Settings
from service.tournaments import global_ratings
from service.upkeep import backup_file, restore
from service.upkeep.backup_file import BackupError, Manifest
from service.upkeep.besides import BesideFiles
from service.upkeep.inspection import OTHER_HISTORY, Finding
from service.upkeep.moving import ForeignPackError, Mover
from service.upkeep.restore import FailedOverError, NotEmptyError


class Replicas(NamedTuple):
    """The required and the actual number of replicas that hold the restored data."""

    wanted: int
    holding: int


@click.command("restore", short_help="Restore a backup into an empty store.")
@click.argument("file", type=parameters.input_file(exists=True))
@click.option("--dry-run", is_flag=True, help="Check FILE and refold every game; write nothing.")
@parameters.json_option
def command(file: Path, *, dry_run: bool, as_json: bool) -> None:
    """Restore the backup FILE into an empty store: the Redis at REDIS_URL, or LONJA_DATA_DIR.

    Stop the service first, and start it afterwards. No process uses the store until everything is
    restored. If the restore is interrupted, repeat it with the same FILE: it begins again. With
    LONJA_REPLICAS_TO_WAIT, it waits up to a minute until that many replicas hold all data. `-` is a
    backup from the standard input; it is copied to a temporary file first.

    The exit code is 0 if everything is restored and sound; 1 if everything is restored, but part of
    it is damaged or too few replicas hold it; and 2 if FILE cannot be restored.
    """
    began = time.monotonic()
    replicas = None
    try:
        with as_path(file) as path:
            if dry_run:
                manifest, findings = reading_back.read_back(path)
            else:
                manifest, findings, replicas = _restore(path)
    except (BackupError, OSError) as error:
        raise Failure(f"{file} cannot be restored: {error}.") from None
    told: JsonObject = {
        "file": str(file),
        "restored": not dry_run,
        "replicas": None if replicas is None else replicas._asdict(),
        **reading_back.manifest_json(manifest),
        "seconds": round(time.monotonic() - began, 1),
    }
    _tell(told, findings, replicas, as_json=as_json)
    sys.exit(1 if findings or (replicas and replicas.holding < replicas.wanted) else 0)


def _restore(file: Path) -> tuple[Manifest, list[Finding], Replicas]:
    """Restore a backup; return its manifest, the findings, and the numbers of replicas."""
    manifest = backup_file.check_whole(file)
    settings = common.load_settings()
    logs.configure(dataclasses.replace(settings, log_level="error"))
    with _store(settings) as (found, redis):
        try:
            for warning in check_server(redis, found.appendfsync).warnings:
                click.echo(f"Warning: {warning}", err=True)
            primary = restore.primary_of(redis)
            wanted = found.replicas_to_wait
            if wanted == "all":
                wanted = online_replicas(redis.info("replication"))
            restore.begin(redis, manifest)
            _fill(redis, file, manifest)
            findings = _derive(found, manifest)
            adopt(redis, keeps_log=False)  # the public log says what the backup lacks
            holding = restore.end(redis, primary, wanted)
        except FailedOverError as error:
            raise Failure(f"Broken off: {error}. Repeat the restore with the same file.") from None
        except UnsuitableServerError as error:
            raise Failure(str(error)) from None
        except NotEmptyError as error:
            raise Failure(
                f"A backup is restored into an empty store alone, and this one is not: {error}."
                " Stop the service, and name an empty one in LONJA_DATA_DIR or REDIS_URL."
            ) from None
        except RedisError as error:
            raise Failure(
                f"The Redis does not answer: {error}. Repeat the restore with the same file."
            ) from None
    return manifest, findings, Replicas(wanted, holding)


@contextmanager
def _store(settings: Settings) -> Iterator[tuple[Settings, Redis]]:
    """Yield two things: settings that name a Redis, and a client of this Redis, to restore into.

    If ``settings`` do not name a Redis, one is started, and it is stopped at the end.
    """
    if settings.redis_url is not None:
        yield settings, make_client(settings.redis_url)
        return
    server = RedisServer(settings.data_dir, settings.appendfsync, settings.redis_server)
    try:
        with server:
            found = dataclasses.replace(
                settings,
                redis_url=server.url,
                queue_redis_url=settings.queue_redis_url or server.url,
            )
            yield found, make_client(server.url)
    except RedisServerError as error:
        raise Failure(str(error)) from None


def _fill(redis: Redis, file: Path, manifest: Manifest) -> None:
    with console.progress() as progress:
        task = progress.add_task("Restoring", total=reading_back.streams_in(manifest))
        for _stream in restore.fill(redis, file):
            progress.update(task, advance=1)


def _derive(settings: Settings, manifest: Manifest) -> list[Finding]:
    findings: list[Finding] = []
    streams = 0
    with console.progress(auto_refresh=False) as progress:
        task = progress.add_task("Refolding", total=reading_back.streams_in(manifest))
        for found in rederiving.derive(settings):
            findings += found.findings
            streams += found.streams
            progress.update(task, advance=found.streams, refresh=True)
    runtime = open_runtime(settings, announce=False, restoring=True)
    if settings.archive is not None:
        findings += _note_archived(runtime, settings.archive)
    runtime.redis.delete(global_ratings.LOCK)  # only a killed restore leaves this lock behind
    runtime.ratings.catch_up()
    runtime.player_ratings.catch_up(runtime.ledger.store.clock.ask())
    expected = reading_back.streams_in(manifest)
    if streams != expected:
        raise Failure(f"{streams} games and tournaments are restored, not {expected}: repeat it.")
    return findings


def _note_archived(runtime: Runtime, place: str) -> list[Finding]:
    """Note where the games are that are in packs, and not in the backup. Raises Failure."""
    ledger, files = runtime.ledger, files_at(place, runtime.settings.archive_keys)
    games = GameList(runtime.redis, ledger)
    besides, key = BesideFiles(ledger.store, files), runtime.signer.public_key.hex()
    mover = Mover(ledger, files, besides, games.list_again, key)
    catalogue = Catalogue.of(files, runtime.settings.data_dir)
    try:
        catalogue.catch_up(files)
        with console.progress() as progress:
            adopted = mover.adopt(catalogue.disputed())
            outcomes = [*progress.track(adopted, description="Finding archived games")]
    except ForeignPackError as error:
        raise Failure(f"{error}, and restore again.") from None
    except (BesideError, RecordError, OSError, sqlite3.Error) as error:
        raise Failure(f"The archive in {place} cannot be read: {error}.") from None
    return [Finding(one.id, OTHER_HISTORY, one.stays) for one in outcomes if one.stays]


def _tell(
    told: JsonObject, findings: list[Finding], replicas: Replicas | None, *, as_json: bool
) -> None:
    if as_json:
        listed = [finding.to_json() for finding in findings]
        click.echo(orjson.dumps({**told, "findings": listed}))
        return
    reading_back.tell_findings(findings)
    done = "Restored" if told["restored"] else "It can be restored"
    sound = "every game folds to what was recorded" if not findings else f"{len(findings)} findings"
    click.echo(
        f"{done}: {reading_back.in_words(told['counts'])}, in {told['seconds']:.1f} s; {sound}."
    )
    click.echo(f"Written from {told['began_at']} to {told['ended_at']} by Lonja {told['lonja']}.")
    if replicas and replicas.holding < replicas.wanted:
        click.echo(
            f"{replicas.holding} of {replicas.wanted} replicas hold all of it: a failover now could"
            " lose it. Wait until they follow (`lonja status`), or attach one, and then start."
        )
    elif replicas and replicas.wanted:
        click.echo(f"{replicas.holding} replicas hold all of it.")
    if told["restored"]:
        click.echo(
            "Start the service. What players were promised since then is missing:"
            " `lonja ledger check --receipts` tells what, by their receipts."
        )
