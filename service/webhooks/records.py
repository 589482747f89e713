"""The webhooks of players: storage and changes.

A webhook has a secret, which signs its messages. The secret is shown once, when it is created or
rotated. After a rotation the old secret also signs, for a day. Webhooks' secrets are stored like
the secrets of games.
"""

import secrets
from base64 import b64decode, b64encode
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import orjson
from redis import Redis

from rules.kernel.canonical import JsonObject
from rules.kernel.record.game import CLOSED
from rules.kernel.record.instants import from_ms
from service import ids
from service.games.admission import Claimant
from service.ledger import notices
from service.ledger.idempotency import Command, Fact, judged_anew
from service.ledger.notices import (
    ASKED,
    CLOCK_LOW,
    DECLINED,
    ENDED,
    INVITED,
    STARTED,
    UNSENT,
)
from service.ledger.store import Retry
from service.ledger.vault import Vault
from service.problems import Problem, field_error, invalid
from service.webhooks.lanes import LANES, queue_key, script
from service.webhooks.receivers import (
    DISABLED,
    WEBHOOKS,
    Receivers,
    again_key,
    attempts_key,
    group_in,
    state_key,
)

EVENTS = (INVITED, CLOSED, STARTED, ASKED, CLOCK_LOW, DECLINED, ENDED)
"""Events that a webhook may select; ``resync`` and ``ping`` are always sent."""
MAX_WEBHOOKS = 5
ATTEMPTS_KEPT = 100
SHOWN_BYTES = 256
"""Maximum bytes of an answer's body that are shown to the webhook's owner."""
MAX_REDELIVERIES = 100
"""Maximum number of messages that one request may ask for again."""
SECRET_PREFIX = "whsec_"  # noqa: S105 - it is how they begin
SECRET_BYTES = 32
OVERLAP_MS = 24 * 3_600_000
"""Time for which a rotated secret still signs."""
ASKED_FOR, FAILING, GONE = REASONS = ("asked_for", "failing", "gone")
"""Reasons for disabling a webhook: the player's wish, days of failures, or an answer 410."""


class Secret(NamedTuple):
    """A secret that signs; ``until`` (ms) is set if it was rotated."""

    raw: bytes
    until: int | None = None

    @property
    def text(self) -> str:
        """The public form of the secret."""
        return SECRET_PREFIX + b64encode(self.raw).decode()


class Webhook(NamedTuple):
    """A URL with its selected ``events``.

    ``secrets`` has the newest secret first. ``group`` names the queue that the webhook uses.
    Webhooks that were created from one address share a queue.
    """

    id: str
    player: str
    url: str
    events: tuple[str, ...]
    created_at: str
    secrets: tuple[Secret, ...]
    group: str

    def signing(self, now: int) -> list[bytes]:
        """Return the secrets that sign at ``now`` (ms since 1970)."""
        return [s.raw for s in self.secrets if s.until is None or now < s.until]


class WebhookStatus(NamedTuple):
    """A webhook with its state; ``next_at`` (ms) is the time of the next attempt."""

    webhook: Webhook
    disabled: JsonObject | None
    failing_since: int
    next_at: int | None

    def to_json(self) -> JsonObject:
        """Return the form that the player sees."""
        hook = self.webhook
        waits = self.failing_since and self.next_at is not None and not self.disabled
        return {
            "id": hook.id,
            "url": hook.url,
            "events": list(hook.events),
            "created_at": hook.created_at,
            "disabled": self.disabled,
            "failing_since": from_ms(self.failing_since) if self.failing_since else None,
            "next_attempt_at": from_ms(self.next_at) if waits and self.next_at else None,
        }


