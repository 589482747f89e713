"""Players: an id, a name, and a random key of which only the hash is stored."""

import hmac
import secrets
import time
from collections.abc import Iterator
from threading import Lock
from typing import Any, NamedTuple

import orjson
from redis import Redis

from rules.kernel.canonical import JsonObject, digest
from service import clock, ids
from service.ledger.once import Command, Once
from service.ledger.store import Retry
from service.redis.keys import meta_key

KEY_PREFIX = "lk_"
CACHE_SECONDS = 60.0
CACHE_SIZE = 10_000
TICKET_SECONDS = 60
_SELECTOR = 32
"""How many hex digits of a key's hash name its record; the rest is compared in constant time."""


class Player(NamedTuple):
    """An identity; a program may be a player like any other."""

    id: str
    name: str
    created_at: str

    def to_json(self) -> JsonObject:
        """Return what everybody may know of a player."""
        return self._asdict()


class Ticket(NamedTuple):
    """What opens one stream: its ``secret`` is told once, its ``id`` names it."""

    id: str
    secret: str


class Players:
    """Makes players and finds them again by key, by id, or by a stream ticket."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._once = Once(redis)
        self._by_key = _Cache()
        self._by_id = _Cache()

    def create(self, name: str, retry: Retry | None = None) -> tuple[Player, str]:
        """Return a new player and the key, which is told this once; raises as ``Once.do``."""
        player = Player(ids.new_player_id(), name, clock.now())
        key = KEY_PREFIX + secrets.token_urlsafe(32)
        hashed = digest(key.encode()).hex()
        record = orjson.dumps(player.to_json())
        selected = meta_key(f"key:{hashed[:_SELECTOR]}")
        self._once.do(
            retry,
            player.id,
            [
                ("SET", meta_key(f"player:{player.id}"), record),
                ("HSET", selected, "hash", hashed, "player", record),
            ],
        )
        return player, key

    def by_key(self, key: str) -> Player | None:
        """Return whose key this is; remembered in this process for a minute."""
        hashed = digest(key.encode()).hex()
        player = self._by_key.get(hashed)
        if player is None and key.startswith(KEY_PREFIX):
            found: Any = self._redis.hmget(meta_key(f"key:{hashed[:_SELECTOR]}"), "hash", "player")
            stored, record = found
            if stored is not None and hmac.compare_digest(stored, hashed.encode()):
                player = Player(**orjson.loads(record))
                self._by_key.put(hashed, player)
        return player

    def by_id(self, player_id: str) -> Player | None:
        """Return a player, None if there is none."""
        return self.by_ids([player_id]).get(player_id)

    def by_ids(self, player_ids: list[str]) -> dict[str, Player]:
        """Return those of the players that exist, in one round trip at most."""
        found = {i: player for i in player_ids if (player := self._by_id.get(i)) is not None}
        missing = [i for i in dict.fromkeys(player_ids) if i not in found]
        if missing:
            records: Any = self._redis.mget([meta_key(f"player:{i}") for i in missing])
            for player_id, record in zip(missing, records, strict=True):
                if record is not None:
                    found[player_id] = Player(**orjson.loads(record))
                    self._by_id.put(player_id, found[player_id])
        return found

    def renamed(self, player: Player) -> list[Command]:
        """Return the commands that put a player in the place of what is stored of him.

        Processes remember a name for another minute. This goes through all keys of the
        store, which takes a few seconds for each million.
        """
        record = orjson.dumps(player.to_json())
        return [
            ("SET", meta_key(f"player:{player.id}"), record),
            *(("HSET", key, "player", record) for key in self._keys_of(player.id)),
        ]

    def _keys_of(self, player_id: str) -> Iterator[str]:
        for key in self._redis.scan_iter(match=meta_key("key:*"), count=1000):
            stored: Any = self._redis.hget(key, "player")
            if stored is not None and orjson.loads(stored)["id"] == player_id:
                yield key.decode()

    def issue_ticket(self, player: Player, retry: Retry | None = None) -> Ticket:
        """Return a ticket that stands for the player's key, once, for a minute.

        Raises as ``Once.do``.
        """
        ticket = Ticket(ids.new_ticket_id(), "lt_" + secrets.token_urlsafe(24))
        record = orjson.dumps(player.to_json())
        name = _ticket_key(ticket.secret)
        self._once.do(retry, ticket.id, [("SET", name, record, "EX", TICKET_SECONDS)])
        return ticket

    def by_ticket(self, ticket: str) -> Player | None:
        """Return for whom a ticket stands; None if it is unknown, used or too old."""
        record: Any = self._redis.get(_ticket_key(ticket))
        return None if record is None else Player(**orjson.loads(record))

    def redeem_ticket(self, ticket: str) -> bool:
        """Use a ticket up; return whether it was good."""
        return bool(self._redis.delete(_ticket_key(ticket)))


def _ticket_key(ticket: str) -> str:
    return meta_key(f"ticket:{digest(ticket.encode()).hex()}")


class _Cache:
    """Remembers players for a minute: nothing about them changes, but keys may be revoked."""

    def __init__(self) -> None:
        self._found: dict[str, tuple[float, Player]] = {}
        self._lock = Lock()

    def get(self, name: str) -> Player | None:
        found = self._found.get(name)
        return found[1] if found is not None and found[0] > time.monotonic() else None

    def put(self, name: str, player: Player) -> None:
        with self._lock:
            if len(self._found) >= CACHE_SIZE:
                self._found.clear()
            self._found[name] = (time.monotonic() + CACHE_SECONDS, player)
