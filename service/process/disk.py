"""Files that appear complete or not at all, and the detection of full disks."""

import errno
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""The error numbers of a write to a full disk."""

_FULL_BYTES = 1 << 20


def is_full(folder: Path) -> bool:
    """Whether a folder's disk has less free space than the service needs."""
    try:
        return shutil.disk_usage(folder).free < _FULL_BYTES
    except OSError:
        return False


@contextmanager
def appearing(path: Path, mode: int = 0o644) -> Iterator[IO[bytes]]:
    """Open a file that appears under its name when it is complete and on disk.

    Until then it has another name in the same folder, and only this user can read it. If the
    process is killed, the file stays there.

    Raises:
        OSError: it cannot be written.
    """
    handle, draft = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        Path(draft).chmod(mode)
        Path(draft).replace(path)
    except BaseException:
        with suppress(OSError):
            Path(draft).unlink()
        raise
