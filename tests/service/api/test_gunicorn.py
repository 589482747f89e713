"""The service on gunicorn, with two processes, a Redis that is killed, and concurrent clients."""

import gc
import http.client
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext, suppress
from functools import partial
from pathlib import Path
from typing import Any, Self

import orjson
import pytest
from redis import Redis
from werkzeug.test import Client

from service.api.wsgi import LazyApplication
from service.process.procfs import is_alive
from service.redis.client import make_client
from service.redis.server import RedisServer
from tests.faults.processes import free_port
from tests.running import NO_LIMITS, wait_for
from tests.service.api.people import METRICS_TOKEN, SCRAPER, Json

WAIT = 60.0


class Answer:
    """An answer: status, headers and body."""

    def __init__(self, response: http.client.HTTPResponse) -> None:
        self.status = response.status
        self.headers = response.headers
        body = response.read()
        self.json: Json = orjson.loads(body) if body else {}


class Service:
    """Gunicorn and its Redis."""

    def __init__(
        self,
        folder: Path,
        binary: Path | None,
        *,
        log: Path | None = None,
        application: Sequence[str] = (),
        **more: str,
    ) -> None:
        self.redis = RedisServer(folder, binary=binary)
        self.redis.start()
        self.port = free_port()
        environment = {
            **os.environ,
            "REDIS_URL": self.redis.url,
            "PORT": str(self.port),
            "LONJA_EXTRA_RULESETS": "tests.sealed",
            "LONJA_LOG_LEVEL": "error",
            **NO_LIMITS,
            "LONJA_METRICS_TOKEN": METRICS_TOKEN,
            **more,
        }
        config = ["--config", "python:service.api.gunicorn.config"]
        with nullcontext() if log is None else log.open("wb") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "gunicorn", *config, *application],
                env=environment,
                stdout=output,
                stderr=output,
            )
        try:
            self.wait_for("/readyz", 200)
        except BaseException:
            self.end()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_raised: object) -> None:
        self.end()

    def end(self) -> None:
        self.process.terminate()
        self.process.wait(WAIT)
        self.redis.stop()

    def call(
        self, method: str, path: str, key: str = "", body: Any = None, **headers: str
    ) -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=WAIT)
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if key:
            sent["Authorization"] = f"Bearer {key}"
        if body is not None:
            sent["Content-Type"] = "application/json"
            body = orjson.dumps(body)
        try:
            connection.request(method, path, body, sent)
            return Answer(connection.getresponse())
        finally:
            connection.close()

    def send(self, *pieces: bytes, until: bytes | None = None) -> bytes:
        """Send exactly these bytes; return the received bytes up to the end, or up to ``until``."""
        found = b""
        with socket.create_connection(("127.0.0.1", self.port), WAIT) as connection:
            try:
                for piece in pieces:
                    connection.sendall(piece)
                connection.shutdown(socket.SHUT_WR)
                while (until is None or until not in found) and (read := connection.recv(65_536)):
                    found += read
            except (ConnectionResetError, BrokenPipeError):  # the request is complete
                pass
        return found

    def wait_for(self, path: str, status: int) -> None:
        deadline = time.monotonic() + WAIT
        while True:
            try:
                if self.call("GET", path).status == status:
                    return
            except (OSError, http.client.HTTPException):
                pass
            assert time.monotonic() < deadline, f"{path} does not become {status}"
            time.sleep(0.05)

    def table(self, seats: int) -> tuple[str, list[str]]:
        """Return the URL of a running game, and the keys of its seats."""
        keys = [
            self.call("POST", "/v1/players", body={"name": "x"}).json["key"] for _ in range(seats)
        ]
        holders = [{"holder": "me"}, *[{"holder": "open"}] * (seats - 1)]
        body = {"ruleset": "sealed", "seats": holders}
        url = "/v1/games/" + self.call("POST", "/v1/games", keys[0], body).json["id"]
        for seat in range(1, seats):
            assert self.call("PUT", f"{url}/seats/{seat}", keys[seat]).status == 200
        return url, keys

    def move(self, url: str, seat: int, key: str, move: Json, version: int, **h: str) -> Answer:
        body = {"seat": seat, "move": move, "expected_version": version}
        return self.call("POST", f"{url}/moves", key, body, **h)

    def version(self, url: str) -> int:
        found: int = self.call("GET", url).json["version"]
        return found


@pytest.fixture(scope="module")
def service(
    tmp_path_factory: pytest.TempPathFactory, redis_binary: Path | None
) -> Iterator[Service]:
    with Service(tmp_path_factory.mktemp("service"), redis_binary) as service:
        yield service


