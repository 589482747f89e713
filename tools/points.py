"""Computes the factors that turn the heuristic's leads into points, from leads and final results.

A heuristic is made to order moves, so its leads may be, for instance, twice the final leads. But
people take leads for points, so each ruleset has factors (``aids/leads.json``). This command
computes them:

    python -m tools.points ragusa macao     # plays games and writes the factors

``make campaign NAME=points`` plays other games, and compares the scaled leads with final leads.
"""

import json
import random
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from math import sqrt
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

import click
import numpy as np

from rules.kernel.canonical import derive
from rules.kernel.contract.chance import Chance, draw
from rules.kernel.contract.move import Move
from rules.kernel.contract.published import package_of
from rules.kernel.contract.registry import Registry
from rules.kernel.contract.ruleset import ChanceEvent, Decision, GameOver, MoveEvent, Ruleset
from rules.kernel.contract.seats import Seat
from rules.registry import PACKAGES
from service.catalogue.bots import BOTS
from tests.running import ROOT
from workers.analysis.futures import Futures, horizon
from workers.analysis.points import Scale, Teller, is_over, raw_leads
from workers.bots import greedy, lookahead
from workers.bots.bot import BotRandom
from workers.bots.worlds import MILLI, leads

GAMES = 400
THIRDS = 3
FATES = (8, 2, 1)
"""How many times a position is played to the end, by the third of the game in which it is. The
first end is that of its own game; the others have other luck.

An early lead explains little of a single end (in Manila 1/14 of its variance). So the mean of eight
ends says nearly as much as eight times as many games would.
"""
STEP = 0.2
"""The typical difference between the factors of two consecutive thirds, assumed where data are
few.
"""
REGISTRY = Registry(PACKAGES)


class LeadSample(NamedTuple):
    """One seat's lead at a position of a game, and its final lead, in thousandths.

    The position is after ``done`` of ``steps`` events. ``looks`` is the part of the raw lead from
    futures in which the game goes on, and ``scores`` the part from futures in which it ends. An
    analysis tells ``looks``, scaled, plus ``scores``. ``came`` is the mean of the final leads.
    """

    done: int
    steps: int
    looks: float
    scores: float
    came: float

    @property
    def third(self) -> int:
        """The third of the game in which the position lies, from 0."""
        return _third(self.done, self.steps)


class Spot(NamedTuple):
    """A position of a game in which a seat decides between two or more moves.

    It was reached from ``first`` after ``done`` of ``steps`` events. ``fates`` are the final leads
    (in thousandths) in each of its ends. The luck in the analysis of the position follows from
    ``key``.
    """

    ruleset: Ruleset[Any]
    key: bytes
    first: Any
    state: Any
    done: int
    steps: int
    fates: Sequence[Sequence[int]]

    def seen(self, seat: int, looks: float, scores: float) -> LeadSample:
        """Return a seat's lead here, with the mean of its final leads."""
        came = fmean(fate[seat] for fate in self.fates)
        return LeadSample(self.done, self.steps, looks, scores, came)


def spots(ruleset: Ruleset[Any], seats: int, seed: str) -> Iterator[Spot]:
    """Yield random positions with a choice, one from each third of a game of ``greedy``."""
    key = derive(b"points", ruleset.info.id, seats, seed)
    first = ruleset.initial(seats, ruleset.parse_options(seats, {}))
    states = [*_play_on(ruleset, first, key)]
    steps, rng = len(states), random.Random(key)
    for third, count in enumerate(FATES):
        choices = [
            at
            for at, state in enumerate(states)
            if _third(at + 1, steps) == third and len(_legal(ruleset, state)) > 1
        ]
        if choices:
            at = rng.choice(choices)
            others = (
                deque(_play_on(ruleset, states[at], derive(key, "fate", at, n)), 1)[0]
                for n in range(1, count)
            )
            fates = [_final(ruleset, seats, state) for state in (states[-1], *others)]
            yield Spot(ruleset, derive(key, "told"), first, states[at], at + 1, steps, fates)


def analysed(spot: Spot) -> list[LeadSample]:
    """Return the leads of all seats in the analysis of a position."""
    ruleset = spot.ruleset
    far = horizon(BOTS["lookahead"].settings_in(ruleset))
    reached = Futures(ruleset, spot.key, far, spot.first).reached(spot.state)
    looks, scores = (
        [
            [lead / len(reached) for lead in raw_leads(ruleset, each)]
            for each in reached
            if is_over(each) is over
        ]
        for over in (False, True)
    )
    return [
        spot.seen(seat, sum(each[seat] for each in looks), sum(each[seat] for each in scores))
        for seat in range(len(spot.fates[0]))
    ]


def thought(spot: Spot) -> list[LeadSample]:
    """Return the leads of all seats that ``lookahead`` expects after the move that it chooses."""
    ruleset, state = spot.ruleset, spot.state
    seat, legal = _asked(ruleset, state), _legal(ruleset, state)
    rng, settings = BotRandom(int.from_bytes(spot.key)), BOTS["lookahead"].settings_in(ruleset)
    information = ruleset.information(state, seat)
    choice = lookahead.choose(ruleset, information, seat, legal, rng, settings)
    played = choice.move.to_json()
    of_it = next(each for each in choice.thoughts["candidates"] if each["move"] == played)
    return [spot.seen(other, lead, 0) for other, lead in enumerate(leads(of_it["expected"]))]


def _third(done: int, steps: int) -> int:
    return (done - 1) * THIRDS // steps


def _asked(ruleset: Ruleset[Any], state: Any) -> Seat:
    turn = ruleset.turn(state)
    assert isinstance(turn, Decision)
    return turn.seats[0]


