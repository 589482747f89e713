"""Viewers: the seat, or none, as which a caller looks at a game."""

from collections.abc import Collection

from rules.kernel.contract.seats import Seat, by_seat
from rules.kernel.record.game import Game
from service.api.http.context import Caller
from service.api.schemas.queries import ViewQuery
from service.live.frames import INCLUDED, StreamView
from service.players.players import Player
from service.problems import Problem, field_error, invalid


def seats_of(game: Game, player: Player | None) -> list[Seat]:
    """Return the seats that a player holds, or held before resigning."""
    if player is None:
        return []
    holder = {"player": player.id}
    return [seat for seat, holding in by_seat(game.seats) if holding.holder == holder]


def viewer(game: Game, player: Player | None, wanted: ViewQuery) -> Seat | None:
    """Return the seat as which the caller looks; None for a spectator.

    By default a caller with exactly one seat looks as that seat. When a game is over everybody may
    look as every seat.

    Raises:
        Problem: ``not_your_seat``, ``unknown_seat``, ``game_sealed``.
    """
    if game.withheld:
        raise Problem("game_sealed")
    if wanted.spectator:
        return None
    if wanted.seat is None:
        own = seats_of(game, player)
        return own[0] if len(own) == 1 else None
    seat = _known(game, wanted.seat)
    if not game.over and seat not in seats_of(game, player):
        raise Problem("not_your_seat", f"seat {seat} is not yours", seat=seat)
    return seat


def look_of(caller: Caller, include: Collection[str], eyes: Seat | None) -> StreamView:
    """Return the requested additions to each event, as ``eyes`` see them."""
    ordered = tuple(name for name in INCLUDED if name in include)
    return StreamView(eyes, ordered, caller.language if ordered else "")


def own_seat(game: Game, player: Player, wanted: int | None) -> Seat:
    """Return the caller's seat named by ``wanted``, or the only one.

    Raises:
        Problem: ``not_your_seat``, ``unknown_seat``, ``invalid_query`` if there are several.
    """
    own = seats_of(game, player)
    if wanted is None:
        if len(own) == 1:
            return own[0]
        if not own:
            raise Problem("not_your_seat", "you hold no seat in this game")
        raise invalid("query", [field_error("seat", "you hold several seats: name one")])
    seat = _known(game, wanted)
    if seat not in own:
        raise Problem("not_your_seat", f"seat {seat} is not yours", seat=seat)
    return seat


def _known(game: Game, wanted: int) -> Seat:
    if wanted >= len(game.seats):
        raise Problem("unknown_seat", f"there is no seat {wanted}", seat=wanted)
    return Seat(wanted)
