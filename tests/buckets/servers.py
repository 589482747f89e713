"""Servers of buckets that are asked through a door, which counts requests and spoils answers."""

import fcntl
import http.client
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from email.message import Message
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple
from unittest import mock
from urllib.parse import urlencode
from urllib.request import Request, urlopen

from obstore.store import AzureStore, S3Store

from tests import environments
from tests.buckets.small import Answer, Small, refusal
from tests.faults.processes import end, free_port
from tests.running import ROOT

BUCKET = "packs"
KEY, SECRET = "AKIAOFNOBODYATALL", "0of+nobody/at+all0"
READER, READER_SECRET = "AKIAOFAREADER", "0of+a/reader0"
AZURE_ACCOUNT = "devstoreaccount1"
AZURE_KEY = (
    "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="
)
"""The account and the key that every Azurite has; both are public."""
READY_SECONDS = 60
Backend = Callable[[str, str, Message, bytes], Answer]
_SILENT = {"connection", "content-length", "date", "server", "transfer-encoding"}


class _Spoiling(NamedTuple):
    """What is wrong with answers: a refusal instead of them, a cut in their middle, or a delay.

    These are the next ones to requests with the ``method``, or "" for any. A request that is
    refused is not carried out, in contrast to the others.
    """

    times: int = 0
    method: str = ""
    refusal: Answer | None = None
    is_cut: bool = False
    seconds: float = 0


class Door:
    """Listens on a port, and passes requests on to a server; ``requests`` are those so far."""

    def __init__(self, backend: Backend) -> None:
        self.requests: list[str] = []
        self.backend = backend
        self._spoiling = _Spoiling()
        self._server = _Listener(("127.0.0.1", free_port()), partial(_Handler, self))
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        Thread(target=self._server.serve_forever, args=[0.01], daemon=True).start()

    def close(self) -> None:
        """Stop listening."""
        self._server.shutdown()
        self._server.server_close()

    def count(self, method: str = "") -> int:
        """Return the number of requests, or of those with a method."""
        return sum(one.startswith(method) for one in self.requests)

    def refuse(self, status: int, code: str, times: int = 1_000) -> None:
        """Refuse the next requests."""
        self._spoiling = _Spoiling(times, refusal=refusal(status, code))

    def cut(self, method: str) -> None:
        """Cut the answer to the next request with this method off, in its middle."""
        self._spoiling = _Spoiling(1, method, is_cut=True)

    def delay(self, seconds: float) -> None:
        """Answer the next requests later."""
        self._spoiling = _Spoiling(1_000, seconds=seconds)

    def mend(self) -> None:
        """Answer as the server does."""
        self._spoiling = _Spoiling()

    def spoiled(self, method: str) -> _Spoiling:
        """Return what is wrong with the answer to a request."""
        found = self._spoiling
        if not found.times or found.method not in ("", method):
            return _Spoiling()
        self._spoiling = found._replace(times=found.times - 1)
        return found


