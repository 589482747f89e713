"""Distributes work over one process for each core."""

import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import TypeVar

from service.cli import common
from service.cli.common import Failure
from service.process.launcher import die_with_parent
from service.settings import Settings

W = TypeVar("W")
R = TypeVar("R")

AHEAD = 4
"""Pieces of work that may wait for each process."""

_START = "fork" if sys.platform == "linux" else None


def shared(
    do: Callable[[W], R],
    work: Iterable[W],
    prepare: Callable[[Settings], None],
    settings: Settings,
) -> Iterator[R]:
    """Yield the result of ``do`` for each piece of work, in order.

    Each process calls ``prepare`` with the settings once, before its first piece, and ends when
    this process does.

    Raises:
        Failure: a process was killed.
    """
    processes = common.cores()
    begin = (die_with_parent(), prepare, settings)
    try:
        with ProcessPoolExecutor(
            processes, mp_context=get_context(_START), initializer=_begin, initargs=begin
        ) as pool:
            waiting: deque[Future[R]] = deque()
            try:
                for piece in work:
                    waiting.append(pool.submit(do, piece))
                    if len(waiting) > AHEAD * processes:
                        yield waiting.popleft().result()
                while waiting:
                    yield waiting.popleft().result()
            finally:
                pool.shutdown(cancel_futures=True)  # the caller may stop reading before the end
    except BrokenProcessPool:
        raise Failure("A process that checked games was killed: is there enough memory?") from None


def _begin(
    die_with: Callable[[], None] | None, prepare: Callable[[Settings], None], settings: Settings
) -> None:
    if die_with is not None:
        die_with()
    prepare(settings)
