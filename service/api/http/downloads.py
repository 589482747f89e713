"""Downloads of records that are generated while they are sent; supports ranges (RFC 9110, 14).

A record is sent in pieces, and other requests run in between. Only its length is kept, so a resumed
download costs as much as a whole one.
"""

import errno
from collections.abc import Callable, Iterator
from typing import NamedTuple

import structlog
from flask import Response, request

from rules.kernel.canonical import JsonObject
from service.api.http import codings
from service.api.http.context import Caller
from service.api.http.responses import NDJSON, for_caller, unchanged
from service.games.downloads import Download, Downloads
from service.problems import Problem
from service.process.fair_queue import paced
from service.records import game_file

log = structlog.get_logger(__name__)

PIECE_BYTES = 32 * 1024
"""Minimum bytes of a piece; generating them takes half a millisecond."""


class RecordDownload(NamedTuple):
    """A record to send as a file ``name``; ``lines`` generates its lines anew at each call.

    ``is_final`` is true if the record will never change. Only then do ranges of bytes from several
    requests fit together.
    """

    name: str
    etag: str
    is_final: bool
    lines: Callable[[], Iterator[JsonObject]]


class _Span(NamedTuple):
    """A range of bytes of a record.

    ``first`` is the position of the range's first byte, and ``end`` is the position after its last
    byte. ``length`` is the number of bytes of the whole record.
    """

    first: int
    end: int
    length: int


def send(caller: Caller, record: RecordDownload) -> Response:
    """Answer with a record, with the requested range of the record, or with 304.

    Raises: Problem: ``too_many_records``, ``range_not_satisfiable``; and whatever generating the
        record raises before the first byte is sent. Later errors close the connection with the body
        unfinished.
    """
    if same := unchanged(record.etag):
        return same
    downloads = caller.services.downloads
    if request.method == "HEAD":
        return _headed(record, iter(()), codings.wanted(), downloads.length(record.etag))
    download = downloads.begin(caller.address, caller.allowance)
    try:
        response = _answer(record, _RecordFile(record, downloads, download))
    except BaseException:
        download.close()
        raise
    response.call_on_close(download.close)
    return response


class _RecordFile(NamedTuple):
    """Generates a record for one caller, anew each time."""

    record: RecordDownload
    downloads: Downloads
    download: Download

    def pieces(self) -> Iterator[bytes]:
        """Yield the record's bytes in pieces.

        If the record is final, its length is noted at the end.
        """
        piece, length = bytearray(), 0
        for line in paced(self.record.lines()):
            piece += game_file.written(line)
            if len(piece) >= PIECE_BYTES:
                yield bytes(piece)
                length += len(piece)
                piece.clear()
                self.download.go_on()
        yield bytes(piece)
        if self.record.is_final:
            self.downloads.note_length(self.record.etag, length + len(piece))

    def length(self) -> int:
        """Return the record's length in bytes.

        If the length is not known, generate the whole record to measure it.
        """
        known = self.downloads.length(self.record.etag)
        return sum(map(len, self.pieces())) if known is None else known


def _answer(record: RecordDownload, making: _RecordFile) -> Response:
    if not _wants_part(record):
        coding = codings.wanted()
        body = _begun(codings.streamed(making.pieces(), coding), making.download)
        return _headed(record, body, coding, making.downloads.length(record.etag))
    span = _span(making.length())
    body = _begun(_cut(making.pieces(), span), making.download)
    response = _headed(record, body, None, span.end - span.first)
    response.status_code = 206
    response.headers["Content-Range"] = f"bytes {span.first}-{span.end - 1}/{span.length}"
    return response


def _wants_part(record: RecordDownload) -> bool:
    """Whether to send only a range of the record.

    The request must ask for a range, and the record, the content coding and ``If-Range`` must
    permit it.
    """
    asked, condition = request.range, request.headers.get("If-Range")
    if not record.is_final or asked is None or asked.units != "bytes" or len(asked.ranges) != 1:
        return False
    return condition in (None, f'"{record.etag}"') and codings.takes_plain()


def _span(length: int) -> _Span:
    """Return the requested range. Raises Problem (``range_not_satisfiable``)."""
    assert request.range is not None  # noqa: S101 - a part is asked for
    ((first, end),) = request.range.ranges
    if first < 0:
        first = max(0, length + first)
    if first >= length:
        headers = {"Content-Range": f"bytes */{length}"}
        message = f"the record has {length} bytes"
        raise Problem("range_not_satisfiable", message, headers=headers, limit=length)
    return _Span(first, length if end is None else min(end, length), length)


def _headed(
    record: RecordDownload, body: Iterator[bytes], coding: str | None, length: int | None
) -> Response:
    response = Response(body, mimetype=NDJSON)
    response.set_etag(codings.etag_in(record.etag, coding))
    headers = response.headers
    headers["Accept-Ranges"] = "bytes" if record.is_final else "none"
    headers["Content-Disposition"] = f"attachment; filename={record.name}"
    if coding is not None:
        headers["Content-Encoding"] = coding
    elif length is not None:
        headers["Content-Length"] = str(length)
    return for_caller(response)


def _cut(pieces: Iterator[bytes], span: _Span) -> Iterator[bytes]:
    """Yield the bytes of a span."""
    before = 0
    for piece in pieces:
        if part := piece[max(0, span.first - before) : max(0, span.end - before)]:
            yield part
        before += len(piece)
        if before >= span.end:
            return


def _begun(body: Iterator[bytes], download: Download) -> Iterator[bytes]:
    """Generate the first piece now, so that an error in it is answered as a problem.

    A later error resets the connection: otherwise a client could not tell a body that was cut off
    from a complete one, because the answer has no ``Content-Length``.
    """
    first = next(body, b"")
    path = request.path

    def going_on() -> Iterator[bytes]:
        yield first
        try:
            yield from body
        except Exception as error:
            log.warning("record_cut", path=path, error=type(error).__name__, reason=str(error))
            raise ConnectionResetError(errno.ECONNRESET, "the record is cut") from error
        finally:
            download.close()

    return going_on()
