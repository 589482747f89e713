"""Plays one game of a block of a tournament with its bots."""

import time
from collections.abc import Callable, Sequence
from typing import Any

import structlog

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.seats import Seat, by_seat
from rules.kernel.record.batch import CRASHED, Batch
from rules.kernel.record.game import Game
from service.ledger.run import BufferedGame, OutdatedError
from service.process.limits import Limit, StoppedError
from service.runtime import Runtime
from service.tournaments.luck import Luck
from service.tournaments.plan import MOVE_SECONDS, RESIGN, FailurePolicy
from service.tournaments.tournament import (
    ENTROPY,
    TRIES,
    Block,
    GameResult,
    Tournament,
    chance_scope,
    game_id,
    ranks_and_scores,
)
from workers import bots
from workers.deciding import BotFailure, answer, stopped
from workers.engines import pool
from workers.engines.pool import ProcessEndingError

log = structlog.get_logger(__name__)


class GameAbortedError(Exception):
    """An operator ended a damaged game, so its block cannot end; the host has to cancel."""


class AbandonedError(Exception):
    """A bot was stopped through no fault of its own, so this try at the block does not count."""

    def __init__(self, rotation: int, seat: Seat, decision: int, reason: str) -> None:
        super().__init__(f"rotation {rotation}, seat {seat}, decision {decision}: {reason}")
        self.rotation = rotation
        self.seat = seat
        self.decision = decision
        self.reason = reason


class TimeIsUpError(Exception):
    """The time slice is over, or the process has to end; a worker continues the block later."""


