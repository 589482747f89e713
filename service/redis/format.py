"""The format of the games in a store, noted when the store is first used.

What is added to a format gets a level, such as ``lonja/2.1``. A store of the level before is played
on as it is, by two releases side by side if need be, and nothing is written into it that the older
one does not know. When that one is gone, an operator raises the level, and it is refused from then.
"""

from typing import Any

from redis import Redis

from rules.kernel.canonical import FORMAT
from rules.kernel.record.batch import Refused
from service.redis.client import UnsuitableServerError
from service.redis.keys import SIGNING_KEY, meta_key


class AnotherFormatError(UnsuitableServerError):
    """A store holds games that this release does not know."""


FORMAT_KEY = meta_key("format")
NEWEST = f"{FORMAT}.1"
"""With games that an operator has suspended, or that start without withheld entropy, and tables
that have terms of their own."""
LEVELS = (FORMAT, NEWEST)

_RESTORING = b"restoring "
"""What is noted in the place of a format, with the id of a backup, until all of it is restored.

So no process, not even of a version that knows nothing of this, takes a part for the whole.
"""


INDEXED = meta_key("lists")
"""Holds which indexes the lists have that this release asks: a new store has them at once."""
_INDEXES = "3"


def check_format(redis: Redis) -> None:
    """Check that a store holds games of this format, or none yet: then it will.

    Raises:
        AnotherFormatError: it holds games of another format.
        UnsuitableServerError: it holds a part of a backup.

    """
    noted: Any
    noted, used = redis.mget(FORMAT_KEY, SIGNING_KEY)
    if noted is None and used is None:
        if redis.set(FORMAT_KEY, NEWEST, nx=True):
            note_indexed(redis)
        noted = redis.get(FORMAT_KEY)
    if noted is None:
        raise AnotherFormatError(
            "This Redis holds games of the format lonja/1, which ended before the first release:"
            " set LONJA_DATA_DIR or REDIS_URL to another place, or empty this one."
        )
    if noted.startswith(_RESTORING):
        raise UnsuitableServerError(
            "A backup is being restored into this Redis, or that was broken off: wait for its end,"
            " or repeat `lonja restore` with the same file."
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


def is_indexed(redis: Redis) -> bool:
    """Whether the lists know all that this release asks them."""
    return redis.get(INDEXED) == _INDEXES.encode()


def note_indexed(redis: Redis) -> None:
    """Note that they do, as no older release writes them any more."""
    redis.set(INDEXED, _INDEXES)


def need_newest(redis: Redis) -> None:
    """Raise Refused (``upgrade_unfinished``) as long as an older release may play on the store."""
    level = level_of(redis)
    if level != NEWEST:
        raise Refused(
            "upgrade_unfinished",
            f"the store takes what {level} has, so that an older release can play on it:"
            " `lonja admin finish-upgrade` when none does any more",
            level=level,
        )


# While a backup is restored


def is_restoring(redis: Redis, backup_id: str) -> bool:
    """Whether a restore of this backup has begun and not ended."""
    return redis.get(FORMAT_KEY) == _RESTORING + backup_id.encode()


def begin_restoring(redis: Redis, backup_id: str) -> None:
    """Close a store to all processes until ``end_restoring``."""
    redis.set(FORMAT_KEY, _RESTORING + backup_id.encode())


def end_restoring(redis: Redis) -> None:
    """Open a store: it holds games of this format, and its lists were made by this release."""
    note_indexed(redis)
    redis.set(FORMAT_KEY, NEWEST)
