"""The keys of people's ratings, and how far they are computed."""

from secrets import token_hex
from typing import Any, NamedTuple, Self

import orjson
from redis import Redis

from service.skill.weng_lin import FORMULA

PREFIX = f"lonja:{{ratings_{FORMULA}}}:"
"""The prefix of all keys, with their hash tag.

It names the formula: with a new formula, all games are counted again, under new keys.
"""
COUNTED, SHOWN = PREFIX + "counted", PREFIX + "shown"
ROWS = PREFIX + "rows"
"""The Redis hash that says where the rows of games are, with the two fields that follow."""
STORE_ID = "store"
"""A random word: the computations of this store; those of another one have the same numbers."""
ROWS_GONE = "gone"
"""It is there once rows leave this store; it is ROWS_DONE when they have."""
ROWS_DONE = b"done"


class CountKeys(NamedTuple):
    """The names of all keys of one computation of the ratings.

    A computation that starts over gets a new ``number``.
    """

    number: int

    @property
    def all(self) -> str:
        """The prefix of all keys."""
        return f"{PREFIX}{self.number}:"

    def of(self, player: str) -> str:
        """Return the name of the Redis hash that has a player's ratings, by ruleset."""
        return f"{self.all}of:{player}"

    @property
    def ends(self) -> str:
        """The Redis hash with the ends of alike games (``repeats``)."""
        return f"{self.all}ends"

    def order(self, ruleset: str) -> str:
        """Return the name of the sorted set that has the players of a ruleset, best first."""
        return f"{self.all}order:{ruleset}"

    # Rows of games, which leave the store

    @property
    def games(self) -> str:
        """The Redis hash with the weight of each game and the ratings before and after it."""
        return f"{self.all}games"

    def counted(self, ruleset: str) -> str:
        """Return the name of the list of a ruleset's games that counted, in their order."""
        return f"{self.all}counted:{ruleset}"

    def history(self, ruleset: str, player: str) -> str:
        """Return the name of the list of a player's games that counted, oldest first."""
        return f"{self.all}history:{ruleset}:{player}"


def has_rows(key: str) -> bool:
    """Whether a key of some computation has rows of games."""
    kind = key.removeprefix(PREFIX).split(":")[1]
    return kind in ("games", "counted", "history")


def ms_at(place: str) -> int:
    """Return when the game at a place ended, in ms since 1970; 0 for the place before all."""
    return int(place.partition(":")[0] or 0)


class CountProgress(NamedTuple):
    """The progress of the computation with this ``number`` (``CountKeys``).

    ``games`` is how many games it has counted. ``place`` is the place of the last of them in the
    list of rated games. ``past`` is the number of games that it has counted out of packs, less that
    of all games that had left the store's list when it began.
    """

    number: int = 0
    games: int = 0
    place: str = ""
    past: int = 0

    @property
    def ended_ms(self) -> int:
        """When the last game ended, in ms since 1970; 0 if there is none."""
        return ms_at(self.place)

    def dump(self) -> bytes:
        """Return the stored form."""
        return orjson.dumps([*self])

    @classmethod
    def load(cls, raw: bytes | None) -> Self:
        """Read the stored form; None gives that of a computation that has not begun."""
        return cls() if raw is None else cls(*orjson.loads(raw))


class RatingState(NamedTuple):
    """What a store says of its ratings.

    ``shown`` is the number of the computation that is shown, 0 if there is none yet. ``progress``
    is that of the newest one. ``store`` is the value of STORE_ID, and ``rows_gone`` is whether the
    rows of games have left the store, or are leaving it.
    """

    shown: int
    progress: CountProgress
    store: str
    rows_gone: bool

    @classmethod
    def of(cls, redis: Redis) -> Self:
        """Read it."""
        pipe = redis.pipeline(transaction=False)
        pipe.mget(SHOWN, COUNTED)
        pipe.hmget(ROWS, STORE_ID, ROWS_GONE)
        (shown, counted), (store, gone) = pipe.execute()
        name = "" if store is None else store.decode()
        return cls(int(shown or 0), CountProgress.load(counted), name, gone is not None)


def name_store(redis: Redis) -> str:
    """Return the value of STORE_ID, after it was chosen if there was none."""
    redis.hsetnx(ROWS, STORE_ID, token_hex(8))
    found: Any = redis.hget(ROWS, STORE_ID)
    name: str = found.decode()
    return name
