"""Plays one game of a block in which players sit: bot accounts, which play from elsewhere.

Players are asked as at any table: the ledger writes their notices, and their answers come through
the API. So each move of a bot is appended at once. The game has the clock of the plan. When its
players have to move, the worker leaves it, and a worker continues it after their moves.
"""

import time
from collections.abc import Callable, Iterator, Sequence

import structlog

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.seats import Seat, by_seat
from rules.kernel.record.batch import Batch
from rules.kernel.record.game import Game
from service.ledger.ledger import GameNotFoundError
from service.ledger.repository import ConflictError
from service.players.bot_accounts import concurrency_of
from service.process.limits import StoppedError
from service.redis.keys import lease_key
from service.runtime import Runtime
from service.tournaments import unended
from service.tournaments.luck import Luck
from service.tournaments.plan import RESIGN
from service.tournaments.tournament import (
    ENTROPY,
    Block,
    GameResult,
    Tournament,
    chance_scope,
    failure_of,
    game_id,
    ranks_and_scores,
)
from workers import bots
from workers.deciding import BotFailure, answer
from workers.engines import pool
from workers.match import AbandonedError, GameAbortedError, TimeIsUpError, limit_of

log = structlog.get_logger(__name__)

_BEGIN_MS = 5_000
"""Time for which other workers begin no game of a tournament while one does."""


class PlayersThinkError(Exception):
    """A game waits for its players, or for players who have to end other games first."""


class PlayerMatch:
    """One game of a block in which players sit.

    Its methods are those of ``Match``.
    """

    def __init__(
        self,
        is_over: Callable[[], bool],
        runtime: Runtime,
        tournament: Tournament,
        luck: Luck,
        block: Block,
        rotation: int,
        seating: tuple[int, ...],
        cpu_us: Sequence[int] = (),
    ) -> None:
        self._is_over = is_over
        self._runtime = runtime
        self._tournament = tournament
        self._limit = limit_of(tournament.plan.failures)
        self._block = block
        self._rotation = rotation
        self._seating = seating
        self._secrets = luck.secrets(block, rotation)
        self._id = game_id(tournament.id, block, rotation)
        self.cpu_us = list(cpu_us) or [0] * len(seating)

    def play(self) -> None:
        """Play the moves of bots until the game is over.

        Raises:
            PlayersThinkError: players have to move first.
            TimeIsUpError: the time slice ended.
            AbandonedError: a bot was stopped through no fault of its own.
            ConflictError: others keep changing the game.
        """
        game = self._game()
        if game is None:
            self._begin()
            game = self._game()
        while game is not None and not game.over:
            seats = game.automatic_seats()
            if not seats:
                raise PlayersThinkError
            self._answer(game, min(seats))
            game = self._game()
            if self._is_over() and game is not None and not game.over:
                raise TimeIsUpError

    def _game(self) -> Game | None:
        try:
            return self._runtime.ledger.table(self._id).game
        except GameNotFoundError:
            return None

    def _begin(self) -> None:
        """Open the game, unless one of its players sits in as many games as it takes.

        Raises PlayersThinkError.
        """
        redis = self._runtime.redis
        lock = lease_key(self._tournament.id, "begin")
        if not redis.set(lock, 1, nx=True, px=_BEGIN_MS):
            raise PlayersThinkError
        try:
            store, players = (
                self._runtime.ledger.store,
                self._tournament.plan.players_in(self._seating),
            )
            playing = unended.games_of_players(store, self._tournament).playing
            if any(playing[player] >= concurrency_of(redis, player) for player in players):
                raise PlayersThinkError
            self._runtime.ledger.create(self._id, self._secrets, self._open)
        finally:
            redis.delete(lock)

    def _open(self, batch: Batch) -> None:
        plan = self._tournament.plan
        by: JsonObject = {"tournament": self._tournament.id}
        batch.create(
            plan.ruleset, plan.seats, plan.options, by,
            scope=chance_scope(self._tournament, self._block, self._rotation),
            clock=plan.clock, entropy=ENTROPY, version=plan.rules_version, seats_look=True,
        )  # fmt: skip
        for seat, entry in by_seat(self._seating):
            batch.sit(seat, plan.entries[entry].holder(), by)

    def _answer(self, game: Game, seat: Seat) -> None:
        """Play the move of a bot, or of a seat that has resigned."""
        began, apart = time.thread_time_ns(), pool.spent_ns()
        try:
            act = answer(game, seat, self._secrets.salt, self._limit)
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

    def _fail(self, game: Game, seat: Seat, failure: BotFailure) -> None:
        """Record a failure, and do what the plan says, in one step."""
        holder = game.seats[seat].holder or {}
        log.warning(
            "bot_failed", game=game.id, seat=seat, bot=holder["bot"], cause=failure.cause,
            error=str(failure),
        )  # fmt: skip
        resigns = self._tournament.plan.failures.then == RESIGN

        def acts(now: Game) -> Iterator[Callable[[Batch], None]]:
            after: list[Game] = []

            def fail(batch: Batch) -> None:
                failure.record(batch, seat)
                after.append(batch.game)

            if now.asked.get(seat) != game.asked[seat]:
                raise ConflictError(game.id)
            yield fail
            if resigns and not after[-1].over:
                yield lambda batch: batch.resign(seat, {"bot": bots.signature(holder)})

        self._runtime.ledger.change_in_turn(game.id, acts)

    @property
    def over(self) -> bool:
        """Whether the game was played to its end."""
        game = self._game()
        return game is not None and game.over

    @property
    def at(self) -> str:
        """The time of the game's newest event."""
        game = self._game()
        return "" if game is None else game.at

    @property
    def reached(self) -> tuple[int, str] | None:
        """The version and head that the game has reached; None if it has not begun."""
        game = self._game()
        return None if game is None else (game.version, game.head.hex())

    def result(self) -> GameResult:
        """Reveal the luck of the game, because its whole block was played; return its result.

        Raises:
            GameAbortedError: an operator ended the game.
        """
        ledger = self._runtime.ledger
        if not ledger.table(self._id).game.chance_open:
            ledger.change(self._id, lambda batch: batch.reveal_chance())
        game = ledger.table(self._id).game
        if game.result is None:
            raise GameAbortedError(game.id)
        ranks, scores = ranks_and_scores(game.result, len(game.seats))
        return GameResult(
            version=game.version,
            head=game.head.hex(),
            ranks=ranks,
            scores=scores,
            failures=self._failures(game),
            cpu_us=self.cpu_us,
        )

    def _failures(self, game: Game) -> list[list[object]]:
        found = []
        for event, _prev in self._runtime.ledger.history(game, 0, game.version):
            body = {name: part.value for name, part in event.body.items()}
            if (failure := failure_of(event.kind, body)) is not None:
                found.append(failure)
        return found
