"""The command ``lonja tournament``, which plays tournaments of bots.

The module ``hosts`` has the two places where a tournament can run: this machine, and a service.
"""

import click

from service.cli.tournament import enter, manage, run


@click.group("tournament", short_help="Hold tournaments between bots, and take their records.")
def command() -> None:
    """Hold tournaments between bots, and export their records."""


for part in (run.run, run.watch, enter.enter, *manage.COMMANDS):
    command.add_command(part)
