"""Packs are written once and read back, whatever is killed in between."""

import os
import signal
import warnings
from contextlib import suppress
from pathlib import Path
from typing import IO

import pytest

from service.archive import pack
from service.archive.archive import Archive, OtherHistoryError, ReadBackError
from service.archive.catalogue import Catalogue
from service.archive.files import BusyError, Folder
from service.archive.pack import Pack, PackError, PackWriter
from tests.service.archive.packing import cup, games, keep_games, kept_games, lines_of, put
from tests.service.cli import records

CATALOGUE = "catalogue.db"


def killed(folder: Path, owner: object, step: str, *, after: bool) -> None:
    """Write packs in a process that is killed before or after its first ``step``."""
    real = getattr(owner, step)

    def dies(*arguments: object) -> None:
        if after:
            real(*arguments)
        os.kill(os.getpid(), signal.SIGKILL)

    kept_games()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # the child starts no thread
        child = os.fork()
    if child == 0:
        with suppress(BaseException):
            setattr(owner, step, dies)
            kept(folder)
        os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL


def kept(folder: Path) -> int:
    return keep_games(Folder(folder), folder / CATALOGUE)


def test_what_is_there_is_not_written_again(tmp_path: Path) -> None:
    assert kept(tmp_path) == 3
    (path,) = tmp_path.glob("*.pack")
    assert path.stat().st_mode & 0o777 == 0o644
    before = path.stat().st_mtime_ns
    assert kept(tmp_path) == 0
    assert [*tmp_path.glob("*.pack")] == [path]
    assert path.stat().st_mtime_ns == before


@pytest.mark.parametrize(
    ("owner", "step", "after"),
    [
        (PackWriter, "add", True),
        (PackWriter, "finish", True),
        (Folder, "put", False),
        (os, "link", True),
        (Archive, "_read_back", False),
    ],
)
def test_a_writer_that_is_killed_loses_nothing(
    tmp_path: Path, owner: object, step: str, *, after: bool
) -> None:
    killed(tmp_path, owner, step, after=after)
    kept(tmp_path)
    assert not [*tmp_path.glob(".draft-*")]
    found = [Pack(Folder(tmp_path).source(name)) for name in Folder(tmp_path).names()]
    got = {row.id: lines_of(each.record(row)) for each in found for row in each.rows}
    assert got == {record.game_id: lines_of(record) for record in kept_games()}
    assert sum(len(each.rows) for each in found) == 3


def test_a_pack_is_full_at_its_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pack, "AIM_BYTES", 1_000)
    with Archive.at_work(Folder(tmp_path), Catalogue(tmp_path / CATALOGUE)) as archive:
        full = [archive.add(record) for record in games()]
        assert all(full)
        assert archive.finish() is None
    assert len([*tmp_path.glob("*.pack")]) == 3


def test_what_is_read_back_otherwise_is_put_aside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Folder.put

    def losing(self: Folder, name: str, draft: IO[bytes]) -> bool:
        draft.seek(2_000)
        draft.write(b"lost")
        return real(self, name, draft)

    with monkeypatch.context() as broken:
        broken.setattr(Folder, "put", losing)
        with pytest.raises(ReadBackError, match="its bytes are not those that were written"):
            kept(tmp_path)
    assert len([*tmp_path.glob("*.pack.damaged")]) == 1
    assert kept(tmp_path) == 3


def test_another_history_is_refused(tmp_path: Path) -> None:
    other = records.alone(kept_games()[0])
    records.events(other)[-1]["at"] = "2040-01-01T00:00:00.000Z"
    path = put(tmp_path, [records.forge(other)])
    with pytest.raises(OtherHistoryError, match=path.name):
        kept(tmp_path)


def test_a_damaged_pack_is_named(tmp_path: Path) -> None:
    path = put(tmp_path, games()[:1])
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(PackError, match=f"{path.name} is no whole pack: "):
        kept(tmp_path)


def test_two_do_not_write_at_once(tmp_path: Path) -> None:
    with (
        Archive.at_work(Folder(tmp_path), Catalogue(tmp_path / CATALOGUE)),
        pytest.raises(BusyError, match=str(tmp_path)),
    ):
        kept(tmp_path)


def test_a_tournament_is_whole_with_its_last_game(tmp_path: Path) -> None:
    own, *played = cup()
    id_, last = own.header["tournament_id"], own.copies[-1]
    whole = id_, last["seq"], last["hash"], [record.game_id for record in played]
    with Archive.at_work(Folder(tmp_path), Catalogue(tmp_path / CATALOGUE)) as archive:
        for record in (own, *played[:-1]):
            archive.add(record)
        archive.finish()
        assert archive.has(id_, last["seq"], last["hash"])
        assert not archive.has_whole(*whole)
        archive.add(played[-1])
        archive.finish()
        assert archive.has_whole(*whole)
