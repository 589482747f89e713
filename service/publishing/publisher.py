"""Signs and publishes trees, in the order in which nothing can be signed twice or lost."""

import time
from collections.abc import Iterable, Mapping, Sequence

from redis.exceptions import RedisError, ResponseError

from service.following.consumer import Lead
from service.ledger.store import Store, TooFewReplicasError
from service.publishing import tree
from service.publishing.folder import LogFolder, PrivateLeaf
from service.publishing.marker import Mark, Marker
from service.publishing.tree import SignedTree
from service.records.leaves import Leaf
from service.redis.commands import Commands
from service.redis.keys import WRITABLE
from service.tlog.tiles import Tile, tiles_of

SYNC_SECONDS = 2.0
"""Time in which a store writes to its disk what it has answered, if it does so every second."""


class OtherPrimaryError(RedisError):
    """The store was restarted, or another server is its primary, so some reads may be lost."""


class Publisher:
    """Publishes the log in a folder."""

    def __init__(self, store: Store, folder: LogFolder, marker: Marker, *, is_synced: bool) -> None:
        """``is_synced``: whether the store has on disk what it has answered."""
        self._store = store
        self._folder = folder
        self._marker = marker
        self._is_synced = is_synced
        self._commands = Commands(store.redis)
        self._server: tuple[str, str] | None = None

    def begin(self) -> None:
        """Note which server is asked. Call this before what is read for a tree."""
        self._server = self._asked()

    def extend(
        self,
        lead: Lead,
        known: SignedTree,
        leaves: Sequence[Leaf],
        private: Mapping[int, PrivateLeaf],
        now: int,
    ) -> SignedTree:
        """Add leaves to the newest tree, ``known``, at the time ``now`` (ms since 1970).

        Raises:
            LostLeadError: another process leads, or may lead.
            MarkerMovedError: ``known`` is not the newest tree.
            TooFewReplicasError: too few replicas, or no disk, hold what was read.
            OtherPrimaryError: what was read may be lost.
            OSError: the folder cannot be written.
        """
        self._confirm()
        root = tree.write(self._folder, known.size, leaves, private)
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
        """Publish the tree of the marker, whose ``tiles`` are pending."""
        self._confirm()
        self._folder.publish(tiles, signed.note)

    def _confirm(self) -> None:
        """Wait until replicas and disks hold what was read and written since ``begin``."""
        self._store.await_replicas()
        if not self._is_synced:
            self._await_disk()
        if self._asked() != self._server:
            raise OtherPrimaryError("the store has another primary, or was restarted")

    def _await_disk(self) -> None:
        # WAITAOF covers the writes of its own connection, and all that were before them.
        ms = int(1000 * SYNC_SECONDS)
        _set, held = self._commands.ask(("SET", WRITABLE, b""), ("WAITAOF", 1, 0, ms))
        if isinstance(held, ResponseError):  # the server is older than 7.2
            time.sleep(SYNC_SECONDS)
        elif held[0] < 1:
            raise TooFewReplicasError("the store's disk does not hold what was written")

    def _asked(self) -> tuple[str, str]:
        """Return the names of the server's process, and of the history that it replicates."""
        found = self._store.redis.info("server"), self._store.redis.info("replication")
        return found[0]["run_id"], found[1]["master_replid"]
