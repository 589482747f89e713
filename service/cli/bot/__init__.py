"""``lonja bot``: for authors of bots."""

import click

from service.cli.bot import account, run


@click.group("bot", short_help="Play at a service with a bot of your own.")
def command() -> None:
    """Play at a service with a bot of your own, written in any language."""


command.add_command(account.command)
command.add_command(run.command)
