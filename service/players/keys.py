"""Keys of players. Each key has a name, a scope and perhaps an expiry.

Of a key's text only a digest is stored. A key's record is stored under a selector: the first half
of the digest. Each player has a list of keys: a Redis hash (the data type) from the id of each key
to its selector. Early releases gave each player a single key. Such a key is in no list, and its
record has the player's name; ``settle`` converts it at the next change.
"""

from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from typing import Any, NamedTuple

import orjson
from redis import Redis
from redis.exceptions import RedisError

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.seats import Seat
from rules.kernel.record.instants import from_ms, to_ms
from service import ids
from service.ledger.idempotency import Command, Fact, IdempotencyNotes, judged_anew
from service.ledger.store import Retry
from service.players import invalidation
from service.players.cache import Cache
from service.players.credentials import Credential
from service.problems import Problem
from service.redis.keys import meta_key
from service.redis.scripts import Script

KEY_PREFIX = "lk_"
READ, PLAY, HOST, FULL = SCOPES = ("read", "play", "host", "full")
"""The scopes of keys; each scope includes those before it."""
SEAT = "seat"
"""The scope of seat keys.

It is not in ``SCOPES``, because it includes none of them, and none includes it.
"""
BOT_KEY = "bot"
"""The scope of the keys of bot accounts; as ``SEAT``, it is not in ``SCOPES``."""
FIRST = "first"
"""The name of a new player's first key."""
MAX_KEYS = 20
MAX_KEYS_OF_A_SEAT, MAX_SEAT_KEYS = 8, 100
"""Maximum number of a player's seat keys: for one seat, and for all seats."""
DAY_MS = 24 * 3600 * 1000
_FIELDS = ["key", "used", "hash", "player"]
"""The fields of a key's record; releases up to 0.2.0 wrote only the last two."""
_TOUCH = (
    'if redis.call("EXISTS", KEYS[1]) == 1 then redis.call("HSET", KEYS[1], "used", ARGV[1]) end'
)


class PlayerKey(NamedTuple):
    """A key's player, scope and expiry; ``selector`` is the name of its record.

    Only keys of the scope ``SEAT`` have a ``game`` and a ``seat``. Only keys of the scope
    ``BOT_KEY`` have an ``owner``: the id of the player who owns the bot.
    """

    id: str
    player: str
    name: str
    scope: str
    created_at: str
    expires_at: str | None
    selector: str
    game: str | None = None
    seat: Seat | None = None
    owner: str | None = None

    def allows(self, scope: str) -> bool:
        """Whether the key may be used where ``scope``, one of ``SCOPES``, is required."""
        return self.scope in SCOPES and SCOPES.index(scope) <= SCOPES.index(self.scope)

    def to_json(self) -> JsonObject:
        """Return the form that the player sees."""
        told = self._asdict()
        game, seat = told.pop("game"), told.pop("seat")
        del told["player"], told["selector"], told["owner"]
        return told if seat is None else {**told, "game_id": game, "seat": seat}


class KeyDraft(NamedTuple):
    """The properties of a new key: its name and scope, its lifetime, and perhaps a seat.

    The lifetime is in days; it is None if the key is valid without limit.
    """

    name: str
    scope: str
    days: int | None
    game: str | None = None
    seat: Seat | None = None


class KeyUse(NamedTuple):
    """A key, and the day of its last use; the day is None before the first use.

    The recorded day may be the day before the last use.
    """

    key: PlayerKey
    used_on: str | None

    def to_json(self) -> JsonObject:
        """Return the form that the player sees, with the day of the last use."""
        return {**self.key.to_json(), "last_used_on": self.used_on}


