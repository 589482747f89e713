"""Logs that commands read: in a folder, or on a service or mirror."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Any

import click
from lonja_client import LonjaError, Refused, Unreachable
from lonja_client.retries import Retries
from lonja_client.transport import Request, Transport

from service.cli.common import Failure
from service.cli.remote import PATIENCE_SECONDS
from service.tlog.errors import TlogError
from service.tlog.keys import VerifierKey
from service.tlog.reading import CHECKPOINT, ReadFile

SECONDS = 600
"""Maximum time for reading a log."""
_TIMEOUT_SECONDS = 20.0
_LOG = "/log"


def log_key_option(text: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return the option ``--log-key``, of which there may be several; ``text`` is its help."""
    return click.option(
        "--log-key", "log_keys", multiple=True, metavar="KEY", callback=read_log_keys, help=text
    )


def read_log_keys(
    _context: click.Context, _option: click.Parameter, keys: tuple[str, ...]
) -> tuple[VerifierKey, ...]:
    """Return the keys of a log. Raises click.BadParameter."""
    try:
        return tuple(map(VerifierKey.parse, keys))
    except TlogError as error:
        raise click.BadParameter(f"{error}.") from None


def is_url(log: str) -> bool:
    """Whether a log is named by an address rather than a folder."""
    return log.startswith(("http://", "https://"))


def service_of(log: str) -> str:
    """Return the address of the service whose log this is: it is served below ``/log``."""
    return log.rstrip("/").removesuffix(_LOG)


@contextmanager
def opened_log(
    log: str, seconds: float = SECONDS, patience: float = PATIENCE_SECONDS
) -> Iterator[ReadFile]:
    """Yield the function that reads files of the log at an address or in a folder.

    It raises TlogError if a file is too large, and Failure if the log cannot be read: a file not
    within ``patience`` seconds, or all of them not within ``seconds``.

    Raises:
        Failure: there is no such folder, or the address is none.
    """
    ends = time.monotonic() + seconds
    url = f"{service_of(log)}{_LOG}" if is_url(log) else None
    transport = None if url is None else _transport(url)
    read = _local(Path(log)) if transport is None else _remote(transport, f"{url}", patience)

    def bounded(name: str, most: int) -> bytes | None:
        if time.monotonic() > ends:
            raise Failure(
                f"{log} was not read within {seconds} s. Copy the log into a folder, and name that."
            )
        found = read(name, most)
        if found is not None and len(found) > most:
            raise TlogError(f"{name} has more than {most} bytes")
        return found

    try:
        yield bounded
    finally:
        if transport is not None:
            transport.close()


def _local(folder: Path) -> ReadFile:
    """Read a copy of what is served below ``/log``, or the folder in which it is built."""
    if not folder.is_dir():
        raise Failure(f"There is no folder {folder}; an address begins with http:// or https://.")
    if (folder / "public" / CHECKPOINT).is_file():
        folder /= "public"

    def read(name: str, most: int) -> bytes | None:
        try:
            with (folder / name).open("rb") as file:
                return file.read(most + 1)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise Failure(f"{folder / name} cannot be read: {error.strerror}.") from None

    return read


def _transport(url: str) -> Transport:
    try:
        return Transport(url, None, "en", _TIMEOUT_SECONDS)
    except ValueError as error:
        raise Failure(f"{url} is no address of a log: {error}.") from None


def _remote(transport: Transport, url: str, patience: float) -> ReadFile:

    def once(name: str) -> bytes | None:
        answer = transport.ask(Request("GET", f"/{name}"))
        if answer.status == HTTPStatus.NOT_FOUND:
            return None
        if answer.status != HTTPStatus.OK:
            after = answer.headers.get("retry-after", "")
            raise Refused(answer.status, {}, float(after) if after.isdecimal() else 0.0)
        return answer.body

    def read(name: str, _most: int) -> bytes | None:
        retries = Retries(patience, threading.Event())
        while True:
            try:
                try:
                    return once(name)
                except (Refused, Unreachable) as error:
                    retries.failed(error)
            except LonjaError as error:
                raise Failure(f"{url}/{name} cannot be read: {error}.") from None

    return read
