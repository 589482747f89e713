"""How gunicorn runs the application: ``gunicorn --config python:service.api.gunicorn.config``.

The number of processes and the address come from the settings. The port comes from ``PORT``, unless
``--bind`` names a socket that is listening already.
"""

import logging
import os
import resource
import signal
from contextlib import suppress
from pathlib import Path
from threading import Thread
from types import FrameType
from typing import Any

import gevent
from prometheus_client import multiprocess

from service import settings
from service.addresses import in_url
from service.api.gunicorn.worker import Worker
from service.process import logs, task_time
from service.process.launcher import die_with_parent
from service.process.procfs import is_alive

PLAIN_CONNECTIONS = 1_000
"""Maximum number of connections in each process that are not streams."""

OTHER_FILES = 200
"""Number of other files that a process has open: its code, its log, its connections to Redis."""

_COUNTS = "PROMETHEUS_MULTIPROC_DIR"

_found = settings.load(os.environ)
Worker.settings = _found
for _name in ("gunicorn.error", "gunicorn.access"):
    logging.getLogger(_name).addFilter(logs.Printable())

wsgi_app = "service.api.wsgi:app"
bind = f"{in_url(_found.host)}:{os.environ.get('PORT', '8000')}"
workers = _found.web_workers
worker_class = "service.api.gunicorn.worker.Worker"
worker_connections = _found.max_streams + PLAIN_CONNECTIONS
forwarded_allow_ips = ",".join(map(str, _found.trusted_proxies))
# The proxies' headers that may set SCRIPT_NAME; no header may set PATH_INFO.
forwarder_headers = "SCRIPT_NAME"
timeout = 60
graceful_timeout = _found.drain_seconds + 5
keepalive = 30
# Gunicorn's default path for this socket is shared by all processes of this user.
control_socket_disable = True
loglevel = "warning"


def on_starting(server: Any) -> None:
    """Raise the limit on open files, and remove the gauges of processes that no longer run."""
    _raise_limit_on_files(server)
    counts = Path(os.environ.get(_COUNTS, os.devnull))
    for live in counts.glob("gauge_live*_*.db"):
        pid = int(live.stem.rpartition("_")[2])
        if not is_alive(pid):
            _count_no_more(pid)


def _raise_limit_on_files(server: Any) -> None:
    """Raise the limit on open files to what all connections need, or warn that it is too low."""
    needed = worker_connections + OTHER_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < needed:
        server.log.warning(
            "The limit on open files is %d and LONJA_MAX_STREAMS=%d needs %d: raise it (ulimit -n,"
            " LimitNOFILE), or connections are lost.",
            hard, _found.max_streams, needed,
        )  # fmt: skip
        needed = hard
    if soft != resource.RLIM_INFINITY and soft < needed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (needed, hard))


def post_fork(_server: Any, worker: Any) -> None:
    """Ask the kernel to kill this process when its master dies; else it would keep the port.

    The signal is SIGKILL. It does no harm, because this process is only starting and has no request
    to finish. A milder signal would have no effect yet, because no handler is installed.
    """
    _die_with(worker.ppid, signal.SIGKILL)


def _die_with(master: int, by: signal.Signals) -> None:
    ask_kernel = die_with_parent(master, by)
    if ask_kernel is not None:
        ask_kernel()


def child_exit(_server: Any, worker: Any) -> None:
    """Remove a process that has ended from the metrics."""
    _count_no_more(worker.pid)


def worker_exit(_server: Any, worker: Any) -> None:
    """Remove this ending process from the metrics, because its master may be gone."""
    _count_no_more(worker.pid)


def _count_no_more(pid: int) -> None:
    if _COUNTS in os.environ:
        with suppress(FileNotFoundError):  # gunicorn may remove the same file at this moment
            multiprocess.mark_process_dead(pid)  # type: ignore[no-untyped-call]


def post_worker_init(worker: Any) -> None:
    """Make a process watch its store, and drain its connections when it has to end.

    A draining process tells load balancers first, and serves until they have noticed. Then it
    closes its open streams, which would otherwise last for hours.
    """
    task_time.take_turns(gevent.get_hub())
    Thread(target=worker.wsgi.watch, name="store-watch", daemon=True).start()
    logs.configure(_found)
    end = signal.getsignal(signal.SIGTERM)

    def stop() -> None:
        worker.wsgi.stop()
        if callable(end):
            end(signal.SIGTERM, None)

    def drain(_signum: int, _frame: FrameType | None) -> None:
        worker.wsgi.drain()
        # The next master waits for this process to free the port.
        orphaned = os.getppid() != worker.ppid
        gevent.spawn_later(0 if orphaned else _found.drain_seconds, stop)

    signal.signal(signal.SIGTERM, drain)
    _die_with(worker.ppid, signal.SIGTERM)
