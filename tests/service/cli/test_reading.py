"""Reading records: strictly, compressed or not, one or many, from files and from a pipe."""

import gzip
import json
import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import orjson
import pytest

from rules.kernel.contract.seats import Seat
from rules.kernel.proof.verdicts import FAILED
from service.cli.verify import EXIT_CODES
from service.records.game_file import Record, read
from tests.faults.processes import LONJA
from tests.running import ROOT, environment
from tests.service.cli import records
from tests.service.cli.conftest import Lonja
from tests.service.cli.test_forgeries import failing

Write = Callable[..., Path]
Lines = list[bytes]


def running() -> Record:
    return records.alone(records.record_of(records.played("santiago_de_cuba", moves=9), Seat(1)))


def twice(lines: Lines, number: int, key: bytes) -> None:
    """Write a key twice, first with another value, which most readers ignore."""
    lines[number] = b"{" + key + b":{}," + lines[number][1:]


def spaced(lines: Lines, number: int) -> None:
    lines[number] = json.dumps(orjson.loads(lines[number]), sort_keys=True).encode()


def unsorted(lines: Lines, number: int) -> None:
    value = orjson.loads(lines[number])
    lines[number] = orjson.dumps(dict(reversed(value.items())))


def spelt(lines: Lines, number: int) -> None:
    lines[number] = lines[number].replace(b"created", b"\\u0063reated")


def floated(lines: Lines, number: int) -> None:
    lines[number] = lines[number].replace(b'"seq":3', b'"seq":3.0')


WRITTEN_OTHERWISE: dict[str, Callable[[Lines], None]] = {
    "a key twice in the header": lambda lines: twice(lines, 0, b'"receipt"'),
    "a key twice in an event": lambda lines: twice(lines, 2, b'"body"'),
    "white space": lambda lines: spaced(lines, 2),
    "white space in the header": lambda lines: spaced(lines, 0),
    "another order": lambda lines: unsorted(lines, 3),
    "another spelling": lambda lines: spelt(lines, 1),
    "a float": lambda lines: floated(lines, 3),
    "carriage returns": lambda lines: lines.__setitem__(2, lines[2] + b"\r"),
}


@pytest.mark.parametrize("how", WRITTEN_OTHERWISE)
@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gz"])
@pytest.mark.parametrize("going", [False, True], ids=["ended", "running"])
def test_a_record_is_written_as_records_are(
    lonja: Lonja, write: Write, how: str, *, packed: bool, going: bool
) -> None:
    path = write(running() if going else records.finished("sealed"))
    lines = path.read_bytes().split(b"\n")
    WRITTEN_OTHERWISE[how](lines)
    changed = b"\n".join(lines)
    path.write_bytes(gzip.compress(changed) if packed else changed)
    assert lonja("verify", path).exit_code == 1


def add(record: Record, where: str) -> None:
    event = record.copies[4]
    match where:
        case "header":
            record.header["comment"] = "nothing to see"
        case "receipt":
            record.header["receipt"]["comment"] = "nothing to see"
        case "event":
            event["comment"] = 1
        case "part":
            event["parts"]["comment"] = "ab" * 32
            event["audiences"]["comment"] = "none"
        case "audience":
            event["audiences"]["comment"] = "public"
        case "nonce":
            event["nonces"]["comment"] = "ab" * 32
        case "line":
            records.events(record).append(records.events(record)[-1])


@pytest.mark.parametrize(
    "where", ["header", "receipt", "event", "part", "audience", "nonce", "line"]
)
@pytest.mark.parametrize("going", [False, True], ids=["ended", "running"])
def test_nothing_is_added(lonja: Lonja, write: Write, where: str, *, going: bool) -> None:
    record = running() if going else records.finished("sealed")
    add(record, where)
    may_be_later = where in ("header", "event")  # outside of the chain, and otherwise complete
    assert lonja("verify", write(record)).exit_code == (2 if may_be_later else 1)


@pytest.mark.parametrize("kind", ["Moved", "", "undo asked", "x" * 65])
def test_what_no_kind_can_be_called_is_refused(kind: str) -> None:
    record = records.finished("sealed")
    record.copies[6]["kind"] = kind
    assert "shapes" in failing(record)


@pytest.mark.parametrize("audience", ["seat:3", "seat:-1", "seat:1 ", "seat", "nobody", "", None])
def test_audiences_are_known(audience: str | None) -> None:
    record = records.finished("sealed")
    event = next(e for e in record.copies if e["audiences"].get("picks") == "none")
    event["audiences"]["picks"] = audience
    assert "shapes" in failing(record)


@pytest.mark.parametrize("export", ["lonja/1", "lonja-tournament/1"])
def test_formats_that_ended_are_named(lonja: Lonja, tmp_path: Path, export: str) -> None:
    path = tmp_path / "old.ndjson"
    path.write_bytes(orjson.dumps({"export": export}) + b"\n")
    result = lonja("verify", path)
    assert result.exit_code == 2
    assert f"this format ended before the first release: {export}" in result.stderr


