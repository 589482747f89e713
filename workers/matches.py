"""Plays the blocks of tournaments, and keeps their reports."""

import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import orjson
import structlog
from redis.exceptions import RedisError

from rules.kernel.record.batch import BLOCK_ABANDONED, TOURNAMENT_CANCELLED
from rules.kernel.record.game import GAP, UnsoundEventError
from rules.kernel.record.secrets import Secrets
from service.ledger.damage import GameDamagedError
from service.ledger.ledger import is_for_players
from service.ledger.repository import ConflictError
from service.ledger.run import BufferedGame
from service.ledger.store import REPORT
from service.metrics import TOURNAMENTS_DAMAGED
from service.players.bot_accounts import concurrency_of
from service.problems import Problem
from service.redis.format import NEWEST, level_of
from service.redis.keys import game_key
from service.runtime import Runtime
from service.tournaments import unended, waiting
from service.tournaments.tournament import (
    RUNNING,
    Abandonment,
    Block,
    Tournament,
    TournamentDamagedError,
    TournamentNotFoundError,
)
from workers import playable
from workers.admission import admission_of
from workers.availability import Availability
from workers.block_game import AbandonedError, BlockGame, GameAbortedError, TimeIsUpError
from workers.leases import Leases
from workers.match import Match
from workers.player_match import PlayerMatch, PlayersThinkError
from workers.slices import Slice

log = structlog.get_logger(__name__)

AnyMatch = TypeVar("AnyMatch", Match, PlayerMatch)

SLICE_SECONDS = 0.5

LOOK_SECONDS = 1.0
"""Minimum interval at which a process looks for players who can be paired."""

MOST_LEFT = 256
"""Number of games of unfinished blocks that are kept in memory, so that they continue quickly."""

_DAMAGED = (GameDamagedError, GameAbortedError, UnsoundEventError)
"""Errors of a block that cannot go on, because a game of it is damaged, or was ended as such."""

KEEP_SECONDS = 7 * 24 * 3600
"""Time for which the measured processor times of an unfinished block are stored."""


