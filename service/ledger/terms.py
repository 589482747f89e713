"""The terms of a table: those decisions of its host that are not part of the record.

The terms are stored beside the stream, in a Redis hash. The append that opens the table writes this
hash. The terms are not in the record for two reasons: a record need only prove how the game was
played, and it may be necessary to erase a title later. The field ``TERMS`` never changes. Other
fields are the current host, invitations and guests.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple, Self

import orjson
from redis import Redis

from rules.kernel.canonical import JsonObject
from rules.kernel.record.game import LOBBY, Game
from rules.kernel.record.instants import from_ms, to_ms
from service.redis.keys import game_key

BESIDE = "table"
"""The name of the Redis hash beside a game's stream."""
TERMS = "terms"
"""The field that holds the terms."""

SETTLED = "rating_rule"
"""The field that a rated table gets at the start of its game: the terms' ``rating_rule``."""

HOST = "host"
"""The field with the current host, if the table was handed over."""
HANDED_BY = "handed_by"
"""The field with the player who handed the table over."""
TOMBSTONE = b""
"""The value of a field that was removed after its game had left the store.

The archive still has the field, and the tombstone hides it. No other field is empty.
"""
DECLINED = "declined:"
"""The prefix of the fields with the reasons why challenges were declined, by seat."""

PUBLIC, UNLISTED, PRIVATE = "public", "unlisted", "private"
VISIBILITIES = (PUBLIC, UNLISTED, PRIVATE)
"""Values of a table's visibility, from the most open.

They are: listed for all; open to anybody with the id; only for seats, guests and the host.
"""
FIXED, RANDOM = "fixed", "random"
"""Modes of seating: as people sat down, or drawn once the last seat is taken."""


FIRST_RULE, NEWEST_RULE = 1, 2
"""Rules by which rated games count (``service.skill.repeats``)."""
UNRATED = 0
"""The ``rating_rule`` of a table that was opened as rated, and whose game does not count."""

CHALLENGE_SECONDS = 120
"""Time that a challenged bot account has to come, unless the host says otherwise."""


class Challenge(NamedTuple):
    """A seat that is kept for a bot account until it comes, declines, or its time is over.

    ``instead`` is the bot of the service that then takes the seat, as a holder; if it is None, the
    seat is then open.
    """

    seat: int
    player: str
    instead: JsonObject | None = None


class TableTerms(NamedTuple):
    """The terms of a table.

    ``reserved`` has the seats that are for one player each, as (seat, player). At a ``rated`` table
    only people sit, each on one seat, and its result counts for their ratings. ``challenges`` are
    valid for ``challenge_seconds`` after the table was opened.

    When the game of a rated table starts, ``rating_rule`` is settled: the rule by which the game
    counts (``service.skill.repeats``), or UNRATED. It is None before, and for games that started
    before there was more than one rule.
    """

    visibility: str = PUBLIC
    title: str | None = None
    tags: tuple[str, ...] = ()
    lobby_seconds: int | None = None
    seating: str = FIXED
    rematch_of: str | None = None
    rated: bool = False
    reserved: tuple[tuple[int, str], ...] = ()
    challenges: tuple[Challenge, ...] = ()
    challenge_seconds: int | None = None
    rating_rule: int | None = None

    @property
    def is_listed(self) -> bool:
        """Whether the table is in public lists."""
        return self.visibility == PUBLIC

    def dump(self) -> dict[str, bytes]:
        """Return the fields to store; empty for default terms."""
        if self == TableTerms():
            return {}
        fields = {name: value for name, value in self._asdict().items() if name != SETTLED}
        challenges = [tuple(one) for one in self.challenges]
        return {TERMS: orjson.dumps({**fields, "challenges": challenges})}

    def settled(self, rule: int) -> Self:
        """Return the terms of a rated table whose game has started by the rule, or UNRATED."""
        return self._replace(rated=rule != UNRATED, rating_rule=rule)

    @classmethod
    def load(cls, raw: bytes | None, rule: bytes | None = None) -> Self:
        """Read the stored terms, and the field SETTLED; defaults if there are none."""
        if raw is None:
            return cls()
        found = orjson.loads(raw)
        reserved = tuple((seat, player) for seat, player in found.pop("reserved"))
        challenges = tuple(Challenge(*one) for one in found.pop("challenges", ()))
        known = {"tags": tuple(found["tags"]), "reserved": reserved, "challenges": challenges}
        terms = cls(**{**found, **known})
        return terms if rule is None else terms.settled(int(rule))

    @classmethod
    def of(cls, redis: Redis, game_id: str) -> Self:
        """Return a game's stored terms."""
        raws: Any = redis.hmget(game_key(game_id, BESIDE), TERMS, SETTLED)
        return cls.load(*raws)


DEFAULT_TERMS = TableTerms()


def lobby_deadline(game: Game, terms: TableTerms) -> int | None:
    """Return the time (ms since 1970) at which a waiting table is cancelled; None means never."""
    if terms.lobby_seconds is None or game.status != LOBBY or game.suspended_at:
        return None
    return to_ms(game.created_at) + 1000 * terms.lobby_seconds


def challenges_end(game: Game, terms: TableTerms) -> int:
    """Return the time (ms since 1970) when a table's challenges are over."""
    return to_ms(game.created_at) + 1000 * (terms.challenge_seconds or CHALLENGE_SECONDS)


def replaced(game: Game, terms: TableTerms) -> list[Challenge]:
    """Return the challenges whose seats are open, and go to a bot of the service if nobody comes.

    Only a table in the lobby has any.
    """
    if game.status != LOBBY or game.suspended_at:
        return []
    return [
        one
        for one in terms.challenges
        if one.instead is not None and game.seats[one.seat].holder is None
    ]


def challenge_deadline(game: Game, terms: TableTerms) -> int | None:
    """Return the time (ms since 1970) when bots take the seats of ``replaced``, if any."""
    return challenges_end(game, terms) if replaced(game, terms) else None


def lobby_until(game: Game, terms: TableTerms) -> str | None:
    """Return ``lobby_deadline`` as a datetime."""
    ends = lobby_deadline(game, terms)
    return None if ends is None else from_ms(ends)


def without_players(fields: Mapping[str, str], left: frozenset[str]) -> dict[str, str]:
    """Return the fields of the table of a finished game, without what is only about some players.

    The players ``left`` have left the installation. What goes is that they were guests, were sent
    away, came from somebody's address or had a seat kept, and what they wrote when they declined.
    Who opened and who hosted the table stays, like the seats in the record.
    """
    kept = {
        name: value
        for name, value in fields.items()
        # The name may be ``guest:<player>`` or ``one_address:<player> <player>``.
        if left.isdisjoint(name.partition(":")[2].split())
        and not (name == HANDED_BY and value in left)
    }
    terms = orjson.loads(fields.get(TERMS, "{}"))
    reserved, challenges = terms.get("reserved", []), terms.get("challenges", [])
    if left.isdisjoint(player for _seat, player, *_instead in [*reserved, *challenges]):
        return kept
    for seat, player, _instead in challenges:
        if player in left:
            kept.pop(f"{DECLINED}{seat}", None)
    terms["reserved"] = [each for each in reserved if each[1] not in left]
    terms["challenges"] = [each for each in challenges if each[1] not in left]
    return {**kept, TERMS: orjson.dumps(terms).decode()}
