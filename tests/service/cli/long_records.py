"""Makes records of any length cheaply: players sit down and leave until the host cancels."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.seats import Seat
from rules.kernel.record.batch import Batch
from rules.kernel.record.events import copy_for
from service.cli import local
from service.records import game_file
from tests.service.cli.records import REGISTRY, SIGNER

_BY: JsonObject = {"player": "p-ana"}
_GUEST: JsonObject = {"player": "p-bea"}


def write_long(path: Path, events: int) -> None:
    """Write the whole record of a game with about ``events`` events."""
    table = local.LocalGame(REGISTRY, "long")
    lines = path.with_suffix(".lines")
    with lines.open("wb") as file:
        for line in _copies(table, events):
            file.write(game_file.written(line))
    game = table.game
    first = game_file.header(
        game.id, game.created, game.version, game.status, None, SIGNER.head(game),
        SIGNER.public_key.hex(),
    )  # fmt: skip
    with path.open("wb") as file, lines.open("rb") as body:
        file.write(game_file.written(first))
        while block := body.read(1 << 20):
            file.write(block)
    lines.unlink()


def _copies(table: local.LocalGame, events: int) -> Iterator[JsonObject]:
    def create(batch: Batch) -> None:
        batch.create("pig", 3, {}, _BY)
        batch.sit(Seat(0), _BY, _BY)

    yield from _done(table, create)
    while table.game.version < events - 2:
        yield from _done(table, lambda batch: batch.sit(Seat(1), _GUEST, _GUEST))
        yield from _done(table, lambda batch: batch.stand(Seat(1), _GUEST))
    yield from _done(table, lambda batch: batch.abort("cancelled", _BY))


def _done(table: local.LocalGame, act: local.Act) -> Iterator[JsonObject]:
    """Yield the recorded events as copies; all parts are public."""
    prev_hash, game = table.game.head, table.game
    table.change(act)
    for event in table.events:
        yield copy_for(None, event, prev_hash, table.secrets.salt, game.access, game.version)
        prev_hash = event.hash
    table.events.clear()


MEASURED = """
import sys
from pathlib import Path
from service.records import game_file
from service.cli.verifying import VerifyOptions, verify_file
from tests.service.cli.records import REGISTRY

game_file.KEPT_BYTES = int(sys.argv[2])
outcome = verify_file(sys.argv[1], VerifyOptions(), REGISTRY)
print(outcome.verdict, outcome.error)
"""
PEAK = """
print(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""
"""Prints the peak memory of a process in KiB; getrusage would include its parent's."""


def verified(path: Path, kept: int = game_file.KEPT_BYTES) -> tuple[str, int]:
    """Verify a record in a new process; return the verdict and its peak memory in KiB."""
    said = subprocess.run(
        [sys.executable, "-c", MEASURED + PEAK, path, str(kept)],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    verdict, *_error, peak = said.stdout.split()
    return verdict, int(peak)
