"""Records without what follows from the rest: nothing is lost, of any release."""

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from service.archive import pack
from service.archive.short import completed, shortened
from service.cli.local import LocalGame
from service.records import game_file, tournament_file
from service.records.game_file import Record, RecordError
from tests.rules.kernel.test_format import given, h, j, k
from tests.service.archive.packing import KEPT, cup, games, lines_of
from tests.service.cli import records


def again(stream_id: str, record: Record) -> Record:
    return record._replace(copies=[*completed(stream_id, [*shortened(stream_id, record.copies)])])


@pytest.mark.parametrize("path", sorted(KEPT.glob("*.ndjson.gz")), ids=lambda path: path.stem)
def test_records_of_every_release_come_back_to_the_byte(path: Path) -> None:
    if tournament_file.is_one(path):
        with tournament_file.reading(path) as found:
            own = Record(found.header, found.copies)
            kept = [(found.header["tournament_id"], own), *((g.game_id, g) for g in found.games)]
    else:
        record = game_file.read(path)
        kept = [(record.game_id, record)]
    for stream_id, record in kept:
        assert lines_of(again(stream_id, record)) == lines_of(record)


@pytest.mark.parametrize(
    "table",
    [records.suspended, records.drawn, records.with_entropy, records.of_a_block],
    ids=["suspended", "drawn", "lobby", "block"],
)
def test_running_and_hidden_games_come_back_too(table: Callable[[], LocalGame]) -> None:
    record = records.record_of(table())
    assert lines_of(again(record.game_id, record)) == lines_of(record)


def test_what_follows_from_the_salt_is_left_out() -> None:
    for record in (*games(), cup()[0]):
        id_ = record.header.get("game_id") or record.header["tournament_id"]
        for line in shortened(id_, record.copies):
            assert not line.keys() & {"seq", "parts", "nonces", "hash"}


def test_a_part_that_is_wrong_stays_wrong() -> None:
    record = records.alone(games()[0])
    event = records.events(record)[3]
    event["parts"] = dict.fromkeys(event["parts"], "0" * 64)
    event["hash"] = "1" * 64
    assert lines_of(again(record.game_id, record)) == lines_of(record)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("body", None), ("body", {"salt": {}}), ("body", {"salt": {"salt_secret": "x"}}),
        ("state_proof", 5), ("state_proof", "zz"), ("hash", 1), ("nonces", {}), ("kind", ...),
    ],
)  # fmt: skip
def test_what_is_no_event_is_refused_by_name(name: str, value: object) -> None:
    record = games()[0]
    lines = [dict(line) for line in shortened(record.game_id, record.copies)]
    if value is ...:
        del lines[-2][name]
    else:
        lines[-2][name] = value
    with pytest.raises(RecordError, match=record.game_id):
        [*completed(record.game_id, lines)]


def test_the_vector_of_the_format_by_the_page_alone() -> None:
    """Only SHA-256, HMAC and a JSON writer complete the events; so does the product."""
    vector = given("pack")
    game_id, head = vector["game_id"], h(j(["lonja/2", "genesis", vector["game_id"]]))
    salt = bytes.fromhex(vector["short"][-1]["body"]["salt"]["salt_secret"])
    chained = ("seq", "kind", "by", "at", "last", "parts", "state_proof")
    found = []
    for seq, line in enumerate(vector["short"], 1):
        body = line["body"]
        nonces = {name: k(salt, "part", seq, name, head.hex()) for name in body}
        event = {
            "seq": seq,
            "last": seq,
            "audiences": dict.fromkeys(body, "public"),
            "nonces": {name: nonce.hex() for name, nonce in nonces.items()},
            "parts": {name: h(nonces[name] + j(value)).hex() for name, value in body.items()},
            **line,
        }
        head = h(head + j({name: event[name] for name in chained}))
        found.append({**event, "hash": head.hex()})
    assert found == vector["events"]
    assert [*completed(game_id, vector["short"])] == vector["events"]
    assert [*shortened(game_id, vector["events"])] == vector["short"]
    trailer = vector["trailer"]
    raw = bytes.fromhex(trailer["bytes"])
    assert gzip.decompress(raw) == b""
    assert [int.from_bytes(raw[n : n + 8], "little") for n in (16, 24)] == [
        trailer["offset"],
        trailer["length"],
    ]
    assert pack._trailer(trailer["offset"], trailer["length"]) == raw
