"""A game's record as a file: NDJSON, a header and then every event as one viewer sees it.

The file is plain or compressed (gzip); each line is canonical JSON. The header is ``{"export":
"lonja/2", "game_id", "ruleset", "rules_version", "version", "status", "viewer", "receipt",
"public_key"}``. ``viewer`` is the number of a seat, or null for a spectator. ``receipt`` is the
service's signature under the last event. The service says that it signed with the key
``public_key``.
"""

import gzip
import math
import os
import re
import tempfile
import weakref
import zlib
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from itertools import chain
from pathlib import Path
from typing import IO, Any, NamedTuple, Self, overload

import orjson

from rules.kernel.canonical import FORMAT, JsonObject
from rules.kernel.contract.seats import Seat
from rules.kernel.record.secrets import Secrets
from service.process.disk import appearing

EXPORT = FORMAT
ENDED_FORMATS = ("lonja/1", "lonja-tournament/1")
_LATER = re.compile(r"lonja(-tournament)?/([3-9]|[1-9][0-9]{1,8})")
MAX_LINE_BYTES = 4 * 1024 * 1024
KEPT_BYTES = 4 * 1024 * 1024
"""The events of a record of this size or more are kept in a temporary file, not in memory."""

UNPACKED = 40
"""Maximum ratio of unpacked to packed size; real records stay below 4, as hashes do not shrink."""

MOST_FLAWS = 20

PROOF = "proof"
"""A further field of a header: the proof that a public log has the record's last event."""
HEADER: dict[str, tuple[type, ...]] = {
    "export": (str,),
    "game_id": (str,),
    "ruleset": (str,),
    "rules_version": (str,),
    "version": (int,),
    "status": (str,),
    "viewer": (int, type(None)),
    "receipt": (dict,),
    "public_key": (str,),
}

_GZIP = b"\x1f\x8b"
_WRITTEN = orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE


class RecordError(ValueError):
    """The file is not a complete record of a game; the message says why."""


class LaterFormatError(RecordError):
    """The record has the format ``export``, which is newer than this program."""

    def __init__(self, export: str) -> None:
        super().__init__(f"it is {export}, which is newer than this program")
        self.export = export


class Record(NamedTuple):
    """A record that was read: its header, and the copies of its events as the viewer sees them.

    ``copies`` has the events in their order, so the first one is version 1 of the game. ``flaws``
    are sentences about faults of the file's encoding.
    """

    header: JsonObject
    copies: Sequence[JsonObject]
    flaws: tuple[str, ...] = ()

    @property
    def game_id(self) -> str:
        """The id of the record's game."""
        game_id: str = self.header["game_id"]
        return game_id


def secrets_of(copies: Sequence[JsonObject]) -> Secrets:
    """Return the secrets of a finished game or tournament, which its last events reveal.

    Raises KeyError if they do not.
    """
    last = copies[-1]
    opened = {**copies[-2]["body"], **last["body"]} if len(copies) > 1 else last["body"]
    seed = opened["chance"]["chance_seed"] if "chance" in opened else opened[last["kind"]]["seed"]
    return Secrets(bytes.fromhex(opened["salt"]["salt_secret"]), bytes.fromhex(seed))


def header(
    game_id: str,
    created: JsonObject,
    version: int,
    status: str,
    viewer: Seat | None,
    receipt: JsonObject,
    public_key: str,
) -> JsonObject:
    """Return the first line of a record; ``created`` are the facts in the game's first event."""
    return {
        "export": EXPORT,
        "game_id": game_id,
        "ruleset": created["ruleset"],
        "rules_version": created["rules_version"],
        "version": version,
        "status": status,
        "viewer": viewer,
        "receipt": receipt,
        "public_key": public_key,
    }


def written(value: JsonObject) -> bytes:
    """Return a line of a record: canonical JSON and a line feed."""
    return orjson.dumps(value, option=_WRITTEN)


def write(path: Path, first: JsonObject, copies: Iterable[JsonObject]) -> None:
    """Write a record; raises as ``write_lines``."""
    write_lines(path, chain((first,), copies))


