"""Snapshots of long games, so that no state has to be folded from the beginning.

A snapshot is stored every ``EVERY`` events of a game, so the cost of reading the state at any
version does not grow with the game. They are kept in a sorted set, by version.
"""

import orjson
import structlog
from redis import Redis
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError
from redis.exceptions import TimeoutError as RedisTimeoutError

from rules.kernel.contract.registry import Registry
from rules.kernel.record import snapshot
from rules.kernel.record.game import Game
from service.redis.commands import Commands
from service.redis.keys import game_key

log = structlog.get_logger(__name__)

EVERY = 256
"""Interval, in events, between snapshots of a game."""


class Snapshots:
    """The snapshots of long games; the loss of a snapshot costs only time."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._commands = Commands(redis)

    def write_if_time(self, game: Game, grown: int) -> None:
        """Store a snapshot of ``game`` if one is due.

        ``grown`` is the number of events that were added last. A snapshot is due if the ``seq`` of
        one of these events is a multiple of ``EVERY``, and the game is not over.
        """
        if game.version // EVERY != (game.version - grown) // EVERY and not game.over:
            self.write({game.version: take(game)}, game.id)

    def write(self, taken: dict[int, bytes], game_id: str) -> None:
        """Store snapshots of a game; ``taken`` has them by version.

        The versions of a game are in ranges of ``EVERY``. A new snapshot replaces the earlier ones
        in its range.
        """
        key = game_key(game_id, "snapshots")
        pipe = self._redis.pipeline(transaction=False)
        for version, raw in taken.items():
            first = version - version % EVERY
            pipe.zremrangebyscore(key, first, first + EVERY - 1)
            pipe.zadd(key, {raw: version})
        try:
            pipe.execute()
        except RedisError as error:  # the events up to the snapshot are stored and acknowledged
            log.warning("snapshot_not_written", game=game_id, error=type(error).__name__)

    def nearest(self, game_id: str, version: int | None, registry: Registry) -> Game | None:
        """Return the game of the last usable snapshot up to ``version``; None if there is none.

        If ``version`` is None, the newest snapshot is used. The caller checks that the stream holds
        the newest event of the returned game.
        """
        key, until = game_key(game_id, "snapshots"), "+inf" if version is None else version
        try:
            (found,) = self._commands.ask(("ZREVRANGEBYSCORE", key, until, "-inf", "LIMIT", 0, 1))
            game = snapshot.restore(game_id, orjson.loads(found[0]), registry) if found else None
        except (RedisConnectionError, RedisTimeoutError):
            raise
        except Exception as error:  # noqa: BLE001 - the stream has it all, whatever this is
            log.warning("snapshot_unreadable", game=game_id, error=f"{type(error).__name__}")
            return None
        return game if game is None or version is None or game.version <= version else None


def take(game: Game) -> bytes:
    """Return the bytes of a game's snapshot."""
    return orjson.dumps(snapshot.take(game))
