"""The terms of a table: what its host decided that is no part of the record.

They lie beside the stream, in a hash that the append which opens the table writes with it. The
record proves play; who may look on, titles and tags are the service's business, and words may have
to be forgotten. ``TERMS`` never changes; other fields are who the host is now, invitations, guests.
"""

from typing import Any, NamedTuple, Self

import orjson
from redis import Redis

from rules.kernel.record.game import LOBBY, Game
from rules.kernel.record.instants import from_ms, to_ms
from service.redis.keys import game_key

BESIDE = "table"
"""The hash beside a game's stream."""
TERMS = "terms"
"""Its field that holds the terms."""

HOST = "host"
"""Its field that names who hosts the table, if it was handed over."""

PUBLIC, UNLISTED, PRIVATE = "public", "unlisted", "private"
VISIBILITIES = (PUBLIC, UNLISTED, PRIVATE)
"""In the lists for all; for whoever has the id; for seats, guests and the host alone."""
FIXED, RANDOM = "fixed", "random"
"""Where people sit down is where they play; or that is drawn when the last seat is taken."""


class Terms(NamedTuple):
    """What a table is besides its record; a table of which nothing is kept has the defaults.

    ``reserved`` are the seats that only one player each may take, as (seat, player). At a ``rated``
    table only people sit, each on one seat, and the end counts for their ratings.
    """

    visibility: str = PUBLIC
    title: str | None = None
    tags: tuple[str, ...] = ()
    lobby_seconds: int | None = None
    seating: str = FIXED
    rematch_of: str | None = None
    rated: bool = False
    reserved: tuple[tuple[int, str], ...] = ()

    @property
    def is_listed(self) -> bool:
        """Whether everybody finds the table in lists."""
        return self.visibility == PUBLIC

    def dump(self) -> dict[str, bytes]:
        """Return the fields that are stored of it; none, if all are the defaults."""
        return {} if self == Terms() else {TERMS: orjson.dumps(self._asdict())}

    @classmethod
    def load(cls, raw: bytes | None) -> Self:
        """Return the terms that were dumped; defaults for a table that has none."""
        if raw is None:
            return cls()
        found = orjson.loads(raw)
        reserved = tuple((seat, player) for seat, player in found.pop("reserved"))
        return cls(**{**found, "tags": tuple(found["tags"]), "reserved": reserved})

    @classmethod
    def of(cls, redis: Redis, game_id: str) -> Self:
        """Return the terms of a game, as they are stored."""
        raw: Any = redis.hget(game_key(game_id, BESIDE), TERMS)
        return cls.load(raw)


DEFAULT_TERMS = Terms()


def lobby_deadline(game: Game, terms: Terms) -> int | None:
    """Return until when (ms since 1970) a table waits for its seats to be held; None: no term."""
    if terms.lobby_seconds is None or game.status != LOBBY or game.suspended_at:
        return None
    return to_ms(game.created_at) + 1000 * terms.lobby_seconds


def lobby_until(game: Game, terms: Terms) -> str | None:
    """Return the same as a time."""
    ends = lobby_deadline(game, terms)
    return None if ends is None else from_ms(ends)
