"""Reads the log of a stranger: whatever is returned was checked against a signed head."""

from collections.abc import Callable, Iterator, Sequence

from service.tlog.checkpoints import Checkpoint
from service.tlog.errors import TlogError
from service.tlog.merkle import (
    EMPTY_ROOT,
    HASH_BYTES,
    inclusion_proof,
    leaf_hash,
    root,
    verify_inclusion,
)
from service.tlog.notes import MOST_BYTES as LARGEST_CHECKPOINT
from service.tlog.tiles import WIDTH, Tile, entries_of, nodes_of, tile_of

CHECKPOINT = "checkpoint"
LARGEST_FILE = 16 << 20
"""Maximum number of bytes of a bundle or tile: 256 of the longest entries, with their lengths, are
hardly more.
"""

ReadFile = Callable[[str, int], bytes | None]
"""Returns the file with this path, below the log's URL; None if there is none.

It raises TlogError if the file has more bytes than the second argument.
"""


def read_checkpoint(read: ReadFile) -> bytes:
    """Return the newest checkpoint, of which nothing is known yet. Raises TlogError."""
    raw = read(CHECKPOINT, LARGEST_CHECKPOINT)
    if raw is None:
        raise TlogError("there is no checkpoint")
    return raw


class LogReader:
    """The entries of the tree that a checkpoint is the head of."""

    def __init__(self, checkpoint: Checkpoint, read: ReadFile) -> None:
        self._size, self._root = checkpoint.size, checkpoint.root
        self._read = read
        self._tiles: dict[Tile, bytes] = {}
        """The tiles of higher levels, and the last one of the lowest."""

    def bundles(self) -> Iterator[tuple[int, Sequence[bytes]]]:
        """Yield the bundles, the newest first: the index of the first entry, and all entries.

        Raises:
            TlogError: a bundle or tile is missing or damaged, or does not lead to the head.
        """
        for index in reversed(range(-(-self._size // WIDTH))):
            entries = self._entries(tile_of(self._size, 0, index))
            # The path of the first entry has hashes over all others of the bundle.
            self._proof(index * WIDTH, entries, index * WIDTH)
            yield index * WIDTH, entries

    def proof(self, index: int) -> Sequence[bytes]:
        """Return the inclusion path of an entry (RFC 9162, 2.1.3). Raises TlogError."""
        tile = tile_of(self._size, 0, index // WIDTH)
        return self._proof(index, self._entries(tile), tile.index * WIDTH)

    def earlier_proof(self, index: int, leaf: bytes, earlier: Checkpoint) -> Sequence[bytes]:
        """Return the inclusion path of an entry, with the hash ``leaf``, in an earlier tree.

        Raises:
            TlogError: the entry is not in that tree, or the tree is not the beginning of this one.
        """
        if not index < earlier.size <= self._size:
            raise TlogError(f"a tree of {earlier.size} entries has no entry {index} of this log")
        path = inclusion_proof(index, earlier.size, nodes_of(earlier.size, self._part))
        verify_inclusion(leaf, index, earlier.size, path, earlier.root)
        return path

    def root(self, size: int) -> bytes:
        """Return the head of the first ``size`` entries, which the log need not have signed.

        It is that of this tree only if this tree is read whole (``bundles``). Raises TlogError.
        """
        return root(size, nodes_of(size, self._part)) if size else EMPTY_ROOT

    def _part(self, tile: Tile) -> bytes:
        """Return a tile of a smaller tree, whose partial tiles a log need not keep."""
        own = self._tile(tile_of(self._size, tile.level, tile.index))
        return own[: HASH_BYTES * tile.width]

    def _proof(self, index: int, entries: Sequence[bytes], first: int) -> Sequence[bytes]:
        row = b"".join(map(leaf_hash, entries))

        def read(tile: Tile) -> bytes:
            is_own = tile.level == 0 and tile.index == first // WIDTH
            return row if is_own else self._tile(tile)

        path = inclusion_proof(index, self._size, nodes_of(self._size, read))
        leaf = leaf_hash(entries[index - first])
        verify_inclusion(leaf, index, self._size, path, self._root)
        return path

    def _tile(self, tile: Tile) -> bytes:
        if tile not in self._tiles:
            self._tiles[tile] = read_tile(self._read, tile)
        return self._tiles[tile]

    def _entries(self, tile: Tile) -> Sequence[bytes]:
        return read_entries(self._read, tile)


def read_tile(read: ReadFile, tile: Tile) -> bytes:
    """Return the hashes of a tile, or of the full one that has replaced it since.

    Raises:
        TlogError: it is missing.
    """
    found = _file(read, tile.path, Tile(tile.level, tile.index).path)
    return found[: HASH_BYTES * tile.width]


def read_entries(read: ReadFile, tile: Tile) -> Sequence[bytes]:
    """Return the entries of the bundle that belongs to a tile of level 0.

    Raises:
        TlogError: it is missing, or is no bundle of so many entries.
    """
    whole = Tile(0, tile.index).entries_path
    raw = read(tile.entries_path, LARGEST_FILE)
    if raw is None and tile.width < WIDTH:  # a full bundle replaces its partial ones
        return entries_of(_file(read, whole, whole), WIDTH)[: tile.width]
    if raw is None:
        raise TlogError(f"{tile.entries_path} is missing")
    return entries_of(raw, tile.width)


def _file(read: ReadFile, path: str, whole: str) -> bytes:
    for name in dict.fromkeys((path, whole)):
        if (raw := read(name, LARGEST_FILE)) is not None:
            return raw
    raise TlogError(f"{path} is missing")
