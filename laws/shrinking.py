"""Looks for the smallest position that breaks a law."""

import time
from collections.abc import Sequence
from dataclasses import replace
from itertools import count

from laws.games import RulesEvent, SampleGame, Spot, possible, random_game
from laws.judging import Failure, hold
from laws.law import Law, Scope
from laws.tables import Table, tables_of
from rules.kernel.contract.chance import Chance, fits
from rules.kernel.contract.ruleset import ChanceEvent, Decision, MoveEvent

SEEDS = (1, 2, 3, 4)
"""Seeds of the random games, for each table, in which a smaller position is looked for."""


def smallest(failure: Failure, seconds: float) -> Failure:
    """Return the smallest case of a failure found within ``seconds``, or the failure itself.

    The case with the fewest events is the smallest; of several such, the one with the fewest seats.
    For a law of whole games, the smallest case is the shortest game.
    """
    if failure.game is None:
        return failure
    until = time.monotonic() + seconds
    tables = sorted(
        tables_of(failure.game.ruleset), key=lambda table: (not table.default, table.seats)
    )
    if failure.law.scope is Scope.GAME:
        return _shortest_game(failure, tables, until)
    found = _earliest(failure, tables, until)
    return _without_needless_events(found, until)


def _shortest_game(failure: Failure, tables: Sequence[Table], until: float) -> Failure:
    best = failure
    for table in tables:
        for seed in SEEDS:
            if time.monotonic() > until:
                return best
            game = random_game(table, seed)
            if len(game.events) < len(best.game.events if best.game else ()) and (
                found := hold(failure.law, game, game)
            ):
                best = found
    return best


def _earliest(failure: Failure, tables: Sequence[Table], until: float) -> Failure:
    """Go through all games in parallel, so that the first failure found has the fewest events."""
    games = [random_game(table, seed) for table in tables for seed in SEEDS]
    abreast = [game.positions() for game in games]
    for number in count() if failure.number else ():
        for positions in [*abreast]:
            spot = next(positions, None)
            if spot is None:
                abreast.remove(positions)
            elif found := hold(failure.law, spot, spot.game, spot.number):
                return found
            if time.monotonic() > until or number >= failure.number:
                return failure
    return failure


def _without_needless_events(failure: Failure, until: float) -> Failure:
    """Remove each event without which the law still fails, beginning with the last."""
    game = failure.game
    if game is None:
        return failure
    best, events = failure, list(game.events[: failure.number])
    for place in range(len(events) - 1, -1, -1):
        if time.monotonic() > until:
            break
        fewer = [*events[:place], *events[place + 1 :]]
        if found := _fails(failure.law, game, fewer):
            best, events = found, fewer
    return best


def _fails(law: Law, game: SampleGame, events: Sequence[RulesEvent]) -> Failure | None:
    shorter = replace(game, events=tuple(events), broken="")
    state = game.table.initial()
    for event in events:
        if not _may_follow(shorter, state, event):
            return None
        game.ruleset.reduce(state, event)
    spot = Spot(shorter, state, len(events))
    return hold(law, spot, shorter, len(events))


def _may_follow(game: SampleGame, state: object, event: RulesEvent) -> bool:
    turn = game.ruleset.turn(state)
    if isinstance(event, ChanceEvent):
        named = isinstance(turn, Chance) and (turn.label, turn.n) == (event.label, event.n)
        return named and isinstance(turn, Chance) and fits(event.picks, turn.sizes)
    if isinstance(event, MoveEvent):
        return isinstance(turn, Decision) and possible(game.ruleset, state, event)
    return isinstance(turn, Decision)


def position_of(failure: Failure) -> Spot | None:
    """Return the position of a failure, if it has one."""
    if failure.game is None:
        return None
    return next(spot for spot in failure.game.positions() if spot.number == failure.number)
