"""What is written to the log, and what never is."""

import io
import sys

import orjson
import pytest
import structlog

from service import logs
from service.settings import load


def written(monkeypatch: pytest.MonkeyPatch, style: str) -> str:
    """Return what a fault leaves in the log while a secret is in a local variable."""
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stderr", io.TextIOWrapper(raw, write_through=True))
    configured = structlog.get_config()
    try:
        logs.configure(load({"LONJA_LOG_FORMAT": style}))
        _fail("lk_not_for_logs")
    finally:
        structlog.configure(**configured)
        structlog.reset_defaults()
    return raw.getvalue().decode()


def _fail(key: str) -> None:
    log = structlog.get_logger("test")
    try:
        int(f"{len(key)}!")
    except ValueError:
        log.exception("request_failed")
        log.debug("hidden")


@pytest.mark.parametrize("style", ["json", "text"])
def test_a_fault_is_logged_without_the_values_at_hand(
    monkeypatch: pytest.MonkeyPatch, style: str
) -> None:
    text = written(monkeypatch, style)
    assert "request_failed" in text
    assert "ValueError" in text
    assert "lk_not_for_logs" not in text
    assert "hidden" not in text
    if style == "json":
        assert orjson.loads(text)["level"] == "error"
