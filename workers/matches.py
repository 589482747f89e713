"""Plays the blocks of tournaments, and keeps their reports."""

import math
import os
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from typing import Any

import orjson
import structlog
from redis import Redis
from redis.exceptions import RedisError

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.seats import Seat, by_seat
from rules.kernel.record.batch import Batch
from rules.kernel.record.game import Game, Unsound
from rules.kernel.record.secrets import Secrets
from service.ledger.damage import GameDamagedError
from service.ledger.repository import ConflictError
from service.ledger.run import Run
from service.metrics import TOURNAMENTS_DAMAGED
from service.redis.keys import game_key, lease_key
from service.runtime import Runtime
from service.tournaments import unended, waiting
from service.tournaments.luck import Luck
from service.tournaments.plan import RESIGN, FailurePolicy
from service.tournaments.report_store import KEPT
from service.tournaments.tournament import (
    CANCELLED,
    ENTROPY_SECONDS,
    RUNNING,
    Block,
    GameResult,
    Tournament,
    TournamentDamagedError,
    TournamentNotFoundError,
    block_scope,
    game_id,
    ranks_and_scores,
)
from workers import bots, playable
from workers.deciding import BotFailure, answer

log = structlog.get_logger(__name__)

SLICE_SECONDS = 0.5

MOST_LEFT = 256
"""How many games of blocks that were left are kept folded, to go on with them at once."""

KEEP_SECONDS = 7 * 24 * 3600
"""How long the time that bots took in a block is known after it was left."""

LEASE_MS = 10_000


class GameAbortedError(Exception):
    """An operator ended a damaged game, so its block cannot end: the host may cancel."""


class TimeIsUp(Exception):
    """The slice is over, or the process is told to end; the block goes on later or elsewhere."""


