"""Long work of a web process beside its requests."""

import pytest

from service.process.threads import in_thread
from tests.service.process.test_polls import found


def test_greenlets_go_on_while_a_pack_is_put_into_the_index() -> None:
    """The pack is not whole before another greenlet has run, and read the index."""
    (rows,) = found("""
import tempfile
from functools import partial
from pathlib import Path
from service.archive.index import PackIndex
from service.process.threads import in_thread
from tests.service.archive.test_index import ENDED, listed, row

index = PackIndex(Path(tempfile.mkdtemp()) / "index")
read = []
sleep = monkey.get_original("time", "sleep")
def games():
    yield from listed(row(1, 1_000))
    until = time.monotonic() + 30
    while not read:
        assert time.monotonic() < until, "no other greenlet ran"
        sleep(0.001)
    yield from listed(row(2, 2_000))
def request():
    read.append(len(index.newest(ENDED, 9).games))
index.contents()
gevent.spawn_later(0.01, request)
in_thread(partial(index.put, "pack", "", games()))
assert read == [0]
print(len(index.newest(ENDED, 9).games))
""")
    assert rows == 2


def test_an_error_of_long_work_is_raised() -> None:
    assert found("""
from service.process.threads import in_thread
try:
    in_thread(lambda: 1 / 0)
except ZeroDivisionError:
    print(1)
print(in_thread(lambda: 2))
""") == [1, 2]
    with pytest.raises(ZeroDivisionError):
        in_thread(lambda: 1 // 0)
