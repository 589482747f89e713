"""Remembers how often a bot failed at a decision, and when it may try again."""

from typing import Any

from redis import Redis

from rules.kernel.contract.seats import Seat
from service.redis.keys import game_key

DELAYS_MS = (1_000, 5_000, 30_000)
"""How long a bot rests after its first, second and third failure; the fourth is its last."""

KEEP_SECONDS = 3_600


class Failures:
    """Failures by game and decision; they are forgotten by themselves."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    def waiting(self, game_id: str) -> dict[tuple[int, int], int]:
        """Return until when (ms) the bot of each (seat, decision) rests."""
        found: Any = self._redis.hgetall(_key(game_id))
        return {_decision(name): int(value.split()[1]) for name, value in found.items()}

    def stop(self, game_id: str, seat: Seat, decision: int) -> bool:
        """Note that a bot was stopped through no fault of its own; return whether it was new."""
        key = game_key(game_id, f"bot_stopped:{seat}:{decision}")
        return bool(self._redis.set(key, 1, nx=True, ex=KEEP_SECONDS))

    def add(self, game_id: str, seat: Seat, decision: int, now: int) -> int | None:
        """Note one more failure; return when (ms) to try again, None if it was the last try."""
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
