"""Keeps games folded, catches up with what others appended, and appends batches."""

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import NamedTuple

import structlog

from rules.kernel import snapshot
from rules.kernel.batch import Batch
from rules.kernel.effects import Effect, EffectLog
from rules.kernel.events import Event, genesis
from rules.kernel.game import CLOSED, RUNNING, Game
from rules.kernel.secrets import Secrets
from rules.registry import Registry
from service import clock
from service.ledger.snapshots import Snapshots
from service.ledger.store import (
    ALWAYS,
    Behind,
    Diverged,
    Done,
    Gone,
    Obligations,
    OutsideWindow,
    Retry,
    Store,
    Stored,
    Window,
)

log = structlog.get_logger(__name__)

ATTEMPTS = 8
_LISTED = frozenset(("created", "seated", "left", "closed", "started", "ended", "aborted"))


class GameNotFoundError(LookupError):
    """There is no game with this id."""


class ConflictError(RuntimeError):
    """Others kept appending first; trying again later is safe."""


class WindowError(RuntimeError):
    """The server's clock says that a batch came too late, or too early."""

    def __init__(self, now: int) -> None:
        super().__init__(f"it is {clock.from_ms(now)}")
        self.now = now


class Answered(NamedTuple):
    """The events ``first`` to ``last`` answer the request with this fingerprint."""

    fingerprint: bytes
    first: int
    last: int


