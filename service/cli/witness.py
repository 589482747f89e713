"""``lonja witness``: a witness of public logs."""

import os
from pathlib import Path

import click
import orjson

from rules.kernel.canonical import JsonObject
from rules.kernel.record.instants import from_ms
from service.cli import common, console, parameters
from service.cli.common import Failure
from service.tlog.notes import Note
from service.witnessing.errors import UnusableError
from service.witnessing.folder import WitnessFolder

WITNESS = (*common.PYTHON, "gevent.monkey", "--module", "service.witnessing.process")
"""The command line of a witness. With gevent a slow client keeps nobody waiting."""
_folder = click.argument("folder", type=click.Path(file_okay=False, path_type=Path))


@click.group("witness", short_help="Co-sign public logs of others.")
def command() -> None:
    """Run a witness: it co-signs the checkpoints of logs that keep all that they had.

    Logs send their checkpoints as c2sp.org/tlog-witness describes, so a witness serves logs of
    other programs, too. It needs no Redis, and no other part of a service.
    """


@command.command("new")
@_folder
@click.option(
    "--name",
    required=True,
    metavar="NAME",
    help="The name of the key for good: a URL without https://, such as witness.example.org/w1.",
)
@parameters.json_option
def new(folder: Path, name: str, *, as_json: bool) -> None:
    """Make the FOLDER of a witness with a new key; print its public key.

    Then write the logs that it is to co-sign into `policy` in that folder.
    """
    try:
        key = WitnessFolder(folder).make(name).verifier
    except UnusableError as error:
        raise Failure(str(error)) from None
    if as_json:
        click.echo(orjson.dumps({"folder": str(folder), "key": str(key)}))
    else:
        click.echo(str(key))
        console.say(f"Name the logs that it is to co-sign in {folder / 'policy'}.", err=True)


@command.command("run")
@_folder
@parameters.port_option
@click.option(
    "--per-minute",
    type=click.IntRange(1, 60_000),
    default=60,
    show_default=True,
    metavar="N",
    help="How many new checkpoints of each log it co-signs in a minute.",
)
def run(folder: Path, port: int, per_minute: int) -> None:
    """Run the witness in FOLDER until it is stopped.

    At its start it asks the logs and other witnesses in its policy what it has co-signed. If one of
    them shows more than its state knows, it ends with the exit code 3. SIGTERM ends it at once; it
    may be killed at any time. It listens at LONJA_HOST.
    """
    host = str(common.load_settings().host)
    words = (*WITNESS, str(folder.absolute()), host, str(port), str(per_minute))
    os.execv(words[0], words)  # noqa: S606  # no shell


@command.command("key")
@_folder
@parameters.json_option
def key(folder: Path, *, as_json: bool) -> None:
    """Print the public key of the witness in FOLDER, for logs and for those who check them."""
    try:
        found = WitnessFolder(folder).key().verifier
    except UnusableError as error:
        raise Failure(str(error)) from None
    click.echo(orjson.dumps({"key": str(found)}) if as_json else str(found))


@command.command("status")
@_folder
@parameters.json_option
def status(folder: Path, *, as_json: bool) -> None:
    """Tell what the witness in FOLDER has co-signed, and what it has refused.

    With --json, it shows the refused checkpoints, too: their logs have signed them, and they do not
    fit to those that were co-signed.
    """
    try:
        found = WitnessFolder(folder)
        policy, state, own = found.policy(), found.state(), found.key().verifier
    except UnusableError as error:
        raise Failure(str(error)) from None
    seen, refused = state.all_seen(), state.refused()
    state.close()
    logs: list[JsonObject] = []
    for origin in sorted({*(log.name for log in policy.logs), *seen}):
        newest = seen.get(origin)
        logs.append(
            {
                "origin": origin,
                "known": bool(policy.logs_of(origin)),
                "size": None if newest is None else newest.size,
                "root": None if newest is None else newest.root.hex(),
                "at": None if newest is None else from_ms(1000 * newest.at),
                "checkpoint": None if newest is None else newest.note.decode(),
                "refused": [
                    {"at": from_ms(1000 * one.at), "why": one.why, "checkpoint": one.note.decode()}
                    for one in refused
                    if one.origin == origin
                ],
            }
        )
    if as_json:
        click.echo(orjson.dumps({"key": str(own), "logs": logs}))
        return
    console.say(f"{own}")
    for log in logs:
        console.say(_line(log))
        for one in log["refused"]:
            size = Note.parse(one["checkpoint"].encode()).text.split("\n")[1]
            console.say(f"    REFUSED {size} leaves at {one['at']}: {one['why']}")
    if not logs:
        console.say(f"It knows no log: name some in {found.policy_file}.")


def _line(log: JsonObject) -> str:
    size = "nothing yet" if log["size"] is None else f"{log['size']} leaves at {log['at']}"
    out = "" if log["known"] else "; the policy does not name it any more"
    return f"{log['origin']}: {size}{out}."
