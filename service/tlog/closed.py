"""Co-signed checkpoints that a log keeps: those that first had tables that wait for a beacon.

A log serves its newest checkpoint alone, so its co-signatures are soon gone. Whoever asks later
when witnesses had seen a closed table needs those of that time. The checkpoint is kept by the index
of the table's leaf, below the log (``closed/007``, ``closed/x012/345``).
"""

import re

from service.tlog.tiles import place_of

FOLDER = "closed"
_PATH = re.compile(rf"{FOLDER}/(?:x[0-9]{{3}}/)*[0-9]{{3}}", re.ASCII)


def path_of(index: int) -> str:
    """Return the path, below the log, of the checkpoint that is kept for a leaf."""
    return f"{FOLDER}/{place_of(index)}"


def is_path(name: str) -> bool:
    """Whether a file of a log has the name of a kept checkpoint."""
    return _PATH.fullmatch(name) is not None
