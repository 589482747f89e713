"""Plays one game of a block in which players sit: bot accounts, which play from elsewhere.

Players are asked as at any table: the ledger writes their notices, and their answers come through
the API. So each move of a bot is appended at once. The game has the clock of the plan. When its
players have to move, the worker leaves it, and a worker continues it after their moves.
"""

import time
from collections.abc import Callable, Iterator
from typing import Any

from rules.kernel.contract.seats import Seat
from rules.kernel.record.batch import SERVICE_FAULT, Batch
from rules.kernel.record.game import ABORTED, Game
from service.ledger.ledger import GameNotFoundError
from service.ledger.repository import ConflictError
from service.players.bot_accounts import concurrency_of
from service.process.limits import StoppedError
from service.redis.keys import lease_key
from service.tournaments import unended
from service.tournaments.tournament import OUTAGE, TIMED_OUT
from workers.block_game import AbandonedError, BlockGame, TimeIsUpError, failure_in
from workers.deciding import BotFailure, answer
from workers.engines import pool

_BEGIN_MS = 5_000
"""Time for which other workers begin no game of a tournament while one does."""


class PlayersThinkError(Exception):
    """A game waits for its players, or for players who have to end other games first."""


class PlayerMatch(BlockGame):
    """One game in which players sit, with or without bots."""

    _charged = 0
    """The version of the game up to which budgets are charged."""

    def play(self) -> None:
        """Play the moves of bots until the game is over.

        Raises the errors of ``BlockGame.play``, and PlayersThinkError: players have to move first.
        """
        if not self._game().version:
            self._begin()
        while not (game := self._game()).over:
            seats = game.automatic_seats()
            if not seats:
                raise PlayersThinkError
            self._answer(game, min(seats))
            if self._is_over() and not self._game().over:
                raise TimeIsUpError
        if game.status == ABORTED:
            self._look_for_outage(game)

    def _look_for_outage(self, game: Game) -> None:
        """Raise AbandonedError if the game was aborted because the service was away."""
        for event, _prev in self._runtime.ledger.history(game, max(0, game.version - 3), 3):
            told = event.body["time_out"].value if event.kind == TIMED_OUT else {}
            if told.get("fault") == SERVICE_FAULT:
                raise AbandonedError(self._rotation, told["seat"], told["decision"], OUTAGE)

    def _game(self) -> Game:
        try:
            return self._runtime.ledger.table(self._id).game
        except GameNotFoundError:
            return Game(self._id, self._runtime.registry)

    def _reveal(self) -> None:
        self._runtime.ledger.change(self._id, lambda batch: batch.reveal_chance())

    def _failures(self, game: Game) -> list[list[Any]]:
        history = self._runtime.ledger.history(game, 0, game.version)
        found = (failure_in(event) for event, _prev in history)
        return [failure for failure in found if failure is not None]

    def _begin(self) -> None:
        """Open the game, unless one of its players sits in as many games as it takes.

        Raises PlayersThinkError.
        """
        redis = self._runtime.redis
        lock = lease_key(self._tournament.id, "begin")
        if not redis.set(lock, 1, nx=True, px=_BEGIN_MS):
            raise PlayersThinkError
        try:
            store = self._runtime.ledger.store
            players = self._tournament.plan.players_in(self._seating)
            playing = unended.games_of_players(store, self._tournament).playing
            if any(playing[player] >= concurrency_of(redis, player) for player in players):
                raise PlayersThinkError
            self._runtime.ledger.create(self._id, self._secrets, self._open)
        finally:
            redis.delete(lock)

    def _answer(self, game: Game, seat: Seat) -> None:
        """Play the move of a bot, or of a seat that has resigned."""
        began, apart = time.thread_time_ns(), pool.spent_ns()
        self._charge_to(game)
        try:
            act = answer(game, seat, self._secrets.salt, self._limit_for(seat))
        except BotFailure as failure:
            self._fail(game, seat, failure)
        except StoppedError as stop:
            decision = game.asked[seat]
            raise AbandonedError(self._rotation, seat, decision, stop.reason) from None
        else:
            self._runtime.tables.answer_for(game, seat, act)
        finally:
            spent = time.thread_time_ns() - began + pool.spent_ns() - apart
            self.cpu_us[seat] += spent // 1000

    def _charge_to(self, game: Game) -> None:
        """Charge the budgets for all events up to those of ``game``."""
        if self._budgets is None:
            return
        new = game.version - self._charged
        self._charge(event for event, _ in self._runtime.ledger.history(game, self._charged, new))
        self._charged = game.version

    def _fail(self, game: Game, seat: Seat, failure: BotFailure) -> None:
        """Record a failure, and do what the plan says, in one step."""
        self._log_failure(game, seat, failure)

        def acts(now: Game) -> Iterator[Callable[[Batch], None]]:
            if now.asked.get(seat) != game.asked[seat]:
                raise ConflictError(game.id)
            return self._after_failure(game, seat, failure)

        self._runtime.ledger.change_in_turn(game.id, acts)
