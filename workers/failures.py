"""Counts a bot's failures at a decision, and says when it is asked again."""

from typing import Any

from redis import Redis

from rules.kernel.contract.seats import Seat
from service.redis.keys import game_key

DELAYS_MS = (1_000, 5_000, 30_000)
"""Pauses of a bot after its first, second and third failure; after the fourth it is not asked
again.
"""

KEEP_SECONDS = 3_600


class Failures:
    """The numbers of failures by game and decision, which expire."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    def waiting(self, game_id: str) -> dict[tuple[int, int], int]:
        """Return for each (seat, decision) the time (ms) until which its bot pauses."""
        found: Any = self._redis.hgetall(_key(game_id))
        return {_decision(name): int(value.split()[1]) for name, value in found.items()}

    def stop(self, game_id: str, seat: Seat, decision: int) -> bool:
        """Record that a bot was stopped without a fault; return whether it is the first time."""
        key = game_key(game_id, f"bot_stopped:{seat}:{decision}")
        return bool(self._redis.set(key, 1, nx=True, ex=KEEP_SECONDS))

    def add(self, game_id: str, seat: Seat, decision: int, now: int) -> int | None:
        """Record a failure; return the time (ms) of the next attempt, None if there is none."""
        field = f"{seat}:{decision}"
        found: Any = self._redis.hget(_key(game_id), field)
        count = 0 if found is None else int(found.split()[0])
        if count >= len(DELAYS_MS):
            return None
        again = now + DELAYS_MS[count]
        with self._redis.pipeline() as pipeline:
            pipeline.hset(_key(game_id), field, f"{count + 1} {again}")
            pipeline.expire(_key(game_id), KEEP_SECONDS)
            pipeline.execute()
        return again


def _key(game_id: str) -> str:
    return game_key(game_id, "bot_failures")


def _decision(name: bytes) -> tuple[int, int]:
    seat, _, decision = name.partition(b":")
    return int(seat), int(decision)
