"""The lease by which one process at a time leads, as long as that process renews it."""

import secrets
import time
from importlib import resources
from typing import Any

from redis import Redis

from service.following.consumer import Lead, LostLeadError
from service.redis.keys import meta_key
from service.redis.scripts import Script

LEASE_MS = 3_000
"""Duration of a lease without renewal; after a kill there is no leader for at most this time."""
RENEW_SECONDS = 1.0
_SCRIPT = resources.files("service.following").joinpath("lease.lua").read_text()


def lease_of(consumer: str) -> str:
    """Return the key of a consumer's lease."""
    return meta_key(f"follower:{consumer}")


class Lease:
    """A consumer's lease, which this process tries to take and to keep."""

    def __init__(self, redis: Redis, consumer: str, ms: int | None = None) -> None:
        """Take the lease for ``ms`` each time, by default for LEASE_MS."""
        self._key = lease_of(consumer)
        self._ms = ms
        self._holder = secrets.token_hex(8)
        self._script = Script(redis, _SCRIPT)
        self._lead: Lead | None = None
        self._renew_at = 0.0

    def take(self) -> Lead | None:
        """Take or keep the lead; return None if another process leads."""
        self._renew_at = time.monotonic() + RENEW_SECONDS
        self._lead = self._ask(self._ms or LEASE_MS)
        return self._lead

    def renewed(self) -> Lead:
        """Return the lead, renewed when due.

        Raises:
            LostLeadError: the lease expired, so another process may have led.
        """
        known = self._lead
        if time.monotonic() >= self._renew_at:
            self.take()
        if known is None or self._lead is None or self._lead.token != known.token:
            raise LostLeadError("another process leads, or has led")
        return self._lead

    def give_back(self) -> None:
        """Give the lease up, so that another process can lead at once."""
        self._ask(0)

    def _ask(self, ms: int) -> Lead | None:
        found: Any = self._script([self._key], [self._holder, ms])
        return Lead(*found) if found[0] else None
