"""Servers behind sentinels die, are cut off and come back, under web nodes, workers and moves.

The table in ``docs/operations.md`` has a row for each test, with what each setting can lose.
"""

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import pairwise
from pathlib import Path

import orjson
import pytest

from service import redis_urls
from service.runtime import Runtime
from service.upkeep.switching import switch
from tests import running
from tests.campaigns import Figure
from tests.faults import processes
from tests.faults.conftest import Whole
from tests.faults.movers import Mover, pause_after
from tests.faults.people import Client
from tests.faults.processes import lonja
from tests.faults.sentinels import DOWN_AFTER_MS, Installation, installation

APPLICATION = "service.api.wsgi:app"
GENEROUS_S = 90.0
PARTED_S = 12.0
SWITCHES = 20
FAILOVER = pytest.mark.campaign("failover")
LONG = pytest.mark.timeout(1200)


class Service:
    """A web node and a worker for each URL, and clients that play."""

    def __init__(
        self, urls: list[str], replicas: int | str, tmp_path: Path, stack: ExitStack
    ) -> None:
        more = {"LONJA_REPLICAS_TO_WAIT": str(replicas)}
        self.ports = []
        for n, url in enumerate(urls):
            node = processes.web(url, tmp_path / f"web{n}.log", APPLICATION, workers=1, **more)
            self.ports.append(stack.enter_context(node))
            stack.enter_context(processes.worker(url, tmp_path / f"worker{n}.log", **more))
        self.movers: list[Mover] = []

    @property
    def moves(self) -> int:
        return sum(len(mover.promises) for mover in self.movers)

    def play(self, moves: int) -> None:
        """Wait until so many more moves are acknowledged."""
        wanted = self.moves + moves
        running.wait_for(lambda: self.moves >= wanted, GENEROUS_S)

    def lost(self) -> int:
        """Stop all clients; return the number of lost acknowledged moves."""
        for mover in self.movers:
            mover.stop()
        return sum(mover.lost() for mover in self.movers)


@contextmanager
def service(
    made: Installation, tmp_path: Path, replicas: int | str, *, parted: bool = False
) -> Iterator[Service]:
    """Run the service; clients play at both nodes, or if ``parted``, each client at one node.

    If ``parted``, the first node and its worker reach only the sentinel on the inside.
    """
    urls = [made.inside_url if parted else made.url, made.url]
    with ExitStack() as stack:
        found = Service(urls, replicas, tmp_path, stack)
        for seed in range(4):
            ports = [found.ports[seed % 2]] if parted else found.ports
            found.movers.append(Mover([Client(port) for port in ports], seed))
        made.wait_for_replicas()  # so that they have the players, too
        for mover in found.movers:
            mover.start()
        found.play(10)
        yield found


def kill_primaries(made: Installation, found: Service, kills: int, record: Figure) -> None:
    """Kill the primary again and again; each restarts, every other one on an empty disk."""
    pauses = []
    for number in range(kills):
        victim = made.primary()
        began = time.monotonic()
        victim.kill()
        made.wait_for_another_than(victim)
        victim.start(empty=number % 2 == 0)
        found.play(5)
        pauses.append(pause_after(found.movers, began + DOWN_AFTER_MS / 1000))
        made.wait_for_replicas()
        found.play(20)
    print("moves went on, after the time-out, within", [round(pause, 2) for pause in pauses])  # noqa: T201
    record("kills", kills)
    record("seconds without moves after the time-outs", round(sum(pauses), 1))
    record("acknowledged moves", found.moves)


def told(record: Figure, found: Service, lost: int) -> None:
    print(f"{lost} of {found.moves} acknowledged moves were lost")  # noqa: T201
    record("acknowledged moves", found.moves)
    record("lost moves", lost)


