"""The proxies with the configurations in deploy/, on free loopback ports before web processes."""

import json
import os
import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.client import HTTPSConnection
from pathlib import Path
from typing import Any, NamedTuple

from tests.deploy.programs import needed
from tests.faults.people import Answer
from tests.faults.processes import end, free_port
from tests.running import ROOT, wait_for

DEPLOY = ROOT / "deploy"
HERE = "127.0.0.1:8000"
NGINX = """
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/nginx.log;
worker_processes 1;
events {{ worker_connections 4096; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {configuration};
}}
"""


class Proxy(NamedTuple):
    """A running proxy: its ports, and the authority of its certificate."""

    name: str
    pid: int
    https: int
    http: int
    authority: Path

    def connect(self, source: str = "127.0.0.1", timeout: float = 30.0) -> HTTPSConnection:
        """Return a TLS connection from an address of this machine."""
        return HTTPSConnection(
            "localhost",
            self.https,
            timeout=timeout,
            source_address=(source, 0),
            context=ssl.create_default_context(cafile=str(self.authority)),
        )

    def ask(
        self, method: str, path: str, body: Any = None, *, source: str = "127.0.0.1", **headers: str
    ) -> Answer:
        """Send one request on a new connection."""
        connection = self.connect(source)
        sent = {name.replace("__", "-"): value for name, value in headers.items()}
        if body is not None:
            sent["Content-Type"] = "application/json"
        try:
            connection.request(method, path, None if body is None else json.dumps(body), sent)
            answer = connection.getresponse()
            return Answer(answer.status, dict(answer.headers), answer.read())
        finally:
            connection.close()


@contextmanager
def caddy(folder: Path, *web: str) -> Iterator[Proxy]:
    """Run Caddy with deploy/Caddyfile, with a certificate of its own authority."""
    program = needed("caddy")
    https, plain = free_port(), free_port()
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "XDG_DATA_HOME": str(folder),
        "XDG_CONFIG_HOME": str(folder),
        "LONJA_HTTP_PORT": str(plain),
        "LONJA_HTTPS_PORT": str(https),
        "LONJA_BIND": "127.0.0.1",
        "LONJA_CADDY_ADMIN": "off",
        "LONJA_WEB": " ".join(web),
    }
    command = [program, "run", "--adapter", "caddyfile", "--config", str(DEPLOY / "Caddyfile")]
    authority = folder / "caddy/pki/authorities/local/root.crt"
    with _running(command, folder / "caddy.log", environment, https) as pid:
        found = Proxy("caddy", pid, https, plain, authority)
        wait_for(lambda: authority.exists() and _has_certificate(found))
        yield found


@contextmanager
def nginx(folder: Path, *web: str) -> Iterator[Proxy]:
    """Run nginx with deploy/nginx, with other paths for the files that differ between hosts.

    The first web node is the one that has the public log.
    """
    program = needed("nginx", "openssl")
    https, plain = free_port(), free_port()
    certificate, key = _certificate(folder)
    line = (DEPLOY / "nginx/lonja/web.conf").read_text().splitlines()[-1]
    places = {
        "https.conf": f"listen 127.0.0.1:{https} ssl http2;\nserver_name localhost;\n"
        f"ssl_certificate {certificate};\nssl_certificate_key {key};\n",
        "http.conf": f"listen 127.0.0.1:{plain};\n",
        "web.conf": "".join(f"{line.replace(HERE, each)}\n" for each in web),
        "log.conf": f"server {web[0]};\n",
    }
    assert places.keys() == {path.name for path in (DEPLOY / "nginx/lonja").iterdir()}
    (folder / "lonja").mkdir()
    for name, text in places.items():
        (folder / "lonja" / name).write_text(text)
    configuration = shutil.copy(DEPLOY / "nginx/lonja.conf", folder)
    main = folder / "nginx.conf"
    main.write_text(NGINX.format(folder=folder, configuration=configuration))
    with _running([program, "-p", folder, "-c", main], folder / "said.log", None, https) as pid:
        yield Proxy("nginx", pid, https, plain, certificate)


def _certificate(folder: Path) -> tuple[Path, Path]:
    """Make a self-signed certificate for localhost."""
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    subprocess.run(
        [
            needed("openssl"), "req", "-x509", "-newkey", "ec", "-noenc", "-days", "2",
            "-pkeyopt", "ec_paramgen_curve:P-256", "-subj", "/CN=localhost",
            "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate,
        ],
        check=True,
        capture_output=True,
    )  # fmt: skip
    return certificate, key


@contextmanager
def _running(
    command: Sequence[str | Path], log: Path, environment: dict[str, str] | None, port: int
) -> Iterator[int]:
    """Run a proxy until it listens on the port; end it afterwards by its process id."""
    with log.open("wb") as said:
        process = subprocess.Popen(
            command, env=environment, stdin=subprocess.DEVNULL, stdout=said, stderr=said
        )
    try:
        wait_for(lambda: process.poll() is not None or _listens(port))
        assert process.poll() is None, log.read_text()
        yield process.pid
    finally:
        end(process)


def _has_certificate(proxy: Proxy) -> bool:
    connection = proxy.connect()
    try:
        connection.connect()
    except ssl.SSLError:
        return False
    finally:
        connection.close()
    return True


def _listens(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
    except OSError:
        return False
    return True
