"""The keys of admins: named, expiring, of each only the hash is stored.

They lie in one hash, by the first half of their own hashes. Nothing is remembered in a process, so
a revoked key opens nothing from that moment on.
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
    """Whose key it is, and until when it opens anything."""

    id: str
    name: str
    created_at: str
    expires_at: str

    def to_json(self) -> JsonObject:
        """Return the form that other admins see."""
        return self._asdict()


class AdminKeys:
    """Makes, finds, lists and revokes keys; ``now_ms`` is the time of the store."""

    def __init__(self, redis: Redis, now_ms: Callable[[], int]) -> None:
        self._redis = redis
        self._now_ms = now_ms

    def make(self, name: str, days: int) -> tuple[AdminKey, str]:
        """Return a new record, and the key, which is told this once."""
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
        """Whether a key was revoked or has expired."""
        return key.expires_at <= from_ms(self._now_ms())

    def all(self) -> list[AdminKey]:
        """Return all that were not revoked, the oldest first."""
        return sorted((key for _field, key in self._stored()), key=lambda key: key.created_at)

    def revoke(self, key_id: str) -> AdminKey | None:
        """Revoke a key, and return it; None if there is none."""
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