def write_lines(path: Path, lines: Iterable[JsonObject]) -> None:
    """Write the lines of a record; the file appears when it is complete, or not at all.

    It is compressed if its name ends with ``.gz``.

    Raises:
        OSError: the file cannot be written.

    """
    with (
        appearing(path) as file,
        _packing(file) if path.suffix == ".gz" else nullcontext(file) as opened,
    ):
        opened.writelines(map(written, lines))


def _packing(file: IO[bytes]) -> gzip.GzipFile:
    """Return a compressor that writes to ``file``, with equal bytes for equal records."""
    return gzip.GzipFile("", "wb", fileobj=file, mtime=0)


def is_packed(path: Path) -> bool:
    """Whether a file is compressed with gzip, by its first bytes. Raises OSError."""
    with path.open("rb") as file:
        return file.read(len(_GZIP)) == _GZIP


@contextmanager
def opened(path: Path) -> Iterator[IO[bytes]]:
    """Open a record for reading, compressed or not, whatever its name.

    Raises:
        RecordError: the compressed data are damaged.
        OSError: it cannot be read.
    """
    packed = is_packed(path)
    with path.open("rb") as file:
        try:
            if packed:
                with gzip.GzipFile(fileobj=file, mode="rb") as lines:
                    yield lines  # type: ignore[misc]  # a GzipFile is an IO[bytes]
            else:
                yield file
        except (gzip.BadGzipFile, zlib.error, EOFError) as error:
            raise RecordError(f"what is compressed is damaged or cut: {error}") from None


class RecordLines:
    """The lines of a record; ``flaws`` collects faults of their encoding."""

    def __init__(self, file: IO[bytes], most_bytes: float = math.inf) -> None:
        self.flaws: list[str] = []
        self.raw = b""
        """The line that was read last, exactly as it stands in the file."""
        self._file = file
        self._left = most_bytes
        self._number = 0

    def __iter__(self) -> Iterator[JsonObject]:
        while (found := self.next_if_any()) is not None:
            yield found

    def next(self) -> JsonObject:
        """Return the next line. Raises RecordError."""
        found = self.next_if_any()
        if found is None:
            raise RecordError(f"the file is cut: it ends after line {self._number - 1}")
        return found

    def next_if_any(self) -> JsonObject | None:
        """Return the next line, None at the end. Raises RecordError."""
        raw = self.raw = self._file.readline(MAX_LINE_BYTES + 1)
        self._number += 1
        self._left -= len(raw)
        if self._left < 0:
            raise RecordError(
                f"it unpacks to more than {UNPACKED} times its size, which no record does: unpack"
                " it first, if you know where it comes from"
            )
        if not raw and self._number > 1:
            return None
        value = line(raw, self._number)
        if not _is_canonical(raw, value) and len(self.flaws) < MOST_FLAWS:
            self.flaws.append(
                f"line {self._number} is not as canonical JSON writes what it says: a key stands"
                " twice or in another place, or there is white space or another spelling"
            )
        return value


def _is_canonical(raw: bytes, value: JsonObject) -> bool:
    try:
        return orjson.dumps(value, option=_WRITTEN) == raw
    except orjson.JSONEncodeError:  # nested too deeply
        return False


