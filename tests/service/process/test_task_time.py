"""The processor time of each task, by the kernel's clock, which ignores the machine's load."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from greenlet import getcurrent, greenlet

from service.process import task_time

MS = 1_000_000


def work(ms: float) -> None:
    """Use the processor for this time."""
    until = task_time.now_ns() + ms * MS
    while task_time.now_ns() < until:
        pass


def in_a_thread(what: Callable[[], list[int]]) -> list[int]:
    """Return the result of a function in a new thread, so that only it is traced."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(what).result()


def test_a_thread_that_is_one_task_counts_all_its_work() -> None:
    def count() -> list[int]:
        task = task_time.current()
        began = task.begin()
        work(3)
        return [task.settle() - began]

    (took,) = in_a_thread(count)
    assert 3 * MS <= took < 4 * MS


def test_a_greenlet_counts_what_it_works_and_not_what_others_do_while_it_waits() -> None:
    def count() -> list[int]:
        task_time.tell_greenlets_apart()
        parent = getcurrent()
        found = []

        def small() -> None:
            task = task_time.current()
            began = task.begin()
            for _ in range(3):
                work(1)
                parent.switch()
            found.append(task.settle() - began)

        def dear() -> None:
            task = task_time.current()
            while True:
                work(20)
                found.append(task.settle())
                parent.switch()

        one, others = greenlet(small), [greenlet(dear) for _ in range(3)]
        for other in others:
            one.switch()
            other.switch()
        one.switch()
        return found

    *dear, small = in_a_thread(count)
    assert 3 * MS <= small < 4 * MS
    assert all(20 * MS <= other < 22 * MS for other in dear)


def test_what_the_hub_takes_counts_for_who_goes_on_next() -> None:
    def count() -> list[int]:
        hub = getcurrent()
        task_time.tell_greenlets_apart(hub)
        found = []

        def ask() -> None:
            task = task_time.current()
            began = task.begin()
            hub.switch()
            found.append(task.settle() - began)

        def nobodys() -> None:
            work(20)

        asked = greenlet(ask)
        asked.switch()
        greenlet(nobodys).switch()
        work(1)  # the hub chooses the next greenlet
        asked.switch()
        return found

    (took,) = in_a_thread(count)
    assert MS <= took < 2 * MS


def test_what_a_connection_reads_is_work_for_its_next_request() -> None:
    def count() -> list[int]:
        task = task_time.current()
        task.mark()
        work(2)
        return [task.settle() - task.begin()]

    (took,) = in_a_thread(count)
    assert took >= 2 * MS
