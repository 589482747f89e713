"""A command of ``lonja`` in a process that crashes on order (``crash``), started by fork."""

import os
from multiprocessing import get_context
from pathlib import Path

import orjson

from service.cli import main
from service.ledger import raw
from service.tournaments.record import imports
from service.upkeep import archiving
from tests.faults import crash

LINES_A_PAGE = 4
"""Entries on a page: so few that a stream has several pages."""

_forks = get_context("forkserver")
_forks.set_forkserver_preload(
    [
        __name__,
        "service.cli.backup",
        "service.cli.restore",
        "service.cli.importing",
        "service.cli.archive",
    ]
)


def _obey(
    arguments: list[str], environment: dict[str, str], order: str, notes: Path, said: Path
) -> None:
    os.environ.update(environment)
    with said.open("ab") as log:
        for descriptor in (1, 2):
            os.dup2(log.fileno(), descriptor)
    raw.PAGE = imports.PAGE = LINES_A_PAGE
    archiving.REST_MS = 0
    crash.install()
    with crash.watched(crash.Order.of(order) if order else crash.Order()) as points:
        try:
            main(arguments, prog_name="lonja")
        finally:
            notes.write_bytes(orjson.dumps(points))


def run(
    *arguments: str, environment: dict[str, str], folder: Path, order: str = ""
) -> tuple[int | None, list[str]]:
    """Run a command; return its exit code, negative if it was killed, and the points it passed."""
    notes, said = folder / "points.json", folder / "said.log"
    notes.unlink(missing_ok=True)
    process = _forks.Process(target=_obey, args=([*arguments], environment, order, notes, said))
    process.start()
    process.join(100)
    code = process.exitcode
    process.kill()
    process.close()
    return code, orjson.loads(notes.read_bytes()) if notes.exists() else []