class StoredCopies(Sequence[JsonObject]):
    """The events of a long record, in a temporary file: each access reads it."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - closed when nobody has this any more
        self._starts = array("Q", (0,))
        weakref.finalize(self, self._file.close)

    def append(self, raw: bytes) -> None:
        """Add an event in its written form. Call this before any access."""
        self._file.write(raw)
        self._starts.append(self._starts[-1] + len(raw))

    def settle(self) -> Self:
        """Flush all added events, before the first access. Raises OSError."""
        self._file.flush()
        return self

    def __len__(self) -> int:
        return len(self._starts) - 1

    @overload
    def __getitem__(self, index: int) -> JsonObject: ...
    @overload
    def __getitem__(self, index: slice) -> list[JsonObject]: ...
    def __getitem__(self, index: int | slice) -> JsonObject | list[JsonObject]:
        if isinstance(index, slice):
            return [self[each] for each in range(*index.indices(len(self)))]
        place = range(len(self))[index]
        (found,) = self._lines(place, place + 1)
        return _loaded(found)

    def __iter__(self) -> Iterator[JsonObject]:
        starts, first = self._starts, 0
        while first < len(self):
            until = max(first + 1, bisect_right(starts, starts[first] + _BLOCK_BYTES) - 1)
            for found in self._lines(first, until):
                yield _loaded(found)
            first = until

    def _lines(self, first: int, until: int) -> list[bytes]:
        begins, ends = self._starts[first], self._starts[until]
        return os.pread(self._file.fileno(), ends - begins, begins).split(b"\n")[:-1]


_BLOCK_BYTES = 1 << 18


def _loaded(raw: bytes) -> JsonObject:
    found: JsonObject = orjson.loads(raw)
    return found


def copies_in(lines: RecordLines, count: int | None = None) -> Sequence[JsonObject]:
    """Return the next ``count`` lines, or all remaining ones, as the events of a record.

    Raises:
        RecordError: a line is not an event, or there are too few lines.
        OSError: there is no room for the temporary file.
    """
    kept: list[JsonObject] = []
    raws: list[bytes] = []
    size = 0
    stored: StoredCopies | None = None
    while count is None or len(kept if stored is None else stored) < count:
        copy = lines.next_if_any() if count is None else lines.next()
        if copy is None:
            break
        if stored is not None:
            stored.append(lines.raw)
            continue
        kept.append(copy)
        raws.append(lines.raw)
        size += len(lines.raw)
        if size > KEPT_BYTES:
            stored = StoredCopies()
            for raw in raws:
                stored.append(raw)
            kept, raws = [], []
    return kept if stored is None else stored.settle()


def most_bytes(path: Path) -> float:
    """Return the maximum size, in bytes, of a file's unpacked contents. Raises OSError."""
    return UNPACKED * path.stat().st_size if is_packed(path) else math.inf


def read(path: Path) -> Record:
    """Read a record, of any length.

    Raises:
        RecordError: it is not a record, or it is cut off.
        OSError: it cannot be read.
    """
    with opened(path) as file:
        lines = RecordLines(file, most_bytes(path))
        first = lines.next()
        check_header(first)
        copies = copies_in(lines)
    if len(copies) < first["version"]:
        raise RecordError(
            f"the record is cut: its header tells of {first['version']} events,"
            f" the file has {len(copies)}"
        )
    return Record(first, copies, tuple(lines.flaws))


def line(raw: bytes, number: int) -> JsonObject:
    """Read one line of a record. Raises RecordError."""
    if len(raw) > MAX_LINE_BYTES:
        raise RecordError(f"line {number} is longer than {MAX_LINE_BYTES} bytes")
    if not raw.endswith(b"\n"):
        raise RecordError(f"line {number} is cut: it does not end" if raw else "the file is empty")
    try:
        value: Any = orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        raise RecordError(f"line {number} is not JSON: {error}") from None
    if not isinstance(value, dict):
        raise RecordError(f"line {number} is not a JSON object")
    return value


def check_header(first: JsonObject) -> None:
    """Raise RecordError unless a line is the header of a game's record.

    Further fields are allowed here: ``checks`` reports them as forged.
    """
    export = first.get("export")
    if export in ENDED_FORMATS:
        raise RecordError(f"this format ended before the first release: {export}")
    if type(export) is str and _LATER.fullmatch(export):
        raise LaterFormatError(export)
    if type(export) is str and export.startswith("lonja-pack/"):
        raise RecordError("a pack of records: `lonja archive export` takes a record out of it")
    if export != EXPORT:
        raise RecordError(f'the first line is no header of a record ("export": "{EXPORT}")')
    if missing := HEADER.keys() - first.keys():
        raise RecordError(f"the header lacks {', '.join(sorted(missing))}")
    for name, kinds in HEADER.items():
        if type(first[name]) not in kinds:
            raise RecordError(f"the header's {name} cannot be {first[name]!r:.80}")
    if first["version"] < 1:
        raise RecordError(f"the header's version cannot be {first['version']}")