class Matches:
    """Plays blocks, one game at a time.

    A lease keeps two workers from playing one block; it saves time and nothing depends on it,
    because the games' ids, seeds and moves follow from the tournament.
    """

    def __init__(self, runtime: Runtime) -> None:
        self.stopping = False
        """When it is set, a slice ends after the present move."""
        self.seconds = SLICE_SECONDS
        """How long a tournament goes on before it makes room for others, even within a game."""
        self._runtime = runtime
        self._leases = Leases(runtime.redis)
        self._left: OrderedDict[tuple[str, int], list[Match]] = OrderedDict()
        self._ends = math.inf

    def play(self, tournament_id: str) -> bool:
        """Play a slice of a tournament; return whether there may be more to play.

        Raises:
            Exception: what recording a move raised. The tournament is still due.

        """
        self._ends = time.monotonic() + self.seconds
        try:
            return self._play_until_over(tournament_id)
        except TournamentNotFoundError:
            log.warning("no_such_tournament", tournament=tournament_id)
            return False
        except TimeIsUp:
            return True
        except ConflictError as reason:
            log.info("block_left", tournament=tournament_id, reason=type(reason).__name__)
        except RedisError as error:  # the tournament is still due: a sweep will see
            log.warning("store_unavailable", tournament=tournament_id, error=str(error))
            return False
        except (TournamentDamagedError, GameDamagedError, GameAbortedError, Unsound) as error:
            TOURNAMENTS_DAMAGED.inc()
            log.error("tournament_damaged", tournament=tournament_id, error=str(error))  # noqa: TRY400 - known
            return False
        except Exception:
            log.exception("tournament_not_played", tournament=tournament_id)
            raise
        finally:
            self._ends = math.inf
        return True

    def _play_until_over(self, tournament_id: str) -> bool:
        self._runtime.standings.make_again(self._runtime.director.find(tournament_id))
        while self._play_on(tournament_id):
            if self.is_over():
                return True
        return False

    def is_over(self) -> bool:
        """Whether the slice is."""
        return self.stopping or time.monotonic() > self._ends

    def _play_on(self, tournament_id: str) -> bool:
        """Do what comes next; return whether there may be more."""
        tournament = self._runtime.director.find(tournament_id)
        if tournament.status == CANCELLED:
            self._end_games(tournament)
        if tournament.over:
            return self._conclude(tournament)
        if tournament.status != RUNNING or not self._can_play(tournament):
            self._runtime.reports.catch_up(tournament)
            return False
        self._runtime.reports.refresh(tournament)
        left = {number for name, number in self._left if name == tournament.id}
        block = self._leases.take_one(tournament, left)
        if block is None:
            return False
        try:
            self._play_block(tournament, block)
        finally:
            self._leases.give_back()
        return True

    def _can_play(self, tournament: Tournament) -> bool:
        """Whether this machine has what the plan pins; if not, the tournament waits."""
        reason = playable.lacking(tournament.plan, self._runtime.registry)
        if reason is None:
            waiting.is_over(self._runtime.redis, tournament.id)
            return True
        waiting.note(self._runtime.redis, tournament.id, reason)
        log.warning("tournament_waits", tournament=tournament.id, reason=reason)
        return False

    def keep_lease(self) -> None:
        """Say that this process is at what it took; called by the sweeper."""
        self._leases.renew()

    def _play_block(self, tournament: Tournament, block: Block) -> None:
        director = self._runtime.director
        code = playable.code_of(tournament.plan, self._runtime.registry)
        if not tournament.has_declared(code):
            director.declare_code(tournament.id, code)
        matches = self._matches_of(tournament, block)
        try:
            for match in matches:
                match.play()
        except TimeIsUp:
            self._leave(tournament.id, block, matches)
            raise
        results = [match.result() for match in matches]
        director.record_block(tournament.id, block, results, max(match.at for match in matches))

    def _matches_of(self, tournament: Tournament, block: Block) -> "list[Match]":
        """Return the games of a block, as far as they have been played."""
        left = self._left.pop((tournament.id, block.number), None)
        if left is not None and next(match for match in left if not match.over).is_newest():
            return left
        luck = self._runtime.director.luck(tournament.id)
        told: Any = self._runtime.redis.get(_cpu_key(tournament.id, block))
        seatings = block.seatings(tournament.plan.rotations)
        cpu = orjson.loads(told) if told else [()] * len(seatings)
        over = self.is_over
        return [
            Match(over, self._runtime, tournament, luck, block, rotation, seating, cpu[rotation])
            for rotation, seating in enumerate(seatings)
        ]

    def _leave(self, tournament_id: str, block: Block, matches: "list[Match]") -> None:
        """Keep a block to go on with, and tell others what cannot be read from its games."""
        cpu = orjson.dumps([match.cpu_us for match in matches])
        self._runtime.redis.set(_cpu_key(tournament_id, block), cpu, ex=KEEP_SECONDS)
        self._left[tournament_id, block.number] = matches
        while sum(map(len, self._left.values())) > MOST_LEFT:
            self._left.popitem(last=False)

    def _conclude(self, tournament: Tournament) -> bool:
        """Make what is made at the end; return whether some of it is left for another slice."""
        reports, leases = self._runtime.reports, self._leases
        reports.catch_up(tournament)
        if reports.final(tournament) is not None or not leases.take(tournament.id, KEPT):
            return False  # somebody else is at it
        try:
            if not reports.drawn(tournament):
                self._runtime.ratings.catch_up()
            return not reports.draw_on(tournament, lambda: not self.is_over())
        finally:
            leases.give_back()

    def _end_games(self, tournament: Tournament) -> None:
        """Abort the games that had begun when the tournament was cancelled.

        As long as there is one that cannot be ended here, the tournament is looked after.
        """
        begun = list(unended.games(self._runtime.ledger.store, tournament))
        if begun and not self._can_play(tournament):
            return
        luck = self._runtime.director.luck(tournament.id)
        left = self._leases.are_held(tournament.id, unended.blocks(tournament))  # more may begin
        for block, rotation, name in begun:
            try:
                self._end_game(name, luck.secrets(block.number, rotation), tournament)
            except (GameDamagedError, Unsound) as error:
                log.error("tournament_damaged", tournament=tournament.id, error=str(error))  # noqa: TRY400 - known
                left = True
        if not left:
            self._runtime.director.owes_nothing(tournament.id)

    def _end_game(self, name: str, secrets_: Secrets, tournament: Tournament) -> None:
        by = {"tournament": tournament.id}
        game = self._runtime.ledger.game_at(name, None)
        run = Run(self._runtime.ledger.store, game, secrets_, tournament.at)
        if not game.over:
            run.record(lambda batch: batch.abort("tournament_cancelled", by))
        if not run.game.chance_open:
            run.record(lambda batch: batch.reveal_chance())
        run.flush()


