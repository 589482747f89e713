"""The sender: sends each player's notices to webhooks, in their order, and to browsers.

A webhook with messages is in a sorted set by the time of its next attempt. A sender takes it for
TAKEN_MS, sends one message and stores the outcome, in one step with the time of the next attempt.
So no message is lost when a sender dies; its current message is sent again, with the same id. There
may be several senders.

Receivers do not wait for each other. The webhooks that were created from one address are a group;
groups take turns, and the number of messages that a group sends at once is limited. Quick receivers
and all others have separate queues, the two lanes (``lanes``). Each receiver gets one message at a
time. Waiting for a receiver costs a connection and no thread, because the process runs on gevent.

Push subscriptions wait in the same queues, and their messages are tried again as those of webhooks.
But a browser is told only what still holds when the message is sent, and of each game only the
newest: so it gets at most one message for each game that waits, however long it was not reached.
"""

import random
import time
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Event, Lock
from typing import Any, NamedTuple

import orjson
import structlog
from redis import Redis
from redis.exceptions import RedisError

from rules.kernel.record.instants import from_ms
from service.ids import is_webhook
from service.ledger import notices
from service.ledger.notices import LISTENERS, UNSENT, StoredNotice
from service.ledger.vault import VaultError
from service.live.messages import UnfitMessageError
from service.metrics import WEBHOOK_ATTEMPTS, WEBHOOK_SECONDS
from service.outbound.asking import REFUSED, Asker, NoAnswerError
from service.outbound.targets import Target, target_of
from service.players.bans import BANS
from service.problems import Problem
from service.webhooks import messages
from service.webhooks.browsers import Browsers
from service.webhooks.course import (
    AttemptOutcome,
    NextAttempt,
    after_attempt,
    after_ping,
    full_until,
)
from service.webhooks.lanes import LANES, queue_key, script
from service.webhooks.messages import Message
from service.webhooks.notifications import PAUSE_MS, GameNotification, newest
from service.webhooks.receivers import (
    DISABLED,
    NUMBERS,
    OF_PLAYER,
    WEBHOOKS,
    ReceiverState,
    again_key,
    attempts_key,
    state_key,
)
from service.webhooks.records import ATTEMPTS_KEPT, SHOWN_BYTES, Webhook, Webhooks
from service.webhooks.subscriptions import PushSubscription

log = structlog.get_logger(__name__)

SECONDS = 10.0
"""Time limit of one attempt."""
TAKEN_MS = 30_000
QUICK_AT_ONCE, SLOW_AT_ONCE = 64, 192
"""Maximum number of concurrent messages of one process: to quick receivers, and to others."""
GROUP_AT_ONCE = 16
"""Maximum number of concurrent messages to the receivers of one address, in each lane."""
POLL_SECONDS = 0.25
PAUSE_SECONDS = 1.0
REVIVE_SECONDS = 600.0
BANNED_MS = 3_600_000
"""Time for which a banned player's webhooks pause before the ban is checked again."""
UNSUBSCRIBED = (404, 410)
"""Answers of a push service that does not know a subscription any more (RFC 8030, 7.3)."""
_WOKEN = 200
_PAGE = 100
_ANSWER_BYTES = 4_096
"""Maximum bytes of an answer's body that are read."""


class TakenWebhook(NamedTuple):
    """A webhook that a sender took at the time ``now`` (ms) from its group's queue in a lane.

    No other sender takes the webhook before the time ``until`` (ms). ``until`` is the webhook's
    score in the queue, as a text.
    """

    id: str
    group: str
    lane: str
    now: int
    until: str


