"""Tells a full disk from other trouble with files."""

import errno
import shutil
from pathlib import Path

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""What writing raises where nothing more can be written."""

_FULL_BYTES = 1 << 20


def is_full(folder: Path) -> bool:
    """Whether there is less room in a folder than any use of it needs."""
    try:
        return shutil.disk_usage(folder).free < _FULL_BYTES
    except OSError:
        return False
