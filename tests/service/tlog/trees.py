"""Trees by the definition in RFC 9162 (2.1.1), to compare with."""

from hashlib import sha256

from service.tlog.merkle import leaf_hash
from service.tlog.tiles import Tile, grow


def head(entries: list[bytes]) -> bytes:
    """The definition, word for word."""
    if not entries:
        return sha256().digest()
    if len(entries) == 1:
        return sha256(b"\0" + entries[0]).digest()
    split = 1
    while split * 2 < len(entries):
        split *= 2
    return sha256(b"\1" + head(entries[:split]) + head(entries[split:])).digest()


def entries(count: int) -> list[bytes]:
    return [b"%d" % number * (number % 3) for number in range(count)]


def tiled(sizes: list[int]) -> dict[Tile, bytes]:
    """The tiles of a log that grew to these sizes, one after another; old partial ones stay."""
    tiles: dict[Tile, bytes] = {}
    size = 0
    for new in sizes:
        leaves = [leaf_hash(entry) for entry in entries(new)[size:]]
        tiles |= dict(grow(size, leaves, tiles.__getitem__))
        size = new
    return tiles
