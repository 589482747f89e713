"""The contents of the log, and texts that never appear in it."""

import io
import json
import logging
import re
import sys
from contextlib import suppress
from pathlib import Path

import orjson
import pytest
import structlog

from service.process import logs
from service.settings import load


def written(monkeypatch: pytest.MonkeyPatch, style: str) -> str:
    """Return the log of an error while a local variable contains a secret."""
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stderr", io.TextIOWrapper(raw, write_through=True))
    logs.configure(load({"LONJA_LOG_FORMAT": style}))
    _fail("lk_not_for_logs")
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


@pytest.mark.parametrize("style", ["json", "text"])
def test_a_log_on_a_full_disk_loses_lines_and_nothing_else(
    monkeypatch: pytest.MonkeyPatch, style: str
) -> None:
    full = Path("/dev/full").open("w", buffering=1)  # noqa: SIM115 - closing it would fail
    monkeypatch.setattr(sys, "stderr", full)
    try:
        logs.configure(load({"LONJA_LOG_FORMAT": style}))
        log = structlog.get_logger("test")
        for _ in range(3):
            log.error("request_failed", text="x" * 10_000)
    finally:
        with suppress(OSError):
            full.close()


def test_a_log_that_is_set_up_again_follows_at_once(
    capsysbinary: pytest.CaptureFixture[bytes],
) -> None:
    log = structlog.get_logger("test")
    logs.configure(load({"LONJA_LOG_FORMAT": "json", "LONJA_LOG_LEVEL": "error"}))
    log.warning("before")
    logs.configure(load({"LONJA_LOG_FORMAT": "json", "LONJA_LOG_LEVEL": "info"}))
    log.warning("after")
    written = capsysbinary.readouterr().err
    assert b"after" in written
    assert b"before" not in written


HOSTILE = "a\x1b[31m\x9b2J\x7f\r\n2026-11-20 [info ] forged\x00\u202e\u2028\ud800ñ"
RAW = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\ud800-\udfff]")


def _refuse(text: str) -> None:
    raise ValueError(text)


@pytest.mark.parametrize("style", ["json", "text"])
def test_control_characters_are_written_out(monkeypatch: pytest.MonkeyPatch, style: str) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stderr", io.TextIOWrapper(raw, "utf-8", write_through=True))
    logs.configure(load({"LONJA_LOG_FORMAT": style}))
    log = structlog.get_logger("test")
    log.info("request", path=HOSTILE, among=[HOSTILE, {HOSTILE: 1}])
    try:
        _refuse(HOSTILE)
    except ValueError:
        log.exception("request_failed")
    text = raw.getvalue().decode()
    assert not RAW.search(text)
    begin = [line for line in text.split("\n") if line and not line.startswith("    ")]
    assert len(begin) == 2, "one line an entry, and what follows is indented"
    if style == "json":
        assert json.loads(begin[0])["path"] == HOSTILE, "nothing is lost"
    else:
        assert "a\\x1b[31m" in text.replace("\\\\", "\\")
        assert "ñ" in text


def test_records_of_libraries_are_made_printable() -> None:
    out = io.StringIO()
    library = logging.getLogger("tests.library")
    handler = logging.StreamHandler(out)
    library.addHandler(handler)
    library.addFilter(logs.Printable())
    try:
        library.error("%s and %s", HOSTILE, "more")
        library.error("%(a)s", {"a": HOSTILE})
        try:
            _refuse(HOSTILE)
        except ValueError:
            library.exception("failed")
    finally:
        library.removeHandler(handler)
    assert not RAW.search(out.getvalue())
    begin = [line for line in out.getvalue().split("\n") if line and not line.startswith("    ")]
    assert len(begin) == 3
