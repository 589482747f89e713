"""Packs: what they hold, how little is read of them, and that no damage goes unnoticed."""

import gzip
from hashlib import sha256
from pathlib import Path

import pytest

from rules.kernel.canonical import JsonObject
from service.archive import pack
from service.archive.files import Folder
from service.archive.pack import Pack, PackError, PackWriter, other_histories
from service.records import game_file
from service.records.game_file import RecordError
from tests.service.archive.packing import Bytes, cup, games, lines_of, packed, put, with_rows
from tests.service.cli import records


def test_records_come_back_to_the_byte_with_two_reads() -> None:
    name, raw = packed((*games(), *cup()))
    assert name == f"{sha256(raw).hexdigest()}.pack"
    source = Bytes(raw)
    found = Pack(source)
    for row, record in zip(found.rows, (*games(), *cup()), strict=True):
        source.reads = 0
        assert lines_of(found.record(row)) == lines_of(record)
        assert source.reads == 1
    found.check_head()


def test_a_large_index_takes_one_read_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pack, "TAIL_BYTES", 50)
    source = Bytes(packed(games())[1])
    assert len(Pack(source).rows) == 3
    assert source.reads == 2


def test_a_pack_is_a_gzip_file_without_what_can_be_computed() -> None:
    _name, raw = packed(games())
    lines = gzip.decompress(raw).splitlines()
    assert lines[0] == b'{"export":"lonja-pack/1"}'
    assert len(lines) == 1 + sum(1 + len(record.copies) for record in games()) + 3
    whole = sum(len(gzip.compress(lines_of(record))) for record in games())
    assert len(raw) < whole / 2


def test_equal_records_make_equal_packs() -> None:
    assert packed(games()) == packed([records.alone(record) for record in games()])


def test_an_index_says_who_sat_where_and_what_came_of_it() -> None:
    played, *_others = games()
    _name, raw = packed((*games(), *cup()))
    rows = Pack(Bytes(raw)).rows
    first = rows[0].facts
    assert first["holders"][1] == {"player": "p-x"}
    assert (first["started"], first["entropy"]) == (True, "reveal")
    assert first["result"] == played.copies[-2]["body"]["result"]
    assert (first["version"], first["head"]) == (len(played.copies), played.copies[-1]["hash"])
    assert rows[3].facts["games"] == len(cup()) - 1
    assert {row.facts["tournament"] for row in rows[4:]} == {rows[3].id}


