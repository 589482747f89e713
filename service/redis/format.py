"""The format of the games in a store, noted when the store is first used.

What is added to a format gets a level, such as ``lonja/2.1``. A store of the level before is played
on as it is, by two releases side by side if need be, and nothing is written into it that the older
one does not know. When that one is gone, an operator raises the level, and it is refused from then.
"""

from typing import Any

from redis import Redis

from rules.kernel.canonical import FORMAT
from service.redis.client import UnsuitableServerError
from service.redis.keys import SIGNING_KEY, meta_key


class AnotherFormatError(UnsuitableServerError):
    """A store holds games that this release does not know."""


FORMAT_KEY = meta_key("format")
NEWEST = f"{FORMAT}.1"
"""With games that an operator has suspended."""
LEVELS = (FORMAT, NEWEST)


def check_format(redis: Redis) -> None:
    """Check that a store holds games of this format, or none yet: then it will.

    Raises:
        AnotherFormatError: it holds games of another format.

    """
    noted: Any
    noted, used = redis.mget(FORMAT_KEY, SIGNING_KEY)
    if noted is None and used is None:
        redis.set(FORMAT_KEY, NEWEST, nx=True)
        noted = redis.get(FORMAT_KEY)
    if noted is None:
        raise AnotherFormatError(
            "This Redis holds games of the format lonja/1, which ended before the first release:"
            " set LONJA_DATA_DIR or REDIS_URL to another place, or empty this one."
        )
    if noted.decode(errors="replace") not in LEVELS:
        raise AnotherFormatError(
            f"This Redis holds games of the format {noted.decode(errors='replace')}, and this"
            f" Lonja plays {NEWEST}: install the Lonja that made them, which is a newer one."
        )


def level_of(redis: Redis) -> str:
    """Return the level of a store that was checked."""
    noted: Any = redis.get(FORMAT_KEY)
    return FORMAT if noted is None else noted.decode()


def raise_level(redis: Redis) -> None:
    """Have a store take all that this release writes, and no release that does not know it."""
    redis.set(FORMAT_KEY, NEWEST, xx=True)
