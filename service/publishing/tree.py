"""The tree of the log in a folder: its head, its leaves, and how it grows on disk."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from service.publishing.errors import UnfitError
from service.publishing.folder import LogFiles, LogFolder, PrivateLeaf
from service.publishing.marker import Mark
from service.records.leaves import Leaf
from service.tlog.checkpoints import open_checkpoint
from service.tlog.errors import TlogError
from service.tlog.merkle import EMPTY_ROOT, leaf_hash, root
from service.tlog.tiles import WIDTH, Tile, bundle, entries_of, grow, nodes_of, tiles_of


class SignedTree(NamedTuple):
    """A tree of ``size`` leaves that was signed at ``at`` (seconds since 1970)."""

    size: int
    root: bytes
    note: bytes
    at: int

    @property
    def mark(self) -> Mark:
        """The marker of this tree."""
        return Mark(self.size, self.root, self.note)


def published(folder: LogFiles) -> SignedTree | None:
    """Return the published tree; None if nothing was published yet.

    Raises:
        UnfitError: its checkpoint is not signed by the folder's keys, or its tiles are of another.
    """
    note = folder.checkpoint()
    if note is None:
        return None
    tree = opened(folder, note)
    if root_of(folder, tree.size) != tree.root:
        raise UnfitError(
            f"The tiles in {folder.path} do not lead to its checkpoint of {tree.size} leaves: "
            "restore the folder."
        )
    return tree


def opened(folder: LogFiles, note: bytes) -> SignedTree:
    """Return the tree of a signed checkpoint of the folder's log. Raises UnfitError."""
    log, time = folder.keys().verifiers
    try:
        found = open_checkpoint(note, [log], [time])
    except TlogError as error:
        raise UnfitError(f"A checkpoint is not one of the log in {folder.path}: {error}.") from None
    checkpoint = found.checkpoint
    return SignedTree(checkpoint.size, checkpoint.root, note, found.seen.get(time, 0))


def root_of(folder: LogFiles, size: int) -> bytes:
    """Return the head of the first ``size`` leaves, from the folder's tiles.

    Raises:
        UnfitError: tiles are missing.
    """
    try:
        return root(size, nodes_of(size, folder.tile)) if size else EMPTY_ROOT
    except TlogError as error:
        raise UnfitError(f"The log in {folder.path} has not all of its tiles: {error}.") from None


def check(folder: LogFiles, first: int, size: int, head: bytes) -> None:
    """Check that a tree of ``size`` leaves has this head, and its entries from ``first`` on.

    Raises:
        UnfitError: the folder has not all of it.
    """
    if root_of(folder, size) != head:
        raise UnfitError("its tiles lead to another head")
    for _each in entries(folder, first, size):
        continue


def entries(folder: LogFiles, first: int, size: int) -> Iterator[tuple[int, bytes]]:
    """Yield index and entry of the leaves of a tree of ``size``, from the index ``first`` on.

    Each entry is checked against the tile of its hashes.

    Raises:
        UnfitError: one is missing, or is not what the tile has the hash of.
    """
    for index in range(first // WIDTH, -(-size // WIDTH)):
        tile = Tile(0, index, min(WIDTH, size - index * WIDTH))
        start = index * WIDTH
        try:
            found = entries_of(folder.bundle(tile), tile.width)
        except TlogError as error:
            raise UnfitError(f"{folder.path / 'public' / tile.entries_path}: {error}.") from None
        if b"".join(map(leaf_hash, found)) != folder.tile(tile):
            raise UnfitError(f"{folder.path / tile.entries_path} has other entries than its tile.")
        for at, entry in enumerate(found, start):
            if at >= first:
                yield at, entry


def write(
    folder: LogFolder,
    size: int,
    leaves: Sequence[Leaf],
    private: Mapping[int, PrivateLeaf],
) -> bytes:
    """Write the pending tiles of a tree of ``size`` leaves with these ``leaves`` added.

    Return the new head. The tiles are on disk.
    """
    raw = [leaf.entry for leaf in leaves]
    files = {tile.path: hashes for tile, hashes in grow(size, [*map(leaf_hash, raw)], folder.tile)}
    number, kept = divmod(size, WIDTH)
    row = folder.bundle(Tile(0, number, kept)) if kept else b""
    at = 0
    for tile in tiles_of(size, size + len(raw)):
        if tile.level > 0:
            break
        until = tile.index * WIDTH + tile.width - size
        files[tile.entries_path] = row + bundle(raw[at:until])
        row, at = b"", until
    folder.write_pending(files, private)
    return root_of(folder, size + len(raw))
