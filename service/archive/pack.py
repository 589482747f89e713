"""Packs: immutable files of finished games and tournaments (docs/format.md, "Packs").

A pack is a gzip file of several members: a head, a member for each record, the index with a line
for each record, and a trailer with the place of the index. Its name is its SHA-256.
"""

import re
import struct
import zlib
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from io import BytesIO
from typing import Any, NamedTuple, Protocol

from rules.kernel.canonical import JsonObject
from rules.kernel.record.game import ABORTED, DAMAGED, ENDED
from service.archive.short import completed, shortened
from service.records import game_file, tournament_file
from service.records.game_file import Record, RecordError, RecordLines, written

FORMATS = "lonja-pack/"
EXPORT = f"{FORMATS}1"
SUFFIX = ".pack"
PRIVATE_SUFFIX = ".private"
"""The suffix of packs that are encrypted (``service.archive.private``)."""
AIM_BYTES = 64 * 1024 * 1024
"""Size at which a pack gets no further record."""

TAIL_BYTES = 1024 * 1024
"""How much of a pack's end is read at once: its trailer, and usually all of its index."""

MOST_BYTES = 256 * 1024 * 1024
"""Maximum size, in bytes, of a member before compression."""

GAME, TOURNAMENT = "game", "tournament"
CANCELLED = "cancelled"
OVER = (ENDED, ABORTED, CANCELLED)
"""The statuses of records in packs."""

_LATER = re.compile(r"lonja-pack/([2-9]|[1-9][0-9]{1,8})")
_NAME = re.compile(r"([0-9a-f]{64})\.(?:pack|private)")
_GZIP_WINDOW = 31
_TRAILER = struct.Struct("<10sHHHQQ2sQ")
_TRAILER_HEAD = b"\x1f\x8b\x08\x04\0\0\0\0\0\xff"
_TRAILER_FIELD = int.from_bytes(b"LP", "little")
_NOTHING = b"\x03\0"
"""Deflate's form of no bytes."""


class PackError(RecordError):
    """The file is not a whole pack; the message says why."""


class Source(Protocol):
    """The bytes of one pack."""

    def tail(self, length: int) -> tuple[int, bytes]:
        """Return the pack's size, and its last ``length`` bytes. Raises OSError."""
        ...

    def read(self, offset: int, length: int) -> bytes:
        """Return bytes of the pack. Raises OSError."""
        ...


class Row(NamedTuple):
    """A line of a pack's index: the place of a record in the pack, and ``facts`` about it."""

    offset: int
    length: int
    facts: JsonObject

    @property
    def id(self) -> str:
        """The id of the game or tournament."""
        id_: str = self.facts["id"]
        return id_

    @property
    def kind(self) -> str:
        """GAME or TOURNAMENT."""
        kind: str = self.facts["kind"]
        return kind

    def to_json(self) -> JsonObject:
        """Return the line, which has no offset: it follows from the lengths before."""
        return {**self.facts, "bytes": self.length}


def name_of(digest: str) -> str:
    """Return the name of the pack with this SHA-256, in hex."""
    return f"{digest}{SUFFIX}"


def digest_in(name: str) -> str | None:
    """Return the SHA-256 that a file's name claims; None if it is no name of a pack."""
    found = _NAME.fullmatch(name)
    return found and found[1]


def is_private(name: str) -> bool:
    """Whether a pack of this name is encrypted."""
    return name.endswith(PRIVATE_SUFFIX)


def facts_of(header: JsonObject, copies: Sequence[JsonObject]) -> JsonObject:
    """Return the index entry of a record. ``copies`` are its events; of a tournament, its own.

    Raises:
        PackError: the record is not that of a finished game or tournament, or it is damaged.
    """
    first, last = copies[0], copies[-1]
    if header["status"] not in OVER:
        raise PackError(f"{_id_in(header)} goes on: a pack has what is over")
    bodies = [copy["body"] for copy in copies]
    if any(body.get("aborted", {}).get("reason") == DAMAGED for body in bodies[-2:]):
        raise PackError(f"{_id_in(header)} was ended as damaged: a pack has what can be proved")
    facts = {
        "id": _id_in(header), "status": header["status"], "version": len(copies),
        "head": last["hash"], "at": last["at"], "created_at": first["at"],
        "created_by": first["by"],
    }  # fmt: skip
    if _is_tournament(header):
        return {"kind": TOURNAMENT, "games": header["games"], **facts}
    return {
        "kind": GAME, "ruleset": header["ruleset"], "rules_version": header["rules_version"],
        "tournament": first["by"].get("tournament"),
        "entropy": bodies[0]["game"]["entropy"]["mode"],
        "started": any(copy["kind"] == "started" for copy in copies), "holders": _holders(copies),
        "result": next((body["result"] for body in bodies[-2:] if "result" in body), None), **facts,
    }  # fmt: skip


