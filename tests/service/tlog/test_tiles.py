"""Tiles and bundles: the paths of c2sp.org/tlog-tiles, growth in any steps, and damaged files."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.tlog.errors import TlogError
from service.tlog.merkle import root
from service.tlog.tiles import Tile, bundle, entries_of, is_path, nodes_of, tiles_of
from tests.service.tlog.trees import entries, head, tiled


def test_paths() -> None:
    assert Tile(0, 0).path == "tile/0/000"
    assert Tile(1, 1234067).path == "tile/1/x001/x234/067"
    assert Tile(2, 999, 1).path == "tile/2/999.p/1"
    assert Tile(0, 1000, 255).path == "tile/0/x001/000.p/255"
    assert Tile(0, 1000, 255).entries_path == "tile/entries/x001/000.p/255"


def test_the_tiles_of_the_standards_examples() -> None:
    tiles = [*tiles_of(0, 70_000)]
    assert tiles[:273] == [Tile(0, index) for index in range(273)]
    assert tiles[273:] == [Tile(0, 273, 112), Tile(1, 0), Tile(1, 1, 17), Tile(2, 0, 1)]
    assert [*tiles_of(0, 256)] == [Tile(0, 0), Tile(1, 0, 1)]
    assert [*tiles_of(0, 0)] == [*tiles_of(7, 7)] == []


@given(sizes=st.lists(st.integers(0, 700), min_size=1, max_size=5).map(sorted))
@settings(max_examples=20, deadline=None)
def test_a_log_is_the_same_in_whatever_steps_it_grew(sizes: list[int]) -> None:
    tiles, size = tiled(sizes), sizes[-1]
    at_once = tiled([size])
    assert [*at_once] == [*tiles_of(0, size)]
    assert at_once.items() <= tiles.items()
    steps = zip([0, *sizes], sizes, strict=False)
    assert tiles.keys() == {tile for old, new in steps for tile in tiles_of(old, new)}
    assert root(size, nodes_of(size, tiles.__getitem__)) == head(entries(size))


def test_upper_levels() -> None:
    """A tree with more than one tile of level 1, of which few tiles are read."""
    size = 65_536 + 300
    tiles = tiled([size])
    assert [tile for tile in tiles if tile.level] == [
        Tile(1, 0), Tile(1, 1, 1), Tile(2, 0, 1),
    ]  # fmt: skip
    asked: list[Tile] = []

    def read(tile: Tile) -> bytes:
        asked.append(tile)
        return tiles[tile]

    assert root(size, nodes_of(size, read)) == head(entries(size))
    assert asked == [Tile(2, 0, 1), Tile(1, 1, 1), *[Tile(0, 257, 44)] * 3]


def test_a_node_that_is_not_complete() -> None:
    tiles = tiled([5])
    with pytest.raises(TlogError, match=r"node 1 of level 2 is not complete with 5 leaves"):
        nodes_of(5, tiles.__getitem__)(2, 1)


def test_a_tile_of_another_length_is_named() -> None:
    with pytest.raises(TlogError, match=r"tile/0/000\.p/5 has 159 bytes, and needs 160"):
        root(5, nodes_of(5, lambda tile: b"\0" * 159))


@given(st.lists(st.binary(max_size=40), max_size=8))
@settings(max_examples=30, deadline=None)
def test_bundles(given_entries: list[bytes]) -> None:
    data, count = bundle(given_entries), len(given_entries)
    assert entries_of(data, count) == given_entries
    for wrong, width in ((data + b"\0", count), (data, count + 1), (data[:-1], count)):
        with pytest.raises(TlogError):
            entries_of(wrong, width or 1)


def test_entries_of_any_allowed_length() -> None:
    assert entries_of(bundle([b"", b"a" * 65_535]), 2) == [b"", b"a" * 65_535]
    with pytest.raises(TlogError, match="65536 bytes is longer than 65535"):
        bundle([b"a" * 65_536])


def test_paths_are_those_of_the_standard() -> None:
    known = [Tile(0, 0), Tile(63, 1_234_567, 7), Tile(5, 999), Tile(12, 1000, 255)]
    for tile in known:
        assert is_path(tile.path)
    assert is_path(Tile(0, 70_000, 9).entries_path)
    for other in (
        "checkpoint", "tile/64/000", "tile/00/000", "tile/0/000/", "tile/0/000.p/0",
        "tile/0/000.p/256/1", "tile/0/../000", "tile/0/x000", "tile/entries/0", "/tile/0/000",
    ):  # fmt: skip
        assert not is_path(other)
