"""Keeps games folded, catches up with what others appended, and appends batches."""

from collections import OrderedDict
from collections.abc import Callable, Iterable
from contextlib import suppress
from threading import Lock
from typing import NamedTuple, Self

import structlog
from redis.exceptions import RedisError

from rules.kernel.contract.effects import Effect, EffectLog
from rules.kernel.contract.registry import Registry
from rules.kernel.record.batch import Batch
from rules.kernel.record.clocks import next_deadline
from rules.kernel.record.events import Event, genesis
from rules.kernel.record.game import (
    ABORTED,
    DAMAGED,
    GAP,
    Game,
    Unsound,
    sound_before_end,
    without_damage,
)
from rules.kernel.record.instants import to_ms
from rules.kernel.record.secrets import Secrets
from service.ledger import snapshots
from service.ledger.damage import Damage, GameDamagedError, sound_part
from service.ledger.lists import CHANGE_LISTS, game_listing
from service.ledger.snapshots import Snapshots
from service.ledger.store import (
    Behind,
    Damaged,
    Diverged,
    Done,
    Gone,
    Look,
    Obligations,
    OffTime,
    Outcome,
    Repeated,
    Retry,
    Store,
    Stored,
    index_size,
)
from service.metrics import STREAM_REWOUND

log = structlog.get_logger(__name__)

ATTEMPTS = 8


class GameNotFoundError(LookupError):
    """There is no game with this id."""


class ConflictError(RuntimeError):
    """Others kept appending first; trying again later is safe."""


class RewoundError(ConflictError):
    """The stream holds another history than a game that was read from it; reading again helps."""


class Answered(NamedTuple):
    """The events ``first`` to ``last`` answer the request with this fingerprint."""

    fingerprint: bytes
    first: int
    last: int

    @classmethod
    def by(cls, stored: Stored) -> Self:
        """Return what the batch that begins with this event answers."""
        assert stored.retry is not None  # noqa: S101 - it was found by it
        return cls(stored.retry.fingerprint, stored.event.seq, stored.event.last)


class Table:
    """A folded game with what the service remembers beside it.

    ``game`` is replaced, never changed: who took it may read it for as long as they like.
    ``lock`` guards the replacing; it is never held over I/O. With ``damage``, ``game`` is the sound
    part.
    """

    __slots__ = ("damage", "game", "lock", "secrets")

    def __init__(self, game: Game, secrets: Secrets, damage: Damage | None = None) -> None:
        self.game = game
        self.secrets = secrets
        self.damage = damage
        self.lock = Lock()

    def fold(self, base: Game, missed: list[Stored]) -> None:
        """Go on to the game after ``missed``, which follow ``base`` in the stream.

        What others folded meanwhile is known already; if they found another history, nothing
        is done.

        Raises:
            Unsound: one of them is not as it should be; the table stays as it was.

        """
        with self.lock:
            if any(sound_before_end(event) is not None for event, _retry in missed):
                raise Unsound(base.version, DAMAGED, "the game was ended as damaged")
            known = self.game.version - base.version
            head = missed[known - 1].event.hash if 0 < known <= len(missed) else base.head
            if not 0 <= known < len(missed) or self.game.head != head:
                return
            game = self.game.fork()
            for event, _retry in missed[known:]:
                game.take(event)
            self._replace(game)

    def follow(self, batch: Batch) -> None:
        """Go on to the game after an appended batch, unless others have folded it already."""
        with self.lock:
            if self.game.head == batch.base_hash:
                self._replace(batch.game)

    def _replace(self, game: Game) -> None:
        game.access.settle()
        self.game = game


Chained = tuple[Event, bytes]
"""An event and the hash before it."""


class Replay(NamedTuple):
    """A batch that was appended before: the game after it, its events, and what each did."""

    game: Game
    chained: list[Chained]
    effects: list[tuple[int, Effect]]


