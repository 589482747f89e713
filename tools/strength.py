"""The strength of ``greedy`` against ``random``: ``python -m tools.strength RULESET``.

One seat, which changes from game to game, is greedy, and the others are random. If several seats
share the first place, each gets a part of it. The result is computed from the lower end of the 95 %
interval of greedy's share of first places (Wilson, J. Am. Stat. Assoc. 22 (1927)): its position
between an equal share (0) and always winning (1).
"""

import random
from math import sqrt
from typing import Any, NamedTuple

import click

from rules.kernel.contract.chance import Chance, uniform
from rules.kernel.contract.registry import Registry
from rules.kernel.contract.ruleset import ChanceEvent, GameOver, MoveEvent, Result, Ruleset
from rules.kernel.contract.seats import Seat
from rules.registry import PACKAGES
from service.catalogue.bots import BOTS
from workers import bots
from workers.bots.bot import BotRandom

GAMES = 200
Z = 1.96


class Strength(NamedTuple):
    """The ``share`` of first places in ``games``, and the ``lower`` end of its 95 % interval.

    ``sides`` is the number of seats and automata.
    """

    seats: int
    sides: int
    games: int
    share: float
    lower: float

    @property
    def covered(self) -> float:
        """The position of ``lower`` between an equal share (0) and always winning (1)."""
        equal = 1 / self.sides
        return (self.lower - equal) / (1 - equal)


def strength(ruleset: Ruleset[Any], seats: int, games: int = GAMES) -> Strength:
    """Play ``games`` games and count first places; equal arguments give equal figures."""
    results = [play_one(ruleset, seats, number) for number in range(games)]
    share = (
        sum(first_place(result, Seat(number % seats)) for number, result in enumerate(results))
        / games
    )
    spread = share * (1 - share) / games + (Z / (2 * games)) ** 2
    lower = (share + Z * Z / (2 * games) - Z * sqrt(spread)) / (1 + Z * Z / games)
    return Strength(seats, len(results[0].standings), games, share, lower)


def first_place(result: Result, seat: Seat) -> float:
    """Return a seat's part of the first place."""
    first = [standing.side for standing in result.standings if standing.rank == 1]
    return (f"seat:{seat}" in first) / len(first)


def play_one(ruleset: Ruleset[Any], seats: int, number: int) -> Result:
    """Play game number ``number``, in which the seat ``number % seats`` is greedy."""
    greedy = number % seats
    nature = uniform(random.Random(f"{ruleset.info.id} {seats} {number}"))
    luck = BotRandom(number)
    state = ruleset.initial(seats, ruleset.parse_options(seats, {}))
    while not isinstance(turn := ruleset.turn(state), GameOver):
        if isinstance(turn, Chance):
            ruleset.reduce(state, ChanceEvent(turn.label, turn.n, nature(turn)))
            continue
        seat = turn.seats[0]
        offer = BOTS["greedy" if seat == greedy else "random"]
        choice = bots.find(offer.name, offer.version)(
            ruleset,
            ruleset.information(state, seat) if seat == greedy else {},
            seat,
            ruleset.legal_moves(state, seat),
            luck,
            offer.settings,
        )
        ruleset.reduce(state, MoveEvent(seat, choice.move))
    return ruleset.result(state)


@click.command()
@click.argument("ruleset")
@click.option("--seats", type=int, help="Without it, every number of them.")
@click.option("--games", default=GAMES, show_default=True)
def main(ruleset: str, seats: int | None, games: int) -> None:
    """Print greedy's share of first places against random bots."""
    rules: Ruleset[Any] = Registry(PACKAGES).find(ruleset)
    counts = range(rules.info.min_seats, rules.info.max_seats + 1) if seats is None else [seats]
    for count in counts:
        found = strength(rules, count, games)
        click.echo(
            f"{count} seats: {found.share:.1%} of {games} games, at least {found.lower:.1%}:"
            f" {found.covered:.2f} of the way from an equal share to always"
        )


if __name__ == "__main__":
    main()