class Webhooks(Receivers):
    """Creates, finds and changes webhooks; ``now_ms`` is the store's clock.

    The methods that change a player's webhook raise Problem (``unknown_webhook``) if the player has
    no webhook with that id. They also raise the errors of ``IdempotencyNotes.do``.
    """

    def __init__(self, redis: Redis, vault: Vault, now_ms: Callable[[], int]) -> None:
        super().__init__(redis, vault, now_ms)
        self._poke = script(redis, "poke")

    # Reading

    def find(self, webhook_id: str) -> Webhook | None:
        """Return a webhook, disabled or not."""
        raw: Any = self._redis.hget(WEBHOOKS, webhook_id)
        return None if raw is None else self._load(raw)

    def all(self, player_id: str) -> list[WebhookStatus]:
        """Return a player's webhooks, oldest first."""
        found: Any = [self.find(name) for name in self._ids(player_id) if ids.is_webhook(name)]
        hooks: list[Webhook] = [hook for hook in found if hook is not None]
        pipe = self._redis.pipeline(transaction=False)
        for hook in hooks:
            pipe.hget(DISABLED, hook.id)
            pipe.hget(state_key(hook.id), "failing_since")
            for lane in LANES:
                pipe.zscore(queue_key(lane, hook.group), hook.id)
        told = iter(pipe.execute())
        listed = []
        for hook, (disabled, failing, *at) in zip(
            hooks, zip(*[told] * 4, strict=True), strict=True
        ):
            next_at = max((int(score) for score in at if score is not None), default=None)
            why = None if disabled is None else orjson.loads(disabled)
            listed.append(WebhookStatus(hook, why, int(failing or 0), next_at))
        return listed

    def one(self, player_id: str, webhook_id: str) -> WebhookStatus:
        """Return one of a player's webhooks."""
        for listed in self.all(player_id):
            if listed.webhook.id == webhook_id:
                return listed
        raise _unknown(webhook_id)

    def attempts(self, player_id: str, webhook_id: str) -> list[JsonObject]:
        """Return the attempts, newest first: ATTEMPTS_KEPT at most."""
        self.one(player_id, webhook_id)
        found: Any = self._redis.lrange(attempts_key(webhook_id), 0, -1)
        return [{"answer": None, **orjson.loads(one)} for one in found]

    # Changing

    def make(
        self,
        who: Claimant,
        url: str,
        events: Sequence[str],
        retry: Retry | None,
        given: Sequence[Fact] = (),
    ) -> tuple[WebhookStatus, Secret]:
        """Create a webhook; return its status and its secret. It gets notices from now on.

        The webhook is created only if all facts in ``given`` hold. Raises Problem:
        ``too_many_webhooks``.
        """
        player_id = who.player
        group = self._group_for(who)

        def act() -> tuple[WebhookStatus, Secret]:
            listed, known = self.known(player_id), self._ids(player_id)
            if sum(map(ids.is_webhook, known)) >= MAX_WEBHOOKS:
                detail = f"you have {MAX_WEBHOOKS} webhooks"
                raise Problem("too_many_webhooks", detail, limit=MAX_WEBHOOKS)
            place = notices.listen(self._redis, player_id, for_good=True)
            now, secret = self._now_ms(), Secret(secrets.token_bytes(SECRET_BYTES))
            made = Webhook(
                ids.new_webhook_id(),
                player_id,
                url,
                tuple(events),
                from_ms(now),
                (secret,),
                group,
            )
            commands: list[Command] = [
                self._put(made),
                *self._new(player_id, made.id, known, place),
            ]
            self._once.do(retry, made.id, commands, [listed, *given])
            return WebhookStatus(made, None, 0, None), secret

        self._once.expect_new(retry)
        return judged_anew(act)

    def change(
        self, player_id: str, webhook_id: str, change: JsonObject, retry: Retry | None
    ) -> WebhookStatus:
        """Change the ``url`` or ``events`` of a webhook, or disable or enable it.

        An enabled webhook continues where it was, as far as notices are kept.
        """

        def act() -> Webhook:
            hook, as_it_is = self._one(player_id, webhook_id)
            hook = hook._replace(
                url=change.get("url", hook.url), events=tuple(change.get("events", hook.events))
            )
            commands = [self._put(hook)]
            if change.get("enabled") is False:
                why = orjson.dumps({"at": from_ms(self._now_ms()), "reason": ASKED_FOR})
                commands.append(("HSETNX", DISABLED, webhook_id, why))
            elif change.get("enabled"):
                commands += [
                    ("HDEL", DISABLED, webhook_id),
                    ("HDEL", state_key(webhook_id), "attempts", "failing_since"),
                ]
            self._once.do(retry, webhook_id, commands, [as_it_is])
            return hook

        self._once.expect_new(retry)
        hook = judged_anew(act)
        if change.get("enabled"):
            self._try_now(hook)
        return self.one(player_id, webhook_id)

    def rotate(
        self, player_id: str, webhook_id: str, retry: Retry | None
    ) -> tuple[WebhookStatus, Secret]:
        """Give a webhook a new secret; return the webhook's status and the new secret.

        For OVERLAP_MS, the old secret signs as well.
        """

        def act() -> tuple[Webhook, Secret]:
            hook, as_it_is = self._one(player_id, webhook_id)
            old = hook.secrets[0]._replace(until=self._now_ms() + OVERLAP_MS)
            secret = Secret(secrets.token_bytes(SECRET_BYTES))
            hook = hook._replace(secrets=(secret, old))
            self._once.do(retry, webhook_id, [self._put(hook)], [as_it_is])
            return hook, secret

        self._once.expect_new(retry)
        hook, secret = judged_anew(act)
        return self.one(player_id, webhook_id)._replace(webhook=hook), secret

    def ping(self, player_id: str, webhook_id: str, retry: Retry | None) -> str:
        """Request a test message and return its id. The message is sent at once.

        Waiting messages follow.
        """
        ping = ids.new_ping_id()
        wanted: Command = ("HSET", state_key(webhook_id), "ping", ping, "attempts", 0)

        def act() -> Webhook:
            hook, as_it_is = self._one(player_id, webhook_id)
            self._once.do(retry, ping, [wanted], [as_it_is])
            return hook

        self._once.expect_new(retry)
        self._try_now(judged_anew(act))
        return ping

    def redeliver(
        self, player_id: str, webhook_id: str, first: str, last: str, retry: Retry | None
    ) -> list[str]:
        """Request that sent messages are sent once more, and return their ids, oldest first.

        ``first`` and ``last`` are ids of messages. The messages between them are sent again, these
        two included. Only notices are sent again, and only notices of the types that the webhook
        gets now. The rest of an earlier request is dropped.

        Raises:
            Problem: ``invalid_body``: they are no messages of this webhook, are not kept any more,
                were not sent yet, or are more than MAX_REDELIVERIES.
        """

        def act() -> tuple[Webhook, list[str]]:
            hook, as_it_is = self._one(player_id, webhook_id)
            found = self._sent_between(hook, first, last)
            commands: list[Command] = [
                ("DEL", again_key(webhook_id)),
                ("RPUSH", again_key(webhook_id), *found),
            ]
            self._once.do(retry, " ".join(found), commands, [as_it_is])
            return hook, found

        self._once.expect_new(retry)
        hook, found = judged_anew(act)
        self._try_now(hook)
        return [f"{webhook_id}_{notice_id}" for notice_id in found]

    def _sent_between(self, hook: Webhook, first: str, last: str) -> list[str]:
        """Return the ids of the notices that were sent from one message to another."""
        kept = notices.kept(self._redis, hook.player)
        places = {f"{hook.id}_{notice.id}": place for place, notice in enumerate(kept)}
        for name, id_ in (("first", first), ("last", last)):
            if id_ not in places:
                text = "must be a message of this webhook that is still kept"
                raise invalid("body", [field_error(name, text, id_)])
        between = kept[places[first] : places[last] + 1]
        sent: Any = self._redis.hget(state_key(hook.id), "cursor")
        found = [notice.id for notice in between if notice.kind in hook.events]
        if not between:
            raise invalid("body", [field_error("last", "must not be older than `first`", last)])
        if not found:
            text = "must be of a type that the webhook gets"
            raise invalid("body", [field_error("first", text, first)])
        if _place(between[-1].id) > _place(sent.decode()):
            raise invalid("body", [field_error("last", "was not sent yet", last)])
        if len(found) > MAX_REDELIVERIES:
            text = f"{len(found)} messages: at most {MAX_REDELIVERIES} at once"
            raise invalid("body", [field_error("last", text, last)])
        return found

    def _try_now(self, hook: Webhook) -> None:
        self._poke([UNSENT, state_key(hook.id), *LANES], [hook.id, hook.group])

    def remove(self, player_id: str, webhook_id: str, retry: Retry | None) -> None:
        """Delete a webhook, and its deliveries."""

        def act() -> list[str]:
            listed, _ = self.known(player_id), self._one(player_id, webhook_id)
            others = [other for other in self._ids(player_id) if other != webhook_id]
            self._once.do(retry, webhook_id, self._gone(player_id, [webhook_id], others), [listed])
            return others

        self._once.expect_new(retry)
        if not judged_anew(act):
            notices.keep_no_longer(self._redis, player_id)

    def _one(self, player_id: str, webhook_id: str) -> tuple[Webhook, Fact]:
        """Return one of a player's webhooks, and a condition for a transaction.

        The condition is that this webhook has not changed. Raises Problem (``unknown_webhook``) if
        the player has no webhook with this id.
        """
        raw: Any = self._redis.hget(WEBHOOKS, webhook_id) if ids.is_webhook(webhook_id) else None
        if raw is None or (hook := self._load(raw)).player != player_id:
            raise _unknown(webhook_id)
        return hook, Fact(("HGET", WEBHOOKS, webhook_id), raw)

    # Stored forms

    def _put(self, hook: Webhook) -> Command:
        kept = [
            (b64encode(self._vault.wrap(secret.raw, hook.id)).decode(), secret.until)
            for secret in hook.secrets
        ]
        record = orjson.dumps({**hook._asdict(), "secrets": kept})
        return ("HSET", WEBHOOKS, hook.id, record)

    def _load(self, raw: bytes) -> Webhook:
        found = orjson.loads(raw)
        kept = tuple(
            Secret(self._vault.unwrap(b64decode(wrapped), found["id"]), until)
            for wrapped, until in found["secrets"]
        )
        told = {"events": tuple(found["events"]), "secrets": kept, "group": group_in(found)}
        return Webhook(**{**found, **told})


def _unknown(webhook_id: str) -> Problem:
    return Problem("unknown_webhook", f"you have no webhook {webhook_id!r}")


def _place(notice_id: str) -> tuple[int, int]:
    """Return the order of a notice: its time (ms), and its number within that millisecond."""
    ms, _, number = notice_id.partition("-")
    return int(ms), int(number)