KEEP, UNDER = {"type": "store", "under": False}, {"type": "store", "under": True}


def at_once(*calls: Callable[[], Answer]) -> list[Answer]:
    with ThreadPoolExecutor(len(calls)) as pool:
        return [future.result() for future in [pool.submit(call) for call in calls]]


@pytest.mark.parametrize("_round", range(8))
def test_two_clients_racing_for_one_decision(service: Service, _round: int) -> None:
    url, keys = service.table(2)
    before = service.version(url)
    answers = at_once(
        lambda: service.move(url, 0, keys[0], KEEP, before),
        lambda: service.move(url, 0, keys[0], UNDER, before),
    )
    assert sorted(answer.status for answer in answers) == [201, 409]
    late = next(answer.json for answer in answers if answer.status == 409)
    assert late["code"] == "stale_version"
    assert [event["seq"] for event in late["events"]] == [before + 1]
    assert service.version(url) == before + 1


@pytest.mark.parametrize("_round", range(4))
def test_one_request_sent_several_times_at_once(service: Service, _round: int) -> None:
    url, keys = service.table(2)
    before = service.version(url)

    def send() -> Answer:
        return service.move(url, 0, keys[0], KEEP, before, Idempotency_Key="k")

    answers = at_once(send, send, send, send)
    assert [answer.status for answer in answers] == [201] * 4
    assert all(answer.json == answers[0].json for answer in answers)
    assert service.version(url) == before + 1


@pytest.mark.parametrize("_round", range(4))
def test_sealed_bids_at_once_are_all_taken(service: Service, _round: int) -> None:
    url, keys = service.table(4)
    assert service.move(url, 0, keys[0], KEEP, service.version(url)).status == 201
    before = service.version(url)

    def bid(seat: int) -> Answer:
        return service.move(url, seat, keys[seat], {"type": "bid", "amount": 1}, before)

    answers = at_once(*(partial(bid, seat) for seat in range(4)))
    assert [answer.status for answer in answers] == [201] * 4
    events = service.call("GET", f"{url}/events?after={before}").json["events"]
    assert [event["kind"] for event in events].count("moved") == 4


class Stream:
    """A stream over a plain socket."""

    def __init__(self, service: Service, path: str, key: str) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=WAIT)
        self.connection.request("GET", path, headers={"Authorization": f"Bearer {key}"})
        self.response = self.connection.getresponse()
        assert self.response.status == 200

    def events(self) -> Iterator[Json]:
        while line := self.response.readline():
            if line.startswith(b"data: "):
                yield orjson.loads(line[6:])

    def close(self) -> None:
        self.response.close()
        self.connection.close()


def test_streams_of_all_processes_hear_of_a_move(service: Service) -> None:
    url, keys = service.table(2)
    version = service.version(url)
    streams = [Stream(service, f"{url}/stream?after={version}", keys[n % 2]) for n in range(6)]
    moved = service.move(url, 0, keys[0], KEEP, version).json
    for number, stream in enumerate(streams):
        event = next(stream.events())
        assert event["hash"] == moved["events"][0]["hash"]
        if number % 2 == 0:
            assert event == moved["events"][0]
        stream.close()


def test_redis_gone_and_back(service: Service) -> None:
    url, keys = service.table(2)
    version = service.version(url)
    moved = service.move(url, 0, keys[0], KEEP, version, Idempotency_Key="k")
    assert moved.status == 201
    stream = Stream(service, f"{url}/stream?after={version}", keys[1])
    events = stream.events()
    assert next(events)["seq"] == version + 1
    os.kill(service.redis.pid, signal.SIGKILL)
    service.wait_for("/readyz", 503)
    calls = [
        ("GET", "/v1/games", None),
        ("GET", url, None),
        ("GET", f"{url}/state", None),
        ("GET", f"{url}/events", None),
        ("POST", "/v1/players", {"name": "x"}),
        ("POST", f"{url}/moves", {"seat": 0, "move": KEEP, "expected_version": version}),
    ]
    for method, path, body in calls:
        answer = service.call(method, path, keys[0], body)
        assert (answer.status, answer.json["code"]) == (503, "store_unavailable"), path
        assert int(answer.headers["Retry-After"]) > 0
    assert service.call("GET", "/healthz").status == 200
    service.redis.start()
    service.wait_for("/readyz", 200)
    assert service.version(url) == version + 1, "what was acknowledged is there"
    again = service.move(url, 0, keys[0], KEEP, version, Idempotency_Key="k")
    assert (again.status, again.json) == (201, moved.json)
    bid = service.move(url, 1, keys[1], {"type": "bid", "amount": 1}, version + 1)
    assert bid.status == 201
    assert next(events)["seq"] == version + 2, "the open stream went on"
    stream.close()


