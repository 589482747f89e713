"""A consumer's position in each shard's feed, stored in the shard."""

from collections.abc import Mapping
from importlib import resources
from typing import Any, NamedTuple

from redis import Redis

from service.following.consumer import Lead, LostLeadError
from service.ledger.feeds import START, TAIL, TAILS, order
from service.redis.keys import ALL_SHARDS, shard_key
from service.redis.scripts import Script

FOLLOWED = "followed"
"""The Redis hash in each shard: consumer → its position, and its leader's token."""
_SCRIPT = resources.files("service.following").joinpath("cursor.lua").read_text()


class Cursor(NamedTuple):
    """A position in a feed, and the feed's newest entry (START in an empty feed)."""

    place: str
    newest: str


class FeedCursors:
    """The cursors of a consumer, by shard.

    All methods raise LostLeadError if another process leads.
    """

    def __init__(self, redis: Redis, consumer: str) -> None:
        self._consumer = consumer
        self._script = Script(redis, _SCRIPT)

    def claim(self, lead: Lead) -> list[Cursor]:
        """Return all cursors. From now on no earlier leader can move them."""
        return [
            Cursor(place.decode(), newest.decode() or START)
            for place, newest in self._ask(lead, dict.fromkeys(ALL_SHARDS, ""))
        ]

    def move(self, lead: Lead, places: Mapping[int, str]) -> None:
        """Store how far the consumer has read: ``places`` has a position in the feed of each shard.

        Shards that are not in ``places`` keep their positions.
        """
        self._ask(lead, places)

    def _ask(self, lead: Lead, places: Mapping[int, str]) -> list[Any]:
        answers = self._script.each(
            (
                [shard_key(shard, FOLLOWED), shard_key(shard, TAIL)],
                [self._consumer, lead.token, place],
            )
            for shard, place in places.items()
        )
        if None in answers:
            raise LostLeadError("another process leads by now")
        return answers


def behind_since(redis: Redis, consumer: str) -> int | None:
    """Return the time (ms since 1970) of the oldest entry that a consumer has not processed.

    Return None if the consumer has processed all entries.
    """
    pipe = redis.pipeline(transaction=False)
    for shard in ALL_SHARDS:
        pipe.hget(shard_key(shard, FOLLOWED), consumer)
    places = [START if place is None else place.decode() for place in pipe.execute()]
    pipe = redis.pipeline(transaction=False)
    for feed, place in zip(TAILS, places, strict=True):
        pipe.xrange(feed, f"({place}", "+", 1)
    return min((order(found[0][0].decode())[0] for found in pipe.execute() if found), default=None)
