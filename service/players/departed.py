"""The players who have left, for what is kept about them outside of the store."""

from typing import Any, NamedTuple

from redis import Redis

from service.ledger.idempotency import Command
from service.redis.keys import meta_key

LEFT = meta_key("left")
"""The ids of the players and bots that have left, in this order: a stream."""


class LeftPlayers(NamedTuple):
    """The ``players`` who left, up to the place ``until`` in the stream ("" if nobody ever did)."""

    players: frozenset[str]
    until: str


def note(player_id: str) -> Command:
    """Return the command that notes that a player has left."""
    return ("XADD", LEFT, "*", "p", player_id)


def departed(redis: Redis, after: str = "") -> LeftPlayers:
    """Return the players who have left since the place ``after``, or ever."""
    found: Any = redis.xrange(LEFT, f"({after}" if after else "-", "+")
    players = frozenset(fields[b"p"].decode() for _place, fields in found)
    return LeftPlayers(players, found[-1][0].decode() if found else after)
