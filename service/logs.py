"""Structured logs on standard error: JSON for programs, or text for people."""

import logging
import sys

import orjson
import structlog
from structlog.typing import Processor

from service.settings import Settings


def configure(settings: Settings) -> None:
    """Set up structlog for this process as ``settings`` ask."""
    level = logging.getLevelNamesMapping()[settings.log_level.upper()]
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
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
            logger_factory=structlog.BytesLoggerFactory(sys.stderr.buffer),
            cache_logger_on_first_use=True,
        )
    else:
        structlog.configure(
            processors=[
                *shared,
                structlog.dev.ConsoleRenderer(
                    colors=sys.stderr.isatty(),
                    # Never with local variables: there are keys and secrets among them.
                    exception_formatter=structlog.dev.plain_traceback,
                ),
            ],
            wrapper_class=structlog.make_filtering_bound_logger(level),
            logger_factory=structlog.PrintLoggerFactory(sys.stderr),
            cache_logger_on_first_use=True,
        )


def _dumps(value: object, **_kwargs: object) -> bytes:
    return orjson.dumps(value, default=str)
