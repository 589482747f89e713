"""How much one visitor can take from the others: on real gunicorn, from several addresses.

Linux answers on all of 127.0.0.0/8, so a test can use many addresses.
"""

import http.client
import re
import resource
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from threading import Event
from typing import Any

import orjson
import pytest

from rules.kernel.contract.registry import Registry
from rules.registry import PACKAGES
from service.ledger.store import Store
from tests.running import runtime_on
from tests.scripted import Script
from tests.service.api.people import Json
from tests.service.api.test_gunicorn import WAIT, Service

CROWD, OTHER, PROXY = "127.0.0.2", "127.0.0.3", "127.0.0.9"
STREAMS, PER_ADDRESS = 40, 30
SIGN_UPS = 12
TWO_BOTS = [{"holder": "bot", "bot": "random"}] * 2


@pytest.fixture(scope="module")
def service(
    tmp_path_factory: pytest.TempPathFactory, redis_binary: Path | None
) -> Iterator[Service]:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
    service = Service(
        tmp_path_factory.mktemp("service"),
        redis_binary,
        LONJA_WEB_WORKERS="1",
        LONJA_HOSTS="",
        LONJA_TRUSTED_PROXIES=PROXY,
        LONJA_MAX_STREAMS=str(STREAMS),
        LONJA_STREAMS_PER_ADDRESS=str(PER_ADDRESS),
        LONJA_SIGN_UP_LIMIT=f"{SIGN_UPS} per hour",
    )
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    with service:
        yield service


class Visitor:
    """A client with an address of its own."""

    def __init__(self, service: Service, address: str, **headers: str) -> None:
        self._port = service.port
        self._address = address
        self._headers = {name.replace("_", "-"): value for name, value in headers.items()}

    def connect(self) -> socket.socket:
        return socket.create_connection(
            ("127.0.0.1", self._port), WAIT, source_address=(self._address, 0)
        )

    def open(self, method: str, path: str, body: Any = None) -> http.client.HTTPResponse:
        connection = http.client.HTTPConnection(
            "127.0.0.1", self._port, timeout=WAIT, source_address=(self._address, 0)
        )
        sent = {**self._headers, "Connection": "close"}  # closed with its answer
        if body is not None:
            sent["Content-Type"] = "application/json"
            body = orjson.dumps(body)
        connection.request(method, path, body, sent)
        return connection.getresponse()

    def ask(self, method: str, path: str, body: Any = None) -> tuple[int, Json]:
        with self.open(method, path, body) as answer:
            raw = answer.read()
            return answer.status, orjson.loads(raw) if raw[:1] == b"{" else {}

    def sign_up(self) -> "Player":
        status, told = self.ask("POST", "/v1/players", {"name": "x"})
        assert status == 201, told
        return Player(self, told["key"])


class Player(Visitor):
    """A visitor with a key."""

    def __init__(self, visitor: Visitor, key: str) -> None:
        self.__dict__.update(visitor.__dict__)
        self._headers = {**visitor._headers, "Authorization": f"Bearer {key}"}

    def table(self) -> str:
        """Open a table at which this player waits for another; return its URL."""
        seats = [{"holder": "me"}, {"holder": "open"}]
        status, told = self.ask("POST", "/v1/games", {"ruleset": "sealed", "seats": seats})
        assert status == 201, told
        return f"/v1/games/{told['id']}"


def test_a_process_may_open_as_many_files_as_it_takes_connections(service: Service) -> None:
    limits = Path(f"/proc/{service.process.pid}/limits").read_text()
    (files,) = [line for line in limits.splitlines() if line.startswith("Max open files")]
    assert int(files.split()[3]) >= STREAMS + 1000


def test_half_open_connections_of_one_address_shut_nobody_out(service: Service) -> None:
    crowd, other = Visitor(service, CROWD), Visitor(service, OTHER)
    with ExitStack() as stack:
        for _ in range(2000):
            connection = stack.enter_context(crowd.connect())
            connection.settimeout(0)
            try:
                connection.send(b"GET /v1/rulesets HTTP/1.1\r\nHost: a\r\nX-Slow: ")
            except OSError:  # the connection is closed already
                continue
        assert other.ask("GET", "/readyz")[0] == 200
        assert other.ask("GET", "/v1/rulesets")[0] == 200
        with crowd.connect() as refused:
            told = refused.makefile("rb").read()
        assert told.startswith(b"HTTP/1.1 429 "), told
        assert orjson.loads(told.partition(b"\r\n\r\n")[2])["code"] == "too_many_connections"


