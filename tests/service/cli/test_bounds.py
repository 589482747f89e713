"""Bounds of what a record may hold (docs/format.md, "Bounds"), in both verifiers."""

import gzip
import random
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import orjson
import pytest

from rules.kernel.canonical import JsonObject
from rules.kernel.proof.shape import LONGEST_NAME, LONGEST_TEXT, MOST_SECONDS
from rules.kernel.proof.verdicts import FAILED, PROVED
from rules.kernel.record.instants import from_ms, to_ms
from service.cli.verifying import VerifyOptions, verify_file, verify_game
from service.records.game_file import Record
from tests.faults.processes import LONJA
from tests.running import ROOT
from tests.service.cli import records
from tests.service.verifier.additions import the
from tests.service.verifier.programs import NODE, PROGRAM, codes, reports, text_of

CUP = ROOT / "tests/upgrades/kept/79008f59-cup-round-robin.ndjson.gz"
SMALLEST = ROOT / "tests/upgrades/kept/79008f59-lobby.ndjson.gz"
FILE_BYTES = 16_384
MORE_BYTES = 32 * 1024 * 1024


# Each bound


def put(kind: str, *path: str | int, value: object) -> Callable[[Record], None]:
    def change(record: Record) -> None:
        inner: Any = the(record, kind)["body"]
        for key in path[:-1]:
            inner = inner[key]
        inner[path[-1]] = value

    return change


def bots_client(record: Record) -> None:
    """Add ``client`` to a bot's move."""
    event = next(e for e in record.copies if e["kind"] == "moved" and "bot" in e["by"])
    event["body"]["client"] = {"expected_head": record.copies[0]["hash"]}
    event["audiences"]["client"] = "public"
    event["parts"]["client"] = event["nonces"]["client"] = ""


GAME = ("created", "game")
TOO_MUCH: Mapping[str, Callable[[Record], None]] = {
    "seats": put(*GAME, "seats", value=13),
    "a clock": put(*GAME, "clock", "decision_seconds", value=MOST_SECONDS + 1),
    "time for entropy": put(*GAME, "entropy", "seconds", value=MOST_SECONDS + 1),
    "a long name": put(*GAME, "ruleset", value="x" * (LONGEST_NAME + 1)),
    "a name of lines": put(*GAME, "rules_version", value="1\n2"),
    "an error": put("bot_failed", "error", value="e" * (LONGEST_TEXT + 1)),
    "sizes": put("chanced", "draw", "sizes", value=[6] * 10_001),
    "sides": put("ended", "result", "standings", value=[{}] * 25),
    "a bot's client": bots_client,
}


def test_what_is_too_much_fails_in_both(tmp_path: Path) -> None:
    made = []
    for change in TOO_MUCH.values():
        record = records.finished("sealed")
        change(record)
        made.append(records.forge(record))
    ours = {
        name: verify_game(record, VerifyOptions(), records.REGISTRY).verdict
        for name, record in zip(TOO_MUCH, made, strict=True)
    }
    assert ours == dict.fromkeys(TOO_MUCH, FAILED)
    theirs = reports(tmp_path, map(text_of, made))
    told = {name: found["verdict"] for name, found in zip(TOO_MUCH, theirs, strict=True)}
    assert told == dict.fromkeys(TOO_MUCH, FAILED)


def test_a_time_that_is_still_to_come_is_told(tmp_path: Path) -> None:
    record = records.finished("sealed")
    for event in record.copies:
        event["at"] = from_ms(to_ms(event["at"]) + 1000 * 366 * 24 * 3600)
    later = records.forge(record)
    report = verify_game(later, VerifyOptions(), records.REGISTRY)
    assert report.verdict == PROVED, "clocks prove nothing"
    assert any("in the future by the clock of this machine" in note for note in report.notes)
    (found,) = reports(tmp_path, [text_of(later)])
    assert "future" in codes(found, "note")


# Costs of small files


def changed(file: Path, change: Callable[[list[JsonObject]], None]) -> bytes:
    lines = [orjson.loads(line) for line in gzip.decompress(file.read_bytes()).splitlines()]
    change(lines)
    return b"".join(
        orjson.dumps(line, option=orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE)
        for line in lines
    )


def claim_seats(lines: list[JsonObject]) -> None:
    lines[1]["body"]["game"]["seats"] = 20_000_000
    lines[0]["viewer"] = 19_999_999


def claim_orders(lines: list[JsonObject]) -> None:
    """Claim blocks with all orders of 12 seats, and 64 entries."""
    plan = lines[1]["body"]["created"]["plan"]
    plan["seats"], plan["rotations"] = 12, "all"
    plan["entries"] = [{**plan["entries"][0], "name": f"e{n}"} for n in range(64)]
    del lines[1 + lines[0]["version"] :]
    for event in lines:
        if event.get("kind") == "paired":
            event["body"]["paired"]["lineups"] = [[*range(12)]]


def claim_games(lines: list[JsonObject]) -> None:
    del lines[1 + lines[0]["version"] :]
    lines[0]["games"] = lines[0]["version"] = 2**53 - 1


def padded() -> bytes:
    """Return a line of objects after incompressible data, just below the limit of unpacking."""
    noise = random.Random(0).randbytes(10_000).hex().encode()
    return gzip.compress(b'{"a":"' + noise + b'","b":[' + b'{"a":{}},' * 45_000 + b"{}]}\n", 9)


HOSTILE: Mapping[str, Callable[[], bytes]] = {
    "seats": lambda: changed(SMALLEST, claim_seats),
    "orders": lambda: gzip.compress(changed(CUP, claim_orders)),
    "games": lambda: gzip.compress(changed(CUP, claim_games)),
    "lists": lambda: gzip.compress(b"[" + b"[]," * 1_300_000 + b"[]]\n", 9),
    "objects": lambda: gzip.compress(b'{"a":[' + b'{"a":{}},' * 60_000 + b"{}]}\n", 9),
    "as many objects as the file may unpack to": padded,
}


PEAK = """
import resource, subprocess, sys
quiet = subprocess.DEVNULL
code = subprocess.run(sys.argv[1:], stdout=quiet, stderr=quiet).returncode
print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""
"""A script for a small process, because a program begins with the memory of its parent."""


def peak(*command: str | Path) -> int:
    """Return the peak memory of a program in bytes."""
    small = [sys.executable, "-I", "-S", "-c", PEAK, *command]
    done = subprocess.run(small, capture_output=True, text=True, check=True, cwd=ROOT)
    code, kilobytes = map(int, done.stdout.split())
    assert code in (1, 2, 3), code
    return kilobytes * 1024


@pytest.mark.parametrize(
    "program", [(sys.executable, *LONJA, "verify"), (NODE, PROGRAM)], ids=["lonja", "verify.mjs"]
)
def test_a_small_file_takes_little_memory(program: tuple[str | Path, ...], tmp_path: Path) -> None:
    least = peak(*program, SMALLEST)
    for name, make in HOSTILE.items():
        file = tmp_path / f"{name}.ndjson"
        file.write_bytes(make())
        assert file.stat().st_size <= FILE_BYTES, name
        assert peak(*program, file) - least <= MORE_BYTES, name


def test_what_is_packed_too_well_is_read_by_neither(tmp_path: Path) -> None:
    packed = HOSTILE["lists"]()
    (found,) = reports(tmp_path, [packed])
    assert codes(found) == {"file_unpacked"}
    told = verify_file(str(tmp_path / "0.ndjson"), VerifyOptions(), records.REGISTRY)
    assert "unpacks to more than 40 times its size" in told.error