class Matches:
    """Plays blocks, one game at a time.

    A lease keeps two workers from playing the same block. That only saves time: ids, seeds and
    moves of the games follow from the tournament, so both would play the same games.
    """

    def __init__(self, runtime: Runtime) -> None:
        self.stopping = False
        """When it is set, a slice ends after the present move."""
        self.seconds = SLICE_SECONDS
        """Processor time of a slice; then a tournament makes room for others, even in a game."""
        self._runtime = runtime
        self._leases = Leases(runtime.redis)
        self._left: OrderedDict[tuple[str, Block], list[Match]] = OrderedDict()
        self._ended_void: dict[str, set[int]] = {}
        """By tournament, the void blocks of which no game goes on, so that each is read once."""
        self._waiting: set[int] = set()
        """The blocks that wait for players, or because they are damaged, of the tournament that is
        played now."""
        self._slice: Slice | None = None
        self._admission = admission_of(runtime)
        self._availability = Availability(runtime)
        self._look_again: dict[str, float] = {}
        """By tournament, the time before which this process does not look for players again."""

    def play(self, tournament_id: str) -> bool:
        """Play a tournament for a time slice; return whether there may be more to play.

        Raises:
            Exception: a move could not be recorded; the tournament is still due.
        """
        self._slice = Slice(self.seconds)
        try:
            return self._play_until_over(tournament_id)
        except TournamentNotFoundError:
            log.warning("no_such_tournament", tournament=tournament_id)
            return False
        except TimeIsUpError:
            return True
        except Problem as full:  # no room for the next part, so this one is still due
            log.warning("no_next_part", tournament=tournament_id, reason=full.code)
            return False
        except ConflictError as reason:
            log.info("block_left", tournament=tournament_id, reason=type(reason).__name__)
        except RedisError:
            raise  # the tournament is still due, so the sweeper will find it
        except (TournamentDamagedError, *_DAMAGED) as error:
            _tell_damaged(tournament_id, error)
            return False
        except Exception:
            log.exception("tournament_not_played", tournament=tournament_id)
            raise
        finally:
            self._slice = None
        return True

    def _play_until_over(self, tournament_id: str) -> bool:
        tournament = self._runtime.director.find(tournament_id)
        self._waiting = self._held_up(tournament)
        self._runtime.standings.make_again(tournament)
        self._end_void(tournament)
        while self._play_on(tournament_id):
            if self.is_over():
                return True
        return False

    def is_over(self) -> bool:
        """Whether the time slice is over."""
        return self.stopping or (self._slice is not None and self._slice.is_over())

    def _play_on(self, tournament_id: str) -> bool:
        """Do the next piece of work for a tournament; return whether there may be more."""
        tournament = self._runtime.director.find(tournament_id)
        if tournament.over:
            admit = self._admission.next_part(tournament.created_by["player"])
            self._runtime.director.open_next_part(tournament_id, admit)
            self._end_games(tournament)
            return self._conclude(tournament)
        if tournament.status != RUNNING or not self._can_play(tournament):
            self._runtime.reports.catch_up(tournament)
            return False
        self._runtime.reports.refresh(tournament)
        tournament = self._with_players(tournament)
        left = {block.number for name, block in self._left if name == tournament.id}
        block = self._leases.take_one(tournament, left, self._waiting)
        if block is None:
            return False
        try:
            self._play_block(tournament, block)
        except _DAMAGED as error:  # the others go on; this one waits for the operator, or the host
            _tell_damaged(tournament.id, error)
            self._waiting.add(block.number)
        finally:
            self._leases.give_back()
        return True

    def _can_play(self, tournament: Tournament) -> bool:
        """Whether this machine has the rules and the bots of the plan.

        If it lacks one, store its name in the reason why the tournament waits.
        """
        reason = playable.lacking(tournament, self._runtime.registry)
        if reason is None:
            waiting.is_over(self._runtime.redis, tournament.id)
            return True
        waiting.note(self._runtime.redis, tournament.id, reason)
        log.warning("tournament_waits", tournament=tournament.id, reason=reason)
        return False

    def _with_players(self, tournament: Tournament) -> Tournament:
        """Pair the players of an endless tournament that are present."""
        now = time.monotonic()
        if not tournament.plan.is_endless or now < self._look_again.get(tournament.id, 0):
            return tournament
        self._look_again[tournament.id] = now + LOOK_SECONDS
        found = self._availability.of(tournament)
        if not found:
            return tournament
        self._runtime.director.offer(tournament, found)
        return self._runtime.director.find(tournament.id)

    def keep_lease(self) -> None:
        """Renew the lease of the block that this process plays; the sweeper calls this."""
        self._leases.renew()

    def _play_block(self, tournament: Tournament, block: Block) -> None:
        director = self._runtime.director
        code = playable.code_of(tournament, self._runtime.registry)
        if not tournament.has_declared(code):
            director.declare_code(tournament.id, code)
        if block.try_ > 1:
            # A worker that was killed may have left the games of an earlier try.
            self._end_abandoned(tournament, block)
        if (loss := self._loss_of(tournament, block)) is not None:
            self._left.pop((tournament.id, block), None)
            self._abandon(tournament, block, loss)
            return
        matches: Sequence[BlockGame]
        of_players = tournament.plan.has_players(block.lineup)
        if of_players:
            matches = self._new_matches(tournament, block, PlayerMatch)
        else:
            matches = self._matches_of(tournament, block)
        try:
            for match in matches:
                match.play()
        except PlayersThinkError:
            self._waiting.add(block.number)
            self._keep_cpu(tournament.id, block, matches)
            return
        except TimeIsUpError:
            self._leave(tournament.id, block, matches)
            raise
        except AbandonedError as stop:
            games = [match.reached for match in matches]
            given_up = Abandonment(stop.rotation, stop.seat, stop.decision, stop.reason, games)
            self._abandon(tournament, block, given_up)
            return
        results = [match.result() for match in matches]
        at = max(match.at for match in matches)
        if of_players and tournament.plan.is_endless:
            self._keep_cpu(tournament.id, block, matches)  # so the next worker records the same
            self._availability.charge(tournament, block, results)
        tournament = director.record_block(tournament.id, block, results, at)
        if of_players:
            self._waiting = self._held_up(tournament)  # its players may begin other games
            self._look_again.pop(tournament.id, None)

    def _matches_of(self, tournament: Tournament, block: Block) -> list[Match]:
        """Return the games of a block, with the moves that have been played."""
        left = self._left.pop((tournament.id, block), None)
        if left is not None and next(match for match in left if not match.over).is_newest():
            return left
        return self._new_matches(tournament, block, Match)

    def _new_matches(
        self, tournament: Tournament, block: Block, kind: Callable[..., AnyMatch]
    ) -> list[AnyMatch]:
        """Return the games of a block, as the store has them."""
        luck = self._runtime.director.luck(tournament.id)
        told: Any = self._runtime.redis.get(_cpu_key(tournament.id, block))
        seatings = block.seatings(tournament.plan.rotations)
        cpu = orjson.loads(told) if told else [()] * len(seatings)
        over = self.is_over
        return [
            kind(over, self._runtime, tournament, luck, block, rotation, seating, cpu[rotation])
            for rotation, seating in enumerate(seatings)
        ]

    def _leave(self, tournament_id: str, block: Block, matches: Sequence[BlockGame]) -> None:
        """Keep a block of bots in memory, and store its processor times."""
        self._keep_cpu(tournament_id, block, matches)
        of_bots = [match for match in matches if isinstance(match, Match)]
        if not of_bots:
            return
        self._left[tournament_id, block] = of_bots
        while sum(map(len, self._left.values())) > MOST_LEFT:
            self._left.popitem(last=False)

    def _held_up(self, tournament: Tournament) -> set[int]:
        """Return the blocks that cannot begin a game, because players play as many as they take.

        A player may be free again by the next turn.
        """
        if tournament.over or not tournament.plan.players():
            return set()
        redis, plan = self._runtime.redis, tournament.plan
        playing, waiting = unended.games_of_players(self._runtime.ledger.store, tournament)
        full = {one for one, games in playing.items() if games >= concurrency_of(redis, one)}
        return {block.number for block in waiting if plan.players_in(block.lineup) & full}

    def _keep_cpu(self, tournament_id: str, block: Block, matches: Sequence[BlockGame]) -> None:
        """Store the processor times of a block, which are in no event yet."""
        cpu = orjson.dumps([match.cpu_us for match in matches])
        self._runtime.redis.set(_cpu_key(tournament_id, block), cpu, ex=KEEP_SECONDS)

    def _loss_of(self, tournament: Tournament, block: Block) -> Abandonment | None:
        """Return why the present try at a block cannot end, because a game of it is lost.

        As long as an older release may use the store, which knows no abandoned blocks, the block
        waits instead.
        """
        loss = unended.loss_of(self._runtime.ledger.store, tournament, block)
        return loss if loss and level_of(self._runtime.redis) == NEWEST else None

    def _abandon(self, tournament: Tournament, block: Block, given_up: Abandonment) -> None:
        """Record that a try at a block is abandoned, and does not count."""
        log.warning(
            "block_abandoned", tournament=tournament.id, block=block.number, number=block.try_,
            rotation=given_up.rotation, seat=given_up.seat, decision=given_up.decision,
            reason=given_up.reason,
        )  # fmt: skip
        tournament = self._runtime.director.abandon_block(tournament.id, block, given_up)
        self._end_abandoned(tournament, tournament.blocks[block.number])

    def _end_abandoned(self, tournament: Tournament, block: Block) -> None:
        """Abort the games that had begun in earlier tries at a block, and reveal their luck."""
        store, luck = self._runtime.ledger.store, self._runtime.director.luck(tournament.id)
        for earlier, rotation, name in [*unended.games_of_abandoned(store, tournament, block)]:
            secrets = luck.secrets(earlier, rotation)
            self._end_game(name, secrets, tournament, BLOCK_ABANDONED)

    def _conclude(self, tournament: Tournament) -> bool:
        """Do the work after a tournament's end; return whether some is left."""
        reports, leases = self._runtime.reports, self._leases
        reports.catch_up(tournament)
        if reports.final(tournament) is not None or not leases.take(tournament.id, REPORT):
            return False  # another worker makes the report
        try:
            if not reports.drawn(tournament):
                self._runtime.ratings.catch_up()
            return not reports.draw_on(tournament, lambda: not self.is_over())
        finally:
            leases.give_back()

    def _end_void(self, tournament: Tournament) -> None:
        """Abort the games with players whose blocks do not count, because an entry went out."""
        if tournament.over or not tournament.disqualified or not tournament.plan.players():
            return
        known = self._ended_void.setdefault(tournament.id, set())
        left = [block for block in unended.void_blocks(tournament) if block.number not in known]
        # Nobody begins a void block, but who holds a lease may not know yet that it is void.
        left = [block for block in left if not self._leases.are_held(tournament.id, [block])]
        store, luck = self._runtime.ledger.store, self._runtime.director.luck(tournament.id)
        for block, rotation, name in [*unended.games_in(store, tournament, left)]:
            secrets = luck.secrets(block, rotation)
            self._end_game(name, secrets, tournament, TOURNAMENT_CANCELLED)
        known.update(block.number for block in left)

    def _end_games(self, tournament: Tournament) -> None:
        """Abort the games that had begun when the tournament was cancelled, or an entry went out.

        As long as a game cannot be ended here, a cancelled tournament stays due.
        """
        begun = list(unended.games(self._runtime.ledger.store, tournament))
        if begun and not self._can_play(tournament):
            return
        luck = self._runtime.director.luck(tournament.id)
        left = self._leases.are_held(tournament.id, unended.blocks(tournament))  # more may begin
        for block, rotation, name in begun:
            try:
                secrets = luck.secrets(block, rotation)
                self._end_game(name, secrets, tournament, TOURNAMENT_CANCELLED)
            except (GameDamagedError, UnsoundEventError) as error:
                log.error("tournament_damaged", tournament=tournament.id, error=str(error))  # noqa: TRY400 - known
                left = True
        if not left:
            self._ended_void.pop(tournament.id, None)
            self._runtime.director.owes_nothing(tournament.id)

    def _end_game(self, name: str, secrets_: Secrets, tournament: Tournament, reason: str) -> None:
        by = {"tournament": tournament.id}
        ledger = self._runtime.ledger
        game = ledger.game_at(name, None)
        if not game.version:
            raise UnsoundEventError(1, GAP, f"{name} has no sound beginning")
        if is_for_players(game):
            if not game.over:
                ledger.change(name, lambda batch: batch.abort(reason, by))
            ledger.change(name, lambda batch: batch.reveal_chance())
            return
        run = BufferedGame(ledger.store, game, secrets_, tournament.at)
        if not game.over:
            run.record(lambda batch: batch.abort(reason, by))
        if not run.game.chance_open:
            run.record(lambda batch: batch.reveal_chance())
        run.flush()


def _tell_damaged(tournament_id: str, error: Exception) -> None:
    TOURNAMENTS_DAMAGED.inc()
    log.error("tournament_damaged", tournament=tournament_id, error=str(error))


def _cpu_key(tournament_id: str, block: Block) -> str:
    again = "" if block.try_ == 1 else f":{block.try_}"
    return game_key(tournament_id, f"cpu_us:{block.number}{again}")
