"""Kinds of players, person or program, and the right to sit at rated tables that follows.

A player is a person by default. A key beside the player says ``BOT``, for good, or, for a person at
rated tables, the newest part in one: ``seated``, or ``PLAYED`` once such a game has started. The
key is not in the game's slot, so a person's part is *claimed* before the events are appended; a
program's claim is refused. A claim is valid for a moment, in which the player cannot become a
program; later that succeeds only if the key is unchanged. So of two concurrent requests, to sit
down and to become a program, the later one is refused.

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
"""So long after it was claimed a part can be appended."""
_OPEN_MS = 2 * _CLAIM_MS
"""So long at least nobody takes it for vain."""
_CLAIMED = "claimed"
_CLAIM, _SETTLE = (
    resources.files("service.ledger").joinpath(f"{name}_parts.lua").read_text()
    for name in ("claim", "settle")
)


class Participation(NamedTuple):
    """A person's part in a rated table: the key's value once a batch is appended."""

    player: str
    mark: str


class ParticipationClaim(NamedTuple):
    """Parts that were claimed ``at`` a time (ms since 1970)."""

    parts: Sequence[Participation]
    at: int

    @property
    def until(self) -> int | None:
        """The time (ms) until which a batch with these parts can be appended; None: any time."""
        return self.at + _CLAIM_MS if self.parts else None


class Participations:
    """The parts of people in a store's rated tables."""

    def __init__(self, redis: Redis) -> None:
        self._claim = Script(redis, _CLAIM)
        self._settle = Script(redis, _SETTLE)

    def claim(self, parts: Sequence[Participation]) -> ParticipationClaim:
        """Claim parts, before they are appended.

        Raises:
            RefusedError: ``rated_table``: one is a program's.

        """
        if not parts:
            return ParticipationClaim((), 0)
        at: Any = self._claim(_keys(parts), [_CLAIMED, *(part.mark for part in parts)])
        if at is None:
            raise for_people()
        return ParticipationClaim(parts, int(at))

    def settle(self, claim: ParticipationClaim) -> None:
        """Confirm that the parts were appended."""
        if claim.parts:
            marks = (part.mark for part in claim.parts)
            self._settle(_keys(claim.parts), [f"{_CLAIMED} {claim.at} ", *marks])


def _keys(parts: Sequence[Participation]) -> list[str]:
    return [kind_key(part.player) for part in parts]


def kind_key(player_id: str) -> str:
    """Return the key that holds a player's kind."""
    return meta_key(f"kind:{player_id}")


def kind_of(mark: bytes | None) -> str:
    """Return the kind that this mark stands for."""
    return BOT if mark == BOT.encode() else PERSON


def is_claimed(mark: bytes, now: int) -> bool:
    """Whether a part was claimed so recently that it may still be appended; ``now`` in ms."""
    words = mark.split()
    return words[:1] == [_CLAIMED.encode()] and now - int(words[1]) <= _OPEN_MS


def for_people() -> RefusedError:
    """Return the refusal of a program at a table that counts for ratings of people."""
    return RefusedError("rated_table", "a rated table is for people, not for programs")


def need_person(redis: Redis, player_id: str) -> None:
    """Raise the refusal of ``for_people`` if a player is a program, before anything is done."""
    noted: Any = redis.get(kind_key(player_id))
    if kind_of(noted) == BOT:
        raise for_people()


def parts_in(before: Game, after: Game, terms: TableTerms) -> list[Participation]:
    """Return the rated-table parts of a batch that turned ``before`` into ``after``.

    These are its opener, newcomers, and at the start all players.
    """
    if not terms.rated:
        return []
    if before.state is None and after.state is not None:
        return [Participation(player, PLAYED) for player in sorted(_seated(after))]
    new = _seated(after) - _seated(before)
    if not before.created and "player" in after.created_by:
        new.add(after.created_by["player"])
    return [Participation(player, f"seated {after.id} {after.version}") for player in sorted(new)]


def _seated(game: Game) -> set[str]:
    holders = (holding.holder for holding in game.seats)
    return {holder["player"] for holder in holders if holder is not None and "player" in holder}
