"""The command ``lonja``, with a file for each of its subcommands.

Commands read arguments, call other packages of the service, and print. No other package may import
this one.
"""

import os
import sys
from importlib import import_module
from typing import Any

import click
from click.shell_completion import CompletionItem

from service.cli import shells
from service.process.disk import NO_ROOM
from service.process.terminal import printable_output

_COMMANDS = {
    "serve": "Run everything on this machine: the API, the workers and a private Redis.",
    "web": "Run the web processes alone, where the workers and the Redis are elsewhere.",
    "worker": "Run one worker: it plays the bots' seats and watches the clocks.",
    "sender": "Send to webhooks and browsers.",
    "log": "Build and check the public log, which shows that the service keeps one history.",
    "status": "Tell how the store, queues, workers and games stand.",
    "witness": "Co-sign public logs of others, so that no operator can show two of one.",
    "play": "Play a game against bots, here in the terminal.",
    "simulate": "Play many random games and check the rules' invariants after every event.",
    "new": "Write the package of a game to begin with.",
    "guide": "Print the guide for authors of games.",
    "check": "Check a ruleset against the laws that every ruleset must keep.",
    "bots": "List the bots, with their level, time and settings.",
    "bot": "Play at a service with a bot of your own.",
    "engines": "List the engines of strangers, and check their sandboxes.",
    "tournament": "Hold tournaments between bots, and take their records.",
    "games": "List the games of a service.",
    "watch": "Follow a game of a service as it is played.",
    "replay": "Replay a game in words, or show its board after an event.",
    "analyse": "Have a bot judge a finished game: what moves cost, and who was lucky.",
    "export": "Write a game's record to a file that anybody can verify.",
    "import": "Store finished games and tournaments that were played elsewhere.",
    "verify": "Check a record: that nothing was edited and no die was loaded.",
    "audit": "Audit the public log of a service, and all games in it, as a stranger.",
    "archive": "Keep finished games in packs: files that anybody can verify.",
    "backup": "Write a backup of the store to a file, while the service runs.",
    "restore": "Restore a backup into an empty store.",
    "store": "Change the primary, and find the path of Valkey.",
    "ledger": "Check the stored games, and repair their derived data.",
    "admin": "Administer the installation: admins' keys and acts.",
    "projections": "Rebuild and check data that are derived from games.",
    "openapi": "Print the API's description, write it to its file, or check the file.",
    "completion": "Print a completion script for bash, zsh or fish.",
}
"""Each command and its one line of help; its module has the command's name."""
_MODULES = {"import": "importing"}
"""The modules of commands whose names cannot be names of modules."""


class _Commands(click.Group):
    """Imports a command's module only when it is used, so that ``lonja --help`` is quick."""

    def list_commands(self, _context: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, _context: click.Context, name: str) -> click.Command | None:
        if name not in _COMMANDS:
            return None
        command: click.Command = import_module(f"service.cli.{_MODULES.get(name, name)}").command
        return command

    def resolve_command(
        self, context: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(context, args)
        except click.NoSuchCommand as error:  # click knows no command that is not imported yet
            raise click.NoSuchCommand(
                error.command_name, possibilities=_COMMANDS, ctx=context
            ) from None

    def shell_complete(self, context: click.Context, incomplete: str) -> list[CompletionItem[str]]:
        return [
            *(
                CompletionItem(name, help=about)
                for name, about in _COMMANDS.items()
                if name.startswith(incomplete)
            ),
            *click.Command.shell_complete(self, context, incomplete),
        ]

    def main(self, *args: Any, **extra: Any) -> Any:
        if shells.VARIABLE in os.environ:
            shells.register()
        return super().main(*args, **extra)

    def invoke(self, context: click.Context) -> Any:
        try:
            with printable_output():
                return super().invoke(context)
        except click.NoSuchOption as error:
            raise _with_other_case(error) from None
        except KeyboardInterrupt:
            click.echo("You stopped it.", err=True)
            sys.exit(import_module("service.cli.common").INTERRUPTED)
        except OSError as error:
            common = import_module("service.cli.common")
            if error.errno in NO_ROOM:
                what = error.filename or "The output"
                raise common.Failure(f"{what} cannot be written: {error.strerror}.") from None
            if error.filename is None:
                raise
            raise common.Failure(f"{error.filename}: {error.strerror}.") from None

    def format_commands(self, _context: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))


def _with_other_case(error: click.NoSuchOption) -> click.NoSuchOption:
    """Return the error for an unknown option, perhaps with a question in its message.

    If an option has the same letters in the other case, the message asks whether that was meant.
    """
    options = [] if error.ctx is None else error.ctx.command.params
    for name in (name for option in options for name in option.opts):
        if name != error.option_name and name.lower() == error.option_name.lower():
            told = f"{error.message} Did you mean {name!r}?"
            return click.NoSuchOption(error.option_name, told, ctx=error.ctx)
    return error


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="lonja", message="%(prog)s %(version)s")
def main() -> None:
    """Lonja hosts board games; every move is an immutable, provable event.

    Begin with `lonja serve`, or play at once: `lonja play` lists the games. Settings come from the
    environment; docs/settings.md lists them. With `eval "$(lonja completion bash)"` in
    ~/.bashrc, Tab completes words; `lonja completion --help` has the lines for zsh and fish.
    """
