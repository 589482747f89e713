"""What a worker does with packs: when it begins a run, and that one process does."""

import dataclasses
import time
from pathlib import Path

import pytest

from service.ledger.places import PackPlaces
from service.runtime import Runtime
from service.settings import MemoryMark
from service.upkeep.due import Due, note_run
from service.upkeep.scrub import note_scrub
from workers import leased_run
from workers.archiver import Archiver
from workers.daily_scrub import DailyScrub
from workers.leased_run import LeasedRun

SLEEPS, ENDS = ("sleep", "60"), ("true",)
RAN = {"left_out": [], "moved": {"gone": 1, "stay": []}}


@pytest.fixture
def runtime(worker: Runtime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Runtime:
    """A worker's runtime with a folder of packs; its archivers need not wait."""
    monkeypatch.setattr(leased_run, "_LOOK_SECONDS", 0)
    monkeypatch.setattr(leased_run, "_AGAIN_SECONDS", 0)
    settings = dataclasses.replace(
        worker.settings, archive=str(tmp_path), archive_memory_mark=MemoryMark(100, None)
    )
    return dataclasses.replace(worker, settings=settings)


def ended(one: LeasedRun, runtime: Runtime) -> None:
    """Wait until the run of an archiver has ended."""
    assert one._child is not None
    one._child.wait(10)
    one(runtime)


def runs(one: LeasedRun, runtime: Runtime) -> bool:
    """Whether an archiver runs something after it has looked."""
    one(runtime)
    return one._child is not None


def test_one_process_lets_games_leave_once_a_day(runtime: Runtime) -> None:
    first, second = Archiver(ENDS), Archiver(SLEEPS)
    assert runs(first, runtime)
    assert not runs(second, runtime)
    note_run(runtime.redis, runtime.ledger.store.clock.ask(), RAN)
    ended(first, runtime)
    assert runtime.redis.get(Archiver.lease) is None
    assert not runs(first, runtime)
    assert not runs(second, runtime)
    note_run(runtime.redis, runtime.ledger.store.clock.ask() - 86_400_000, RAN)
    assert runs(second, runtime)
    second.stop()


def test_a_clock_that_was_ahead_during_a_run_delays_no_other(runtime: Runtime) -> None:
    late = runtime.ledger.store.clock.ask() + 365 * 86_400_000
    note_run(runtime.redis, late, RAN)
    note_scrub(runtime.redis, late, {"packs": 1, "lost": [], "healed": []})
    PackPlaces(runtime.redis).number("0" * 64 + ".pack")
    for one in (Archiver(SLEEPS), DailyScrub(SLEEPS)):
        assert runs(one, runtime)
        one.stop()


def test_a_run_that_failed_is_repeated(runtime: Runtime) -> None:
    one = Archiver(("false",))
    assert runs(one, runtime)
    ended(one, runtime)
    assert runs(one, runtime)
    one.stop()


def test_a_full_store_is_looked_after_every_ten_minutes(
    runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = Archiver(SLEEPS)
    now = runtime.ledger.store.clock.ask()
    note_run(runtime.redis, now - 601_000, RAN)
    assert not runs(one, runtime)
    monkeypatch.setattr(Due, "excess", lambda *_: 1)
    assert runs(one, runtime)
    child, began = one._child, time.monotonic()
    one.stop()
    assert child is not None
    assert child.returncode is not None
    assert time.monotonic() - began < 30
    runtime.redis.delete(Archiver.lease)
    note_run(runtime.redis, now, RAN)
    assert not runs(one, runtime)


def test_nothing_runs_without_a_folder_of_packs(worker: Runtime) -> None:
    assert not runs(Archiver(SLEEPS), worker)


def test_packs_are_scrubbed_once_a_day_if_there_are_some(runtime: Runtime) -> None:
    first, second = DailyScrub(ENDS), DailyScrub(SLEEPS)
    assert not runs(first, runtime)
    PackPlaces(runtime.redis).number("0" * 64 + ".pack")
    assert runs(first, runtime)
    assert not runs(second, runtime)
    now, told = runtime.ledger.store.clock.ask(), {"packs": 1, "lost": [], "healed": []}
    note_scrub(runtime.redis, now, told)
    ended(first, runtime)
    assert not runs(first, runtime)
    note_scrub(runtime.redis, now - 86_400_000, told)
    assert runs(second, runtime)
    second.stop()
