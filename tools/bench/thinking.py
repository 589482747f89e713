"""The processor time of bots' decisions, in one process, with equal questions for all.

The questions are decisions between two or more moves, from all parts of a game with three seats of
``greedy``. ``python -m tools.bench.thinking`` measures only these rows.
"""

from collections.abc import Mapping, Sequence
from statistics import median
from time import process_time
from typing import Any, NamedTuple

import click

from rules.kernel.contract.chance import Chance, uniform
from rules.kernel.contract.registry import Registry
from rules.kernel.contract.ruleset import ChanceEvent, GameOver, MoveEvent, Ruleset
from rules.kernel.contract.seats import Seat
from rules.registry import PACKAGES
from service.catalogue.bots import BOTS
from tools.bench.measure import Row, at_most
from workers import bots
from workers.bots.bot import BotRandom

SEATS = 3
QUESTIONS = 20
"""Number of questions asked in each game."""
BOUNDS = {"greedy": 5.0, "lookahead": 150.0, "search": 150.0, "search-deep": 600.0}
"""Maximum milliseconds of a median decision, in the game in which it takes longest."""


class DecisionTimes(NamedTuple):
    """Milliseconds of a bot's decisions in a game, and their ratio to those of ``greedy``."""

    median: float
    p95: float
    greedy: int


def measure(rulesets: Sequence[Ruleset[Any]]) -> list[Row]:
    """Return a row for each bot: the median time of a decision in the slowest game."""
    took = {ruleset.info.id: decisions(ruleset) for ruleset in rulesets}
    rows = []
    for name, bound in BOUNDS.items():
        games = {game: by_bot[name] for game, by_bot in took.items()}
        slowest = max(each.median for each in games.values())
        detail: dict[str, object] = {game: each._asdict() for game, each in games.items()}
        title = (
            f"milliseconds of a processor for a decision of `{name}`, median of the slowest game"
        )
        rows.append(at_most(title, slowest, bound, **detail))
    return rows


def decisions(ruleset: Ruleset[Any]) -> Mapping[str, DecisionTimes]:
    """Ask each bot all questions of a game."""
    times: dict[str, list[float]] = {name: [] for name in BOUNDS}
    for state, seat in questions(ruleset):
        for name, took in times.items():  # All in turn, because a machine's speed drifts.
            took.append(_ask(ruleset, name, state, seat))
    greedy = median(times["greedy"])
    return {
        name: DecisionTimes(
            round(median(each), 2),
            round(sorted(each)[len(each) * 95 // 100], 2),
            round(median(each) / greedy),
        )
        for name, each in times.items()
    }


def questions(ruleset: Ruleset[Any]) -> list[tuple[Any, Seat]]:
    """Return states of a game with their deciding seats, spread evenly over the game."""
    rng, choose = BotRandom(1), bots.find("greedy", BOTS["greedy"].version)
    state, nature = ruleset.initial(SEATS, ruleset.parse_options(SEATS, {})), uniform(rng)
    met = []
    while not isinstance(turn := ruleset.turn(state), GameOver):
        if isinstance(turn, Chance):
            ruleset.reduce(state, ChanceEvent(turn.label, turn.n, nature(turn)))
            continue
        seat = turn.seats[0]
        legal = ruleset.legal_moves(state, seat)
        if len(legal) > 1:
            met.append((ruleset.copy(state), seat))
        known = ruleset.information(state, seat)
        choice = choose(ruleset, known, seat, legal, rng, BOTS["greedy"].settings)
        ruleset.reduce(state, MoveEvent(seat, choice.move))
    return [met[len(met) * number // QUESTIONS] for number in range(QUESTIONS)]


def _ask(ruleset: Ruleset[Any], name: str, state: Any, seat: Seat) -> float:
    known, legal = ruleset.information(state, seat), ruleset.legal_moves(state, seat)
    choose, settings = bots.find(name, BOTS[name].version), BOTS[name].settings_in(ruleset)
    start = process_time()
    choose(ruleset, known, seat, legal, BotRandom(1), settings)
    return 1000 * (process_time() - start)


if __name__ == "__main__":
    for row in measure(list(Registry(PACKAGES))):
        click.echo(f"{row.value:8.1f}   {row.bound:18} {row.name}")
        for game, took in row.detail.items():
            click.echo(f"    {game:18} {took}")
