"""Records that a service sends: ``GET /v1/games/{game_id}/record``, and that of a tournament."""

import contextlib
import http.client
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from http import HTTPStatus
from urllib.parse import urlsplit

import orjson

from rules.kernel.canonical import JsonObject
from service.cli.common import Failure
from service.records import game_file, tournament_file
from service.records.game_file import MAX_LINE_BYTES, RecordError

ATTEMPTS = 5
"""So often it goes on where the connection was cut, unless more has come meanwhile."""
PAUSE_SECONDS = 1.0
PIECE_BYTES = 64 * 1024
TIMEOUT_SECONDS = 60

Read = Callable[[Iterator[JsonObject]], Iterator[JsonObject]]


def game(url: str, path: str, key: str | None) -> Iterator[JsonObject]:
    """Yield the lines of the record of a game, at ``path`` of the service at ``url``.

    Raises Failure, also if what comes is no whole record.
    """
    return _whole(_lines(url, path, key), _game)


def tournament(url: str, path: str, key: str | None) -> Iterator[JsonObject]:
    """Yield the lines of the record of a tournament; as ``game``."""
    return _whole(_lines(url, path, key), _tournament)


def _whole(lines: Iterator[JsonObject], read: Read) -> Iterator[JsonObject]:
    """Yield the lines of one record, which is all that there is."""
    try:
        yield from read(lines)
        _need_end(lines)
    except RecordError as error:
        raise Failure(f"The service sends no whole record: {error}.") from None


def _game(lines: Iterator[JsonObject]) -> Iterator[JsonObject]:
    header = _next(lines)
    game_file.check_header(header)
    yield header
    for _ in range(header["version"]):
        yield _next(lines)


def _tournament(lines: Iterator[JsonObject]) -> Iterator[JsonObject]:
    header = _next(lines)
    tournament_file.check_header(header)
    yield header
    for _ in range(header["version"]):
        yield _next(lines)
    for _ in range(header["games"]):
        yield from _game(lines)


def _need_end(lines: Iterator[JsonObject]) -> None:
    if next(lines, None) is not None:
        raise RecordError("there is more after its end")


def _next(lines: Iterator[JsonObject]) -> JsonObject:
    found = next(lines, None)
    if found is None:
        raise RecordError("it was cut")
    return found


def _lines(url: str, path: str, key: str | None) -> Iterator[JsonObject]:
    """Yield what is sent, line by line. Raises Failure, RecordError."""
    number, cut = 0, b""
    for piece in _pieces(checked_url(url) + path, key):
        *lines, cut = (cut + piece).split(b"\n")
        for text in lines:
            number += 1
            yield game_file.line(text + b"\n", number)
        if len(cut) > MAX_LINE_BYTES:
            break
    if cut:
        game_file.line(cut, number + 1)  # which raises


def _pieces(url: str, key: str | None) -> Iterator[bytes]:
    """Yield the bytes at ``url``: all of them, if what was cut stays as it is. Raises Failure."""
    received, etag, left = 0, None, ATTEMPTS
    while True:
        asked = urllib.request.Request(url, headers={"Accept": "application/x-ndjson"})  # noqa: S310 - the scheme is checked
        if key:
            asked.add_header("Authorization", f"Bearer {key}")
        if etag is not None:
            asked.add_header("Range", f"bytes={received}-")
            asked.add_header("If-Range", etag)
        try:
            with urllib.request.urlopen(asked, timeout=TIMEOUT_SECONDS) as answer:  # noqa: S310
                if received and answer.status != HTTPStatus.PARTIAL_CONTENT:
                    raise Failure("The record has changed since the connection was cut: try again.")
                if answer.headers["Accept-Ranges"] == "bytes":
                    etag = answer.headers["ETag"]
                while piece := answer.read(PIECE_BYTES):
                    received, left = received + len(piece), ATTEMPTS
                    yield piece
                if not answer.length:
                    return
                why = "the connection was cut"
        except urllib.error.HTTPError as error:
            raise Failure(f"The service refuses: {problem_of(error)}") from None
        except (OSError, ValueError, http.client.HTTPException) as error:
            why = str(error) or type(error).__name__
        left -= 1
        if etag is None or not received or not left:
            raise Failure(f"The service does not answer: {why}")
        time.sleep(PAUSE_SECONDS)


def checked_url(url: str) -> str:
    """Return a service's address, without a slash at its end. Raises Failure."""
    if urlsplit(url).scheme not in ("http", "https"):
        raise Failure(f"A service's address begins with http:// or https://, not {url!r}.")
    return url.rstrip("/")


def problem_of(error: urllib.error.HTTPError) -> str:
    """Return the problem that a service answered, in words."""
    with contextlib.suppress(Exception):
        problem = orjson.loads(error.read())
        return f"{problem['title']} ({problem['code']}, {error.code})"
    return f"HTTP {error.code}"
