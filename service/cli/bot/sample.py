"""Questions from random games: of each kind, in each game, with each number of seats."""

import random
from collections.abc import Collection, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.labels import LANGUAGES
from rules.kernel.contract.move import Move
from rules.kernel.contract.registry import Registry
from rules.kernel.contract.ruleset import Ruleset
from rules.kernel.contract.seats import Seat, by_seat
from service.cli.local import LocalGame
from service.games import questions

MORE = 2
"""A question of a known kind is taken if it has so many times the moves of those before it."""


class SampleTable(NamedTuple):
    """A ruleset, with one of its numbers of seats."""

    ruleset: Ruleset[Any]
    seats: int


class SampleQuestion(NamedTuple):
    """A question without its ``id`` and ``limit``; with ``by_wall``, it is one to a player."""

    body: JsonObject
    by_wall: bool


def sample(
    registry: Registry, table: SampleTable, seed: str, wants: Collection[str]
) -> Iterator[SampleQuestion]:
    """Play a random game, and yield questions of each kind in the order of the game.

    A kind is a set of types of legal moves. The first question of each kind is taken, and later
    ones that have many more moves. Every second question is one to a player; all of them are if an
    engine wants members that only these have. Equal seeds give equal questions.
    """
    chance = random.Random(f"{seed}/{table.ruleset.info.id}/{table.seats}")  # noqa: S311 - play
    local = _open(registry, table, chance)
    most: dict[frozenset[str], int] = {}
    answered = [0] * table.seats
    while not local.game.over:
        game = local.game
        seat = chance.choice(sorted(game.asked))
        legal = game.ruleset.legal_moves(game.state, seat)
        kind = frozenset(move.type for move in legal)
        if kind not in most or len(legal) >= MORE * most[kind]:
            by_wall = bool(wants) or len(most) % 2 == 1
            most[kind] = len(legal)
            body = _question(local, seat, legal, answered[seat], wants, by_wall=by_wall)
            yield SampleQuestion({**body, "seed": chance.randbytes(32).hex()}, by_wall)
        move = chance.choice(legal).to_json()
        local.change(partial(_play, seat=seat, move=move))
        answered[seat] = local.game.version


def _open(registry: Registry, table: SampleTable, chance: random.Random) -> LocalGame:
    """Open a game whose luck and moves follow from ``chance``."""
    local = LocalGame(registry, chance.randbytes(8).hex(), f"g00-{chance.randbytes(8).hex()}")
    by: JsonObject = {"player": "local"}

    def act(batch: Any) -> None:
        batch.create(table.ruleset.info.id, table.seats, {}, by)
        for seat, holder in by_seat([{"player": "local"}] * table.seats):
            batch.sit(seat, holder, by)

    local.change(act)
    return local


def _play(batch: Any, seat: Seat, move: JsonObject) -> None:
    batch.move(seat, move, {"seat": seat})


def _question(
    local: LocalGame,
    seat: Seat,
    legal: Sequence[Move[Any]],
    answered: int,
    wants: Collection[str],
    *,
    by_wall: bool,
) -> JsonObject:
    """Return the question as an engine gets it, but for ``id``, ``limit`` and ``seed``.

    ``answered`` is the version at which the seat answered last.
    """
    asked = {**questions.question(local.game, seat, legal), "settings": {}}
    if not by_wall:
        return asked
    events = local.events[max(answered - 1, 0) :][: questions.MOST_SINCE]
    return {
        **asked,
        "since": questions.since(local.game, seat, events),
        **questions.optional_members(local.game, asked, legal, LANGUAGES[0], wants),
    }
