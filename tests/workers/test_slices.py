"""Time slices of workers: they count the work of this thread and of its engines."""

import time

import pytest

from workers import slices
from workers.slices import Slice


def work(seconds: float) -> None:
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass


def test_who_waits_has_not_worked() -> None:
    begun = Slice(0.05)
    time.sleep(0.1)  # as if others had the processor
    assert not begun.is_over()
    work(0.05)
    assert begun.is_over()


def test_nobody_waits_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slices, "MOST_SECONDS", 0.1)
    begun = Slice(0.05)
    time.sleep(0.1)
    assert begun.is_over()
    assert not Slice(float("inf")).is_over()


def test_the_shortest_slice_is_over_at_once() -> None:
    assert Slice(0.0).is_over()
