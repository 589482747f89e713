"""Packs in Google Cloud Storage: read in an emulator; its refusals, and files of credentials."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from service.archive.bucket import Bucket
from service.archive.files import PlaceError
from service.archive.pack import Pack, name_of
from service.outbound.bucket_urls import parse
from tests.buckets import servers
from tests.buckets.servers import Door, Server, upload
from tests.buckets.small import Answer
from tests.service.archive.packing import kept_games, lines_of, packed
from tests.service.archive.test_bucket import FEW, HASTY, in_use, put


@pytest.fixture(scope="module")
def emulator(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with servers.google(tmp_path_factory.mktemp("google")) as server:
        yield server


@pytest.fixture
def server(emulator: Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    yield from in_use(emulator, monkeypatch)


@pytest.mark.campaign("buckets")
def test_packs_are_read(server: Server) -> None:
    place, door = Bucket(parse(f"{server.bucket}/of/packs"), FEW), server.door
    name, raw = packed(kept_games())
    upload(door.url, f"of/packs/{name}", raw)
    server.fill(["of/packs/beside/deeper", "of/packs-of-another"])
    assert [*place.names()] == [name]
    assert (place.size(name), f"{place.digest(name)}.pack") == (len(raw), name)
    pack = Pack(place.source(name))
    for row, record in zip(pack.rows, kept_games(), strict=True):
        before = door.count()
        assert lines_of(pack.record(row)) == lines_of(record)
        assert door.count() == before + 1
    before = door.count()
    assert place.tail(name, 8) == (len(raw), raw[-8:])
    assert door.count() == before + 1
    door.cut("GET")
    assert place.get(name) == raw


@pytest.mark.campaign("buckets")
def test_what_is_not_there_is_told(server: Server) -> None:
    place = Bucket(parse(f"{server.bucket}/of/nothing"), FEW)
    name = name_of("0" * 64)
    assert [*place.names()] == []
    assert (place.has_beside(name), place.beside(name)) == (False, None)
    with pytest.raises(FileNotFoundError, match=f"{place.place}/{name}"):
        place.size(name)


@pytest.mark.campaign("buckets")
def test_a_file_without_bytes_has_an_end(server: Server) -> None:
    place = Bucket(parse(f"{server.bucket}/of/few"), FEW)
    upload(server.door.url, "of/few/none", b"")  # of its end, the emulator tells an odd range
    assert (place.size("none"), place.read("none", 0, 5)) == (0, b"")
    upload(server.door.url, "of/few/few", b"12345")
    assert (place.tail("few", 9), place.read("few", 3, 9), place.read("few", 5, 1)) == (
        (5, b"12345"), b"45", b""
    )  # fmt: skip


@pytest.mark.campaign("buckets")
def test_a_file_that_was_replaced_has_another_version(server: Server) -> None:
    place = Bucket(parse(f"{server.bucket}/of/versions"), FEW)
    name = name_of("1" * 64)
    versions = [place.beside_version(name)]
    for raw in (b"one", b"two"):
        upload(server.door.url, f"of/versions/beside/{name.removesuffix('.pack')}.beside", raw)
        versions.append(place.beside_version(name))
        assert place.beside(name) == raw
    assert len({*versions}) == 3


@pytest.fixture
def door(monkeypatch: pytest.MonkeyPatch) -> Iterator[Door]:
    """The door of a server that answers all requests with nothing, not even a version."""
    door = Door(lambda *_: Answer(200))
    for name, value in servers.google_environment(door.url).items():
        monkeypatch.setenv(name, value)
    yield door
    door.close()


@pytest.mark.parametrize(
    ("url", "status", "code", "told"),
    [
        ("gs://packs/latest/metadata", 401, "AuthenticationRequired", "does not know these"),
        ("gs://packs/oauth2/of", 403, "AccessDenied", r"does not let these .* \(403.*they need"),
        ("gs://packs/lonja", 404, "NoSuchBucket", "^there is no gs://packs$"),
        ("gs://packs/metadata", 503, "SlowDown", "^gs://packs answers 503 SlowDown$"),
        ("gs://latest/meta-data", 503, "SlowDown", "^gs://latest answers 503 SlowDown$"),
    ],
)
def test_a_refusal_is_told(door: Door, url: str, status: int, code: str, told: str) -> None:
    place = Bucket(parse(url), FEW)
    door.refuse(status, code)
    asks: dict[str, Callable[[], object]] = {
        "list$": lambda: [*place.names()],
        "get$": lambda: place.read("some", 0, 5),
        "create, and storage.objects.delete to replace$": lambda: put(place, "some", b""),
        "get, storage.objects.create and storage.objects.delete$": (
            lambda: place.rename("some", "other")
        ),
    }
    for needs, ask in asks.items():
        with pytest.raises(PlaceError, match=told) as found:
            ask()
        if status == 403:
            found.match(f"the permission storage.objects.{needs}")


def test_an_object_that_is_there_is_not_written_again(door: Door) -> None:
    door.refuse(412, "PreconditionFailed")
    assert not put(Bucket(parse("gs://packs"), FEW), "some", b"bytes")


@pytest.mark.parametrize("bucket", ["gs://packs", "gs://latest"])
def test_an_answer_without_a_version_is_not_told_as_a_lack_of_credentials(
    door: Door, bucket: str
) -> None:
    place = Bucket(parse(bucket), FEW)
    asks: list[Callable[[], object]] = [
        lambda: put(place, "some", b"bytes"),
        lambda: place.size("some"),
    ]
    for ask in asks:
        with pytest.raises(PlaceError, match=f"^{bucket} cannot be read: what it answers"):
            ask()


def test_credentials_that_nobody_has_are_told(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GOOGLE_SERVICE_ACCOUNT_KEY")
    for name in ("GCE_METADATA_HOST", "GCE_METADATA_IP"):
        monkeypatch.setenv(name, door.url.removeprefix("http://"))
    door.refuse(404, "NotHere")
    with pytest.raises(PlaceError, match=r"^no credentials for gs://packs were found$"):
        Bucket(parse("gs://packs"), HASTY).size("some")


FILES = {
    "no file": None,
    "cut": '{"private_key": "hunter2',
    "of another kind": json.dumps({"type": "external_account", "audience": "hunter2"}),
    "no key": json.dumps({"client_email": "a", "private_key": "hunter2", "private_key_id": "1"}),
}


@pytest.mark.parametrize("variable", ["GOOGLE_SERVICE_ACCOUNT", "GOOGLE_APPLICATION_CREDENTIALS"])
@pytest.mark.parametrize("file", FILES)
def test_a_file_that_has_no_credentials_is_told(
    door: Door, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str, file: str
) -> None:
    path = tmp_path / "key.json"
    if (text := FILES[file]) is not None:
        path.write_text(text)
    monkeypatch.delenv("GOOGLE_SERVICE_ACCOUNT_KEY")
    monkeypatch.setenv(variable, str(path))
    told = "^the file of credentials for gs://packs is missing, or has no account's key$"
    with pytest.raises(PlaceError, match=told):
        Bucket(parse("gs://packs"), HASTY).size("some")
    assert door.requests == []
