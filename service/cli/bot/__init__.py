"""``lonja bot``: for authors of bots."""

import click

from service.cli.bot import account, check, match, new, run


@click.group("bot", short_help="Write a bot of your own, check it, and let it play.")
def command() -> None:
    """Write a bot in any language, check it, and let it play here or at a service."""


command.add_command(account.command)
command.add_command(new.command)
command.add_command(check.command)
command.add_command(match.command)
command.add_command(run.command)
