"""A game that one process plays alone: moves are recorded in memory, and appended many at a time.

Moves that were not appended did not happen. If another process appended to the game meanwhile, or
the store's clock was changed, the run ends (``ConflictError``). Only time is lost: the next run
continues from the stored events.
"""

import time
from collections.abc import Callable

from rules.kernel.record.batch import Batch
from rules.kernel.record.events import Event
from rules.kernel.record.game import Game
from rules.kernel.record.instants import to_ms
from rules.kernel.record.secrets import Secrets
from service.ledger.damage import Damage, GameDamagedError, sound_part
from service.ledger.ledger import obligations
from service.ledger.repository import ConflictError
from service.ledger.store import AppendSuccess, ClockMismatch, DamagedStream, Store

FLUSH_EVENTS = 512
FLUSH_SECONDS = 0.5
"""Maximum age of gathered events: sealed events cannot be stamped anew, so they must be fresh."""


class OutdatedError(ConflictError):
    """The gathered events are older than the store accepts, and were not appended."""


class BufferedGame:
    """A game that one process plays; its events are gathered, and appended many at a time.

    ``game`` includes all recorded changes, appended or not. No event gets a time earlier than
    ``since``.
    """

    def __init__(self, store: Store, game: Game, secrets: Secrets, since: str) -> None:
        self.game = game
        self._since = since
        self._store = store
        self._secrets = secrets
        self._base = game.version, game.head
        self._pending: list[Event] = []
        self._flushed = time.monotonic()

    def record(self, act: Callable[[Batch], None]) -> list[Event]:
        """Record the events of ``act``, and return them; a refusal leaves the game unchanged."""
        now = max(self._store.clock.now(), self._since)
        batch = Batch(self.game, self._secrets, now, telling=False, fork=False)
        act(batch)
        events = batch.seal()
        self._pending += events
        self.game = batch.game
        self.game.access.settle()
        return events

    def flush_if_much(self) -> None:
        """Append the gathered events, if they are many or old.

        Call it right after ``record``. Raises the errors of ``flush``.
        """
        waited = time.monotonic() - self._flushed
        if len(self._pending) >= FLUSH_EVENTS or waited > FLUSH_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Append the gathered events.

        Raises:
            ConflictError: another process appended to the game.
            OutdatedError: the events are too old.
            GameDamagedError: the game is suspended.
        """
        if not self._pending:
            return
        seq, head = self._base
        done = self._store.append(
            self.game.id, seq, head, self._pending, obligations(self.game),
            secrets=self._secrets if seq == 0 else None, since=to_ms(self._since),
        )  # fmt: skip
        if isinstance(done, DamagedStream) and (damage := self._damage()):
            raise GameDamagedError(self.game.id, damage)
        if isinstance(done, ClockMismatch):
            raise OutdatedError(self.game.id)
        if not isinstance(done, AppendSuccess):
            raise ConflictError(self.game.id)
        self._store.confirm(self.game.id, self.game.version, self.game.head)
        self._base = self.game.version, self.game.head
        self._pending = []
        self._flushed = time.monotonic()

    def _damage(self) -> Damage | None:
        """Return the stream's damage, as the store knows it."""
        events = [event for event, _retry in self._store.read_all(self.game.id)]
        known = self._store.damage(self.game.id)
        return known or sound_part(self.game.id, self.game.registry, events)[1]
