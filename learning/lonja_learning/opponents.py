"""Opponents in an environment: seats that decide by a bot of the service, or by a policy."""

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from lonja_learning.policies import Policy, choose
from rules.kernel.contract import published
from rules.kernel.contract.move import Move
from rules.kernel.contract.ruleset import Ruleset
from rules.kernel.contract.seats import Seat
from rules.kernel.numbering.numbers import Numbers
from workers.bots import greedy, lookahead, random_bot, search
from workers.bots.bot import Bot, BotRandom

Opponent: TypeAlias = Callable[[Any, Seat, Sequence[Move[Any]], random.Random], Move[Any]]
"""Chooses one of several legal moves of a seat, by the state and a source of chance."""

_LOOKAHEAD = {"nodes": 2_000, "candidates": 6, "decisions": 9}
_TREE = {
    "candidates": 6, "decisions": 12, "ripe": 4, "opponents": 1, "width": 2, "explore": 1_000,
}  # fmt: skip

BOTS: Mapping[str, tuple[Bot, Mapping[str, int]]] = {
    "random": (random_bot.choose, {}),
    "greedy": (greedy.choose, {"nodes": 2_000}),
    "lookahead": (lookahead.choose, _LOOKAHEAD),
    "search": (search.choose, {"nodes": 3_000, "worlds": 4, **_TREE}),
    "search-deep": (search.choose, {"nodes": 12_000, "worlds": 8, **_TREE}),
}
"""The bots of the service, with their default settings: a service of this release has the same."""


class BadOpponentError(ValueError):
    """There is no such opponent; the message says why."""


def opponent(ruleset: Ruleset[Any], numbers: Numbers, named: str | Policy) -> Opponent:
    """Return an opponent: a policy, or a bot by its name and settings (``"greedy:nodes=500"``).

    Raises BadOpponentError.
    """
    if not isinstance(named, str):
        return _by_policy(ruleset, numbers, named)
    name, _, written = named.partition(":")
    if name not in BOTS:
        raise BadOpponentError(f"there is no bot {name!r}; there are {', '.join(BOTS)}")
    bot, usual = BOTS[name]
    settings = {**usual, **published.bots(ruleset).get(name, {})}
    for pair in written.split(":") if written else ():
        setting, _, value = pair.partition("=")
        if setting not in settings or not value.isdecimal():
            raise BadOpponentError(
                f"{pair!r} is no setting of {name}, such as"
                f" {', '.join(f'{key}={number}' for key, number in settings.items()) or 'none'}"
            )
        settings[setting] = int(value)
    return _by_bot(ruleset, bot, settings)


def _by_bot(ruleset: Ruleset[Any], bot: Bot, settings: Mapping[str, int]) -> Opponent:
    def decide(
        state: Any, seat: Seat, legal: Sequence[Move[Any]], luck: random.Random
    ) -> Move[Any]:
        information = ruleset.information(state, seat)
        rng = BotRandom(luck.getrandbits(64))
        return bot(ruleset, information, seat, legal, rng, settings).move

    return decide


def _by_policy(ruleset: Ruleset[Any], numbers: Numbers, policy: Policy) -> Opponent:
    def decide(
        state: Any,
        seat: Seat,
        legal: Sequence[Move[Any]],
        luck: random.Random,  # noqa: ARG001 - every opponent is given the same
    ) -> Move[Any]:
        return choose(policy, numbers, ruleset.view(state, seat), legal)

    return decide
