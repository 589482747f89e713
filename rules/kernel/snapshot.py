"""A folded game as JSON: a cache of a stream, never the truth."""

from typing import Any

from rules.kernel.canonical import JsonObject
from rules.kernel.game import Game, Seat
from rules.registry import Registry

_PLAIN = ("version", "at", "status", "created", "created_at", "created_by", "closed_at",
          "question", "result")  # fmt: skip


def take(game: Game) -> JsonObject:
    """Return all that folding has found out, with what it depends on."""
    return {
        **{name: getattr(game, name) for name in _PLAIN},
        "rules_digest": game.registry.digest(game.ruleset.info.id),
        "head": game.head.hex(),
        "seats": [
            [seat.holder, _hex(seat.entropy_commitment), _hex(seat.entropy), seat.resigned]
            for seat in game.seats
        ],
        "state": None if game.state is None else game.ruleset.to_json(game.state),
        "asked": list(game.asked.items()),
        "asked_at": list(game.asked_at.items()),
        "last_by_seat": list(game.last_by_seat.items()),
        "opened": game.access.to_json(),
        "sealed": [
            [*key, seq, part, value, prev_hash.hex()]
            for key, parts in game.sealed.items()
            for seq, part, value, prev_hash in parts
        ],
    }


def restore(game_id: str, data: JsonObject, registry: Registry) -> Game | None:
    """Read ``take`` back; None if other code for these rules took it."""
    created: Any = data["created"]
    if registry.digest(created["ruleset"]) != data["rules_digest"]:
        return None
    game = Game(game_id, registry)
    game.ruleset = registry.pinned(created)
    for name in _PLAIN:
        setattr(game, name, data[name])
    game.head = bytes.fromhex(data["head"])
    for holder, commitment, entropy, resigned in data["seats"]:
        seat = Seat()
        seat.holder = holder
        seat.entropy_commitment = _bytes(commitment)
        seat.entropy = _bytes(entropy)
        seat.resigned = resigned
        game.seats.append(seat)
    game.state = None if data["state"] is None else game.ruleset.from_json(data["state"])
    game.asked = dict(data["asked"])
    game.asked_at = dict(data["asked_at"])
    game.last_by_seat = dict(data["last_by_seat"])
    game.access.restore(data["opened"])
    for what, name, number, seq, part, value, prev_hash in data["sealed"]:
        key = (what, name, number)
        sealed = (seq, part, value, bytes.fromhex(prev_hash))
        game.sealed[key] = (*game.sealed.get(key, ()), sealed)
    return game


def _hex(value: bytes | None) -> str | None:
    return None if value is None else value.hex()


def _bytes(value: str | None) -> bytes | None:
    return None if value is None else bytes.fromhex(value)
