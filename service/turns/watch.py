"""Watching obligations: overdue games, and passed deadlines.

The append script writes ``due`` and ``deadlines``; this module reads them, and postpones turns.
"""

from importlib import resources
from typing import Any

from redis import Redis

from service.ids import shard_of
from service.redis.keys import ALL_SHARDS, shard_key
from service.redis.scripts import Script

_CLAIM = resources.files("service.turns").joinpath("claim_due.lua").read_text()


class ObligationList:
    """The obligations of all shards; times are milliseconds since 1970."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._claim = Script(redis, _CLAIM)

    def claim_overdue(self, since: int, until: int, per_shard: int) -> list[str]:
        """Return games due at ``since`` or before, and postpone them until ``until``.

        Each game is returned to only one of several concurrent watchers.
        """
        return _ids(
            self._claim.each(
                ([shard_key(shard, "due")], [since, per_shard, until]) for shard in ALL_SHARDS
            )
        )

    def postpone(self, game_id: str, until: int) -> None:
        """Postpone a game's turn until ``until``; do nothing if the game is not due."""
        self._redis.zadd(shard_key(shard_of(game_id), "due"), {game_id: until}, xx=True)

    def expired(self, now: int, per_shard: int) -> list[str]:
        """Return games with a passed deadline."""
        pipeline = self._redis.pipeline(transaction=False)
        for shard in ALL_SHARDS:
            pipeline.zrangebyscore(shard_key(shard, "deadlines"), "-inf", now, 0, per_shard)
        return _ids(pipeline.execute())

    def look_again(self, game_id: str, at: int) -> None:
        """Move a passed deadline to ``at``; do nothing if the game has a later one, or none."""
        self._redis.zadd(shard_key(shard_of(game_id), "deadlines"), {game_id: at}, xx=True, gt=True)


def _ids(replies: list[Any]) -> list[str]:
    return [game_id.decode() for reply in replies for game_id in reply]
