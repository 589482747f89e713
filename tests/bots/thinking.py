"""A bot of the queue ``heavy`` that answers at once, so that tests are quick."""

from collections.abc import Mapping, Sequence
from typing import Any

from rules.kernel.contract.move import Move
from rules.kernel.contract.ruleset import Ruleset
from service.catalogue.bots import HEAVY, BotOffer
from workers.bots.bot import BotRandom, Choice

BOT = BotOffer("thinking", "1", queue=HEAVY)


def choose(
    _ruleset: Ruleset[Any],
    _information: Any,
    _seat: int,
    legal: Sequence[Move[Any]],
    _rng: BotRandom,
    _settings: Mapping[str, Any],
) -> Choice:
    """Take the first move."""
    return Choice(legal[0], 0, {})
