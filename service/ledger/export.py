"""Writes the record of a stored game (docs/format.md, "A record"), line by line."""

from collections.abc import Iterator
from typing import Protocol

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.seats import Seat
from rules.kernel.record.events import UNREADABLE, Access, copy_for, unreadable
from rules.kernel.record.game import ENDED
from service.ledger.damage import UNKNOWN, Damage, GameDamagedError
from service.ledger.ledger import ChainedEvent, FoldedGame, GameNotFoundError, Ledger
from service.ledger.store import Store
from service.records import game_file
from service.records.receipts import SignableStream, Signer

EVENTS_AT_ONCE = 50
"""Number of events read at a time; processing them takes less than a millisecond."""

_ALL_OPEN = Access(over=0)


class GameRecordSource(Protocol):
    """The parts of the service that are needed to write a game's record."""

    @property
    def ledger(self) -> Ledger: ...
    @property
    def signer(self) -> Signer: ...


def signature(store: Store, signer: Signer, stream: SignableStream) -> tuple[JsonObject, str]:
    """Return the signed head of a game or tournament, and the key in hex.

    For an imported game or tournament, both come from its record.
    """
    origin = store.origin(stream.id)
    if origin is not None:
        return origin.receipt, origin.public_key
    return signer.head(stream), signer.public_key.hex()


def header(stored: GameRecordSource, table: FoldedGame, viewer: Seat | None) -> JsonObject:
    """Return the first line of the record of a game, as ``viewer`` (None: a spectator) gets it.

    Raises:
        GameDamagedError: the head of a damaged game is not signed.
    """
    game = table.game
    if table.damage is not None:
        raise GameDamagedError(game.id, table.damage)
    receipt, public_key = signature(stored.ledger.store, stored.signer, game)
    seen_by = None if game.over else viewer
    return game_file.header(
        game.id, game.created, game.version, game.status, seen_by, receipt, public_key
    )


def copies(
    stored: GameRecordSource, table: FoldedGame, viewer: Seat | None
) -> Iterator[JsonObject]:
    """Yield the lines of a game's record after the header, as ``viewer`` may see them.

    There is one line for each event up to the version of ``table``. If the game was ended because
    of damage, some events are lost. For each lost event, the line has the kind ``unreadable``. The
    hash in this line is the hash that the ``aborted`` event has as its previous hash.

    Raises:
        RewoundError: the stream has another history than ``table``.
    """
    game, salt, version = table.game, table.secrets.salt, 0
    for event, prev_hash in chained(stored.ledger, table):
        for seq in range(version + 1, event.seq):
            lost = unreadable(seq, bytes(32) + prev_hash)
            yield copy_for(viewer, lost, b"", salt, game.access, game.version)
        version = event.seq
        yield copy_for(viewer, event, prev_hash, salt, game.access, game.version)


def lines(stored: GameRecordSource, table: FoldedGame, viewer: Seat | None) -> Iterator[JsonObject]:
    """Yield all lines of a game's record. Raises the errors of ``header`` and ``copies``."""
    yield header(stored, table, viewer)
    yield from copies(stored, table, viewer)


def chained(ledger: Ledger, table: FoldedGame) -> Iterator[ChainedEvent]:
    """Yield the events up to the version of ``table``, each with the hash of the event before it.

    Raises the errors of ``copies``.
    """
    game, after = table.game, 0
    while after < game.version:
        for chained_ in ledger.history(game, after, EVENTS_AT_ONCE):
            after = chained_[0].seq
            yield chained_


class EndedGame:
    """The record of a tournament's game whose block is over, with nothing hidden.

    The tournament's stream pins the game's ``version`` and ``head`` (32 bytes), so the game is not
    folded: folding would double the time, and evict running games from the cache.
    """

    def __init__(self, stored: GameRecordSource, game_id: str, version: int, head: bytes) -> None:
        self.id = game_id
        self.version = version
        self.head = head
        self.at = ""
        self._stored = stored
        self._ledger = stored.ledger

    def lines(self) -> Iterator[JsonObject]:
        """Yield the header and the events.

        Raises:
            GameNotFoundError: the game is not in the store.
            GameDamagedError: its stream is damaged, or is not the one that the tournament pins.
        """
        store = self._ledger.store
        newest = store.newest_event(self.id)
        if newest is None:
            raise GameNotFoundError(self.id)
        self._need((newest.seq, newest.hash) == (self.version, self.head))
        self._need(store.damage(self.id) is None)
        self.at = newest.at
        salt = self._ledger.secrets(self.id).salt
        receipt, public_key = signature(store, self._stored.signer, self)
        for after in range(0, self.version, EVENTS_AT_ONCE):
            count = min(EVENTS_AT_ONCE, self.version - after)
            found = self._ledger.events(self.id, after, count)
            self._need([event.seq for event, _ in found] == [*range(after + 1, after + count + 1)])
            self._need(all(event.kind != UNREADABLE for event, _ in found))
            if after == 0:
                created = found[0][0].body["game"].value
                yield game_file.header(
                    self.id, created, self.version, ENDED, None, receipt, public_key
                )
            for event, prev_hash in found:
                yield copy_for(None, event, prev_hash, salt, _ALL_OPEN, self.version)

    def _need(self, sound: bool) -> None:  # noqa: FBT001 - what is needed
        """Raise GameDamagedError if ``sound`` is false.

        In that case, first check the game, and suspend it if it is damaged.
        """
        if not sound:
            damage = self._ledger.table(self.id).damage
            unknown = Damage(UNKNOWN, self.version, 0, "")
            raise GameDamagedError(self.id, damage or unknown)