@pytest.mark.timeout(400)
def test_nothing_acknowledged_is_lost_with_the_primary(
    tmp_path: Path, redis_binary: Path | None, whole: Whole, record_property: Figure
) -> None:
    with installation(tmp_path, redis_binary) as made, service(made, tmp_path, 1) as found:
        before = made.primary()
        told = orjson.loads(lonja("store", "switch", "--json", env=running.environment(made.url)))
        assert told["before"].endswith(f":{before.port}")
        assert told["now"].endswith(f":{made.primary().port}")
        assert before is not made.primary()
        made.wait_for_replicas()
        kill_primaries(made, found, 1, record_property)
        assert found.lost() == 0
        whole(on(made))


@FAILOVER
@LONG
@pytest.mark.parametrize(("replicas", "kills"), [(1, 20), (2, 2), (0, 4)])
def test_primaries_die(
    tmp_path: Path,
    redis_binary: Path | None,
    whole: Whole,
    record_property: Figure,
    replicas: int,
    kills: int,
) -> None:
    """Without waiting for replicas, moves can be lost, but rarely within four kills."""
    with installation(tmp_path, redis_binary) as made, service(made, tmp_path, replicas) as found:
        kill_primaries(made, found, kills, record_property)
        lost = found.lost()
        assert not (lost and replicas)
        record_property("lost moves", lost)
        whole(on(made))


def switch_primaries(
    made: Installation, found: Service, change: Callable[[], object], record: Figure
) -> float:
    """Change the primary again and again; return the mean time without acknowledged moves."""
    pauses = []
    for _ in range(SWITCHES):
        began = time.monotonic()
        change()
        found.play(20)
        made.wait_for_replicas()
        found.play(20)
        times = sorted(t for mover in found.movers for t in mover.times if t > began)
        pauses.append(max(b - a for a, b in pairwise([began, *times])))
    pause = sum(pauses) / len(pauses)
    print(f"nothing was acknowledged for {pause:.1f} s in the mean, {max(pauses):.1f} s at most")  # noqa: T201
    record("switches", SWITCHES)
    record("seconds without moves at switches", round(sum(pauses), 1))
    return pause


@FAILOVER
@LONG
@pytest.mark.parametrize("coordinated", [True, False])
@pytest.mark.parametrize("waited", [0, 1])
def test_the_primary_is_switched(
    tmp_path: Path,
    redis_binary: Path | None,
    whole: Whole,
    record_property: Figure,
    *,
    coordinated: bool,
    waited: int,
) -> None:
    """By ``lonja store switch``; without ``coordinated``, as on servers that do not support it."""
    with installation(tmp_path, redis_binary) as made, service(made, tmp_path, waited) as found:
        sentinels = redis_urls.sentinels(made.url)
        assert sentinels is not None

        def change() -> None:
            assert switch(sentinels, coordinated=coordinated).coordinated == coordinated

        switch_primaries(made, found, change, record_property)
        lost = found.lost()
        told(record_property, found, lost)
        assert lost == 0
        whole(on(made))


@FAILOVER
@LONG
@pytest.mark.parametrize(
    ("waited", "replicas"), [("all", 1), ("all", 2), ("all", 3), (1, 1), (1, 2), (0, 2)]
)
def test_the_primary_is_switched_plainly(
    tmp_path: Path,
    redis_binary: Path | None,
    whole: Whole,
    record_property: Figure,
    *,
    waited: int | str,
    replicas: int,
) -> None:
    """By SENTINEL FAILOVER while the primary accepts writes: replicas confirm lost writes."""
    with (
        installation(tmp_path, redis_binary, replicas=replicas) as made,
        service(made, tmp_path, waited) as found,
    ):
        switch_primaries(made, found, made.switch_plainly, record_property)
        lost = found.lost()
        told(record_property, found, lost)
        assert bool(lost) == (waited != "all" and int(waited) < replicas)
        whole(on(made))


