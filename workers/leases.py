"""Leases for parts of a tournament, so that no two workers do the same work."""

import os
import secrets
from collections.abc import Collection, Sequence
from contextlib import suppress
from typing import Any

from redis import Redis
from redis.exceptions import RedisError

from service.redis.keys import lease_key
from service.tournaments.tournament import Block, Tournament

LEASE_MS = 10_000


class Leases:
    """The leases of this process. It holds one lease at a time."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._owner = f"{os.getpid()}-{secrets.token_hex(8)}"
        self._held: str | None = None

    def take_one(
        self,
        tournament: Tournament,
        rather: Collection[int] = (),
        without: Collection[int] = (),
    ) -> Block | None:
        """Take the lease of an open block that no other worker plays, and return the block.

        Blocks in ``rather`` are preferred; those in ``without`` are not taken.
        """
        blocks = [block for block in tournament.open_blocks() if block.number not in without]
        for block in (*(block for block in blocks if block.number in rather), *blocks):
            if self.take(tournament.id, str(block.number)):
                return block
        return None

    def take(self, tournament_id: str, what: str) -> bool:
        """Take the lease of ``what``; return whether this process holds it.

        The process may hold the lease already, because it could not give the lease back while the
        store was unavailable.
        """
        key = lease_key(tournament_id, what)
        before: Any = self._redis.set(key, self._owner, nx=True, px=LEASE_MS, get=True)
        if before not in (None, self._owner.encode()):
            return False
        self._held = key
        return True

    def are_held(self, tournament_id: str, blocks: Sequence[Block]) -> bool:
        """Whether any worker plays one of these blocks."""
        keys = [lease_key(tournament_id, str(block.number)) for block in blocks]
        return bool(keys and self._redis.exists(*keys))

    def renew(self) -> None:
        """Hold the lease for LEASE_MS from now on, if this process holds one."""
        if (held := self._held) is not None:
            self._redis.pexpire(held, LEASE_MS)

    def give_back(self) -> None:
        """Give the held lease back, so that another worker can take it.

        Do nothing if this process holds no lease. If the store is unavailable, the lease expires
        after LEASE_MS.
        """
        held, self._held = self._held, None
        if held is None:
            return
        with suppress(RedisError):  # otherwise the lease expires
            if self._redis.get(held) == self._owner.encode():
                self._redis.delete(held)
