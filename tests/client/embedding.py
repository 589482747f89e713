"""A page of another origin that embeds games, under the policy of docs/api/embed.md."""

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser

from tests.client.visitors import PATIENCE, Visitor
from tests.faults.people import Client
from tests.running import ROOT

GUIDE = (ROOT / "docs/api/embed.md").read_text(encoding="utf-8")
SERVICE = "http://127.0.0.1:8000"
"""The address of the service in the guide."""


def block(language: str) -> str:
    """Return the first block of the guide in a language."""
    found = re.search(rf"^```{language}\n(.*?)^```$", GUIDE, re.DOTALL | re.MULTILINE)
    assert found, language
    return found[1]


def policy(service: str, scripts: str = "'self'") -> str:
    """Return the guide's policy for a service, and for the origin of scripts."""
    (told,) = re.findall(r"^default-src .*$", GUIDE, re.MULTILINE)
    return str(told).replace(SERVICE, service).replace("script-src 'self'", f"script-src {scripts}")


@contextmanager
def host(folder: Path, pages: dict[str, str], csp: str) -> Iterator[str]:
    """Serve a folder and some pages from another port, under a policy; yield the address."""

    class Handler(SimpleHTTPRequestHandler):
        def end_headers(self) -> None:
            self.send_header("Content-Security-Policy", csp)
            super().end_headers()

        def do_GET(self) -> None:
            text = pages.get(self.path.partition("?")[0])
            if text is None:
                super().do_GET()
                return
            body = text.encode()
            self.send_response(200)
            kind = "text/javascript" if self.path.endswith(".js") else "text/html; charset=utf-8"
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


class Guest(Visitor):
    """A visitor of a page of another origin that embeds a game."""

    player: Client
    table: str
    origin: str

    @classmethod
    @contextmanager
    def of(
        cls,
        browser: Browser,
        port: int,
        folder: Path,
        pages: dict[str, str],
        scripts: str = "'self'",
    ) -> Iterator["Guest"]:
        opened = browser.new_context()
        opened.set_default_timeout(1000 * PATIENCE)
        guest = cls(opened.new_page(), port)
        with host(folder, pages, policy(guest.url, scripts)) as guest.origin:
            try:
                yield guest
            finally:
                opened.close()  # before its host, because it may still load later parts
        assert guest.faults == [], guest.faults
        known = (guest.url, guest.origin, "data:", f"blob:{guest.origin}")
        assert [url for url in guest.asked if not url.startswith(known)] == []

    @property
    def game(self) -> str:
        return self.table

    def client(self) -> Client:
        return self.player
