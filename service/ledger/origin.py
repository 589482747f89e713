"""The origin of an imported game or tournament, stored beside its stream.

The stream itself stays exactly as it was recorded, because any change would break its hashes. This
installation does not sign the stream's head: the installation that played the game signed the
receipt in the record.
"""

from typing import Any, NamedTuple, Self

import orjson
from redis import Redis

from rules.kernel.canonical import JsonObject
from service.redis.keys import game_key

IMPORTED = "imported"
"""The key beside a stream that holds its origin."""


class Origin(NamedTuple):
    """The importer of a game or tournament, the time, and the signed head of its record.

    ``is_own``: whether this installation's key signed the head.
    """

    by: str
    at: str
    public_key: str
    receipt: JsonObject
    is_own: bool

    def dump(self) -> bytes:
        """Return the origin in its stored form."""
        return orjson.dumps(self._asdict())

    @classmethod
    def of(cls, redis: Redis, stream_id: str) -> Self | None:
        """Return the origin of a game or tournament; None if it was played here."""
        raw: Any = redis.get(game_key(stream_id, IMPORTED))
        return cls.load(raw)

    @classmethod
    def load(cls, raw: bytes | None) -> Self | None:
        """Read the result of ``dump``; None if nothing is stored."""
        return None if raw is None else cls(**orjson.loads(raw))

    def to_json(self) -> JsonObject:
        """Return the public form."""
        return {
            "by": self.by,
            "at": self.at,
            "key_id": self.receipt["key_id"],
            "public_key": self.public_key,
        }
