"""The reason why no worker can play a running tournament: rules or bots are not installed.

Workers store the reason beside the stream. It expires, because it depends on the worker that tried
last, not on the tournament.
"""

from typing import cast

from redis import Redis

from service.redis.keys import game_key
from service.tournaments.tournament import RUNNING, Tournament

KEEP_SECONDS = 30
"""Lifetime of the reason; it is longer than the interval at which sweeps ask the next worker."""


def note(redis: Redis, tournament_id: str, reason: str) -> None:
    """Store the reason why no block is played."""
    redis.set(key(tournament_id), reason.encode(), ex=KEEP_SECONDS)


def is_over(redis: Redis, tournament_id: str) -> None:
    """Delete the reason to wait, because workers have resumed the tournament."""
    redis.delete(key(tournament_id))


def reason(redis: Redis, tournament: Tournament) -> str | None:
    """Return the reason why a tournament waits; None if it does not."""
    return shown(tournament.status, cast("bytes | None", redis.get(key(tournament.id))))


def shown(status: str, noted: bytes | None) -> str | None:
    """Return the ``noted`` reason if a tournament with this status can wait; otherwise None."""
    return None if noted is None or status != RUNNING else noted.decode()


def key(tournament_id: str) -> str:
    """Return the key of the reason."""
    return game_key(tournament_id, "waits_for")
