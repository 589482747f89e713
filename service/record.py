"""A game's record as a file: NDJSON, a header and then every event as one viewer sees it.

The header: ``{"export": "lonja/1", "game_id", "ruleset", "rules_version", "version", "status",
"viewer", "receipt", "public_key"}``. ``viewer`` is null for a spectator or a seat; ``receipt``
is the service's signature under the last event, ``public_key`` the key it says it signs with.
"""

import os
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from rules.kernel.canonical import JsonObject

EXPORT = "lonja/1"
MAX_FILE_BYTES = 256 * 1024 * 1024
MAX_LINE_BYTES = 4 * 1024 * 1024
MAX_EVENTS = 200_000

_HEADER: dict[str, tuple[type, ...]] = {
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


class RecordError(ValueError):
    """The file is no record of a game, or not a whole one; the message says why."""


class Record(NamedTuple):
    """A record that was read: its header and its event copies, one for each version."""

    header: JsonObject
    copies: list[JsonObject]

    @property
    def game_id(self) -> str:
        """The game that the record is of."""
        game_id: str = self.header["game_id"]
        return game_id


def header(
    game_id: str,
    created: JsonObject,
    version: int,
    status: str,
    viewer: int | None,
    receipt: JsonObject,
    public_key: str,
) -> JsonObject:
    """Return the first line of a record; ``created`` is what the event ``created`` pins."""
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


def write(path: Path, first: JsonObject, copies: Iterable[JsonObject]) -> None:
    """Write a record; the file appears under its name when it is complete, or not at all.

    Raises:
        OSError: it cannot be written.

    """
    handle, draft = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            for line in chain((first,), copies):
                file.write(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE))
            file.flush()
            os.fsync(file.fileno())
        Path(draft).chmod(0o644)
        Path(draft).replace(path)
    except BaseException:
        with suppress(OSError):
            Path(draft).unlink()
        raise


def read(path: Path) -> Record:
    """Read a record.

    Raises:
        RecordError: it is none, it is cut, or it is larger than any game.
        OSError: it cannot be read.

    """
    if path.stat().st_size > MAX_FILE_BYTES:
        raise RecordError(f"the file is larger than {MAX_FILE_BYTES} bytes")
    with path.open("rb") as file:
        first = line(file.readline(MAX_LINE_BYTES + 1), 1)
        check_header(first)
        copies: list[JsonObject] = []
        while raw := file.readline(MAX_LINE_BYTES + 1):
            if len(copies) == MAX_EVENTS:
                raise RecordError(f"there are more than {MAX_EVENTS} events")
            copies.append(line(raw, len(copies) + 2))
    if len(copies) != first["version"]:
        raise RecordError(
            f"the record is cut: its header tells of {first['version']} events,"
            f" the file has {len(copies)}"
        )
    return Record(first, copies)


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
    """Raise RecordError unless a line is the header of a game's record."""
    if first.get("export") != EXPORT:
        raise RecordError(f'the first line is no header of a record ("export": "{EXPORT}")')
    if missing := _HEADER.keys() - first.keys():
        raise RecordError(f"the header lacks {', '.join(sorted(missing))}")
    for name, kinds in _HEADER.items():
        if type(first[name]) not in kinds:
            raise RecordError(f"the header's {name} cannot be {first[name]!r:.80}")
    if first["version"] < 1:
        raise RecordError(f"the header's version cannot be {first['version']}")
