"""The bots of a match: folders, which become engines in sandboxes; command lines; names."""

import json
import os
import re
import shlex
import shutil
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.registry import Registry
from service import settings
from service.catalogue import bots
from service.catalogue.bots import LIVE, BotOffer, engines_of
from service.catalogue.engines import EngineLimits, ForeignEngine, folder_digest
from service.cli import common
from service.cli.bot.bridge import started
from service.cli.bot.programs import program
from service.cli.common import Failure, did_you_mean
from service.cli.tournament.run import entry_of
from service.settings import Settings

GREETING_MODULE = "workers.engines.greeting"
"""Imported by name, because the service never imports its workers."""

LONGEST_NAME = 40
OF_STORES = ("REDIS_URL", "LONJA_QUEUE_REDIS_URL")
"""Variables that name a store; a match has its own."""


class Entrants(NamedTuple):
    """The bots of a match, and what its processes need to find them."""

    settings: Settings
    environment: Mapping[str, str]
    entries: list[JsonObject]
    """One for each bot, as a tournament asks for it."""
    programs: list[str]
    """The names of the bots outside the sandbox, which were named by a command line."""


def prepare(folder: Path, named: Sequence[str]) -> Entrants:
    """Copy the bots that are folders into ``folder``, and write a file of engines there.

    The bots that are command lines are started once, for their names. Raises Failure: there is no
    such bot, or no sandbox.
    """
    usual = common.load_settings()
    offers = dict(bots.installed(usual))
    engines = list(engines_of(usual))
    registry = common.registry_of(usual)
    entries = []
    folder.chmod(0o755)  # the worker of root runs engines as the user nobody
    for text in named:
        if Path(text).is_dir():
            engine = _copied(text, folder, offers)
        elif _is_command_line(text):
            engine = _program(text, folder, offers, registry)
        else:
            entries.append(_by_name(text, offers))
            continue
        engines.append(engine)
        offers[engine.name] = BotOffer(engine.name, engine.version, rulesets=engine.rulesets)
        entries.append({"bot": engine.name})
    file = folder / "engines.toml"
    file.write_text("".join(map(_written, engines)), encoding="utf-8")
    kept = {name: value for name, value in os.environ.items() if name not in OF_STORES}
    environment = {**kept, "LONJA_ENGINES": str(file), "LONJA_DATA_DIR": str(folder / "store")}
    found = settings.load(environment)
    _need_sandboxes(engines_of(found), common.registry_of(found))
    programs = [engine.name for engine in engines if not engine.sandboxed]
    return Entrants(found, environment, entries, programs)


def game_of(entrants: Entrants, named: str | None) -> str:
    """Return the id of the ruleset, or of the first that all bots play. Raises Failure."""
    if named is not None:
        return named
    offers = bots.installed(entrants.settings)
    for ruleset in common.registry_of(entrants.settings):
        if all(offers[entry["bot"]].plays(ruleset.info.id) for entry in entrants.entries):
            return str(ruleset.info.id)
    raise Failure("There is no game that all these bots play.")


def _by_name(text: str, offers: Mapping[str, BotOffer]) -> JsonObject:
    entry = entry_of(text)
    if entry["bot"] not in offers:
        raise Failure(
            f"{text} is neither the folder of a bot nor a bot; there are {', '.join(offers)}."
            f"{did_you_mean(entry['bot'], offers)} A bot of your own is named by its folder, with a"
            ' file bot.toml (`lonja bot new` writes one), or by its command line: "python3 bot.py".'
        )
    return entry


def _is_command_line(text: str) -> bool:
    return len(text.split()) > 1 or Path(text).is_file()


def _program(line: str, folder: Path, taken: Iterable[str], registry: Registry) -> ForeignEngine:
    """Return the engine of a command line, which runs in the present folder, without a sandbox.

    Its own folder has a script with the command line, so its digest stands for that alone.
    """
    engine = started(line)
    hello = engine.hello
    engine.close()
    if told := import_module(GREETING_MODULE).fault(hello, registry):
        raise Failure(f"{line}: {told}")
    name = _free(_word(hello.get("name"), "program"), taken)
    own = folder / name
    own.mkdir()
    script, command = own / "run", shlex.join(shlex.split(line))
    script.write_text(f"#!/bin/sh\ncd {shlex.quote(str(Path.cwd()))} && exec {command}\n")
    script.chmod(0o755)
    rulesets = hello.get("rulesets")
    return ForeignEngine(
        name, _word(hello.get("version"), "1"), ("./run",), own, folder_digest(own),
        None if rulesets is None else tuple(rulesets), LIVE, {}, EngineLimits(), sandboxed=False,
    )  # fmt: skip


def _word(said: object, otherwise: str) -> str:
    """Return a name or version that an engine says of itself, in the form of those of bots."""
    return re.sub(r"[^\w.-]+", "-", str(said or ""))[:LONGEST_NAME].strip("-") or otherwise


def _free(name: str, taken: Iterable[str]) -> str:
    return next(each for each in _names(name) if each not in taken)


def _copied(text: str, folder: Path, taken: Iterable[str]) -> ForeignEngine:
    """Return the engine of a folder that is a copy, which does not change during the match."""
    engine = program(text).engine
    assert engine is not None  # noqa: S101 - it is a folder
    name = _free(engine.name, taken)
    copy = folder / name
    shutil.copytree(engine.folder, copy, symlinks=True)
    if os.geteuid() == 0:
        _let_read(copy)
    return engine._replace(name=name, folder=copy, queue=LIVE)


def _names(name: str) -> Iterator[str]:
    yield name
    number = 2
    while True:
        yield f"{name[: LONGEST_NAME - 4]}-{number}"
        number += 1


def _let_read(folder: Path) -> None:
    """Let everybody read a folder: engines of a worker that runs as root are another user's."""
    for path in (folder, *folder.rglob("*")):
        mode = path.lstat().st_mode
        if not stat.S_ISLNK(mode):
            more = 0o555 if mode & stat.S_IXUSR else 0o444
            path.chmod(stat.S_IMODE(mode) | more)


def _written(engine: ForeignEngine) -> str:
    """Return an engine as a table of TOML; texts and lists are written as in JSON."""
    members: JsonObject = {
        "name": engine.name,
        "version": engine.version,
        "command": engine.command,
        "folder": str(engine.folder.absolute()),
        "digest": engine.digest,
        "queue": engine.queue,
        "sandbox": engine.sandboxed,
        **({} if engine.rulesets is None else {"rulesets": engine.rulesets}),
        **{f"settings.{name}": value for name, value in engine.settings.items()},
        **{f"limits.{name}": value for name, value in engine.limits._asdict().items()},
    }
    lines = [f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in members.items()]
    return "\n".join(["[[engine]]", *lines, ""])


def _need_sandboxes(engines: Sequence[ForeignEngine], registry: Registry) -> None:
    strangers = import_module(common.STRANGERS_MODULE)
    for engine in engines:
        if reason := strangers.trouble(engine, registry):
            raise Failure(f"{engine.name} cannot play here: {reason}.")
