"""The catalogue of a place: it follows the packs there, and reads each once."""

from collections.abc import Callable
from pathlib import Path

import pytest

from service.archive.archive import Archive, OtherHistoryError
from service.archive.catalogue import Catalogue
from service.archive.files import Folder, PackFile
from tests.service.archive.packing import kept_games, packed, put, with_rows


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the names of the packs that are read from now on."""
    found: list[str] = []
    source = Folder.source

    def counted(self: Folder, name: str) -> PackFile:
        found.append(name)
        return source(self, name)

    monkeypatch.setattr(Folder, "source", counted)
    return found


def opened(folder: Path) -> Archive:
    return Archive(Folder(folder), Catalogue(folder / "catalogue.db"))


def last(number: int) -> tuple[str, int, str]:
    """Return the id of a game, and its last event."""
    record = kept_games()[number]
    return record.game_id, record.copies[-1]["seq"], record.copies[-1]["hash"]


def test_each_pack_is_read_once(tmp_path: Path, reads: list[str]) -> None:
    first = put(tmp_path, kept_games()[:1])
    assert opened(tmp_path).has(*last(0))
    second = put(tmp_path, kept_games()[1:2])
    for _run in range(2):
        archive = opened(tmp_path)
        assert archive.has(*last(0))
        assert archive.has(*last(1))
        assert not archive.has(*last(2))
    assert reads == [first.name, second.name]


def test_a_pack_that_is_gone_is_forgotten(tmp_path: Path) -> None:
    path = put(tmp_path, kept_games()[:1])
    assert opened(tmp_path).has(*last(0))
    path.unlink()
    assert not opened(tmp_path).has(*last(0))


@pytest.mark.parametrize(
    "damage",
    [Path.unlink, lambda file: file.write_bytes(b"?" * 5_000), lambda file: file.write_bytes(b"")],
)
def test_it_is_made_anew(tmp_path: Path, damage: Callable[[Path], None]) -> None:
    put(tmp_path, kept_games()[:1])
    assert opened(tmp_path).has(*last(0))
    damage(tmp_path / "catalogue.db")
    assert opened(tmp_path).has(*last(0))


def test_packs_with_two_histories_of_a_game_are_both_known(tmp_path: Path) -> None:
    id_, version, head = last(0)
    put(tmp_path, kept_games()[:1])
    _name, raw = packed(kept_games()[:1])
    raw = with_rows(raw, lambda rows: [{**row, "head": "bb" * 32} for row in rows])
    (tmp_path / f"{'f' * 64}.pack").write_bytes(raw)
    archive = opened(tmp_path)
    assert archive.has(id_, version, head)
    assert archive.has(id_, version, "bb" * 32)
    with pytest.raises(OtherHistoryError, match=f"and the store has {version} up to 00"):
        archive.has(id_, version, "00" * 32)
