"""Keys of admins. Each has a name and an expiry.

The store has only a digest of a key's text. One Redis hash (the data type) holds all keys. In it, a
key's field is named after the first half of the key's digest. Processes do not cache the keys of
admins, so a revoked key stops working at once.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import orjson
from redis import Redis

from rules.kernel.canonical import JsonObject
from rules.kernel.record.instants import from_ms
from service import ids
from service.players.credentials import Credential
from service.redis.keys import meta_key

KEY_PREFIX = "la_"
ADMIN_KEYS = meta_key("admin_keys")
DAY_MS = 24 * 3600 * 1000


class AdminKey(NamedTuple):
    """The record of an admin's key: its owner's name and its expiry."""

    id: str
    name: str
    created_at: str
    expires_at: str

    def to_json(self) -> JsonObject:
        """The JSON form that other admins see."""
        return self._asdict()


class AdminKeys:
    """Creates, finds, lists and revokes admins' keys. ``now_ms`` is the store's clock."""

    def __init__(self, redis: Redis, now_ms: Callable[[], int]) -> None:
        self._redis = redis
        self._now_ms = now_ms

    def make(self, name: str, days: int) -> tuple[AdminKey, str]:
        """Create a key. Return its record, and the key itself, which is shown only now."""
        now = self._now_ms()
        made = AdminKey(ids.new_admin_key_id(), name, from_ms(now), from_ms(now + days * DAY_MS))
        secret = Credential.new(KEY_PREFIX)
        record = orjson.dumps({"hash": secret.hash, **made.to_json()})
        self._redis.hset(ADMIN_KEYS, secret.selector, record)
        return made, secret.text

    def by_key(self, key: str) -> AdminKey | None:
        """Return the admin's key, None if it is unknown or has expired."""
        sent = Credential.of(key)
        found: Any = self._redis.hget(ADMIN_KEYS, sent.selector)
        if found is None:
            return None
        record = orjson.loads(found)
        same = sent.has_hash(record.pop("hash"))
        known = AdminKey(**record)
        return known if same and not self.is_over(known) else None

    def is_over(self, key: AdminKey) -> bool:
        """Whether a key has been revoked or has expired."""
        return key.expires_at <= from_ms(self._now_ms())

    def all(self) -> list[AdminKey]:
        """Return all keys that have not been revoked, oldest first."""
        return sorted((key for _field, key in self._stored()), key=lambda key: key.created_at)

    def revoke(self, key_id: str) -> AdminKey | None:
        """Revoke a key. Return its record, or None if there is no such key."""
        for field, key in self._stored():
            if key.id == key_id:
                self._redis.hdel(ADMIN_KEYS, field)
                return key
        return None

    def _stored(self) -> list[tuple[bytes, AdminKey]]:
        stored: Any = self._redis.hgetall(ADMIN_KEYS)
        found = []
        for field, raw in stored.items():
            record = orjson.loads(raw)
            del record["hash"]
            found.append((field, AdminKey(**record)))
        return found
