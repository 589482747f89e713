"""The bots that play seats. ``service.tables.BOTS`` offers them; ``FUNCTIONS`` here plays them.

A bot is pure (``bot``), so that anybody can recompute its moves from the record (``recompute``).
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib import import_module
from typing import Any

import orjson

from rules.kernel.canonical import JsonObject, digest, encode
from rules.kernel.game import Game
from rules.kernel.secrets import bot_seed
from workers.bots import greedy, random_bot
from workers.bots.bot import Bot, BotRandom, Choice

FUNCTIONS: dict[tuple[str, str], Bot] = {
    ("random", "1"): random_bot.choose,
    ("greedy", "1"): greedy.choose,
}
"""Every version of a bot that a game may still name."""


def install(modules: Iterable[str]) -> None:
    """Add the bots of these modules: each has its offer, ``BOT``, and its function, ``choose``."""
    for name in modules:
        module = import_module(name)
        FUNCTIONS[module.BOT.name, module.BOT.version] = module.choose


class UnknownBotError(LookupError):
    """No installed bot has this name and version."""


def find(name: str, version: str) -> Bot:
    """Return a bot. Raises UnknownBotError."""
    try:
        return FUNCTIONS[name, version]
    except KeyError:
        raise UnknownBotError(f"there is no bot {name}@{version}") from None


def decide(game: Game, seat: int, salt: bytes) -> Choice:
    """Let the bot that holds ``seat``, who is asked, choose; the game is not changed.

    Raises:
        UnknownBotError: its bot is not installed.
        Exception: whatever the bot raises.

    """
    holder = game.seats[seat].holder
    assert holder is not None  # noqa: S101 - only held seats are asked
    bot = find(holder["bot"], holder["version"])
    return bot(
        game.ruleset,
        game.ruleset.information(game.state, seat),
        seat,
        game.ruleset.legal_moves(game.state, seat),
        BotRandom(bot_seed(salt, seat, game.asked[seat])),
        holder["settings"],
    )


def signature(holder: JsonObject) -> str:
    """Return how events name the bot that moved: ``greedy@1``."""
    return f"{holder['bot']}@{holder['version']}"


def thoughts_part(holder: JsonObject, choice: Choice) -> JsonObject:
    """Return what the event of a bot's move keeps, hidden until the end of the game."""
    settings: Mapping[str, Any] = holder["settings"]
    return {
        "bot": holder["bot"],
        "version": holder["version"],
        "settings": _settings_digest(orjson.dumps(settings)),
        "budget": settings.get("nodes", 0),
        "nodes": choice.nodes,
        "thoughts": choice.thoughts,
    }


@lru_cache(maxsize=1024)
def _settings_digest(settings: bytes) -> str:
    return digest(encode(orjson.loads(settings))).hex()
