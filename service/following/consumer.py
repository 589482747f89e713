"""The interface between the follower and its consumers."""

from collections.abc import Callable, Sequence
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


class StandsStillError(Exception):
    """A consumer cannot work until an operator has decided; the message says what about.

    The follower gives the lead back, so that the operator may take it, and later tries again.
    """


Renewed = Callable[[], Lead]
"""Returns the lead, renewed if it is due: whatever takes long asks for it again and again.

It raises LostLeadError if the lease has expired, so that another process may have led.
"""


class StreamAdvance(NamedTuple):
    """A stream reached a ``version`` at the time ``at`` (ms since 1970, by the store's clock).

    ``head`` has the first bytes of the hash of the stream's newest event. ``notices`` are the
    notices for players (``service.ledger.notices``), as JSON. ``closes`` is whether this closed a
    table that waits for a beacon.
    """

    at: int
    stream_id: str
    version: int
    head: bytes
    notices: bytes
    closes: bool = False


class Consumer(Protocol):
    """Writes derived data that are in other cluster slots than the appended events.

    Every call may be repeated: after a kill, or by a process that has lost the lead. A repetition
    must change nothing. A consumer never writes after ``lead.until``. A RedisError makes the
    follower repeat the call; any other error that concerns a single stream is logged, and that
    stream is left out.
    """

    name: str
    """Names the consumer's lease and cursors; it must never change."""

    def take(self, news: Sequence[StreamAdvance], lead: Lead) -> None:
        """Process advances of streams. The advances of one shard come in their order."""
        ...

    def missed(self, stream_id: str, since: int, lead: Lead) -> None:
        """Process a stream's events from the time ``since`` (ms since 1970) on.

        This is called when the stream's feed has dropped some entries.
        """
        ...

    def is_durable(self, renewed: Renewed) -> bool:
        """Whether nothing is lost if the process is killed now, so that the cursors may move.

        This is called about once a second. A consumer that gathers what it takes may write it then,
        for longer than a lease if it keeps the lead ``renewed``.

        Raises:
            StandsStillError: nothing can be written.
        """
        ...
