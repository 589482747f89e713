"""Who is banned: players whose keys and tickets are refused until an admin takes that back.

Their games go on. Nobody resigns for them, for a ban can be taken back and a resignation cannot:
where there is a clock the rules answer when their time is up, where there is none the others wait.
"""

from typing import Any

from redis import Redis

from service.ledger.once import Command
from service.redis.keys import meta_key

BANS = meta_key("bans")
"""A hash: player → since when."""


class Bans:
    """The banned players, as of the last look; no request waits for one."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self.look_again()

    def since(self, player_id: str) -> str | None:
        """Return since when a player is banned, None if he is not."""
        return self._since.get(player_id)

    def look_again(self) -> None:
        """Read who is banned now."""
        found: Any = self._redis.hgetall(BANS)
        self._since = {player.decode(): at.decode() for player, at in found.items()}


def ban(player_id: str, at: str) -> Command:
    """Return the command that bans a player."""
    return ("HSET", BANS, player_id, at)


def unban(player_id: str) -> Command:
    """Return the command that takes a ban back."""
    return ("HDEL", BANS, player_id)
