"""The tree of the log in a folder: its head, its leaves, and how it grows on disk."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from service.publishing.errors import UnfitError
from service.publishing.folder import LogFiles, LogFolder, PrivateLeaf
from service.publishing.marker import Mark
from service.records.leaves import Leaf
from service.records.statements import Statement
from service.tlog.checkpoints import open_checkpoint
from service.tlog.errors import TlogError
from service.tlog.keys import Algorithm
from service.tlog.merkle import EMPTY_ROOT, leaf_hash, root
from service.tlog.tiles import (
    WIDTH,
    Tile,
    bundle,
    entries_of,
    grow,
    nodes_of,
    tile_of,
    tiles_of,
)


class SignedTree(NamedTuple):
    """A tree of ``size`` leaves that was signed at ``at`` (seconds since 1970).

    ``note`` is its checkpoint with the log's own two signatures.
    """

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
    own = folder.verifiers()
    logs = [key for key in own if key.algorithm is Algorithm.ED25519]
    times = [key for key in own if key.algorithm is Algorithm.COSIGNATURE_V1]
    try:
        found = open_checkpoint(note, logs, times)
    except TlogError as error:
        raise UnfitError(f"A checkpoint is not one of the log in {folder.path}: {error}.") from None
    checkpoint = found.checkpoint
    names = {(key.name, key.id) for key in own}
    signed = tuple(one for one in found.note.signatures if (one.name, one.key_id) in names)
    alone = bytes(found.note._replace(signatures=signed))
    return SignedTree(checkpoint.size, checkpoint.root, alone, max(found.seen.values(), default=0))


def root_of(folder: LogFiles, size: int) -> bytes:
    """Return the head of the first ``size`` leaves, from the folder's tiles.

    Raises:
        UnfitError: tiles are missing.
    """
    with _whole(folder):
        return root(size, nodes_of(size, folder.tile)) if size else EMPTY_ROOT


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
        found = _entries(folder, tile_of(size, 0, index))
        for at, entry in enumerate(found, index * WIDTH):
            if at >= first:
                yield at, entry


def leaves(folder: LogFiles, first: int, size: int) -> Iterator[tuple[int, Leaf]]:
    """Yield index and leaf as ``entries`` does; leaves that are newer than this release are not.

    Raises:
        UnfitError: an entry is missing, is not what the tile has the hash of, or is no leaf.
    """
    for index, entry in entries(folder, first, size):
        with _whole(folder):
            leaf = Leaf.parse(entry)
        if leaf is not None:
            yield index, leaf


def write(
    folder: LogFolder,
    size: int,
    leaves: Sequence[Leaf | Statement],
    private: Mapping[int, PrivateLeaf],
    closed: Iterable[int] = (),
) -> bytes:
    """Write the pending tiles of a tree of ``size`` leaves with these ``leaves`` added.

    Return the new head. The tiles are on disk. The tree's checkpoint will be kept for the leaves
    ``closed``.

    Raises:
        UnfitError: the folder has not the entries or tiles on which these leaves follow.
        OSError: the tiles cannot be written.
    """
    raw = [leaf.entry for leaf in leaves]
    with _whole(folder):
        hashes = [*map(leaf_hash, raw)]
        files = {tile.path: row for tile, row in grow(size, hashes, folder.tile)}
        row = bundle(_entries(folder, tile_of(size, 0, size // WIDTH))) if size % WIDTH else b""
    at = 0
    for tile in tiles_of(size, size + len(raw)):
        if tile.level > 0:
            break
        until = tile.index * WIDTH + tile.width - size
        files[tile.entries_path] = row + bundle(raw[at:until])
        row, at = b"", until
    folder.write_pending(files, private, closed)
    return root_of(folder, size + len(raw))


def _entries(folder: LogFiles, tile: Tile) -> list[bytes]:
    """Return the entries of a tile, after checking them against it. Raises UnfitError."""
    with _whole(folder):
        data = folder.bundle(tile)
        if not data:
            raise TlogError(f"{tile.entries_path} is missing")
        found = entries_of(data, tile.width)
        if b"".join(map(leaf_hash, found)) != folder.tile(tile):
            raise TlogError(f"{tile.entries_path} has other entries than its tile")
    return found


@contextmanager
def _whole(folder: LogFiles) -> Iterator[None]:
    """Turn the error of a file that is missing or damaged into the one that stops the log."""
    try:
        yield
    except TlogError as error:
        raise UnfitError(
            f"The public log in {folder.path} is damaged: {error}. Bring the newest copy of the"
            " folder back. Nothing is signed without it."
        ) from None
