"""Helpers that commands share: settings, the local service, rulesets, and errors as sentences."""

import dataclasses
import os
import re
import secrets
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NoReturn

import click
import orjson
from platformdirs import user_data_path
from redis.exceptions import RedisError

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.errors import BadOptions
from rules.kernel.contract.labels import LANGUAGES
from rules.kernel.contract.registry import Registry, UnknownRulesetError
from rules.kernel.contract.ruleset import Ruleset
from service import settings
from service.catalogue import bots
from service.catalogue.bots import BotOffer
from service.catalogue.rulesets import open_registry
from service.process.terminal import printable
from service.records import game_file
from service.redis.client import UnsuitableServerError
from service.redis.lock import running_url
from service.settings import Settings

if TYPE_CHECKING:
    from service.runtime import Runtime

PYTHON = (sys.executable, "-P", "-m")
"""Python's command line for processes; with ``-P`` it imports nothing from the working folder."""

BOTS_MODULE = "workers.bots"
DECIDING_MODULE = "workers.deciding"
ENGINES_MODULE = "workers.engines.modules"
STRANGERS_MODULE = "workers.engines.strangers"

Command = Callable[..., Any]


LOCALE = ("LC_ALL", "LC_MESSAGES", "LANG")
"""Variables that name the language of messages (POSIX.1, 8.2); the first that is set decides."""
INTERRUPTED = 130
"""The exit code after an interruption, the same as a shell's for SIGINT."""


class Failure(click.ClickException):
    """The command cannot be carried out; the message says why and what to do."""

    exit_code = 2

    def format_message(self) -> str:
        """Return the message in printable characters, because it may quote a file or a server."""
        return printable(super().format_message(), kept="\n")

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the message, wrapped to the terminal's width."""
        console = import_module("service.cli.console")
        for line in f"Error: {self.format_message()}".split("\n"):
            console.say(line, err=True)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return a question that offers the known word nearest to a mistyped one.

    The question is empty if no known word is near.
    """
    nearest = get_close_matches(word, known, n=1)
    return f" Did you mean {nearest[0]!r}?" if nearest and nearest[0] != word else ""


def preferred_language(environment: Mapping[str, str] = os.environ) -> str:
    """Return the language of the environment's locale, or English if Lonja does not speak it."""
    name = next((environment[each] for each in LOCALE if environment.get(each)), "")
    language = re.split(r"[_.@-]", name)[0].lower()
    return language if language in LANGUAGES else LANGUAGES[0]


def new_seed() -> str:
    """Return a seed for a command that was given none."""
    return secrets.token_hex(4)


def load_settings() -> Settings:
    """Return the settings of the environment.

    Raises:
        Failure: a setting is invalid, or a bot that the settings name is not installed.
    """
    try:
        found = settings.load(os.environ)
        bots.installed(found)
    except settings.SettingsError as error:
        raise Failure(str(error)) from None
    return found


def local_settings() -> Settings:
    """Return settings that name the Redis of the service on this machine. Raises Failure."""
    found = load_settings()
    if found.redis_url is not None:
        return found
    url = running_url(found.data_dir)
    if url is None:
        raise Failure(
            f"No service runs on {found.data_dir}: start one with `lonja serve`, or name its"
            " Redis in REDIS_URL."
        )
    return dataclasses.replace(found, redis_url=url, queue_redis_url=found.queue_redis_url or url)


def run_on_redis(*command: str, **environment: str) -> NoReturn:
    """Replace this process by ``command``, run on the local service's Redis. Raises Failure."""
    redis_url = local_settings().redis_url or ""
    os.execve(command[0], command, {**os.environ, "REDIS_URL": redis_url, **environment})  # noqa: S606 - this very interpreter


def local_runtime(*, announce: bool = True) -> "Runtime":
    """Return the parts of the service on this machine. Raises Failure."""
    from service.runtime import open_runtime  # noqa: PLC0415 - most commands need no store

    try:
        return open_runtime(local_settings(), announce=announce)
    except (settings.SettingsError, UnsuitableServerError) as error:
        raise Failure(str(error)) from None
    except RedisError as error:
        raise Failure(f"The Redis of the service does not answer: {error}") from None


