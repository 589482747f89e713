"""Where a game or tournament came from that was imported: noted beside its stream.

The stream itself stays as it was recorded, for its hashes prove it. Nobody here signs its head: the
receipt that came with it says what whoever played or held it has promised.
"""

from typing import Any, NamedTuple, Self

import orjson
from redis import Redis

from rules.kernel.canonical import JsonObject
from service.redis.keys import game_key

IMPORTED = "imported"
"""The key beside a stream that holds its origin."""


class Origin(NamedTuple):
    """Who imported a game or tournament, when, and the signed head that its record had.

    ``is_own``: whether it was signed with the key of this installation.
    """

    by: str
    at: str
    public_key: str
    receipt: JsonObject
    is_own: bool

    def dump(self) -> bytes:
        """Return it as it is stored."""
        return orjson.dumps(self._asdict())

    @classmethod
    def of(cls, redis: Redis, stream_id: str) -> Self | None:
        """Return the origin of a game or tournament, None if it was played here."""
        raw: Any = redis.get(game_key(stream_id, IMPORTED))
        return cls.load(raw)

    @classmethod
    def load(cls, raw: bytes | None) -> Self | None:
        """Read what is stored beside a stream, None if nothing is."""
        return None if raw is None else cls(**orjson.loads(raw))

    def to_json(self) -> JsonObject:
        """Return the public form."""
        return {
            "by": self.by,
            "at": self.at,
            "key_id": self.receipt["key_id"],
            "public_key": self.public_key,
        }
