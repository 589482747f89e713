"""The format of the games in a store, recorded at its first use.

Additions to a format get a level, such as ``lonja/2.1``. Two releases may use a store of the
previous level side by side, and the newer one then writes nothing that the older one does not know.
When the older release is gone, an operator raises the level; from then on older releases refuse the
store.
"""

from typing import Any

from redis import Redis

from rules.kernel.canonical import FORMAT
from rules.kernel.record.batch import RefusedError
from service.redis.client import UnsuitableServerError
from service.redis.keys import SIGNING_KEY, meta_key


class AnotherFormatError(UnsuitableServerError):
    """The store holds games of a format that this release does not know."""


FORMAT_KEY = meta_key("format")
NEWEST = f"{FORMAT}.1"
"""The newest level: suspended games, games that start without withheld entropy, and terms of
tables.
"""
LEVELS = (FORMAT, NEWEST)

_RESTORING = b"restoring "
"""The mark in place of a format, with the id of a backup, until the backup is restored.

With it no process, not even one of an older release, uses a store that is restored in part.
"""


INDEXED = meta_key("lists")
"""The key that says that the lists of games and tournaments have the indexes of this release.

A new store has it at once.
"""
_INDEXES = "4"


def check_format(redis: Redis) -> None:
    """Check that a store has this format; an empty store gets it.

    Raises:
        AnotherFormatError: the store holds games of another format.
        UnsuitableServerError: the store holds a part of a backup.
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
    """Let a store accept everything that this release writes, and refuse older releases."""
    redis.set(FORMAT_KEY, NEWEST, xx=True)


def is_indexed(redis: Redis) -> bool:
    """Whether the lists of games and tournaments have all indexes that this release uses."""
    return redis.get(INDEXED) == _INDEXES.encode()


def note_indexed(redis: Redis) -> None:
    """Record that the store's lists of games and tournaments have all indexes.

    Call this only when no older release writes the lists any more.
    """
    redis.set(INDEXED, _INDEXES)


def need_newest(redis: Redis) -> None:
    """Raise RefusedError (``upgrade_unfinished``) while an older release may use the store."""
    level = level_of(redis)
    if level != NEWEST:
        raise RefusedError(
            "upgrade_unfinished",
            f"the store takes what {level} has, so that an older release can play on it:"
            " `lonja admin finish-upgrade` when none does any more",
            level=level,
        )


# During a restore


def is_restoring(redis: Redis, backup_id: str) -> bool:
    """Whether a restore of this backup has begun and not ended."""
    return redis.get(FORMAT_KEY) == _RESTORING + backup_id.encode()


def begin_restoring(redis: Redis, backup_id: str) -> None:
    """Close a store to all processes until ``end_restoring``."""
    redis.set(FORMAT_KEY, _RESTORING + backup_id.encode())


def end_restoring(redis: Redis) -> None:
    """Open a restored store; its games have this format, and this release has made its lists."""
    note_indexed(redis)
    redis.set(FORMAT_KEY, NEWEST)
