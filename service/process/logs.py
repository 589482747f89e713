"""Structured logs on standard error: JSON for programs, or text for people.

Control characters of inputs are escaped in both.
"""

import io
import json
import logging
import sys
from collections.abc import MutableMapping
from contextlib import suppress
from contextvars import ContextVar
from typing import Any, BinaryIO, TextIO, cast

import structlog
from structlog.typing import ExcInfo, Processor

from service.process.terminal import printable, printable_below
from service.settings import Settings

_request_id: ContextVar[str | None] = ContextVar("request_id", default=None)
"""The id of a thread's request.

It is not one of structlog's context variables, because reading one goes through all of them.
"""


def configure(settings: Settings) -> None:
    """Set up structlog for this process by ``settings``."""
    level = logging.getLevelNamesMapping()[settings.log_level.upper()]
    shared: list[Processor] = [
        _with_request_id,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    if settings.log_format == "json":
        structlog.configure(
            processors=[
                *shared,
                structlog.processors.format_exc_info,
                structlog.processors.JSONRenderer(serializer=_dumps),
            ],
            wrapper_class=structlog.make_filtering_bound_logger(level),
            logger_factory=structlog.BytesLoggerFactory(
                cast("BinaryIO", _LeakyStream(sys.stderr.buffer))
            ),
        )
    else:
        structlog.configure(
            processors=[
                *shared,
                _printable_values,
                structlog.dev.ConsoleRenderer(
                    colors=sys.stderr.isatty(), exception_formatter=_traceback
                ),
            ],
            wrapper_class=structlog.make_filtering_bound_logger(level),
            logger_factory=structlog.PrintLoggerFactory(cast("TextIO", _LeakyStream(sys.stderr))),
        )


def about(request_id: str | None) -> None:
    """Label the log lines of this thread with a request's id from now on.

    If ``request_id`` is None, the lines have no id from now on.
    """
    _request_id.set(request_id)


def request_id() -> str | None:
    """Return the id of this thread's current request; None if it has none."""
    return _request_id.get()


def _with_request_id(
    _logger: object, _name: str, event: MutableMapping[str, Any]
) -> MutableMapping[str, Any]:
    known = _request_id.get()
    if known is not None:
        event.setdefault("request_id", known)
    return event


class _LeakyStream:
    """A stream that drops unwritable text, so that a full disk does not stop the service."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def write(self, text: Any) -> None:
        with suppress(OSError):
            self._stream.write(text)

    def flush(self) -> None:
        with suppress(OSError):
            self._stream.flush()


class Printable(logging.Filter):
    """A filter that makes a library logger's records printable."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = printable(record.getMessage()), None
        if record.exc_info:
            record.exc_text = printable_below(logging.Formatter().formatException(record.exc_info))
        return True


def _printable_values(
    _logger: object, _name: str, event: MutableMapping[str, Any]
) -> MutableMapping[str, Any]:
    return {
        name: printable(value) if isinstance(value, str) else value for name, value in event.items()
    }


def _traceback(out: TextIO, exc_info: ExcInfo) -> None:
    plain = io.StringIO()
    # Tracebacks have no local variables, because these include keys and secrets.
    structlog.dev.plain_traceback(plain, exc_info)
    out.write(printable_below(plain.getvalue()))


def _dumps(value: object, **_kwargs: object) -> bytes:
    return json.dumps(value, default=str).encode()  # ASCII only: the escapes of JSON are printable
