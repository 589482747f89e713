"""The bots that play seats. ``service.catalogue.bots`` offers them; ``FUNCTIONS`` here plays them.

A bot is pure (``bot``), so that anybody can recompute its moves from the record.
"""

from collections.abc import Callable, Iterable
from functools import cache
from importlib import import_module, resources
from pathlib import Path
from typing import NamedTuple

from rules.kernel.canonical import JsonObject, digest, encode
from rules.kernel.contract.registry import Registry
from rules.kernel.contract.seats import Seat
from rules.kernel.digests import Files, files, hashed
from rules.kernel.record.game import Game
from service.catalogue.bots import BOTS
from service.catalogue.engines import ForeignEngine
from workers.bots import archive, bot, greedy, lookahead, random_bot, search, worlds
from workers.bots.archive.greedy_1 import bot as greedy_1
from workers.bots.bot import Bot, Choice

FUNCTIONS: dict[tuple[str, str], Bot] = {
    ("random", "1"): random_bot.choose,
    ("greedy", "1"): greedy_1.choose,
    ("greedy", "2"): greedy.choose,
    ("lookahead", "1"): lookahead.choose,
    ("search", "1"): search.choose,
    ("search-deep", "1"): search.choose,
}
"""Every version of a bot that a game may still name, and that decides in a Python function."""

ENGINES: dict[tuple[str, str], ForeignEngine] = {}
"""The engines of strangers, which decide in processes of their own (``workers.engines``)."""

WITH_WORLDS = (lookahead.__name__, search.__name__)
"""The modules of the bots that use ``worlds``, too."""


class BotSource(NamedTuple):
    """The source of a bot: its module or package, by dotted name; and its offer's queue.

    ``installed``: it is one of ``LONJA_EXTRA_BOTS``, not of this project.
    """

    module: str
    queue: str
    installed: bool = False


SOURCES = {
    key: BotSource(function.__module__, BOTS[key[0]].queue) for key, function in FUNCTIONS.items()
}


def install(modules: Iterable[str], engines: Iterable[ForeignEngine] = ()) -> None:
    """Add the bots of these modules, and engines of strangers.

    Each module has its offer, ``BOT``, and its function, ``choose``.
    """
    ENGINES.update({(engine.name, engine.version): engine for engine in engines})
    for name in modules:
        module = import_module(name)
        key = module.BOT.name, module.BOT.version
        FUNCTIONS[key], SOURCES[key] = (
            module.choose,
            BotSource(name, module.BOT.queue, installed=True),
        )


class UnknownBotError(LookupError):
    """No installed bot has this name and version."""


def need(name: str, version: str) -> None:
    """Raise UnknownBotError unless a bot is installed."""
    if (name, version) not in ENGINES:
        find(name, version)


def find(name: str, version: str) -> Bot:
    """Return a bot's function. Raises UnknownBotError, also for engines, which have none."""
    try:
        return FUNCTIONS[name, version]
    except KeyError:
        raise UnknownBotError(f"there is no bot {name}@{version}") from None


def queue_of(holder: JsonObject) -> str:
    """Return the queue of bots that its offer names. Raises UnknownBotError."""
    engine = engine_of(holder)
    if engine is not None:
        return engine.queue
    find(holder["bot"], holder["version"])
    return SOURCES[holder["bot"], holder["version"]].queue


def engine_of(holder: JsonObject) -> ForeignEngine | None:
    """Return the stranger's engine that holds a seat; None if another bot does."""
    return ENGINES.get((holder["bot"], holder["version"]))


def is_own(holder: JsonObject) -> bool:
    """Whether a bot is an installed module, not one of this project. Raises UnknownBotError."""
    find(holder["bot"], holder["version"])
    return SOURCES[holder["bot"], holder["version"]].installed


def question(game: Game, seat: Seat, salt: bytes) -> Callable[[], Choice]:
    """Return a call that lets the bot of a deciding ``seat`` choose; the game is not changed.

    Its arguments are prepared beforehand, so whatever the call raises is the bot's own. Raises
    UnknownBotError.
    """
    holder = game.seats[seat].holder
    assert holder is not None  # noqa: S101 - only held seats are asked
    function = find(holder["bot"], holder["version"])
    return bot.question(function, game, seat, holder["settings"], salt)


def code_digest(registry: Registry, ruleset_id: str, name: str, version: str) -> str:
    """Return the hex SHA-256 over the code that makes a bot's decisions in one ruleset.

    That is the bot's module, or everything in its package; the code that bots share; the rules, and
    the heuristic. Of a stranger's engine, it is the digest of its folder. Raises UnknownBotError.
    """
    if (name, version) in ENGINES:
        return ENGINES[name, version].digest
    find(name, version)
    rules, heuristic = registry.digest(ruleset_id), registry.heuristic_digest(ruleset_id)
    past = archive.evaluation(ruleset_id, name, version)
    return _code_digest(
        SOURCES[name, version].module, rules, heuristic, past.__module__ if past else None
    )


@cache
def _code_digest(module: str, rules: str, heuristic: str, past: str | None) -> str:
    own = _hashed(module)
    if past:
        heuristic = digest(encode(_hashed(past))).hex()
    if module in WITH_WORLDS:
        own += [("worlds.py", found) for _, found in _hashed(worlds.__name__)]
    return digest(encode([own, _hashed(bot.__name__), rules, heuristic])).hex()


def _hashed(module: str) -> Files:
    """Hash a module's file, or all files of a package but what Python makes of them.

    A module's own name does not count: a version of a bot may have to make room for the next.
    """
    spec = import_module(module).__spec__
    assert spec is not None  # noqa: S101 - it was imported by its name
    if spec.submodule_search_locations is not None:
        found = files(resources.files(module))
        return hashed((path, file) for path, file in found if not path.endswith(".pyc"))
    assert spec.origin is not None  # noqa: S101 - it is a file
    return hashed([("", Path(spec.origin))])


def signature(holder: JsonObject) -> str:
    """Return the name of the bot in events: ``greedy@1``."""
    return f"{holder['bot']}@{holder['version']}"


def hash_code(registry: Registry) -> None:
    """Compute all digests now: a file may be edited while the process plays on."""
    for name, version in FUNCTIONS:
        for ruleset in registry:
            code_digest(registry, ruleset.info.id, name, version)


def code_of(game: Game, holder: JsonObject) -> JsonObject:
    """Return the code that decides for ``holder`` in ``game``: bot, version and digest.

    Raises:
        UnknownBotError: it is not installed.
    """
    name, version = holder["bot"], holder["version"]
    code = code_digest(game.registry, game.created["ruleset"], name, version)
    return {"bot": name, "version": version, "digest": code}