class PlayerKeys:
    """Finds, creates, rotates and revokes keys; ``now_ms`` is the store's clock.

    ``asking`` is always the key that the player sent with the current request. Concurrent changes
    are serialised. Each change raises the errors of ``IdempotencyNotes.do``, and Problem.
    """

    def __init__(self, redis: Redis, now_ms: Callable[[], int]) -> None:
        self._redis = redis
        self.now_ms = now_ms
        self._once = IdempotencyNotes(redis)
        self._touch = Script(redis, _TOUCH)
        self._known: Cache[PlayerKey] = Cache()

    @property
    def turn(self) -> int:
        """The number of invalidations so far; while it is unchanged, a found key is valid."""
        return self._known.turn

    # Finding

    def find(self, text: str) -> PlayerKey | None:
        """Return the key with this text, even if it has expired; None if there is none."""
        if not text.startswith(KEY_PREFIX):
            return None
        sent = Credential.of(text)
        key = self._known.get(sent.hash)
        if key is None:
            turn = self._known.turn
            record = self._record(sent.selector)
            if record is not None and sent.has_hash(record.hash):
                key = record.key
                self._known.put(sent.hash, key, turn)
                self._note_use(record)
        return key

    def at(self, selector: str) -> PlayerKey | None:
        """Return the key with this selector; None if it is revoked or has expired."""
        record = self._record(selector)
        return None if record is None or self.is_over(record.key) else record.key

    def is_over(self, key: PlayerKey) -> bool:
        """Whether a key is revoked or has expired."""
        return key.expires_at is not None and key.expires_at <= from_ms(self.now_ms())

    def forget(self, ids: set[str]) -> None:
        """Remove these keys from the cache."""
        self._known.forget(ids)

    def forget_all(self) -> None:
        """Empty the cache."""
        self._known.clear()

    def all(self, asking: PlayerKey) -> list[KeyUse]:
        """Return the player's keys that have not been revoked, oldest first."""
        return sorted((each.listed for each in self._all(asking)), key=_age)

    def _all(self, asking: PlayerKey) -> list["_Record"]:
        return self._listed(asking.player) or self._read_all([asking.selector])

    def _listed(self, player_id: str) -> list["_Record"]:
        found: Any = self._redis.hvals(_keys_of(player_id))
        return self._read_all([selector.decode() for selector in found])

    def _read_all(self, selectors: list[str]) -> list["_Record"]:
        pipe = self._redis.pipeline(transaction=False)
        for selector in selectors:
            pipe.hmget(record_key(selector), _FIELDS)
        records = map(_read, selectors, pipe.execute())
        return [record for record in records if record is not None]

    def _record(self, selector: str) -> "_Record | None":
        """Return the record of a key; None if there is none, or if the key was revoked.

        A key was revoked if it is not in its player's list, unless it is from an early release. A
        restored backup can still hold the record of a revoked key, if the key was revoked while the
        backup was made.
        """
        found = _read(selector, self._redis.hmget(record_key(selector), _FIELDS))
        if found is None or found.is_unlisted:
            return found
        listed: Any = self._redis.hget(_keys_of(found.key.player), found.key.id)
        return found if listed == selector.encode() else None

    def _note_use(self, record: "_Record") -> None:
        today = from_ms(self.now_ms())[:10]
        if record.listed.used_on != today:
            with suppress(RedisError):  # a store that takes no writes still answers reads
                self._touch([record_key(record.key.selector)], [today])

    # Changes

    def make(
        self,
        asking: PlayerKey,
        draft: KeyDraft,
        retry: Retry | None,
        spent: Callable[[list[PlayerKey]], Collection[PlayerKey]] = lambda _own: (),
    ) -> tuple[PlayerKey, str]:
        """Return a new key of the player, and its text, which is not shown again.

        ``spent`` is a function that gets the player's keys, and returns the keys that are to be
        revoked in the same step. Raises Problem: ``too_many_keys``.
        """

        def act() -> tuple[PlayerKey, str]:
            given = [self.is_good(asking), self.known(asking.player)]
            own = [record.key for record in self._all(asking)]
            gone = spent(own)
            _need_room(draft, [key for key in own if key not in gone])
            secret, now = Credential.new(KEY_PREFIX), self.now_ms()
            ends = None if draft.days is None else from_ms(now + draft.days * DAY_MS)
            made = PlayerKey(
                ids.new_key_id(), asking.player, draft.name, draft.scope, from_ms(now), ends,
                secret.selector, draft.game, draft.seat,
            )  # fmt: skip
            revoked = [command for key in gone for command in self._revoked(key)]
            commands = [*self.settle(asking.player, asking), *revoked, *put(made, secret.hash)]
            self._once.do(retry, made.id, commands, given)
            return made, secret.text

        self._once.expect_new(retry)
        return judged_anew(act)

    def rotate(self, asking: PlayerKey, key_id: str, retry: Retry | None) -> tuple[PlayerKey, str]:
        """Return the same key with another text and a new lifetime; the old text stops working.

        Raises Problem: ``no_such_key``, ``last_full_key``.
        """

        def act() -> tuple[PlayerKey, str]:
            given = [self.is_good(asking), self.known(asking.player)]
            old = self._one_of(asking, key_id)
            secret, now = Credential.new(KEY_PREFIX), self.now_ms()
            ends = old.expires_at
            if ends is not None:
                ends = from_ms(now + to_ms(ends) - to_ms(old.created_at))
            made = old._replace(created_at=from_ms(now), expires_at=ends, selector=secret.selector)
            commands = [*self._unstored(old), *put(made, secret.hash)]
            commands = [*self.settle(asking.player, asking), *commands]
            self._once.do(retry, made.id, commands, given)
            return made, secret.text

        self._once.expect_new(retry)
        return judged_anew(act)

    def revoke(self, asking: PlayerKey, key_id: str, retry: Retry | None) -> None:
        """Revoke a key. Raises the errors of ``rotate``."""

        def act() -> None:
            given = [self.is_good(asking), self.known(asking.player)]
            old = self._one_of(asking, key_id)
            commands = [*self.settle(asking.player, asking), *self._revoked(old)]
            self._once.do(retry, old.id, commands, given)

        self._once.expect_new(retry)
        judged_anew(act)

    def is_good(self, asking: PlayerKey) -> Fact:
        """Return a ``Fact`` that is true as long as the key is not revoked.

        Raises Problem (``unknown_key``) if the key is already revoked.
        """
        question: Command = ("EXISTS", record_key(asking.selector))
        if not self._redis.exists(record_key(asking.selector)):
            raise Problem("unknown_key", headers={"WWW-Authenticate": "Bearer"})
        return Fact(question, 1)

    def known(self, player_id: str) -> Fact:
        """Return a ``Fact`` that is true as long as the player's keys do not change."""
        found: Any = self._redis.hvals(_keys_of(player_id))
        return Fact(("HVALS", _keys_of(player_id)), b" ".join(found))

    def revoke_all(self, asking: PlayerKey) -> list[Command]:
        """Return the commands that revoke all keys of the player."""
        return [command for each in self._all(asking) for command in self._revoked(each.key)]

    # Keys of bots, which their owners replace and revoke

    def of_bot(self, bot_id: str) -> list[KeyUse]:
        """Return the keys of a bot account: one, or none while it is revoked."""
        return [record.listed for record in self._listed(bot_id)]

    def new_of_bot(self, bot_id: str, owner: str) -> tuple[PlayerKey, str, list[Command]]:
        """Return a new key of a bot account, its text, and the commands that store it."""
        secret, at = Credential.new(KEY_PREFIX), from_ms(self.now_ms())
        made = PlayerKey(
            ids.new_key_id(), bot_id, BOT_KEY, BOT_KEY, at, None, secret.selector, owner=owner
        )
        return made, secret.text, put(made, secret.hash)

    def revoke_of_bot(self, bot_id: str) -> list[Command]:
        """Return the commands that revoke all keys of a bot account."""
        return [command for each in self.of_bot(bot_id) for command in self._revoked(each.key)]

    def need_own(self, asking: PlayerKey, key_id: str) -> None:
        """Raise Problem (``no_such_key``) unless the owner of ``asking`` has a key with this id."""
        self._own(asking, key_id)

    def _own(self, asking: PlayerKey, key_id: str) -> dict[str, PlayerKey]:
        """Return the keys of the player by id; raise Problem unless ``key_id`` is among them."""
        own = {each.key.id: each.key for each in self._all(asking)}
        if key_id not in own:
            raise Problem("no_such_key", f"you have no key {key_id!r}")
        return own

    def _one_of(self, asking: PlayerKey, key_id: str) -> PlayerKey:
        """Return a key of the player; raise Problem if it is unknown or the last full key."""
        own = self._own(asking, key_id)
        full = {key.id for key in own.values() if key.scope == FULL and not self.is_over(key)}
        if full == {key_id}:
            raise Problem("last_full_key", f"{key_id} is your only key with the scope {FULL}")
        return own[key_id]

    def _revoked(self, key: PlayerKey) -> list[Command]:
        return [*self._unstored(key), ("DEL", refusals_key(key.id))]

    def _unstored(self, key: PlayerKey) -> list[Command]:
        return [
            ("DEL", record_key(key.selector)),
            ("HDEL", _keys_of(key.player), key.id),
            *invalidation.note([key.id], self.now_ms()),
        ]

    def settle(self, player_id: str, asking: PlayerKey | None = None) -> list[Command]:
        """Return the commands that put a player's key from an earlier release into the list.

        They also remove the player's name from the key's record. If the player's keys are in the
        list already, there are no commands. Without ``asking``, the old key is searched for among
        all keys of the store, which takes a few seconds for each million.
        """
        if self._redis.exists(_keys_of(player_id)):
            return []
        selectors = self._selectors() if asking is None else [asking.selector]
        records = [r for r in map(self._record, selectors) if r and r.key.player == player_id]
        return [command for record in records for command in put_first(record.key, record.hash)]

    def _selectors(self) -> Iterator[str]:
        for name in self._redis.scan_iter(match=record_key("*"), count=1000):
            yield name.decode().removeprefix(record_key(""))


