"""Kinds of players, person or program; only people may sit at rated tables.

A player is a person by default. A Redis key beside the player holds ``BOT`` for a program,
permanently. For a person at rated tables it holds the newest participation: ``seated``, or
``PLAYED`` once a rated game has started. This key is not in the game's slot, so a person's
participation is *claimed* before the events are appended; a program's claim is refused. A claim is
valid for some seconds, in which the player cannot become a program. So of two concurrent requests,
to sit down and to become a program, the later one is refused.

A release that does not know these keys has no rated tables either.
"""

from collections.abc import Sequence
from importlib import resources
from typing import Any, NamedTuple

from redis import Redis

from rules.kernel.record.batch import RefusedError
from rules.kernel.record.game import Game
from service.ledger.terms import TableTerms
from service.redis.keys import meta_key
from service.redis.scripts import Script

PERSON, BOT = KINDS = ("person", "bot")
PLAYED = "played"
"""The value of a person's key after a rated game."""


_CLAIM_MS = 2_000
"""Time after a claim in which the batch can be appended."""
_OPEN_MS = 2 * _CLAIM_MS
"""Time after which an unsettled claim counts as abandoned."""
_CLAIMED = "claimed"
_CLAIM, _SETTLE = (
    resources.files("service.ledger").joinpath(f"{name}_parts.lua").read_text()
    for name in ("claim", "settle")
)


class Participation(NamedTuple):
    """A player's participation at a rated table, which shows that he is a person.

    When the events are appended, the key ``kind_key(player)`` in Redis gets the value ``mark``. It
    is ``seated``, the game's id and its version; or PLAYED once a rated game has started.
    """

    player: str
    mark: str


class ParticipationClaim(NamedTuple):
    """Participations that were claimed at the time ``at`` (ms since 1970)."""

    parts: Sequence[Participation]
    at: int

    @property
    def until(self) -> int | None:
        """The time (ms since 1970) until which the batch can be appended; None means for ever."""
        return self.at + _CLAIM_MS if self.parts else None


class Participations:
    """The participations of people at a store's rated tables."""

    def __init__(self, redis: Redis) -> None:
        self._claim = Script(redis, _CLAIM)
        self._settle = Script(redis, _SETTLE)

    def claim(self, parts: Sequence[Participation]) -> ParticipationClaim:
        """Claim participations, before their batch is appended.

        Raises:
            RefusedError: ``rated_table``: a player is a program.

        """
        if not parts:
            return ParticipationClaim((), 0)
        at: Any = self._claim(_keys(parts), [_CLAIMED, *(part.mark for part in parts)])
        if at is None:
            raise for_people()
        return ParticipationClaim(parts, int(at))

    def settle(self, claim: ParticipationClaim) -> None:
        """Confirm that the batch of a claim was appended."""
        if claim.parts:
            marks = (part.mark for part in claim.parts)
            self._settle(_keys(claim.parts), [f"{_CLAIMED} {claim.at} ", *marks])


def _keys(parts: Sequence[Participation]) -> list[str]:
    return [kind_key(part.player) for part in parts]


def kind_key(player_id: str) -> str:
    """Return the key that holds a player's kind."""
    return meta_key(f"kind:{player_id}")


def kind_of(mark: bytes | None) -> str:
    """Return the kind of player that a key's value stands for."""
    return BOT if mark == BOT.encode() else PERSON


def is_claimed(mark: bytes, now: int) -> bool:
    """Whether ``mark`` is a claim whose batch may still be appended at ``now`` (ms)."""
    words = mark.split()
    return words[:1] == [_CLAIMED.encode()] and now - int(words[1]) <= _OPEN_MS


def for_people() -> RefusedError:
    """Return the refusal of a program at a rated table."""
    return RefusedError("rated_table", "a rated table is for people, not for programs")


def need_person(redis: Redis, player_id: str) -> None:
    """Raise the refusal of ``for_people`` if a player is a program."""
    noted: Any = redis.get(kind_key(player_id))
    if kind_of(noted) == BOT:
        raise for_people()


def parts_in(before: Game, after: Game, terms: TableTerms) -> list[Participation]:
    """Return the participations to claim for a batch that turns ``before`` into ``after``.

    If the batch starts the game, there is one for each player. If it does not, there is one for
    each player who sits down, and one for a player who opens the table.
    """
    if not terms.rated:
        return []
    if before.state is None and after.state is not None:
        return [Participation(player, PLAYED) for player in sorted(players_at(after))]
    new = players_at(after) - players_at(before)
    if not before.created and "player" in after.created_by:
        new.add(after.created_by["player"])
    return [Participation(player, f"seated {after.id} {after.version}") for player in sorted(new)]


def players_at(game: Game) -> set[str]:
    """Return the players who hold a seat."""
    holders = (holding.holder for holding in game.seats)
    return {holder["player"] for holder in holders if holder is not None and "player" in holder}
