"""Finds overdue work: lost jobs of bots, expired clocks, tables that did not start.

It also counts the rated games that have ended, and matches players who seek others.

What has to be done is stored in sorted sets in Redis, so it does not depend on jobs, workers and
queues. Every worker has a sweeper that looks through these sets.
"""

import threading
from collections.abc import Callable, Sequence

import structlog
from redis.exceptions import RedisError

from rules.kernel.contract.registry import UnknownRulesetError
from rules.kernel.record.clocks import beacon_time, entropy_deadline, is_late
from rules.kernel.record.game import Game
from rules.kernel.record.instants import from_ms
from service.beacons.relays import Relays
from service.catalogue.bots import HEAVY, LIVE
from service.games.listing import GameList
from service.ids import is_tournament
from service.ledger.damage import GameDamagedError
from service.ledger.ledger import GameNotFoundError, is_live
from service.ledger.notices import ClockLow, ClockLows
from service.ledger.repository import ConflictError
from service.ledger.unlisting import ArchiveBehindError
from service.ledger.vault import VaultError
from service.metrics import OVERDUE, SWEEP_SECONDS, SWEEPS_FAILED, TOURNAMENTS_DAMAGED
from service.runtime import Runtime
from service.tournaments.plan import RESIGN
from service.tournaments.tournament import TournamentDamagedError, TournamentNotFoundError
from service.turns.watch import ObligationList
from workers.analyses import ASK_AGAIN_MS as ANALYSIS_AGAIN_MS
from workers.beats import SWEEPER
from workers.hints import ASK_AGAIN_MS as HINT_AGAIN_MS
from workers.process import Process
from workers.seeking import seeks_of
from workers.turns import GRACE_MS, UNPLAYABLE_MS

log = structlog.get_logger(__name__)

INTERVAL = 0.5
ASK_AGAIN_MS = 10_000
"""Time for which a game may be due before its job is queued again."""

PER_SHARD = 50
TABLES_EVERY_MS = 60_000
"""Interval at which a process looks for tables that did not start."""

RATE_EVERY_MS = 1_000
"""Interval at which a process looks for rated games that have ended."""

MATCH_EVERY_MS = 1_000
"""Interval at which a process looks for seeks that suit each other.

Most are matched when the last of them is made; this finds who comes back, and what was interrupted.
"""

RATE_SECONDS = 0.1
"""Maximum time for counting rated games in one round, before clocks and jobs are checked."""

BEACON_AGAIN_MS = 500
"""Time after which a process looks again whether a round of a beacon has been fetched."""

HOUR_MS = 3_600_000