def _need_room(draft: KeyDraft, own: list[PlayerKey]) -> None:
    """Raise Problem (``too_many_keys``) if a player with the keys ``own`` may not add ``draft``."""
    alike = [key for key in own if (key.seat is None) == (draft.seat is None)]
    of_seat = [key for key in alike if (key.game, key.seat) == (draft.game, draft.seat)]
    if draft.seat is None and len(alike) >= MAX_KEYS:
        detail, limit = f"you have {MAX_KEYS} keys, those that are over included", MAX_KEYS
    elif draft.seat is not None and len(of_seat) >= MAX_KEYS_OF_A_SEAT:
        detail, limit = f"seat {draft.seat} has {MAX_KEYS_OF_A_SEAT} keys", MAX_KEYS_OF_A_SEAT
    elif draft.seat is not None and len(alike) >= MAX_SEAT_KEYS:
        detail, limit = f"you have {MAX_SEAT_KEYS} keys for seats", MAX_SEAT_KEYS
    else:
        return
    raise Problem("too_many_keys", detail, limit=limit)


def put(key: PlayerKey, hash_: str) -> list[Command]:
    """Return the commands that store a key, given the hash of its text."""
    told = key._asdict()
    del told["selector"]
    if key.seat is None:
        del told["game"], told["seat"]
    if key.owner is None:
        del told["owner"]
    record = orjson.dumps({**told, "hash": hash_})
    return [
        ("HSET", record_key(key.selector), "key", record),
        ("HSET", _keys_of(key.player), key.id, key.selector),
    ]