def test_streams_of_one_address_shut_nobody_out(service: Service) -> None:
    crowd, other = Visitor(service, CROWD), Visitor(service, OTHER)
    player = other.sign_up()
    url = player.table()
    with ExitStack() as stack:

        def streams(visitor: Visitor, number: int) -> list[http.client.HTTPResponse]:
            asked = [visitor.open("GET", f"{url}/stream") for _ in range(number)]
            return [stack.enter_context(answer) for answer in asked]

        crowded = streams(crowd, PER_ADDRESS + 3)
        assert [a.status for a in crowded] == [200] * PER_ADDRESS + [429] * 3
        assert orjson.loads(crowded[-1].read())["code"] == "stream_share_used"
        assert int(crowded[-1].headers["Retry-After"]) > 0
        few = streams(Visitor(service, "127.0.0.4"), STREAMS - PER_ADDRESS)  # now all are taken
        assert [a.status for a in streams(player, 1) + streams(other, 1)] == [200, 200]
        for displaced in crowded[:2]:
            said = displaced.read().decode()
            assert said.endswith('event: displaced\ndata: {"version":2}\n\n'), said
        assert {a.status for a in few} == {200}
        assert other.ask("GET", "/readyz")[0] == 200


def test_an_address_signs_up_so_often_and_another_still_may(service: Service) -> None:
    visitor = Visitor(service, "127.0.0.5")
    for _ in range(SIGN_UPS):
        visitor.sign_up()
    with visitor.open("POST", "/v1/players", {"name": "x"}) as answer:
        told = orjson.loads(answer.read())
    assert (answer.status, told["code"], told["scope"]) == (429, "rate_limited", "sign_up")
    assert told["limit"] == SIGN_UPS
    assert 0 < int(answer.headers["Retry-After"]) <= 3600
    Visitor(service, "127.0.0.6").sign_up()
    assert visitor.ask("GET", "/v1/rulesets")[0] == 200


def test_a_small_request_costs_the_same_beside_dear_ones(service: Service) -> None:
    other = Visitor(service, OTHER)
    game = Script(Registry(PACKAGES), "macao", 4, 1)  # this game has the largest states
    game.store(Store(runtime_on(service.redis.url).redis), 400)
    crowd = Visitor(service, CROWD)
    dear = f"/v1/games/{game.id}/events?limit=50&include=words,state,patch"

    def costs(visitor: Visitor, path: str) -> tuple[int, int]:
        """Return the reported cost of a request (units), and the remaining units of the address."""
        with visitor.open("GET", path) as answer:
            assert answer.status == 200, answer.read()
            answer.read()
            said = re.fullmatch(r'processor;dur=([0-9]+);desc="([0-9]+)"', cost_of(answer))
            assert said is not None
            assert int(said[1]) == 5 * int(said[2])
            left = re.search(r'"address-60s";r=([0-9]+)', answer.headers["RateLimit"])
            assert left is not None
            return int(said[2]), int(left[1])

    def cost_of(answer: http.client.HTTPResponse) -> str:
        found: str = answer.headers["Server-Timing"]
        return found

    for _ in range(3):  # a process makes some objects once
        costs(other, "/v1/games"), costs(crowd, dear)
    asking = Event()
    asking.set()

    def ask(found: list[int]) -> None:
        while asking.is_set():
            found.append(costs(crowd, dear)[0])

    alone = [costs(other, "/v1/games") for _ in range(10)]
    asked: list[list[int]] = [[] for _ in range(32)]
    with ThreadPoolExecutor(len(asked)) as pool:
        for found in asked:
            pool.submit(ask, found)
        beside = [costs(other, "/v1/games") for _ in range(20)]
        asking.clear()
    small = [cost for cost, _left in (*alone, *beside)]
    assert max(small) <= min(small) + 1
    assert median(cost for found in asked for cost in found) >= 2, "they are dear"
    if beside[0][1] > beside[-1][1]:  # in the same minute
        assert beside[0][1] - beside[-1][1] <= 2 * (len(beside) - 1)


@pytest.mark.parametrize(
    ("peer", "believed"), [("127.0.0.7", False), (PROXY, True)], ids=["anybody", "proxy"]
)
def test_who_is_counted_is_said_by_declared_proxies_alone(
    service: Service, peer: str, *, believed: bool
) -> None:
    refused = 0
    for number in range(SIGN_UPS + 1):
        client = Visitor(service, peer, X_Forwarded_For=f"192.0.2.{number}")
        refused += client.ask("POST", "/v1/players", {"name": "x"})[0] == 429
    assert refused == (0 if believed else 1)


@pytest.mark.parametrize(
    ("peer", "believed"), [("127.0.0.1", False), (PROXY, True)], ids=["anybody", "proxy"]
)
def test_a_prefix_is_set_by_declared_proxies_alone(
    service: Service, peer: str, *, believed: bool
) -> None:
    with Visitor(service, peer).connect() as connection:
        connection.sendall(
            b"GET /prefix/v1/rulesets HTTP/1.1\r\nHost: a\r\nSCRIPT_NAME: /prefix\r\n"
            b"Connection: close\r\n\r\n"
        )
        status = connection.makefile("rb").readline().split()[1]
    assert status == (b"200" if believed else b"404")
