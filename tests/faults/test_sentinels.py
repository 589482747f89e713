"""Servers behind sentinels die, are cut off and come back, under web nodes, workers and moves."""

import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests import running
from tests.campaigns import Figure
from tests.faults import processes
from tests.faults.conftest import Whole
from tests.faults.movers import Mover, longest_pause
from tests.faults.sentinels import DOWN_AFTER_MS, Installation, installation

APPLICATION = "service.api.wsgi:app"
MOVERS = 4
GENEROUS_S = 60.0


class Service:
    """Two web nodes and two workers on one installation, and people who move."""

    def __init__(self, urls: list[str], replicas: int, tmp_path: Path, stack: ExitStack) -> None:
        settings = {"LONJA_REPLICAS_TO_WAIT": str(replicas)}
        self.ports = [
            stack.enter_context(
                processes.web(url, tmp_path / f"web{n}.log", APPLICATION, **settings)
            )
            for n, url in enumerate(urls)
        ]
        for n in range(2):
            stack.enter_context(processes.worker(urls[-1], tmp_path / f"worker{n}.log", **settings))
        self.movers = [Mover(self.ports, seed) for seed in range(MOVERS)]

    @property
    def moves(self) -> int:
        return sum(len(mover.promises) for mover in self.movers)

    def play(self, moves: int) -> None:
        """Return when so many more moves were acknowledged."""
        wanted = self.moves + moves
        running.wait_for(lambda: self.moves >= wanted, GENEROUS_S)

    def lost(self) -> int:
        """Have all of them stop; return how many acknowledged moves are lost."""
        for mover in self.movers:
            mover.stop()
        return sum(mover.lost() for mover in self.movers)


@contextmanager
def service(
    made: Installation,
    tmp_path: Path,
    replicas: int,
    inside: bool = False,  # noqa: FBT001, FBT002
) -> Iterator[Service]:
    with ExitStack() as stack:
        found = Service([made.url, made.url], replicas, tmp_path, stack)
        running.wait_for(lambda: made.replicas_in_sync() == 2, GENEROUS_S)  # the players are safe
        for mover in found.movers:
            mover.start()
        found.play(10)
        yield found


def kill_primaries(
    made: Installation, found: Service, kills: int, record_property: Figure, first_empty: int
) -> None:
    """Kill the primary, again and again; each comes back, every other one on an empty disk."""
    pauses = []
    for number in range(kills):
        victim = made.primary()
        began = time.monotonic()
        victim.kill()
        running.wait_for(lambda: made.primary() is not victim, GENEROUS_S)  # noqa: B023 - called at once
        found.play(5)
        pauses.append(longest_pause(found.movers, began + DOWN_AFTER_MS / 1000))
        victim.start(empty=number % 2 == first_empty)
        running.wait_for(lambda: made.replicas_in_sync() == 2, GENEROUS_S)
        found.play(20)
    print("moves went on, after the time-out, within", [round(pause, 2) for pause in pauses])  # noqa: T201
    record_property("kills", kills)
    record_property("seconds without moves after the time-out", round(sum(pauses), 1))
    record_property("acknowledged moves", found.moves)


def outlives(kills: int, tmp_path: Path, binary: Path | None, whole: Whole, record: Figure) -> None:
    with (
        installation(tmp_path / "redis", binary) as made,
        service(made, tmp_path, replicas=1) as found,
    ):
        kill_primaries(made, found, kills, record, first_empty=0)
        assert found.lost() == 0
        whole(running.runtime_on(made.url))


def test_nothing_acknowledged_is_lost_with_the_primary(
    tmp_path: Path, redis_binary: Path | None, whole: Whole, record_property: Figure
) -> None:
    outlives(1, tmp_path, redis_binary, whole, record_property)


@pytest.mark.campaign("failover")
@pytest.mark.timeout(1200)
def test_nothing_acknowledged_is_lost_with_twenty_primaries(
    tmp_path: Path, redis_binary: Path | None, whole: Whole, record_property: Figure
) -> None:
    outlives(20, tmp_path, redis_binary, whole, record_property)
