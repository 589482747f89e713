"""``lonja engines``: the engines of strangers that this machine may run in sandboxes."""

import sys
from importlib import import_module
from pathlib import Path

import click
import orjson

from service.catalogue.bots import engines_of
from service.catalogue.engines import BadFolderError, ForeignEngine, folder_digest
from service.cli import common, console, parameters
from service.cli.console import Column

COLUMNS = (
    Column("Engine", text=True),
    Column("Version", left_out=1),
    Column("Digest", text=True, left_out=2),
    Column("Trouble", text=True),
)
DIGITS = 12
"""How many digits of a digest the table has; --json has all."""


@click.command("engines", short_help="List the engines of strangers, and check their sandboxes.")
@click.option(
    "--digest",
    "folder",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Print the digest of a folder instead, for the file that LONJA_ENGINES names.",
)
@parameters.json_option
def command(folder: Path | None, *, as_json: bool) -> None:
    """List the engines of LONJA_ENGINES, and check that each can be run here in a sandbox.

    The exit code is 1 if one cannot: because its folder has changed, or because a program that
    makes sandboxes is missing.
    """
    if folder is not None:
        _tell_digest(folder, as_json=as_json)
        return
    found = common.load_settings()
    registry = common.registry_of(found)
    strangers = import_module(common.STRANGERS_MODULE)
    engines = [(engine, strangers.trouble(engine, registry)) for engine in engines_of(found)]
    if as_json:
        told = [
            {
                "name": engine.name,
                "version": engine.version,
                "command": engine.command,
                "folder": str(engine.folder),
                "digest": engine.digest,
                "rulesets": engine.rulesets,
                "queue": engine.queue,
                "settings": engine.settings,
                "limits": engine.limits._asdict(),
                "sandbox": engine.sandboxed,
                "trouble": trouble,
            }
            for engine, trouble in engines
        ]
        click.echo(orjson.dumps({"engines": told}).decode())
    elif engines:
        rows = [
            [engine.name, engine.version, engine.digest[:DIGITS], trouble or _without(engine)]
            for engine, trouble in engines
        ]
        console.show(console.TextTable(COLUMNS, rows))
    else:
        click.echo("LONJA_ENGINES names no engine.")
    if any(trouble for _engine, trouble in engines):
        sys.exit(1)


def _without(engine: ForeignEngine) -> str:
    """Return the last cell of the row of an engine that can play."""
    return "none" if engine.sandboxed else "none; it has no sandbox"


def _tell_digest(folder: Path, *, as_json: bool) -> None:
    try:
        found = folder_digest(folder)
    except BadFolderError as error:
        raise common.Failure(f"{error}.") from None
    click.echo(orjson.dumps({"digest": found}).decode() if as_json else found)
