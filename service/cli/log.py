"""``lonja log``: the public log of a service."""

import sys
import time
from pathlib import Path

import click
import orjson
from redis.exceptions import RedisError

from rules.kernel.canonical import JsonObject
from rules.kernel.record.instants import from_ms
from service.cli import common, completing, console, parameters
from service.cli.common import Failure
from service.cli.kept import read_receipt
from service.cli.logs import log_key_option, opened_log
from service.cli.proved import write_proved
from service.publishing import checking
from service.publishing.errors import UnfitError
from service.publishing.folder import FolderBusyError, LogFiles, LogFolder
from service.publishing.marker import BeingBuiltError
from service.publishing.marker import adopt as adopt_store
from service.publishing.rotation import rotate as rotated
from service.records.evidence import opened_log as open_checkpoint_of
from service.records.inclusion import LogSource, NoInclusionError
from service.records.receipts import PSEUDONYM_KEY
from service.redis.client import make_client
from service.settings import Settings
from service.tlog.errors import TlogError
from service.tlog.keys import VerifierKey
from service.tlog.reading import LogReader, read_checkpoint
from service.tlog.rotations import followed

LOG = (*common.PYTHON, "service.publishing.process")
"""The command line of the process that builds the log."""


@click.group("log", short_help="Build and check the public log.")
def command() -> None:
    """Manage the public log of a service: tiles that everybody may read, below /log/.

    The log shows strangers that the service keeps one history of each game.
    """


@command.command("build")
def build() -> None:
    """Build the log until it is stopped, as a process of `lonja serve` does.

    Run it on one machine, which has the folder LONJA_PUBLIC_LOG on its disk. A second process waits
    until it may have the folder. SIGTERM ends it at once; it may be killed at any time.
    """
    common.run_on_redis(*LOG, LONJA_PUBLIC_LOG=str(_path(common.local_settings())))


@command.command("key")
@parameters.json_option
def key(*, as_json: bool) -> None:
    """Print the public keys of the log, by which others verify its checkpoints.

    The first one signs checkpoints, the second one says the time at which a checkpoint was the
    newest. Give both to whoever checks the log, by another way than the log itself.
    """
    log, time = _existing().keys().verifiers
    if as_json:
        click.echo(orjson.dumps({"log": str(log), "time": str(time)}))
    else:
        click.echo(f"{log}\n{time}")


@command.command("check")
@parameters.json_option
def check(*, as_json: bool) -> None:
    """Check the log, which may be built meanwhile, against the games of the service.

    Its tiles and its root must follow from its entries, all leaves of a game must lie on one chain,
    and the store, or the packs in LONJA_ARCHIVE, must have every event that a leaf names. The exit
    code is 1 if something is wrong.
    """
    files = _existing()
    runtime = common.local_runtime(announce=False)
    try:
        found = checking.check(files, runtime.ledger.store)
    except UnfitError as error:
        raise Failure(str(error)) from None
    except RedisError as error:
        raise Failure(f"The Redis of the service does not answer: {error}") from None
    told: JsonObject = {
        "folder": str(files.path),
        "origin": files.keys().origin,
        "size": found.tree.size,
        "root": found.tree.root.hex(),
        "at": from_ms(1000 * found.tree.at),
        "leaves": dict(found.kinds),
        "ids": found.ids,
        "failures": [*found.failures],
    }
    if as_json:
        click.echo(orjson.dumps(told))
    else:
        for failure in found.failures:
            console.say(f"WRONG  {failure}", err=True)
        kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(found.kinds.items()))
        console.say(
            f"{told['origin']} has {found.tree.size} leaves of {found.ids} games and tournaments"
            f" ({kinds or 'none'}), signed at {told['at']}: "
            + (f"{len(found.failures)} failures." if found.failures else "all is as it must be.")
        )
    if found.failures:
        sys.exit(1)


@command.command("adopt")
@parameters.json_option
def adopt(*, as_json: bool) -> None:
    """Let the log go on with a store that knows nothing of it, or of another log.

    Use it after the store was emptied, or if the service is to begin a new log in a new folder. The
    process that builds then compares each leaf with the store, and adds a leaf `rewound` for each
    head that the store has lost: everybody sees it.
    """
    found = common.local_settings()
    _forget_log(found, keeps_log=True)
    if as_json:
        click.echo(orjson.dumps({"folder": str(_path(found))}))
    else:
        console.say(
            f"The log in {_path(found)} goes on with this store, and confesses what it lacks."
        )


