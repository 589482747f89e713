"""Plays one game of a block of a tournament with its bots."""

import time
from collections.abc import Callable, Sequence
from typing import Any

import structlog

from rules.kernel.contract.seats import Seat
from rules.kernel.record.batch import CRASHED, Batch
from rules.kernel.record.game import Game
from service.ledger.run import BufferedGame, OutdatedError
from service.process.limits import StoppedError
from service.runtime import Runtime
from service.tournaments.luck import Luck
from service.tournaments.tournament import TRIES, Block, Tournament
from workers.block_game import AbandonedError, BlockGame, TimeIsUpError, failure_in
from workers.deciding import BotFailure, answer, stopped
from workers.engines import pool
from workers.engines.pool import ProcessEndingError

log = structlog.get_logger(__name__)


class Match(BlockGame):
    """One game of bots. It is played from its beginning or from the last appended event."""

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
        super().__init__(is_over, runtime, tournament, luck, block, rotation, seating, cpu_us)
        self._stops = 0
        self._thought_ns = [0] * len(seating)
        self._run = self._stored()

    def _stored(self) -> BufferedGame:
        """Return the game with its appended events, and note the failures in them."""
        store, game = self._runtime.ledger.store, Game(self._id, self._runtime.registry)
        self._noted: list[list[Any]] = []
        self._budgets = self._full_budgets()
        for event, _retry in store.read_all(self._id):
            game.take(event)
            self._charge([event])
            if (failure := failure_in(event)) is not None:
                self._noted.append(failure)
        return BufferedGame(store, game, self._secrets, self._tournament.at)

    def _game(self) -> Game:
        return self._run.game

    def _failures(self, _game: Game) -> list[list[Any]]:
        return self._noted

    def _reveal(self) -> None:
        self._run.record(lambda batch: batch.reveal_chance())
        self._run.flush()

    def play(self) -> None:
        """Play the game until it is over, and append everything.

        Raises the errors of ``BlockGame.play``. If a bot was stopped, the played moves are
        appended, unless they are too old.
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

    def _answer(self, game: Game, seat: Seat) -> None:
        try:
            began, apart = time.perf_counter_ns(), pool.spent_ns()
            try:
                answered = answer(game, seat, self._secrets.salt, self._limit_for(seat))
            finally:
                self._thought_ns[seat] += time.perf_counter_ns() - began
                self.cpu_us[seat] += (pool.spent_ns() - apart) // 1000
            self._record(answered)
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
        self._log_failure(game, seat, failure)
        self._noted.append([seat, game.asked[seat], str(failure)])
        for act in self._after_failure(game, seat, failure):
            self._record(act)

    def _record(self, act: Callable[[Batch], None]) -> None:
        self._charge(self._run.record(act))
