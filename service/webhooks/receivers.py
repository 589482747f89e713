"""The storage of receivers: a list for each player, a state for each receiver, and the queues.

A receiver is a webhook or a push subscription: a URL of a player that gets the player's notices.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import orjson
from redis import Redis

from service.games.admission import Claimant
from service.ledger.idempotency import Command, Fact, IdempotencyNotes
from service.ledger.notices import LISTENERS, UNSENT
from service.ledger.vault import Vault
from service.redis.keys import meta_key
from service.webhooks.lanes import LANES, group_of, queue_key

WEBHOOKS = meta_key("webhooks")
"""A hash: id → the webhook or push subscription."""
OF_PLAYER = meta_key("webhooks_of")
"""A hash: player → the ids of the webhooks and push subscriptions, separated by spaces."""
DISABLED = meta_key("webhooks_disabled")
"""A hash: id of a disabled webhook → time and reason."""


class ReceiverState(NamedTuple):
    """The progress and state of a webhook or push subscription.

    - ``cursor`` is a position in its player's notices.
    - ``attempts`` is the number of attempts at the next message.
    - ``failing_since`` is the time (ms) of the first failure since the last success.
    - ``slow`` is 0 if it is in the quick lane. Otherwise it is in the slow lane, and
      ``slow`` is the number of quick answers that it needs to enter the quick lane. It is 1 for a
      new one.
    - ``minute`` is the minute (since 1970) of the last attempt, and ``in_minute`` is the number of
      attempts in that minute.
    - ``ping`` is a requested test.
    - ``told`` counts the player's notices.
    """

    cursor: str = "0-0"
    attempts: int = 0
    failing_since: int = 0
    slow: int = 1
    minute: int = 0
    in_minute: int = 0
    ping: str = ""
    told: str = ""

    @classmethod
    def load(cls, fields: dict[bytes, bytes]) -> "ReceiverState":
        """Read the stored form."""
        attempts, failing_since, slow, minute, in_minute = (
            int(fields.get(name.encode(), getattr(cls(), name))) for name in NUMBERS
        )
        cursor, ping, told = (
            fields.get(name, default).decode()
            for name, default in ((b"cursor", b"0-0"), (b"ping", b""), (b"told", b""))
        )
        return cls(cursor, attempts, failing_since, slow, minute, in_minute, ping, told)


NUMBERS = ("attempts", "failing_since", "slow", "minute", "in_minute")
"""The numeric fields of a state that an attempt changes, in order."""


class Receivers:
    """The receivers of all players; ``now_ms`` is the store's clock."""

    def __init__(self, redis: Redis, vault: Vault, now_ms: Callable[[], int]) -> None:
        self._redis = redis
        self._vault = vault
        self._now_ms = now_ms
        self._once = IdempotencyNotes(redis)

    def known(self, player_id: str) -> Fact:
        """Return a condition for a transaction: the player has the same receivers as now."""
        found: Any = self._redis.hget(OF_PLAYER, player_id)
        return Fact(("HGET", OF_PLAYER, player_id), found or b"")

    def remove_all(self, player_id: str) -> list[Command]:
        """Return the commands that delete all webhooks and push subscriptions of a player."""
        return self._gone(player_id, self._ids(player_id), [])

    def _ids(self, player_id: str) -> list[str]:
        found: Any = self._redis.hget(OF_PLAYER, player_id)
        return (found or b"").decode().split()

    def _group_for(self, who: Claimant) -> str:
        """Return the group of what a player creates.

        Receivers that were created from one address share a queue. But a player with larger limits
        has a queue of their own.
        """
        return group_of(self._redis, who.address) if who.times == 1 else who.player

    def _new(self, player_id: str, id_: str, known: Sequence[str], place: str) -> list[Command]:
        """Return the commands that list a new receiver, besides those that store it.

        It gets the notices after ``place``.
        """
        return [
            ("HSET", OF_PLAYER, player_id, " ".join([*known, id_])),
            ("HSET", state_key(id_), "cursor", place),
            ("ZADD", LISTENERS, "NX", 0, player_id),
        ]

    def _gone(self, player_id: str, gone: Sequence[str], others: Sequence[str]) -> list[Command]:
        """Return the commands that delete receivers; the player keeps the ``others``."""
        commands: list[Command] = []
        for id_ in gone:
            commands += [
                ("HDEL", WEBHOOKS, id_), ("HDEL", DISABLED, id_),
                ("DEL", state_key(id_)), ("DEL", attempts_key(id_)), ("DEL", again_key(id_)),
                ("ZREM", UNSENT, id_),
                *(("ZREM", queue_key(lane, self._group(id_)), id_) for lane in LANES),
            ]  # fmt: skip
        if others:
            return [*commands, ("HSET", OF_PLAYER, player_id, " ".join(others))]
        return [*commands, ("HDEL", OF_PLAYER, player_id), ("ZREM", LISTENERS, player_id)]

    def _group(self, id_: str) -> str:
        raw: Any = self._redis.hget(WEBHOOKS, id_)
        return "" if raw is None else group_in(orjson.loads(raw))


def group_in(record: dict[str, Any]) -> str:
    """Return the group in the stored form of a receiver; older releases stored none."""
    return str(record.get("group", record["player"]))


def state_key(webhook_id: str) -> str:
    """Return the key of a webhook's state."""
    return meta_key(f"webhook_state:{webhook_id}")


def attempts_key(webhook_id: str) -> str:
    """Return the key of a webhook's attempts."""
    return meta_key(f"webhook_attempts:{webhook_id}")


def again_key(webhook_id: str) -> str:
    """Return the key of the notices that a webhook sends once more: their ids, oldest first."""
    return meta_key(f"webhook_again:{webhook_id}")
