"""Games: folding them from streams and snapshots, reading their past, and appending to them."""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import structlog
from redis.exceptions import RedisError

from rules.kernel.contract.effects import Effect, EffectLog
from rules.kernel.contract.registry import Registry
from rules.kernel.record.batch import Batch
from rules.kernel.record.clocks import next_deadline
from rules.kernel.record.events import Event, genesis
from rules.kernel.record.game import (
    ABORTED,
    BLOCK,
    DAMAGED,
    GAP,
    RUNNING,
    SEATS,
    Game,
    UnsoundEventError,
    sound_before_end,
    without_damage,
)
from rules.kernel.record.instants import from_ms, to_ms
from rules.kernel.record.secrets import Secrets
from service.ledger import notices, snapshots
from service.ledger.damage import Damage, GameDamagedError, sound_part
from service.ledger.kinds import parts_in
from service.ledger.lists import CHANGE_LISTS, asked_entries, game_listing, players_asked
from service.ledger.notices import NO_NOTICES
from service.ledger.origin import IMPORTED
from service.ledger.outages import Outage, Outages
from service.ledger.repository import (
    ATTEMPTS,
    ConflictError,
    Repository,
    SealedBatch,
    StoredAggregate,
)
from service.ledger.settling import rule_at_start
from service.ledger.snapshots import Snapshots
from service.ledger.store import (
    Obligations,
    RepeatedRequest,
    Retry,
    RewoundStream,
    Store,
    StoredEvent,
    index_size,
)
from service.ledger.terms import (
    DEFAULT_TERMS,
    PUBLIC,
    SETTLED,
    TERMS,
    UNRATED,
    TableTerms,
    challenge_deadline,
    lobby_deadline,
)
from service.process.fair_queue import paced
from service.records.leaves import pseudonym_key
from service.redis.format import NEWEST, level_of
from service.redis.keys import game_key

log = structlog.get_logger(__name__)


class GameNotFoundError(LookupError):
    """There is no game with this id."""


class RewoundError(ConflictError):
    """The stream now has another history than the game that was read from it; read it again."""


class FoldedGame(NamedTuple):
    """A folded game with the service's data beside it; immutable.

    If the stream has a ``damage``, ``game`` is folded from the sound part.
    """

    game: Game
    secrets: Secrets
    damage: Damage | None


ChainedEvent = tuple[Event, bytes]
"""An event and the hash of the event before it."""


class Replay(NamedTuple):
    """Events that were appended earlier, their effects, and the game after them.

    ``effects`` has pairs of an event's ``seq`` and an effect. If the caller asked for them,
    ``games`` has the game before the first event and after each event, by the event's ``seq``.
    """

    game: Game
    chained: list[ChainedEvent]
    effects: list[tuple[int, Effect]]
    games: dict[int, Game]


class Moment(NamedTuple):
    """An event and the hash before it, its effects, and the game before and after it.

    Both games are immutable.
    """

    event: Event
    prev_hash: bytes
    effects: list[Effect]
    before: Game
    game: Game


@dataclass(frozen=True, slots=True, kw_only=True)
class AppendedBatch(SealedBatch[Game]):
    """An accepted batch: its events, and the game after them, which is immutable."""

    batch: Batch

    @property
    def game(self) -> Game:
        """The game after the appended events."""
        return self.after


