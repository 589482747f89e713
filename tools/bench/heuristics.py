"""The time of a heuristic for all seats, compared with release 0.2.0's.

Both heuristics evaluate the same states, one after the other and in one process. The states are
those of a game in which ``greedy`` plays against ``random``. Each round has another game, because
parts of a state's value are cached.
"""

import random
from collections.abc import Iterator, Sequence
from math import prod
from time import process_time
from typing import Any

from rules.kernel.contract.chance import Chance, uniform
from rules.kernel.contract.ruleset import ChanceEvent, GameOver, MoveEvent, Ruleset
from rules.kernel.contract.seats import Seat, all_seats
from service.catalogue.bots import BOTS
from tools.bench.measure import ROUNDS, Row, alternate, at_least
from workers import bots
from workers.bots import archive
from workers.bots.bot import BotRandom

EACH, MEAN = 2.0, 3.0
"""How many times faster it must be at least: in each game, and in the geometric mean of all
games.
"""


def measure(rulesets: Sequence[Ruleset[Any]]) -> Iterator[Row]:
    """Yield a row for each game, and one for all."""
    ratios = []
    for ruleset in rulesets:
        row = _row(ruleset)
        ratios.append(row.value)
        yield row
    mean = prod(ratios) ** (1 / len(ratios))
    yield at_least("the same, geometric mean of the games", mean, MEAN, ratios=ratios)


def _row(ruleset: Ruleset[Any]) -> Row:
    games = [met(ruleset, number) for number in range(2 * ROUNDS)]
    before, now = iter(games), iter(games)
    befores, nows, ratio = alternate(
        lambda: _before(ruleset, next(before)), lambda: _now(ruleset, next(now)), len(games)
    )
    return at_least(
        "evaluation of a state by the heuristic, for all seats in one pass, against 0.2.0:"
        f" {ruleset.info.title['en']}", ratio, EACH,
        microseconds_before=befores, microseconds=nows,
    )  # fmt: skip


def met(ruleset: Ruleset[Any], number: int) -> list[Any]:
    """Play a game; return the states after each legal move of the only ``greedy`` seat."""
    info, rng, luck = ruleset.info, random.Random(number), BotRandom(number)
    seats = max(2, info.min_seats) + number % (info.max_seats - max(2, info.min_seats) + 1)
    state, nature = ruleset.initial(seats, ruleset.parse_options(seats, {})), uniform(rng)
    choose, settings = bots.find("greedy", BOTS["greedy"].version), BOTS["greedy"].settings
    states = []
    while not isinstance(turn := ruleset.turn(state), GameOver):
        if isinstance(turn, Chance):
            ruleset.reduce(state, ChanceEvent(turn.label, turn.n, nature(turn)))
            continue
        seat = turn.seats[0]
        legal = ruleset.legal_moves(state, seat)
        move = rng.choice(legal)
        if seat == Seat(number % seats) and len(legal) > 1:
            information = ruleset.information(state, seat)
            move = choose(ruleset, information, seat, legal, luck, settings).move
            for tried in legal:
                after = ruleset.copy(state)
                ruleset.reduce(after, MoveEvent(seat, tried))
                states.append(after)
        ruleset.reduce(state, MoveEvent(seat, move))
    return states


def _before(ruleset: Ruleset[Any], states: Sequence[Any]) -> float:
    """Return the processor time of release 0.2.0's heuristic, in microseconds a state."""
    seats = all_seats(len(ruleset.heuristic(states[0])))
    look = archive.evaluation(ruleset.info.id, "greedy", "1")
    assert look
    start = process_time()
    for state in states:
        for seat in seats:
            look(state, seat)
    return (process_time() - start) / len(states) * 1e6


def _now(ruleset: Ruleset[Any], states: Sequence[Any]) -> float:
    """Return the processor time of today's heuristic, in microseconds a state."""
    start = process_time()
    for state in states:
        ruleset.heuristic(state)
    return (process_time() - start) / len(states) * 1e6
