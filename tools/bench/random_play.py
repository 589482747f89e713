"""Uniform random play over ``legal_moves`` on one core, including the draws.

The speed of machines differs by a factor of two and more, and that of one machine changes from
minute to minute. So each speed is relative to a plain reference that is measured beside it.
"""

import random
import time
from typing import Any

from rules.kernel.contract.chance import Chance
from rules.kernel.contract.ruleset import ChanceEvent, Decision, GameOver, MoveEvent, Ruleset
from tools.bench.measure import Row, alternate, at_least

SECONDS = 1.0
PILES, HEIGHT = 10, 8
"""Size of the reference game, in which a move puts a stone on a pile that is not full."""


def measure(ruleset: Ruleset[Any], bound: float) -> Row:
    """Return a game's row: its decisions a second, divided by the reference's moves a second."""
    figures, plain, ratio = alternate(lambda: decisions_per_second(ruleset), plain_per_second)
    return at_least(
        "decisions a second of random play with `legal_moves`, one core, against moves a second of"
        " a loop in plain Python that puts stones on piles:"
        f" {ruleset.info.title['en']}", ratio, bound,
        decisions_a_second=figures, stones_a_second=plain,
    )  # fmt: skip


def plain_per_second() -> float:
    """Play the reference game, in plain Python, for about ``SECONDS``; return moves a second."""
    uniform = random.Random(1).random
    stones = 0
    start = time.perf_counter()
    while time.perf_counter() - start < SECONDS:
        piles, log = [0] * PILES, []
        while legal := [pile for pile, height in enumerate(piles) if height < HEIGHT]:
            chosen = legal[int(uniform() * len(legal))]
            piles[chosen] += 1
            log.append((chosen, piles[chosen]))
        stones += len(log)
    return stones / (time.perf_counter() - start)


def decisions_per_second(ruleset: Ruleset[Any]) -> float:
    """Play whole games for about ``SECONDS``; return decisions a second."""
    rng = random.Random(1)
    seats = range(ruleset.info.min_seats, ruleset.info.max_seats + 1)
    decisions = games = 0
    start = time.perf_counter()
    while time.perf_counter() - start < SECONDS:
        decisions += play(ruleset, seats[games % len(seats)], rng)
        games += 1
    return decisions / (time.perf_counter() - start)


def play(ruleset: Ruleset[Any], seats: int, rng: random.Random) -> int:
    """Play one game to its end and return its number of decisions."""
    state = ruleset.initial(seats, ruleset.parse_options(seats, {}))
    turn_of, legal_moves, reduce = ruleset.turn, ruleset.legal_moves, ruleset.reduce
    uniform = rng.random
    decisions = 0
    while True:
        turn = turn_of(state)
        if type(turn) is Decision:
            seat = turn.seats[0]
            moves = legal_moves(state, seat)
            reduce(state, MoveEvent(seat, moves[int(uniform() * len(moves))]))
            decisions += 1
        elif type(turn) is Chance:
            picks = [int(uniform() * size) for size in turn.sizes]
            reduce(state, ChanceEvent(turn.label, turn.n, picks))
        elif type(turn) is GameOver:
            return decisions
