"""How many points a lead that a bot tells is worth: what games came to, by what was told before.

A heuristic orders moves, and has no scale: its leads may be twice of what comes of them. People
are told leads as points, so each ruleset has factors (``aids/leads.json``). This finds them:

    python -m tests.points ragusa macao     # plays games and writes the factors

``make campaign NAME=points`` plays other games, and holds what is told to what came of it.
"""

import random
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import pairwise
from math import sqrt
from pathlib import Path
from typing import Any, NamedTuple

import click
import orjson

from rules.kernel.canonical import derive
from rules.kernel.contract.chance import Chance, draw
from rules.kernel.contract.move import Move
from rules.kernel.contract.published import package_of
from rules.kernel.contract.registry import Registry
from rules.kernel.contract.ruleset import Chanced, Decision, Finished, Moved, Ruleset
from rules.kernel.contract.seats import Seat
from rules.registry import PACKAGES
from service.catalogue.bots import BOTS
from tests.running import ROOT
from workers.analysis.futures import Futures, horizon
from workers.analysis.points import Scale, is_over, raw_leads
from workers.bots import greedy, lookahead
from workers.bots.bot import BotRandom
from workers.bots.worlds import MILLI, leads

GAMES = 400
THIRDS = 3
REGISTRY = Registry(PACKAGES)


class Seen(NamedTuple):
    """One position of a game, and what came of it for one seat; leads in thousandths.

    It was seen after ``done`` of ``steps`` events. ``looks`` is the part of the raw lead that comes
    from futures in which the game goes on, ``scores`` that from those in which it ends: the lead
    told is ``looks``, scaled, and ``scores``.
    """

    done: int
    steps: int
    looks: float
    scores: float
    came: int


def analysed(ruleset: Ruleset[Any], seats: int, seed: str) -> list[Seen]:
    """Return what analysis tells of a position of each third of a game of ``greedy``, at random."""
    key = derive(b"points", ruleset.info.id, seats, seed)
    states = list(_play(ruleset, seats, key))
    far = horizon(BOTS["lookahead"].settings_in(ruleset))
    futures = Futures(ruleset, derive(key, "told"), far, states[0])
    came = raw_leads(ruleset, futures.reached(states[-1])[0])
    found = []
    for at in _one_of_each_third(range(len(states)), key):
        reached = futures.reached(states[at])
        for seat in range(seats):
            looks, scores = (
                sum(raw_leads(ruleset, each)[seat] for each in reached if is_over(each) is over)
                for over in (False, True)
            )
            many = len(reached)
            found.append(Seen(at + 1, len(states), looks / many, scores / many, came[seat]))
    return found


def thought(ruleset: Ruleset[Any], seats: int, seed: str) -> list[Seen]:
    """Return what ``lookahead`` thinks its move comes to, at a choice of each third, at random."""
    key = derive(b"points", ruleset.info.id, seats, seed)
    states = list(_play(ruleset, seats, key))
    sides = ruleset.result(states[-1]).standings[:seats]
    came = leads([MILLI * side.score for side in sides])
    choices = [at for at, state in enumerate(states) if len(_legal(ruleset, state)) > 1]
    rng, settings = BotRandom(int.from_bytes(key)), BOTS["lookahead"].settings_in(ruleset)
    found = []
    for at in _one_of_each_third(choices, key):
        seat, legal = _asked(ruleset, states[at]), _legal(ruleset, states[at])
        information = ruleset.information(states[at], seat)
        choice = lookahead.choose(ruleset, information, seat, legal, rng, settings)
        played = choice.move.to_json()
        of_it = next(each for each in choice.thoughts["candidates"] if each["move"] == played)
        if expected := leads(of_it["expected"]):
            found += [
                Seen(at + 1, len(states), expected[seat], 0, came[seat]) for seat in range(seats)
            ]
    return found


