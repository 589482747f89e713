"""The program of a bot: a command line, or a folder whose ``bot.toml`` says how to run it."""

import os
import shlex
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from service.catalogue.engines import BOT_FILE, BadFolderError, ForeignEngine, read_folder
from service.cli.common import Failure

PROCESS_MODULE = "workers.engines.engine_process"
SANDBOX_MODULE = "workers.engines.sandbox"
"""Imported by name, because the service never imports its workers."""


class BotProgram(NamedTuple):
    """The program that an author named on the command line (``named``).

    ``engine`` has the contents of the folder's ``bot.toml``; it is None if the author named a
    command line.
    """

    named: str
    command: tuple[str, ...]
    engine: ForeignEngine | None

    def start(self) -> Any:
        """Start the program as it is (``workers.engines.engine_process.EngineProcess``).

        Raises OSError if there is no such program.
        """
        folder = None if self.engine is None else self.engine.folder
        process = import_module(PROCESS_MODULE).EngineProcess
        return process(self.command, os.environ, cwd=folder)

    def start_in_sandbox(self) -> Any:
        """Start the program with the limits that engines of strangers have in a service.

        Raises OSError, and SandboxError if there is no sandbox here. The program has a folder.
        """
        assert self.engine is not None  # noqa: S101 - see above
        process = import_module(SANDBOX_MODULE).SandboxedProcess
        return process(self.command, self.engine.folder, self.engine.limits)


def program(named: str) -> BotProgram:
    """Return the program of a command line or a folder. Raises Failure."""
    folder = Path(named)
    if folder.is_dir():
        if not (folder / BOT_FILE).is_file():
            raise Failure(
                f"{named} has no {BOT_FILE}, which says how to run it; `lonja bot new` writes one."
            )
        try:
            engine = read_folder(folder)
        except BadFolderError as error:
            raise Failure(f"{error}.") from None
        return BotProgram(named, engine.command, engine)
    try:
        command = tuple(shlex.split(named))
    except ValueError as error:
        raise Failure(f"{named!r} cannot be read: {error}.") from None
    if not command:
        raise Failure("Name a bot: its command line, or its folder.")
    return BotProgram(named, command, None)
