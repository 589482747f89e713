"""Streams, moves and client addresses through the proxies of deploy/."""

import http.client
import re
import time
import urllib.request
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import NamedTuple

import pytest

from service.redis.client import make_client
from service.redis.server import RedisServer
from tests.deploy import proxies
from tests.deploy.proxies import DEPLOY, Proxy
from tests.faults.people import answers
from tests.faults.processes import LONJA, free_port, started
from tests.running import environment, wait_for

TOKEN = "a-token-of-prometheus"
KINDS = {"caddy": proxies.caddy, "nginx": proxies.nginx}
ANA, BEA = "127.0.0.2", "127.0.0.3"
"""The addresses of two clients."""


class Web(NamedTuple):
    """One web process, and its Redis."""

    port: int
    redis_url: str

    def streams(self) -> float:
        """Return the number of open streams."""
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/metrics", headers={"Authorization": f"Bearer {TOKEN}"}
        )
        with urllib.request.urlopen(request) as answer:
            found = re.search(
                r"^lonja_streams_open(?:{.*})? (\S+)$", answer.read().decode(), re.MULTILINE
            )
        return float(found[1]) if found else 0.0


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory, redis_binary: Path | None) -> Iterator[Web]:
    folder = tmp_path_factory.mktemp("web")
    port = free_port()
    with RedisServer(folder, binary=redis_binary) as server:
        server.start()
        env = environment(
            server.url,
            LONJA_WEB_WORKERS="1",
            LONJA_TRUSTED_PROXIES="127.0.0.1",
            LONJA_HOSTS="",
            LONJA_SIGN_UP_LIMIT="2 per hour",
            LONJA_METRICS_TOKEN=TOKEN,
        )
        with started(*LONJA, "web", "--port", str(port), env=env, log=folder / "web.log"):
            wait_for(lambda: answers(port, "/readyz"))
            yield Web(port, server.url)


@pytest.fixture(scope="module", params=KINDS)
def proxy(
    request: pytest.FixtureRequest, web: Web, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Proxy]:
    folder = tmp_path_factory.mktemp(request.param)
    with KINDS[request.param](folder, f"127.0.0.1:{web.port}") as found:
        yield found


@pytest.fixture
def _new_visitors(web: Web) -> None:
    """Reset the limits of all addresses."""
    with make_client(web.redis_url) as redis:
        redis.flushall()


class Stream:
    """A client's connection to a stream."""

    def __init__(self, proxy: Proxy, path: str) -> None:
        self._connection = proxy.connect()
        self._connection.request("GET", path, headers={"Accept-Encoding": "zstd, gzip"})
        self._answer: http.client.HTTPResponse = self._connection.getresponse()
        self.headers = self._answer.headers
        self._decoder = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
        self._text = b""
        assert self._answer.status == 200

    def read_to(self, mark: bytes) -> None:
        """Read until a line contains the mark; a silent proxy raises TimeoutError."""
        while mark not in self._text:
            piece = self._answer.read1(1 << 16)
            assert piece, "the stream has ended"
            self._text += self._decoder.decompress(piece)
        self._text = self._text.partition(mark)[2]

    def hang_up(self) -> None:
        self._answer.close()
        self._connection.close()


class Player:
    """A client that plays a game alone."""

    def __init__(self, proxy: Proxy) -> None:
        self._proxy = proxy
        made = proxy.ask("POST", "/v1/players", {"name": "Ana"})
        self._key = f"Bearer {made.json['key']}"
        wanted = {"ruleset": "ragusa", "options": {}, "seats": [{"holder": "me"}]}
        opened = proxy.ask("POST", "/v1/games", wanted, Authorization=self._key)
        self.game = f"/v1/games/{opened.json['id']}"

    def version(self) -> int:
        version: int = self._proxy.ask("GET", self.game).json["version"]
        return version

    def move(self) -> int:
        """Make a move; return the new version."""
        path = f"{self.game}/legal_moves"
        listed = self._proxy.ask("GET", path, Authorization=self._key).json
        move = {
            "seat": listed["seat"],
            "move": listed["moves"][0],
            "expected_version": listed["version"],
        }
        played = self._proxy.ask("POST", f"{self.game}/moves", move, Authorization=self._key)
        assert played.status == 201, played
        version: int = played.json["version"]
        return version


@pytest.mark.usefixtures("_new_visitors")
def test_a_move_and_the_stream_that_tells_it(proxy: Proxy, web: Web) -> None:
    player = Player(proxy)
    stream = Stream(proxy, f"{player.game}/stream")
    stream.read_to(f"id: {player.version()}\n".encode())
    assert stream.headers["Content-Encoding"] == "gzip"
    for _ in range(4):  # each line at once, though no other follows
        stream.read_to(f"id: {player.move()}\n".encode())

    assert web.streams() == 1
    stream.hang_up()
    wait_for(lambda: player.move() and web.streams() == 0, 60)


@pytest.mark.usefixtures("_new_visitors")
def test_everybody_has_the_address_that_he_comes_from(proxy: Proxy) -> None:
    def sign_up(source: str, **headers: str) -> int:
        return proxy.ask("POST", "/v1/players", {"name": "X"}, source=source, **headers).status

    assert [sign_up(ANA), sign_up(ANA), sign_up(ANA)] == [201, 201, 429]
    assert sign_up(ANA, X__Forwarded__For="127.0.0.9") == 429
    assert sign_up(BEA) == 201


@pytest.mark.parametrize("name", ["SCRIPT_NAME", "script_name", "Script_Name"])
def test_nobody_names_the_place_of_the_application(proxy: Proxy, name: str) -> None:
    assert proxy.ask("GET", "/v1/rulesets", **{name: "/v1"}).status == 200


