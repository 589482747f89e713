"""A hint in words: what a bot would do for the person, and what the best moves should bring."""

from collections.abc import Mapping, Sequence
from typing import Any

from service.catalogue.bots import BOTS
from service.cli.terminal.texts import say

SURE = 2
"""The number of standard errors from which on a difference is more than chance."""


def hint_lines(bot: str, moves: Sequence[Mapping[str, Any]], language: str) -> list[str]:
    """Return the lines of a hint.

    ``bot`` is the bot's name. ``moves`` has its own move first; each is ``{"label", "lead",
    "cost"}``, as in ``getHint`` of the API.
    """
    who = called(bot)
    best, *others = moves
    lead = best["lead"]
    expected = "hint_behind" if lead["mean"] < 0 else "hint_leads"
    return [
        say(language, "hint_would", who=who, move=best["label"]),
        say(language, expected, points=_points(lead, language)),
        *(_other(move, language) for move in others),
        say(language, "hint_note", who=who),
    ]


def called(bot: str) -> str:
    """Return the name for people of the bot that gives hints."""
    offer = BOTS.get(bot)
    return bot if offer is None else offer.called


def _other(move: Mapping[str, Any], language: str) -> str:
    cost = move["cost"]
    mean, error = cost["mean"], cost["error"]
    if mean == 0 or abs(mean) < SURE * error:
        key = "hint_same"
    else:
        key = "hint_costs" if mean > 0 else "hint_better"
    return say(language, key, move=move["label"], points=_points(cost, language))


def _points(estimate: Mapping[str, Any], language: str) -> str:
    """Return a mean without its sign, and its standard error; the values are thousandths."""
    told = f"{abs(estimate['mean']) / 1000:.1f} ± {estimate['error'] / 1000:.1f}"
    return told.replace(".", ",") if language == "es" else told
