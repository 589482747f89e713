"""Viewers: a caller looks at a game as a seat, or as a spectator."""

from collections.abc import Collection

from rules.kernel.contract.seats import Seat, by_seat
from rules.kernel.record.game import SEATS, Game
from service.api.http.context import Caller
from service.api.schemas.queries import ViewQuery
from service.live.frames import INCLUDED, StreamView
from service.problems import Problem, field_error, invalid


def seats_of(game: Game, caller: Caller) -> list[Seat]:
    """Return the seats that the caller holds, or held before resigning.

    With a seat key, only its seat is returned.
    """
    if caller.player is None:
        return []
    holder, key = {"player": caller.player.id}, caller.seat_key
    own = [seat for seat, holding in by_seat(game.seats) if holding.holder == holder]
    return own if key is None else [seat for seat in own if (game.id, seat) == (key.game, key.seat)]


def viewer(game: Game, caller: Caller, wanted: ViewQuery) -> Seat | None:
    """Return the seat whose view the caller gets; None for a spectator's view.

    By default a caller with exactly one seat gets that seat's view. When a game is over, everybody
    may get every seat's view.

    Raises:
        Problem: ``not_your_seat``, ``unknown_seat``, ``game_sealed``.
    """
    if game.withheld:
        return _sealed_viewer(game, caller, wanted)
    if wanted.spectator:
        return None
    if wanted.seat is None:
        own = seats_of(game, caller)
        return own[0] if len(own) == 1 else None
    seat = _known(game, wanted.seat)
    if not game.over and seat not in seats_of(game, caller):
        raise Problem("not_your_seat", f"seat {seat} is not yours", seat=seat)
    return seat


def _sealed_viewer(game: Game, caller: Caller, wanted: ViewQuery) -> Seat:
    """Return the seat from which a caller sees a game that others may not watch yet.

    Raises Problem (``game_sealed``).
    """
    own = seats_of(game, caller)
    if game.created["visibility"] == SEATS and not wanted.spectator:
        if wanted.seat is not None and wanted.seat in own:
            return Seat(wanted.seat)
        if wanted.seat is None and len(own) == 1:
            return own[0]
    raise Problem("game_sealed")


def look_of(caller: Caller, include: Collection[str], eyes: Seat | None) -> StreamView:
    """Return the options of a stream.

    They are the viewer (``eyes``), the extra parts of each event (named in ``include``), and the
    language of these parts.
    """
    ordered = tuple(name for name in INCLUDED if name in include)
    return StreamView(eyes, ordered, caller.language if ordered else "")


def own_seat(game: Game, caller: Caller, wanted: int | None) -> Seat:
    """Return the caller's seat ``wanted``; if ``wanted`` is None, return the caller's only seat.

    Raises:
        Problem: ``not_your_seat``, ``unknown_seat``; ``invalid_query`` if ``wanted`` is None and
            the caller holds several seats.
    """
    own = seats_of(game, caller)
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