def test_a_process_that_starts_without_redis_answers_503(
    tmp_path: Path, redis_binary: Path | None
) -> None:
    code = (
        "import os; from service.api.wsgi import app; from werkzeug.test import Client;"
        "answer = Client(app).get('/v1/games');"
        "print(answer.status_code, answer.headers['Retry-After'], answer.json['code'])"
    )
    environment = {**os.environ, "REDIS_URL": f"unix://{tmp_path}/nobody.sock"}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["503", "2", "store_unavailable"]


@pytest.fixture
def _collecting_as_before() -> Iterator[None]:
    """Restore the garbage collector's thresholds, which a web process raises."""
    thresholds = gc.get_threshold()
    yield
    gc.set_threshold(*thresholds)
    gc.unfreeze()


@pytest.mark.usefixtures("_collecting_as_before")
def test_a_redis_that_would_lose_games_gets_none(
    redis_server: RedisServer, redis_client: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REDIS_URL", redis_server.url)
    application = LazyApplication()
    client = Client(application)
    redis_client.config_set("maxmemory-policy", "allkeys-lru")
    try:
        for path, status in (("/healthz", 200), ("/v1/rulesets", 503)):
            answer = client.get(path)
            assert answer.status_code == status
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
    finally:
        redis_client.config_set("maxmemory-policy", "noeviction")
    try:
        assert client.get("/v1/rulesets").status_code == 200
    finally:
        application.stop()
        wait_for(lambda: all(thread.name != "follower" for thread in threading.enumerate()))


@pytest.fixture
def held(tmp_path: Path, redis_binary: Path | None) -> Iterator[Service]:
    """A service whose answers wait for the file ``go``, and which counts them in a folder."""
    (tmp_path / "counts").mkdir()
    counts, application = str(tmp_path / "counts"), ["tests.service.api.held:app"]
    service = Service(
        tmp_path,
        redis_binary,
        application=application,
        HELD=str(tmp_path),
        PROMETHEUS_MULTIPROC_DIR=counts,
    )
    try:
        yield service
    finally:
        (tmp_path / "go").touch()
        service.end()


def ask(service: Service, head: str = "GET /held HTTP/1.1") -> socket.socket:
    """Send a request; return the connection with the answer."""
    connection = socket.create_connection(("127.0.0.1", service.port), WAIT)
    connection.sendall(f"{head}\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
    return connection


def answer_to(connection: socket.socket) -> bytes:
    """Return the bytes until the connection is closed; a reset raises an error."""
    with connection:
        return b"".join(iter(partial(connection.recv, 65_536), b""))


def test_an_end_cuts_nobody_off(held: Service, tmp_path: Path) -> None:
    """Neither streams nor requests that the busy processes had not accepted yet."""
    url, keys = held.table(2)
    stream = Stream(held, f"{url}/stream", keys[0])
    events = stream.events()
    assert next(events)["seq"] == 1
    unread = ask(held, "POST /refused HTTP/1.1\r\nContent-Length: 4")
    assert unread.recv(65_536).startswith(b"HTTP/1.1 403")
    unread.sendall(b"body")
    busy = []
    while len(list(tmp_path.glob("busy-*"))) < 2:
        busy.append(ask(held, "GET /busy HTTP/1.1"))
        wait_for(lambda: len(list(tmp_path.glob("busy-*"))) == len(busy))
    late = [ask(held, "GET /refused HTTP/1.1") for _ in range(20)]
    held.process.terminate()
    wait_for(lambda: not listens(held.process.pid))  # the master has got the signal
    time.sleep(1.1)  # so that gunicorn's loop, which runs once a second, runs at once
    (tmp_path / "go").touch()
    assert {answer_to(each)[:12] for each in (*busy, *late)} == {b"HTTP/1.1 403"}
    assert answer_to(unread) == b"", "the rest of a request is waited for"
    list(events)  # http.client raises unless the stream ends properly
    stream.close()
    assert held.process.wait(WAIT) == 0


def listens(pid: int) -> bool:
    """Whether a process has a listening socket."""
    table = Path(f"/proc/{pid}/net/tcp").read_text().splitlines()[1:]
    listening = {f"socket:[{row.split()[9]}]" for row in table if row.split()[3] == "0A"}
    return not listening.isdisjoint(links(Path(f"/proc/{pid}/fd")))


def links(folder: Path) -> Iterator[str]:
    for entry in folder.iterdir():
        with suppress(OSError):  # it has just been closed
            yield str(entry.readlink())


def test_a_master_that_is_killed_takes_the_port_but_no_answer_with_it(
    held: Service, tmp_path: Path
) -> None:
    url, keys = held.table(2)
    stream = Stream(held, f"{url}/stream", keys[0])
    asked = ask(held)
    wait_for((tmp_path / "held").exists)
    (tmp_path / "slow").touch()
    held.process.send_signal(signal.SIGTTIN)  # one process more
    starts = wait_for(lambda: [int(f.name[7:]) for f in tmp_path.glob("starts-*")])
    held.process.kill()
    wait_for(lambda: not any(map(is_alive, starts)))
    wait_for(lambda: is_free(held.port))
    (tmp_path / "go").touch()
    assert answer_to(asked).startswith(b"HTTP/1.1 403")
    list(stream.events())
    stream.close()
    counted = (tmp_path / "counts").glob
    wait_for(
        lambda: {f.stem.rpartition("_")[2] for f in counted("gauge_live*")} <= {*map(str, starts)}
    )


def is_free(port: int) -> bool:
    try:
        socket.create_server(("127.0.0.1", port)).close()
    except OSError:
        return False
    return True


def test_a_process_that_is_told_to_end_says_so_first(
    tmp_path: Path, redis_binary: Path | None
) -> None:
    service = Service(tmp_path, redis_binary, LONJA_DRAIN_SECONDS="300", LONJA_WEB_WORKERS="1")
    stream: Stream | None = None
    try:
        url, keys = service.table(2)
        version = service.version(url)
        stream = Stream(service, f"{url}/stream?after={version}", keys[1])
        service.process.terminate()
        service.wait_for("/readyz", 503)
        refusal = service.call("GET", "/readyz")
        assert refusal.json["code"] == "stopping"
        assert int(refusal.headers["Retry-After"]) > 0
        healthy = service.call("GET", "/healthz")
        assert (healthy.status, healthy.headers["Connection"]) == (200, "close")
        assert service.move(url, 0, keys[0], KEEP, version).status == 201
        assert next(stream.events())["seq"] == version + 1, "what is open goes on"
        service.process.send_signal(signal.SIGINT)  # a second signal
        service.process.wait(WAIT)
    finally:
        if stream is not None:
            stream.close()
        service.process.kill()
        service.end()


def test_after_the_drain_it_ends_as_ever(tmp_path: Path, redis_binary: Path | None) -> None:
    service = Service(tmp_path, redis_binary, LONJA_DRAIN_SECONDS="1", LONJA_WEB_WORKERS="1")
    stream: Stream | None = None
    try:
        url, keys = service.table(2)
        stream = Stream(service, f"{url}/stream", keys[0])
        events = stream.events()
        assert next(events)["seq"] == 1
        began = time.monotonic()
        service.process.terminate()
        list(events)  # http.client raises unless the stream ends properly
        assert time.monotonic() - began >= 1
        assert service.process.wait(WAIT) == 0
    finally:
        if stream is not None:
            stream.close()
        service.end()


def test_a_store_gone_wrong_is_measured_though_nobody_asks(
    tmp_path: Path, redis_binary: Path | None
) -> None:
    counts = tmp_path / "counts"
    counts.mkdir()
    (counts / "counter_1.db").touch()  # its process was killed just after it had made it
    more = {"PROMETHEUS_MULTIPROC_DIR": str(counts), "LONJA_WEB_WORKERS": "1"}
    service = Service(tmp_path, redis_binary, log=None, **more)

    def unfit() -> float:
        url = f"http://127.0.0.1:{service.port}/metrics"
        with urllib.request.urlopen(urllib.request.Request(url, headers=SCRAPER)) as answer:
            (found,) = re.findall(
                r"^lonja_store_unfit ([0-9.]+)", answer.read().decode(), re.MULTILINE
            )
        return float(found)

    try:
        with make_client(service.redis.url) as redis:
            assert unfit() == 0
            redis.config_set("appendfsync", "no")
            wait_for(lambda: unfit() == 1)
            redis.config_set("appendfsync", "always")
            wait_for(lambda: unfit() == 0)
    finally:
        service.end()