class Sender:
    """Sends messages to webhooks and browsers until it is stopped.

    ``beat`` is called each time before the sender looks for webhooks that are due.
    """

    def __init__(
        self,
        redis: Redis,
        webhooks: Webhooks,
        browsers: Browsers,
        asker: Asker,
        beat: Callable[[], None] = lambda: None,
    ) -> None:
        self._redis = redis
        self._webhooks = webhooks
        self._browsers = browsers
        self._asker = asker
        self._beat = beat
        self._take = script(redis, "take")
        self._settle = script(redis, "settle")
        self._rng = random.Random()  # noqa: S311 - it spreads attempts
        self._busy: Counter[tuple[str, str]] = Counter()
        """Number of webhooks whose messages are being sent, by lane and group."""
        self._lock = Lock()
        self._woken, self._stopping = Event(), Event()
        self._revive_at = 0.0

    def stop(self) -> None:
        """Make ``run`` return once the current messages are done."""
        self._stopping.set()
        self._woken.set()

    def run(self) -> None:
        """Send until stopped."""
        with ThreadPoolExecutor(QUICK_AT_ONCE + SLOW_AT_ONCE, "webhook") as threads:
            while not self._stopping.is_set():
                self._beat()
                self._woken.clear()
                try:
                    taken = self.take()
                except RedisError as error:
                    log.warning("webhooks_unreachable", error=type(error).__name__)
                    self._stopping.wait(PAUSE_SECONDS)
                    continue
                for one in taken:
                    threads.submit(self._serve, one)
                if not taken:
                    self._woken.wait(POLL_SECONDS)

    def take(self) -> list[TakenWebhook]:
        """Take due webhooks, up to the number that may be served at the same time."""
        if time.monotonic() >= self._revive_at:
            self.revive()
            self._revive_at = time.monotonic() + REVIVE_SECONDS
        with self._lock:
            at_work = [sum(n for (of, _), n in self._busy.items() if of == lane) for lane in LANES]
            groups = {group for _lane, group in self._busy}
            words: list[str | int] = [
                _WOKEN, QUICK_AT_ONCE - at_work[0], SLOW_AT_ONCE - at_work[1], TAKEN_MS,
                state_key(""), GROUP_AT_ONCE,
            ]  # fmt: skip
            for group in groups:
                words += [group, *(self._busy[lane, group] for lane in LANES)]
            found: Any = self._take([LISTENERS, OF_PLAYER, WEBHOOKS, UNSENT, *LANES], words)
            now, until, *lanes = found
            taken = [
                TakenWebhook(id_.decode(), group.decode(), lane, now, until.decode())
                for lane, of in zip(LANES, lanes, strict=True)
                for id_, group in zip(of[::2], of[1::2], strict=True)
            ]
            self._busy.update((one.lane, one.group) for one in taken)
        return taken

    def revive(self) -> None:
        """Let the store keep the notices of all players who have webhooks from now on.

        Also queue the messages that wait for these webhooks. ``take`` repeats this every
        REVIVE_SECONDS, because the store may have lost the information that it has to keep the
        notices of these players.
        """
        players: Any = self._redis.hkeys(OF_PLAYER)
        for player in players:
            self._listen(player.decode())

    def _listen(self, player: str) -> str:
        """Keep a player's notices from now on, and queue the player's waiting messages.

        Return the place of the newest notice in the list of notices. If the player has no webhook
        any more, the notices are not kept.
        """
        place = notices.listen(self._redis, player, for_good=True)
        self._redis.zadd(LISTENERS, {player: int(1000 * time.time())})
        if not self._redis.hexists(OF_PLAYER, player):
            self._redis.zrem(LISTENERS, player)
            notices.keep_no_longer(self._redis, player)
        return place

    def _serve(self, taken: TakenWebhook) -> None:
        try:
            self.serve(taken)
        except RedisError as error:  # a sender takes the webhook again after ``until``
            log.warning("webhook_not_settled", webhook=taken.id, error=type(error).__name__)
        except Exception:
            log.exception("webhook_failed", webhook=taken.id)
        finally:
            with self._lock:
                self._busy[taken.lane, taken.group] -= 1
                self._busy += Counter()  # drops groups with a count of 0
            self._woken.set()

    # One webhook

    def serve(self, taken: TakenWebhook) -> None:
        """Send the next message of a webhook that this sender has taken, and store the outcome.

        If no message is to be sent now, only store when the webhook is due again. If the webhook
        was deleted, remove it from the queues.
        """
        try:
            hook = self._receiver(taken.id)
        except VaultError:
            log.exception("webhook_secret_unreadable", webhook=taken.id)
            return
        if hook is None:
            for key in (UNSENT, *(queue_key(lane, taken.group) for lane in LANES)):
                self._redis.zrem(key, taken.id)
            return
        pipe = self._redis.pipeline(transaction=False)
        pipe.hexists(DISABLED, taken.id)
        pipe.hexists(BANS, hook.player)
        pipe.hgetall(state_key(taken.id))
        pipe.lindex(again_key(taken.id), 0)
        disabled, banned, fields, again = pipe.execute()
        state = ReceiverState.load(fields)
        if disabled:
            self._settled(taken, hook, NextAttempt(state, done=False))
        elif banned:
            self._settled(taken, hook, NextAttempt(state, done=False, due_at=taken.now + BANNED_MS))
        elif (full := full_until(state, taken.now)) is not None:
            self._settled(taken, hook, NextAttempt(state, done=False, due_at=full), not_before=full)
        elif isinstance(hook, PushSubscription):
            self._notify(taken, hook, state)
        else:
            self._tell(taken, hook, state, "" if again is None or state.ping else again.decode())

    def _receiver(self, id_: str) -> Webhook | PushSubscription | None:
        found = self._webhooks if is_webhook(id_) else self._browsers.subscriptions
        return found.find(id_)

    def _tell(self, taken: TakenWebhook, hook: Webhook, state: ReceiverState, again: str) -> None:
        """Send a webhook's next message; ``again`` is the notice that is to be sent once more."""
        if again:
            message, cursor = self._sent_before(hook, again, taken.now), state.cursor
        else:
            message, cursor = self._next_message(taken, hook, state)
        if message is None:
            done = NextAttempt(state._replace(cursor=cursor), done=True)
            self._settled(taken, hook, done, again=again)
            return
        now = taken.now
        headers = message.headers(now // 1000, hook.signing(now))
        outcome, answer = self._send(hook.url, lambda _target: (headers, message.body))
        if state.ping or again:
            told = after_ping(state, outcome, taken.now)
        else:
            told = after_attempt(state, outcome, taken.now, self._rng)
            if told.done:
                told = told._replace(state=told.state._replace(cursor=cursor))
        attempt = {
            "id": message.id,
            "type": message.type,
            "at": from_ms(taken.now),
            "attempt": 1 if state.ping or again else state.attempts + 1,
            "delivered": outcome.delivered,
            "status": outcome.status,
            "error": outcome.error,
            "answer": answer,
            "milliseconds": round(1000 * outcome.seconds),
            "next_attempt_at": None if told.due_at is None else from_ms(told.due_at),
        }
        self._settled(
            taken, hook, told, attempt=orjson.dumps(attempt), ping=state.ping, again=again
        )

    def _notify(self, taken: TakenWebhook, to: PushSubscription, state: ReceiverState) -> None:
        """Send a browser its next message, if a notice still holds.

        What is not told is skipped for good. If notices were lost, nothing is told of them: the
        next page that the player opens shows all games that wait.
        """
        found = notices.after(self._redis, to.player, state.cursor, _PAGE)
        if found is None:
            found, state = [], state._replace(cursor=self._listen(to.player))
        last = newest(found)
        for notice in found:
            if notice.id in last:
                due = notice.ms + PAUSE_MS
                if due > taken.now:
                    self._settled(taken, to, NextAttempt(state, done=False, due_at=due))
                    return
                told = self._browsers.notifications.of(notice, to.player, taken.now)
                if told is not None:
                    self._send_to_browser(taken, to, state, told, notice.id)
                    return
            state = state._replace(cursor=notice.id, attempts=0)
        self._settled(taken, to, NextAttempt(state, done=True))

    def _send_to_browser(
        self,
        taken: TakenWebhook,
        to: PushSubscription,
        state: ReceiverState,
        told: GameNotification,
        cursor: str,
    ) -> None:
        def message(target: Target) -> tuple[Mapping[str, str], bytes]:
            headers, body = told.message(to)
            key = self._browsers.key.headers(target, taken.now // 1000, self._browsers.contact)
            return {**headers, **key}, body

        outcome, _answer = self._send(to.url, message)
        next_ = after_attempt(state, outcome, taken.now, self._rng)
        if next_.disabled is not None or outcome.status in UNSUBSCRIBED:
            log.info("push_subscription_removed", subscription=to.id, status=outcome.status)
            with suppress(Problem):  # the player has removed it meanwhile
                self._browsers.subscriptions.remove(to.player, to.id)
            return
        if next_.done:
            next_ = next_._replace(state=next_.state._replace(cursor=cursor))
        self._settled(taken, to, next_)

    def _sent_before(self, hook: Webhook, notice_id: str, now: int) -> Message | None:
        """Return the message of a notice that was sent; None if it is not kept any more."""
        found = notices.one(self._redis, hook.player, notice_id)
        return None if found is None else _message_of(hook, found, now)

    def _next_message(
        self, taken: TakenWebhook, hook: Webhook, state: ReceiverState
    ) -> tuple[Message | None, str]:
        """Return the next message, if there is one, and the place after it."""
        if state.ping:
            return messages.ping(hook.id, state.ping, from_ms(taken.now)), state.cursor
        found = notices.after(self._redis, hook.player, state.cursor, _PAGE)
        if found is None:
            newest = self._listen(hook.player)
            lost = messages.resync(hook.id, state.cursor, from_ms(taken.now))
            return lost, newest
        cursor = state.cursor
        for notice in found:
            cursor = notice.id
            if notice.kind in hook.events:
                return _message_of(hook, notice, taken.now), cursor
        return None, cursor

    def _send(
        self, url: str, message: Callable[[Target], tuple[Mapping[str, str], bytes]]
    ) -> tuple[AttemptOutcome, str | None]:
        """Send a message; ``message`` returns its headers and its body.

        Return the outcome, and the beginning of the answer's body, if there was an answer.
        """
        answer = None
        began = time.monotonic()
        status = error = None
        retry_after = 0
        try:
            target = target_of(url, self._asker.policy)
            reply = self._asker.post(target, *message(target), _ANSWER_BYTES)
            answer = shown(reply.body)
            status, retry_after = reply.status, _seconds(reply.headers.get("retry-after", ""))
        except ValueError:  # the operator's policy has changed since the webhook was created
            error = REFUSED
        except NoAnswerError as failed:
            error = failed.why
        outcome = AttemptOutcome(status, error, time.monotonic() - began, retry_after)
        WEBHOOK_SECONDS.observe(outcome.seconds)
        WEBHOOK_ATTEMPTS.labels("delivered" if outcome.delivered else error or "answered").inc()
        return outcome, answer

    def _settled(
        self,
        taken: TakenWebhook,
        hook: Webhook | PushSubscription,
        told: NextAttempt,
        *,
        attempt: bytes = b"",
        ping: str = "",
        again: str = "",
        not_before: int = 0,
    ) -> None:
        """Store the outcome for a webhook that this sender has taken."""
        state, why = told.state, told.disabled
        more = notices.next_after(self._redis, hook.player, state.cursor)
        disabled = orjson.dumps({"at": from_ms(taken.now), "reason": why}) if why else b""
        fields = [word for name in NUMBERS for word in (name, getattr(state, name))]
        self._settle(
            [
                taken.lane, *LANES, UNSENT, state_key(hook.id), attempts_key(hook.id), DISABLED,
                again_key(hook.id),
            ],
            [
                hook.id, taken.group, taken.until, state.cursor, ping, 3 if state.slow else 2,
                "" if told.due_at is None else told.due_at, not_before or taken.now, disabled,
                attempt, ATTEMPTS_KEPT, state.told, "" if more is None else more.ms, again,
                *fields,
            ],
        )  # fmt: skip


def _message_of(hook: Webhook, notice: StoredNotice, now: int) -> Message:
    """Return the message of a notice.

    If the notice's data do not have the form that its kind requires, return the message ``resync``
    instead.
    """
    try:
        return messages.told(hook.id, notice)
    except UnfitMessageError as error:
        log.error("notice_unfit", notice=notice.id, kind=notice.kind, why=str(error))  # noqa: TRY400
        return messages.resync(hook.id, notice.id, from_ms(now))


def _seconds(text: str) -> int:
    """Return the seconds in a ``Retry-After`` header; 0 for a date or no header."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0


def shown(body: bytes) -> str:
    """Return the beginning of an answer as text; each unprintable character becomes U+FFFD.

    The text comes from a stranger's server, so control and format characters are replaced as well.
    """
    text = body[:SHOWN_BYTES].decode(errors="replace")
    return "".join(sign if sign.isprintable() or sign in "\n\t" else "\ufffd" for sign in text)
