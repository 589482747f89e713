"""Guards decide who may know that the object in a path exists. Each operation declares its guard.

An object needs no guard if it is public, or if it is looked up only among the objects that the
caller owns. If an operation on any other object declares no guard, the application does not start.
So no guard can be forgotten. A caller who may not see an object gets the same answers as if it did
not exist.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, NamedTuple

from rules.kernel.contract.registry import UnknownRulesetError
from service import ids
from service.api.http.access import ADMINS_KEYS, Access
from service.api.http.context import Caller
from service.ledger.damage import GameDamagedError
from service.ledger.ledger import GameNotFoundError
from service.ledger.terms import PRIVATE, TableTerms
from service.problems import Problem
from service.tournaments.tournament import TournamentNotFoundError

_EVERYBODYS = frozenset(("ruleset_id", "document", "player_id", "name", "code"))
"""Path parameters that name public objects; ``name`` and ``code`` are in the paths of pages."""
_CALLERS_OWN = frozenset(("key_id", "webhook_id", "bot_id", "seek_id", "subscription_id"))


class Guard(NamedTuple):
    """Decides who may see an object whose id is in the path of a request.

    ``parameter`` is the name of the path parameter that has the id.
    """

    parameter: str
    check_id: Callable[[str], None]
    """Raises the error for an unknown object if the id is malformed."""
    need_seen: Callable[[Caller, str], None] | None = None
    """Raises the same error if the caller may not see the object. None: all callers may see it."""
    keys: str | None = None
    """The kind of key that operations with this guard require; None: any kind."""
    parts: Collection[str] = ()
    """Further path parameters that name parts of the object."""


def check_game_id(game_id: str) -> None:
    """Raise GameNotFoundError if ``game_id`` is malformed."""
    if not ids.GAME_ID.match(game_id):
        raise GameNotFoundError(game_id)


def _check_tournament_id(tournament_id: str) -> None:
    if not ids.TOURNAMENT_ID.match(tournament_id):
        raise TournamentNotFoundError(tournament_id)


def _need_game(caller: Caller, game_id: str) -> None:
    """Raise GameNotFoundError unless the caller may see the game.

    A private game is seen by its members and by those whose request has an invitation.
    """
    runtime = caller.runtime
    ledger, guests = runtime.ledger, runtime.tables.guests
    try:
        if ledger.terms(ledger.table(game_id, at_least=0).game).visibility != PRIVATE:
            return
        game = ledger.table(game_id).game
    except (GameDamagedError, UnknownRulesetError):  # its players are still in the lists
        private = TableTerms.of(runtime.redis, game_id).visibility == PRIVATE
        if private and not caller.services.games.is_of(game_id, caller.id):
            raise GameNotFoundError(game_id) from None
        return
    if guests.may_see(game, ledger.terms(game), caller.id):
        return
    header, body = caller.request.headers.get("Invitation"), caller.sent
    sent = body.get("invitation") if isinstance(body, dict) else None
    may_look = header is not None and guests.opens(game, header)
    if not may_look and (sent is None or guests.knows(game, sent) is None):
        raise GameNotFoundError(game_id)


_OF_A_SEAT = frozenset(("game_id", "ruleset_id", "document"))
"""The path parameters that an operation for seat keys may have.

They name the key's game, and documents that are the same for everybody.
"""


def need_bound(caller: Caller, named: Mapping[str, Any], arguments: Iterable[Any]) -> None:
    """Check that a seat key is used only for its own seat; other keys are not checked.

    ``named`` are the path's parameters, ``arguments`` the parsed query and body.

    Raises:
        Problem: ``insufficient_scope`` for another game, whether it exists or not;
            ``not_your_seat``.

    """
    key = caller.seat_key
    if key is None:
        return
    if named.get("game_id", key.game) != key.game:
        raise caller.out_of_scope(key, f"{key.id} is for the game {key.game} alone")
    for argument in arguments:
        seat = getattr(argument, "seat", None)
        if seat is not None and seat != key.seat:
            detail = f"{key.id} is for seat {key.seat} alone, not for {seat}"
            raise Problem("not_your_seat", detail, seat=seat)


_GAMES_PARTS = ("seat", "invitation_id")
GAME = Guard("game_id", check_game_id, _need_game, parts=_GAMES_PARTS)
"""A game and its table. A private one is seen only by its members."""
ADMINS_GAME = Guard("game_id", check_game_id, keys=ADMINS_KEYS, parts=_GAMES_PARTS)
"""Any game, for admins: their acts are in the journal, and show them nothing of the game."""
TOURNAMENT = Guard("tournament_id", _check_tournament_id)
"""All tournaments are public."""


def refuse_unguarded(name: str, path: str, access: Access, sees: Guard | None) -> None:
    """Raise TypeError if the guard ``sees`` does not cover every object that ``path`` names.

    Objects that need no guard are excepted. ``name`` is the name of the operation.
    """
    named = set(parameters(path))
    guarded = set() if sees is None else {sees.parameter, *sees.parts}
    for parameter in sorted(named - _EVERYBODYS - _CALLERS_OWN - guarded):
        raise TypeError(
            f"{name}: {path} names {parameter!r}, and the operation does not declare who sees that:"
            f" sees=… is missing, or of something else"
        )
    if access.by_seat and not named <= _OF_A_SEAT:
        raise TypeError(f"{name}: {path} names more than a key for one seat is bound to")
    if sees is not None and sees.parameter not in named:
        raise TypeError(f"{name}: {path} names no {sees.parameter!r} that its guard could judge")
    if sees is not None and sees.keys not in {None, access.keys}:
        raise TypeError(f"{name}: its guard is for other keys than those that open {path}")


_PARAMETER = re.compile(r"<(?:(\w+)(?:\([^>]*\))?:)?(\w+)>")


def parameters(path: str) -> dict[str, str]:
    """Return the parameters of a path with their converters; a converter "" means any text."""
    return {name: converter for converter, name in _PARAMETER.findall(path)}
