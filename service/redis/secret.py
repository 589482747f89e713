"""The secret of an installation: random bytes, made once, which its store and its back-ups hold.

What is derived from it, nobody can tell who knows all that is public. It also tells a store from
another that took its place: one that was emptied has none, and gets another.
"""

from secrets import token_bytes
from typing import Any

from redis import Redis

from service.redis.keys import meta_key

SECRET = meta_key("secret")
_BYTES = 32


def secret_of(redis: Redis) -> bytes:
    """Return the secret of a store; the first process to ask makes it."""
    found: Any = redis.get(SECRET)  # reads go on where nothing can be written
    if found is None:
        redis.set(SECRET, token_bytes(_BYTES), nx=True)
        found = redis.get(SECRET)
    assert isinstance(found, bytes)  # noqa: S101 - set just above
    return found
