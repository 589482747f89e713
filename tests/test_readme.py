"""Runs every command of the README, in order, in one shell, on a service started for it."""

import urllib.request
from pathlib import Path

from tests.running import ROOT
from tests.tours import (
    Block,
    bare_environment,
    blocks_of,
    expect_shown,
    free_port,
    pattern,
    run,
    serving,
    set_up,
)  # fmt: skip

README = ROOT / "README.md"
FIRST, LAST = "\n## A five-minute tour\n", "\n## How to prove a game\n"


def blocks() -> list[Block]:
    _, _, rest = README.read_text(encoding="utf-8").partition(FIRST)
    tour, found, _ = rest.partition(LAST)
    assert found, "the headings of the README have other names"
    return blocks_of(tour)


def test_every_command_works_and_shows_what_it_says(
    tmp_path: Path, redis_binary: Path | None
) -> None:
    found, port = blocks(), free_port()
    folder, environment = set_up(tmp_path), bare_environment(redis_binary)
    with serving(folder, environment, port):
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/docs", timeout=5) as page:
            assert page.status == 200
        outputs = run(found, folder, environment, port)
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
