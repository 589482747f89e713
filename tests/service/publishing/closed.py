"""Tables that wait for a beacon, and a log that makes checkpoints of nothing else."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rules.kernel.contract.seats import Seat
from rules.kernel.record.batch import beacon_terms
from rules.kernel.record.secrets import entropy_commitment
from service.ledger.store import RepeatedRequest
from service.ledger.terms import TableTerms
from service.runtime import Runtime
from service.tlog.policies import TrustPolicy
from tests import running
from tests.beacons import CHAIN
from tests.running import ME, PLAYER
from tests.service.publishing import logs
from tests.service.publishing.logs import Builder

NEVER = 10**13
"""An interval (ms) that is over after no test."""
ENTROPY = bytes(range(32))


def lobby(runtime: Runtime, visibility: str = "public", *, gives: bool = True) -> str:
    """Open a table with a beacon, of which one seat is open; return its id."""
    created = runtime.tables.create(
        PLAYER, "sealed", {}, [ME, None], entropy=beacon_terms(CHAIN.pinned()),
        commitments=[entropy_commitment(None, 0, ENTROPY).hex()] if gives else (),
        terms=TableTerms(visibility=visibility),
    )  # fmt: skip
    assert not isinstance(created, RepeatedRequest)
    return created.game.id


def close(runtime: Runtime, game_id: str) -> None:
    """Take the open seat."""
    runtime.tables.sit(game_id, Seat(1), ME, PLAYER)
    assert running.game(runtime, game_id).status == "closed"


def reveal(runtime: Runtime, game_id: str) -> None:
    runtime.tables.reveal_entropy(game_id, Seat(0), ENTROPY, PLAYER)


@contextmanager
def standing(runtime: Runtime, path: Path, policy: TrustPolicy | None = None) -> Iterator[Builder]:
    """Keep a log whose minute never comes."""
    logs.build(runtime.ledger.store, path)
    builder = Builder.open(runtime.ledger.store, path, interval_ms=NEVER, policy=policy)
    try:
        yield builder
    finally:
        builder.die()
        if builder.log.witnesses is not None:
            builder.log.witnesses.close()


def look(builder: Builder) -> None:
    """Let the builder read all feeds once."""
    builder.follower.catch_up()
