"""Says who writes to a bucket, so that two processes do not do the same work.

Two that write at once would harm nothing: packs are put if absent, and other files replaced if
they are what was read.
"""

import json
import os
import time
from contextlib import suppress
from datetime import UTC, datetime
from socket import gethostname
from threading import Event, Thread
from typing import Any

from service.archive.files import BusyError
from service.archive.objects import Objects

LEASE = "lease"
"""The object that says who writes."""
LEASE_SECONDS = 120.0
"""Time after which the lease of a process that was killed ends."""

_RENEW_SECONDS = 20.0
_FREE = b"{}"


class WriterLease:
    """The lease of this process, which renews it in a thread of its own."""

    def __init__(self, objects: Objects) -> None:
        self._objects = objects
        own = {"host": gethostname(), "pid": os.getpid(), "since": time.time_ns()}
        self._own = json.dumps(own).encode()
        self._ended = Event()
        self._renewing = Thread(target=self._renew, name="lease", daemon=True)

    def take(self) -> None:
        """Take the lease. Raises BusyError if another process has it; OSError."""
        objects = self._objects
        found = objects.get(LEASE)
        if found is None:
            taken = objects.create(LEASE, self._own)
        else:
            age = (datetime.now(UTC) - found.at).total_seconds()
            if (holder := _read(found.raw)) and age < LEASE_SECONDS:
                raise self._busy(f", {holder.get('pid')} on {holder.get('host')},")
            taken = objects.update(LEASE, self._own, found)
        # An answer may have been lost, and the request repeated.
        if not taken and ((now := objects.get(LEASE)) is None or now.raw != self._own):
            raise self._busy("")
        self._renewing.start()

    def give_back(self) -> None:
        """Let others have the lease."""
        self._ended.set()
        self._renewing.join()
        self._put(_FREE)

    def _renew(self) -> None:
        while not self._ended.wait(_RENEW_SECONDS):
            self._put(self._own)

    def _put(self, raw: bytes) -> None:
        with suppress(OSError):  # then it expires
            found = self._objects.get(LEASE)
            if found is not None and found.raw == self._own:
                self._objects.update(LEASE, raw, found)

    def _busy(self, who: str) -> BusyError:
        return BusyError(
            f"another process{who} writes packs to {self._objects.url}, or was killed less than"
            f" {LEASE_SECONDS:.0f} seconds ago"
        )


def _read(raw: bytes) -> dict[str, Any]:
    """Return the holder of a stored lease (``host``, ``pid``, ``since``); {} if unreadable."""
    try:
        found = json.loads(raw)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
