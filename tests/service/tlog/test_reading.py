"""Reading the log of a stranger: every entry leads to the signed head."""

import pytest

from service.tlog.checkpoints import Checkpoint
from service.tlog.errors import TlogError
from service.tlog.merkle import leaf_hash, root, verify_inclusion
from service.tlog.reading import LogReader, read_checkpoint
from service.tlog.tiles import WIDTH, Tile, bundle, grow, nodes_of

ENTRIES = [f"entry {number}".encode() for number in range(3 * WIDTH)]


class Log:
    """A log with the files that it has at one size."""

    def __init__(self, size: int) -> None:
        tiles = dict(grow(0, [*map(leaf_hash, ENTRIES[:size])], lambda _tile: b""))
        head = root(size, nodes_of(size, tiles.__getitem__))
        self.checkpoint = Checkpoint("example.org/log", size, head)
        self.files = {tile.path: row for tile, row in tiles.items()}
        for tile in tiles:
            if tile.level == 0:
                first = tile.index * WIDTH
                self.files[tile.entries_path] = bundle(ENTRIES[first : first + tile.width])

    def read(self, name: str, _most: int) -> bytes | None:
        return self.files.get(name)

    @property
    def entries(self) -> list[bytes]:
        found: list[bytes] = []
        for first, entries in LogReader(self.checkpoint, self.read).bundles():
            found[:0] = entries
            assert first % WIDTH == 0
        return found


@pytest.mark.parametrize("size", [0, 1, 2, 255, 256, 257, 511, 513, 600, 768])
def test_all_entries_are_read_the_newest_bundle_first(size: int) -> None:
    assert Log(size).entries == ENTRIES[:size]


def test_a_full_tile_stands_for_the_partial_ones() -> None:
    old, grown = Log(600), Log(768)
    grown.checkpoint = old.checkpoint
    grown.files["tile/1/000.p/2"] = old.files["tile/1/000.p/2"]
    assert grown.entries == ENTRIES[:600]


def test_an_entry_has_a_proof() -> None:
    log = Log(600)
    reader = LogReader(log.checkpoint, log.read)
    for index in (0, 255, 256, 599):
        path = reader.proof(index)
        verify_inclusion(leaf_hash(ENTRIES[index]), index, 600, path, log.checkpoint.root)


def test_what_is_damaged_or_missing_is_named() -> None:
    for index, size in ((0, 600), (1, 600), (2, 600), (0, 1)):
        name = Tile(0, index, min(WIDTH, size - index * WIDTH)).entries_path
        log = Log(size)
        entries = bytearray(log.files[name])
        entries[-1] ^= 1
        log.files[name] = bytes(entries)
        with pytest.raises(TlogError, match="the proof"):
            assert log.entries
        del log.files[name]
        with pytest.raises(TlogError, match="missing"):
            assert log.entries
    log = Log(600)
    del log.files["tile/1/000.p/2"]
    with pytest.raises(TlogError, match=r"tile/1/000.p/2 is missing"):
        assert log.entries


def test_without_a_checkpoint_there_is_nothing_to_read() -> None:
    assert read_checkpoint(lambda _name, _most: b"note") == b"note"
    with pytest.raises(TlogError, match="no checkpoint"):
        read_checkpoint(lambda _name, _most: None)
