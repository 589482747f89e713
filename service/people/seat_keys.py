"""Seat keys: each reads and moves as one seat of one game, until the game is over for the seat.

An embedded board or a helper program gets a seat key. Each use is checked against the current game,
so seat keys need no change when a game ends or a seat is resigned.
"""

from rules.kernel.contract.registry import UnknownRulesetError
from rules.kernel.contract.seats import Seat
from rules.kernel.record.batch import RefusedError
from rules.kernel.record.game import RUNNING, Game
from service.games.commands import need_holder
from service.games.listing import GameList
from service.ledger.damage import GameDamagedError
from service.ledger.ledger import GameNotFoundError
from service.ledger.store import Retry
from service.players.keys import SEAT, KeyDraft, PlayerKey, PlayerKeys
from service.problems import Problem
from service.runtime import Runtime


class SeatKeys:
    """Makes seat keys, and checks whether they are valid."""

    def __init__(self, runtime: Runtime, keys: PlayerKeys, games: GameList) -> None:
        self._ledger = runtime.ledger
        self._keys = keys
        self._games = games

    def make(
        self,
        asking: PlayerKey,
        game_id: str,
        seat: Seat,
        name: str,
        days: int | None,
        retry: Retry | None,
    ) -> tuple[PlayerKey, str]:
        """Return a new key for one of the player's seats, and its text, which is not shown again.

        The player's seat keys for games that are over are revoked.

        Raises:
            RefusedError: ``unknown_seat``, ``not_your_seat``, ``seat_resigned``, ``game_over``,
                ``not_running``.
            Problem: ``too_many_keys``, and the other problems of ``PlayerKeys.make``.

        """
        game = self._ledger.table(game_id).game
        _need_playing(game, seat, asking.player)
        draft = KeyDraft(name, SEAT, days, game_id, seat)
        return self._keys.make(asking, draft, retry, self._spent)

    def need_seat(self, key: PlayerKey) -> None:
        """Raise Problem (``seat_key_over``) once the game is over for a key's seat.

        If the game cannot be read, the key is not refused here.
        """
        try:
            game = self._ledger.table(key.game or "").game
        except GameNotFoundError:
            raise _over(f"the game {key.game} is gone") from None
        except (GameDamagedError, UnknownRulesetError):
            return
        if game.over:
            raise _over(f"the game {key.game} is over")
        if not is_held(game, key):
            raise _over(f"its player holds seat {key.seat} of {key.game} no more")

    def _spent(self, own: list[PlayerKey]) -> list[PlayerKey]:
        """Return the seat keys in ``own`` that have expired, or whose games are over."""
        seated = [key for key in own if key.seat is not None]
        over = self._games.over({key.game for key in seated if key.game is not None})
        return [key for key in seated if key.game in over or self._keys.is_over(key)]


def is_held(game: Game, key: PlayerKey) -> bool:
    """Whether the player of a key still holds the key's seat, and has not resigned it."""
    if key.seat is None or not 0 <= key.seat < len(game.seats):
        return False
    held = game.seats[key.seat]
    return held.holder == {"player": key.player} and not held.resigned


def _need_playing(game: Game, seat: Seat, player_id: str) -> None:
    """Raise the errors of ``SeatKeys.make`` unless the player holds this seat of a running game."""
    need_holder(game, seat, player_id)
    if game.over:
        raise RefusedError("game_over", f"the game is {game.status}")
    if game.status != RUNNING:  # seats may be drawn at the start
        raise RefusedError("not_running", f"the game is {game.status}, not running")
    if game.seats[seat].resigned:
        raise RefusedError("seat_resigned", f"seat {seat} has resigned", seat=seat)


def _over(detail: str) -> Problem:
    headers = {"WWW-Authenticate": 'Bearer error="invalid_token"'}
    return Problem("seat_key_over", detail, headers=headers)
