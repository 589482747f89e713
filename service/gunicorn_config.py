"""How gunicorn runs the application: ``gunicorn --config python:service.gunicorn_config``.

The number of processes and the address come from the settings, the port from ``PORT``.
"""

import os
import signal
from types import FrameType
from typing import Any

from prometheus_client import multiprocess

from service import settings

_found = settings.load(os.environ)

wsgi_app = "service.wsgi:app"
bind = f"{_found.host}:{os.environ.get('PORT', '8000')}"
workers = _found.web_workers
worker_class = "gevent"
worker_connections = 2_000
timeout = 60
graceful_timeout = 5
keepalive = 30
control_socket_disable = True  # its default path is shared by all that run as this user
loglevel = "warning"


def child_exit(_server: Any, worker: Any) -> None:
    """Take a process that has ended out of the metrics."""
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        multiprocess.mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]


def post_worker_init(worker: Any) -> None:
    """End the open streams of a process that is told to end; they would last for hours."""
    end = signal.getsignal(signal.SIGTERM)

    def end_streams_too(signum: int, frame: FrameType | None) -> None:
        worker.wsgi.stop()
        if callable(end):
            end(signum, frame)

    signal.signal(signal.SIGTERM, end_streams_too)