class Match:
    """One game of a block. It is played from its beginning or from the last appended event."""

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
        self._policy: FailurePolicy = tournament.plan.failures
        self._limit = limit_of(self._policy)
        self._block = block
        self._rotation = rotation
        self._seating = seating
        self._secrets = luck.secrets(block, rotation)
        self._stops = 0
        self._failures: list[list[Any]] = []
        self.cpu_us = list(cpu_us) or [0] * len(seating)
        """The bots' processor time so far, in microseconds, by seat."""
        self._thought_ns = [0] * len(seating)
        self._run = self._stored()

    def _stored(self) -> BufferedGame:
        """Return the game with its appended events."""
        name = game_id(self._tournament.id, self._block, self._rotation)
        store = self._runtime.ledger.store
        return BufferedGame(store, self._fold(name), self._secrets, self._tournament.at)

    def _fold(self, name: str) -> Game:
        game = Game(name, self._runtime.registry)
        for event, _retry in self._runtime.ledger.store.read_all(name):
            game.take(event)
            if event.kind == "bot_failed":
                failure = event.body["failure"].value
                self._note(failure["seat"], failure["decision"], event.body["error"].value)
        return game

    def play(self) -> None:
        """Play the game to its end, and append everything.

        Raises:
            ConflictError: another worker plays the game.
            TimeIsUpError: the time slice ended before the game did; the played moves are appended.
            AbandonedError: a bot was stopped; the played moves are appended, if they are not too
                old.
        """
        self._begin()
        run = self._run
        began_cpu, began = time.thread_time_ns(), time.perf_counter_ns()
        self._thought_ns = [0] * len(self._seating)
        try:
            while not run.game.over:
                self._answer(run.game, min(run.game.asked))
                run.flush_if_much()
                if self._is_over():  # checked only after a move, so that at least one is played
                    break
        except ProcessEndingError:
            pass
        except AbandonedError:
            self._append_or_forget()
            raise
        busy = time.thread_time_ns() - began_cpu
        self._share_cpu(busy, time.perf_counter_ns() - began)
        run.flush()
        if not run.game.over:
            raise TimeIsUpError

    def _begin(self) -> None:
        if self._run.game.version == 0:
            self._run.record(self._open)

    def _append_or_forget(self) -> None:
        """Append the played moves; drop them if they are too old to be appended."""
        try:
            self._run.flush()
        except OutdatedError:
            self._run = self._stored()
            self._begin()
            self._run.flush()

    @property
    def over(self) -> bool:
        """Whether the game was played to its end."""
        return self._run.game.over

    @property
    def at(self) -> str:
        """The time of the game's newest event."""
        return self._run.game.at

    @property
    def reached(self) -> tuple[int, str] | None:
        """The version and head that the game has reached; None if it has not begun."""
        game = self._run.game
        return (game.version, game.head.hex()) if game.version else None

    def is_newest(self) -> bool:
        """Whether no other worker has continued the game meanwhile."""
        return self._runtime.ledger.store.newest(self._run.game.id) == self._run.game.version

    def _share_cpu(self, busy_ns: int, elapsed_ns: int) -> None:
        """Divide the measured processor time among the bots.

        Reading the processor's clock at every move would take longer than some moves. So only the
        sum is measured in processor time. It is divided in proportion to the wall time that each
        bot took.
        """
        for seat, thought in enumerate(self._thought_ns):
            self.cpu_us[seat] += thought * busy_ns // max(1, elapsed_ns) // 1000

    def result(self) -> GameResult:
        """Reveal the luck of the game, because its whole block was played; return its result.

        Raises:
            GameAbortedError: an operator ended the game.
        """
        run = self._run
        if not run.game.chance_open:
            run.record(lambda batch: batch.reveal_chance())
            run.flush()
        game = run.game
        if game.result is None:
            raise GameAbortedError(game.id)
        ranks, scores = ranks_and_scores(game.result, len(game.seats))
        return GameResult(
            version=game.version,
            head=game.head.hex(),
            ranks=ranks,
            scores=scores,
            failures=self._failures,
            cpu_us=self.cpu_us,
        )

    def _open(self, batch: Batch) -> None:
        plan = self._tournament.plan
        by: JsonObject = {"tournament": self._tournament.id}
        batch.create(
            plan.ruleset, plan.seats, plan.options, by,
            scope=chance_scope(self._tournament, self._block, self._rotation),
            entropy=ENTROPY, version=plan.rules_version,
        )  # fmt: skip
        for seat, entry in by_seat(self._seating):
            batch.sit(seat, plan.entries[entry].holder(), by)

    def _answer(self, game: Game, seat: Seat) -> None:
        try:
            began, apart = time.perf_counter_ns(), pool.spent_ns()
            try:
                answered = answer(game, seat, self._secrets.salt, self._limit)
            finally:
                self._thought_ns[seat] += time.perf_counter_ns() - began
                self.cpu_us[seat] += (pool.spent_ns() - apart) // 1000
            self._run.record(answered)
        except BotFailure as failure:
            self._fail(game, seat, failure)
        except StoppedError as stop:
            self._stop(game, seat, stop)

    def _stop(self, game: Game, seat: Seat, stop: StoppedError) -> None:
        """Give up the try at the block; but if the plan limits wall time, ask the bot again."""
        decision = game.asked[seat]
        log.warning(
            "bot_stopped", game=game.id, seat=seat, decision=decision, reason=stop.reason,
            error=str(stop),
        )  # fmt: skip
        if not self._limit.by_wall:
            raise AbandonedError(self._rotation, seat, decision, stop.reason) from None
        self._stops += 1
        if self._stops == TRIES:
            self._fail(game, seat, stopped(game, seat, stop, CRASHED))

    def _fail(self, game: Game, seat: Seat, failure: BotFailure) -> None:
        """Record a failure, with its details for the bot's owner, and do what the plan says."""
        holder = game.seats[seat].holder or {}
        self._note(seat, game.asked[seat], str(failure))
        log.warning(
            "bot_failed", game=game.id, seat=seat, bot=holder["bot"], cause=failure.cause,
            error=str(failure),
        )  # fmt: skip
        self._run.record(lambda batch: failure.record(batch, seat))
        if self._policy.then == RESIGN and not self._run.game.over:
            by = {"bot": bots.signature(holder)}
            self._run.record(lambda batch: batch.resign(seat, by))

    def _note(self, seat: Seat, decision: int, reason: str) -> None:
        self._failures.append([seat, decision, reason])


def limit_of(policy: FailurePolicy) -> Limit:
    """Return the time limit that a plan's policy sets for each move."""
    if policy.processor_seconds is not None:
        return Limit(policy.processor_seconds)
    return Limit(policy.seconds or MOVE_SECONDS, by_wall=True)
