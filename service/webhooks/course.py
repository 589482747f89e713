"""The state machine of deliveries: repetition of attempts, and disabling of webhooks."""

import random
from typing import NamedTuple

from service.webhooks.receivers import ReceiverState
from service.webhooks.records import FAILING, GONE

DELAYS = (5, 300, 1_800, 7_200, 18_000, 36_000, 50_400)
"""Seconds after which a message is tried again; after the last try it is given up."""
JITTER = 0.2
"""The maximum share by which each pause is lengthened."""
DISABLED_AFTER_MS = 5 * 24 * 3_600_000
"""Time of continuous failure after which a webhook is disabled."""
PER_MINUTE = 120
"""Maximum messages to a webhook in a minute of the clock."""
SLOW_SECONDS = 2.0
"""Seconds above which a receiver counts as slow, until SLOW_FOR of its answers are faster."""
SLOW_FOR = 10
_MINUTE_MS = 60_000
_LONGEST_WAIT = 24 * 3_600


class AttemptOutcome(NamedTuple):
    """The outcome of an attempt to send a message.

    ``status`` is the status of the answer. If there was no answer, ``status`` is None and ``error``
    says why. ``retry_after`` is the answer's Retry-After in seconds; it is 0 if the answer has
    none.
    """

    status: int | None
    error: str | None
    seconds: float
    retry_after: int = 0

    @property
    def delivered(self) -> bool:
        """Whether the receiver has accepted the message."""
        return self.status is not None and 200 <= self.status < 300


class NextAttempt(NamedTuple):
    """The next attempt: at ``due_at`` (ms), or at once if that is None.

    ``done``: the message is not sent again. ``disabled`` is the reason for disabling the webhook.
    """

    state: ReceiverState
    done: bool
    due_at: int | None = None
    disabled: str | None = None


def full_until(state: ReceiverState, now: int) -> int | None:
    """Return the time (ms) at which a webhook may get more messages, None if that is now."""
    full = state.minute == now // _MINUTE_MS and state.in_minute >= PER_MINUTE
    return (state.minute + 1) * _MINUTE_MS if full else None


def after_attempt(
    state: ReceiverState, outcome: AttemptOutcome, now: int, rng: random.Random
) -> NextAttempt:
    """Return the next state after an attempt at ``now`` (ms since 1970)."""
    state = _counted(state, outcome, now)
    if outcome.delivered:
        return NextAttempt(state._replace(attempts=0, failing_since=0), done=True)
    state = state._replace(attempts=state.attempts + 1, failing_since=state.failing_since or now)
    if outcome.status == 410:
        return NextAttempt(state, done=False, disabled=GONE)
    if now - state.failing_since >= DISABLED_AFTER_MS:
        return NextAttempt(state, done=False, disabled=FAILING)
    if state.attempts > len(DELAYS):
        return NextAttempt(state._replace(attempts=0), done=True)
    wait = DELAYS[state.attempts - 1] * (1 + JITTER * rng.random())
    wait = max(wait, min(outcome.retry_after, _LONGEST_WAIT))
    return NextAttempt(state, done=False, due_at=now + int(1000 * wait))


def after_ping(state: ReceiverState, outcome: AttemptOutcome, now: int) -> NextAttempt:
    """Return the next state after a test message, which is sent once."""
    state = _counted(state, outcome, now)
    if outcome.delivered:
        state = state._replace(attempts=0, failing_since=0)
    return NextAttempt(state, done=True)


def _counted(state: ReceiverState, outcome: AttemptOutcome, now: int) -> ReceiverState:
    """Return the state of a webhook after one more attempt to send a message.

    ``in_minute`` counts the attempt. A slow answer sets ``slow`` to SLOW_FOR. A quick answer that
    accepts the message reduces ``slow`` by 1, down to 0. A quick failure raises ``slow`` to 1 if it
    was 0.
    """
    minute = now // _MINUTE_MS
    sent = state.in_minute if state.minute == minute else 0
    if outcome.seconds > SLOW_SECONDS:
        slow = SLOW_FOR
    elif outcome.delivered:
        slow = max(0, state.slow - 1)
    else:
        slow = max(1, state.slow)
    return state._replace(slow=slow, minute=minute, in_minute=sent + 1)
