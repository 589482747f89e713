"""The files of a log: tiles of hashes, and bundles of entries (c2sp.org/tlog-tiles).

A tile at level *l* has up to 256 consecutive hashes, each of a complete subtree of 256**l leaves.
Level 0 has the hashes of leaves. A bundle has the entries whose hashes are in the tile of level 0
with the same index and width. Whatever is computed from the tiles of a stranger's log proves
nothing until it leads to a head that is signed.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from service.tlog.errors import TlogError
from service.tlog.merkle import HASH_BYTES, Node, fold

HEIGHT = 8
WIDTH = 1 << HEIGHT
_LENGTH_BYTES = 2
LONGEST_ENTRY = (1 << (8 * _LENGTH_BYTES)) - 1
"""The largest number of bytes of an entry."""


@dataclass(frozen=True, slots=True)
class Tile:
    """A tile with ``width`` hashes, the tile number ``index`` of its ``level``."""

    level: int
    index: int
    width: int = WIDTH

    @property
    def path(self) -> str:
        """The path of the tile's hashes, below the URL of the log."""
        return f"tile/{self.level}/{self._place}"

    @property
    def entries_path(self) -> str:
        """The path of the bundle that belongs to a tile of level 0."""
        return f"tile/entries/{self._place}"

    @property
    def _place(self) -> str:
        place = place_of(self.index)
        return place if self.width == WIDTH else f"{place}.p/{self.width}"


def place_of(number: int) -> str:
    """Return a number as paths have it: three digits in each part, and few files in a folder."""
    digits = str(number)
    digits = digits.zfill(-(-len(digits) // 3) * 3)
    parts = [digits[at : at + 3] for at in range(0, len(digits), 3)]
    return "/".join([*(f"x{part}" for part in parts[:-1]), parts[-1]])


_PATH = re.compile(
    r"tile/(?:entries|[0-9]|[1-5][0-9]|6[0-3])/(?:x[0-9]{3}/)*[0-9]{3}(?:\.p/[1-9][0-9]{0,2})?",
    re.ASCII,
)


def is_path(path: str) -> bool:
    """Whether a path has the form of those of tiles and bundles."""
    return _PATH.fullmatch(path) is not None


ReadTile = Callable[[Tile], bytes]
"""Returns the hashes of a tile, one after another."""


def tile_of(size: int, level: int, index: int) -> Tile:
    """Return a tile of a tree of ``size`` leaves, which is partial at the tree's edge."""
    return Tile(level, index, min(WIDTH, (size >> (HEIGHT * level)) - index * WIDTH))


def tiles_of(old: int, new: int) -> Iterator[Tile]:
    """Yield the tiles that a tree of ``new`` leaves has, and that of its first ``old`` has not.

    They come by level, then by index.
    """
    level, first, last = 0, old, new
    while first < last:
        for index in range(first // WIDTH, -(-last // WIDTH)):
            yield tile_of(new, level, index)
        level, first, last = level + 1, first // WIDTH, last // WIDTH


def nodes_of(size: int, read: ReadTile) -> Node:
    """Return the function that reads the complete subtrees of a tree of ``size`` leaves.

    It reads one tile at each call, and raises TlogError if the tile has another length than it
    must have, or if the subtree is not complete.
    """

    def node(level: int, index: int) -> bytes:
        if (index + 1) << level > size:
            raise TlogError(f"node {index} of level {level} is not complete with {size} leaves")
        tile_level, height = divmod(level, HEIGHT)
        tile_index, first = divmod(index << height, WIDTH)
        tile = tile_of(size, tile_level, tile_index)
        data = _checked(tile, read)
        return fold(_hashes(data[first * HASH_BYTES : (first + (1 << height)) * HASH_BYTES]))

    return node


def grow(size: int, leaves: Sequence[bytes], read: ReadTile) -> Iterator[tuple[Tile, bytes]]:
    """Yield the new tiles of a tree of ``size`` leaves to which ``leaves`` are added, with hashes.

    ``leaves`` are hashes of leaves, and ``read`` is asked for the partial tiles of the old tree.
    The tiles are those of ``tiles_of(size, size + len(leaves))``, in that order.
    """
    level, hashes = 0, leaves
    while hashes:
        index, kept = divmod(size >> (HEIGHT * level), WIDTH)
        row = [*_hashes(_checked(Tile(level, index, kept), read) if kept else b""), *hashes]
        parts = [row[at : at + WIDTH] for at in range(0, len(row), WIDTH)]
        for number, part in enumerate(parts, index):
            yield Tile(level, number, len(part)), b"".join(part)
        hashes = [fold(part) for part in parts if len(part) == WIDTH]
        level += 1


def bundle(entries: Iterable[bytes]) -> bytes:
    """Return the bundle of these entries, or what they add to a partial bundle.

    Raises:
        TlogError: an entry is too long.
    """
    return b"".join(_with_length(entry) for entry in entries)


def entries_of(data: bytes, width: int) -> list[bytes]:
    """Return the ``width`` entries of a bundle.

    Raises:
        TlogError: it has more or fewer, or ends within one.
    """
    entries, at = [], 0
    for number in range(width):
        start = at + _LENGTH_BYTES
        at = start + int.from_bytes(data[at:start], "big")
        if max(start, at) > len(data):
            raise TlogError(f"a bundle of {width} entries ends within entry {number}")
        entries.append(data[start:at])
    if at < len(data):
        raise TlogError(f"a bundle of {width} entries has {len(data) - at} more bytes")
    return entries


def _with_length(entry: bytes) -> bytes:
    if len(entry) > LONGEST_ENTRY:
        raise TlogError(f"an entry of {len(entry)} bytes is longer than {LONGEST_ENTRY}")
    return len(entry).to_bytes(_LENGTH_BYTES, "big") + entry


def _checked(tile: Tile, read: ReadTile) -> bytes:
    data = read(tile)
    if len(data) != tile.width * HASH_BYTES:
        raise TlogError(
            f"{tile.path} has {len(data)} bytes, and needs {tile.width * HASH_BYTES} of them"
        )
    return data


def _hashes(data: bytes) -> list[bytes]:
    return [data[at : at + HASH_BYTES] for at in range(0, len(data), HASH_BYTES)]
