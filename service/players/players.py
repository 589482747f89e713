"""Players: an id and a name. Keys and tickets authenticate them."""

from typing import Any, NamedTuple

import orjson
from redis import Redis

from rules.kernel.canonical import JsonObject
from service import clock, ids
from service.ledger.idempotency import Command, IdempotencyNotes
from service.ledger.kinds import BOT, PERSON, kind_key, kind_of
from service.ledger.store import Retry
from service.players import invalidation
from service.players.cache import Cache
from service.players.credentials import Credential
from service.players.keys import FIRST, FULL, KEY_PREFIX, PlayerKey, PlayerKeys, put_first
from service.redis.keys import meta_key

NAME_ERASED = ""
"""The name of a player who has left, or whose name an admin has erased."""
TICKET_SECONDS = 60
TICKET_PREFIX = "lt_"


class Player(NamedTuple):
    """An identity of a person or of a program (``kind``)."""

    id: str
    name: str
    created_at: str
    kind: str = PERSON

    def to_json(self) -> JsonObject:
        """Return the public form of a player."""
        return self._asdict()


class Ticket(NamedTuple):
    """A ticket for one stream: its ``secret`` is shown once, its ``id`` identifies it."""

    id: str
    secret: str


class Players:
    """Creates players, finds them by id, and renames them."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._once = IdempotencyNotes(redis)
        self._by_id: Cache[Player] = Cache()

    def create(
        self, name: str, retry: Retry | None = None, kind: str = PERSON
    ) -> tuple[Player, str]:
        """Create a player; return it and its key's text.

        Raises the errors of ``IdempotencyNotes.do``.
        """
        player = Player(ids.new_player_id(), name, clock.now(), kind)
        secret = Credential.new(KEY_PREFIX)
        key = PlayerKey(
            ids.new_key_id(), player.id, FIRST, FULL, player.created_at, None, secret.selector
        )
        commands = [_put(player), *put_first(key, secret.hash)]
        if kind == BOT:
            commands.append(_put_bot(player.id))
        self._once.do(retry, player.id, commands)
        return player, secret.text

    def by_id(self, player_id: str) -> Player | None:
        """Return a player, None if there is none."""
        return self._by_id.get(player_id) or self.by_ids([player_id]).get(player_id)

    def by_ids(self, player_ids: list[str]) -> dict[str, Player]:
        """Return the existing players with these ids, in one round trip at most."""
        found = {i: player for i in player_ids if (player := self._by_id.get(i)) is not None}
        missing = [i for i in dict.fromkeys(player_ids) if i not in found]
        if missing:
            turn = self._by_id.turn
            answers: Any = self._redis.mget([*map(_key, missing), *map(kind_key, missing)])
            records, marks = answers[: len(missing)], answers[len(missing) :]
            for player_id, record, mark in zip(missing, records, marks, strict=True):
                if record is not None:
                    found[player_id] = Player(**orjson.loads(record), kind=kind_of(mark))
                    self._by_id.put(player_id, found[player_id], turn)
        return found

    def forget(self, ids: set[str]) -> None:
        """Remove these players from the cache."""
        self._by_id.forget(ids)

    def forget_all(self) -> None:
        """Empty the cache."""
        self._by_id.clear()

    def renaming(
        self, player: Player, name: str, keys: PlayerKeys, asking: PlayerKey | None = None
    ) -> list[Command]:
        """Return the commands that rename a player.

        If ``name`` is ``NAME_ERASED``, they remove the player's name. The name is stored with the
        player's id and nowhere else. ``asking`` is passed to ``PlayerKeys.settle``.
        """
        return [
            *keys.settle(player.id, asking),
            *self.named(player, name, keys.now_ms()),
        ]

    def named(self, player: Player, name: str, now_ms: int) -> list[Command]:
        """Return the commands of ``renaming`` for a player without a key of an early release."""
        return [_put(player._replace(name=name)), *invalidation.note([player.id], now_ms)]

    def new_bot(self, player: Player) -> list[Command]:
        """Return the commands that store a new program."""
        return [_put(player), _put_bot(player.id)]

    def mark(self, player_id: str) -> bytes:
        """Return the stored value for a player's kind (``service.ledger.kinds``).

        The value is empty if the store has none.
        """
        noted: Any = self._redis.get(kind_key(player_id))
        return noted or b""

    def becoming_bot(self, player_id: str, now_ms: int) -> list[Command]:
        """Return the commands that turn a player into a program, for good."""
        return [_put_bot(player_id), *invalidation.note([player_id], now_ms)]


class Tickets:
    """Tickets, for clients that cannot send headers.

    A client may use a ticket instead of a key, once and within a minute. A ticket stores its key's
    selector, so it is valid only while its key is valid. It may also store the language of the
    stream, because its user cannot send a header for that.
    """

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._once = IdempotencyNotes(redis)

    def issue(
        self, key: PlayerKey, retry: Retry | None = None, language: str | None = None
    ) -> Ticket:
        """Return a ticket for a key and a language.

        Raises the errors of ``IdempotencyNotes.do``.
        """
        secret = Credential.new(TICKET_PREFIX, 24)
        ticket = Ticket(ids.new_ticket_id(), secret.text)
        name = _ticket_key(secret.text)
        stands_for = key.selector if language is None else f"{key.selector} {language}"
        self._once.do(retry, ticket.id, [("SET", name, stands_for, "EX", TICKET_SECONDS)])
        return ticket

    def find(self, ticket: str) -> tuple[str | None, str | None]:
        """Return the selector of the key that a ticket stands for, and the language in the ticket.

        The selector is None if the ticket is unknown, used or too old.
        """
        found: Any = self._redis.get(_ticket_key(ticket))
        selector, _, language = ("" if found is None else found.decode()).partition(" ")
        return selector or None, language or None

    def redeem(self, ticket: str) -> bool:
        """Use up a ticket; return whether it was valid."""
        return bool(self._redis.delete(_ticket_key(ticket)))


def _put(player: Player) -> Command:
    """Return the command that stores a player's id, name and time of creation.

    The player's kind is stored under another Redis key.
    """
    record = {"id": player.id, "name": player.name, "created_at": player.created_at}
    return ("SET", _key(player.id), orjson.dumps(record))


def _put_bot(player_id: str) -> Command:
    return ("SET", kind_key(player_id), BOT)


def _key(player_id: str) -> str:
    return meta_key(f"player:{player_id}")


def _ticket_key(ticket: str) -> str:
    return meta_key(f"stream_ticket:{Credential.of(ticket).hash}")