@pytest.mark.parametrize("share", [0.3, 0.9])
def test_what_is_compressed_and_cut_is_unreadable(lonja: Lonja, write: Write, share: float) -> None:
    path = write(records.finished("sealed"), "game.ndjson.gz")
    whole = path.read_bytes()
    assert whole[:2] == b"\x1f\x8b"
    assert lonja("verify", path).exit_code == 0
    path.write_bytes(whole[: int(len(whole) * share)])
    result = lonja("verify", path)
    assert result.exit_code == 2
    assert "Traceback" not in result.output
    path.write_bytes(whole + b"more")
    assert lonja("verify", path).exit_code == 2


def test_equal_records_are_equal_bytes(write: Write) -> None:
    record = records.finished("sealed")
    one, two = write(record, "a.ndjson.gz"), write(record, "b.ndjson.gz")
    assert one.read_bytes() == two.read_bytes()
    assert read(one) == record


# Several


@pytest.fixture
def folder(write: Write, tmp_path: Path) -> Path:
    """Return a folder with a record of each verdict, one of them in a subfolder."""
    (tmp_path / "deep" / "er").mkdir(parents=True)
    (tmp_path / "empty").mkdir()
    proved, forged = records.finished("sealed"), records.finished("sealed")
    forged.copies[5]["at"] = forged.copies[4]["at"].replace("2", "3")
    write(proved, "deep/er/proved.ndjson.gz")
    write(forged, "deep/failed.ndjson")
    write(running(), "deep/running.ndjson")
    (tmp_path / "deep" / "rubbish.ndjson").write_text("rubbish\n")
    (tmp_path / "deep" / "readme.txt").write_text("no record")
    return tmp_path


CODES = [
    (["deep"], 1),
    (["deep/er"], 0),
    (["deep/er", "deep/running.ndjson"], 3),
    (["deep/rubbish.ndjson", "deep/running.ndjson", "deep/er"], 2),
    (["deep/failed.ndjson", "deep/rubbish.ndjson"], 1),
    (["deep/missing.ndjson", "deep/er/proved.ndjson.gz"], 2),
    (["empty"], 2),
    (["deep/rubbish.ndjson"], 2),
]


@pytest.mark.parametrize(("names", "code"), CODES)
def test_several_records_have_one_exit_code(
    lonja: Lonja, folder: Path, names: list[str], code: int
) -> None:
    result = lonja("verify", *(folder / name for name in names))
    assert result.exit_code == code, result.output


def test_several_records_are_told_one_by_one(lonja: Lonja, folder: Path) -> None:
    told = lonja("verify", folder)
    assert "1 proved, 1 not wholly proved, 0 newer, 1 unreadable, 1 FAILED." in told.stdout
    assert "rubbish.ndjson is no record of a game" in told.stdout
    result = lonja("verify", folder, "--json", "--bots")
    assert result.exit_code == EXIT_CODES[FAILED]
    found = [orjson.loads(line) for line in result.stdout.splitlines()]
    verdicts = {Path(report["file"]).name: report["verdict"] for report in found}
    assert verdicts == {
        "proved.ndjson.gz": "proved", "failed.ndjson": "failed",
        "running.ndjson": "not_wholly_proved", "rubbish.ndjson": "unreadable",
    }  # fmt: skip
    assert all(report["checks"] or report["error"] for report in found)


@pytest.mark.parametrize(("files", "processes"), [(5, 3), (2, 2)])
def test_several_records_are_shared_among_the_cores(
    lonja: Lonja, write: Write, monkeypatch: pytest.MonkeyPatch, files: int, processes: int
) -> None:
    begun: list[int | None] = []
    begin = ProcessPoolExecutor.__init__

    def counted(pool: ProcessPoolExecutor, max_workers: int | None = None, **more: Any) -> None:
        begun.append(max_workers)
        begin(pool, max_workers, **more)

    monkeypatch.setattr("os.sched_getaffinity", lambda _process: {2, 5, 7})
    monkeypatch.setattr(ProcessPoolExecutor, "__init__", counted)
    record = records.finished("sealed")
    assert lonja("verify", *(write(record, f"{n}.ndjson") for n in range(files))).exit_code == 0
    assert begun == [processes]


def test_one_record_is_one_report(lonja: Lonja, folder: Path) -> None:
    found = orjson.loads(lonja("verify", folder / "deep" / "running.ndjson", "--json").stdout)
    assert (found["verdict"], found["status"]) == ("not_wholly_proved", "running")
    assert [missing.split(":")[0] for missing in found["missing"]] == [
        "commitments", "chance", "play",
    ]  # fmt: skip
    assert found["signed_by"]["trusted"] is False


