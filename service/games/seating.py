"""Who sits where at a table whose seats are drawn, by the game's own committed chance.

The draw has the label ``lonja:seating`` and is not in the record; whoever has a finished record can
make it again from the chance seed (docs/api/host.md, "Drawn seats"). It depends on who plays alone:
to leave and come back draws no other seats.
"""

from collections.abc import Callable, Sequence

from rules.kernel.canonical import JsonObject, encode
from rules.kernel.contract.chance import chance_key, draw, shuffle_sizes, shuffled
from rules.kernel.contract.seats import Seat, by_seat
from rules.kernel.record.batch import Batch
from rules.kernel.record.game import LOBBY, Game

LABEL = "lonja:seating"


def drawn(chance_seed: bytes, scope: str, holders: Sequence[JsonObject]) -> list[JsonObject]:
    """Return the holders of all seats in the order in which they are drawn to sit."""
    key = chance_key(chance_seed, scope, [None] * len(holders))
    picks = draw(key, LABEL, 1, shuffle_sizes(len(holders)))
    return shuffled(sorted(holders, key=encode), picks)


def is_last(game: Game, seat: Seat) -> bool:
    """Whether a seat is the only one of a table that nobody holds."""
    free = [number for number, holding in by_seat(game.seats) if holding.holder is None]
    return game.status == LOBBY and free == [seat]


def with_newcomer(
    game: Game, seat: Seat, holder: JsonObject, chance_seed: bytes
) -> list[JsonObject]:
    """Return how all are drawn to sit once somebody has taken the last seat of a table."""
    others = [held.holder for number, held in by_seat(game.seats) if number != seat]
    return drawn(chance_seed, game.scope, [*(other for other in others if other), holder])


def make_room(
    game: Game, holder: JsonObject, order: Sequence[JsonObject]
) -> list[Callable[[Batch], None]]:
    """Return the acts that seat all but ``holder``, the newcomer, as ``order`` says.

    His own seat is open then. One seat always is, so that none of them starts the game.
    """
    place = order.index(holder)
    wanted = [None if seat == place else other for seat, other in enumerate(order)]
    moved = [
        (seat, wanted[seat])
        for seat, holding in by_seat(game.seats)
        if holding.holder != wanted[seat]
    ]
    leave = [_leave(seat) for seat, _new in moved if game.seats[seat].holder is not None]
    return leave + [_sit(seat, new) for seat, new in moved if new is not None]


def _leave(seat: Seat) -> Callable[[Batch], None]:
    return lambda batch: batch.stand(seat, batch.game.created_by)


def _sit(seat: Seat, holder: JsonObject) -> Callable[[Batch], None]:
    return lambda batch: batch.sit(seat, holder, batch.game.created_by)
