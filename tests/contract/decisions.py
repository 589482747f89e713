"""Recorded decisions: what each version of each bot plays, in each game, for ever.

One seat is the bot's, the others play at random, and every decision that leaves a choice is kept,
from as many games as it takes. A bot that is to decide otherwise gets a new version, and the old
one stays as it was.
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
    """What was decided, in which game and for which decision of it."""

    game: int
    decision: int
    move: JsonObject
    nodes: int
    thoughts: JsonObject


def path(ruleset: Ruleset[Any], name: str, version: str) -> Path:
    return FOLDER / "bots" / f"{name}@{version}" / f"{ruleset.info.id}.json"


def load(file: Path) -> tuple[str, BotOffer, list[Decision]]:
    """Return the version of the rules, the bot with its settings, and what it decided."""
    data = orjson.loads(file.read_bytes())
    offer = BotOffer(data["bot"], data["version"], data["settings"])
    return data["rules_version"], offer, [Decision(*row) for row in data["decisions"]]


def dump(ruleset: Ruleset[Any], offer: BotOffer) -> bytes:
    """Write what ``offer`` decides, one decision a line, so that a difference can be read."""
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
    """Let the bot play; the same bot decides the same."""
    games = (_play(ruleset, offer, number) for number in itertools.count())
    return itertools.islice(itertools.chain.from_iterable(games), count(offer))


def count(offer: BotOffer) -> int:
    """How many decisions of a bot are recorded."""
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
            nodes, why = decided.thoughts["nodes"], decided.thoughts["thoughts"]
            yield Decision(number, game.asked[seat], decided.move, nodes, why)
        table.change(decided.record)


def _settings(offer: BotOffer, ruleset: Ruleset[Any], number: int) -> JsonObject:
    settings = offer.settings_in(ruleset)
    if number % 2 and "nodes" in settings:
        return {**settings, "nodes": SCARCE}
    return {**settings, "nodes": ENOUGH} if _plays_on(offer) else settings


def _json(value: Any) -> str:
    return orjson.dumps(value).decode()
