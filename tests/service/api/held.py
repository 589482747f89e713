"""The application with further paths whose answers a test controls, by files in the folder HELD."""

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from gevent.monkey import get_original

from service.api.wsgi import LazyApplication

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIEnvironment

FOLDER = Path(os.environ["HELD"])
stand_still: Callable[[float], None] = get_original("time", "sleep")
"""Sleeps and blocks all other greenlets of the process."""


class Held(LazyApplication):
    """Answers /refused at once; /busy blocks the process until the file ``go`` exists."""

    def __call__(
        self, environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        path = environ["PATH_INFO"]
        if path == "/busy":
            (FOLDER / f"busy-{os.getpid()}").touch()
            while not (FOLDER / "go").exists():
                stand_still(0.01)
        elif path == "/held":
            (FOLDER / "held").touch()
            import time  # noqa: PLC0415 - gevent's: others go on

            while not (FOLDER / "go").exists():
                time.sleep(0.01)
        elif path != "/refused":
            return super().__call__(environ, start_response)
        start_response("403 Forbidden", [("Content-Length", "0")])
        return [b""]


if (FOLDER / "slow").exists():  # a process that hangs while it starts
    (FOLDER / f"starts-{os.getpid()}").touch()
    while True:
        stand_still(1.0)
app = Held()
