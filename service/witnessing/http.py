"""Answers the requests to a witness, each within bounds of time and size."""

from collections.abc import Callable, Iterable
from http import HTTPStatus
from typing import Any, NamedTuple

import gevent
import structlog
from gevent.pool import Pool
from gevent.pywsgi import WSGIHandler, WSGIServer

from service.addresses import in_url
from service.tlog.notes import MOST_BYTES as LARGEST_NOTE
from service.tlog.submissions import ADD_CHECKPOINT, MOST_BYTES, checkpoint_path
from service.witnessing.witness import Answer, Witness

log = structlog.get_logger(__name__)

CONNECTIONS = 200
"""Maximum number of open connections; further ones wait."""
REQUEST_SECONDS = 10.0
"""Time in which a request must arrive, and a connection that stays open must have its next one."""
_ANSWER_SECONDS = 30.0

StartResponse = Callable[[str, list[tuple[str, str]]], object]


class ListenAddress(NamedTuple):
    """The address at which to listen."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"{in_url(self.host)}:{self.port}"


class WitnessApplication:
    """The WSGI application of a witness."""

    def __init__(self, witness: Witness) -> None:
        self._witness = witness
        self._origins = {checkpoint_path(key.name): key.name for key in witness.policy.logs}

    def __call__(self, environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        answer = self._answer(environ)
        headers = [
            ("Content-Type", answer.media_type),
            ("Content-Length", str(len(answer.body))),
            ("Cache-Control", "no-store"),
            ("X-Content-Type-Options", "nosniff"),
        ]
        if answer.retry_after:
            headers.append(("Retry-After", str(answer.retry_after)))
        start_response(f"{answer.status.value} {answer.status.phrase}", headers)
        return [answer.body]

    def _answer(self, environ: dict[str, Any]) -> Answer:
        method, path = environ["REQUEST_METHOD"], environ["PATH_INFO"]
        if path == ADD_CHECKPOINT:
            if method != "POST":
                return _told(HTTPStatus.METHOD_NOT_ALLOWED, "send a POST")
            return self._added(environ)
        if method != "GET":
            return _told(HTTPStatus.METHOD_NOT_ALLOWED, "send a GET")
        if path == "/":
            return Answer(HTTPStatus.OK, self._about())
        origin = self._origins.get(path)
        found = None if origin is None else self._witness.checkpoint(origin)
        if found is None:
            return _told(HTTPStatus.NOT_FOUND, "this witness has no such checkpoint")
        return Answer(HTTPStatus.OK, found)

    def _added(self, environ: dict[str, Any]) -> Answer:
        try:
            with gevent.Timeout(REQUEST_SECONDS):
                body = environ["wsgi.input"].read(MOST_BYTES + 1)
        except gevent.Timeout:
            return _told(HTTPStatus.REQUEST_TIMEOUT, "the body did not arrive in time")
        if len(body) > MOST_BYTES:
            why = f"a submission has at most {MOST_BYTES} bytes, its checkpoint {LARGEST_NOTE}"
            return _told(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, why)
        return self._witness.add_checkpoint(body)

    def _about(self) -> bytes:
        """Return what people read who come by."""
        logs = "".join(f"{origin}\n" for origin in sorted(self._origins.values()))
        return (
            f"A witness of transparency logs (c2sp.org/tlog-witness).\n\n"
            f"{self._witness.key.verifier}\n\nIt co-signs:\n{logs}"
        ).encode()


class _Handler(WSGIHandler):
    """Reads requests, with a limit on the time that one may take to arrive."""

    def read_requestline(self) -> Any:
        try:
            with gevent.Timeout(REQUEST_SECONDS):
                return super().read_requestline()
        except gevent.Timeout:
            return ""  # as at the end of a connection

    def read_request(self, raw_requestline: Any) -> Any:
        try:
            with gevent.Timeout(REQUEST_SECONDS):
                return super().read_request(raw_requestline)
        except gevent.Timeout:
            self.close_connection = True
            return None

    def handle_one_response(self) -> None:
        try:
            with gevent.Timeout(_ANSWER_SECONDS):
                super().handle_one_response()
        except gevent.Timeout:
            self.close_connection = True

    def log_request(self) -> None:
        """Log nothing: neither addresses nor requests of others are kept."""

    def log_error(self, msg: str, *args: Any) -> None:
        log.info("request_failed", reason=msg % args)


def server(listening: ListenAddress, witness: Witness) -> WSGIServer:
    """Return the server, which does not run yet."""
    return WSGIServer(
        (listening.host, listening.port),
        WitnessApplication(witness),
        handler_class=_Handler,
        spawn=Pool(CONNECTIONS),
        log=None,
    )


def _told(status: HTTPStatus, what: str) -> Answer:
    return Answer(status, f"{what}\n".encode())
