"""``lonja projections``: rebuilds what is derived from the games."""

import sys

import click

from service.cli import common
from service.projections.games import GameList


@click.group("projections", short_help="Rebuild what is derived from the games, such as lists.")
def command() -> None:
    """Rebuild what is derived from the games, such as lists."""


@command.command("rebuild")
def rebuild() -> None:
    """Make the lists of games and tournaments again from the events; safe while all runs."""
    runtime = common.local_runtime(announce=False)
    games = 0
    for _game_id in GameList(runtime.redis, runtime.ledger).rebuild():
        games += 1
        if sys.stderr.isatty():
            click.echo(f"\r{games} games", nl=False, err=True)
    click.echo(f"{games} games are listed again.")