def _holders(copies: Sequence[JsonObject]) -> list[JsonObject | None]:
    """Return the last holder of each seat; None if nobody holds it."""
    holders: list[JsonObject | None] = [None] * copies[0]["body"]["game"]["seats"]
    for copy in copies:
        if copy["kind"] in ("seated", "left"):
            seat = copy["body"]["seat"]
            holders[seat["seat"]] = seat.get("holder")
    return holders


def _id_in(header: JsonObject) -> str:
    id_: str = header["tournament_id" if _is_tournament(header) else "game_id"]
    return id_


def _is_tournament(header: JsonObject) -> bool:
    return bool(header.get("export") == tournament_file.EXPORT)


# Writing


class Sink(Protocol):
    """The file, or an encrypting one, that a pack is written into."""

    def write(self, raw: bytes, /) -> int:
        """Write bytes. Raises OSError."""
        ...


class PackWriter:
    """Writes a pack to a file, record by record."""

    def __init__(self, file: Sink) -> None:
        self.size = 0
        self.rows: list[Row] = []
        self._file = file
        self._made = sha256()
        self._ids: set[str] = set()
        self._put([{"export": EXPORT}])

    @property
    def full(self) -> bool:
        """Whether the pack is large enough."""
        return self.size >= AIM_BYTES

    def add(self, header: JsonObject, copies: Sequence[JsonObject]) -> None:
        """Add the record of a finished game, or a tournament's without its games.

        Raises:
            PackError: it is in the pack already; or as for ``facts_of``, or it is too long.
            OSError: the file cannot be written.
        """
        facts = facts_of(header, copies)
        id_ = facts["id"]
        if id_ in self._ids:
            raise PackError(f"{id_} is in the pack already")
        packed = _packed([{"record": header}, *shortened(id_, copies)])
        self._ids.add(id_)
        self.rows.append(Row(self.size, len(packed), facts))
        self._write(packed)

    def finish(self) -> str:
        """Write the index and the trailer, and return the pack's name. Raises OSError."""
        index = self.size
        self._put(row.to_json() for row in self.rows)
        self._write(_trailer(index, self.size - index))
        return name_of(self._made.hexdigest())

    def _put(self, lines: Iterable[JsonObject]) -> None:
        self._write(_packed(lines))

    def _write(self, packed: bytes) -> None:
        self._file.write(packed)
        self._made.update(packed)
        self.size += len(packed)


def _packed(lines: Iterable[JsonObject]) -> bytes:
    """Return a member of a pack. Raises PackError if it is too long."""
    packer = zlib.compressobj(9, zlib.DEFLATED, _GZIP_WINDOW)
    packed, size = bytearray(), 0
    for line in lines:
        raw = written(line)
        size += len(raw)
        if size > MOST_BYTES:
            raise PackError(f"it is longer than {MOST_BYTES} bytes")
        packed += packer.compress(raw)
    return bytes(packed + packer.flush())


def _trailer(offset: int, length: int) -> bytes:
    """Return the trailer: a gzip member of no bytes with one extra field (RFC 1952, 2.3.1.1)."""
    return _TRAILER.pack(_TRAILER_HEAD, 20, _TRAILER_FIELD, 16, offset, length, _NOTHING, 0)


# Reading


class Pack:
    """A pack whose index is read. ``rows`` are in the order of the records in the file."""

    def __init__(self, source: Source) -> None:
        """Read the end of a pack; only of a very large index, another range.

        Raises:
            PackError: it is not a whole pack.
            OSError: it cannot be read.
        """
        self._source = source
        size, tail = source.tail(TAIL_BYTES)
        offset, length = _read_trailer(tail)
        began = size - len(tail)
        end = offset + length
        if end + _TRAILER.size != size or length > MOST_BYTES:
            raise PackError("its trailer tells of another size")
        raw = tail[offset - began : end - began] if offset >= began else source.read(offset, length)
        self.size = size
        self.index = offset, length
        self.rows = _read_rows(raw, offset)

    @property
    def head(self) -> int:
        """The number of bytes before the first record."""
        return self.rows[0].offset if self.rows else self.index[0]

    def check_head(self) -> None:
        """Raise PackError unless the pack begins as its format says; raises OSError."""
        (first,) = _lines(self._source.read(0, self.head)) or [{}]
        expect_pack(first)

    def record(self, row: Row) -> Record:
        """Return the record of a game, or that of a tournament without its games; one range read.

        Raises:
            PackError: the record is damaged, or is not what the index says.
            OSError: it cannot be read.
        """
        try:
            return record_in(self._source.read(row.offset, row.length), row)
        except RecordError as error:
            raise PackError(f"{row.id}: {error}") from None


def expect_pack(first: JsonObject) -> None:
    """Raise PackError unless ``first`` is the first line of a pack."""
    export = first.get("export")
    if type(export) is str and _LATER.fullmatch(export):
        raise game_file.LaterFormatError(export)
    if first != {"export": EXPORT}:
        raise PackError(f'the first line is not that of a pack ("export": "{EXPORT}")')


