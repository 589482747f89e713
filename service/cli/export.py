"""``lonja export``: writes a game's record to a file."""

from itertools import chain
from pathlib import Path

import click

from rules.kernel.contract.seats import Seat
from service.cli import common, console, parameters, words
from service.cli.sources import GameSource, RemoteGame, StoredGame


@click.command("export", short_help="Write a game's record to a file.")
@click.argument("game")
@parameters.output_option(
    "The file to write; it appears when it is complete. With -, the standard output.",
    required=True,
)
@parameters.url_option
@parameters.key_option
@parameters.seen_as_option
@parameters.language_option
def command(
    game: str, output: Path, url: str | None, key: str | None, seat: Seat | None, language: str
) -> None:
    """Write the record of GAME: a header line, then one line for each event.

    The record of a finished game is complete, and `lonja verify` can prove all of it. A running
    game's record holds what a spectator (or --seat) may see.
    """
    source: GameSource = (
        StoredGame(common.local_runtime(announce=False), game, seat)
        if url is None
        else RemoteGame(url, game, key, seat, language)
    )
    header = source.header()
    version: int = header["version"]
    with console.progress() as progress:
        told = progress.track(source.copies(), version, description=f"Exporting {game}")
        common.write_record(output, chain((header,), told))
    done = words.word(
        language, "exported", file=str(output), events=version, status=header["status"]
    )
    click.echo(done, err=common.is_stdout(output))