def put_first(key: PlayerKey, hash_: str) -> list[Command]:
    """Return the commands that store a new player's first key.

    Release 0.2.0, which may run on the same store during an upgrade, finds only this key.
    """
    player = orjson.dumps({"id": key.player, "name": "", "created_at": key.created_at})
    known = ("HSET", record_key(key.selector), "hash", hash_, "player", player)
    return [*put(key, hash_), known]


class _Record(NamedTuple):
    """A stored key."""

    hash: str
    listed: KeyUse
    is_unlisted: bool = False
    """Whether an earlier release, which had no lists, made the key."""

    @property
    def key(self) -> PlayerKey:
        return self.listed.key


def _read(selector: str, fields: Any) -> _Record | None:
    """Parse the values of ``_FIELDS``; return None if the store has no such key."""
    raw, used, hash_, player = fields
    if raw is not None:
        found = orjson.loads(raw)
        hashed = found.pop("hash")
        used_on = None if used is None else used.decode()
        return _Record(hashed, KeyUse(PlayerKey(**found, selector=selector), used_on))
    if hash_ is None:
        return None
    hashed, whose = hash_.decode(), orjson.loads(player)
    id_, at = ids.key_id_for(hashed), whose["created_at"]
    key = PlayerKey(id_, whose["id"], FIRST, FULL, at, None, selector)
    return _Record(hashed, KeyUse(key, None), is_unlisted=True)


def _age(listed: KeyUse) -> tuple[str, str]:
    return listed.key.created_at, listed.key.id


def record_key(selector: str) -> str:
    """Return the Redis key that holds the record of a player's key."""
    return meta_key(f"key:{selector}")


def refusals_key(key_id: str) -> str:
    """Return the Redis key that holds the refused requests of a player's key."""
    return meta_key(f"refusals:{key_id}")


def _keys_of(player_id: str) -> str:
    return meta_key(f"keys:{player_id}")