class Match:
    """One game of a block: its bots, from the first event or from where somebody left it."""

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
        self._block = block
        self._seating = seating
        self._secrets = luck.secrets(block.number, rotation)
        self._failures: list[list[Any]] = []
        self.cpu_us = list(cpu_us) or [0] * len(seating)
        """What the bots' thinking has taken so far."""
        self._thought_ns = [0] * len(seating)
        self._run = Run(
            runtime.ledger.store,
            self._fold(game_id(tournament.id, block.number, rotation)),
            self._secrets,
            tournament.at,
        )

    def _fold(self, name: str) -> Game:
        game = Game(name, self._runtime.registry)
        for event, _retry in self._runtime.ledger.store.read_all(name):
            game.take(event)
            if event.kind == "bot_failed":
                failure = event.body["failure"].value
                self._note(failure["seat"], failure["decision"], event.body["error"].value)
        return game

    def play(self) -> None:
        """Play to the end, and append all of it.

        Raises:
            ConflictError: somebody else plays it.
            TimeIsUp: the slice is over first; what was played is appended.

        """
        run = self._run
        began_cpu, began = time.thread_time_ns(), time.perf_counter_ns()
        self._thought_ns = [0] * len(self._seating)
        if run.game.version == 0:
            run.record(self._open)
        while not run.game.over:
            self._answer(run.game, min(run.game.asked))
            run.flush_if_much()
            if self._is_over():  # after a move: however long it took to get here
                break
        busy = time.thread_time_ns() - began_cpu
        self._share_cpu(busy, time.perf_counter_ns() - began)
        run.flush()
        if not run.game.over:
            raise TimeIsUp

    @property
    def over(self) -> bool:
        """Whether it was played to its end."""
        return self._run.game.over

    @property
    def at(self) -> str:
        """When it last went on."""
        return self._run.game.at

    def is_newest(self) -> bool:
        """Whether nobody has played it on meanwhile."""
        return self._runtime.ledger.store.newest(self._run.game.id) == self._run.game.version

    def _share_cpu(self, busy_ns: int, elapsed_ns: int) -> None:
        """Book the bots' part of the processor time.

        Asking for it at every move would take longer than many a move, so the clock on the wall
        tells the shares, and the processor's the sum.
        """
        for seat, thought in enumerate(self._thought_ns):
            self.cpu_us[seat] += thought * busy_ns // max(1, elapsed_ns) // 1000

    def result(self) -> GameResult:
        """Open the luck of the game, now that its whole block was played; return how it ended.

        Raises:
            GameAbortedError: an operator ended it.

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
            scope=block_scope(self._tournament, self._block.number),
            entropy_seconds=ENTROPY_SECONDS, version=plan.rules_version,
        )  # fmt: skip
        for seat, entry in by_seat(self._seating):
            batch.sit(seat, plan.entries[entry].holder(), by)

    def _answer(self, game: Game, seat: Seat) -> None:
        try:
            began = time.perf_counter_ns()
            try:
                answered = answer(game, seat, self._secrets.salt, self._policy.seconds)
            finally:
                self._thought_ns[seat] += time.perf_counter_ns() - began
            self._run.record(answered)
        except BotFailure as failure:
            self._fail(game, seat, failure)

    def _fail(self, game: Game, seat: Seat, failure: BotFailure) -> None:
        """Note a failure where the bot's owner can read it, and do what the policy says."""
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


class Leases:
    """What is being done, and by whom; one thing at a time for each process."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._owner = f"{os.getpid()}-{secrets.token_hex(8)}"
        self._held: str | None = None

    def take_one(self, tournament: Tournament, rather: Collection[int] = ()) -> Block | None:
        """Return an open block that nobody else plays, preferably one of ``rather``.

        It is this process's now.
        """
        blocks = tournament.open_blocks()
        for block in (*(block for block in blocks if block.number in rather), *blocks):
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

    def are_held(self, tournament_id: str, blocks: Sequence[Block]) -> bool:
        """Whether anybody plays one of these blocks."""
        keys = [lease_key(tournament_id, str(block.number)) for block in blocks]
        return bool(keys and self._redis.exists(*keys))

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


def _cpu_key(tournament_id: str, block: Block) -> str:
    return game_key(tournament_id, f"cpu_us:{block.number}")