@FAILOVER
@LONG
@pytest.mark.parametrize("replicas", [0, 1, 2])
def test_a_primary_hangs(
    tmp_path: Path,
    redis_binary: Path | None,
    whole: Whole,
    record_property: Figure,
    replicas: int,
) -> None:
    with installation(tmp_path, redis_binary) as made, service(made, tmp_path, replicas) as found:
        victim = made.primary()
        began = time.monotonic()
        victim.signal(signal.SIGSTOP)
        made.wait_for_another_than(victim)
        if replicas < 2:  # otherwise no move is acknowledged until it is back
            found.play(5)
            pause = pause_after(found.movers, began + DOWN_AFTER_MS / 1000)
            print(f"moves went on, after the time-out, within {pause:.2f}")  # noqa: T201
        victim.signal(signal.SIGCONT)  # for a moment it still acts as a primary
        made.wait_for_replicas()
        found.play(20)
        lost = found.lost()
        told(record_property, found, lost)
        assert not (lost and replicas)
        whole(on(made))


@FAILOVER
@LONG
@pytest.mark.parametrize("replicas", [0, 1, 2])
def test_a_replica_is_away(
    tmp_path: Path,
    redis_binary: Path | None,
    whole: Whole,
    record_property: Figure,
    replicas: int,
) -> None:
    with installation(tmp_path, redis_binary) as made, service(made, tmp_path, replicas) as found:
        made.servers[2].kill()
        time.sleep(PARTED_S / 2)
        if replicas == 2:
            before = found.moves
            time.sleep(PARTED_S / 2)
            assert found.moves == before
            lonja("ledger", "replicas", "1", env=running.environment(made.url))
        found.play(20)
        made.servers[2].start()
        made.wait_for_replicas()
        lost = found.lost()
        told(record_property, found, lost)
        assert lost == 0
        whole(on(made))


@FAILOVER
@LONG
@pytest.mark.parametrize("replicas", [0, 1, 2])
def test_the_primary_dies_with_a_replica_that_was_ahead(
    tmp_path: Path,
    redis_binary: Path | None,
    whole: Whole,
    record_property: Figure,
    replicas: int,
) -> None:
    with (
        installation(tmp_path, redis_binary, inside=(2,)) as made,
        service(made, tmp_path, replicas) as found,
    ):
        primary, ahead, behind = made.servers
        assert made.primary() is primary
        made.part()
        time.sleep(PARTED_S / 2)
        for victim in (primary, ahead):
            victim.kill()
        made.heal()
        made.wait_for_another_than(primary)
        assert made.primary() is behind
        for victim in (primary, ahead):
            victim.start()
        made.wait_for_replicas()
        found.play(20)
        lost = found.lost()
        told(record_property, found, lost)
        assert bool(lost) == (replicas < 2)
        whole(on(made))


@FAILOVER
@LONG
@pytest.mark.parametrize(
    ("replicas", "parted", "min_replicas", "loses"),
    [
        (0, (0,), 0, True),
        (0, (0,), 1, True),
        (1, (0,), 0, False),
        (1, (0,), 1, False),
        (2, (0,), 1, False),
        (0, (0, 1), 1, True),
        (1, (0, 1), 1, True),
        (2, (0, 1), 1, False),
    ],
)
def test_a_primary_is_cut_off(
    tmp_path: Path,
    redis_binary: Path | None,
    whole: Whole,
    record_property: Figure,
    *,
    replicas: int,
    parted: tuple[int, ...],
    min_replicas: int,
    loses: bool,
) -> None:
    """The primary still serves its side: a web node, a worker, and perhaps one replica."""
    minimum = str(min_replicas)
    with (
        installation(tmp_path, redis_binary, inside=parted, min_replicas_to_write=minimum) as made,
        service(made, tmp_path, replicas, parted=True) as found,
    ):
        cut_off = made.primary()
        assert cut_off is made.servers[0]
        made.part()
        began = time.monotonic()
        time.sleep(PARTED_S)
        made.wait_for_another_than(cut_off)
        inside = [t for mover in found.movers[::2] for t in mover.times if t > began]
        went_on = max(inside, default=began) - began
        print(f"the old primary's moves were acknowledged for {went_on:.1f} s")  # noqa: T201
        made.heal()
        made.wait_for_replicas()
        found.play(20)
        lost = found.lost()
        told(record_property, found, lost)
        assert bool(lost) == loses
        whole(on(made))


def on(made: Installation) -> Runtime:
    return running.runtime_on(made.url)
