"""A backup as one file: gzipped NDJSON, made of a header, four parts, and a manifest at its end.

    {"backup": "lonja-backup/1", "id", "format", "lonja", "began_at", "public_key"}
    {"part": "installation"}    keys of the whole installation
    {"part": "tournaments"}     each tournament's stream, and then those of its games
    {"part": "games"}           the streams of all other games
    {"part": "players"}         players, and the hashes of their keys
    {"manifest": {"ended_at", "counts", "packed", "parts": [{"part", "lines", "sha256"}, …]}}

A key is ``{"key", "type", "value"}``. A stream is ``{"stream", "last", "secrets"}``, with its
``origin`` if it was imported and the fields of its ``table``, followed by its entries in pages:
``{"entries": [[id, name, value, …], …]}``. Redis values are bytes, written as text with the same
Latin-1 code points. Since 0.3.0, ``packed`` has for each tournament the number of its games
with a result that were in packs, and not in the store any more; and the games are followed by the
keys with what the tables of packed games got after these had left, such as revoked invitations.
"""

import gzip
import hashlib
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, NamedTuple

import orjson

from rules.kernel.canonical import FORMAT, JsonObject
from service.ledger.raw import RawStream, StreamEntry
from service.process.disk import appearing
from service.version import VERSION

BACKUP = "lonja-backup/1"
_FAMILY = BACKUP.partition("/")[0]

INSTALLATION, TOURNAMENTS, GAMES, PLAYERS = PARTS = (
    "installation", "tournaments", "games", "players",
)  # fmt: skip

OWN_EYES_ONLY = 0o600
"""The file's mode: a backup contains the signing key, so it is as secret as the store."""

_HEADER = ("id", "began_at", "format", "lonja", "public_key")
_MANIFEST = ("ended_at", "counts", "parts")
"""The fields of the first line, besides the file's own format, and of the last one."""
_LEVEL = 4
"""The compression level; a higher one takes more time and saves little, as hashes do not shrink."""
_ENTRIES = b'{"entries":'


class BackupError(ValueError):
    """The file is not a complete backup; the message says why."""


class StoredKey(NamedTuple):
    """A key of the installation: a string, a hash, a set, or a stream as (id, fields) pairs."""

    name: str
    type: str
    value: Any


class EntryPage(NamedTuple):
    """A page of entries. They belong to the stream that the last header before the page names.

    The page is an unparsed line, because few callers read the entries.
    """

    line: bytes

    def entries(self) -> list[StreamEntry]:
        """Return the entries."""
        listed: list[list[str]] = orjson.loads(self.line)["entries"]
        return [StreamEntry(found[0], found[1:]) for found in map(_all_bytes, listed)]


Item = StoredKey | RawStream | EntryPage


class Manifest(NamedTuple):
    """A complete backup's own list of its contents."""

    id: str
    began_at: str
    ended_at: str
    public_key: str
    lonja: str
    counts: Mapping[str, int]
    packed: Mapping[str, int]


# Writing


class Writer:
    """Writes the lines of a backup, part by part."""

    def __init__(self, file: IO[bytes], id_: str, began_at: str, public_key: str) -> None:
        self._file = file
        self._parts: list[JsonObject] = []
        self._digest = hashlib.sha256()
        self._lines = 0
        header = {
            "backup": BACKUP, "id": id_, "format": FORMAT, "lonja": VERSION,
            "began_at": began_at, "public_key": public_key,
        }  # fmt: skip
        file.write(_line(header))

    def begin(self, part: str) -> None:
        """Begin the next part."""
        self._finish_part()
        self._file.write(_line({"part": part}))
        self._parts.append({"part": part})

    def key(self, name: str, type_: str, value: object) -> None:
        """Write a key of the installation."""
        self._write(_line({"key": name, "type": type_, "value": _texts(value)}))

    def stream(self, stream: RawStream) -> None:
        """Write a stream's header; its pages follow."""
        told = {"stream": stream.id, "last": _text(stream.last), "secrets": _texts(stream.secrets)}
        if stream.origin is not None:
            told["origin"] = _text(stream.origin)
        if stream.table:
            told["table"] = _texts(stream.table)
        self._write(_line(told))

    def page(self, entries: Iterable[StreamEntry]) -> None:
        """Write a page of the stream that was begun last."""
        self._write(_line({"entries": [[*map(_text, (one.id, *one.words))] for one in entries]}))

    def end(self, ended_at: str, counts: Mapping[str, int], packed: Mapping[str, int]) -> None:
        """Write the manifest."""
        self._finish_part()
        told = {"ended_at": ended_at, "counts": counts, "packed": packed}
        manifest = {**told, "parts": self._parts}
        self._file.write(_line({"manifest": manifest}))

    def _write(self, line: bytes) -> None:
        self._file.write(line)
        self._digest.update(line)
        self._lines += 1

    def _finish_part(self) -> None:
        if self._parts:
            self._parts[-1].update(lines=self._lines, sha256=self._digest.hexdigest())
        self._digest = hashlib.sha256()
        self._lines = 0


@contextmanager
def writing(path: Path) -> Iterator[IO[bytes]]:
    """Open a writer of a backup. The file ``path`` appears when the backup is complete.

    Raises OSError.
    """
    with appearing(path, OWN_EYES_ONLY) as file, packing(file) as packed:
        yield packed