class Appended(NamedTuple):
    """An accepted batch: its events, and the game after them, which nobody changes any more."""

    events: list[Event]
    game: Game
    batch: Batch


class Ledger:
    """The games of one store, of which ``cache_size`` are kept folded.

    ``on_append`` hears of each game whose automatic seats are to be answered for.
    """

    def __init__(
        self,
        store: Store,
        registry: Registry,
        *,
        cache_size: int = 2_000,
        on_append: Callable[[Game], None] = lambda _game: None,
    ) -> None:
        self.store = store
        self.registry = registry
        self.snapshots = Snapshots(store.redis)
        self._on_append = on_append
        self._cache: OrderedDict[str, Table] = OrderedDict()
        self._cache_size = cache_size
        self._cache_lock = Lock()

    # Reading

    def table(self, game_id: str, at_least: int | None = None) -> Table:
        """Return a game folded to its newest event.

        With ``at_least``, a cached game of that version or later is good enough.

        Raises:
            GameNotFoundError: there is no such game.
            GameDamagedError: not even its first batch is sound.
            UnknownRulesetError: no installed rules can play it.

        """
        table = self._cached(game_id)
        if table is None:
            return self._load(game_id)
        if at_least is None or table.game.version < at_least:
            return self._catch_up(game_id, table)
        return table

    def game_at(self, game_id: str, version: int | None) -> Game:
        """Return a game as it was at ``version`` (None: now).

        The caller owns it; a game that does not exist has version 0. Raises UnknownRulesetError.
        """
        return self._unfold(game_id, version, version).game

    def answered(self, game_id: str, retry: Retry) -> Answered | None:
        """Return which events of a game answered this request before, if it was answered.

        Raises as ``table``.
        """
        self.table(game_id)  # a game that is folded is indexed
        found = self.store.repeated(game_id, retry)
        return None if found is None else Answered.by(found)

    def events(self, game_id: str, after: int, limit: int) -> list[Chained]:
        """Return up to ``limit`` events after ``after``, each with the hash before it."""
        first = max(after - 1, 0)
        found = self.store.read(game_id, first, limit + (after - first))
        return _chained(genesis(game_id), after, found)

    # What belongs to a game that was read before. All raise RewoundError if the stream holds
    # another history by now, and GameDamagedError if what was read is not sound any more.

    def earlier(self, game: Game, version: int) -> Game:
        """Return ``game`` as it was at ``version``; the caller owns it."""
        return self._unfold(game.id, version, version, game).game

    def history(self, game: Game, after: int, limit: int) -> list[Chained]:
        """Return up to ``limit`` of the game's events, as ``events`` does."""
        first = max(after - 1, 0)
        found = self._read(game, first, limit + (after - first))
        return _chained(genesis(game.id), after, found)

    def effects(self, game: Game, after: int, until: int) -> list[tuple[int, Effect]]:
        """Return what each of the game's events after ``after`` up to ``until`` did."""
        return self._unfold(game.id, after, until, game).effects

    def replay(self, game_id: str, first: int, last: int) -> Replay:
        """Return again what appending the batch from ``first`` to ``last`` has led to."""
        found = self._unfold(game_id, first - 1, last)
        if len(found.chained) != last - first + 1 or found.chained[0][0].last != last:
            raise RewoundError(game_id)
        return Replay(found.game, found.chained, found.effects)

    def _read(self, game: Game, after: int, limit: int) -> list[Stored]:
        found = self.store.read_before(game.id, game.version, game.head, after, limit)
        if isinstance(found, Diverged):
            raise RewoundError(game.id)
        return found

    def _unfold(
        self, game_id: str, after: int | None, until: int | None, of: Game | None = None
    ) -> Replay:
        """Fold a game, or its sound part, up to ``until``, and note what followed ``after``.

        Folding begins with a snapshot, if there is one that the stream holds. What is read belongs
        to the game ``of``, if it is given.
        """
        base = self.snapshots.nearest(game_id, after, self.registry)
        if base is not None:
            stored = self._span(game_id, base.version - 1, until, of)
            if stored and (stored[0].event.seq, stored[0].event.hash) == (base.version, base.head):
                with suppress(Unsound):  # from the first event on, it can be told what is sound
                    return self._fold_on(base, stored[1:], after, of)
        stored = self._span(game_id, 0, until, of)
        return self._fold_on(Game(game_id, self.registry), stored, after, of)

    def _span(self, game_id: str, first: int, until: int | None, of: Game | None) -> list[Stored]:
        if until is not None and until <= first:
            return []
        limit = None if until is None else until - first
        if limit is None:
            return self.store.read_all(game_id, first)
        if of is None:
            return self.store.read(game_id, first, limit)
        return self._read(of, first, limit)

    def _fold_on(
        self, game: Game, stored: list[Stored], after: int | None, of: Game | None
    ) -> Replay:
        """Fold what follows ``game``; raise Unsound if it is not sound and not from the first."""
        began = game.version
        events = [event for event, _retry in stored]
        told = Replay(game, [] if after is None else _chained(game.head, after, stored), [])
        taken: dict[int, bytes] = {}
        lacking = len(events) > 2 * snapshots.EVERY and of is not None and of.status != ABORTED
        try:
            for event in without_damage(events):
                log = None if after is None or event.seq <= after else EffectLog()
                game.take(event, log)
                if log is not None:
                    told.effects.extend((event.seq, effect) for effect in log.effects)
                if lacking and event.seq % snapshots.EVERY == 0:
                    taken[event.seq] = snapshots.take(game)
        except Unsound:
            if began:
                raise
            sound, found = sound_part(game.id, self.registry, events)
            if found is not None and of is not None and of.status != ABORTED:
                self._suspend(game.id, found)  # it was sound when others folded it
                raise GameDamagedError(game.id, found) from None
            return told._replace(game=sound)
        if taken:
            self.snapshots.write(taken, game.id)
        return told

    # The cache

    def _cached(self, game_id: str) -> Table | None:
        with self._cache_lock:
            table = self._cache.get(game_id)
            if table is not None:
                self._cache.move_to_end(game_id)
            return table

    def _keep(self, game_id: str, table: Table) -> Table:
        """Cache a table, unless others have done so: then return theirs."""
        with self._cache_lock:
            kept = self._cache.setdefault(game_id, table)
            if len(self._cache) > self._cache_size:
                self._cache.popitem(last=False)
            return kept

    def _drop(self, game_id: str, table: Table) -> bool:
        """Forget a table; return whether it was this one that was cached."""
        with self._cache_lock:
            if self._cache.get(game_id) is not table:
                return False
            del self._cache[game_id]
            return True

    def _load(self, game_id: str, *, anew: bool = False) -> Table:
        """Fold a game from its newest snapshot or (``anew``) its first event, and cache it."""
        secrets = self.store.secrets(game_id)
        if secrets is None:
            raise GameNotFoundError(game_id)
        table = None if anew else self._from_snapshot(game_id, secrets)
        table = table or self._from_the_first(game_id, secrets)
        if not table.game.created:
            if table.game.version == 0 and table.damage is None:
                raise GameNotFoundError(game_id)
            raise GameDamagedError(game_id, table.damage or Damage.at(GAP, 1, game_id, ()))
        kept = self._keep(game_id, table)
        return kept if kept is table else self._catch_up(game_id, kept)

    def _from_snapshot(self, game_id: str, secrets: Secrets) -> Table | None:
        """Fold on from the newest snapshot; None if there is none that the stream holds."""
        game = self.snapshots.nearest(game_id, None, self.registry)
        if game is None:
            return None
        look = self.store.look(game_id, game.version, game.head)
        if isinstance(look.missed, Diverged) or look.damage is not None:
            return None
        table = Table(game, secrets)
        try:
            table.fold(game, look.missed)
        except Unsound:
            return None
        return table

    def _from_the_first(self, game_id: str, secrets: Secrets) -> Table:
        """Fold all events, or as far as they are sound."""
        stored, known, _repeated, indexed = self.store.look(game_id, 0, b"")
        assert not isinstance(stored, Diverged)  # noqa: S101 - all streams have a beginning
        until = None if known is None or known.unknown else known.sound_seq
        events = [event for event, _retry in stored if until is None or event.seq <= until]
        game, found = sound_part(game_id, self.registry, events)
        if found is None and known is not None and known.unknown:
            found = Damage.unknown_after(game)
        if found not in (None, known):
            self._suspend(game_id, found)
        game.access.settle()
        table = Table(game, secrets, found or known)
        if table.damage is None:
            self._shorten(game, stored, indexed or 0)
        return table

    def _suspend(self, game_id: str, found: Damage) -> None:
        log.error("game_damaged", game=game_id, problem=found.problem, seq=found.seq)
        self.store.note_damage(game_id, found)

    def _shorten(self, game: Game, stored: list[Stored], indexed: int) -> None:
        """Write what saves reading a stream from its beginning, where it is lacking.

        The games of a tournament's block need no index: nobody repeats requests there.
        """
        if len(stored) > 2 * snapshots.EVERY:
            self.snapshots.write({game.version: snapshots.take(game)}, game.id)
        if game.created and is_live(game) and indexed < index_size(stored):
            try:
                self.store.index(game.id, stored)
            except RedisError as error:  # where nothing can be written, nothing is done twice
                log.warning("index_not_written", game=game.id, error=type(error).__name__)

    def _catch_up(self, game_id: str, table: Table) -> Table:
        """Return the table as of the newest event: another one, if it has to be folded anew."""
        base = table.game
        return self._as_seen(
            game_id, table, base, self.store.look(game_id, base.version, base.head)
        )

    def _as_seen(self, game_id: str, table: Table, base: Game, look: Look) -> Table:
        if isinstance(look.missed, Diverged):
            return self._reload(game_id, table, base)
        if look.damage == table.damage:
            sound = table.damage is None
            return self._fold(game_id, table, base, look.missed) if sound else table
        self._drop(game_id, table)
        return self._load(game_id)

    def _fold(self, game_id: str, table: Table, base: Game, missed: list[Stored]) -> Table:
        """Fold missed events; if they are not sound, return the game folded from the first."""
        try:
            table.fold(base, missed)
        except Unsound as unsound:
            self._drop(game_id, table)
            table = self._load(game_id)
            if table.damage is None and unsound.__cause__ is not None:
                raise unsound.__cause__ from None  # it was no fault of the event's
        return table

    def _reload(self, game_id: str, table: Table, base: Game) -> Table:
        """Forget a table of which the stream does not hold the version ``base``; fold it anew."""
        if self._drop(game_id, table):
            log.error("stream_rewound", game=game_id, version=base.version)
            STREAM_REWOUND.inc()
        return self._load(game_id)

    # Appending

    def create(
        self,
        game_id: str,
        secrets: Secrets,
        act: Callable[[Batch], None],
        retry: Retry | None = None,
    ) -> Appended | None:
        """Append the first batch of a game; None if the game exists already.

        ``act`` may run several times, each time on a fresh batch. Raises as ``change``.
        """
        table = Table(Game(game_id, self.registry), secrets)
        for _ in range(ATTEMPTS):
            batch = Batch(table.game, secrets, self.store.clock.now())
            act(batch)
            match self._append(table, batch, retry, create=True):
                case Appended() as appended:
                    return appended
                case OffTime():
                    continue
                case _:
                    self.store.confirm(game_id)
                    return None
        raise ConflictError(game_id)

    def change(
        self,
        game_id: str,
        act: Callable[[Batch], None],
        *,
        at_least: int | None = None,
        retry: Retry | None = None,
    ) -> Appended | Answered:
        """Append what ``act`` records, on the newest version; or find that it was done before.

        ``act`` may run several times, each time on a fresh batch. What it raises on a version
        that is not the newest, or at another time than the store's, is tried again.

        Raises:
            GameNotFoundError: no such game; UnknownRulesetError: no rules for it.
            GameDamagedError: it is suspended.
            ConflictError: others kept appending first.
            TooFewReplicasError: the batch is stored, but not yet as safely as was asked for.

        """
        table = self.table(game_id, at_least)
        for _ in range(ATTEMPTS):
            if table.damage is not None:
                raise GameDamagedError(game_id, table.damage)
            base, now = table.game, self.store.clock.now()
            try:
                batch = Batch(base, table.secrets, now)
                act(batch)
            except Exception:
                look = self.store.look(game_id, base.version, base.head, retry)
                table = self._as_seen(game_id, table, base, look)
                if look.repeated is not None and table.damage is None:
                    self._confirm(game_id, table)
                    return Answered.by(look.repeated)
                if table.game.head == base.head and self.store.clock.was(now):
                    raise
                continue
            outcome = self._append(table, batch, retry)
            if isinstance(outcome, Appended):
                return outcome
            if isinstance(outcome, Repeated):
                self._confirm(game_id, table)
                return Answered.by(outcome.first)
            table = self._as_told(game_id, table, base, outcome)
        raise ConflictError(game_id)

    def _as_told(self, game_id: str, table: Table, base: Game, refused: Outcome) -> Table:
        """Return the table to try a batch on again that was refused on ``base``."""
        match refused:
            case Behind():
                return self._fold(game_id, table, base, refused.missed)
            case Damaged():  # it may be that only the store knows
                self._drop(game_id, table)
                return self._load(game_id, anew=True)
            case Diverged():
                return self._reload(game_id, table, base)
            case Gone():
                raise GameNotFoundError(game_id)
        return table  # the store's clock is known by now

    def _append(
        self,
        table: Table,
        batch: Batch,
        retry: Retry | None,
        *,
        create: bool = False,
    ) -> Appended | Outcome:
        game = batch.game
        events = batch.seal()
        outcome = self.store.append(
            game.id,
            events[0].seq - 1,
            batch.base_hash,
            events,
            obligations(game),
            retry=retry,
            listing=game_listing(game) if _changes_lists(game, events) else None,
            secrets=table.secrets if create else None,
            seen=is_live(game),
        )
        if not isinstance(outcome, Done):
            return outcome
        self._confirm(game.id, table)
        table.follow(batch)
        if create:
            self._keep(game.id, table)
        self.snapshots.write_if_time(game, len(events))
        if game.automatic_seats():
            self._on_append(game)
        return Appended(events, game, batch)

    def _confirm(self, game_id: str, table: Table) -> None:
        """Return when enough replicas hold the game; nothing unconfirmed stays in the cache."""
        try:
            self.store.confirm(game_id)
        except RedisError:
            self._drop(game_id, table)
            raise


def _chained(prev_hash: bytes, after: int, stored: list[Stored]) -> list[Chained]:
    """Return those events that come after ``after``; ``prev_hash`` is before the first of all."""
    found = []
    for event, _retry in stored:
        if event.seq > after:
            found.append((event, prev_hash))
        prev_hash = event.hash
    return found


def _changes_lists(game: Game, events: Iterable[Event]) -> bool:
    """Whether lists have to show something else; games of tournaments are in none."""
    return is_live(game) and any(event.kind in CHANGE_LISTS for event in events)


def obligations(game: Game) -> Obligations:
    """Return what the service owes a game: who must be answered for, and when time is up."""
    due = to_ms(game.at) if is_live(game) and game.automatic_seats() else None
    return Obligations(due, next_deadline(game))


def is_live(game: Game) -> bool:
    """Whether a game is played by itself; the others are played by their tournament, as blocks."""
    return game.scope == game.id
