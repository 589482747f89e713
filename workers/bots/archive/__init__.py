"""Bots that nobody may ask for any more: games go on with them, and their records are checked.

A version decides for ever as it did. Its package ``<bot>_<version>`` has the bot, and in
``evaluations`` how good a state looked to it, of each game that judges otherwise today.
"""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any, cast

from rules.kernel.contract.seats import Seat

Evaluation = Callable[[Any, Seat], float]
"""How good a state looks for a seat, in points."""


@cache
def evaluation(ruleset_id: str, bot: str, version: str) -> Evaluation | None:
    """Return by what a version of a bot judges states of a game; None: as the game does today."""
    package = f"{__name__}.{bot.replace('-', '_')}_{version}"
    module = f"{package}.evaluations.{ruleset_id}"
    try:
        return cast("Evaluation", import_module(module).look)
    except ModuleNotFoundError as error:
        if error.name not in (package, module):
            raise
        return None
