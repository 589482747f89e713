"""Brings folder and store together after a kill, or after either of them went back.

- The marker in the store is ahead of the folder: the process was killed before it published what it
  had signed. The pending tiles are published.
- The marker is behind: the store went back, or was restored. Each state to which a store goes back
  has the heads of the leaves before its own ``indexed``, so only ids with later leaves can be
  behind. If the log has a head that the stream of its id has not, the log confesses it: it gets a
  leaf ``rewound`` before any other leaf of the id.
- They contradict each other: nothing is signed, and the error says what to do.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import structlog

from rules.kernel.record.instants import from_ms
from service.following.consumer import Renewed
from service.ledger.store import Store
from service.publishing import tree
from service.publishing.errors import UnfitError
from service.publishing.folder import LogFolder, PrivateLeaf
from service.publishing.index import Entry, LogIndex
from service.publishing.marker import Mark, Marker
from service.publishing.presence import Head, HeadState, StoredHeads
from service.publishing.publisher import Publisher
from service.publishing.servers import StoreServers
from service.publishing.tree import SignedTree
from service.records.leaves import REWOUND, Leaf
from service.tlog.merkle import EMPTY_ROOT
from service.tlog.tiles import WIDTH, tiles_of

log = structlog.get_logger(__name__)

AT_ONCE = 20_000
"""Maximum number of leaves `rewound` in one checkpoint."""


class RecoveryOutcome(NamedTuple):
    """The newest tree, the ids that were compared, and whether all streams have been read."""

    tree: SignedTree
    touched: Sequence[str]
    is_scanned: bool


class _Logged(NamedTuple):
    """A leaf of the log, with the id and event that it stands for."""

    leaf: Leaf
    id: str
    seq: int

    @property
    def head(self) -> Head:
        return self.id, self.seq, self.leaf.hash

    @property
    def entry(self) -> Entry:
        count = self.leaf.seq if self.leaf.id != self.id else 0
        return Entry.of(self.seq, self.leaf.hash, count)


class Recovery:
    """The recovery of one folder and one store."""

    def __init__(
        self,
        store: Store,
        folder: LogFolder,
        marker: Marker,
        publisher: Publisher,
        servers: StoreServers,
    ) -> None:
        self._store = store
        self._folder = folder
        self._marker = marker
        self._publisher = publisher
        self._servers = servers
        self._index = LogIndex(store.redis)
        self._stored = StoredHeads(store)

    def recover(self, renewed: Renewed, now: int) -> RecoveryOutcome:
        """Make folder and store fit, at the time ``now`` (ms since 1970).

        If it has to be tried again, it does not read again what the same server has answered.

        Raises:
            UnfitError: they do not fit, and an operator has to decide.
            LostLeadError, RedisError, OSError: it can be tried again.
        """
        server = self._publisher.begin()
        self._stored.begin(server)
        marked, known = self._marker.read(), tree.published(self._folder)
        self._servers.notice(server, 0 if known is None else 1000 * known.at)
        if marked.mark is None or known is None:
            newest = self._begin(renewed, marked.mark, known, now)
        else:
            newest = self._agreed(renewed, marked.mark, known)
        touched: Sequence[str] = ()
        if marked.indexed != newest.size:
            newest, touched = self._compare(renewed, newest, marked.indexed or 0, now)
        self._stored.forget()
        return RecoveryOutcome(newest, touched, marked.scanned)

    def _begin(
        self, renewed: Renewed, mark: Mark | None, known: SignedTree | None, now: int
    ) -> SignedTree:
        """Return the newest tree of a log that has no marker yet, or has published nothing."""
        folder = self._folder.path
        if mark is not None and mark.size:
            raise UnfitError(
                f"This store has signed a public log of {mark.size} leaves, and {folder} has"
                " nothing of it: restore the folder with its keys, or begin a new log by"
                " `lonja log adopt`."
            )
        if known is not None and known.size:
            raise UnfitError(
                f"{folder} has a public log of {known.size} leaves, and this store knows nothing of"
                " it. If it is another store, name another folder in LONJA_PUBLIC_LOG. If its games"
                " were lost, `lonja log adopt` lets the log confess it and go on."
            )
        if mark is not None and mark.note:  # a process was killed before it published this
            signed = tree.opened(self._folder, mark.note)
            self._publisher.finish(signed, ())
            return signed
        self._folder.clear_pending()
        return self._publisher.start(renewed(), mark, 0, EMPTY_ROOT, now)

    def _agreed(self, renewed: Renewed, mark: Mark, known: SignedTree) -> SignedTree:
        """Return the newest tree of a log that was published, and has a marker."""
        if mark == known.mark:
            self._folder.clear_pending()
            return known
        if mark.size > known.size:
            return self._caught_up(mark, known)
        if tree.root_of(self._folder, mark.size) != mark.root:
            raise UnfitError(
                f"The public log in {self._folder.path} has {known.size} leaves, and this store has"
                f" signed a log of {mark.size} leaves that is not its beginning: name the folder of"
                " that log in LONJA_PUBLIC_LOG."
            )
        if mark.size == known.size and mark.note:
            signed = tree.opened(self._folder, mark.note)
            if signed.at >= known.at:  # a new time was signed, and not published
                self._publisher.finish(signed, ())
                return signed
        if mark.size < known.size:  # else it lacks only a signature, as after a rotation
            log.warning("public_log_store_went_back", marker=mark.size, size=known.size)
            earlier = tree.opened(self._folder, mark.note).at if mark.note else known.at
            self._servers.went_back(1000 * earlier)
        self._folder.clear_pending()
        self._marker.move(renewed(), mark, known.mark)
        return known

    def _caught_up(self, mark: Mark, known: SignedTree) -> SignedTree:
        """Publish the tree of the marker from the pending tiles."""
        signed = tree.opened(self._folder, mark.note)
        try:
            tree.check(self._folder, known.size, mark.size, mark.root)
        except UnfitError as error:
            raise UnfitError(
                f"The public log in {self._folder.path} has {known.size} leaves, and this store has"
                f" signed one of {mark.size} leaves ({error}): bring the newer folder back. Nothing"
                " smaller is signed."
            ) from None
        self._publisher.finish(signed, tiles_of(known.size, mark.size))
        return signed

    # What the store has of the leaves

    def _compare(
        self, renewed: Renewed, known: SignedTree, indexed: int, now: int
    ) -> tuple[SignedTree, Sequence[str]]:
        """Compare the leaves from ``indexed`` on with the streams; note them, and confess losses.

        Return the newest tree, and the ids of these leaves that have not left for a pack.
        """
        private = self._folder.private_leaves()
        last = {one.id: one for one in self._leaves(renewed, indexed, known.size, private)}
        where = self._stored.find(renewed, [one.head for one in last.values()])
        right = {
            id_: one for id_, one in last.items()
            if one.leaf.kind != REWOUND and where[one.head] is not HeadState.LOST
        }  # fmt: skip
        chains: dict[str, list[_Logged]] = {id_: [] for id_ in last if id_ not in right}
        if chains:
            for one in self._leaves(renewed, 0, known.size, private):
                if one.id in chains:
                    _follow(chains[one.id], one)
        where = self._stored.find(renewed, [one.head for each in chains.values() for one in each])
        lost: list[tuple[_Logged, _Logged | None]] = []
        for id_, chain in chains.items():
            left = (one for one in reversed(chain) if where[one.head] is not HeadState.LOST)
            target = next(left, None)
            if chain and target is not chain[-1]:
                lost.append((chain[-1], target))
            if target is not None:
                right[id_] = target
        if lost:
            self._servers.went_back(1000 * known.at)
        newest = self._confessed(renewed, known, lost, now)
        # A game that has left the store needs no entry: nothing follows on its end.
        here = {id_: one for id_, one in right.items() if where[one.head] is HeadState.HERE}
        self._index.note(renewed, ((id_, here[id_].entry if id_ in here else None) for id_ in last))
        self._marker.note(renewed(), newest.mark, newest.size)
        return newest, [id_ for id_ in last if id_ in here or id_ not in right]

    def _leaves(
        self, renewed: Renewed, first: int, size: int, private: Mapping[int, PrivateLeaf]
    ) -> Iterator[_Logged]:
        for index, leaf in tree.leaves(self._folder, first, size):
            if index % WIDTH == 0:
                renewed()
            if not leaf.id.startswith("~"):
                yield _Logged(leaf, leaf.id, leaf.seq)
            elif index in private:
                yield _Logged(leaf, *private[index])
            else:
                log.error("pseudonym_unknown", index=index)

    def _confessed(
        self,
        renewed: Renewed,
        known: SignedTree,
        lost: Sequence[tuple[_Logged, _Logged | None]],
        now: int,
    ) -> SignedTree:
        """Add a leaf ``rewound`` for each lost head, with what is left of its id."""
        if lost:
            ids = [one.id for one, _left in lost[:10]]
            log.error("public_log_rewound", ids=ids, count=len(lost))
        # Not by the ids of games, which the places of private ones would tell.
        in_order = sorted(lost, key=lambda each: each[0].leaf.id)
        for first in range(0, len(lost), AT_ONCE):
            leaves, private = [], {}
            for index, (one, left) in enumerate(in_order[first : first + AT_ONCE], known.size):
                more: dict[str, Any] = {"to": 0, "at": from_ms(now)}
                if left is not None:
                    more |= {"to": left.leaf.seq, "to_hash": left.leaf.hash}
                leaves.append(Leaf(REWOUND, one.leaf.id, one.leaf.seq, one.leaf.hash, more))
                if one.leaf.id != one.id:
                    private[index] = PrivateLeaf(one.id, 0 if left is None else left.seq)
            known = self._publisher.extend(renewed(), known, leaves, private, now)
        return known


def _follow(chain: list[_Logged], one: _Logged) -> None:
    """Add a leaf to the chain of its id; a ``rewound`` takes what was lost off its end."""
    if one.leaf.kind != REWOUND:
        chain.append(one)
        return
    while chain and chain[-1].leaf.seq > one.leaf.more["to"]:
        chain.pop()
