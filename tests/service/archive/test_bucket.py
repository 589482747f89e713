"""Packs in buckets: written once, read by ranges, whatever is wrong with the answers."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from service.archive import lease
from service.archive.archive import Archive
from service.archive.bucket import Bucket
from service.archive.files import BusyError, ChangedError, PlaceError
from service.archive.objects import Contents, Objects, RequestLimits
from service.archive.pack import Pack, digest_in, name_of
from service.archive.places import files_at, pack_at
from service.outbound.bucket_urls import parse
from tests.buckets import servers
from tests.buckets.servers import AZURE_KEY, KEY, READER, READER_SECRET, SECRET, Door, Server
from tests.running import ROOT
from tests.service.archive.packing import keep_games, kept_games, lines_of, packed

FEW = RequestLimits(10, 30, 30, 60, repeats=2, first_pause=0.01)
HASTY = RequestLimits(0.5, 0.5, 0.5, 0.5, repeats=2, repeating=1, first_pause=0.01)
WHOLE = [
    pytest.param("moto", marks=pytest.mark.campaign("buckets")),
    pytest.param("seaweed", marks=pytest.mark.campaign("buckets")),
    pytest.param("azurite", marks=pytest.mark.campaign("buckets")),
]


@pytest.fixture(scope="module", params=["small", *WHOLE])
def running(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    made: dict[str, Callable[[], AbstractContextManager[Server]]] = {
        "small": servers.small,
        "moto": lambda: servers.moto(tmp_path_factory.mktemp("moto")),
        "seaweed": lambda: servers.seaweed(tmp_path_factory.mktemp("seaweed")),
        "azurite": lambda: servers.azurite(tmp_path_factory.mktemp("azurite")),
    }
    with made[request.param]() as server:
        yield server


def in_use(running: Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """Let one test use a server, whose door is whole again afterwards."""
    for name, value in running.environment.items():
        monkeypatch.setenv(name, value)
    yield running
    running.door.mend()


@pytest.fixture
def server(running: Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    yield from in_use(running, monkeypatch)


@pytest.fixture
def door(server: Server) -> Door:
    return server.door


@pytest.fixture
def place(server: Server, request: pytest.FixtureRequest) -> Bucket:
    """A folder of its own in the bucket."""
    return Bucket(parse(f"{server.bucket}/of/{request.node.originalname}"), FEW)


def put(place: Bucket, name: str, raw: bytes) -> bool:
    with place.draft() as draft:
        draft.write(raw)
        return place.put(name, draft)


def kept(place: Bucket, folder: Path) -> int:
    return keep_games(place, folder / "catalogue.db")


def test_packs_are_written_once_and_a_game_is_one_request(
    place: Bucket, server: Server, door: Door, tmp_path: Path
) -> None:
    assert (kept(place, tmp_path), kept(place, tmp_path)) == (3, 0)
    (name,) = place.names()
    pack = Pack(place.source(name))
    for row, record in zip(pack.rows, kept_games(), strict=True):
        before = door.count()
        assert lines_of(pack.record(row)) == lines_of(record)
        assert door.count() == before + 1
    before = door.count()
    assert pack_at(place.path_of(name)).tail(8) == (pack.size, place.read(name, pack.size - 8, 9))
    # Azure has no ranges that are counted from the end, so its tail takes two.
    assert door.count() == before + (3 if server.scheme == "az" else 2)


class KilledError(BaseException):
    """Stands for the end of the process that writes."""


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("step", ["put", "digest", "_read_back"])
def test_a_writer_that_ends_between_its_draft_and_the_bucket_loses_nothing(
    place: Bucket, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, *, after: bool
) -> None:
    owner = Archive if step == "_read_back" else Bucket
    real = getattr(owner, step)

    def ends(*arguments: object) -> None:
        if after:
            real(*arguments)
        raise KilledError

    place = Bucket(parse(f"{place.place}/{step}/{after}"), FEW)
    with monkeypatch.context() as patched:
        patched.setattr(owner, step, ends)
        with pytest.raises(KilledError):
            kept(place, tmp_path)
    is_there = (step, after) != ("put", False)
    assert len([*place.names()]) == is_there
    assert kept(place, tmp_path) == (0 if is_there else 3)
    (name,) = place.names()
    assert place.digest(name) == digest_in(name)
    pack = Pack(place.source(name))
    assert [*map(lines_of, map(pack.record, pack.rows))] == [*map(lines_of, kept_games())]


def test_of_many_that_put_a_pack_at_once_one_has_put_it(place: Bucket) -> None:
    name, raw = packed(kept_games())
    with ThreadPoolExecutor(8) as pool:
        done = [*pool.map(lambda _: put(place, name, raw), range(8))]
    assert sorted(done) == [False] * 7 + [True]
    assert place.digest(name) == name.removesuffix(".pack")
    assert not put(place, name, b"another one")
    assert place.get(name) == raw


def test_files_beside_packs_are_replaced_if_they_are_what_was_read(place: Bucket) -> None:
    name = name_of("0" * 64)
    assert (place.has_beside(name), place.beside(name), place.beside_version(name)) == (
        False, None, ""
    )  # fmt: skip
    place.put_beside(name, b"one")
    version = place.beside_version(name)
    place.put_beside(name, b"two", b"one")
    assert (place.beside(name), place.has_beside(name)) == (b"two", True)
    assert place.beside_version(name) not in ("", version)
    for before in (None, b"one"):
        with pytest.raises(ChangedError, match=f"{place.place}/beside/0+.beside is another one"):
            place.put_beside(name, b"three", before)
    place.note_left("7-0")
    place.note_left("8-0")
    assert place.left() == "8-0"
    assert [*place.names()] == []


def test_there_may_be_more_files_than_a_page_of_a_list_has(place: Bucket, server: Server) -> None:
    size = 5_000 if server.scheme == "az" else 1_000
    names = [name_of(f"{number:064x}") for number in range(size + 5)]
    folder = place.place.removeprefix(f"{server.bucket}/")
    server.fill([f"{folder}/{name}" for name in names])
    before = server.door.count("GET")
    assert [*place.names()] == names
    assert server.door.count("GET") == before + 2


def test_a_file_without_bytes_has_an_end(place: Bucket, request: pytest.FixtureRequest) -> None:
    put(place, "none", b"")
    assert (place.size("none"), place.read("none", 0, 5)) == (0, b"")
    if "moto" not in request.node.callspec.id:  # which answers with a range there, unlike S3
        assert place.tail("none", 5) == (0, b"")
    put(place, "few", b"12345")
    assert (place.tail("few", 9), place.read("few", 3, 9), place.read("few", 5, 1)) == (
        (5, b"12345"), b"45", b""
    )  # fmt: skip
    assert [*place.source("few").parts()] == [b"12345"]


def test_a_damaged_pack_is_put_aside(place: Bucket) -> None:
    name = name_of("1" * 64)
    put(place, name, b"damaged")
    assert place.put_aside(name) == f"{place.place}/{name}.damaged"
    assert [*place.names()] == []
    assert place.get(f"{name}.damaged") == b"damaged"


def test_one_process_writes_at_a_time(place: Bucket, monkeypatch: pytest.MonkeyPatch) -> None:
    busy = pytest.raises(BusyError, match=rf"process, \d+ on .*{place.place}")
    with place.at_work(), busy, place.at_work():
        pass
    with place.at_work():  # it was given back
        monkeypatch.setattr(lease, "LEASE_SECONDS", -1)
        with place.at_work():  # the other one was killed
            pass
    assert place.get(lease.LEASE) == b"{}"


def test_a_lease_is_renewed(place: Bucket, door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lease, "_RENEW_SECONDS", 0.01)
    with place.at_work():
        before, end = door.count("PUT"), time.monotonic() + 10
        while door.count("PUT") < before + 2 and time.monotonic() < end:
            time.sleep(0.01)
        assert door.count("PUT") >= before + 2


@pytest.mark.parametrize("status", [500, 503])
def test_a_request_is_repeated_a_few_times(
    place: Bucket, server: Server, door: Door, status: int
) -> None:
    put(place, "some", b"bytes")
    door.refuse(status, "SlowDown", times=2)
    before = door.count()
    assert place.read("some", 0, 5) == b"bytes"
    assert door.count() == before + 3
    door.refuse(status, "SlowDown")
    before = door.count()
    with pytest.raises(PlaceError, match=rf"^{server.bucket} answers {status} SlowDown$"):
        put(place, "more", b"bytes")
    assert door.count() == before + 3


def test_what_was_cut_off_is_read_on(place: Bucket, door: Door) -> None:
    name, raw = packed(kept_games())
    put(place, name, raw)
    door.cut("GET")
    assert place.get(name) == raw


def test_what_was_written_without_an_answer_is_written(place: Bucket, door: Door) -> None:
    name, raw = packed(kept_games())
    door.cut("PUT")
    assert not put(place, name, raw), "the repeated request has found it"
    assert place.digest(name) == name.removesuffix(".pack")
    door.cut("PUT")
    place.put_beside(name, b"one")
    door.cut("PUT")
    place.put_beside(name, b"two", b"one")
    assert place.beside(name) == b"two"
    door.cut("PUT")
    with place.at_work():
        pass


def test_a_bucket_that_does_not_answer_is_not_waited_for(
    place: Bucket, server: Server, door: Door
) -> None:
    put(place, "some", b"bytes")
    door.delay(2)
    hasty = Bucket(parse(place.place), HASTY)
    began = time.monotonic()
    with pytest.raises(PlaceError, match=f"^{server.bucket} does not answer in time$"):
        hasty.read("some", 0, 5)
    assert time.monotonic() - began < 15
    before = door.count()
    with pytest.raises(PlaceError, match="could not be reached a moment ago"):
        hasty.size("some")
    assert door.count() == before
    door.mend()
    assert place.size("some") == 5


NEEDS = {
    "s3": ("s3:ListBucket$", "s3:GetObject, and s3:ListBucket", "s3:PutObject", "s3:DeleteObject"),
    "az": (
        "list blobs$",
        "read blobs$",
        "create and write blobs$",
        "read, write and delete blobs$",
    ),
}
"""The permissions for a list, to read, to write and to rename."""


@pytest.mark.parametrize(
    ("status", "code", "told"),
    [
        (401, "InvalidToken", "packs does not know these credentials"),
        (403, "AccessDenied", r"packs does not let these credentials \w+ \(403.*need"),
        (404, "NoSuchBucket", "there is no .*packs"),
        (404, "ContainerNotFound", "there is no .*packs"),
    ],
)
def test_a_refusal_is_told_without_credentials(
    place: Bucket, server: Server, status: int, code: str, told: str
) -> None:
    server.door.refuse(status, code)
    asks: list[Callable[[], object]] = [
        lambda: [*place.names()],
        lambda: place.read("some", 0, 5),
        lambda: put(place, "some", b""),
        lambda: place.rename("some", "other"),
    ]
    for needs, ask in zip(NEEDS[server.scheme], asks, strict=True):
        with pytest.raises(PlaceError, match=told) as found:
            ask()
        assert found.value.__suppress_context__, "what the library tells is not shown"
        for secret in (KEY, SECRET, AZURE_KEY):
            assert secret not in str(found.value)
        if status == 403:
            found.match(needs)


def test_who_may_only_read_is_told_so(
    place: Bucket, server: Server, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(place, "some", b"bytes")
    for name, value in servers.environment(server.door.url, READER, READER_SECRET).items():
        monkeypatch.setenv(name, value)
    reader = Bucket(parse(place.place), FEW)
    assert reader.read("some", 0, 5) == b"bytes"
    if "seaweed" in request.node.callspec.id:  # the others let everybody do all
        with pytest.raises(PlaceError, match=r"credentials write .403.*s3:PutObject"):
            put(reader, "other", b"bytes")


def test_a_bucket_that_is_not_there_is_told(server: Server) -> None:
    nowhere = f"{server.scheme}://nowhere"
    with pytest.raises(PlaceError, match=f"^there is no {nowhere}$"):
        [*files_at(f"{nowhere}/packs").names()]


def test_credentials_that_nobody_has_are_told(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in server.environment:
        if "KEY" in name:
            monkeypatch.delenv(name)
    for name in ("AWS_METADATA_ENDPOINT", "IDENTITY_ENDPOINT"):
        monkeypatch.setenv(name, server.door.url)
    server.door.refuse(404, "NotHere")
    with pytest.raises(PlaceError, match=f"^no credentials for {server.bucket} were found$"):
        Bucket(parse(server.bucket), HASTY).size("some")


def test_the_name_of_a_folder_says_nothing_of_credentials(server: Server, door: Door) -> None:
    place = Bucket(parse(f"{server.bucket}/latest/metadata"), FEW)
    door.refuse(503, "SlowDown")
    with pytest.raises(PlaceError, match=f"^{server.bucket} answers 503 SlowDown$"):
        place.read("some", 0, 5)


def test_an_unreachable_bucket_is_told(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in server.environment.items():
        monkeypatch.setenv(name, value.replace(server.door.url, "http://127.0.0.1:9"))
    with pytest.raises(PlaceError, match=f"^{server.bucket} cannot be reached$"):
        Bucket(parse(server.bucket), HASTY).size("some")


WAITING = """
from gevent import monkey, spawn, sleep; monkey.patch_all()
from service.archive.places import files_at
turns = 0
def take_turns():
    global turns
    while True:
        turns += 1
        sleep(0.01)
spawn(take_turns)
assert files_at("{bucket}").size("some") == 5
print(turns)
"""


def test_greenlets_go_on_while_one_waits_for_a_bucket(server: Server, door: Door) -> None:
    put(Bucket(parse(server.bucket)), "some", b"bytes")
    door.delay(1)
    program = WAITING.replace("{bucket}", server.bucket)
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, check=True, capture_output=True, text=True
    )
    assert int(ran.stdout) >= 5


def test_an_expired_lease_is_taken_if_nobody_takes_it_meanwhile() -> None:
    class Raced(Objects):
        """Objects of which another process changes one between two requests."""

        def get(self, name: str) -> Contents | None:
            return Contents(b'{"pid": 1}', {}, datetime.now(UTC) - timedelta(hours=1))

        def update(self, name: str, raw: bytes, before: Contents) -> bool:
            return False

    with pytest.raises(BusyError, match="another process writes packs to s3://packs"):
        lease.WriterLease(Raced(parse("s3://packs"))).take()