def _legal(ruleset: Ruleset[Any], state: Any) -> Sequence[Move[Any]]:
    if not isinstance(ruleset.turn(state), Decision):
        return ()
    return ruleset.legal_moves(state, _asked(ruleset, state))


def _final(ruleset: Ruleset[Any], seats: int, state: Any) -> list[int]:
    sides = ruleset.result(state).standings[:seats]
    return leads([MILLI * side.score for side in sides])


def _play_on(ruleset: Ruleset[Any], state: Any, key: bytes) -> Iterator[Any]:
    """Yield the state after each further event, with ``greedy`` in all seats."""
    state = ruleset.copy(state)
    rng = BotRandom(int.from_bytes(key))
    settings = BOTS["greedy"].settings_in(ruleset)
    while not isinstance(turn := ruleset.turn(state), GameOver):
        if isinstance(turn, Chance):
            picks = draw(key, turn.label, turn.n, turn.sizes)
            ruleset.reduce(state, ChanceEvent(turn.label, turn.n, picks))
        else:
            seat, legal = _asked(ruleset, state), _legal(ruleset, state)
            information = ruleset.information(state, seat)
            move = greedy.choose(ruleset, information, seat, legal, rng, settings).move
            ruleset.reduce(state, MoveEvent(seat, move))
        yield ruleset.copy(state)


TELLERS: Mapping[Teller, Callable[[Spot], list[LeadSample]]] = {
    "analysis": analysed,
    "thoughts": thought,
}

ByTeller = Mapping[Teller, list[LeadSample]]


def _seen_in(asked: tuple[str, int, str]) -> ByTeller:
    ruleset, seats, seed = asked
    found = [*spots(REGISTRY.find(ruleset), seats, seed)]
    return {
        teller: [seen for spot in found for seen in tell(spot)] for teller, tell in TELLERS.items()
    }


def games(ruleset: str, seats: int, luck: str, count: int = GAMES) -> Iterator[ByTeller]:
    """Yield the leads in each of ``count`` games, on all cores; seeds follow from ``luck``."""
    asked = [(ruleset, seats, f"{luck} {number}") for number in range(count)]
    with ProcessPoolExecutor() as pool:
        yield from pool.map(_seen_in, asked, chunksize=4)


def slope(points: Sequence[tuple[float, float]]) -> float:
    """Return the slope of y on x, whose means are 0: the leads at a table add up to 0."""
    return sum(x * y for x, y in points) / sum(x * x for x, _y in points)


def band(by_game: Sequence[Sequence[tuple[float, float]]]) -> tuple[float, float, float]:
    """Return the slope over all games, and its 95 % band; samples of one game are correlated.

    So the standard error is that for clusters (Liang and Zeger, Biometrika 73, 1986).
    """
    found = slope([point for points in by_game for point in points])
    square = sum(x * x for points in by_game for x, _y in points)
    scores = [sum(x * (y - found * x) for x, y in points) for points in by_game]
    error = sqrt(sum(score * score for score in scores)) / square
    return found, found - 1.96 * error, found + 1.96 * error


def told(seen: LeadSample, scale: Scale) -> float:
    """Return the scaled lead, in thousandths of a point."""
    return seen.looks * scale.at(seen.done, seen.steps) / MILLI + seen.scores


def fitted(found: Sequence[LeadSample]) -> list[int]:
    """Return for each third of the game the factor that fits best (thousandths), for ``Scale``.

    If most futures of positions in a third reach the end of the game, there are few data for its
    factor. Then it is kept close to the next factor.
    """
    rows = np.array([[share * seen.looks for share in _shares(seen)] for seen in found])
    wanted = np.array([seen.came - seen.scores for seen in found])
    free = np.linalg.lstsq(rows, wanted)[0]
    weight = float(np.std(wanted - rows @ free)) / STEP
    near = weight * np.array([[1, -1, 0], [0, 1, -1]])
    factors = np.linalg.lstsq(np.vstack([rows, near]), np.append(wanted, [0, 0]))[0]
    return [max(0, round(MILLI * factor)) for factor in factors]


def _shares(seen: LeadSample) -> list[float]:
    """Return the weight of each third's factor at a position."""
    place = min(max(3 * seen.done / seen.steps - 0.5, 0.0), 2.0)
    return [max(0.0, 1 - abs(place - middle)) for middle in range(THIRDS)]


def numbers_of_seats(ruleset: Ruleset[Any]) -> range:
    """Return the numbers of seats at which a seat can be ahead of others."""
    return range(max(2, ruleset.info.min_seats), ruleset.info.max_seats + 1)


def factors_file(ruleset: Ruleset[Any]) -> Path:
    """Return the path of the file that has a ruleset's factors."""
    return ROOT / package_of(ruleset).replace(".", "/") / "aids/leads.json"


@click.command()
@click.argument("names", nargs=-1)
def main(names: Sequence[str]) -> None:
    """Compute the factors of these rulesets, or of all; each takes ten to thirty minutes."""
    for ruleset in [REGISTRY.find(name) for name in names] or list(REGISTRY):
        found = {}
        for seats in numbers_of_seats(ruleset):
            told_in = [*games(ruleset.info.id, seats, "found")]
            found[str(seats)] = {
                teller: fitted([seen for game in told_in for seen in game[teller]])
                for teller in TELLERS
            }
            click.echo(f"{ruleset.info.id} {seats} {found[str(seats)]}")
        lines = [f"  {json.dumps(seats)}: {json.dumps(each)}" for seats, each in found.items()]
        factors_file(ruleset).write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
