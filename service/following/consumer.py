"""The interface between the follower and its consumers."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from redis.exceptions import RedisError


class LostLeadError(RedisError):
    """The lease has expired, so another process may lead; nothing was written afterwards."""


class Lead(NamedTuple):
    """The right to write derived data: a fencing ``token``, greater than all before it.

    It expires at ``until`` (ms since 1970, by the store's clock) unless it is renewed.
    """

    token: int
    until: int


class StreamAdvance(NamedTuple):
    """A stream reached a ``version`` at the time ``at`` (ms since 1970, by the store's clock).

    ``head`` has the first bytes of the hash of its newest event; ``notices`` are the notices for
    players (``service.ledger.notices``), as JSON.
    """

    at: int
    stream_id: str
    version: int
    head: bytes
    notices: bytes


class Consumer(Protocol):
    """A writer of derived data outside of the slots of appends.

    Every call may be repeated, after a kill or by a process that has lost the lead; a repetition
    must change nothing. A consumer never writes after ``lead.until``. A RedisError makes the
    follower repeat the call; any other error with one stream is logged, and the stream is left out.
    """

    name: str
    """Names the consumer's lease and cursors; it must never change."""

    def take(self, news: Sequence[StreamAdvance], lead: Lead) -> None:
        """Process advances of streams; those of one shard are in order."""
        ...

    def missed(self, stream_id: str, since: int, lead: Lead) -> None:
        """Process a stream's events from ``since`` (ms since 1970) on; its feed has lost some."""
        ...
