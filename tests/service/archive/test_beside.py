"""Files beside packs: what is in no record, and who has left is in them no more."""

import gzip
from pathlib import Path

import pytest

from rules.kernel.canonical import JsonObject
from service.archive import beside
from service.archive.archive import Archive
from service.archive.beside import (
    AnsweredRequest,
    Beside,
    BesideError,
    find,
    packed,
    players_in,
    read,
    unpacked,
)
from service.archive.catalogue import Catalogue
from service.archive.files import ChangedError, Folder
from service.ledger.store import Retry
from service.ledger.terms import Challenge, TableTerms
from service.records.game_file import written

ANA, BEN, CLEO = (f"p-{letter * 16}" for letter in "abc")
FINGERPRINT = bytes(range(16))
NAME = f"{'0' * 64}.pack"


def asked(seq: int, player: str | None) -> AnsweredRequest:
    return AnsweredRequest(seq, player, Retry(bytes([seq]) * 16, FINGERPRINT))


def table() -> dict[str, str]:
    terms = TableTerms(
        title="Círculo", tags=("eve",), rated=True, reserved=((0, ANA), (1, BEN)),
        challenges=(Challenge(2, BEN, {"bot": "greedy"}), Challenge(3, CLEO)),
    )  # fmt: skip
    return {
        **{name: value.decode() for name, value in terms.dump().items()},
        "rating_rule": "2", "host": BEN, "handed_by": ANA,
        f"guest:{BEN}": "i-x", f"guest:{ANA}": "i-x", f"removed:{BEN}": "5",
        f"one_address:{ANA} {BEN}": "1", "declined:2": "no", "declined:3": "later",
    }  # fmt: skip


GAME = Beside("g01-a", (asked(1, ANA), asked(4, BEN), asked(9, None)), table(), None)
CUP = Beside("t01-a", origin={"by": "root", "at": "…", "receipt": {"key_id": "k"}})


def test_what_was_written_is_read() -> None:
    raw = packed([GAME, Beside("g01-nothing"), CUP])
    assert [*read(raw)] == [GAME, CUP]
    assert raw == packed([GAME, CUP])
    assert players_in(raw) == {ANA, BEN, CLEO}
    assert [*read(packed([]))] == []
    lines = unpacked(raw)
    assert [find(lines, id_) for id_ in (GAME.id, CUP.id)] == [GAME, CUP]
    assert find(lines, "g01-nothing") == Beside("g01-nothing")


def test_who_has_left_is_gone_but_for_the_seat_of_the_host() -> None:
    left = GAME.without(frozenset((BEN,)))
    assert left.requests == (asked(1, ANA), asked(9, None))
    terms = TableTerms.load(left.table["terms"].encode(), left.table["rating_rule"].encode())
    assert terms == TableTerms(
        title="Círculo", tags=("eve",), rated=True, reserved=((0, ANA),),
        challenges=(Challenge(3, CLEO),), rating_rule=2,
    )  # fmt: skip
    assert {name: value for name, value in left.table.items() if name != "terms"} == {
        "rating_rule": "2", "host": BEN, "handed_by": ANA, f"guest:{ANA}": "i-x",
        "declined:3": "later",
    }  # fmt: skip
    assert "handed_by" not in GAME.without(frozenset((ANA,))).table
    assert GAME.without(frozenset(("p-" + "d" * 16,))) == GAME


def lines(*each: JsonObject) -> bytes:
    return gzip.compress(b"".join(map(written, each)), mtime=0)


HEAD: JsonObject = {"export": beside.EXPORT}


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (packed([GAME])[:-9], "what is compressed is damaged"),
        (b"no gzip", "what is compressed is damaged"),
        (lines(), "its first line is not that of lonja-beside/1"),
        (lines({"export": "lonja-beside/2"}), "its first line is not that of lonja-beside/1"),
        (lines(HEAD, {"id": "g"}), "a line of it is not one of lonja-beside/1: .*KeyError"),
        (lines(HEAD, {**CUP.to_json(), "later": 1}), "a line of it is not one .*TypeError"),
        (lines(HEAD, {**CUP.to_json(), "requests": [[1, None, "zz", ""]]}), "ValueError"),
        (gzip.compress(b'{"export":"lonja-beside/1"}\n{', mtime=0), "a line of it is not one"),
    ],
)
def test_a_damaged_or_newer_file_is_no_file(raw: bytes, why: str) -> None:
    with pytest.raises(BesideError, match=why):
        [*read(raw)]


def test_a_file_is_replaced_as_a_whole_and_is_for_its_owner_alone(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    assert (folder.has_beside(NAME), folder.beside(NAME), folder.left()) == (False, None, "")
    folder.put_beside(NAME, b"first")
    for before in (None, b"other"):
        with pytest.raises(ChangedError, match="is another one than was read"):
            folder.put_beside(NAME, b"second", before)
    folder.put_beside(NAME, b"second", b"first")
    folder.note_left("7-0")
    assert (folder.has_beside(NAME), folder.beside(NAME), folder.left()) == (True, b"second", "7-0")
    kept = tmp_path / "beside"
    assert kept.stat().st_mode & 0o777 == 0o700
    assert {(path.name, path.stat().st_mode & 0o777) for path in kept.iterdir()} == {
        (f"{'0' * 64}.beside", 0o600), ("left", 0o600)
    }  # fmt: skip
    assert [*folder.names()] == []


def test_what_a_killed_writer_has_left_is_removed_and_nothing_else(tmp_path: Path) -> None:
    folder, beside = Folder(tmp_path), tmp_path / "beside"
    folder.put_beside(NAME, b"whole")
    for draft in (f".{'0' * 64}.beside.x", ".left.x"):
        (beside / draft).write_bytes(b"half")
    (beside / ".~tmp~").mkdir()  # of a tool that copies files
    with Archive.at_work(folder, Catalogue(folder.path / "catalogue.db")):
        assert {path.name for path in beside.iterdir()} == {f"{'0' * 64}.beside", ".~tmp~"}


@pytest.mark.parametrize("raw", [b"", b"garbage\n", b"7-0", b"7-0\n\0\0", b"\xff\xfe"])
def test_a_damaged_note_of_who_has_left_is_none(tmp_path: Path, raw: bytes) -> None:
    folder = Folder(tmp_path)
    folder.note_left("7-0")
    (tmp_path / "beside/left").write_bytes(raw)
    assert folder.left() == ""
    folder.note_left("8-0")
    assert folder.left() == "8-0"
