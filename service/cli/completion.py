"""``lonja completion``: what a shell needs to complete the words of commands."""

import click

from service.cli import parameters
from service.cli.shells import SHELLS, VARIABLE

_HELP = """Print a script for SHELL that completes commands, options, rulesets, bots and files.

One line at the end of the shell's settings switches it on:

\b
~/.bashrc                    eval "$(lonja completion bash)"
~/.zshrc, after compinit     eval "$(lonja completion zsh)"
~/.config/fish/config.fish   lonja completion fish | source
"""


@click.command("completion", help=_HELP, short_help="Print a completion script for a shell.")
@click.argument("shell", metavar="SHELL", type=parameters.NearestChoice(SHELLS))
def command(shell: str) -> None:
    """Print the script of ``shell``."""
    group = click.get_current_context().find_root().command
    click.echo(SHELLS[shell](group, {}, "lonja", VARIABLE).source(), nl=False)
