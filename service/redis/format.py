"""The format of the games in a store, noted when the store is first used."""

from typing import Any

from redis import Redis

from rules.kernel.canonical import FORMAT
from service.redis.client import UnsuitableServerError
from service.redis.keys import SIGNING_KEY, meta_key

FORMAT_KEY = meta_key("format")


def check_format(redis: Redis) -> None:
    """Check that a store holds games of this format, or none yet: then it will.

    Raises:
        UnsuitableServerError: it holds games of another format.

    """
    noted: Any
    noted, used = redis.mget(FORMAT_KEY, SIGNING_KEY)
    if noted is None and used is None:
        redis.set(FORMAT_KEY, FORMAT, nx=True)
        noted = redis.get(FORMAT_KEY)
    if noted is None:
        raise UnsuitableServerError(
            "This Redis holds games of the format lonja/1, which ended before the first release:"
            " set LONJA_DATA_DIR or REDIS_URL to another place, or empty this one."
        )
    if noted != FORMAT.encode():
        raise UnsuitableServerError(
            f"This Redis holds games of the format {noted.decode(errors='replace')}, and this"
            f" Lonja plays {FORMAT}: install the Lonja that made them, which is a newer one."
        )
