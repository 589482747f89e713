"""Saved games of the terminal: a line with the game's options, and a line for each event.

A file grows with the game, event by event, so that no move is lost. Only its owner may read it,
since it holds the seed of all luck. To load a game, its events are folded again.
"""

import base64
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from rules.kernel.contract.registry import Registry, UnknownRulesetError
from rules.kernel.contract.seats import Seat
from rules.kernel.record.events import Event, dump, load
from service.cli.local import LocalGame

FORMAT = "lonja-play-1"
SUFFIX = ".lonja"


class BadSaveError(Exception):
    """A file is not a valid saved game; the message names it and the fault."""


class LoadedGame(NamedTuple):
    """A loaded game, and its viewer."""

    local: LocalGame
    seat: Seat


class Save:
    """The file of one game."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.name = path.stem

    def begin(self, seed: str, seat: Seat) -> None:
        """Create the file, which only its owner may read. Raises OSError."""
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        opened = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(opened, "wb") as file:
            file.write(_line({"format": FORMAT, "seed": seed, "seat": seat}))

    def append(self, events: Iterable[Event]) -> None:
        """Append events to the file. Raises OSError."""
        lines = b"".join(map(_written, events))
        if lines:
            # Unbuffered, so that a batch is written at once.
            with self.path.open("ab", buffering=0) as file:
                file.write(lines)

    def read(self, registry: Registry) -> LoadedGame:
        """Return the game, folded from its events.

        Raises:
            BadSaveError: the file is no saved game, or is damaged.
        """
        try:
            head, *lines = self.path.read_bytes().splitlines()
            asked = orjson.loads(head)
            local, seat = LocalGame(registry, asked["seed"]), Seat(int(asked["seat"]))
            known = asked["format"] == FORMAT
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise BadSaveError(f"{self.path} is no saved game: {error}") from None
        if not known:
            raise BadSaveError(f"{self.path} has a format that is not known: {asked['format']!r}")
        for number, line in enumerate(lines, 2):
            try:
                event = _read(number - 1, line)
                local.game.take(event)
            except UnknownRulesetError as error:
                raise BadSaveError(f"{self.path}: {error}") from None
            except Exception as error:  # noqa: BLE001 - whatever a damaged line makes the rules do
                what = f"{type(error).__name__}: {error}"
                raise BadSaveError(f"{self.path} is damaged in line {number} ({what})") from None
            local.events.append(event)
        if local.game.state is None:
            raise BadSaveError(f"{self.path} is damaged: it ends before the game starts")
        return LoadedGame(local, seat)


def find(folder: Path, name: str) -> Save:
    """Return the saved game ``name``, which may also be the path of a file.

    Raises:
        BadSaveError: there is no such game.
    """
    for path in (folder / f"{name.removesuffix(SUFFIX)}{SUFFIX}", Path(name)):
        if path.is_file():
            return Save(path)
    raise BadSaveError(f"there is no saved game {name!r} in {folder}")


def listed(folder: Path) -> list[Save]:
    """Return all saved games of a folder, newest first."""
    paths = sorted(folder.glob(f"*{SUFFIX}"), key=lambda path: path.stat().st_mtime, reverse=True)
    return [Save(path) for path in paths]


def new(folder: Path, ruleset: str) -> Save:
    """Return a file for a new game; the file does not exist yet."""
    number = 1
    while True:
        path = folder / f"{ruleset}-{number}{SUFFIX}"
        if not path.exists():
            return Save(path)
        number += 1


def _line(data: Any) -> bytes:
    return orjson.dumps(data) + b"\n"


def _written(event: Event) -> bytes:
    record, proofs = dump(event)
    return _line([orjson.Fragment(record), base64.b64encode(proofs).decode()])


def _read(seq: int, line: bytes) -> Event:
    record, proofs = orjson.loads(line)
    return load(seq, orjson.dumps(record), base64.b64decode(proofs))
