"""Runs every command of the tour and of the page on the command line, in order, in one shell."""

import urllib.request
from pathlib import Path

import pytest

from tests.faults.processes import free_port
from tests.running import ROOT
from tests.tours import (
    Block,
    bare_environment,
    blocks_of,
    expect_shown,
    pattern,
    run,
    serving,
    set_up,
)  # fmt: skip

PAGES = [ROOT / "docs" / name for name in ("tour.md", "terminal.md")]
"""The pages; the second continues the game of the first."""


def blocks() -> list[Block]:
    return [block for page in PAGES for block in blocks_of(page.read_text(encoding="utf-8"))]


@pytest.mark.timeout(400)
def test_every_command_works_and_shows_what_it_says(
    tmp_path: Path, redis_binary: Path | None
) -> None:
    found, port = blocks(), free_port()
    folder, environment = set_up(tmp_path), bare_environment(redis_binary)
    with serving(folder, environment, port):
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/docs", timeout=60) as page:
            assert page.status == 200
        outputs = run(found, folder, environment, port, seconds=300)
    assert len(found) > 12
    expect_shown(found, outputs)


def test_a_wrong_output_would_be_noticed() -> None:
    shown = pattern('{"id": 6, "name": "choose", …}')
    assert shown.fullmatch('{"id": 6, "name": "choose", "label": "x"}')
    assert not shown.fullmatch('{"id": 13, "name": "choose", "label": "x"}')
    assert not shown.fullmatch('{"id": 6, "name": "drive", "label": "x"}')
    assert pattern(f"2026-11-20T21:29:00.123Z {'a' * 32}").fullmatch(
        f"2027-01-01T00:00:00Z {'b' * 32}"
    )
    assert not pattern("true").fullmatch("Traceback: true")
