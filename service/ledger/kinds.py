"""What a player is, a person or a program, and who may therefore sit at a rated table.

Whoever has not said otherwise is a person. A key beside the player says ``BOT``, for good, or, of a
person who has to do with rated tables, where that was last: ``seated``, or ``PLAYED`` once such a
game has started. It lies in no game's slot, so it is *claimed* before the events are appended, and
not by a program. What is claimed can be appended for a moment, in which nobody becomes a program;
whoever does so later, does if the key is still as it was judged by. So of two at once, to sit down
and to become a program, the later one is refused.

A release that does not know these keys has no rated tables either.
"""

from collections.abc import Sequence
from importlib import resources
from typing import Any, NamedTuple

from redis import Redis

from rules.kernel.record.batch import Refused
from rules.kernel.record.game import Game
from service.ledger.terms import Terms
from service.redis.keys import meta_key
from service.redis.scripts import Script

PERSON, BOT = KINDS = ("person", "bot")
PLAYED = "played"
"""What the key of a person says who has played rated."""


_CLAIM_MS = 2_000
"""So long after it was claimed a part can be appended."""
_OPEN_MS = 2 * _CLAIM_MS
"""So long at least nobody takes it for vain."""
_CLAIMED = "claimed"
_CLAIM, _SETTLE = (
    resources.files("service.ledger").joinpath(f"{name}_parts.lua").read_text()
    for name in ("claim", "settle")
)


class Part(NamedTuple):
    """A person's part in a rated table: what the key says once a batch is appended."""

    player: str
    mark: str


class Claim(NamedTuple):
    """Parts that were claimed ``at`` a time (ms since 1970)."""

    parts: Sequence[Part]
    at: int

    @property
    def until(self) -> int | None:
        """Until when (ms) a batch with these parts can be appended; None: at any time."""
        return self.at + _CLAIM_MS if self.parts else None


class Parts:
    """The parts of people in the rated tables of a store."""

    def __init__(self, redis: Redis) -> None:
        self._claim = Script(redis, _CLAIM)
        self._settle = Script(redis, _SETTLE)

    def claim(self, parts: Sequence[Part]) -> Claim:
        """Claim parts, before they are appended.

        Raises:
            Refused: ``rated_table``: one is a program's.

        """
        if not parts:
            return Claim((), 0)
        at: Any = self._claim(_keys(parts), [_CLAIMED, *(part.mark for part in parts)])
        if at is None:
            raise for_people()
        return Claim(parts, int(at))

    def settle(self, claim: Claim) -> None:
        """Note that the parts were appended."""
        if claim.parts:
            marks = (part.mark for part in claim.parts)
            self._settle(_keys(claim.parts), [f"{_CLAIMED} {claim.at} ", *marks])


def _keys(parts: Sequence[Part]) -> list[str]:
    return [kind_key(part.player) for part in parts]


def kind_key(player_id: str) -> str:
    """Return the key that says what a player is."""
    return meta_key(f"kind:{player_id}")


def kind_of(mark: bytes | None) -> str:
    """Return the kind of a player with this mark."""
    return BOT if mark == BOT.encode() else PERSON


def is_claimed(mark: bytes, now: int) -> bool:
    """Whether a part was claimed so lately that it may still be appended; ``now`` in ms."""
    words = mark.split()
    return words[:1] == [_CLAIMED.encode()] and now - int(words[1]) <= _OPEN_MS


def for_people() -> Refused:
    """Return the refusal of a program where ratings of people come of it."""
    return Refused("rated_table", "a rated table is for people, not for programs")


def need_person(redis: Redis, player_id: str) -> None:
    """Raise it if a player is a program now, before anything is done for him."""
    noted: Any = redis.get(kind_key(player_id))
    if kind_of(noted) == BOT:
        raise for_people()


def parts_in(before: Game, after: Game, terms: Terms) -> list[Part]:
    """Return the parts, at a rated table, of a batch that made ``after`` of ``before``.

    That is who opens it or sits down, and at the start, all who sit there.
    """
    if not terms.rated:
        return []
    if before.state is None and after.state is not None:
        return [Part(player, PLAYED) for player in sorted(_seated(after))]
    new = _seated(after) - _seated(before)
    if not before.created and "player" in after.created_by:
        new.add(after.created_by["player"])
    return [Part(player, f"seated {after.id} {after.version}") for player in sorted(new)]


def _seated(game: Game) -> set[str]:
    holders = (holding.holder for holding in game.seats)
    return {holder["player"] for holder in holders if holder is not None and "player" in holder}