class Ledger(Repository[Game]):
    """The games of one store, with a cache of ``cache_size`` folded ones.

    ``on_append`` is called for each game in which the service has to act after an append: to decide
    for automatic seats, or to play the next game of a tournament.
    """

    kind = "game"
    missing = GameNotFoundError

    def __init__(
        self,
        store: Store,
        registry: Registry,
        *,
        cache_size: int = 2_000,
        on_append: Callable[[Game], None] = lambda _game: None,
    ) -> None:
        super().__init__(store, cache_size)
        self.registry = registry
        self.snapshots = Snapshots(store.redis)
        self.outages = Outages(store.redis)
        self._on_append = on_append
        self._terms: OrderedDict[tuple[str, bool], TableTerms] = OrderedDict()
        """The terms of tables before and after the start of their games.

        A table is identified by the commitment to chance, which is different for each game.
        """

    # Reading

    def table(self, game_id: str, at_least: int | None = None) -> FoldedGame:
        """Return a game folded to its newest event.

        If ``at_least`` is given, a cached game is good enough if its version is at least that one.

        Raises:
            GameNotFoundError: there is no such game.
            GameDamagedError: not even its first batch is sound.
            UnknownRulesetError: no installed rules can play it.
        """
        return FoldedGame(*self.load(game_id, at_least))

    def terms(self, game: Game) -> TableTerms:
        """Return the terms of a game's table; a tournament's games have default terms."""
        if not game.created or game.scope != game.id:
            return TableTerms()
        known = self._terms.get((game.created["chance"]["commitment"], game.state is None))
        if known is None:
            known = TableTerms.load(*self.store.table(game.id, (TERMS, SETTLED)))
            self._keep_terms(game, known)
        return known

    def pseudonym_key(self, game: Game) -> bytes | None:
        """Return the key of the pseudonym that a game has in the public log; None if it has none.

        A public game stands there under its own id.
        """
        if self.terms(game).visibility == PUBLIC:
            return None
        return pseudonym_key(self.secrets(game.id).salt)

    def _keep_terms(self, game: Game, known: TableTerms) -> None:
        table = game.created["chance"]["commitment"], game.state is None
        with self._lock:
            self._terms[table] = known
            if len(self._terms) > self.cache_size:
                self._terms.popitem(last=False)

    def game_at(self, game_id: str, version: int | None) -> Game:
        """Return a game as it was at ``version`` (None: now), as a copy that may be changed.

        A game that does not exist has version 0. Raises UnknownRulesetError.
        """
        return self._unfold(game_id, version, version).game

    def events(self, game_id: str, after: int, limit: int) -> list[ChainedEvent]:
        """Return up to ``limit`` events after ``after``, each with the hash before it."""
        first = max(after - 1, 0)
        found = self.store.read(game_id, first, limit + (after - first))
        return _chained(genesis(game_id), after, found)

    # Reads about a game that was read before. All raise RewoundError if the stream has another
    # history by now, and GameDamagedError if the part that was read is no longer sound.

    def earlier(self, game: Game, version: int) -> Game:
        """Return ``game`` as it was at ``version``, as a copy that may be changed."""
        return self._unfold(game.id, version, version, game).game

    def history(self, game: Game, after: int, limit: int) -> list[ChainedEvent]:
        """Return up to ``limit`` of the game's events, as ``events`` does."""
        first = max(after - 1, 0)
        found = self._read(game, first, limit + (after - first))
        return _chained(genesis(game.id), after, found)

    def effects(self, game: Game, after: int, until: int) -> list[tuple[int, Effect]]:
        """Return the effects of each of the game's events after ``after`` up to ``until``."""
        return self._unfold(game.id, after, until, game).effects

    def moments(self, game: Game, after: int, limit: int) -> list[Moment]:
        """Return the moments of up to ``limit`` of the game's events after ``after``.

        Unsound events of a game that was ended as damaged have no effects.
        """
        until = min(after + limit, game.version)
        told = self._unfold(game.id, after, until, game, keep=True)
        effects: dict[int, list[Effect]] = {}
        for seq, effect in told.effects:
            effects.setdefault(seq, []).append(effect)
        found, before = [], told.games.get(after, told.game)
        for event, prev_hash in paced(told.chained):
            then = told.games.get(event.seq, before)
            found.append(Moment(event, prev_hash, effects.get(event.seq, []), before, then))
            before = then
        return found

    def replay(self, game_id: str, first: int, last: int) -> Replay:
        """Derive again the result of appending the batch from ``first`` to ``last``."""
        found = self._unfold(game_id, first - 1, last)
        if len(found.chained) != last - first + 1 or found.chained[0][0].last != last:
            raise RewoundError(game_id)
        return found

    def _read(self, game: Game, after: int, limit: int) -> list[StoredEvent]:
        found = self.store.read_before(game.id, game.version, game.head, after, limit)
        if isinstance(found, RewoundStream):
            raise RewoundError(game.id)
        return found

    def _unfold(
        self,
        game_id: str,
        after: int | None,
        until: int | None,
        of: Game | None = None,
        *,
        keep: bool = False,
    ) -> Replay:
        """Return a game as of the version ``until``, and what happened after the version ``after``.

        The members of the result are:

        - ``game`` is the game at ``until``, or at its newest event if ``until`` is None. If an
          event is damaged, ``game`` has only the sound events.
        - ``chained`` and ``effects`` are the events after ``after``, and the effects of these
          events. Both are empty if ``after`` is None.
        - ``games`` is empty unless ``keep`` is true. Then it has the game before the first of
          these events, and after each of them.

        ``of`` is the game at a later version. If it is given, the events must belong to its
        history. Folding begins with a snapshot if a valid one exists.
        """
        base = self.snapshots.nearest(game_id, after, self.registry)
        if base is not None:
            stored = self._span(game_id, base.version - 1, until, of)
            if stored and (stored[0].event.seq, stored[0].event.hash) == (base.version, base.head):
                # After an error, fold from the first event, to locate the damage.
                with suppress(UnsoundEventError):
                    return self._fold_on(base, stored[1:], after, of, keep=keep)
        stored = self._span(game_id, 0, until, of)
        return self._fold_on(Game(game_id, self.registry), stored, after, of, keep=keep)

    def _span(
        self, game_id: str, first: int, until: int | None, of: Game | None
    ) -> list[StoredEvent]:
        if until is not None and until <= first:
            return []
        limit = None if until is None else until - first
        if limit is None:
            return self.store.read_all(game_id, first)
        if of is None:
            return self.store.read(game_id, first, limit)
        return self._read(of, first, limit)

    def _fold_on(
        self,
        game: Game,
        stored: list[StoredEvent],
        after: int | None,
        of: Game | None,
        *,
        keep: bool,
    ) -> Replay:
        """Fold more events onto ``game``.

        If ``game`` has events already, an unsound event raises UnsoundEventError. If ``game`` has
        no events, only the sound part is folded.
        """
        began = game.version
        events = [event for event, _retry in stored]
        told = Replay(game, [] if after is None else _chained(game.head, after, stored), [], {})
        taken: dict[int, bytes] = {}
        lacking = len(events) > 2 * snapshots.EVERY and of is not None and of.status != ABORTED
        try:
            for event in paced(without_damage(events)):
                if after is None or event.seq <= after:
                    game.take(event)
                else:
                    if keep and event.seq - 1 == after:
                        told.games[after] = game.fork()
                    log = EffectLog()
                    game.take(event, log)
                    told.effects.extend((event.seq, effect) for effect in log.effects)
                    if keep:
                        told.games[event.seq] = game.fork()
                if lacking and event.seq % snapshots.EVERY == 0:
                    taken[event.seq] = snapshots.take(game)
        except UnsoundEventError:
            if began:
                raise
            sound, found = sound_part(game.id, self.registry, events)
            if found is not None and of is not None and of.status != ABORTED:
                # The game was sound when it was cached, so its stream was damaged since.
                self._suspend(game.id, found)
                raise GameDamagedError(game.id, found) from None
            return told._replace(game=sound)
        if taken and not self.store.is_archived(game.id):
            self.snapshots.write(taken, game.id)
        return told

    # Folding

    def _fold(self, base: Game, events: Iterable[Event]) -> Game:
        game = base.fork()
        for event in paced(events):
            if sound_before_end(event) is not None:
                raise UnsoundEventError(base.version, DAMAGED, "the game was ended as damaged")
            game.take(event)
        game.access.settle()
        return game

    def _restore(self, id_: str, secrets: Secrets, *, anew: bool) -> StoredAggregate[Game]:
        found = None if anew else self._from_snapshot(id_, secrets)
        found = found or self._from_the_first(id_, secrets)
        if not found.aggregate.created:
            if found.aggregate.version == 0 and found.damage is None:
                raise GameNotFoundError(id_)
            raise GameDamagedError(id_, found.damage or Damage.at(GAP, 1, id_, ()))
        if self._is_ahead_of_its_tournament(found.aggregate):
            raise GameNotFoundError(id_)
        return found

    def _without_secrets(self, id_: str, newest: Event) -> Exception:
        known = self.store.damage(id_)
        found = known or Damage.without_secrets(newest)
        if known is None:
            self._suspend(id_, found)
        return GameDamagedError(id_, found)

    def _is_ahead_of_its_tournament(self, game: Game) -> bool:
        """Whether a game is hidden because it was imported before its tournament.

        This is so until the tournament is imported, too.
        """
        owner = game.created_by.get("tournament")
        if owner is None or not game.over:
            return False
        is_imported = self.store.redis.exists(game_key(game.id, IMPORTED))
        return bool(is_imported) and not self.store.newest(owner)

    def _from_snapshot(self, game_id: str, secrets: Secrets) -> StoredAggregate[Game] | None:
        """Fold a game from its newest snapshot; None if there is no valid one."""
        game = self.snapshots.nearest(game_id, None, self.registry)
        if game is None:
            return None
        look = self.store.look(game_id, game.version, game.head)
        if isinstance(look.missed, RewoundStream) or look.damage is not None:
            return None
        try:
            return StoredAggregate(
                self._fold(game, [event for event, _retry in look.missed]), secrets
            )
        except UnsoundEventError:
            return None

    def _from_the_first(self, game_id: str, secrets: Secrets) -> StoredAggregate[Game]:
        """Fold all events, or the sound part of them."""
        stored, known, _replayed, indexed = self.store.look(game_id, 0, b"")
        assert not isinstance(stored, RewoundStream)  # noqa: S101 - all streams have a beginning
        until = None if known is None or known.unknown else known.sound_seq
        events = [event for event, _retry in stored if until is None or event.seq <= until]
        game, found = sound_part(game_id, self.registry, events)
        if found is None and known is not None and known.unknown:
            found = Damage.unknown_after(game)
        if found not in (None, known):
            self._suspend(game_id, found)
        game.access.settle()
        if not (found or known):
            self._shorten(game, stored, indexed or 0)
        return StoredAggregate(game, secrets, found or known)

    def _suspend(self, game_id: str, found: Damage) -> None:
        log.error("game_damaged", game=game_id, problem=found.problem, seq=found.seq)
        self.store.note_damage(game_id, found)

    def _shorten(self, game: Game, stored: list[StoredEvent], indexed: int) -> None:
        """Write a snapshot and an index of requests, where a stream lacks them.

        Then no read has to begin at the stream's first event. A tournament's games of bots alone
        need no index, because nobody repeats requests there. An archived game gets neither.
        """
        if game.over and self.store.is_archived(game.id):
            return
        if len(stored) > 2 * snapshots.EVERY:
            self.snapshots.write({game.version: snapshots.take(game)}, game.id)
        if game.created and is_for_players(game) and indexed < index_size(stored):
            try:
                self.store.index(game.id, stored)
            except RedisError as error:
                # Without the index, later reads fold from the first event: slow, but not wrong.
                log.warning("index_not_written", game=game.id, error=type(error).__name__)

    # Appending

    def create(
        self,
        game_id: str,
        secrets: Secrets,
        act: Callable[[Batch], None],
        retry: Retry | None = None,
        terms: TableTerms = DEFAULT_TERMS,
    ) -> AppendedBatch | RepeatedRequest:
        """Open a game with the events that ``act`` records, and with these ``terms``.

        In all else, this method works like ``change``.
        """
        new = StoredAggregate(Game(game_id, self.registry), secrets)
        record = self._recording([act], terms=terms)
        return self._told(self.append(game_id, record, retry=retry, new=new))

    def change(
        self,
        game_id: str,
        act: Callable[[Batch], None],
        *,
        at_least: int | None = None,
        retry: Retry | None = None,
        beside: Callable[[], Mapping[str, bytes]] = dict,
    ) -> AppendedBatch | RepeatedRequest:
        """Append the events that the callback ``act`` records.

        Each try (see ``append``) calls ``act`` with a new batch.

        The callback ``beside`` is called after ``act``. It returns fields, which are stored beside
        the stream in the same step as the events.

        Raises also:
            GameNotFoundError: no such game; UnknownRulesetError: no rules for it.
        """
        record = self._recording([act], beside=beside, stand_still=True)
        append = partial(self.append, game_id, record, at_least=at_least, retry=retry)
        return self._told(self._changed(game_id, append))

    def change_in_turn(
        self,
        game_id: str,
        acts: Callable[[Game], Iterable[Callable[[Batch], None]]],
        *,
        stand_still: bool = True,
    ) -> Game:
        """Append a batch for each of ``acts``, all of them or none; return the game after them.

        The batches belong to no request. Unless ``stand_still`` is true, it is not recorded that
        clocks stood still before. Raises the errors of ``change``.
        """

        def record(kept: StoredAggregate[Game], now: str) -> AppendedBatch:
            return self._recording(acts(kept.aggregate), stand_still=stand_still)(kept, now)

        done = self._changed(game_id, partial(self.append, game_id, record))
        assert isinstance(done, AppendedBatch)  # noqa: S101 - it has no request to repeat
        return done.game

    def _changed(
        self, game_id: str, append: Callable[[], AppendedBatch | RepeatedRequest]
    ) -> AppendedBatch | RepeatedRequest:
        """Append a change, after what it has to be recorded of outages before it."""
        for _ in range(ATTEMPTS):
            try:
                return append()
            except _StoodStillError as stood:
                self._stand_still(game_id, stood.outages)
        raise ConflictError(game_id)

    def _stand_still(self, game_id: str, outages: Iterable[Outage]) -> None:
        """Record that the clocks of a game stood still, unless somebody else does."""

        def acts(game: Game) -> Iterator[Callable[[Batch], None]]:
            known = game.stood_still_until
            for outage in outages:
                since, until = from_ms(outage.since), from_ms(outage.until)
                if until > known:
                    yield partial(_interrupt, since=max(since, known), until=until)
                    known = until
            if known == game.stood_still_until:
                raise ConflictError(game_id)

        with suppress(ConflictError):
            self.change_in_turn(game_id, acts, stand_still=False)

    def outages_in(self, game: Game) -> tuple[Outage, ...]:
        """Return the outages in which clocks ran that run now, and that are not recorded yet."""
        if game.created["clock"] is None or game.status != RUNNING or game.suspended_at:
            return ()
        asked = [at for seat, at in game.asked_at.items() if not game.seats[seat].automatic]
        if not asked:
            return ()
        found = self.outages.ended_after(to_ms(max(min(asked), game.stood_still_until)))
        # An older release does not know that clocks stand still.
        return found if not found or level_of(self.store.redis) == NEWEST else ()

    def _recording(
        self,
        acts: Iterable[Callable[[Batch], None]],
        *,
        terms: TableTerms | None = None,
        beside: Callable[[], Mapping[str, bytes]] = dict,
        stand_still: bool = False,
    ) -> Callable[[StoredAggregate[Game], str], AppendedBatch]:
        """Return the function that makes one batch for each of ``acts``, and joins the batches.

        ``terms`` are given if a new table is opened. With ``stand_still``, the function raises
        _StoodStillError if it has to be recorded first that clocks stood still.
        """

        def record(kept: StoredAggregate[Game], now: str) -> AppendedBatch:
            if stand_still and (outages := self.outages_in(kept.aggregate)):
                raise _StoodStillError(outages)
            events: list[Event] = []
            batches: list[Batch] = []
            game = kept.aggregate
            for act in acts:
                batch = Batch(game, kept.secrets, now)
                act(batch)
                events += batch.seal()
                batches.append(batch)
                game = batch.game
                game.access.settle()
            before, live, players = kept.aggregate, is_live(game), is_for_players(game)
            new = {**beside(), **({} if terms is None else terms.dump())}
            known = self.terms(before) if terms is None else terms
            if known.rated and before.state is None and game.state is not None:
                known = known.settled(rule_at_start(self.store.redis, game, new))
                new[SETTLED] = b"%d" % (known.rating_rule or UNRATED)
            elif before.state is None and live:
                self._keep_terms(game, known)  # only a rated game's terms change at its start
            is_listed_anew = live and any(event.kind in CHANGE_LISTS for event in events)
            return AppendedBatch(
                after=game,
                events=events,
                obligations=obligations(game, known),
                listing=game_listing(game, terms=known) if is_listed_anew else None,
                seen=players,
                beside=new,
                asked=_newly_asked(before, game) if players else None,
                notices=notices.of_batch(before, game, events, known) if players else NO_NOTICES,
                closes=not before.round and game.round > 0,
                parts=parts_in(before, game, known),
                batch=batches[-1],
            )

        return record

    def _told(self, done: AppendedBatch | RepeatedRequest) -> AppendedBatch | RepeatedRequest:
        if isinstance(done, AppendedBatch):
            game = done.game
            self.snapshots.write_if_time(game, len(done.events))
            if done.obligations.due is not None or has_tournament_work(game):
                self._on_append(game)
        return done


