"""One game of a block of a tournament: what bots alone and tables with players have in common."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import structlog

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.seats import Seat, by_seat
from rules.kernel.record.batch import Batch
from rules.kernel.record.events import Event
from rules.kernel.record.game import Game
from service.process.limits import Limit
from service.runtime import Runtime
from service.tournaments.budgets import Budgets
from service.tournaments.luck import Luck
from service.tournaments.plan import MOVE_SECONDS, RESIGN, FailurePolicy
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
from workers.deciding import BotFailure

log = structlog.get_logger(__name__)


class GameAbortedError(Exception):
    """An operator has just ended a damaged game, so this try at the block cannot end."""


class AbandonedError(Exception):
    """A bot failed through no fault of its own, so this try at the block does not count."""

    def __init__(self, rotation: int, seat: Seat, decision: int, reason: str) -> None:
        super().__init__(f"rotation {rotation}, seat {seat}, decision {decision}: {reason}")
        self.rotation = rotation
        self.seat = seat
        self.decision = decision
        self.reason = reason


class TimeIsUpError(Exception):
    """The time slice is over, or the process has to end; a worker continues the block later."""


class BlockGame(ABC):
    """One game of a block, which a worker begins or continues."""

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
        self._limit = _limit_of(tournament.plan.failures)
        self._block = block
        self._rotation = rotation
        self._seating = seating
        self._budgets = self._full_budgets()
        """What the bots have left, as of the events that were taken; None without budgets."""
        self._secrets = luck.secrets(block, rotation)
        self._id = game_id(tournament.id, block, rotation)
        self.cpu_us = list(cpu_us) or [0] * len(seating)
        """The bots' processor time so far, in microseconds, by seat."""

    def _full_budgets(self) -> Budgets | None:
        return Budgets.of(self._tournament.plan.failures, len(self._seating))

    def _limit_for(self, seat: Seat) -> Limit:
        """Return the limit of a seat's next decision."""
        return self._limit if self._budgets is None else self._budgets.limit(seat, self._limit)

    def _charge(self, events: Iterable[Event]) -> None:
        """Charge the budgets, if there are any, for the next events of the game."""
        if self._budgets is not None:
            for event in events:
                self._budgets.take(event.kind, event.by, _values(event))

    @abstractmethod
    def play(self) -> None:
        """Play the game until it is over.

        Raises:
            ConflictError: others change the game, too.
            TimeIsUpError: the time slice ended before the game did; the played moves are appended.
            AbandonedError: a bot was stopped through no fault of its own.
        """

    @abstractmethod
    def _game(self) -> Game:
        """Return the game as it is now; its version is 0 if it has not begun."""

    @abstractmethod
    def _failures(self, game: Game) -> list[list[Any]]:
        """Return the failures in the game, each as ``failure_of`` returns it."""

    @abstractmethod
    def _reveal(self) -> None:
        """Append the event that reveals the luck of the game."""

    @property
    def at(self) -> str:
        """The time of the game's newest event."""
        return self._game().at

    @property
    def reached(self) -> tuple[int, str] | None:
        """The version and head that the game has reached; None if it has not begun."""
        game = self._game()
        return (game.version, game.head.hex()) if game.version else None

    def result(self) -> GameResult:
        """Reveal the luck of the game, because its whole block was played; return its result.

        Raises:
            GameAbortedError: an operator ended the game.
        """
        game = self._game()
        result = game.result
        if result is None:
            raise GameAbortedError(game.id)
        if not game.chance_open:
            self._reveal()
            game = self._game()
        ranks, scores = ranks_and_scores(result, len(game.seats))
        return GameResult(
            version=game.version,
            head=game.head.hex(),
            ranks=ranks,
            scores=scores,
            failures=self._failures(game),
            cpu_us=self.cpu_us,
        )

    def _open(self, batch: Batch) -> None:
        plan = self._tournament.plan
        by: JsonObject = {"tournament": self._tournament.id}
        players = plan.has_players(self._seating)
        batch.create(
            plan.ruleset, plan.seats, plan.options, by,
            scope=chance_scope(self._tournament, self._block, self._rotation),
            clock=plan.clock if players else None,
            entropy=ENTROPY, version=plan.rules_version, seats_look=players,
        )  # fmt: skip
        for seat, entry in by_seat(self._seating):
            batch.sit(seat, plan.entries[entry].holder(), by)

    def _log_failure(self, game: Game, seat: Seat, failure: BotFailure) -> None:
        holder = game.seats[seat].holder or {}
        log.warning(
            "bot_failed", game=game.id, seat=seat, bot=holder["bot"], cause=failure.cause,
            error=str(failure),
        )  # fmt: skip

    def _after_failure(
        self, game: Game, seat: Seat, failure: BotFailure
    ) -> Iterator[Callable[[Batch], None]]:
        """Yield the changes after a failure: its event, and what the plan says."""
        after: list[Game] = []

        def fail(batch: Batch) -> None:
            failure.record(batch, seat)
            after.append(batch.game)

        yield fail
        if self._tournament.plan.failures.then == RESIGN and not after[-1].over:
            by = {"bot": bots.signature(game.seats[seat].holder or {})}
            yield lambda batch: batch.resign(seat, by)


def failure_in(event: Event) -> list[Any] | None:
    """Return what ``failure_of`` returns, for an event."""
    return failure_of(event.kind, _values(event))


def _values(event: Event) -> JsonObject:
    return {name: part.value for name, part in event.body.items()}


def _limit_of(policy: FailurePolicy) -> Limit:
    """Return the time limit that a plan's policy sets for each move."""
    if policy.processor_seconds is not None:
        return Limit(policy.processor_seconds)
    return Limit(policy.seconds or MOVE_SECONDS, by_wall=True)
