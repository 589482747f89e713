"""The secret of an installation: random bytes, created once, in its store and its backups.

Values derived from it cannot be computed from public data. It also identifies the store: an emptied
store has no secret, and gets a new one.
"""

from secrets import token_bytes
from typing import Any

from redis import Redis

from service.redis.keys import meta_key

SECRET = meta_key("secret")
_BYTES = 32


def secret_of(redis: Redis) -> bytes:
    """Return the secret of a store. The first process creates it."""
    # Checked first, because reads must go on while the store takes no writes.
    found: Any = redis.get(SECRET)
    if found is None:
        redis.set(SECRET, token_bytes(_BYTES), nx=True)
        found = redis.get(SECRET)
    assert isinstance(found, bytes)  # noqa: S101 - set just above
    return found
