"""A record over HTTP equals that of `lonja export`; it is sent in parts, with limits."""

import gzip
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import brotli  # type: ignore[import-untyped]  # has no types
import pytest
from click.testing import CliRunner
from flask import Flask
from werkzeug.test import TestResponse

from service.api.app import create_app
from service.api.http import downloads
from service.cli import main
from service.cli.sources import StoredGame
from service.games.downloads import PER_ADDRESS
from service.ledger import export
from service.records.game_file import written
from service.redis.keys import game_key
from service.runtime import Runtime, open_runtime
from tests.running import patient_matches
from tests.service.api.people import House, Person, data, play_on, problem
from tests.service.tournaments.conftest import SMALL, Hall

Lonja = Callable[..., bytes]


@pytest.fixture
def people(house: House) -> list[Person]:
    return [house.player("Ana"), house.player("Bea")]


@pytest.fixture
def url(house: House, people: list[Person]) -> str:
    return house.table(*people)


@pytest.fixture
def over(url: str, people: list[Person]) -> str:
    play_on(url, people)
    return url


def id_of(url: str) -> str:
    return url.rpartition("/")[2]


@pytest.fixture
def lonja(runtime: Runtime, monkeypatch: pytest.MonkeyPatch) -> Lonja:
    monkeypatch.setenv("REDIS_URL", runtime.settings.redis_url or "")
    monkeypatch.setenv("LONJA_EXTRA_RULESETS", "tests.sealed")

    def run(*arguments: str) -> bytes:
        done = CliRunner().invoke(main, arguments)
        assert done.exit_code == 0, done.output
        return done.stdout_bytes

    return run


def exported(runtime: Runtime, url: str, seat: int | None = None) -> bytes:
    stored = StoredGame(open_runtime(runtime.settings), id_of(url), seat)  # type: ignore[arg-type]
    return b"".join(map(written, (stored.header(), *stored.copies())))


def test_it_is_what_lonja_export_writes_and_verifies(
    over: str, people: list[Person], house: House, lonja: Lonja, tmp_path: Path
) -> None:
    sent = house.visitor.get(f"{over}/record")
    assert (sent.status_code, sent.mimetype) == (200, "application/x-ndjson")
    assert sent.headers["Content-Disposition"] == f"attachment; filename={id_of(over)}.ndjson"
    path = tmp_path / "game.ndjson"
    lonja("export", id_of(over), "--output", str(path))
    assert sent.data == path.read_bytes() == lonja("export", id_of(over), "--output", "-")
    path.write_bytes(sent.data)
    assert b"Every check passed." in lonja("verify", str(path))
    for seat in ("", "?seat=1", "?seat=spectator"):
        assert people[0].get(f"{over}/record{seat}").data == sent.data


def test_a_game_that_goes_on_shows_what_the_caller_may_see(
    url: str, people: list[Person], house: House, runtime: Runtime
) -> None:
    ana, bea = people
    assert ana.get(f"{url}/record").data == exported(runtime, url, 0)
    ana.move(url, 0)
    own, others = exported(runtime, url, 0), exported(runtime, url)
    assert own != others
    assert ana.get(f"{url}/record").data == ana.get(f"{url}/record?seat=0").data == own
    assert bea.get(f"{url}/record").data == exported(runtime, url, 1)
    assert ana.get(f"{url}/record?seat=spectator").data == others
    assert house.visitor.get(f"{url}/record").data == others
    problem(bea.get(f"{url}/record?seat=0"), 403, "not_your_seat")
    problem(bea.get(f"{url}/record?seat=7"), 404, "unknown_seat")
    problem(house.visitor.get("/v1/games/g00-aaaaaaaaaaaaaaaaaaaa/record"), 404, "unknown_game")
    part = house.visitor.get(f"{url}/record", Range="bytes=5-")
    assert (part.status_code, part.data, part.headers["Accept-Ranges"]) == (200, others, "none")


def test_a_private_game_is_there_for_those_who_may_see_it(
    house: House, people: list[Person]
) -> None:
    seats = [{"holder": "me"}, {"holder": "open"}]
    table = {"ruleset": "sealed", "seats": seats, "table": {"visibility": "private"}}
    url = people[0].post("/v1/games", table).headers["Location"]
    made = data(people[0].post(f"{url}/invitations", {"uses": 2}))
    assert b'"status":"lobby"' in people[0].get(f"{url}/record").data
    for person in (people[1], house.visitor):
        problem(person.get(f"{url}/record"), 404, "unknown_game")
        seen = person.get(f"{url}/record", Invitation=made["token"]).data
        assert b'"status":"lobby"' in seen


