"""Work that would keep the other tasks of a process from going on, where these are greenlets."""

from collections.abc import Callable
from typing import TypeVar

from service.process import task_time

T = TypeVar("T")


def in_thread(work: Callable[[], T]) -> T:
    """Run ``work`` and return its result; under gevent, in a native thread of the hub's pool.

    ``work`` may not use what gevent has patched: sockets, locks, sleeps. Raises what it raises.
    """
    if task_time.polls is None:
        return work()
    from gevent import get_hub  # noqa: PLC0415 - where nothing is a greenlet, gevent is not

    def outcome() -> tuple[list[T], BaseException | None]:
        try:
            return [work()], None
        except BaseException as error:  # noqa: BLE001 - it is raised below; gevent would print it
            return [], error

    found, error = get_hub().threadpool.apply(outcome)
    if error is not None:
        raise error
    result: T = found[0]
    return result
