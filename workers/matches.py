"""Plays the blocks of tournaments."""

import os
import secrets
import time
from contextlib import suppress
from typing import Any

import structlog
from redis import Redis
from redis.exceptions import RedisError

from rules.kernel.batch import Batch
from rules.kernel.canonical import JsonObject
from rules.kernel.game import Game
from rules.registry import UnknownRulesetError
from service.ledger.keys import lease_key
from service.ledger.ledger import ConflictError
from service.ledger.run import Run
from service.runtime import Runtime
from service.tournaments.director import TournamentNotFoundError
from service.tournaments.luck import Luck
from service.tournaments.plan import RESIGN, FailurePolicy
from service.tournaments.reports import FINAL
from service.tournaments.tournament import (
    CANCELLED,
    RUNNING,
    Block,
    GameResult,
    Tournament,
    block_scope,
    game_id,
)
from workers import bots
from workers.guard import TimeLimit

log = structlog.get_logger(__name__)

SLICE_SECONDS = 5.0
"""After so long, a job makes room for other tournaments."""

LEASE_MS = 10_000
ERROR_LENGTH = 500


class Stopping(Exception):
    """The process is told to end; the block goes on elsewhere."""


class Matches:
    """Plays blocks, one game at a time.

    A lease keeps two workers from playing one block; it saves time and nothing depends on it,
    because the games' ids, seeds and moves follow from the tournament.
    """

    def __init__(self, runtime: Runtime) -> None:
        self.stopping = False
        """Set it, and a job ends after the move that it is at."""
        self._runtime = runtime
        self._leases = Leases(runtime.redis)

    def play(self, tournament_id: str) -> None:
        """Play blocks of a tournament until there are none to play, or it is somebody's turn."""
        ends = time.monotonic() + SLICE_SECONDS
        director = self._runtime.director
        try:
            while not self.stopping and time.monotonic() < ends:
                tournament = director.find(tournament_id)
                if tournament.status == CANCELLED:
                    self._end_games(tournament)
                if tournament.over:
                    self._conclude(tournament)
                if tournament.status != RUNNING:
                    return
                block = self._leases.take_one(tournament)
                if block is None:
                    return
                try:
                    self._play_block(tournament, director.luck(tournament_id), block)
                finally:
                    self._leases.give_back()
        except TournamentNotFoundError:
            log.warning("no_such_tournament", tournament=tournament_id)
            return
        except (ConflictError, Stopping) as reason:
            log.info("block_left", tournament=tournament_id, reason=type(reason).__name__)
        except RedisError as error:  # the tournament is still due: a sweep will see
            log.warning("store_unavailable", tournament=tournament_id, error=str(error))
            return
        except UnknownRulesetError as error:
            log.error("tournament_not_playable", tournament=tournament_id, error=str(error))  # noqa: TRY400 - known
            return
        self._runtime.jobs.play_tournament(tournament_id, 1)

    def keep_lease(self) -> None:
        """Say that this process is at what it took; called by the sweeper."""
        self._leases.renew()

    def _play_block(self, tournament: Tournament, luck: Luck, block: Block) -> None:
        seatings = block.seatings(tournament.plan.rotations)
        matches = [
            Match(self, self._runtime, tournament, luck, block, rotation, seating)
            for rotation, seating in enumerate(seatings)
        ]
        for match in matches:
            match.play()
        self._runtime.director.record_block(
            tournament.id, block, [match.result() for match in matches]
        )

    def _conclude(self, tournament: Tournament) -> None:
        """Make what is made at the end, unless it is there or somebody else is at it."""
        reports = self._runtime.reports
        if reports.final(tournament.id) is None and self._leases.take(tournament.id, FINAL):
            try:
                self._runtime.ratings.catch_up()
                reports.make_final(tournament)
            finally:
                self._leases.give_back()

    def _end_games(self, tournament: Tournament) -> None:
        """Abort the games that had begun when the tournament was cancelled."""
        by: JsonObject = {"tournament": tournament.id}
        for block in tournament.blocks.values():
            if block.number in tournament.results:
                continue
            for rotation, name in enumerate(tournament.game_ids(block)):
                game = self._runtime.ledger.game_at(name, None)
                if game.version == 0:
                    continue
                luck = self._runtime.director.luck(tournament.id)
                run = Run(self._runtime.ledger.store, game, luck.secrets(block.number, rotation))
                if not game.over:
                    run.record(lambda batch: batch.abort("tournament_cancelled", by))
                if not run.game.chance_open:
                    run.record(lambda batch: batch.reveal_chance())
                run.flush()


