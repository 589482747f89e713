"""Snapshots of long games, so that a cold process need not fold them from the beginning."""

from collections.abc import Mapping
from typing import NamedTuple

import orjson
import structlog
from redis import Redis
from redis.exceptions import RedisError

from rules.kernel import snapshot
from rules.kernel.canonical import JsonObject
from rules.kernel.game import Game
from service.ledger.keys import game_key

log = structlog.get_logger(__name__)

EVERY = 256
"""A snapshot is written each time a game grows past a multiple of this many events."""


class Snapshot(NamedTuple):
    """A folded game as JSON, and its retries as (key, fingerprint, first, last)."""

    game: JsonObject
    retries: list[tuple[bytes, bytes, int, int]]


class Snapshots:
    """The newest snapshot of each long game; losing one costs time, nothing else."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    def write_if_time(
        self, game: Game, retries: Mapping[bytes, tuple[bytes, int, int]], grown: int
    ) -> None:
        """Store ``game``, which grew by ``grown`` events, if it passed a multiple of ``EVERY``."""
        if game.version // EVERY == (game.version - grown) // EVERY or game.over:
            return
        data = {
            "game": snapshot.take(game),
            "retries": [
                [key.hex(), fingerprint.hex(), first, last]
                for key, (fingerprint, first, last) in retries.items()
            ],
        }
        try:
            self._redis.set(game_key(game.id, "snapshot"), orjson.dumps(data))
        except RedisError as error:  # the batch stands, and must not be answered with a failure
            log.warning("snapshot_not_written", game=game.id, error=type(error).__name__)

    def read(self, game_id: str) -> Snapshot | None:
        """Return the newest snapshot, if there is one."""
        raw = self._redis.get(game_key(game_id, "snapshot"))
        if raw is None:
            return None
        data = orjson.loads(raw)
        retries = [
            (bytes.fromhex(key), bytes.fromhex(fingerprint), first, last)
            for key, fingerprint, first, last in data["retries"]
        ]
        return Snapshot(data["game"], retries)
