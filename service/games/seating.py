"""Drawing of seats, by the game's own committed chance.

The draw has the label ``lonja:seating`` and is not in the record; it can be repeated from the
chance seed of a finished record (docs/api/host.md, "Drawn seats"). It depends only on who plays:
leaving and coming back does not change it. A player's committed entropy moves with the player.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from rules.kernel.canonical import JsonObject, encode
from rules.kernel.contract.chance import chance_key, draw, shuffle_sizes, shuffled
from rules.kernel.contract.seats import Seat, by_seat
from rules.kernel.record.batch import Batch
from rules.kernel.record.game import LOBBY, Game

LABEL = "lonja:seating"


class SeatedHolder(NamedTuple):
    """A holder, with the committed entropy and the event that brought it, and the signing key."""

    holder: JsonObject | None
    commitment: str | None = None
    brought: int = 0
    key: str | None = None


def drawn(chance_seed: bytes, scope: str, holders: Sequence[JsonObject]) -> list[JsonObject]:
    """Return the holders of all seats in their drawn order."""
    key = chance_key(chance_seed, scope, [None] * len(holders))
    picks = draw(key, LABEL, 1, shuffle_sizes(len(holders)))
    return shuffled(sorted(holders, key=encode), picks)


def seated_as(
    order: Sequence[JsonObject | None], sitting: Sequence[SeatedHolder]
) -> list[SeatedHolder]:
    """Return each holder of ``order`` with the holder's commitment.

    The commitments of one holder on two seats keep their order.
    """
    left = [one for one in sitting if one.holder is not None]
    found = []
    for holder in order:
        one = next((one for one in left if one.holder == holder), SeatedHolder(None))
        if one.holder is not None:
            left.remove(one)
        found.append(one)
    return found


def is_last(game: Game, seat: Seat) -> bool:
    """Whether a seat is the only one of a table without a holder."""
    free = [number for number, holding in by_seat(game.seats) if holding.holder is None]
    return game.status == LOBBY and free == [seat]


def with_newcomer(
    game: Game, seat: Seat, holder: JsonObject, chance_seed: bytes
) -> list[JsonObject]:
    """Return the drawn order of seats after a newcomer has taken the last seat of a table."""
    others = [held.holder for number, held in by_seat(game.seats) if number != seat]
    return drawn(chance_seed, game.scope, [*(other for other in others if other), holder])


def make_room(
    game: Game, holder: JsonObject, order: Sequence[JsonObject]
) -> list[Callable[[Batch], None]]:
    """Return functions that seat all but the newcomer (``holder``) in the given ``order``.

    The newcomer's seat stays open, so that none of these functions starts the game.
    """
    place = order.index(holder)
    wanted = [None if seat == place else other for seat, other in enumerate(order)]
    moved = [seat for seat, holding in by_seat(game.seats) if holding.holder != wanted[seat]]
    held = [game.seats[seat] for seat in moved]
    left = [
        SeatedHolder(one.holder, one.entropy_commitment, one.brought, one.key or None)
        for one in held
    ]
    new = seated_as([wanted[seat] for seat in moved], left)
    return [
        *[_leave(seat) for seat in moved if game.seats[seat].holder is not None],
        *[_sit(seat, one) for seat, one in zip(moved, new, strict=True) if one.holder is not None],
    ]


def _leave(seat: Seat) -> Callable[[Batch], None]:
    return lambda batch: batch.stand(seat, batch.game.created_by)


def _sit(seat: Seat, new: SeatedHolder) -> Callable[[Batch], None]:
    holder, commitment, brought, key = new
    assert holder is not None  # noqa: S101 - nobody is not seated

    def sit(batch: Batch) -> None:
        by = batch.game.created_by
        batch.sit(seat, holder, by, commitment, drawn=True, brought=brought, key=key)

    return sit
