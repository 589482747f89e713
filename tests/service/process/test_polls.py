"""New input of a web process waits for one stretch of work, not for all waiting requests."""

import subprocess
import sys
from itertools import pairwise

from service.process.fair_queue import STRETCH_NS
from tests.running import ROOT
from tests.service.process.test_task_time import MS

PROCESS = """
from gevent import monkey
monkey.patch_all()
import resource, socket, time
import gevent
from service.process import task_time
from service.process.fair_queue import AT_ONCE, FairQueue, go_on, paced
from tests.service.process.test_task_time import work

hub = gevent.get_hub()
task_time.take_turns(hub)
"""


def found(what: str) -> list[int]:
    """Run a process with greenlets, and return the numbers that it prints."""
    run = [sys.executable, "-c", PROCESS + what]
    printed = subprocess.run(run, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return [int(number) for number in printed.split()]


def test_all_requests_of_an_address_together_work_for_a_stretch_between_two_polls() -> None:
    polled = found("""
queue, polled = FairQueue(), []
def ask(rounds):
    with queue.at_work("alone"):
        for _ in range(rounds):
            work(0.4)
            go_on()  # as after an answer of the store
        for _ in paced(range(rounds)):
            work(0.4)
note = hub.loop.check(ref=False)
note.start(lambda: polled.append(task_time.now_ns()))
gevent.joinall([gevent.spawn(ask, 5) for _ in range(2 * AT_ONCE)])
print(*polled)
""")
    between = sorted(later - one for one, later in pairwise(polled))
    assert sum(between) > 100 * MS, "128 ms of work"
    # One or the other takes longer where the system lends the processor to others meanwhile.
    assert between[-1 - len(between) // 20] < 2 * STRETCH_NS


def test_who_waits_for_a_poll_goes_on_at_once_after_all_that_it_finds() -> None:
    slept, *in_order = found("""
one, other = socket.socketpair()
order = []
def read():
    while other.recv(1):
        order.append(1)
reader = gevent.spawn(read)
gevent.sleep(0)
before = resource.getrusage(resource.RUSAGE_SELF).ru_nvcsw
for _ in range(100):
    one.send(b"x")
    task_time.polls.wait()
    order.append(0)
print(resource.getrusage(resource.RUSAGE_SELF).ru_nvcsw - before, *order)
""")
    assert in_order == [1, 0] * 100
    assert slept < 20, "the process never sleeps"
