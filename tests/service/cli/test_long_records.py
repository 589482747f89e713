"""Records of any length: they are read to the end, in constant memory."""

import gzip
from collections.abc import Iterator
from pathlib import Path

import orjson
import pytest

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.seats import Seat
from rules.kernel.proof import steps
from rules.kernel.proof.shapes import MOST_IN_BATCH
from rules.kernel.proof.verdicts import FAILED, NOT_WHOLLY, PROVED
from service.cli.verifying import UNREADABLE, VerifyOptions, verify_file
from service.records import game_file
from service.records.game_file import Record
from tests.service.cli import records
from tests.service.cli.long_records import verified, write_long
from tests.service.cli.records import REGISTRY
from tests.service.cli.test_verify import flip, kinds_of_places

NO_MORE = 1.1
"""Maximum factor of memory for a record that is four times as long."""


def test_a_longer_record_takes_no_more_memory(tmp_path: Path) -> None:
    files = [tmp_path / "short.ndjson", tmp_path / "long.ndjson"]
    for file, events in zip(files, (2_000, 8_000), strict=True):
        write_long(file, events)
    (one, short), (other, long) = (verified(file, kept=100_000) for file in files)
    assert one == other == "proved"
    assert long < NO_MORE * short


@pytest.mark.campaign("long")
@pytest.mark.timeout(600)
@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gz"])
def test_a_record_of_any_length_takes_no_more_memory(tmp_path: Path, *, packed: bool) -> None:
    peaks = []
    for events in (62_500, 250_000):
        file = tmp_path / f"{events}.ndjson"
        write_long(file, events)
        if packed:
            raw, file = file, file.with_suffix(".ndjson.gz")
            with raw.open("rb") as lines, gzip.open(file, "wb", compresslevel=1) as into:
                while block := lines.read(1 << 20):
                    into.write(block)
            raw.unlink()
        verdict, peak = verified(file)
        assert verdict == "proved"
        peaks.append(peak)
    assert peaks[1] < NO_MORE * peaks[0]


def told(path: Path) -> JsonObject:
    """Return the verification report of a record."""
    return verify_file(str(path), VerifyOptions(), REGISTRY).to_json()


def found() -> Iterator[Record]:
    """Yield records of finished and running games, valid and invalid ones."""
    running = records.alone(records.record_of(records.played("sealed", moves=9), Seat(1)))
    for good in (records.finished("sealed"), running):
        yield good
        yield records.forge(good) if good is not running else good
        for path in kinds_of_places(good)[::17]:
            yield flip(good, path)
        for number in (3, len(good.copies) - 2):
            bad = records.alone(good)
            del records.events(bad)[number]
            yield bad


def test_long_and_short_records_are_told_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, verdicts = tmp_path / "game.ndjson", set()
    for number, each in enumerate(found()):
        game_file.write(file, each.header, each.copies)
        short = told(file)
        with monkeypatch.context() as patch:
            patch.setattr(game_file, "KEPT_BYTES", 2_000)
            patch.setattr(game_file, "_BLOCK_BYTES", 3_000)
            patch.setattr(steps, "STRETCH", 3)
            if number == 0:
                assert isinstance(game_file.read(file).copies, game_file.StoredCopies)
            assert told(file) == short, number
        verdicts.add(short["verdict"])
    assert verdicts == {PROVED, NOT_WHOLLY, FAILED, UNREADABLE}


def test_an_event_of_a_long_record_is_looked_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "game.ndjson"
    write_long(file, 50)
    kept = game_file.read(file).copies
    monkeypatch.setattr(game_file, "KEPT_BYTES", 0)
    monkeypatch.setattr(game_file, "_BLOCK_BYTES", 1_000)
    stored = game_file.read(file).copies
    assert [*stored] == kept
    assert [stored[number] for number in range(len(stored))] == kept
    assert (stored[-1], stored[5:9]) == (kept[-1], kept[5:9])
    with pytest.raises(IndexError):
        stored[len(stored)]


def test_a_bomb_is_refused_before_it_has_unpacked(tmp_path: Path) -> None:
    """A file that unpacks to forty times its size is no record, as hashes do not compress."""
    file = tmp_path / "bomb.ndjson"
    write_long(file, 50)
    header, line, *_ = file.read_bytes().splitlines(keepends=True)
    bomb = tmp_path / "bomb.ndjson.gz"
    with gzip.open(bomb, "wb") as into:
        into.write(header)
        for _ in range(200):
            into.write(100 * line)
    assert bomb.stat().st_size < len(line) * 20_000 / game_file.UNPACKED
    outcome = verify_file(str(bomb), VerifyOptions(), REGISTRY)
    assert outcome.verdict == UNREADABLE
    assert "unpacks to more than 40 times its size" in outcome.error


def test_a_batch_has_an_end(tmp_path: Path) -> None:
    file = tmp_path / "batch.ndjson"
    write_long(file, 20)
    lines = [orjson.loads(line) for line in file.read_bytes().splitlines()]
    lines[5]["last"] = 5 + MOST_IN_BATCH
    game_file.write(file, lines[0], lines[1:])
    report = verify_file(str(file), VerifyOptions(), REGISTRY).report
    assert report is not None
    assert report.checks[3].failures == [f"event 5: a batch of more than {MOST_IN_BATCH} events"]
