"""Reads a public log as a stranger does, and builds one on the store of a test."""

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from service.following.cursors import behind_since
from service.following.follower import Follower
from service.following.lease import lease_of
from service.ledger.store import Store
from service.publishing.builder import LogBuilder
from service.publishing.folder import LogFolder
from service.publishing.marker import NAME
from service.publishing.witnesses import Witnesses
from service.records.leaves import REWOUND, Leaf, follow
from service.records.statements import Statement
from service.tlog.checkpoints import Checkpoint, open_checkpoint
from service.tlog.keys import VerifierKey
from service.tlog.merkle import EMPTY_ROOT, fold, leaf_hash, node_hash, root
from service.tlog.policies import TrustPolicy
from service.tlog.tiles import Tile, entries_of, nodes_of, tiles_of


class Builder(NamedTuple):
    """A builder in this process, as another process would be."""

    store: Store
    folder: LogFolder
    log: LogBuilder
    follower: Follower

    @classmethod
    def open(
        cls,
        store: Store,
        path: Path,
        interval_ms: int = 1,
        lease_ms: int = 60_000,
        policy: TrustPolicy | None = None,
    ) -> "Builder":
        folder = LogFolder(path)
        witnesses = None if policy is None else Witnesses(policy, folder, store.redis)
        log = LogBuilder(store, folder, interval_ms=interval_ms, witnesses=witnesses)
        return cls(store, folder, log, Follower(store.redis, store, log, lease_ms=lease_ms))

    def build(self) -> None:
        """Log everything that the feeds hold now."""
        for _ in range(100):
            self.follower.catch_up()
            if self.log.is_durable(self.follower._lease.renewed) and not self.is_behind:
                return
        raise AssertionError("the log does not catch up")

    @property
    def is_behind(self) -> bool:
        return behind_since(self.store.redis, NAME) is not None

    def close(self) -> None:
        self.folder.close()

    def die(self) -> None:
        """Leave the folder and the lease, as a kill and three seconds do."""
        self.folder.close()
        self.store.redis.hset(lease_of(NAME), mapping={"until": 0, "holder": ""})


def build(store: Store, path: Path) -> None:
    """Log everything by a builder that then ends."""
    builder = Builder.open(store, path)
    try:
        builder.build()
    finally:
        builder.die()


def begin(store: Store, path: Path, at: int) -> None:
    """Begin a log at a time (ms since 1970)."""
    clock, now = store.clock, store.clock.now_ms()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(clock, "now_ms", lambda: at + clock.ask() - now)
        build(store, path)


def checkpoint(path: Path, *keys: VerifierKey) -> Checkpoint:
    raw = (path / "public" / "checkpoint").read_bytes()
    return open_checkpoint(raw, keys).checkpoint if keys else parse(raw)


def parse(note: bytes) -> Checkpoint:
    return Checkpoint.parse(note.decode().partition("\n\n")[0] + "\n")


def entries(path: Path) -> list[bytes]:
    """Return the entries of the published log, after checking tiles and root."""
    found = checkpoint(path)
    read: list[bytes] = []
    for tile in tiles_of(0, found.size):
        hashes = (path / "public" / tile.path).read_bytes()
        if tile.level == 0:
            more = entries_of((path / "public" / tile.entries_path).read_bytes(), tile.width)
            assert b"".join(map(leaf_hash, more)) == hashes
            read += more
        assert len(hashes) == 32 * tile.width

    def tile_bytes(tile: Tile) -> bytes:
        return (path / "public" / tile.path).read_bytes()

    if found.size:
        assert root(found.size, nodes_of(found.size, tile_bytes)) == found.root
    assert root_of(read) == found.root
    return read


def root_of(raw: list[bytes]) -> bytes:
    """Return the head of a tree, by the definition of RFC 9162, 2.1.1."""
    if not raw:
        return EMPTY_ROOT
    hashes = [leaf_hash(entry) for entry in raw]
    heads: list[bytes] = []
    rest = len(hashes)
    while rest:  # complete subtrees from the left, then folded from the right
        size = 1 << (rest.bit_length() - 1)
        start = len(hashes) - rest
        heads.append(fold(hashes[start : start + size]))
        rest -= size
    head = heads.pop()
    while heads:
        head = node_hash(heads.pop(), head)
    return head


def leaves(path: Path) -> list[Leaf]:
    read = {entry: Leaf.parse(entry) for entry in entries(path)}
    said = {entry for entry in read if Statement.parse(entry) is not None}
    assert {entry for entry, leaf in read.items() if leaf is None} == said
    return [leaf for leaf in read.values() if leaf is not None]


def statements(path: Path) -> list[Statement]:
    """Return what the log says of itself."""
    found = (Statement.parse(entry) for entry in entries(path))
    return [said for said in found if said is not None]


def chains(path: Path) -> dict[str, list[Leaf]]:
    """Return what the log says of each id in the end, after checking that it is one chain."""
    found: dict[str, list[Leaf]] = defaultdict(list)
    for leaf in leaves(path):
        chain = found[leaf.id]
        known = {one.seq: one for one in chain}
        after = follow(chain[-1] if chain else None, leaf, known.get)
        if leaf.kind == REWOUND:
            del chain[chain.index(after) + 1 if after else 0 :]
        else:
            chain.append(leaf)
    return dict(found)


def kinds(path: Path) -> Iterator[tuple[str, str, int]]:
    """Yield the kinds of leaves, in the order of the log, with ids and seqs."""
    return ((leaf.kind, leaf.id, leaf.seq) for leaf in leaves(path))
