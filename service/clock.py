"""Wall time as the API and the events write it: RFC 3339, UTC, milliseconds."""

import time
from datetime import UTC, datetime
from functools import lru_cache


def now() -> str:
    """Return the present, like ``2026-11-20T21:29:00.123Z``."""
    return from_ms(time.time_ns() // 1_000_000)


def from_ms(ms: int) -> str:
    """Write milliseconds since 1970."""
    return f"{_second(ms // 1000)}.{ms % 1000:03}Z"


@lru_cache(maxsize=64)
def _second(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S")


def to_ms(text: str) -> int:
    """Read milliseconds since 1970 back."""
    return round(datetime.fromisoformat(text).timestamp() * 1000)
