"""Wall time as the API and the events write it: RFC 3339, UTC, milliseconds."""

import time
from datetime import UTC, datetime


def now() -> str:
    """Return the present, like ``2026-11-20T21:29:00.123Z``."""
    return from_ms(time.time_ns() // 1_000_000)


def from_ms(ms: int) -> str:
    """Write milliseconds since 1970."""
    text = datetime.fromtimestamp(ms / 1000, UTC).isoformat(timespec="milliseconds")
    return text.replace("+00:00", "Z")


def to_ms(text: str) -> int:
    """Read milliseconds since 1970 back."""
    return round(datetime.fromisoformat(text).timestamp() * 1000)
