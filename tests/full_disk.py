"""Small disks: a limit on the file size of one Redis, or, if root runs the tests, a disk in memory.

Writing past a limit fails (EFBIG) as on a full disk (ENOSPC), and Redis treats both alike.
"""

import resource
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from service.redis.binary import choose

PLENTY = "unlimited"
_PROGRAM = """#!/bin/sh
trap '' XFSZ  # a write past the limit fails, and does not kill
ulimit -S -f "$(cat '{limit}')"
exec '{server}' "$@"
"""


class SmallDisk:
    """A server program for LONJA_REDIS_SERVER, with a limit on the size of its files."""

    def __init__(self, folder: Path, binary: Path | None) -> None:
        server = choose(folder, binary).path
        self._limit = folder / "limit"
        self.allow(PLENTY)
        self.program = folder / "redis-on-a-small-disk"
        self.program.write_text(_PROGRAM.format(limit=self._limit, server=server))
        self.program.chmod(0o755)

    def allow(self, blocks: int | str) -> None:
        """Limit the files of servers that start from now on to a number of blocks of 512 bytes."""
        self._limit.write_text(str(blocks))


def shrink(pid: int, size: int | None) -> None:
    """Limit the files of a running server to a number of bytes; None: no limit."""
    infinite = resource.RLIM_INFINITY
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (infinite if size is None else size, infinite))


@contextmanager
def small_disk(folder: Path, megabytes: int) -> Iterator[None]:
    """Mount a disk in memory on a folder, which only root may do."""
    folder.mkdir(exist_ok=True)
    subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=700", "lonja", folder], check=True
    )
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)
