"""Brings folder and store together after a kill, or after either of them went back.

- The marker in the store is ahead of the folder: the process was killed before it published what it
  had signed. The pending tiles are published.
- The marker is behind: the store went back, or was restored. Each state to which a store goes back
  has the heads of the leaves before its own ``indexed``, so only ids with later leaves can be
  behind. If the log has a head that the stream of its id has not, the log confesses it: it gets a
  leaf ``rewound`` before any other leaf of the id.
- They contradict each other: nothing is signed, and the error says what to do.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import structlog

from service.following.consumer import Lead
from service.ledger.store import Store
from service.publishing import tree
from service.publishing.errors import UnfitError
from service.publishing.folder import LogFolder, PrivateLeaf
from service.publishing.heads import HEAD_BYTES, Entry, logged_key, present
from service.publishing.marker import MARKER, Mark, Marker
from service.publishing.publisher import Publisher
from service.publishing.tree import SignedTree
from service.records.leaves import REWOUND, Leaf
from service.redis.commands import Commands, Word, checked
from service.tlog.merkle import EMPTY_ROOT
from service.tlog.tiles import tiles_of

log = structlog.get_logger(__name__)


class RecoveryOutcome(NamedTuple):
    """The newest tree, the ids that were compared, and whether all streams have been read."""

    tree: SignedTree
    touched: Sequence[str]
    is_scanned: bool


class _Logged(NamedTuple):
    """A leaf of the log, with its index, and the id and event that it stands for."""

    position: int
    leaf: Leaf
    id: str
    seq: int

    @property
    def head(self) -> tuple[str, int, str]:
        return self.id, self.seq, self.leaf.hash

    @property
    def entry(self) -> Entry:
        count = self.leaf.seq if self.leaf.id != self.id else 0
        head = bytes.fromhex(self.leaf.hash)[:HEAD_BYTES]
        return Entry(self.leaf.kind, self.position, self.seq, head, count)


class Recovery:
    """The recovery of one folder and one store."""

    def __init__(
        self, store: Store, folder: LogFolder, marker: Marker, publisher: Publisher
    ) -> None:
        self._store = store
        self._folder = folder
        self._marker = marker
        self._publisher = publisher
        self._commands = Commands(store.redis)

    def recover(self, lead: Lead, now: int) -> RecoveryOutcome:
        """Make folder and store fit, at the time ``now`` (ms since 1970).

        Raises:
            UnfitError: they do not fit, and an operator has to decide.
            LostLeadError, RedisError, OSError: it can be tried again.
        """
        self._publisher.begin()
        marked, known = self._marker.read(), tree.published(self._folder)
        if marked.mark is None or known is None:
            newest = self._begin(lead, marked.mark, known, now)
        else:
            newest = self._agreed(lead, marked.mark, known)
        newest, touched = self._compare(lead, newest, marked.indexed, now)
        return RecoveryOutcome(newest, touched, marked.scanned)

    def _begin(
        self, lead: Lead, mark: Mark | None, known: SignedTree | None, now: int
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
        return self._publisher.start(lead, mark, 0, EMPTY_ROOT, now)

    def _agreed(self, lead: Lead, mark: Mark, known: SignedTree) -> SignedTree:
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
        log.warning("public_log_store_went_back", marker=mark.size, size=known.size)
        self._folder.clear_pending()
        self._marker.move(lead, mark, known.mark)
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
        self, lead: Lead, known: SignedTree, indexed: int, now: int
    ) -> tuple[SignedTree, Sequence[str]]:
        """Compare the leaves from ``indexed`` on with the streams; note them, and confess losses.

        Return the newest tree, and the ids of these leaves.
        """
        if indexed == known.size:
            return known, ()
        private = self._folder.private_leaves()
        last = {one.id: one for one in self._leaves(indexed, known.size, private)}
        held = present(self._store, [one.head for one in last.values()])
        right = {
            id_: one for id_, one in last.items()
            if one.leaf.kind != REWOUND and one.head in held
        }  # fmt: skip
        chains: dict[str, list[_Logged]] = {id_: [] for id_ in last if id_ not in right}
        if chains:
            for one in self._leaves(0, known.size, private):
                if one.id in chains:
                    _follow(chains[one.id], one)
        held = present(self._store, [one.head for chain in chains.values() for one in chain])
        lost: list[tuple[_Logged, _Logged | None]] = []
        for id_, chain in chains.items():
            target = next((one for one in reversed(chain) if one.head in held), None)
            if chain and target is not chain[-1]:
                lost.append((chain[-1], target))
            if target is not None:
                right[id_] = target
        newest = self._confessed(lead, known, lost, now)
        self._note(right, last.keys() - right.keys(), newest.size)
        return newest, [*last]

    def _leaves(
        self, first: int, size: int, private: Mapping[int, PrivateLeaf]
    ) -> Iterable[_Logged]:
        for index, entry in tree.entries(self._folder, first, size):
            leaf = Leaf.parse(entry)
            if leaf is None:
                continue
            if not leaf.id.startswith("~"):
                yield _Logged(index, leaf, leaf.id, leaf.seq)
            elif index in private:
                yield _Logged(index, leaf, *private[index])
            else:
                log.error("pseudonym_unknown", index=index)

    def _confessed(
        self,
        lead: Lead,
        known: SignedTree,
        lost: Sequence[tuple[_Logged, _Logged | None]],
        now: int,
    ) -> SignedTree:
        """Add a leaf ``rewound`` for each lost head, with what is left of its id."""
        if not lost:
            return known
        log.error("public_log_rewound", ids=[one.id for one, _left in lost[:10]], count=len(lost))
        leaves, private = [], {}
        # Not by the ids of games, which the places of private ones would tell.
        in_order = sorted(lost, key=lambda each: each[0].leaf.id)
        for index, (one, left) in enumerate(in_order, known.size):
            more = {"to": 0} if left is None else {"to": left.leaf.seq, "to_hash": left.leaf.hash}
            leaves.append(Leaf(REWOUND, one.leaf.id, one.leaf.seq, one.leaf.hash, more))
            if one.leaf.id != one.id:
                private[index] = PrivateLeaf(one.id, 0 if left is None else left.seq)
        return self._publisher.extend(lead, known, leaves, private, now)

    def _note(self, right: Mapping[str, _Logged], gone: Iterable[str], size: int) -> None:
        commands: list[Sequence[Word]] = [("HDEL", logged_key(id_), id_) for id_ in gone]
        commands += [("HSET", logged_key(id_), id_, one.entry.dump()) for id_, one in right.items()]
        commands.append(("HSET", MARKER, "indexed", size))
        checked(self._commands.ask(*commands))


def _follow(chain: list[_Logged], one: _Logged) -> None:
    """Add a leaf to the chain of its id; a ``rewound`` takes what was lost off its end."""
    if one.leaf.kind != REWOUND:
        chain.append(one)
        return
    while chain and chain[-1].leaf.seq > one.leaf.more["to"]:
        chain.pop()