def test_it_comes_in_parts_and_only_of_the_same(over: str, house: House) -> None:
    ana = house.visitor
    whole = ana.get(f"{over}/record")
    etag, size = whole.headers["ETag"], len(whole.data)
    assert whole.headers["Accept-Ranges"] == "bytes"
    spans = {
        "bytes=0-": (0, size), "bytes=100-": (100, size), "bytes=7-7": (7, 8),
        "bytes=9000-9099": (9000, 9100), f"bytes=9-{10 * size}": (9, size),
        "bytes=-5": (size - 5, size), f"bytes=-{2 * size}": (0, size),
    }  # fmt: skip
    for asked, (first, end) in spans.items():
        part = ana.get(f"{over}/record", Range=asked, If_Range=etag, Accept_Encoding="br")
        assert (part.status_code, part.data) == (206, whole.data[first:end]), asked
        assert part.headers["Content-Range"] == f"bytes {first}-{end - 1}/{size}"
        assert part.headers["Content-Length"] == str(end - first)
        assert part.headers["ETag"] == etag
    for asked in ("bytes=0-1,5-6", "lines=1-2", "bytes=9-5", "nonsense"):
        assert ana.get(f"{over}/record", Range=asked).data == whole.data, asked
    for other in ('"other"', f"W/{etag}", "Thu, 26 Nov 2026 12:00:00 GMT"):
        again = ana.get(f"{over}/record", Range="bytes=100-", If_Range=other)
        assert (again.status_code, again.data) == (200, whole.data), other
    beyond = ana.get(f"{over}/record", Range=f"bytes={size}-")
    assert problem(beyond, 416, "range_not_satisfiable")["limit"] == size
    assert beyond.headers["Content-Range"] == f"bytes */{size}"


def test_a_part_is_told_of_by_a_process_that_never_sent_it(over: str, runtime: Runtime) -> None:
    other = House(create_app(open_runtime(runtime.settings)))
    whole = exported(runtime, over)
    part = other.visitor.get(f"{over}/record", Range="bytes=-5")
    assert (part.data, part.headers["Content-Range"]) == (
        whole[-5:],
        f"bytes {len(whole) - 5}-{len(whole) - 1}/{len(whole)}",
    )


def test_what_a_caller_has_is_not_sent_again_and_codings_are_one_representation_each(
    over: str, house: House
) -> None:
    plain = house.visitor.get(f"{over}/record")
    unpack = {"br": brotli.decompress, "gzip": gzip.decompress}
    for coding, unpacked in unpack.items():
        coded = house.visitor.get(f"{over}/record", Accept_Encoding=coding)
        assert coded.headers["Content-Encoding"] == coding
        assert unpacked(coded.data) == plain.data
        assert len(coded.data) < len(plain.data) / 2
        assert coded.headers["ETag"] == f'{plain.headers["ETag"][:-1]}-{coding}"'
        again = house.visitor.get(
            f"{over}/record", Accept_Encoding=coding, If_None_Match=coded.headers["ETag"]
        )
        assert (again.status_code, again.data) == (304, b"")
    head = house.client.head(f"{over}/record")
    assert (head.status_code, head.data) == (200, b"")
    assert head.headers["ETag"] == plain.headers["ETag"]
    assert head.headers["Content-Length"] == str(len(plain.data))


def opened(house: House, url: str) -> TestResponse:
    """Begin a download of a record."""
    return house.client.get(url, buffered=False)


def pieces_of(answer: TestResponse) -> Iterator[bytes]:
    return iter(cast("Iterator[bytes]", answer.response))


def test_an_address_is_sent_two_at_once_by_all_processes(
    over: str, house: House, runtime: Runtime
) -> None:
    other = House(create_app(open_runtime(runtime.settings)))
    url = f"{over}/record"
    sending = [opened(one, url) for one in (house, other)]
    assert len(sending) == PER_ADDRESS
    for one in (house, other):
        refused = one.visitor.get(url)
        assert problem(refused, 429, "too_many_records")["limit"] == PER_ADDRESS
        assert refused.headers["Retry-After"] == "5"
        assert one.client.head(url).status_code == 200
    elsewhere = house.client.get(url, environ_base={"REMOTE_ADDR": "192.0.2.7"})
    assert elsewhere.status_code == 200
    sending[1].close()  # a client that disconnects
    assert other.visitor.get(url).data == elsewhere.data
    assert sending[0].data == elsewhere.data
    sending[0].close()
    assert problem(house.visitor.get(url, Range="bytes=99999999-"), 416, "range_not_satisfiable")
    assert not runtime.redis.keys("lonja:{rate}:records:*")