def load_registry() -> Registry:
    """Return the installed rulesets. Raises Failure."""
    return registry_of(load_settings())


def registry_of(found: Settings) -> Registry:
    """Return the rulesets that these settings install. Raises Failure."""
    try:
        return open_registry(found)
    except settings.SettingsError as error:
        raise Failure(str(error)) from None


def games_folder() -> Path:
    """Return the folder of games that `lonja play` saves. Raises Failure."""
    return load_settings().games_dir or user_data_path("lonja", appauthor=False) / "games"


def on_terminal() -> bool:
    """Whether the output is a terminal that can be drawn on."""
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def cores() -> int:
    """Return the number of processor cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # some systems lack this function
        return os.cpu_count() or 1


def find_ruleset(registry: Registry, name: str) -> Ruleset[Any]:
    """Return a ruleset. Raises Failure."""
    try:
        return registry.find(name)
    except UnknownRulesetError:
        known = [ruleset.info.id for ruleset in registry]
        raise Failure(
            f"There is no ruleset {name!r}; there are: {', '.join(known)}."
            f"{did_you_mean(name, known)}"
        ) from None


def find_bot(name: str) -> BotOffer:
    """Return an installed bot by its name. Raises Failure."""
    offers = bots.installed(load_settings())
    try:
        return offers[name]
    except KeyError:
        raise Failure(
            f"There is no bot {name!r}; there are: {', '.join(offers)}.{did_you_mean(name, offers)}"
        ) from None


def parse_options(ruleset: Ruleset[Any], seats: int, given: Sequence[str]) -> JsonObject:
    """Parse ``name=value`` pairs; a value is JSON or a plain word. Raises Failure."""
    chosen: dict[str, object] = {}
    for pair in given:
        name, equals, text = pair.partition("=")
        if not equals:
            raise Failure(f"An option is written name=value, not {pair!r}.")
        try:
            chosen[name] = orjson.loads(text)
        except orjson.JSONDecodeError:
            chosen[name] = text
    try:
        return ruleset.parse_options(seats, chosen)
    except BadOptions as error:
        known = [option.name for option in ruleset.info.options]
        nearest = did_you_mean(error.option, known) if error.option in chosen else ""
        raise Failure(f"That game cannot be set up: {error}.{nearest}") from None


def bots_module() -> Any:
    """Return the module that plays bots, with the installed ones. Raises Failure.

    It is imported by its name, because the service never imports its workers.
    """
    found = load_settings()
    module = import_module(BOTS_MODULE)
    module.install(found.extra_bots, bots.engines_of(found))
    return module


def need_engines(found: Settings) -> None:
    """Raise Failure if an engine of a stranger cannot be run on this machine."""
    engines = bots.engines_of(found)
    if engines:
        try:
            import_module(STRANGERS_MODULE).need_all(engines, registry_of(found))
        except settings.SettingsError as error:
            raise Failure(str(error)) from None


def deciding_module() -> Any:
    """Return the module in which bots decide.

    Raises Failure under the same conditions as ``bots_module``.
    """
    bots_module()
    import_module(ENGINES_MODULE).know_rules(load_settings())
    return import_module(DECIDING_MODULE)


def is_stdout(output: Path) -> bool:
    """Whether ``output`` is the standard output; then messages go to the standard error."""
    return output == Path("-")


def write_record(output: Path, lines: Iterable[JsonObject]) -> None:
    """Write a record's lines to a file, or for ``-`` to the standard output. Raises Failure."""
    if is_stdout(output):
        sys.stdout.buffer.writelines(map(game_file.written, lines))
        sys.stdout.buffer.flush()
        return
    try:
        game_file.write_lines(output, lines)
    except OSError as error:
        raise Failure(f"{output} cannot be written: {error.strerror}.") from None
