"""Times as events have them (RFC 3339), always in UTC: ``2026-11-20T21:29:00.123Z``.

All texts have the same length, so sorting the texts sorts the times.
"""

import re
from datetime import UTC, datetime
from functools import lru_cache

_WRITTEN = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", re.ASCII)


def from_ms(ms: int) -> str:
    """Return the time ``ms`` milliseconds after 1970 as text."""
    return f"{_second(ms // 1000)}.{ms % 1000:03}Z"


def to_ms(text: str) -> int:
    """Return the milliseconds since 1970 of a text from ``from_ms``."""
    return round(datetime.fromisoformat(text).timestamp() * 1000)


def moved_on(at: int, since: int, until: int) -> int:
    """Return a time (ms), moved on by how long a clock that ran from it stood still.

    The clock stood still from ``since`` to ``until``; all earlier stand-stills are in ``at``.
    """
    return at + max(0, until - max(since, at))


def is_instant(value: object) -> bool:
    """Whether ``value`` is a point in time in the form of ``from_ms``."""
    return type(value) is str and _WRITTEN.fullmatch(value) is not None and _is_second(value[:19])


@lru_cache(maxsize=64)
def _is_second(text: str) -> bool:
    try:
        return _second(to_ms(f"{text}Z") // 1000) == text
    except ValueError:  # the text names no date, for instance the 31st of February
        return False


@lru_cache(maxsize=64)
def _second(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S")