def test_it_is_made_while_it_is_sent(
    over: str, house: House, runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = house.visitor.get(f"{over}/record").data
    monkeypatch.setattr(downloads, "PIECE_BYTES", 1_000)
    monkeypatch.setattr(export, "EVENTS_AT_ONCE", 3)
    store = type(runtime.ledger.store)
    usual, read = store.read_before, list[int]()

    def read_before(*arguments: Any) -> Any:
        read.append(arguments[-1])
        return usual(*arguments)

    monkeypatch.setattr(store, "read_before", read_before)
    answer = opened(house, f"{over}/record")
    pieces = pieces_of(answer)
    first = next(pieces)
    assert len(read) == 1, "nothing more was read than the first piece needs"
    longest = max(map(len, whole.splitlines(keepends=True)))
    sizes = [len(first), *(len(piece) for piece in pieces)]
    assert sum(sizes) == len(whole)
    assert max(sizes) < 1_000 + longest
    assert max(read) == 3 + 1, "with the one before, for its hash"
    answer.close()


def test_a_damaged_game_has_none_and_what_is_lost_meanwhile_cuts_it(
    over: str, house: House, runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(downloads, "PIECE_BYTES", 1_000)
    monkeypatch.setattr(export, "EVENTS_AT_ONCE", 3)
    answer = opened(house, f"{over}/record")
    key = game_key(id_of(over), "events")
    runtime.redis.xtrim(key, minid=f"{runtime.redis.xlen(key) // 2}-0")
    runtime.redis.xdel(key, f"{runtime.ledger.table(id_of(over)).game.version}-0")
    with pytest.raises(ConnectionResetError):
        b"".join(pieces_of(answer))
    answer.close()
    problem(house.visitor.get(f"{over}/record"), 409, "game_damaged")


def test_a_suspended_game_has_one(
    url: str, people: list[Person], house: House, runtime: Runtime
) -> None:
    runtime.ledger.change(id_of(url), lambda batch: batch.suspend({"admin": "ana"}))
    assert house.visitor.get(f"{url}/record").data == exported(runtime, url)


class TestTournaments:
    @pytest.fixture
    def hall(self, runtime: Runtime) -> Hall:
        return Hall(runtime, patient_matches(runtime))

    def test_it_is_what_lonja_tournament_export_writes(
        self, app: Flask, hall: Hall, lonja: Lonja, tmp_path: Path
    ) -> None:
        house = House(app)
        small = {**SMALL, "format": {"type": "round_robin", "games": 6}}
        cup = hall.open(seed=None, **small)
        url = f"/v1/tournaments/{cup.id}"
        begun = house.visitor.get(f"{url}/record")
        path = tmp_path / "cup.ndjson"

        def same(sent: TestResponse) -> bool:
            lonja("tournament", "export", cup.id, "--output", str(path))
            assert lonja("tournament", "export", cup.id, "--output", "-") == path.read_bytes()
            return bool(sent.data == path.read_bytes())

        assert same(begun)
        hall.matches._play_block(cup, cup.blocks[1])
        assert house.visitor.get(f"{url}/record").data == begun.data, "as of the newest report"
        hall.runtime.reports.catch_up(hall.find(cup))
        going = house.visitor.get(f"{url}/record")
        assert going.headers["Accept-Ranges"] == "none"
        assert same(going)
        assert going.data.count(b'"export":"lonja/2"') == 2, "of the block that is open"
        ended = hall.finish(cup)
        hall.runtime.redis.delete(game_key(cup.id, "report_3"))
        problem(house.visitor.get(f"{url}/record"), 503, "report_unfinished")
        assert hall.runtime.reports.draw_on(ended, lambda: True)
        whole = house.visitor.get(f"{url}/record")
        assert same(whole)
        assert b"Every check passed." in lonja("verify", str(path))
        assert house.visitor.get(f"{url}/record", Range="bytes=-9").data == whole.data[-9:]
