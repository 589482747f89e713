"""Files beside packs: what belongs to archived games and tournaments, and is not in their records.

Each pack has one file beside it, in the folder ``beside``, with the pack's SHA-256 as its name. It
is gzipped NDJSON: a head, and a line for each record of the pack that has anything beside it:

    {"export": "lonja-beside/1"}
    {"id", "requests": [[seq, player, key, fingerprint], …], "table": {field: value, …}, "origin"}

``requests`` are those that the batches which begin with the event ``seq`` have answered, by hashes
in hex, so that a repetition gets the same answer; the player is null if an admin or a worker made
the request. ``table`` has the fields of the game's table (``service.ledger.terms``), and ``origin``
is that of an imported game or tournament (``service.ledger.origin``), else null.

In contrast to packs, these files are rewritten, and are for the service's eyes only. Records are
whole without them; but without the terms of its table, nobody may read a game in a private pack.
"""

import gzip
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple, Self

import orjson

from rules.kernel.canonical import JsonObject
from service.ledger.store import Retry
from service.ledger.terms import TERMS, without_players
from service.records.game_file import written

EXPORT = "lonja-beside/1"
_HEAD = written({"export": EXPORT})
_PLAYER = re.compile(rb"p-[a-z2-7]{16}")
_NO_FIELDS: Mapping[str, str] = MappingProxyType({})


class BesideError(ValueError):
    """The file is no whole file beside a pack, or a newer one; the message says why."""


class AnsweredRequest(NamedTuple):
    """A request that the batch which begins with the event ``seq`` has answered.

    ``player`` is None if an admin or a worker made it.
    """

    seq: int
    player: str | None
    retry: Retry


class Beside(NamedTuple):
    """A line of a file beside a pack: the answered requests, the table and the origin of ``id``."""

    id: str
    requests: tuple[AnsweredRequest, ...] = ()
    table: Mapping[str, str] = _NO_FIELDS
    origin: JsonObject | None = None

    def __bool__(self) -> bool:
        """Whether the line says anything."""
        return bool(self.requests or self.table or self.origin)

    def without(self, players: frozenset[str]) -> Self:
        """Return it without what is only about these players, who have left the installation."""
        requests = tuple(each for each in self.requests if each.player not in players)
        return self._replace(requests=requests, table=without_players(self.table, players))

    def expect_terms(self) -> None:
        """Raise BesideError unless the line, beside a private pack, says who may read the game."""
        if TERMS not in self.table:
            raise BesideError(
                "the file beside its pack is lost, and with it who may read it, or is another one"
            )

    def to_json(self) -> JsonObject:
        """Return the line of the file."""
        requests = [
            [seq, player, retry.key.hex(), retry.fingerprint.hex()]
            for seq, player, retry in self.requests
        ]
        return {**self._asdict(), "requests": requests, "table": dict(self.table)}

    @classmethod
    def from_json(cls, line: JsonObject) -> Self:
        """Read a line of the file. Raises AttributeError, KeyError, TypeError or ValueError."""
        requests = tuple(
            AnsweredRequest(seq, player, Retry(bytes.fromhex(key), bytes.fromhex(fingerprint)))
            for seq, player, key, fingerprint in line["requests"]
        )
        # A member that this release does not know is an error: rewriting would lose it.
        return cls(**{**line, "requests": requests, "table": dict(line["table"])})


def packed(each: Iterable[Beside]) -> bytes:
    """Return the contents of a file with the lines that have anything to say."""
    lines = b"".join(written(one.to_json()) for one in each if one)
    return gzip.compress(_HEAD + lines, mtime=0)


def read(raw: bytes) -> Iterator[Beside]:
    """Yield the lines of a file. Raises BesideError."""
    _head, *lines = unpacked(raw).splitlines()
    yield from map(_read_line, lines)


def players_in(raw: bytes) -> set[str]:
    """Return the ids of all players in a file. Raises BesideError."""
    return {found.decode() for found in _PLAYER.findall(unpacked(raw))}


def unpacked(raw: bytes) -> bytes:
    """Return the lines of a file, the first of which is its head. Raises BesideError."""
    try:
        lines = gzip.decompress(raw)
    except (EOFError, OSError, zlib.error) as error:
        raise BesideError(f"what is compressed is damaged: {error}") from None
    if not lines.startswith(_HEAD):
        raise BesideError(f"its first line is not that of {EXPORT}")
    return lines


def find(lines: bytes, id_: str) -> Beside:
    """Return the line of a game or tournament in ``lines``, an unpacked file; an empty one if none.

    No other line is parsed. Raises BesideError.
    """
    begin = lines.find(b'\n{"id":"%b",' % id_.encode()) + 1
    if not begin:
        return Beside(id_)
    end = lines.find(b"\n", begin)
    return _read_line(lines[begin:end])


def _read_line(line: bytes) -> Beside:
    try:
        return Beside.from_json(orjson.loads(line))
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        told = f"{line!r:.60} ({type(error).__name__} {error})"
        raise BesideError(f"a line of it is not one of {EXPORT}: {told}") from None
