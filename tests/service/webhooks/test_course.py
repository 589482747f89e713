"""The next state after an attempt, without a store and a receiver."""

import random

import pytest

from service.webhooks.course import DELAYS, JITTER, AttemptOutcome, after_attempt
from service.webhooks.receivers import ReceiverState

NOW = 1_767_225_600_000
DAY = 24 * 3_600


@pytest.mark.parametrize(
    ("asked", "least", "most"),
    [
        (0, DELAYS[0], DELAYS[0] * (1 + JITTER)),
        (1, DELAYS[0], DELAYS[0] * (1 + JITTER)),  # no sooner than without it
        (77, 77, 77),
        (10 * DAY, DAY, DAY),
    ],
)
def test_a_receiver_says_when_to_come_again(asked: int, least: float, most: float) -> None:
    """``Retry-After`` (RFC 9110, 10.2.3) counts if it is later, up to a day."""
    then = after_attempt(
        ReceiverState(), AttemptOutcome(503, None, 0.1, asked), NOW, random.Random(1)
    )
    assert not then.done
    assert then.due_at is not None
    assert 1_000 * least <= then.due_at - NOW <= 1_000 * most
