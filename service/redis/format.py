"""The format of the games in a store, noted when the store is first used."""

from typing import Any

from redis import Redis

from rules.kernel.canonical import FORMAT
from service.redis.client import UnsuitableServerError
from service.redis.keys import SIGNING_KEY, meta_key

FORMAT_KEY = meta_key("format")

_RESTORING = b"restoring "
"""What is noted in the place of a format, with the id of a backup, until all of it is restored.

So no process, not even of a version that knows nothing of this, takes a part for the whole.
"""


def check_format(redis: Redis) -> None:
    """Check that a store holds games of this format, or none yet: then it will.

    Raises:
        UnsuitableServerError: it holds games of another format, or a part of a backup.

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
    if noted.startswith(_RESTORING):
        raise UnsuitableServerError(
            "A backup is being restored into this Redis, or that was broken off: wait for its end,"
            " or repeat `lonja restore` with the same file."
        )
    if noted != FORMAT.encode():
        raise UnsuitableServerError(
            f"This Redis holds games of the format {noted.decode(errors='replace')}, and this"
            f" Lonja plays {FORMAT}: install the Lonja that made them, which is a newer one."
        )


# While a backup is restored


def is_restoring(redis: Redis, backup_id: str) -> bool:
    """Whether a restore of this backup has begun and not ended."""
    return redis.get(FORMAT_KEY) == _RESTORING + backup_id.encode()


def begin_restoring(redis: Redis, backup_id: str) -> None:
    """Close a store to all processes until ``end_restoring``."""
    redis.set(FORMAT_KEY, _RESTORING + backup_id.encode())


def end_restoring(redis: Redis) -> None:
    """Open a store: it holds games of this format."""
    redis.set(FORMAT_KEY, FORMAT)
