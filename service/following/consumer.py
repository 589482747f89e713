"""What the follower asks of whatever follows from appends."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from redis.exceptions import RedisError


class LostLeadError(RedisError):
    """Another process leads by now, or could: nothing was written after the lease was over."""


class Lead(NamedTuple):
    """The right to write what follows: a fencing ``token``, greater than all before it.

    It ends at ``until`` (ms since 1970, by the store's clock) if it is not renewed.
    """

    token: int
    until: int


class Moved(NamedTuple):
    """A stream has reached a ``version``, ``at`` a time (ms since 1970, by the store's clock).

    ``head`` begins the hash of its newest event; ``notices`` is what players are to be told of it
    (``service.ledger.notices``), as JSON.
    """

    at: int
    stream_id: str
    version: int
    head: bytes
    notices: bytes


class Consumer(Protocol):
    """What follows from appends, and lies in no slot of theirs.

    All that it is told may come again, after a kill or from a process that has lost the lead, and
    must change nothing then. It never writes after ``lead.until``. A RedisError has it told again;
    whatever else goes wrong with one stream, it logs and leaves out.
    """

    name: str
    """Names its lease and its cursors, for good."""

    def take(self, news: Sequence[Moved], lead: Lead) -> None:
        """Do what follows from these, which are in order, in each shard strictly so."""
        ...

    def missed(self, stream_id: str, since: int, lead: Lead) -> None:
        """Do what follows from a stream since a time (ms since 1970), by its own events.

        The feed has dropped some of it, and perhaps not all.
        """
        ...
