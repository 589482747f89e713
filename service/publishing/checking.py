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
from service.records.leaves import REWOUND, Leaf, follow, pseudonym, pseudonym_key
from service.records.statements import Statement
from service.tlog.errors import TlogError
from service.tlog.merkle import leaf_hash
from service.tlog.tiles import WIDTH, grow, tile_of


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


class _Chain:
    """The leaves of an id that the log stands by, the oldest first."""

    def __init__(self) -> None:
        self.places: list[_Place] = []
        self._by_seq: dict[int, Leaf] = {}

    def follow(self, leaf: Leaf) -> None:
        """Check that a leaf follows, and go back if it is a ``rewound``. Raises ForkError."""
        newest = self.places[-1].leaf if self.places else None
        after = follow(newest, leaf, self._by_seq.get)
        while leaf.kind == REWOUND and self.places and self.places[-1].leaf is not after:
            lost = self.places.pop().leaf
            if self._by_seq.get(lost.seq) is lost:
                del self._by_seq[lost.seq]

    def add(self, place: _Place) -> None:
        """Add a leaf that follows."""
        self.places.append(place)
        self._by_seq[place.leaf.seq] = place.leaf


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
    edge: dict[int, bytes] = {}
    """The last tile of each level, while the tree grows."""
    entries = tree.entries(files, 0, newest.size)
    while page := [*islice(entries, WIDTH)]:
        hashes = [leaf_hash(entry) for _index, entry in page]
        for tile, row in grow(size, hashes, lambda tile: edge[tile.level]):
            edge[tile.level] = row
            is_last = tile == tile_of(newest.size, tile.level, tile.index)
            if is_last and files.tile(tile) != row:
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
        self.chains: dict[str, _Chain] = defaultdict(_Chain)
        self.failures: list[str] = []

    def take(self, index: int, entry: bytes) -> None:
        """Follow the next entry."""
        try:
            leaf = Leaf.parse(entry)
            if leaf is None:
                if (said := Statement.parse(entry)) is not None:
                    self.kinds[said.kind] += 1
                return
            self.kinds[leaf.kind] += 1
            self.chains[leaf.id].follow(leaf)
        except TlogError as error:
            self.failures.append(f"leaf {index}: {error}")
            return
        if leaf.kind == REWOUND:
            return
        game = self._private.get(index) if leaf.id.startswith("~") else (leaf.id, leaf.seq)
        if game is None:
            self.failures.append(f"leaf {index}: no file says whose pseudonym {leaf.id} is")
        else:
            self.chains[leaf.id].add(_Place(leaf, *game))

    def compare(self) -> None:
        """Compare all leaves with the streams, or packs."""
        for id_, chain in self.chains.items():
            if not chain.places:
                continue
            game_id = chain.places[0].id
            if id_ != game_id and id_ != self._pseudonym(game_id):
                self.failures.append(f"{id_} is not the pseudonym of {game_id}")
            events = self._store.events_at(game_id, [one.seq for one in chain.places])
            hashes = {event.seq: event.hash.hex() for event in events}
            self.failures += (
                f"{game_id}: event {one.seq} is not that of the log, {one.leaf.hash}"
                for one in chain.places
                if hashes.get(one.seq) != one.leaf.hash
            )

    def _pseudonym(self, game_id: str) -> str | None:
        secrets = self._store.secrets(game_id)
        return None if secrets is None else pseudonym(pseudonym_key(secrets.salt), game_id)