class Sweeper(threading.Thread):
    """Looks for overdue work every ``interval`` seconds, while the main thread runs jobs.

    Each round also calls the functions in ``also``.
    """

    def __init__(
        self,
        parts: Process,
        interval: float = INTERVAL,
        also: Sequence[Callable[[Runtime], object]] = (),
    ) -> None:
        super().__init__(name="sweeper", daemon=True)
        self._parts = parts
        self._runtime = parts.runtime
        self._turns = parts.turns
        self._matches = parts.matches
        self._beats = parts.beats
        self._interval = interval
        self._also = also
        self._watch = ObligationList(parts.runtime.redis)
        self._lows = ClockLows(parts.runtime.redis, parts.runtime.ledger.store.tail_length)
        self._games = GameList(parts.runtime.redis, parts.runtime.ledger)
        self._seeks = seeks_of(parts.runtime)
        self._relays = Relays(parts.runtime.beacons)
        self._tables_at = self._rate_at = self._match_at = 0
        self._stop_asked = threading.Event()

    def run(self) -> None:
        """Sweep again and again until ``stop``, even after an error."""
        while not self._stop_asked.wait(self._interval):
            self._beats.note(SWEEPER)
            try:
                with SWEEP_SECONDS.time(), SWEEPS_FAILED.count_exceptions():
                    self.sweep()
            except RedisError as error:
                log.warning("sweep_failed", error=str(error))
            except Exception:
                log.exception("sweep_failed")

    def stop(self) -> None:
        """End the thread soon."""
        self._stop_asked.set()

    def sweep(self) -> None:
        """Look through everything once."""
        self._runtime.health.complaint()  # the call logs and counts what it finds
        # A newer release may write data that would look like damage.
        if self._runtime.health.another_format:
            if not self._parts.stopping:
                self._parts.leave()
            return
        now = self._runtime.ledger.store.clock.ask()
        if playing := self._turns.playing:
            self._watch.postpone(playing, now)
        self._take_up_undone(now)
        self._matches.keep_lease()
        self._ask_for_overdue(now)
        self._ask_for_analyses(now)
        self._expire(now)
        self._tell_of_clocks(now)
        if now >= self._tables_at:
            self._tables_at = now + TABLES_EVERY_MS
            self.cancel_unstarted(now)
        if now >= self._rate_at:
            self._rate(now)
        if now >= self._match_at:
            self._match_at = now + MATCH_EVERY_MS
            self._match()
        for do in self._also:
            do(self._runtime)

    def _take_up_undone(self, now: int) -> None:
        """Make due at once the turns that this process has taken and not finished.

        They were interrupted when the store became unavailable. This sweep queues them again.
        """
        while self._parts.undone:
            thing = self._parts.undone.pop()
            try:
                self._watch.postpone(thing, now - GRACE_MS)
            except RedisError:
                self._parts.undone.add(thing)
                raise

    def _ask_for_overdue(self, now: int) -> None:
        jobs = self._runtime.jobs
        overdue = self._watch.claim_overdue(now - GRACE_MS, now + ASK_AGAIN_MS, PER_SHARD)
        games = [stream_id for stream_id in overdue if not is_tournament(stream_id)]
        for queue in (LIVE, HEAVY):  # a game that only waits for its turn has not been lost
            games = jobs.lost(queue, games)
        for game_id in games:
            OVERDUE.inc()
            self._beats.note(SWEEPER)
            self._ask_for(game_id)
        for stream_id in overdue:
            if is_tournament(stream_id):
                self._beats.note(SWEEPER)
                self._look_after(stream_id)
        jobs.call_workers()

    def _ask_for_analyses(self, now: int) -> None:
        """Queue lost analyses and hints again: those that neither run nor wait for a turn."""
        jobs = self._runtime.jobs
        for queue, kept, again_ms, ask in (
            (HEAVY, self._runtime.analyses, ANALYSIS_AGAIN_MS, jobs.analyse),
            (LIVE, self._runtime.hints, HINT_AGAIN_MS, jobs.hint),
        ):
            for name in jobs.lost(queue, kept.overdue(now + again_ms, PER_SHARD)):
                asked = kept.find(name)
                if asked is not None:
                    ask(name, asked.owner)

    def _ask_for(self, game_id: str) -> None:
        try:
            game = self._runtime.ledger.table(game_id).game
        except (GameNotFoundError, GameDamagedError, UnknownRulesetError, VaultError) as error:
            log.error("game_not_playable", game=game_id, error=str(error))  # noqa: TRY400 - known
            self._watch.postpone(game_id, self._runtime.ledger.store.clock.now_ms() + UNPLAYABLE_MS)
        else:
            self._runtime.jobs.play_automatic_seats(game)

    def _look_after(self, tournament_id: str) -> None:
        """Append a tournament's overdue automatic events, and queue its open blocks."""
        try:
            tournament = self._runtime.director.advance(tournament_id)
        except (TournamentNotFoundError, ConflictError):
            return
        except TournamentDamagedError as error:
            TOURNAMENTS_DAMAGED.inc()
            log.error("tournament_damaged", tournament=tournament_id, error=str(error))  # noqa: TRY400 - known
            at = self._runtime.ledger.store.clock.now_ms() + UNPLAYABLE_MS
            self._watch.postpone(tournament_id, at)
            return
        except RedisError:
            raise
        except Exception:
            log.exception("tournament_not_advanced", tournament=tournament_id)
            return
        # Workers needed: at least one, which ends the games of a cancelled tournament.
        workers = max(1, len(tournament.open_blocks()))
        self._runtime.jobs.tournament_overdue(tournament, workers)

    def _expire(self, now: int) -> None:
        for game_id in self._watch.expired(now, PER_SHARD):
            self._beats.note(SWEEPER)
            try:
                game = self._expired(game_id, now)
            except RedisError:
                raise
            except Exception:
                log.exception("clock_not_handled", game=game_id)
                continue
            if game is None:
                continue
            if not is_live(game):
                self._runtime.director.play_on(game.created_by["tournament"])
            elif game.automatic_seats():
                self._runtime.jobs.play_automatic_seats(game)

    def _expired(self, game_id: str, now: int) -> Game | None:
        """Append what a passed deadline requires; return the game after that, or None."""
        tables, game = self._runtime.tables, self._runtime.ledger.table(game_id).game
        if beacon_time(game) is not None:
            return self._drawn(game, now)
        if is_live(game):
            return getattr(tables.expire(game_id), "game", None)
        plan = self._runtime.director.find(game.created_by["tournament"]).plan
        return tables.time_out(game_id, resigns=plan.failures.then == RESIGN)

    def _drawn(self, game: Game, now: int) -> Game | None:
        """Start a game whose round of a beacon is out, once a relay has given its signature.

        The round counts as late only if the relays were asked for it after its time, and failed: a
        service that was away asks first.
        """
        tables, chain = self._runtime.tables, game.created["entropy"]["beacon"]["chain"]
        found = self._relays.find(chain, game.round)
        if found.signature is not None:
            return getattr(tables.draw_beacon(game.id, found.signature), "game", None)
        if found.failed and is_late(from_ms(now), entropy_deadline(game)):
            return getattr(tables.expire(game.id), "game", None)
        self._watch.look_again(game.id, now + BEACON_AGAIN_MS)
        return None

    def _rate(self, now: int) -> None:
        try:
            if self._runtime.player_ratings.catch_up(now, RATE_SECONDS):
                self._rate_at = now + RATE_EVERY_MS
        except ArchiveBehindError as error:
            self._rate_at = now + RATE_EVERY_MS
            log.warning("ratings_wait_for_the_archive", reason=str(error))
        except RedisError:
            raise
        except Exception:
            log.exception("ratings_not_counted")

    def _match(self) -> None:
        try:
            self._seeks.match_in_turn()
        except RedisError:
            raise
        except Exception:
            log.exception("seeks_not_matched")

    def _tell_of_clocks(self, now: int) -> None:
        """Notify players who have little time left for a decision."""
        for low in self._lows.due(now, PER_SHARD):
            self._beats.note(SWEEPER)
            self._tell_of_clock(low, now)

    def _tell_of_clock(self, low: ClockLow, now: int) -> None:
        try:
            table = self._runtime.ledger.table(low.game_id)
        except (GameDamagedError, GameNotFoundError, UnknownRulesetError, VaultError):
            self._lows.forget(low)  # no seat can make a decision in this game
        except RedisError:
            raise
        except Exception:
            log.exception("clock_not_told", game=low.game_id)
            self._lows.forget(low)
        else:
            if table.damage is None:
                self._lows.tell(low, table.game, now)
            else:
                self._lows.forget(low)

    def cancel_unstarted(self, now: int) -> None:
        """Cancel the tables that by ``now`` (ms since 1970) have waited too long."""
        before = now - self._runtime.settings.table_hours * HOUR_MS
        for game_id in self._games.waiting_since(before):
            try:
                self._runtime.tables.cancel_unstarted(game_id, before)
            except (GameDamagedError, GameNotFoundError, UnknownRulesetError, VaultError):
                continue  # only an operator can end such a game
            except RedisError:
                raise
            except Exception:
                log.exception("table_not_cancelled", game=game_id)
