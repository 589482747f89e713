"""Who is banned: players whose keys and tickets are refused until an admin takes that back.

Their games go on. Nobody resigns for them, for a ban can be taken back and a resignation cannot:
where there is a clock the rules answer when their time is up, where there is none the others wait.
"""

import time
from threading import Lock
from typing import Any

from redis import Redis

from service.ledger.once import Command
from service.redis.keys import meta_key

BANS = meta_key("bans")
"""A hash: player → since when."""
EVERY_S = 2.0
"""How old at most what a process knows of it is."""


class Bans:
    """The banned players, as a process knows them; for several threads."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._since: dict[str, str] = {}
        self._next_look = 0.0
        self._lock = Lock()

    def since(self, player_id: str) -> str | None:
        """Return since when a player is banned, None if he is not."""
        if time.monotonic() >= self._next_look:
            self.look_again()
        return self._since.get(player_id)

    def look_again(self) -> None:
        """Read who is banned now."""
        with self._lock:
            found: Any = self._redis.hgetall(BANS)
            self._since = {player.decode(): at.decode() for player, at in found.items()}
            self._next_look = time.monotonic() + EVERY_S


def ban(player_id: str, at: str) -> Command:
    """Return the command that bans a player."""
    return ("HSET", BANS, player_id, at)


def unban(player_id: str) -> Command:
    """Return the command that takes a ban back."""
    return ("HDEL", BANS, player_id)
