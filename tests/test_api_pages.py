"""Runs the commands and programs of docs/api.md and docs/api/ unchanged, on one service."""

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.faults.processes import free_port
from tests.running import ROOT
from tests.tours import bare_environment, blocks_of, expect_shown, run, serving, set_up

ENTRANCE = ROOT / "docs" / "api.md"
PAGES = [ENTRANCE, *sorted((ROOT / "docs" / "api").glob("*.md"))]
PROGRAM = re.compile(r"^```(?:python|ts)\n(?:#|//) (\S+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
SETTINGS = {
    "LONJA_HOSTS": "127.0.0.0/8",
    "LONJA_OUTBOUND_HTTP": "yes",
    "LONJA_OUTBOUND_NETWORKS": "127.0.0.0/8",
    "LONJA_WEB_WORKERS": "1",
}
"""Settings for these pages: all their players and webhooks share one address."""


class Service(NamedTuple):
    """A running service, and its folder."""

    folder: Path
    environment: dict[str, str]
    port: int


@pytest.fixture(scope="module")
def service(
    tmp_path_factory: pytest.TempPathFactory, redis_binary: Path | None
) -> Iterator[Service]:
    folder, port = set_up(tmp_path_factory.mktemp("service")), free_port()
    tools = [str(folder / ".venv/bin"), str(Path(sys.executable).parent), os.environ["PATH"]]
    environment = {**bare_environment(redis_binary), **SETTINGS, "PATH": ":".join(tools)}
    with serving(folder, environment, port):
        yield Service(folder, environment, port)


def programs(page: Path) -> dict[str, str]:
    """Return the programs of a page by the names in their first lines."""
    return dict(PROGRAM.findall(page.read_text(encoding="utf-8")))


def shown(page: Path) -> str:
    return page.read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_what_a_page_shows_works(service: Service, page: Path, tmp_path: Path) -> None:
    begin, blocks = blocks_of(shown(ENTRANCE)), blocks_of(shown(page))
    for name, program in {**programs(ENTRANCE), **programs(page)}.items():
        text = program.replace("127.0.0.1:8000", f"127.0.0.1:{service.port}")
        (tmp_path / name).write_text(text, encoding="utf-8")
    blocks = blocks if page == ENTRANCE else [*begin, *blocks]
    expect_shown(blocks, run(blocks, tmp_path, service.environment, service.port))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_program_is_run(page: Path) -> None:
    fences = re.findall(r"^```(?:python|ts)$", shown(page), re.MULTILINE)
    assert len(programs(page)) == len(fences), "a program has no name"
    commands = "".join(block.commands for block in blocks_of(shown(page)))
    everything = "".join(shown(page) for page in PAGES)
    for name in programs(page):
        started = rf'(^|--engine ")(python3|node) {re.escape(name)}\b'
        run_here = re.search(started, commands, re.MULTILINE)
        imported = re.search(rf"^from {Path(name).stem} import ", everything, re.MULTILINE)
        assert run_here or imported, name
