"""One Redis for each data folder: a lock file names the server's process and address.

The server inherits the locked descriptor, so the lock ends when the server ends, even if the
launcher has ended earlier. The library filelock cannot do that: it closes the descriptor in a
forked process, and when it releases its lock it unlocks the inherited lock too, so that a running
server would go unnoticed (test_others_can_find_the_server_that_runs). Also, filelock's locks are
exclusive: if two processes look at the lock at the same time, one would take the other for a server
(test_many_may_look_at_once).
"""

import fcntl
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, NamedTuple, Self

from service.redis.binary import RedisServerError

LOCK = "redis.lock"
WAIT_S = 10.0  # a server whose launcher was killed takes a moment to end
POLL_S = 0.01


class Owner(NamedTuple):
    """The server that uses a data folder."""

    pid: int
    socket: str

    def write(self, lock: IO[str]) -> None:
        """Name this server in the lock file."""
        lock.truncate(0)
        json.dump(self._asdict(), lock)
        lock.flush()

    @classmethod
    def read(cls, lock: IO[str]) -> Self | None:
        """Return the server that the lock file names; None if the file names none.

        The server may have ended. The file is empty if no server has run yet, or if the disk had no
        room to write the server's name and address.
        """
        lock.seek(0)
        try:
            return cls(**json.load(lock))
        except (ValueError, TypeError):
            return None


@contextmanager
def locked(data_dir: Path) -> Iterator[IO[str]]:
    """Yield the folder's lock file, locked; a process that inherits it keeps it locked.

    The server inherits it, so the lock is held while a server, or a process about to start one, is
    alive. Raises RedisServerError if another process holds it.
    """
    with (data_dir / LOCK).open("a+") as lock:
        deadline = time.monotonic() + WAIT_S
        while not _try_lock(lock, fcntl.LOCK_EX):
            if time.monotonic() > deadline:
                owner = Owner.read(lock)
                who = f"Another Redis (process {owner.pid})" if owner else "Another Redis"
                raise RedisServerError(
                    f"{who} runs on {data_dir}: stop it, or set LONJA_DATA_DIR to another folder."
                )
            time.sleep(POLL_S)
        yield lock


def running_url(data_dir: Path) -> str | None:
    """Return the URL of the running server on `data_dir`; None if there is none."""
    path = data_dir / LOCK
    if not path.exists():
        return None
    with path.open() as lock:
        if _try_lock(lock, fcntl.LOCK_SH):
            return None
        owner = Owner.read(lock)
        return f"unix://{owner.socket}" if owner else None


def _try_lock(lock: IO[str], kind: int) -> bool:
    try:
        fcntl.flock(lock, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