@command.command("end")
@parameters.json_option
def end(*, as_json: bool) -> None:
    """Let the store forget that there is a public log.

    Use it after LONJA_PUBLIC_LOG has become `no` everywhere, or if nobody runs `lonja log build`
    any more: until then games wait for the log before they leave the store, and `lonja status`
    complains. The files of the log stay as they are; whoever follows it sees that it stands still,
    and the promises of receipts from then on are not kept. The log goes on, and reads all of it
    again, when a process builds it again.
    """
    found = common.local_settings()
    _forget_log(found, keeps_log=False)
    if as_json:
        click.echo(orjson.dumps({"ended": True}))
    else:
        console.say("The store keeps no public log any more, and nothing waits for one.")


def _forget_log(found: Settings, *, keeps_log: bool) -> None:
    """Make the store one that knows nothing of a log (``marker.adopt``). Raises Failure."""
    try:
        adopt_store(make_client(found.redis_url or ""), keeps_log=keeps_log)
    except BeingBuiltError:
        raise Failure(
            "A process builds the public log of this store, and does not stand still: stop it"
            " (`lonja log build`, or the service) first."
        ) from None
    except RedisError as error:
        raise Failure(f"The Redis of the service does not answer: {error}") from None


@command.command("rotate")
@parameters.json_option
def rotate(*, as_json: bool) -> None:
    """Give the log new keys, which the old ones bind, and print the new public ones.

    Nobody may build the log meanwhile: stop the service, or `lonja log build`. Whoever has the old
    keys goes on verifying: a checkpoint below the log, signed by the old and the new keys, names
    the new ones. Give them to witnesses at once, for these take no others. The old private keys are
    gone afterwards.
    """
    found = common.load_settings()
    try:
        folder = LogFolder(_existing().path, found.public_log_name)
    except FolderBusyError:
        raise Failure(
            f"A process builds the public log in {_path(found)}: stop it first (the service, or"
            " `lonja log build`)."
        ) from None
    try:
        done = rotated(folder, int(time.time()))
    except (UnfitError, OSError) as error:
        raise Failure(str(error)) from None
    finally:
        folder.close()
    log_key, time_key = done.new
    if as_json:
        former = [str(key) for key in done.old]
        click.echo(orjson.dumps({"log": str(log_key), "time": str(time_key), "former": former}))
    else:
        click.echo(f"{log_key}\n{time_key}")


@command.command("prove")
@click.argument("file", metavar="FILE", shell_complete=completing.files)
@click.option("--log", metavar="LOG", required=True, help="The public log: a URL, or a folder.")
@log_key_option("A key of the log or of a witness, from a source that you trust.")
@click.option(
    "--receipt",
    type=parameters.input_file(),
    metavar="FILE",
    help="A receipt of the game, if it is not public: it opens the game's pseudonym.",
)
@click.option(
    "--output",
    "-o",
    type=parameters.OUTPUT_FILE,
    metavar="FILE",
    required=True,
    help="The new record.",
)
def prove(
    file: str,
    log: str,
    log_keys: tuple[VerifierKey, ...],
    receipt: Path | None,
    output: Path,
) -> None:
    """Write the record FILE with the proof that a public log has its last event.

    Whoever has the new record and the keys of the log and its witnesses can check without a network
    who saw this history, and when (`lonja verify --log-key`); of a game that waited for a beacon,
    also who saw it by then, if the log has kept that. The record of a tournament gets the
    proofs of its games, too. If FILE is a pack, which never changes, the output is a file of the
    proofs of its records: with the name of the pack and `.proofs` in place of `.pack`, beside it,
    `lonja verify` finds it.
    """
    if not log_keys:
        raise click.UsageError("Name the keys of the log (--log-key).")
    key = None if receipt is None else read_receipt(receipt).get(PSEUDONYM_KEY)
    with opened_log(log) as read:
        try:
            keys = followed(log_keys, read)
            opened = open_checkpoint_of(read_checkpoint(read), keys)
            source = LogSource(opened, LogReader(opened.checkpoint, read), read, keys)
            told = write_proved(file, source, key, output)
        except TlogError as error:
            raise Failure(f"{log} is no log that is whole: {error}.") from None
        except NoInclusionError as error:
            raise Failure(f"{file} cannot be proved: {error}.") from None
    console.say(told, err=common.is_stdout(output))


def _existing() -> LogFiles:
    """Return the files of the log that the settings name. Raises Failure."""
    files = LogFiles(_path(common.load_settings()))
    try:
        files.keys()
    except FileNotFoundError:
        raise Failure(
            f"There is no public log in {files.path}: `lonja serve` or `lonja log build` makes it."
        ) from None
    except UnfitError as error:
        raise Failure(str(error)) from None
    return files


def _path(found: Settings) -> Path:
    """Return the folder of the log. Raises Failure."""
    if found.public_log == "no":
        raise Failure("LONJA_PUBLIC_LOG is no: name the folder of the log in it.")
    return found.public_log or found.data_dir / "log"