def _one_of_each_third(places: Sequence[int], key: bytes) -> list[int]:
    rng, many = random.Random(key), len(places)
    bounds = [many * third // THIRDS for third in range(THIRDS + 1)]
    return [places[rng.randrange(*between)] for between in pairwise(bounds)]


def _asked(ruleset: Ruleset[Any], state: Any) -> Seat:
    turn = ruleset.turn(state)
    assert isinstance(turn, Decision)
    return turn.seats[0]


def _legal(ruleset: Ruleset[Any], state: Any) -> Sequence[Move[Any]]:
    if not isinstance(ruleset.turn(state), Decision):
        return ()
    return ruleset.legal_moves(state, _asked(ruleset, state))


def _play(ruleset: Ruleset[Any], seats: int, key: bytes) -> Iterator[Any]:
    """Yield the state after each event of a game of ``greedy``."""
    state = ruleset.initial(seats, ruleset.parse_options(seats, {}))
    rng = BotRandom(int.from_bytes(key))
    settings = BOTS["greedy"].settings_in(ruleset)
    while not isinstance(turn := ruleset.turn(state), Finished):
        if isinstance(turn, Chance):
            picks = draw(key, turn.label, turn.n, turn.sizes)
            ruleset.reduce(state, Chanced(turn.label, turn.n, picks))
        else:
            seat, legal = _asked(ruleset, state), _legal(ruleset, state)
            information = ruleset.information(state, seat)
            move = greedy.choose(ruleset, information, seat, legal, rng, settings).move
            ruleset.reduce(state, Moved(seat, move))
        yield ruleset.copy(state)


TELLERS = {"analysis": analysed, "thoughts": thought}


def _told_in(asked: tuple[str, str, int, str]) -> list[Seen]:
    teller, ruleset, seats, seed = asked
    return TELLERS[teller](REGISTRY.find(ruleset), seats, seed)


def games(
    teller: str, ruleset: str, seats: int, luck: str, count: int = GAMES
) -> Iterator[list[Seen]]:
    """Yield what was told in each of so many games, on all cores; ``luck`` names their seeds."""
    asked = [(teller, ruleset, seats, f"{luck} {number}") for number in range(count)]
    with ProcessPoolExecutor() as pool:
        yield from pool.map(_told_in, asked, chunksize=4)


def slope(points: Sequence[tuple[float, float]]) -> float:
    """Return the slope of y on x; both have the mean 0, for leads of a table add up to nothing."""
    return sum(x * y for x, y in points) / sum(x * x for x, _y in points)


def band(by_game: Sequence[Sequence[tuple[float, float]]]) -> tuple[float, float, float]:
    """Return the slope over all games, and its 95 % band; a game's points hang together.

    The error is that of clusters (Liang and Zeger, Biometrika 73, 1986).
    """
    found = slope([point for points in by_game for point in points])
    square = sum(x * x for points in by_game for x, _y in points)
    scores = [sum(x * (y - found * x) for x, y in points) for points in by_game]
    error = sqrt(sum(score * score for score in scores)) / square
    return found, found - 1.96 * error, found + 1.96 * error


def told(seen: Seen, scale: Scale) -> float:
    """Return the lead that was told, in thousandths of a point."""
    return seen.looks * scale.at(seen.done, seen.steps) / MILLI + seen.scores


def fitted(found: Sequence[Seen]) -> list[int]:
    """Return the factor of each third that fits best (thousandths), as ``Scale`` uses them."""
    rows = [[share * seen.looks for share in _shares(seen)] for seen in found]
    wanted = [seen.came - seen.scores for seen in found]
    normal = [
        [sum(row[i] * row[j] for row in rows) for j in range(THIRDS)]
        + [sum(row[i] * y for row, y in zip(rows, wanted, strict=True))]
        for i in range(THIRDS)
    ]
    return [max(0, round(MILLI * factor)) for factor in _solved(normal)]


def _shares(seen: Seen) -> list[float]:
    """Return how much each third's factor counts at a position."""
    place = min(max(3 * seen.done / seen.steps - 0.5, 0.0), 2.0)
    return [max(0.0, 1 - abs(place - middle)) for middle in range(THIRDS)]


def _solved(rows: list[list[float]]) -> list[float]:
    """Return the solution of linear equations that have one, by elimination."""
    for i in range(len(rows)):
        pivot = rows[i] = [value / rows[i][i] for value in rows[i]]
        for j, row in enumerate(rows):
            if i != j:
                rows[j] = [a - row[i] * b for a, b in zip(row, pivot, strict=True)]
    return [row[-1] for row in rows]


def numbers_of_seats(ruleset: Ruleset[Any]) -> range:
    """Return at how many seats somebody can be ahead of others."""
    return range(max(2, ruleset.info.min_seats), ruleset.info.max_seats + 1)


def factors_file(ruleset: Ruleset[Any]) -> Path:
    """Return where the factors of a ruleset stand."""
    return ROOT / package_of(ruleset).replace(".", "/") / "aids/leads.json"


@click.command()
@click.argument("names", nargs=-1)
def main(names: Sequence[str]) -> None:
    """Find the factors of rulesets, or of all; takes about ten minutes each on two cores."""
    for ruleset in [REGISTRY.find(name) for name in names] or list(REGISTRY):
        found = {}
        for seats in numbers_of_seats(ruleset):
            seen = [
                each for game in games("analysis", ruleset.info.id, seats, "found") for each in game
            ]
            found[str(seats)] = fitted(seen)
            click.echo(f"{ruleset.info.id} {seats} {found[str(seats)]}")
        factors_file(ruleset).write_bytes(
            orjson.dumps(found, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
        )


if __name__ == "__main__":
    main()