class TestRefused:
    def test_games_that_go_on(self) -> None:
        with pytest.raises(PackError, match="goes on: a pack has what is over"):
            packed([records.record_of(records.suspended())])

    def test_damaged_games(self) -> None:
        record = records.alone(games()[0])
        records.events(record)[-2]["body"]["aborted"] = {"reason": "damaged"}
        with pytest.raises(PackError, match="was ended as damaged"):
            packed([record])

    def test_a_game_twice(self) -> None:
        with pytest.raises(PackError, match="is in the pack already"):
            packed([games()[0], games()[0]])

    def test_what_is_too_long(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(pack, "MOST_BYTES", 2_000)
        with pytest.raises(PackError, match="longer than 2000 bytes"):
            packed(games())

    def test_nothing_of_a_refused_record_is_written(self, tmp_path: Path) -> None:
        with (tmp_path / "pack").open("wb") as file:
            writer = PackWriter(file)
            before = writer.size
            running = records.record_of(records.suspended())
            with pytest.raises(PackError):
                writer.add(running.header, running.copies)
            assert writer.size == before


class TestDamage:
    def test_cut_packs(self) -> None:
        _name, raw = packed(games())
        for length in (0, 1, 41, 42, 1_000, len(raw) - 42, len(raw) - 1):
            with pytest.raises(PackError, match="cut"):
                Pack(Bytes(raw[:length]))
        with pytest.raises(PackError, match="cut"):
            Pack(Bytes(raw + b"\0"))
        with pytest.raises(PackError, match="another size"):
            Pack(Bytes(b"\0" + raw))

    def test_changed_bytes_of_records_are_noticed(self) -> None:
        _name, raw = packed(games())
        found = Pack(Bytes(raw))
        for row in found.rows:
            for offset in range(10, row.length, row.length // 20):
                forged = bytearray(raw)
                forged[row.offset + offset] ^= 1
                with pytest.raises(PackError, match=row.id):
                    Pack(Bytes(bytes(forged))).record(row)

    def test_swapped_records_are_noticed(self) -> None:
        _name, raw = packed(games())
        mixed = with_rows(raw, lambda rows: [{**rows[1], "bytes": rows[0]["bytes"]}, *rows[1:]])
        with pytest.raises(PackError, match="twice"):
            Pack(Bytes(mixed))
        mixed = with_rows(raw, lambda rows: [{**rows[0], "id": "g00-x"}, *rows[1:]])
        found = Pack(Bytes(mixed))
        with pytest.raises(PackError, match="the record in its place is that of"):
            found.record(found.rows[0])

    @pytest.mark.parametrize(
        ("change", "told"),
        [
            ({"bytes": 0}, "bytes cannot be 0"),
            ({"bytes": True}, "bytes cannot be True"),
            ({"bytes": 10**9}, "bytes cannot be"),
            ({"bytes": 200_000_000}, "more bytes than there are"),
            ({"kind": "tile"}, "kind cannot be 'tile'"),
            ({"version": "4"}, "version cannot be '4'"),
            ({"head": None}, "head cannot be None"),
        ],
    )
    def test_strange_rows_are_refused(self, change: JsonObject, told: str) -> None:
        _name, raw = packed(games())
        strange = with_rows(raw, lambda rows: [{**rows[0], **change}, *rows[1:]])
        with pytest.raises(PackError, match=told):
            Pack(Bytes(strange))

    def test_nothing_hides_before_the_first_record(self) -> None:
        _name, raw = packed(games())
        hidden = with_rows(raw, lambda rows: rows[1:])
        with pytest.raises(PackError, match="does not end where the index says"):
            Pack(Bytes(hidden)).check_head()

    def test_what_unpacks_to_too_much(self, monkeypatch: pytest.MonkeyPatch) -> None:
        _name, raw = packed(games())
        found = Pack(Bytes(raw))
        monkeypatch.setattr(pack, "MOST_BYTES", 5_000)
        with pytest.raises(PackError, match="unpacks to more than 5000 bytes"):
            found.record(found.rows[0])

    def test_later_formats_are_newer(self) -> None:
        with pytest.raises(game_file.LaterFormatError):
            pack.expect_pack({"export": "lonja-pack/2"})
        with pytest.raises(RecordError, match="not that of a pack"):
            pack.expect_pack({"export": "lonja-pack/0"})


def test_two_histories_of_one_game_are_named() -> None:
    honest = Pack(Bytes(packed(games())[1]))
    other = records.alone(games()[0])
    event = records.events(other)[-1]
    event["at"] = "2040-01-01T00:00:00.000Z"
    forged = records.forge(other)
    second = Pack(Bytes(packed([forged])[1]))
    again = Pack(Bytes(packed(games()[:1])[1]))
    assert [*other_histories([("a", honest), ("b", again)])] == []
    ((file, told),) = other_histories([("a", honest), ("b", second)])
    assert file == "b"
    assert told == f"{forged.game_id} has another history here than in a"


class TestFolder:
    def test_a_pack_is_put_once(self, tmp_path: Path) -> None:
        folder = Folder(tmp_path)
        name, raw = packed(games())
        for first in (True, False):
            with folder.draft() as draft:
                draft.write(raw)
                assert folder.put(name, draft) is first
        assert [path.name for path in tmp_path.iterdir()] == [name]
        assert [*folder.names()] == [name]
        assert f"{folder.digest(name)}.pack" == name
        assert lines_of(Pack(folder.source(name)).record(Pack(folder.source(name)).rows[1])) == (
            lines_of(games()[1])
        )

    def test_other_files_are_no_packs(self, tmp_path: Path) -> None:
        put(tmp_path, games(), "mine.pack")
        (tmp_path / "readme").write_text("x")
        assert [*Folder(tmp_path).names()] == []
