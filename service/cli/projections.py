"""``lonja projections``: rebuilds what is derived from the games."""

import click

from service.cli import common, console
from service.games.listing import GameList


@click.group("projections", short_help="Rebuild what is derived from the games, such as lists.")
def command() -> None:
    """Rebuild what is derived from the games, such as lists."""


@command.command("rebuild")
def rebuild() -> None:
    """Make the lists of games and tournaments again from the events; safe while all runs."""
    runtime = common.local_runtime(announce=False)
    rebuilt = GameList(runtime.redis, runtime.ledger).rebuild()
    with console.progress() as progress:
        games = sum(1 for _game_id in progress.track(rebuilt, description="Listing games"))
    click.echo(f"{games} games are listed again.")