def test_answers_are_compressed(proxy: Proxy) -> None:
    answer = proxy.ask("GET", "/v1/rulesets", Accept__Encoding="gzip")
    assert answer.headers["Content-Encoding"] == "gzip"


def test_metrics_are_not_for_everybody(proxy: Proxy) -> None:
    assert proxy.ask("GET", "/metrics", Authorization=f"Bearer {TOKEN}").status == 404


def test_what_comes_without_tls_is_sent_to_it(proxy: Proxy) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", proxy.http, timeout=20)
    connection.request("GET", "/games/g00", headers={"Host": "localhost"})
    answer = connection.getresponse()
    assert answer.status in (301, 308)
    assert re.fullmatch(r"https://localhost(:\d+)?/games/g00", answer.headers["Location"])
    connection.close()


@pytest.mark.usefixtures("_new_visitors")
def test_what_can_be_read_is_read_while_nothing_can_be_written(proxy: Proxy, web: Web) -> None:
    def ready() -> int:
        return proxy.ask("GET", "/readyz").status

    wait_for(lambda: ready() == 200)
    with make_client(web.redis_url) as redis:
        redis.config_set("min-replicas-to-write", 1)
        try:
            wait_for(lambda: ready() == 503)
            until = time.monotonic() + 5  # by then the proxy knows that no web process is ready
            while time.monotonic() < until:
                assert proxy.ask("GET", "/v1/rulesets").status == 200
                refused = proxy.ask("POST", "/v1/players", {"name": "Ana"})
                assert (refused.status, refused.json["code"]) == (503, "store_unavailable")
                time.sleep(0.2)
        finally:
            redis.config_set("min-replicas-to-write", 0)
    wait_for(lambda: ready() == 200)


@pytest.mark.parametrize("kind", KINDS)
def test_a_machine_that_is_off_is_passed_over(kind: str, web: Web, tmp_path: Path) -> None:
    off = f"127.0.0.1:{free_port()}"
    with KINDS[kind](tmp_path, off, f"127.0.0.1:{web.port}") as proxy:
        for _ in range(20):
            assert proxy.ask("GET", "/v1/rulesets").status == 200


@contextmanager
def saying(name: str) -> Iterator[int]:
    """Serve this name for all requests, in place of a release's pages; yield the port."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Length", str(len(name)))
            self.end_headers()
            self.wfile.write(name.encode())

        def log_message(self, format: str, *_: object) -> None:  # noqa: A002 - its name there
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_port
        server.shutdown()


PARTS = ("/", "/lobby", "/games/g1", "/static/app/app.js?v=1", "/static/app/kit.js")


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_and_its_parts_are_of_one_release(kind: str, tmp_path: Path) -> None:
    with ExitStack() as stack:
        closing = {name: ExitStack() for name in (b"old", b"new")}
        ports = [
            stack.enter_context(closing[name]).enter_context(saying(name.decode()))
            for name in closing
        ]
        proxy = stack.enter_context(KINDS[kind](tmp_path, *(f"127.0.0.1:{port}" for port in ports)))
        (one,) = {proxy.ask("GET", path).body for path in 3 * PARTS}
        assert {proxy.ask("GET", "/v1/rulesets").body for _ in range(30)} == {b"old", b"new"}
        closing[one].close()
        (other,) = {proxy.ask("GET", path).body for path in PARTS}
        assert other != one


@pytest.mark.parametrize("kind", KINDS)
def test_the_public_log_comes_from_the_node_that_has_it(kind: str, tmp_path: Path) -> None:
    with ExitStack() as stack:
        ports = [stack.enter_context(saying(name)) for name in ("the log", "none", "none")]
        proxy = stack.enter_context(KINDS[kind](tmp_path, *(f"127.0.0.1:{port}" for port in ports)))
        files = ("/log/checkpoint", "/log/tile/0/000.p/1", "/log/rotations/1")
        assert {proxy.ask("GET", path).body for path in 10 * files} == {b"the log"}


def test_nginx_limits_the_connections_of_an_address(web: Web, tmp_path: Path) -> None:
    configuration = (DEPLOY / "nginx/lonja.conf").read_text()
    limit = int(re.findall(r"limit_conn lonja_connections (\d+);", configuration)[0])
    with ExitStack() as closing, proxies.nginx(tmp_path, f"127.0.0.1:{web.port}") as nginx:
        for _ in range(limit):  # requests whose body never arrives
            connection = nginx.connect(ANA)
            closing.callback(connection.close)
            connection.putrequest("POST", "/v1/players")
            connection.putheader("Content-Length", "10")
            connection.endheaders()
        wait_for(lambda: nginx.ask("GET", "/healthz", source=ANA).status == 429)
        assert nginx.ask("GET", "/healthz", source=BEA).status == 200


@pytest.mark.parametrize(
    ("address", "same"),
    [
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::9"),
        ("2001:db8::1", "2001:db8::2:1"),
        ("2001:db8:1:2:3:4:5:6", None),
    ],
)
def test_nginx_counts_networks_of_ipv6(address: str, same: str | None) -> None:
    configuration = (DEPLOY / "nginx/lonja.conf").read_text()
    rules = [rule.replace("?<", "?P<") for rule in re.findall(r'"~(\^.*)" \$', configuration)]

    def client(text: str) -> str:
        found = next((match for rule in rules if (match := re.search(rule, text))), None)
        return found[1] if found else text

    assert client("192.0.2.7") == "192.0.2.7"
    assert (client(address) == client(same or "2001:db8:1:3::1")) == (same is not None)
