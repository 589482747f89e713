"""Checks a public log against its own entries, and against the streams and packs of its store."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from service.ledger.store import Store
from service.publishing import tree
from service.publishing.errors import UnfitError
from service.publishing.folder import LogFiles, PrivateLeaf
from service.publishing.tree import SignedTree
from service.records.leaves import REWOUND, ForkError, Leaf, follow, pseudonym, pseudonym_key
from service.tlog.errors import TlogError
from service.tlog.merkle import leaf_hash
from service.tlog.tiles import grow

_AT_ONCE = 256


class LogCheck(NamedTuple):
    """What a log has: its newest tree, leaves by kind, ids; and what is wrong with it, in words."""

    tree: SignedTree
    kinds: Mapping[str, int]
    ids: int
    failures: Sequence[str]


class _Place(NamedTuple):
    """A leaf, and the id and the event that it stands for."""

    leaf: Leaf
    id: str
    seq: int


def check(files: LogFiles, store: Store) -> LogCheck:
    """Check that tiles and root follow from the entries, and that the store has every leaf.

    Raises:
        UnfitError: the log has no checkpoint, or it is not signed, or a file of it is missing.
    """
    newest = tree.published(files)
    if newest is None:
        raise UnfitError(f"{files.path} has no public log yet.")
    checker = _Checker(store, files.private_leaves())
    size = 0
    entries = tree.entries(files, 0, newest.size)
    while page := [*islice(entries, _AT_ONCE)]:
        for tile, hashes in grow(size, [leaf_hash(entry) for _index, entry in page], files.tile):
            if files.tile(tile) != hashes:
                checker.failures.append(f"{tile.path} does not follow from the entries")
        size += len(page)
        for index, entry in page:
            checker.take(index, entry)
    checker.compare()
    return LogCheck(newest, checker.kinds, len(checker.chains), checker.failures)


class _Checker:
    """Follows the chains of all ids."""

    def __init__(self, store: Store, private: Mapping[int, PrivateLeaf]) -> None:
        self._store = store
        self._private = private
        self.kinds: Counter[str] = Counter()
        self.chains: dict[str, list[_Place]] = defaultdict(list)
        """The leaves of each id that the log stands by, the oldest first."""
        self.failures: list[str] = []

    def take(self, index: int, entry: bytes) -> None:
        """Follow the next entry."""
        try:
            leaf = Leaf.parse(entry)
            if leaf is None:
                return
            self.kinds[leaf.kind] += 1
            chain = self.chains[leaf.id]
            by_seq = {one.leaf.seq: one.leaf for one in chain}
            after = follow(chain[-1].leaf if chain else None, leaf, by_seq.get)
        except (ForkError, TlogError) as error:
            self.failures.append(f"leaf {index}: {error}")
            return
        if leaf.kind == REWOUND:
            while chain and chain[-1].leaf is not after:
                chain.pop()
            return
        game = self._private.get(index) if leaf.id.startswith("~") else None
        if leaf.id.startswith("~") and game is None:
            self.failures.append(f"leaf {index}: no file says whose pseudonym {leaf.id} is")
        else:
            chain.append(_Place(leaf, *(game or (leaf.id, leaf.seq))))

    def compare(self) -> None:
        """Compare all leaves with the streams, or packs."""
        for id_, chain in self.chains.items():
            if not chain:
                continue
            game_id = chain[0].id
            if id_ != game_id and id_ != self._pseudonym(game_id):
                self.failures.append(f"{id_} is not the pseudonym of {game_id}")
            events = self._store.events_at(game_id, [one.seq for one in chain])
            hashes = {event.seq: event.hash.hex() for event in events}
            self.failures += (
                f"{game_id}: event {one.seq} is not that of the log, {one.leaf.hash}"
                for one in chain
                if hashes.get(one.seq) != one.leaf.hash
            )

    def _pseudonym(self, game_id: str) -> str | None:
        secrets = self._store.secrets(game_id)
        return None if secrets is None else pseudonym(pseudonym_key(secrets.salt), game_id)
