"""Runs every command of the page about holding a cup of bots."""

from pathlib import Path

import pytest

from tests.faults.processes import free_port
from tests.running import ROOT
from tests.tours import bare_environment, blocks_of, expect_shown, run, serving, set_up

PAGE = ROOT / "docs/bot_cup.md"


@pytest.mark.campaign("tours")
@pytest.mark.timeout(300)
def test_every_command_works_and_shows_what_it_says(
    tmp_path: Path, redis_binary: Path | None
) -> None:
    found, port = blocks_of(PAGE.read_text(encoding="utf-8")), free_port()
    folder, environment = set_up(tmp_path), bare_environment(redis_binary)
    with serving(folder, environment, port):
        outputs = run(found, folder, environment, port, seconds=200)
    expect_shown(found, outputs)
    for name in ("cup.csv", "cup.json", "cup.games.csv", "cup.ndjson.gz"):
        assert (folder / name).stat().st_size > 0
