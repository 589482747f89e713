"""Recorded decisions of each version of each bot, in each game; they never change.

The bot has one seat, and the others play at random. Every decision between several moves is
recorded, from as many games as are needed. If a bot shall decide differently, it gets a new
version, and the old one does not change.
"""

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.ruleset import Ruleset
from service.catalogue.bots import BOTS, BotOffer
from service.cli import local
from tests.contract.golden import FOLDER
from tests.contract.tables import REGISTRY
from workers.deciding import decide

COUNT = 200
FEW = 20
"""Number of recorded decisions of a bot that plays on in guessed worlds, which takes longer."""
SCARCE = 20
"""The bot's ``nodes`` in every other game: too few for all moves, so that it has to draw some."""
ENOUGH = 250
"""The ``nodes`` in the other games, for bots that play on: enough for some worlds."""


class Decision(NamedTuple):
    """A decision: the numbers of the game and of the decision, and the answer of the bot."""

    game: int
    decision: int
    move: JsonObject
    nodes: int
    thoughts: JsonObject


def path(ruleset: Ruleset[Any], name: str, version: str) -> Path:
    return FOLDER / "bots" / f"{name}@{version}" / f"{ruleset.info.id}.json"


def load(file: Path) -> tuple[str, BotOffer, list[Decision]]:
    """Return the version of the rules, the bot with its settings, and its decisions."""
    data = orjson.loads(file.read_bytes())
    offer = BotOffer(data["bot"], data["version"], data["settings"])
    return data["rules_version"], offer, [Decision(*row) for row in data["decisions"]]


def dump(ruleset: Ruleset[Any], offer: BotOffer) -> bytes:
    """Write the decisions of ``offer``, one a line, so that people can read a difference."""
    head = {
        "ruleset": ruleset.info.id,
        "rules_version": ruleset.info.version,
        "bot": offer.name,
        "version": offer.version,
        "settings": offer.settings_in(ruleset),
    }
    lines = [f"{_json(name)}:{_json(value)}" for name, value in head.items()]
    rows = ",\n".join(_json(list(decision)) for decision in made(ruleset, offer))
    return ("{" + ",\n".join([*lines, f'"decisions":[\n{rows}\n]']) + "}\n").encode()


def made(ruleset: Ruleset[Any], offer: BotOffer) -> Iterator[Decision]:
    """Let the bot play, and return its decisions, which are the same each time."""
    games = (_play(ruleset, offer, number) for number in itertools.count())
    return itertools.islice(itertools.chain.from_iterable(games), count(offer))


def count(offer: BotOffer) -> int:
    """Return the number of decisions that are recorded of a bot."""
    return FEW if _plays_on(offer) else COUNT


def _plays_on(offer: BotOffer) -> bool:
    return "decisions" in offer.settings


def _play(ruleset: Ruleset[Any], offer: BotOffer, number: int) -> Iterator[Decision]:
    info = ruleset.info
    seats = info.min_seats + number % (info.max_seats - info.min_seats + 1)
    own = number % seats
    holders = [BOTS["random"].holder(ruleset) for _ in range(seats)]
    holders[own] = {**offer.holder(ruleset), "settings": _settings(offer, ruleset, number)}
    table = local.start(REGISTRY, info.id, holders, {}, f"decisions {number}")
    while not (game := table.game).over:
        seat = min(game.asked)
        decided = decide(game, seat, table.secrets.salt)
        if seat == own and len(ruleset.legal_moves(game.state, seat)) > 1:
            nodes, why = decided.how.nodes, decided.how.thoughts
            yield Decision(number, game.asked[seat], decided.move, nodes, why)
        table.change(decided.record)


def _settings(offer: BotOffer, ruleset: Ruleset[Any], number: int) -> JsonObject:
    settings = offer.settings_in(ruleset)
    if number % 2 and "nodes" in settings:
        return {**settings, "nodes": SCARCE}
    return {**settings, "nodes": ENOUGH} if _plays_on(offer) else settings


def _json(value: Any) -> str:
    return orjson.dumps(value).decode()
