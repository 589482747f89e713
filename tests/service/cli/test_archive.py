"""`lonja archive` and `lonja verify` on packs."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import orjson

from rules.kernel.canonical import JsonObject
from service.archive.pack import Pack
from service.cli.inputs import PACKS, find_files
from service.records import game_file
from tests.service.archive.packing import (
    CUP,
    Bytes,
    cup,
    games,
    lines_of,
    packed,
    put,
    with_rows,
)
from tests.service.cli import records
from tests.service.cli.conftest import Lonja
from tests.service.verifier.programs import SCHEMA

_NOBODY = 65_534


def told(lonja: Lonja, *arguments: object) -> JsonObject:
    """Return what `lonja verify --json` says of one pack."""
    result = lonja("verify", *arguments, "--json")
    found: JsonObject = orjson.loads(result.stdout)
    SCHEMA.validate(found)
    return found


@contextmanager
def unprivileged() -> Iterator[None]:
    """Let modes of files count, also if root runs the tests."""
    user = os.geteuid()
    if user == 0:
        os.seteuid(_NOBODY)
    try:
        yield
    finally:
        os.seteuid(user)


def failures(found: JsonObject) -> str:
    return "\n".join(failure for check in found["checks"] for failure in check["failures"])


class TestVerify:
    def test_every_record_in_a_pack_is_proved(self, lonja: Lonja, tmp_path: Path) -> None:
        path = put(tmp_path, (records.finished("sealed"), *cup()))
        result = lonja("verify", path)
        assert result.exit_code == 0, result.output
        assert f"Pack {path.stem}, " in result.output
        assert f"{1 + len(cup())} facts" in result.output
        found = told(lonja, path)
        assert (found["verdict"], found["kind"], found["id"]) == ("proved", "pack", path.stem)

    def test_a_forged_record_is_named_with_its_game(self, lonja: Lonja, tmp_path: Path) -> None:
        forged = records.alone(games()[0])
        forged.header["receipt"]["sig"] = "0" * 128
        path = put(tmp_path, [forged], "mine.pack")
        found = told(lonja, path)
        assert found["verdict"] == "failed"
        assert f"{forged.game_id}: header: " in failures(found)
        assert any("named by its SHA-256" in note for note in found["notes"])

    def test_a_wrong_name(self, lonja: Lonja, tmp_path: Path) -> None:
        path = put(tmp_path, games()[:1], f"{'0' * 64}.pack")
        found = told(lonja, path)
        assert found["verdict"] == "failed"
        assert "its name is not that of its bytes" in failures(found)

    def test_an_index_that_tells_something_else(self, lonja: Lonja, tmp_path: Path) -> None:
        path = tmp_path / "mine.pack"
        _name, raw = packed(games()[:1])
        path.write_bytes(with_rows(raw, lambda rows: [{**rows[0], "result": None, "at": ""}]))
        found = told(lonja, path)
        assert found["verdict"] == "failed"
        assert "the index has another at, result of" in failures(found)

    def test_an_index_with_more_is_newer(self, lonja: Lonja, tmp_path: Path) -> None:
        path = tmp_path / "mine.pack"
        _name, raw = packed(games()[:1])
        path.write_bytes(with_rows(raw, lambda rows: [{**rows[0], "mood": "good"}]))
        found = told(lonja, path)
        assert found["verdict"] == "newer"
        assert [each["name"] for each in found["newer"]] == ["mood"]
        path.write_bytes(with_rows(raw, lambda rows: [{**rows[0], "my mood": "good"}]))
        assert told(lonja, path)["verdict"] == "failed"

    def test_a_damaged_record(self, lonja: Lonja, tmp_path: Path) -> None:
        _name, raw = packed(games()[:1])
        row = Pack(Bytes(raw)).rows[0]
        broken = bytearray(raw)
        broken[row.offset + 100] ^= 255
        (tmp_path / "mine.pack").write_bytes(broken)
        found = told(lonja, tmp_path / "mine.pack")
        assert found["verdict"] == "failed"
        assert row.id in failures(found)

    def test_a_cut_pack_is_unreadable(self, lonja: Lonja, tmp_path: Path) -> None:
        path = put(tmp_path, games()[:1], "mine.pack")
        path.write_bytes(path.read_bytes()[:-1])
        found = told(lonja, path)
        assert found["verdict"] == "unreadable"
        assert "no whole pack: it does not end with a trailer" in found["error"]

    def test_a_tournament_whose_games_are_elsewhere(self, lonja: Lonja, tmp_path: Path) -> None:
        path = put(tmp_path, cup()[:-1])
        found = told(lonja, path)
        assert found["verdict"] == "not_wholly_proved"
        assert found["missing"] == [
            f"records: {cup()[0].header['tournament_id']}: some of its games are in other packs"
        ]

    def test_two_histories_of_one_game(self, lonja: Lonja, tmp_path: Path) -> None:
        other = records.alone(games()[0])
        records.events(other)[-1]["at"] = "2040-01-01T00:00:00.000Z"
        packs = put(tmp_path, games()[:1]), put(tmp_path, [records.forge(other)])
        first, second = sorted(packs)
        result = lonja("verify", tmp_path)
        assert result.exit_code == 1
        assert f"has another history here than in {first}" in result.output
        listed = lonja("archive", "ls", first, second)
        assert listed.exit_code == 1
        assert "OTHER HISTORY" in listed.stderr

    def test_a_receipt_is_for_the_game_that_it_names(self, lonja: Lonja, tmp_path: Path) -> None:
        path = put(tmp_path, games())
        receipt = tmp_path / "receipt.json"
        receipt.write_bytes(orjson.dumps(games()[0].header["receipt"]))
        assert told(lonja, path, "--receipt", receipt)["verdict"] == "proved"
        strange = {**games()[0].header["receipt"], "game_id": "g00-other"}
        receipt.write_bytes(orjson.dumps(strange))
        found = told(lonja, path, "--receipt", receipt)
        assert "'g00-other', which the pack does not have" in failures(found)

    def test_a_pack_is_no_record(self, lonja: Lonja, tmp_path: Path) -> None:
        path = put(tmp_path, games()[:1])
        renamed = path.rename(tmp_path / "game.ndjson.gz")
        shown = lonja("replay", renamed)
        assert "a pack of records: `lonja archive export`" in shown.output


class TestList:
    def test_games_and_the_versions_that_they_need(self, lonja: Lonja, tmp_path: Path) -> None:
        put(tmp_path, (*games(), *cup()))
        found = orjson.loads(lonja("archive", "ls", tmp_path, "--json").stdout)
        assert [row["id"] for row in found["packs"][0]["records"]][:2] == [
            record.game_id for record in games()[:2]
        ]
        assert found["rulesets"]["sealed"] == {"1.0.0": 1}
        shown = lonja("archive", "ls", tmp_path)
        assert f"{len(games()) + len(cup())} records in 1 pack" in shown.stdout
        assert "sealed 1.0.0 (1)" in shown.stdout

    def test_a_folder_that_cannot_be_read_is_told(self, lonja: Lonja) -> None:
        with TemporaryDirectory() as found:
            folder, closed, beside = (Path(found, name) for name in ("", "closed", "beside"))
            folder.chmod(0o755)
            pack = put(folder, games()[:1])
            for path in (closed, beside):
                path.mkdir(mode=0)
            with unprivileged():
                assert find_files([found], PACKS) == [str(pack), str(closed)]
                listed = lonja("archive", "ls", found)
        assert listed.exit_code == 2
        assert f"{closed} cannot be read: Permission denied" in listed.stderr

    def test_a_folder_beside_that_this_user_may_not_read_is_not_told_as_a_lack(
        self, lonja: Lonja
    ) -> None:
        with TemporaryDirectory() as found:  # others may pass through the folders above
            Path(found).chmod(0o755)
            pack = put(Path(found), games()[:1])
            pack.chmod(0o644)
            assert "No file is beside 1 of 1 pack: " in lonja("archive", "ls", found).stdout
            Path(found, "beside").mkdir(mode=0)
            with unprivileged():
                listed = lonja("archive", "ls", found)
                as_json = lonja("archive", "ls", found, "--json")
        assert listed.exit_code == 0
        assert "No file is beside" not in listed.stdout
        assert "Whether a file is beside 1 of 1 pack is not known: " in listed.stdout
        assert orjson.loads(as_json.stdout)["packs"][0]["beside"] is None

    def test_what_is_no_pack(self, lonja: Lonja, tmp_path: Path) -> None:
        git = tmp_path / f"pack-{'0' * 40}.pack"
        git.write_bytes(b"PACK")
        assert "There is no *.pack and no *.private in" in lonja("archive", "ls", tmp_path).stderr
        assert "no whole pack" in lonja("archive", "ls", git).stderr
        (tmp_path / f"{'0' * 64}.pack").write_bytes(b"x")
        assert "0.pack is no whole pack" in lonja("archive", "ls", tmp_path).stderr
        assert "cannot be read" in lonja("archive", "ls", tmp_path / "none.pack").stderr


class TestExport:
    def test_a_game(self, lonja: Lonja, tmp_path: Path) -> None:
        path, out = put(tmp_path, games()), tmp_path / "game.ndjson"
        result = lonja("archive", "export", games()[1].game_id, path, "-o", out)
        assert result.exit_code == 0, result.output
        assert out.read_bytes() == lines_of(games()[1])

    def test_a_tournament_from_several_packs(self, lonja: Lonja, tmp_path: Path) -> None:
        own, *played = cup()
        put(tmp_path, played[len(played) // 2 :])
        put(tmp_path, [own, *played[: len(played) // 2]])
        out = tmp_path / "cup.ndjson"
        id_ = own.header["tournament_id"]
        result = lonja("archive", "export", id_, tmp_path, "-o", out)
        assert result.exit_code == 0, result.output
        with game_file.opened(CUP) as kept:
            assert out.read_bytes() == kept.read()
        missing = lonja("archive", "export", id_, put(tmp_path, [own], "own.pack"), "-o", out)
        assert f"{id_} has {len(played)} games, and 0 of them are in these packs" in missing.stderr

    def test_what_is_not_there(self, lonja: Lonja, tmp_path: Path) -> None:
        put(tmp_path, games()[:1])
        result = lonja("archive", "export", "g00-none", tmp_path, "-o", tmp_path / "x.ndjson")
        assert result.exit_code == 2
        assert "'g00-none' is in none of 1 packs" in result.stderr
