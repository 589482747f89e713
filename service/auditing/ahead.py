"""Work that goes on in threads or processes while its results are used in order."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from itertools import islice
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


def ahead(pool: Executor, work: Callable[[T], R], items: Iterable[T], most: int) -> Iterator[R]:
    """Yield the result for each item, in their order; at most ``most`` of them wait or are made.

    Errors of ``work`` are raised in their turn; what was not begun is cancelled then.
    """
    left = iter(items)
    asked = deque(pool.submit(work, item) for item in islice(left, most))
    try:
        while asked:
            found = asked.popleft().result()
            asked.extend(pool.submit(work, item) for item in islice(left, 1))
            yield found
    finally:
        for one in asked:
            one.cancel()
