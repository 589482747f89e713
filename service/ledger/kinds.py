"""What a player is, a person or a program, and who may therefore sit at a rated table.

Whoever has not said otherwise is a person. A key beside the player says ``BOT``, for good, or, of a
person who has to do with rated tables, where that was last: ``seated``, or ``PLAYED`` once such a
game has started. The script that appends the events writes it with them, and appends none that a
program has part in. Who becomes a program does so if the key is still as it was judged by. So of
two at once, to sit down and to become a program, the later one is refused.

A release that does not know these keys has no rated tables either.
"""

from typing import Any, NamedTuple

from redis import Redis

from rules.kernel.record.batch import Refused
from rules.kernel.record.game import Game
from service.ledger.terms import Terms
from service.redis.keys import meta_key

PERSON, BOT = KINDS = ("person", "bot")
PLAYED = "played"
"""What the key of a person says who has played rated."""


class Part(NamedTuple):
    """A person's part in a rated table: what the key says once a batch is appended."""

    player: str
    mark: str


def kind_key(player_id: str) -> str:
    """Return the key that says what a player is."""
    return meta_key(f"kind:{player_id}")


def kind_of(mark: bytes | None) -> str:
    """Return what a player is whose key says this."""
    return BOT if mark == BOT.encode() else PERSON


def for_people() -> Refused:
    """Return the refusal of a program where ratings of people come of it."""
    return Refused("rated_table", "a rated table is for people, not for programs")


def need_person(redis: Redis, player_id: str) -> None:
    """Raise it if a player is a program now, before anything is done for him."""
    noted: Any = redis.get(kind_key(player_id))
    if kind_of(noted) == BOT:
        raise for_people()


def parts_in(before: Game, after: Game, terms: Terms) -> list[Part]:
    """Return who has part in a batch that made ``after`` of ``before``, if the table is rated.

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