class Match:
    """One game of a block: its bots, from the first event or from where somebody left it."""

    def __init__(
        self,
        matches: Matches,
        runtime: Runtime,
        tournament: Tournament,
        luck: Luck,
        block: Block,
        rotation: int,
        seating: tuple[int, ...],
    ) -> None:
        self._matches = matches
        self._runtime = runtime
        self._tournament = tournament
        self._policy: FailurePolicy = tournament.plan.failures
        self._limit = TimeLimit(self._policy.seconds)
        self._block = block
        self._seating = seating
        self._secrets = luck.secrets(block.number, rotation)
        self._failures: list[list[Any]] = []
        self._cpu_us = [0] * len(seating)
        self._thought_ns = [0] * len(seating)
        self._run = Run(
            runtime.ledger.store,
            self._fold(game_id(tournament.id, block.number, rotation)),
            self._secrets,
        )

    def _fold(self, name: str) -> Game:
        game = Game(name, self._runtime.registry)
        for event, _retry in self._runtime.ledger.store.read(name):
            game.apply(event)
            if event.kind == "bot_failed":
                failure = event.body["failure"].value
                self._note(failure["seat"], failure["decision"], event.body["error"].value)
        return game

    def play(self) -> None:
        """Play to the end, and append all of it.

        Raises:
            ConflictError: somebody else plays it.
            Stopping: the process is to end.

        """
        run = self._run
        began_cpu, began = time.thread_time_ns(), time.perf_counter_ns()
        if run.game.version == 0:
            run.record(self._open)
        with self._limit.armed():
            while not run.game.over:
                if self._matches.stopping:
                    run.flush()
                    raise Stopping
                self._answer(run.game, min(run.game.asked))
                run.flush_if_much()
        busy = time.thread_time_ns() - began_cpu
        self._share_cpu(busy, time.perf_counter_ns() - began)
        run.flush()

    def _share_cpu(self, busy_ns: int, elapsed_ns: int) -> None:
        """Book the bots' part of the processor time.

        Asking for it at every move would take longer than many a move, so the clock on the wall
        tells the shares, and the processor's the sum.
        """
        for seat, thought in enumerate(self._thought_ns):
            self._cpu_us[seat] = thought * busy_ns // max(1, elapsed_ns) // 1000

    def result(self) -> GameResult:
        """Open the luck of the game, now that its whole block was played; return how it ended."""
        run = self._run
        if not run.game.chance_open:
            run.record(lambda batch: batch.reveal_chance())
            run.flush()
        game = run.game
        assert game.result is not None  # noqa: S101 - it has ended
        by_side = {standing["side"]: standing for standing in game.result["standings"]}
        standings = [by_side[f"seat:{seat}"] for seat in range(len(game.seats))]
        return GameResult(
            version=game.version,
            head=game.head.hex(),
            ranks=_ranks_of_seats([standing["rank"] for standing in standings]),
            scores=[standing["score"] for standing in standings],
            failures=self._failures,
            cpu_us=self._cpu_us,
        )

    def _open(self, batch: Batch) -> None:
        plan = self._tournament.plan
        by: JsonObject = {"tournament": self._tournament.id}
        batch.create(
            plan.ruleset, plan.seats, plan.options, by,
            scope=block_scope(self._tournament, self._block.number),
        )  # fmt: skip
        for seat, entry in enumerate(self._seating):
            batch.sit(seat, plan.entries[entry].holder(), by)

    def _answer(self, game: Game, seat: int) -> None:
        if game.seats[seat].resigned:
            self._run.record(lambda batch: batch.default(seat, "resigned"))
            return
        holder = game.seats[seat].holder
        assert holder is not None  # noqa: S101 - all seats are held
        by = {"seat": seat, "bot": bots.signature(holder)}
        began = time.perf_counter_ns()
        try:
            with self._limit:
                choice = bots.decide(game, seat, self._secrets.salt)
            self._thought_ns[seat] += time.perf_counter_ns() - began
            thoughts = bots.thoughts_part(holder, choice)
            move = choice.move.to_json()
            self._run.record(lambda batch: batch.move(seat, move, by, bot=thoughts))
        except Exception as error:  # noqa: BLE001 - a bot may raise anything, and answer anything
            self._thought_ns[seat] += time.perf_counter_ns() - began
            self._fail(game, seat, error)

    def _fail(self, game: Game, seat: int, error: Exception) -> None:
        """Note a failure where the bot's owner can read it, and do what the policy says."""
        text = f"{type(error).__name__}: {error}"[:ERROR_LENGTH]
        reason = text.encode("utf-8", "replace").decode()
        holder = game.seats[seat].holder or {}
        self._note(seat, game.asked[seat], reason)
        log.warning("bot_failed", game=game.id, seat=seat, bot=holder["bot"], error=reason)
        self._run.record(lambda batch: batch.fail_bot(seat, reason))
        if self._policy.then == RESIGN and not self._run.game.over:
            by = {"bot": bots.signature(holder)}
            self._run.record(lambda batch: batch.resign(seat, by))

    def _note(self, seat: int, decision: int, reason: str) -> None:
        self._failures.append([seat, decision, reason])


class Leases:
    """What is being done, and by whom; one thing at a time for each process."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._owner = f"{os.getpid()}-{secrets.token_hex(8)}"
        self._held: str | None = None

    def take_one(self, tournament: Tournament) -> Block | None:
        """Return an open block that nobody else plays; it is this process's now."""
        for block in tournament.open_blocks():
            if self.take(tournament.id, str(block.number)):
                return block
        return None

    def take(self, tournament_id: str, what: str) -> bool:
        """Whether nobody else is at ``what``; it is this process's now."""
        key = lease_key(tournament_id, what)
        if not self._redis.set(key, self._owner, nx=True, px=LEASE_MS):
            return False
        self._held = key
        return True

    def renew(self) -> None:
        """Keep what was taken."""
        if (held := self._held) is not None:
            self._redis.pexpire(held, LEASE_MS)

    def give_back(self) -> None:
        """Let others take it, if it was not finished."""
        held, self._held = self._held, None
        if held is None:
            return
        with suppress(RedisError):  # then it runs out
            if self._redis.get(held) == self._owner.encode():
                self._redis.delete(held)


def _ranks_of_seats(ranks: list[int]) -> list[int]:
    """Return the ranks among the seats alone: automata are not entries."""
    return [1 + sum(other < rank for other in ranks) for rank in ranks]
