"""A network between a browser and a service, which can be cut, or bring an earlier release."""

import http.client
import re
import threading
from contextlib import closing, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self

from tests.faults.people import LOST

VERSION = re.compile(rb'(\?v=|"|release )[0-9a-f]{12}\b')
FORMER = b"0" * 12
"""The version of all parts of the earlier release."""
_HOPS = frozenset(("connection", "transfer-encoding", "content-length", "etag"))


class Network(ThreadingHTTPServer):
    """Answers with what the service answers, if it is not ``cut``.

    ``former``: the service has an earlier release of the page; its parts, its worker and its rooms
    name other versions. ``asked`` has the paths of all requests.
    """

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, service_port: int) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.service_port = service_port
        self.cut = self.former = False
        self.asked: list[str] = []

    def __enter__(self) -> Self:
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self.server_close()

    @property
    def port(self) -> int:
        return int(self.server_address[1])


class _Handler(BaseHTTPRequestHandler):
    server: Network

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        if not self.server.cut:  # else the connection ends without an answer
            with suppress(*LOST):  # the browser or the service has no more interest
                self._answer()

    def _answer(self) -> None:
        former, path = self.server.former, self.path
        if former:
            path = path.replace(f"?v={FORMER.decode()}", "")
            if VERSION.search(path.encode()):
                self.send_error(404)
                return
        length = int(self.headers.get("Content-Length", 0))
        service = http.client.HTTPConnection("127.0.0.1", self.server.service_port, timeout=60)
        headers = {
            name: value
            for name, value in self.headers.items()
            if name.lower() not in {"accept-encoding", "connection"}
            and not (former and name.lower() == "if-none-match")
        }
        with closing(service):
            service.request(self.command, path, self.rfile.read(length), headers)
            with service.getresponse() as answer:
                self.send_response(answer.status)
                for name, value in answer.headers.items():
                    if name.lower() not in _HOPS:
                        self.send_header(name, value)
                self.send_header("Connection", "close")
                self.end_headers()
                if former and "/v1/" not in path:
                    self.wfile.write(VERSION.sub(rb"\g<1>" + FORMER, answer.read()))
                    return
                while piece := answer.read1(1 << 16):
                    self.wfile.write(piece)

    do_POST = do_PUT = do_PATCH = do_DELETE = do_GET  # noqa: N815 - the names of the base class

    def log_message(self, *_: object) -> None:
        """Log nothing."""
