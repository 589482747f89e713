"""Bans: players whose keys and tickets are refused until an admin lifts the ban.

Their games go on. Their seats are not resigned, because a ban can be lifted and a resignation
cannot. In a game with a clock, the rules answer for a banned player when the player's time is up.
In a game without a clock, the other players wait.
"""

from typing import Any

from redis import Redis

from service.ledger.idempotency import Command
from service.redis.keys import meta_key

BANS = meta_key("bans")
"""A Redis hash: player → time of the ban."""


class Bans:
    """The banned players, as of the last read; no request waits for a read."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self.look_again()

    def since(self, player_id: str) -> str | None:
        """Return the time of a player's ban; None for a player who is not banned."""
        return self._since.get(player_id)

    def look_again(self) -> None:
        """Read the bans from the store again."""
        found: Any = self._redis.hgetall(BANS)
        self._since = {player.decode(): at.decode() for player, at in found.items()}


def ban(player_id: str, at: str) -> Command:
    """Return the command that bans a player."""
    return ("HSET", BANS, player_id, at)


def unban(player_id: str) -> Command:
    """Return the command that lifts a ban."""
    return ("HDEL", BANS, player_id)