def test_a_receipt_is_for_one_record(lonja: Lonja, folder: Path, tmp_path: Path) -> None:
    receipt = tmp_path / "receipt.json"
    receipt.write_bytes(orjson.dumps(records.finished("sealed").header["receipt"]))
    result = lonja("verify", folder, "--receipt", receipt)
    assert result.exit_code == 2
    assert "A receipt is for one record" in result.stderr


@pytest.mark.parametrize("name", ["game.ndjson", "game.ndjson.gz"])
def test_a_record_comes_through_a_pipe(write: Write, tmp_path: Path, name: str) -> None:
    path = write(records.finished("sealed"), name)
    with path.open("rb") as piped:
        result = subprocess.run(
            [sys.executable, *LONJA, "verify", "-", "--json"],
            stdin=piped, capture_output=True, cwd=ROOT, env=environment(""), check=False,
        )  # fmt: skip
    assert result.returncode == 0, result.stderr
    assert orjson.loads(result.stdout)["verdict"] == "proved"


@pytest.mark.parametrize("pipe", ["-", "/dev/stdin"])
def test_a_pipe_may_be_one_of_several(write: Write, pipe: str) -> None:
    piped = write(records.finished("sealed"), "piped.ndjson.gz").read_bytes()
    other = write(records.finished("sealed"), "other.ndjson")
    result = subprocess.run(
        [sys.executable, *LONJA, "verify", other, pipe, "--json"],
        input=piped, capture_output=True, cwd=ROOT, env=environment(""), check=False,
    )  # fmt: skip
    assert result.returncode == 0, result
    verdicts = [orjson.loads(line)["verdict"] for line in result.stdout.splitlines()]
    assert verdicts == ["proved", "proved"]


def test_a_pipe_that_is_closed_is_unreadable() -> None:
    result = subprocess.run(
        ["/bin/sh", "-c", 'exec "$@" <&-', "sh", sys.executable, *LONJA, "verify", "-"],
        capture_output=True, cwd=ROOT, env=environment(""), check=False,
    )  # fmt: skip
    assert (result.returncode, result.stderr) == (2, b"Error: - cannot be read: it is closed.\n")


def test_a_link_that_leads_nowhere_is_not_passed_over(lonja: Lonja, folder: Path) -> None:
    (folder / "deep" / "er" / "gone.ndjson").symlink_to("nowhere")
    result = lonja("verify", folder / "deep" / "er")
    assert result.exit_code == 2
    assert "1 proved, 0 not wholly proved, 0 newer, 1 unreadable" in result.stdout


def test_names_of_files_are_whatever_they_are(lonja: Lonja, write: Write, tmp_path: Path) -> None:
    """No file name hides the line of another record, and none that is not UTF-8 raises an error."""
    for name in ("a\nproved             b.ndjson", os.fsdecode(b"\xff.ndjson")):
        write(records.finished("sealed"), name)
    told = lonja("verify", tmp_path)
    assert told.exit_code == 0
    assert len(told.stdout.splitlines()) == 3
    found = lonja("verify", tmp_path, "--json").stdout.splitlines()
    names = [Path(orjson.loads(each)["file"]).name for each in found]
    assert names == ["a\nproved             b.ndjson", "\\udcff.ndjson"]


def test_what_a_record_says_is_told_in_one_line(lonja: Lonja, write: Write) -> None:
    forged = records.finished("sealed")
    forged.header["game_id"] = "g\nEvery check passed.\nGame x"
    told = lonja("verify", write(forged)).stdout
    assert "Every check passed." not in told.splitlines()


@pytest.mark.parametrize("key", ["", "rubbish", "00" * 31, "0x" + "00" * 31])
def test_a_key_that_is_none_is_refused(lonja: Lonja, write: Write, key: str) -> None:
    result = lonja("verify", write(records.finished("sealed")), "--public-key", key)
    assert result.exit_code == 2
    assert "64 hexadecimal digits" in result.stderr


def test_a_key_may_be_written_in_capitals(lonja: Lonja, write: Write) -> None:
    key = records.SIGNER.public_key.hex().upper()
    result = lonja("verify", write(records.finished("sealed")), "--public-key", key)
    assert result.exit_code == 0
    assert "which you trust" in result.stdout


# replay


def test_replay_says_first_whether_a_file_verifies(lonja: Lonja, folder: Path) -> None:
    deep = folder / "deep"
    proved = lonja("replay", deep / "er" / "proved.ndjson.gz").stdout.splitlines()
    assert proved[0] == "This record is proved."
    assert proved[1].startswith("The table is opened")
    failed = lonja("replay", deep / "failed.ndjson").stdout
    assert failed.startswith("This record is NOT what it claims to be: it fails ")
    assert "The game ends" in failed
    spanish = lonja("replay", deep / "running.ndjson", "--lang", "es").stdout
    assert spanish.startswith("Este registro no está probado del todo; sin comprobar: ")