class _StoodStillError(Exception):
    """Clocks of a game stood still in these ``outages``, and this is not recorded yet."""

    def __init__(self, outages: tuple[Outage, ...]) -> None:
        super().__init__(outages)
        self.outages = outages


def _interrupt(batch: Batch, since: str, until: str) -> None:
    # The store's clock may be a little ahead of its estimate.
    batch.interrupt(since, min(until, batch.at))


def moments_after(game: Game, chained: Iterable[ChainedEvent]) -> list[Moment]:
    """Return the moments of the events that follow ``game``.

    Raises:
        UnsoundEventError: the events do not follow ``game``.

    """
    found = []
    for event, prev_hash in paced(chained):
        before, log = game, EffectLog()
        game = before.fork()
        game.take(event, log)
        found.append(Moment(event, prev_hash, log.effects, before, game))
    return found


def _chained(prev_hash: bytes, after: int, stored: list[StoredEvent]) -> list[ChainedEvent]:
    """Return the events whose ``seq`` is greater than ``after``, each with the hash before it.

    ``prev_hash`` is the hash before the first event in ``stored``.
    """
    found = []
    for event, _retry in stored:
        if event.seq > after:
            found.append((event, prev_hash))
        prev_hash = event.hash
    return found


def _newly_asked(before: Game, after: Game) -> list[str] | None:
    """Return a game's entries in the lists of games that wait for people; None if unchanged."""
    return None if players_asked(after) == players_asked(before) else asked_entries(after)


def obligations(game: Game, terms: TableTerms = DEFAULT_TERMS) -> Obligations:
    """Return when the service has to act in a game: for automatic seats, and at a deadline."""
    due = to_ms(game.at) if is_live(game) and game.automatic_seats() else None
    ends = (lobby_deadline(game, terms), challenge_deadline(game, terms))
    deadline = min((end for end in ends if end is not None), default=None)
    return Obligations(due, next_deadline(game) if deadline is None else deadline)


def has_tournament_work(game: Game) -> bool:
    """Whether a worker has to play on in a tournament's game with players, or after its end."""
    if game.created["visibility"] != SEATS:
        return False
    return game.over or bool(game.automatic_seats())


def is_live(game: Game) -> bool:
    """Whether a game belongs to no tournament."""
    return game.scope == game.id


def is_for_players(game: Game) -> bool:
    """Whether players follow a game as it is played: in a tournament, only those who sit in it."""
    return bool(game.created["visibility"] != BLOCK)
