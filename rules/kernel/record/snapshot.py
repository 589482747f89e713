"""Snapshots: folded games as JSON, a cache that can be rebuilt from the stream at any time."""

from typing import Any

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.registry import Registry
from rules.kernel.record.events import Access
from rules.kernel.record.game import Game, Point, TableSeat

SHAPE = 11
"""The version of a snapshot's form; raise it whenever the form changes."""

_PLAIN = ("version", "at", "status", "created", "created_at", "created_by", "closed_at",
          "opening", "counts", "question", "result", "randomness", "round", "rules_digest",
          "stood_still_until", "suspended_at")  # fmt: skip


def take(game: Game) -> JsonObject:
    """Return the folded game as JSON, with the digests and versions for which it is valid.

    It lists the parts that are still sealed, and not the revealed ones, so it does not grow with
    the game.
    """
    return {
        **{name: getattr(game, name) for name in _PLAIN},
        "shape": SHAPE,
        "taken_by": game.ruleset.info.version,
        "head": game.head.hex(),
        "seats": [list(holding) for holding in game.seats],
        "state": None if game.state is None else game.ruleset.to_json(game.state),
        "asked": list(game.asked.items()),
        "asked_at": list(game.asked_at.items()),
        "budgets": list(game.budgets.items()),
        "last_by_seat": list(game.last_by_seat.items()),
        "points": [_of_point(game, point) for point in game.points],
        "taken_back": list(game.taken_back.items()),
        "hinted": sorted(game.hinted),
        "over": game.access.over,
        "sealed": [
            [*key, seq, part, value, prev_hash.hex()]
            for key, parts in game.sealed.items()
            for seq, part, value, prev_hash in parts
        ],
    }


def restore(game_id: str, data: JsonObject, registry: Registry) -> Game | None:
    """Return the game that ``take`` wrote; None if its rules or its form have another version."""
    created: Any = data["created"]
    ruleset = registry.pinned(created)
    if (data["shape"], data["taken_by"]) != (SHAPE, ruleset.info.version):
        return None
    game = Game(game_id, registry)
    game.ruleset = ruleset
    for name in _PLAIN:
        setattr(game, name, data[name])
    game.head = bytes.fromhex(data["head"])
    game.seats = tuple(TableSeat._make(holding) for holding in data["seats"])
    game.state = None if data["state"] is None else game.ruleset.from_json(data["state"])
    game.asked = dict(data["asked"])
    game.asked_at = dict(data["asked_at"])
    game.budgets = dict(data["budgets"])
    game.last_by_seat = dict(data["last_by_seat"])
    game.points = tuple(_point(game, point) for point in data["points"])
    game.taken_back = dict(data["taken_back"])
    game.hinted = frozenset((seat, decision) for seat, decision in data["hinted"])
    for what, name, number, seq, part, value, prev_hash in data["sealed"]:
        key = (what, name, number)
        sealed = (seq, part, value, bytes.fromhex(prev_hash))
        game.sealed[key] = (*game.sealed.get(key, ()), sealed)
    closed = {sealed[:2] for parts in game.sealed.values() for sealed in parts}
    game.access = Access(data["over"], game.version, closed)
    return game


def _of_point(game: Game, point: Point) -> list[Any]:
    by_seat = (point.asked, point.asked_at, point.last_by_seat, point.budgets)
    told = [[*of.items()] for of in by_seat]
    return [point.to, point.seat, game.ruleset.to_json(point.state), point.question, *told]


def _point(game: Game, data: list[Any]) -> Point:
    to, seat, state, question, *told = data
    asked, asked_at, last_by_seat, budgets = map(dict, told)
    state = game.ruleset.from_json(state)
    return Point(to, seat, state, question, asked, asked_at, last_by_seat, budgets)