class Table:
    """A folded game with what the service remembers beside it.

    ``game`` is replaced, never changed: who took it may read it for as long as they like.
    ``lock`` guards the replacing; it is never held over I/O.
    """

    __slots__ = ("game", "lock", "retries", "secrets")

    def __init__(self, game: Game, secrets: Secrets) -> None:
        self.game = game
        self.secrets = secrets
        self.retries: dict[bytes, Answered] = {}
        self.lock = Lock()

    def fold(self, stored: list[Stored]) -> None:
        """Go on to the game after those of the events that come next; others are known."""
        with self.lock:
            game = self.game.fork()
            for event, retry in stored:
                if event.seq == game.version + 1:
                    game.apply(event)
                    self._remember(event, retry)
            self._replace(game)

    def follow(self, batch: Batch, events: list[Event], retry: Retry | None) -> None:
        """Go on to the game after an appended batch, unless others have folded it already."""
        with self.lock:
            if self.game.version == events[0].seq - 1:
                self._remember(events[0], retry)
                self._replace(batch.game)

    def _remember(self, event: Event, retry: Retry | None) -> None:
        if retry is not None:
            self.retries[retry.key] = Answered(retry.fingerprint, event.seq, event.last)

    def _replace(self, game: Game) -> None:
        game.access.settle()
        self.game = game


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
            UnknownRulesetError: no installed rules can play it.

        """
        table = self._cached(game_id)
        if table is None:
            return self._load(game_id)
        if at_least is None or table.game.version < at_least:
            self._catch_up(game_id, table)
        return table

    def game_at(self, game_id: str, version: int | None) -> Game:
        """Return a game as it was at ``version`` (None: now), folded from its first event.

        The caller owns it; a game that does not exist has version 0. Raises UnknownRulesetError.
        """
        game = Game(game_id, self.registry)
        if version != 0:
            for stored in self.store.read(game_id, limit=version):
                game.apply(stored.event)
        return game

    def effects(
        self, game_id: str, after: int, until: int
    ) -> tuple[Game, list[tuple[int, Effect]]]:
        """Return the game at ``until``, and what each event after ``after`` did."""
        game = self.game_at(game_id, after)
        effects: list[tuple[int, Effect]] = []
        for stored in self.store.read(game_id, after, until - after):
            log = EffectLog()
            game.apply(stored.event, log)
            effects += [(stored.event.seq, effect) for effect in log.effects]
        return game, effects

    def events(self, game_id: str, after: int, limit: int) -> list[tuple[Event, bytes]]:
        """Return up to ``limit`` events after ``after``, each with the hash before it."""
        first = max(after - 1, 0)
        stored = self.store.read(game_id, first, limit + (after - first))
        prev_hash = genesis(game_id)
        found = []
        for event, _retry in stored:
            if event.seq > after:
                found.append((event, prev_hash))
            prev_hash = event.hash
        return found

    def _cached(self, game_id: str) -> Table | None:
        with self._cache_lock:
            table = self._cache.get(game_id)
            if table is not None:
                self._cache.move_to_end(game_id)
            return table

    def _keep(self, game_id: str, table: Table) -> Table:
        with self._cache_lock:
            kept = self._cache.setdefault(game_id, table)
            if len(self._cache) > self._cache_size:
                self._cache.popitem(last=False)
            return kept

    def _drop(self, game_id: str) -> None:
        with self._cache_lock:
            self._cache.pop(game_id, None)

    def _load(self, game_id: str) -> Table:
        secrets = self.store.secrets(game_id)
        if secrets is None:
            raise GameNotFoundError(game_id)
        table = Table(Game(game_id, self.registry), secrets)
        if found := self.snapshots.read(game_id):
            game = snapshot.restore(game_id, found.game, self.registry)
            base = self.store.read(game_id, found.game["version"] - 1, 1)
            if game is not None and base and base[0].event.hash == game.head:
                table.game = game
                table.retries = {
                    key: Answered(fingerprint, first, last)
                    for key, fingerprint, first, last in found.retries
                }
        self._catch_up(game_id, table)
        if table.game.version == 0:
            raise GameNotFoundError(game_id)
        return self._keep(game_id, table)

    def _catch_up(self, game_id: str, table: Table) -> None:
        missed = self.store.read(game_id, table.game.version)
        if missed:
            table.fold(missed)

    # Appending

    def create(
        self,
        game_id: str,
        secrets: Secrets,
        act: Callable[[Batch], None],
        retry: Retry | None = None,
    ) -> Appended | None:
        """Append the first batch of a game; None if the game exists already."""
        table = Table(Game(game_id, self.registry), secrets)
        batch = Batch(table.game, secrets, clock.now())
        act(batch)
        appended = self._append(table, batch, retry, ALWAYS, create=True)
        if isinstance(appended, Appended):
            self._keep(game_id, table)
            return appended
        self.store.confirm(game_id)
        return None

    def change(
        self,
        game_id: str,
        act: Callable[[Batch], None],
        *,
        at_least: int | None = None,
        retry: Retry | None = None,
        window: Callable[[Game], Window] = lambda _game: ALWAYS,
    ) -> Appended | Answered:
        """Append what ``act`` records, on the newest version; or find that it was done before.

        ``act`` may run several times, each time on a fresh batch. What it raises on a version
        that is not the newest is tried again on the newest.

        Raises:
            GameNotFoundError: no such game; UnknownRulesetError: no rules for it.
            ConflictError: others kept appending first.
            WindowError: the batch came too late or too early.
            TooFewReplicasError: the batch is stored, but not yet as safely as was asked for.

        """
        table = self.table(game_id, at_least)
        for _ in range(ATTEMPTS):
            if retry is not None and (answered := table.retries.get(retry.key)):
                self.store.confirm(game_id)
                return answered
            base = table.game
            try:
                batch = Batch(base, table.secrets, clock.now())
                act(batch)
            except Exception:
                self._catch_up(game_id, table)
                if table.game.version == base.version:
                    raise
                continue
            outcome = self._append(table, batch, retry, window(base))
            match outcome:
                case Appended():
                    return outcome
                case Behind():
                    table.fold(outcome.missed)
                case Diverged():
                    log.error("stream_rewound", game=game_id, version=base.version)
                    self._drop(game_id)
                    table = self._load(game_id)
                case Gone():
                    raise GameNotFoundError(game_id)
                case OutsideWindow():
                    raise WindowError(outcome.now)
        raise ConflictError(game_id)

    def _append(
        self,
        table: Table,
        batch: Batch,
        retry: Retry | None,
        window: Window,
        *,
        create: bool = False,
    ) -> Appended | Behind | Diverged | Gone | OutsideWindow:
        game = batch.game
        events = batch.seal()
        outcome = self.store.append(
            game.id,
            events[0].seq - 1,
            batch.base_hash,
            events,
            obligations(game),
            retry=retry,
            window=window,
            listed=any(event.kind in _LISTED for event in events),
            secrets=table.secrets if create else None,
        )
        if not isinstance(outcome, Done):
            return outcome
        table.follow(batch, events, retry)
        self.snapshots.write_if_time(game, table.retries, len(events))
        if game.automatic_seats():
            self._on_append(game)
        self.store.confirm(game.id)
        return Appended(events, game, batch)


def obligations(game: Game) -> Obligations:
    """Return what the service owes a game: who must be answered for, and when time is up."""
    live = game.scope == game.id  # the others are played block by block, by their tournament
    due = clock.to_ms(game.at) if live and game.automatic_seats() else None
    return Obligations(due, deadline(game))


def deadline(game: Game) -> int | None:
    """Return when (ms) the first open decision, or the opening of entropy, runs out."""
    if game.status == CLOSED:
        return clock.to_ms(game.closed_at) + 1000 * int(game.created["entropy_seconds"])
    if game.status != RUNNING or game.created["clock"] is None:
        return None
    ends = [end for seat in game.asked if (end := seat_deadline(game, seat)) is not None]
    return min(ends, default=None)


def seat_deadline(game: Game, seat: int) -> int | None:
    """Return when (ms) a seat's open decision runs out; None without a clock or for bots."""
    limits = game.created["clock"]
    if limits is None or seat not in game.asked or game.seats[seat].automatic:
        return None
    return clock.to_ms(game.asked_at[seat]) + 1000 * int(limits["decision_seconds"])
