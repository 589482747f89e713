"""Uniform random play over ``legal_moves`` on one core, nature included."""

import random
import time
from typing import Any

from rules.kernel.chance import Chance
from rules.kernel.ruleset import Chanced, Decision, Finished, Moved, Ruleset
from tests.bench.measure import Row, at_least, repeat

SECONDS = 2.0


def measure(ruleset: Ruleset[Any], bound: float) -> Row:
    """Return decisions a second, the median over all seat counts in turn."""
    figures, value = repeat(lambda: decisions_per_second(ruleset))
    return at_least(f"random play, {ruleset.info.id} (decisions/s)", value, bound, rounds=figures)


def decisions_per_second(ruleset: Ruleset[Any]) -> float:
    """Play whole games for about ``SECONDS``."""
    rng = random.Random(1)
    seats = range(ruleset.info.min_seats, ruleset.info.max_seats + 1)
    decisions = games = 0
    start = time.perf_counter()
    while time.perf_counter() - start < SECONDS:
        decisions += play(ruleset, seats[games % len(seats)], rng)
        games += 1
    return decisions / (time.perf_counter() - start)


def play(ruleset: Ruleset[Any], seats: int, rng: random.Random) -> int:
    """Play one game to its end and return how many decisions it had."""
    state = ruleset.initial(seats, ruleset.parse_options(seats, {}))
    turn_of, legal_moves, reduce = ruleset.turn, ruleset.legal_moves, ruleset.reduce
    uniform = rng.random
    decisions = 0
    while True:
        turn = turn_of(state)
        if type(turn) is Decision:
            seat = turn.seats[0]
            moves = legal_moves(state, seat)
            reduce(state, Moved(seat, moves[int(uniform() * len(moves))]))
            decisions += 1
        elif type(turn) is Chance:
            picks = [int(uniform() * size) for size in turn.sizes]
            reduce(state, Chanced(turn.label, turn.n, picks))
        elif type(turn) is Finished:
            return decisions
