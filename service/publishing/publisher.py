"""Signs and publishes trees, in the order in which nothing can be signed twice or lost."""

import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from redis.exceptions import RedisError, ResponseError

from service.following.consumer import Lead
from service.ledger.store import Store
from service.publishing import tree
from service.publishing.errors import NotOnDiskError
from service.publishing.folder import LogFolder, PrivateLeaf, Server
from service.publishing.marker import Mark, Marker
from service.publishing.tree import SignedTree
from service.publishing.witnesses import WITNESSES, Witnesses
from service.records.leaves import Leaf
from service.records.statements import Statement
from service.redis.commands import Commands
from service.redis.keys import WRITABLE
from service.tlog.tiles import Tile, tiles_of

SYNC_SECONDS = 2.0
"""Time in which a store that syncs its append-only file every second has it on disk."""
_SYNCED = {"appendonly": "yes", "appendfsync": "always", "no-appendfsync-on-rewrite": "no"}
_UNKNOWN = "unknown command"


class OtherPrimaryError(RedisError):
    """The store was restarted, or another server is its primary, so some reads may be lost."""


class Publisher:
    """Publishes the log in a folder."""

    def __init__(
        self, store: Store, folder: LogFolder, marker: Marker, witnesses: Witnesses | None = None
    ) -> None:
        self._store = store
        self._folder = folder
        self._marker = marker
        self._witnesses = witnesses
        self._commands = Commands(store.redis)
        self._server: Server | None = None

    def begin(self) -> Server:
        """Note which server is asked, and return it. Call this before what is read for a tree."""
        self._server = self._asked()
        return self._server

    def extend(
        self,
        lead: Lead,
        known: SignedTree,
        leaves: Sequence[Leaf | Statement],
        private: Mapping[int, PrivateLeaf],
        now: int,
        closed: Iterable[int] = (),
    ) -> SignedTree:
        """Add leaves to the newest tree, ``known``, at the time ``now`` (ms since 1970).

        The checkpoint is kept for the leaves ``closed``, with its co-signatures.

        Raises:
            LostLeadError: another process leads, or may lead.
            MarkerMovedError: ``known`` is not the newest tree.
            TooFewReplicasError, NotOnDiskError: too few replicas, or no disk, hold what was read.
            OtherPrimaryError: what was read may be lost.
            UnfitError: the folder has not all of ``known``.
            OSError: the folder cannot be written.
        """
        self.confirm()
        root = tree.write(self._folder, known.size, leaves, private, closed)
        size = known.size + len(leaves)
        return self._sign(lead, known, size, root, now)

    def renew(self, lead: Lead, known: SignedTree, now: int) -> SignedTree:
        """Sign the newest tree with a new time. Raises the errors of ``extend``."""
        return self._sign(lead, known, known.size, known.root, now)

    def start(self, lead: Lead, mark: Mark | None, size: int, root: bytes, now: int) -> SignedTree:
        """Sign the first tree of a log, without leaves. Raises the errors of ``extend``."""
        note = self._folder.signer.signed(size, root, now // 1000)
        return self._publish(lead, mark, SignedTree(size, root, note, now // 1000), ())

    def _sign(self, lead: Lead, known: SignedTree, size: int, root: bytes, now: int) -> SignedTree:
        at = max(known.at, now // 1000)
        signed = SignedTree(size, root, self._folder.signer.signed(size, root, at), at)
        return self._publish(lead, known.mark, signed, tiles_of(known.size, size))

    def _publish(
        self, lead: Lead, known: Mark | None, signed: SignedTree, tiles: Iterable[Tile]
    ) -> SignedTree:
        self._marker.move(lead, known, signed.mark)
        self.finish(signed, tiles)
        return signed

    def finish(self, signed: SignedTree, tiles: Iterable[Tile]) -> None:
        """Publish the tree of the marker, whose ``tiles`` are pending.

        Witnesses get it only now: nothing may be signed any more that is not its continuation.
        """
        self.confirm()
        note = signed.note
        if self._witnesses is not None:
            note = self._witnesses.cosigned(signed)
        self._folder.publish(tiles, note)

    def resume(self, known: SignedTree) -> None:
        """Let witnesses co-sign the newest tree, which was published before."""
        if self._witnesses is None:
            self._store.redis.unlink(WITNESSES)
        else:
            self._witnesses.resume(known, self._folder.checkpoint())

    def refresh(self, known: SignedTree) -> None:
        """Publish the newest tree again if more witnesses have co-signed it. Raises OSError."""
        if self._witnesses is not None:
            note = self._witnesses.more(known)
            if note is not None:
                self._folder.publish((), note)

    def confirm(self) -> None:
        """Wait until replicas and disk hold what was read and written since ``begin``.

        Raises:
            TooFewReplicasError, NotOnDiskError, OtherPrimaryError: they do not.
        """
        self._store.await_replicas()
        self._await_disk()
        if self._asked() != self._server:
            raise OtherPrimaryError("the store has another primary, or was restarted")

    def _await_disk(self) -> None:
        if self._syncs_each_write():
            return
        # WAITAOF covers the writes of its own connection, and all that were before them.
        ms = int(1000 * SYNC_SECONDS)
        _set, held = self._commands.ask(("SET", WRITABLE, b""), ("WAITAOF", 1, 0, ms))
        if isinstance(held, ResponseError):
            if not str(held).lower().startswith(_UNKNOWN):
                raise NotOnDiskError(f"the store does not say what its disk holds: {held}")
            time.sleep(SYNC_SECONDS)  # it is older than 7.2
        elif held[0] < 1:
            raise NotOnDiskError("the store's disk does not hold what was written")

    def _syncs_each_write(self) -> bool:
        """Whether the server says that its disk holds what it has answered."""
        try:
            found: Any = self._store.redis.config_get(*_SYNCED)
        except ResponseError:  # it does not let us ask
            return False
        return {name: _text(value) for name, value in found.items()} == _SYNCED

    def _asked(self) -> Server:
        found = self._store.redis.info("server"), self._store.redis.info("replication")
        return found[0]["run_id"], found[1]["master_replid"]


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)
