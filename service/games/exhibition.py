"""The exhibition: a game between bots that a newcomer can watch. Workers keep it going."""

from typing import Any

from redis import Redis

from service.redis.keys import meta_key

OPENER = "p-lonjaexhibitions"
"""The opener of exhibition games: an id that no player can have."""

GAME_KEY = meta_key("exhibition:game")
NUMBER_KEY = meta_key("exhibition:number")
SERIES_KEY = meta_key("exhibition:series")


def current(redis: Redis) -> str | None:
    """Return the id of the exhibition game; None before the first."""
    found: Any = redis.get(GAME_KEY)
    return None if found is None else found.decode()