class _Listener(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(sys.exception(), ConnectionError):  # those who do not wait go away
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def __init__(self, door: Door, *arguments: Any) -> None:
        self._door = door
        super().__init__(*arguments)

    def do_GET(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        asked = f"{self.command} {self.path} {self.headers.get('Range', '')}"
        self._door.requests.append(asked.strip())
        wrong = self._door.spoiled(self.command)
        answer = wrong.refusal or self._door.backend(self.command, self.path, self.headers, body)
        time.sleep(wrong.seconds)
        self.close_connection = self.close_connection or wrong.is_cut
        if not wrong.is_cut:
            self._say(answer, len(answer.body))
        elif answer.body:
            self._say(answer, len(answer.body) // 2)

    do_PUT = do_HEAD = do_DELETE = do_POST = do_GET  # noqa: N815 - the library's names

    def _say(self, answer: Answer, length: int) -> None:
        """Send an answer with the first bytes of its body."""
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            if name.lower() not in _SILENT:
                self.send_header(name, value)
        told = _length(answer) if self.command == "HEAD" else None
        self.send_header("Content-Length", told or str(len(answer.body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(answer.body[:length])

    def log_message(self, format: str, *told: object) -> None:  # noqa: A002 - the library's name
        pass


def _length(answer: Answer) -> str | None:
    return next((v for name, v in answer.headers.items() if name.lower() == "content-length"), None)


class Server(NamedTuple):
    """A server of buckets behind a door, with a way to write many objects at once.

    ``scheme`` begins its buckets' URLs; ``environment`` is of a key that may do all.
    """

    door: Door
    fill: Callable[[list[str]], None]
    scheme: str
    environment: dict[str, str]

    @property
    def bucket(self) -> str:
        """The URL of the bucket."""
        return f"{self.scheme}://{BUCKET}"


@contextmanager
def small() -> Iterator[Server]:
    """Return the context of the small server."""
    made = Small(BUCKET, time.time())
    with _behind_a_door(made) as door:
        yield _s3(door, made.fill)


@contextmanager
def moto(folder: Path) -> Iterator[Server]:
    """Return the context of moto's server."""
    port = free_port()
    command = [_python(), "-m", "moto.server", "--host", "127.0.0.1", "--port", str(port)]
    host = Message()
    host["Host"] = "127.0.0.1"
    with _running(command, folder, port), _behind_a_door(partial(_pass_on, port)) as door:
        assert _pass_on(port, "PUT", f"/{BUCKET}", host, b"").status == 200
        yield _s3(door, partial(_fill, port))


@contextmanager
def seaweed(folder: Path) -> Iterator[Server]:
    """Return the context of SeaweedFS, which knows a key that may do all, and a reader's."""
    keys = folder / "keys.json"
    rights = (KEY, SECRET, ["Admin"]), (READER, READER_SECRET, ["Read", "List"])
    identities = [
        {"name": key, "credentials": [{"accessKey": key, "secretKey": secret}], "actions": actions}
        for key, secret, actions in rights
    ]
    keys.write_text(json.dumps({"identities": identities}))
    (folder / "data").mkdir()
    ports = {
        f"{name}.port{kind}": free_port()
        for name in ("master", "volume", "filer", "s3")
        for kind in ("", ".grpc")
    }
    command = [
        str(Path(_python()).parent / "weed"), "-logtostderr=true", "server", "-filer", "-s3",
        "-ip=127.0.0.1", "-ip.bind=127.0.0.1", f"-dir={folder / 'data'}", f"-s3.config={keys}",
        "-s3.port.iceberg=0", "-s3.port.lance=0", "-master.telemetry=false",
        "-master.volumeSizeLimitMB=64", "-volume.max=20",
        *(f"-{name}={port}" for name, port in ports.items()),
    ]  # fmt: skip
    port = ports["s3.port"]
    with _running(command, folder, port), _behind_a_door(partial(_pass_on, port)) as door:
        _fill(port, ["-"])  # which makes the bucket
        yield _s3(door, partial(_fill, port))


@contextmanager
def azurite(folder: Path) -> Iterator[Server]:
    """Return the context of Azurite, the emulator of Azure's storage."""
    port = free_port()
    command = [
        str(ROOT / ".venv/bin/node"), str(_azurite()), f"--blobPort={port}",
        "--inMemoryPersistence", "--disableTelemetry", "--skipApiVersionCheck",
    ]  # fmt: skip
    here = _azure(f"http://127.0.0.1:{port}")
    with _running(command, folder, port), _behind_a_door(partial(_pass_on, port)) as door:
        account = here["AZURE_STORAGE_ENDPOINT"], BUCKET, here["AZURE_STORAGE_ACCOUNT_KEY"]
        subprocess.run([_python(), "-c", _NEW_CONTAINER, *account], check=True)
        with mock.patch.dict(os.environ, here):
            store = AzureStore(BUCKET, client_options={"allow_http": True})
        yield Server(door, partial(_write, store), "az", _azure(door.url))


_NEW_CONTAINER = """
import sys
from azure.storage.blob import ContainerClient
account, name, key = sys.argv[1:]
ContainerClient(account, name, key).create_container()
"""


def _azurite() -> Path:
    """Return the program of Azurite, which is installed first."""
    folder = ROOT / "tests/buckets/azurite"
    with (ROOT / ".venv/azurite.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        if not (found := folder / "node_modules/azurite/dist/src/blob/main.js").exists():
            path = f"{ROOT / '.venv/bin'}:{os.environ['PATH']}"
            environ = {**os.environ, "PATH": path}
            subprocess.run(["npm", "ci", "--silent"], cwd=folder, env=environ, check=True)
    return found


@contextmanager
def google(folder: Path) -> Iterator[Server]:
    """Return the context of fake-gcs-server, an emulator of Google Cloud Storage.

    It has no PUT of the protocol that obstore speaks: what is read there is written by ``upload``.
    """
    port = free_port()
    with _behind_a_door(partial(_pass_on, port)) as door:
        command = [
            str(_fake_gcs_server()), "-scheme=http", "-backend=memory", "-host=127.0.0.1",
            f"-port={port}", f"-public-host={door.url.removeprefix('http://')}",
        ]  # fmt: skip
        with _running(command, folder, port):
            _post(f"{door.url}/storage/v1/b", json.dumps({"name": BUCKET}).encode())
            yield Server(door, partial(_upload_all, door.url), "gs", google_environment(door.url))


def upload(url: str, name: str, raw: bytes) -> None:
    """Write an object by Google's JSON protocol."""
    query = urlencode({"uploadType": "media", "name": name})
    _post(f"{url}/upload/storage/v1/b/{BUCKET}/o?{query}", raw)


def _upload_all(url: str, names: list[str]) -> None:
    for name in names:
        upload(url, name, b"-")


def _post(url: str, raw: bytes) -> None:
    headers = {"Content-Type": "application/json"}
    with urlopen(Request(url, raw, headers), timeout=60) as answer:
        assert answer.status == 200


def _fake_gcs_server() -> Path:
    """Return the program of fake-gcs-server, which a wheel has for this kind of machine."""
    (found,) = Path(_python()).parents[1].glob("lib/python*/site-packages/*/vendor/*/bin/fake-gcs*")
    return found


@contextmanager
def _behind_a_door(backend: Backend) -> Iterator[Door]:
    door = Door(backend)
    try:
        yield door
    finally:
        door.close()


@contextmanager
def _running(command: list[str], folder: Path, port: int) -> Iterator[None]:
    """Run a server until the context ends."""
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(command, cwd=folder, stdout=log, stderr=log)
    try:
        until = time.monotonic() + READY_SECONDS
        while True:
            assert process.poll() is None, (folder / "log").read_text()[-2_000:]
            assert time.monotonic() < until, (folder / "log").read_text()[-2_000:]
            with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
            time.sleep(0.1)
        yield
    finally:
        end(process)


def _pass_on(port: int, method: str, target: str, headers: Message, body: bytes) -> Answer:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.putrequest(method, target, skip_host=True, skip_accept_encoding=True)
    for name, value in headers.items():
        connection.putheader(name, value)
    connection.endheaders(body)
    answer = connection.getresponse()
    found = Answer(answer.status, dict(answer.getheaders()), answer.read())
    connection.close()
    return found


def _fill(port: int, names: list[str]) -> None:
    with mock.patch.dict(os.environ, environment(f"http://127.0.0.1:{port}")):
        store = S3Store(BUCKET, client_options={"allow_http": True})
    _write(store, names)


def _write(store: S3Store | AzureStore, names: list[str]) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda name: store.put(name, b"-"), names))


def _s3(door: Door, fill: Callable[[list[str]], None]) -> Server:
    return Server(door, fill, "s3", environment(door.url))


def environment(url: str, key: str = KEY, secret: str = SECRET) -> dict[str, str]:
    """Return the environment in which a server of S3's protocol is asked by a key."""
    return {
        "AWS_ENDPOINT_URL": url,
        "AWS_ACCESS_KEY_ID": key,
        "AWS_SECRET_ACCESS_KEY": secret,
        "AWS_REGION": "us-east-1",
    }


def google_environment(url: str) -> dict[str, str]:
    """Return the environment in which a server of Google's protocol is asked by nobody."""
    account = {"client_email": "", "private_key": "", "private_key_id": "", "disable_oauth": True}
    return {"GOOGLE_BASE_URL": url, "GOOGLE_SERVICE_ACCOUNT_KEY": json.dumps(account)}


def _azure(url: str) -> dict[str, str]:
    return {
        "AZURE_STORAGE_ENDPOINT": f"{url}/{AZURE_ACCOUNT}",
        "AZURE_STORAGE_ACCOUNT_NAME": AZURE_ACCOUNT,
        "AZURE_STORAGE_ACCOUNT_KEY": AZURE_KEY,
    }


def _python() -> str:
    """Return the Python of the environment of ``requirements.lock``, which is made first."""
    lock = ROOT / "tests/buckets/requirements.lock"
    return environments.make(ROOT / ".venv" / "buckets", sys.executable, lock)
