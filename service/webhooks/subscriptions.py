"""Push subscriptions: browsers of a player that show notifications (RFC 8030).

A subscription is a URL at the push service of the browser's vendor, and the browser's keys, with
which each message is encrypted. It is stored and queued as a webhook is, but the player does not
read its deliveries, and it is removed when its push service does not know it any more.
"""

from base64 import b64decode, b64encode
from collections.abc import Sequence
from typing import Any, NamedTuple

import orjson

from rules.kernel.canonical import JsonObject
from rules.kernel.record.instants import from_ms
from service import ids
from service.games.admission import Claimant
from service.ledger import notices
from service.ledger.idempotency import Command, Fact, judged_anew
from service.ledger.store import Retry
from service.problems import Problem
from service.webhooks.receivers import WEBHOOKS, Receivers

MAX_SUBSCRIPTIONS = 10


class PushSubscription(NamedTuple):
    """A browser of a player.

    ``url`` is its address at the push service. ``public_key`` (65 bytes, a point of P-256) and
    ``auth`` (16 bytes) are the browser's keys for messages (RFC 8291). ``language`` is that of the
    notifications. ``group`` names the queue.
    """

    id: str
    player: str
    url: str
    public_key: bytes
    auth: bytes
    language: str
    created_at: str
    group: str

    def to_json(self) -> JsonObject:
        """Return the form that the player sees, without the keys."""
        return {
            "id": self.id,
            "endpoint": self.url,
            "language": self.language,
            "created_at": self.created_at,
        }


class PushSubscriptions(Receivers):
    """Stores, finds and removes push subscriptions."""

    def find(self, subscription_id: str) -> PushSubscription | None:
        """Return a subscription."""
        raw: Any = self._redis.hget(WEBHOOKS, subscription_id)
        return None if raw is None else self._load(raw)

    def all(self, player_id: str) -> list[PushSubscription]:
        """Return a player's subscriptions, oldest first."""
        found = (self.find(name) for name in self._ids(player_id) if not ids.is_webhook(name))
        return [one for one in found if one is not None]

    def one(self, player_id: str, subscription_id: str) -> PushSubscription:
        """Return one of a player's subscriptions. Raises Problem: ``unknown_subscription``."""
        for found in self.all(player_id):
            if found.id == subscription_id:
                return found
        raise _unknown(subscription_id)

    def make(
        self,
        who: Claimant,
        url: str,
        public_key: bytes,
        auth: bytes,
        language: str,
        retry: Retry | None,
        given: Sequence[Fact] = (),
    ) -> PushSubscription:
        """Store a browser, which gets the player's notices from now on.

        A browser that is known by its ``url`` keeps its id, and gets the new keys and language. The
        subscription is stored only if all facts in ``given`` hold. Raises Problem:
        ``too_many_subscriptions``, and the errors of ``IdempotencyNotes.do``.
        """

        def act() -> PushSubscription:
            listed, known = self.known(who.player), self._ids(who.player)
            own = self.all(who.player)
            same = next((one for one in own if one.url == url), None)
            if same is None and len(own) >= MAX_SUBSCRIPTIONS:
                detail = f"notifications are on in {MAX_SUBSCRIPTIONS} of your browsers"
                raise Problem("too_many_subscriptions", detail, limit=MAX_SUBSCRIPTIONS)
            made = PushSubscription(
                ids.new_subscription_id() if same is None else same.id,
                who.player,
                url,
                public_key,
                auth,
                language,
                from_ms(self._now_ms()) if same is None else same.created_at,
                self._group_for(who) if same is None else same.group,
            )
            commands = [self._put(made)]
            if same is None:
                place = notices.listen(self._redis, who.player, for_good=True)
                commands += self._new(who.player, made.id, known, place)
            self._once.do(retry, made.id, commands, [listed, *given])
            return made

        self._once.expect_new(retry)
        return judged_anew(act)

    def remove(self, player_id: str, subscription_id: str, retry: Retry | None = None) -> None:
        """Delete a subscription.

        Raises Problem: ``unknown_subscription``, and the errors of ``IdempotencyNotes.do``.
        """

        def act() -> list[str]:
            listed = self.known(player_id)
            self.one(player_id, subscription_id)
            others = [other for other in self._ids(player_id) if other != subscription_id]
            commands = self._gone(player_id, [subscription_id], others)
            self._once.do(retry, subscription_id, commands, [listed])
            return others

        self._once.expect_new(retry)
        if not judged_anew(act):
            notices.keep_no_longer(self._redis, player_id)

    def _put(self, made: PushSubscription) -> Command:
        record = {
            **made._asdict(),
            "public_key": b64encode(made.public_key).decode(),
            "auth": b64encode(self._vault.wrap(made.auth, made.id)).decode(),
        }
        return ("HSET", WEBHOOKS, made.id, orjson.dumps(record))

    def _load(self, raw: bytes) -> PushSubscription:
        found = orjson.loads(raw)
        keys = {
            "public_key": b64decode(found["public_key"]),
            "auth": self._vault.unwrap(b64decode(found["auth"]), found["id"]),
        }
        return PushSubscription(**{**found, **keys})


def _unknown(subscription_id: str) -> Problem:
    detail = f"you have no push subscription {subscription_id!r}"
    return Problem("unknown_subscription", detail)