def record_in(packed: bytes, row: Row) -> Record:
    """Return the record in a member of a pack, as its index tells. Raises RecordError."""
    record = record_of(packed, row.kind, row.id)
    copies = record.copies
    told = row.facts["version"], row.facts["head"]
    if not copies or (len(copies), copies[-1]["hash"]) != told:
        raise RecordError("its events lead to another head than the index tells")
    return record


def record_of(packed: bytes, kind: str, id_: str) -> Record:
    """Return the record in a member of a pack, of GAME or TOURNAMENT. Raises RecordError."""
    lines = RecordLines(BytesIO(_unpacked(packed)))
    first = lines.next()
    header = first.get("record")
    if first.keys() != {"record"} or not isinstance(header, dict):
        raise RecordError("its first line has no record's header")
    if kind == TOURNAMENT:
        tournament_file.check_header(header)
    else:
        game_file.check_header(header)
    if _id_in(header) != id_:
        raise RecordError(f"the record in its place is that of {_id_in(header)!r:.80}")
    return Record(header, [*completed(id_, [*lines])], tuple(lines.flaws))


def _read_trailer(tail: bytes) -> tuple[int, int]:
    """Return the offset and length of the index. Raises PackError."""
    raw = tail[-_TRAILER.size :]
    if len(raw) == _TRAILER.size:
        offset, length = _TRAILER.unpack(raw)[4:6]
        if raw == _trailer(offset, length):
            return offset, length
    raise PackError("it does not end with a trailer, so it is cut, or none at all")


_FACTS: dict[str, dict[str, tuple[type, ...]]] = {
    GAME: {
        "ruleset": (str,), "rules_version": (str,), "tournament": (str, type(None)),
        "entropy": (str,), "started": (bool,), "holders": (list,), "result": (dict, type(None)),
    },
    TOURNAMENT: {"games": (int,)},
}  # fmt: skip
_COMMON: dict[str, tuple[type, ...]] = {
    "kind": (str,), "id": (str,), "status": (str,), "version": (int,), "head": (str,), "at": (str,),
    "created_at": (str,), "created_by": (dict,), "bytes": (int,),
}  # fmt: skip


def _read_rows(raw: bytes, end: int) -> list[Row]:
    """Return the rows of an index; the records end at the offset ``end``. Raises PackError."""
    found = _lines(raw)
    for number, line in enumerate(found, 1):
        fields = {**_COMMON, **_FACTS.get(str(line.get("kind")), {"kind": ()})}
        for name, kinds in fields.items():
            if type(line.get(name)) not in kinds:
                told = repr(line.get(name))
                raise PackError(f"line {number} of its index: {name} cannot be {told:.80}")
        if not 0 < line["bytes"] <= MOST_BYTES:
            raise PackError(f"line {number} of its index: bytes cannot be {line['bytes']}")
    if len({line["id"] for line in found}) < len(found):
        raise PackError("its index names a game or tournament twice")
    offset = end - sum(line["bytes"] for line in found)
    if offset < 1:
        raise PackError("its index tells of more bytes than there are before it")
    rows = []
    for line in found:
        length = line.pop("bytes")
        rows.append(Row(offset, length, line))
        offset += length
    return rows


def _lines(packed: bytes) -> list[JsonObject]:
    """Return the lines of a member. Raises PackError."""
    raw = _unpacked(packed)
    if not raw:
        return []
    lines = RecordLines(BytesIO(raw))
    try:
        found = [*lines]
    except RecordError as error:
        raise PackError(str(error)) from None
    if lines.flaws:
        raise PackError(lines.flaws[0])
    return found


def _unpacked(packed: bytes) -> bytes:
    """Return the decompressed bytes of a gzip member. Raises PackError."""
    unpacker = zlib.decompressobj(_GZIP_WINDOW)
    try:
        raw = unpacker.decompress(packed, MOST_BYTES + 1)
    except zlib.error as error:
        raise PackError(f"what is compressed is damaged: {error}") from None
    if len(raw) > MOST_BYTES:
        raise PackError(f"a part of it unpacks to more than {MOST_BYTES} bytes")
    if not unpacker.eof or unpacker.unused_data:
        raise PackError("a part of it does not end where the index says")
    return raw


# Several packs


def record_lines(records: Iterable[Record]) -> Iterator[JsonObject]:
    """Yield the lines of a record as a service sends it: a tournament's games come after it."""
    for record in records:
        yield record.header
        yield from record.copies


def other_histories(packs: Iterable[tuple[str, Pack]]) -> Iterator[tuple[str, str]]:
    """Yield (file, sentence) for each record that another file has with another history.

    ``packs`` are files with the packs in them.
    """
    heads: dict[str, tuple[str, Any]] = {}
    for file, pack in packs:
        for row in pack.rows:
            told = row.facts["version"], row.facts["head"]
            first, known = heads.setdefault(row.id, (file, told))
            if known != told:
                yield file, f"{row.id} has another history here than in {first}"
