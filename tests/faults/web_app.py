"""The service's application, which crashes on order: ``tests.faults.web_app:app``.

It answers a request with ``X-Crash`` (an ``Order``) as a process that has just started, and dies at
the point of the order. If it survives, the answer lists the points that it passed.
"""

from gevent import monkey

# Gunicorn loads this module before it forks, and needs its own clock, queue and signals until then.
monkey.patch_all(os=False, signal=False, select=False, queue=False, time=False)

import json  # noqa: E402
from collections.abc import Callable, Iterable  # noqa: E402
from typing import Any  # noqa: E402

import service.api.app  # noqa: E402 - so that a fork has it already
from service.api.wsgi import LazyApplication  # noqa: E402
from service.ledger import snapshots  # noqa: E402
from tests.faults import crash  # noqa: E402
from tests.faults.web_names import POINTS_HEADER  # noqa: E402

assert service.api.app is not None
snapshots.EVERY = 1  # so that every move writes a snapshot
crash.install()
_usual = LazyApplication()


def app(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """Answer the request, or die on order."""
    given = environ.pop("HTTP_X_CRASH", None)
    if given is None:
        return _usual(environ, start_response)
    started: list[Any] = []
    with crash.watched(crash.Order.of(given)) as points:
        answer = LazyApplication()(environ, lambda *args: started.extend(args))  # type: ignore[arg-type]
        body = b"".join(answer)
    status, headers = started[:2]
    start_response(status, [*headers, (POINTS_HEADER, json.dumps(points))])
    return [body]
