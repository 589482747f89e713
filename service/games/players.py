"""Players: an id and a name. What they may do they show with their keys, or with a ticket."""

from typing import Any, NamedTuple

import orjson
from redis import Redis

from rules.kernel.canonical import JsonObject
from service import clock, ids
from service.credentials import Credential
from service.games import invalidation
from service.games.cache import Cache
from service.games.keys import FIRST, FULL, KEY_PREFIX, PlayerKey, PlayerKeys, put_first
from service.ledger.once import Command, Once
from service.ledger.store import Retry
from service.redis.keys import meta_key

NAME_ERASED = ""
"""The name of a player who has left, or whose name an admin has erased."""
TICKET_SECONDS = 60


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
    """Makes players, finds them again by id, and renames them."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._once = Once(redis)
        self._by_id: Cache[Player] = Cache()

    def create(self, name: str, retry: Retry | None = None) -> tuple[Player, str]:
        """Return a new player and the key, which is told this once; raises as ``Once.do``."""
        player = Player(ids.new_player_id(), name, clock.now())
        secret = Credential.new(KEY_PREFIX)
        key = PlayerKey(
            ids.new_key_id(), player.id, FIRST, FULL, player.created_at, None, secret.selector
        )
        self._once.do(retry, player.id, [_put(player), *put_first(key, secret.hash)])
        return player, secret.text

    def by_id(self, player_id: str) -> Player | None:
        """Return a player, None if there is none."""
        return self._by_id.get(player_id) or self.by_ids([player_id]).get(player_id)

    def by_ids(self, player_ids: list[str]) -> dict[str, Player]:
        """Return those of the players that exist, in one round trip at most."""
        found = {i: player for i in player_ids if (player := self._by_id.get(i)) is not None}
        missing = [i for i in dict.fromkeys(player_ids) if i not in found]
        if missing:
            turn = self._by_id.turn
            records: Any = self._redis.mget([_key(i) for i in missing])
            for player_id, record in zip(missing, records, strict=True):
                if record is not None:
                    found[player_id] = Player(**orjson.loads(record))
                    self._by_id.put(player_id, found[player_id], turn)
        return found

    def forget(self, ids: set[str]) -> None:
        """Read these players again when they are asked for."""
        self._by_id.forget(ids)

    def forget_all(self) -> None:
        """Read every player again."""
        self._by_id.clear()

    def rename(
        self, player: Player, name: str, keys: PlayerKeys, asking: PlayerKey, retry: Retry | None
    ) -> Player:
        """Return the player with another name; raises as ``Once.do``."""
        self._once.expect_new(retry)
        self._once.do(retry, player.id, self.renaming(player, name, keys, asking))
        return player._replace(name=name)

    def renaming(
        self, player: Player, name: str, keys: PlayerKeys, asking: PlayerKey | None = None
    ) -> list[Command]:
        """Return the commands that give a player another name, or none: ``NAME_ERASED``.

        It is with the player's id and nowhere else; ``asking`` is as in ``PlayerKeys.settle``.
        """
        return [
            *keys.settle(player.id, asking),
            _put(player._replace(name=name)),
            *invalidation.note([player.id], keys.now_ms()),
        ]


class Tickets:
    """Stand for a key, once, for a minute, where no header can be sent.

    What is stored is where the key lies: a ticket is good as long as its key is.
    """

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._once = Once(redis)

    def issue(self, key: PlayerKey, retry: Retry | None = None) -> Ticket:
        """Return a ticket for a key; raises as ``Once.do``."""
        secret = Credential.new("lt_", 24)
        ticket = Ticket(ids.new_ticket_id(), secret.text)
        name = _ticket_key(secret.text)
        self._once.do(retry, ticket.id, [("SET", name, key.selector, "EX", TICKET_SECONDS)])
        return ticket

    def find(self, ticket: str) -> str | None:
        """Return where the key lies for which a ticket stands.

        None if the ticket is unknown, used or too old.
        """
        selector: Any = self._redis.get(_ticket_key(ticket))
        return None if selector is None else selector.decode()

    def redeem(self, ticket: str) -> bool:
        """Use a ticket up; return whether it was good."""
        return bool(self._redis.delete(_ticket_key(ticket)))


def _put(player: Player) -> Command:
    return ("SET", _key(player.id), orjson.dumps(player.to_json()))


def _key(player_id: str) -> str:
    return meta_key(f"player:{player_id}")


def _ticket_key(ticket: str) -> str:
    return meta_key(f"stream_ticket:{Credential.of(ticket).hash}")