@contextmanager
def packing(file: IO[bytes]) -> Iterator[IO[bytes]]:
    """Open a writer of a backup into an open file. Raises OSError."""
    with gzip.GzipFile("", "wb", compresslevel=_LEVEL, fileobj=file, mtime=0) as packed:
        yield packed  # type: ignore[misc]  # a GzipFile is an IO[bytes]


# Reading


def items(path: Path) -> Iterator[tuple[str, Item]]:
    """Yield the items of a backup one by one, each with the name of its part.

    Raises:
        BackupError: the file is not a backup.
        OSError: it cannot be read.
    """
    with _reading(path) as lines:
        _header(next(lines, b""))
        part = ""
        for line in lines:
            if line.startswith(_ENTRIES):
                yield part, EntryPage(line)
                continue
            found = _read(line)
            if "part" in found:
                part = found["part"]
            elif "manifest" not in found:
                yield part, _item(found)


def check_whole(path: Path) -> Manifest:
    """Read a backup to its end, compare it with its manifest, and return the manifest.

    Raises:
        BackupError: the file is not a backup of this format, is cut off, or was changed.
        OSError: it cannot be read.
    """
    with _reading(path) as lines:
        header = _header(next(lines, b""))
        seen: list[JsonObject] = []
        digest, count, manifest = hashlib.sha256(), 0, None
        for line in lines:
            if manifest is not None:
                raise BackupError("something follows its manifest")
            told = {} if line.startswith(_ENTRIES) else _read(line)
            if "part" in told or "manifest" in told:
                if seen:
                    seen[-1].update(lines=count, sha256=digest.hexdigest())
                digest, count = hashlib.sha256(), 0
                seen += [{"part": told["part"]}] if "part" in told else []
                manifest = told.get("manifest")
            else:
                digest.update(line)
                count += 1
    if manifest is None:
        raise BackupError("it is cut: it has no manifest at its end")
    _expect(manifest, _MANIFEST)
    if [found["part"] for found in seen] != [*PARTS]:
        raise BackupError(f"it has not the parts {', '.join(PARTS)}")
    for listed, found in zip(manifest["parts"], seen, strict=True):
        if listed != found:
            raise BackupError(f"its part {found['part']} is not what its manifest says")
    return Manifest(
        header["id"], header["began_at"], manifest["ended_at"], header["public_key"],
        header["lonja"], manifest["counts"], manifest.get("packed", {}),
    )  # fmt: skip


@contextmanager
def _reading(path: Path) -> Iterator[Iterator[bytes]]:
    with path.open("rb") as file, gzip.GzipFile(fileobj=file, mode="rb") as packed:
        try:
            yield iter(packed)
        except (gzip.BadGzipFile, zlib.error, EOFError) as error:
            raise BackupError(f"it is damaged, cut or not compressed with gzip: {error}") from None


def _header(line: bytes) -> JsonObject:
    header = _read(line)
    name = str(header.get("backup"))
    if name.partition("/")[0] != _FAMILY:
        raise BackupError(f'its first line is no header of a backup ("backup": "{BACKUP}")')
    if name != BACKUP:
        raise BackupError(
            f"it is written as {name!r:.40}, and this Lonja reads {BACKUP}: install the one that"
            " wrote it, or a newer one"
        )
    _expect(header, _HEADER)
    if header["format"] != FORMAT:
        raise BackupError(
            f"its games have the format {header['format']!r:.40}, and this Lonja plays {FORMAT}:"
            " install the one that wrote it, or a newer one"
        )
    return header


def _expect(found: JsonObject, fields: Iterable[str]) -> None:
    """Raise BackupError unless a line of the file has these fields."""
    for name in fields:
        if name not in found:
            raise BackupError(f"it is damaged: a line of it has no {name}")


def _read(line: bytes) -> JsonObject:
    try:
        found = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise BackupError(f"a line of it is not JSON: {error}") from None
    if not isinstance(found, dict):
        raise BackupError("a line of it is not a JSON object")
    return found


def _item(found: JsonObject) -> StoredKey | RawStream:
    try:
        if "key" in found:
            return StoredKey(found["key"], found["type"], _all_bytes(found["value"]))
        origin = _bytes(found["origin"]) if "origin" in found else None
        last, secrets = _bytes(found["last"]), _all_bytes(found["secrets"])
        return RawStream(found["stream"], last, secrets, origin, _all_bytes(found.get("table", {})))
    except (AttributeError, KeyError, TypeError, UnicodeEncodeError):
        raise BackupError(f"a line of it is neither a key nor a stream: {found!r:.80}") from None


# Bytes as text


def _line(value: JsonObject) -> bytes:
    return orjson.dumps(value, option=orjson.OPT_APPEND_NEWLINE)


def _text(raw: bytes) -> str:
    return raw.decode("latin-1")


def _bytes(text: str) -> bytes:
    return text.encode("latin-1")


def _texts(value: Any) -> Any:
    if isinstance(value, bytes):
        return _text(value)
    if isinstance(value, Mapping):
        return {_text(name): _text(each) for name, each in value.items()}
    if isinstance(value, list):  # a stream
        return [[_text(place), _texts(fields)] for place, fields in value]
    return sorted(map(_text, value))


def _all_bytes(value: Any) -> Any:
    if isinstance(value, str):
        return _bytes(value)
    if isinstance(value, dict):
        return {_bytes(name): _bytes(each) for name, each in value.items()}
    return [
        _bytes(each) if isinstance(each, str) else (each[0], _all_bytes(each[1])) for each in value
    ]
