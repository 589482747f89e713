"""``lonja export``: writes a game's record to a file."""

from itertools import chain
from pathlib import Path

import click

from rules.kernel.contract.seats import Seat
from service.cli import common, console
from service.cli.sources import GameSource, RemoteGame, StoredGame


@click.command("export", short_help="Write a game's record to a file.")
@click.argument("game")
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    required=True,
    help="The file to write; it appears when it is complete. With -, the standard output.",
)
@click.option("--url", help="A running service; without it, the one on this machine is read.")
@click.option(
    "--key",
    envvar="LONJA_KEY",
    show_envvar=True,
    help="Your player key, with --url: to see what your seat sees.",
)
@click.option("--seat", type=int, help="See a running game as this seat, not as a spectator.")
def command(game: str, output: Path, url: str | None, key: str | None, seat: Seat | None) -> None:
    """Write the record of GAME: a header line, then one line for each event.

    The record of a finished game is complete, and `lonja verify` can prove all of it. A running
    game's record holds what a spectator (or --seat) may see.
    """
    source: GameSource = (
        StoredGame(common.local_runtime(announce=False), game, seat)
        if url is None
        else RemoteGame(url, game, key, seat)
    )
    header = source.header()
    version: int = header["version"]
    with console.progress() as progress:
        told = progress.track(source.copies(), version, description=f"Exporting {game}")
        common.write_record(output, chain((header,), told))
    click.echo(f"{output}: {version} events, {header['status']}.", err=common.is_stdout(output))
