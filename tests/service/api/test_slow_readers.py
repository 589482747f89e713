"""A client that does not read is disconnected, delays nobody, and can resume its stream."""

import re
import socket
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from rules.kernel.contract.registry import Registry
from rules.kernel.record.game import ENDED_BY_OPERATOR, Game
from rules.registry import PACKAGES
from service.cli import main
from service.ledger.store import Store
from service.redis.client import make_client
from tests.faults.proxy import CuttingProxy
from tests.running import runtime_on, wait_for
from tests.scripted import Script, stalling
from tests.service.api.people import SCRAPER
from tests.service.api.test_gunicorn import WAIT, Service

EVENTS = 1_000
"""Number of events: with their states they exceed what the service buffers for a client."""
_MESSAGE = re.compile(rb"id: (\d+)\ndata: [^\n]+\n\n")


@pytest.fixture(scope="module")
def service(
    tmp_path_factory: pytest.TempPathFactory, redis_binary: Path | None
) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("service")
    with Service(folder, redis_binary, LONJA_WEB_WORKERS="1", LONJA_SEND_SECONDS="1") as service:
        yield service


@pytest.fixture(scope="module")
def game(service: Service) -> Game:
    """A long game in progress."""
    store = Store(make_client(service.redis.url))
    return Script(Registry(PACKAGES), "santiago_de_cuba", 4, 1, stalling).store(store, EVENTS)


@pytest.fixture(scope="module")
def ended(service: Service, game: Game) -> str:
    """The same game after its end."""
    ledger, by = runtime_on(service.redis.url, announce=False).ledger, {"admin": "ana"}
    ledger.change(game.id, lambda batch: batch.abort(ENDED_BY_OPERATOR, by))
    return game.id


def test_a_slow_reader_is_cut_and_goes_on_without_a_gap(service: Service, game: Game) -> None:
    path = f"/v1/games/{game.id}/stream?include=state"
    with watcher(service, path) as slow, watcher(service, path) as other:
        assert list(received(other, game.version)) == list(range(1, game.version + 1))
        wait_for(lambda: metric(service, "lonja_slow_readers_total") == 1)
        wait_for(lambda: metric(service, "lonja_streams_open") == 1)
        seen = list(received(slow, game.version))
    assert seen == list(range(1, len(seen) + 1))
    assert 0 < len(seen) < game.version
    with watcher(service, path, f"Last-Event-ID: {seen[-1]}\r\n") as again:
        assert [*seen, *received(again, game.version)] == list(range(1, game.version + 1))


def test_an_answer_that_nobody_reads_holds_no_connection(service: Service) -> None:
    before = metric(service, "lonja_slow_readers_total")
    with watcher(service, "/openapi.json") as slow:
        for _ in range(3):  # together they exceed what the service buffers
            slow.sendall(asked("/openapi.json"))
        wait_for(lambda: metric(service, "lonja_slow_readers_total") == before + 1)


def test_who_does_not_read_a_record_makes_room_for_another(service: Service, ended: str) -> None:
    path = f"/v1/games/{ended}/record"
    with watcher(service, path) as slow:
        slow.sendall(2 * asked(path))  # together they exceed what the service buffers
        wait_for(lambda: sending(service) == 1)
        wait_for(lambda: sending(service) == 0)


def test_lonja_export_goes_on_where_a_record_was_cut(
    service: Service, ended: str, tmp_path: Path
) -> None:
    whole, cut = tmp_path / "whole.ndjson", tmp_path / "cut.ndjson"
    export(ended, service.port, whole)
    assert len(whole.read_bytes()) > 4 * CUT_AFTER
    with CuttingProxy(service.port, CUT_AFTER) as network:
        export(ended, network.port, cut)
        assert network.connections > 4
    assert cut.read_bytes() == whole.read_bytes()


CUT_AFTER = 100_000
"""Bytes after which the client stops reading; a record has more than four times as many."""


def export(game: str, port: int, path: Path) -> None:
    url = f"http://127.0.0.1:{port}"
    done = CliRunner().invoke(main, ["export", game, "--url", url, "--output", str(path)])
    assert done.exit_code == 0, done.output


def sending(service: Service) -> int:
    """Return the number of records that are being sent."""
    return make_client(service.redis.url).zcard("lonja:{rate}:records:127.0.0.1")


def asked(path: str, headers: str = "") -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n".encode()


def watcher(service: Service, path: str, headers: str = "") -> socket.socket:
    """Send a request, and return the connection, which has a small receive buffer."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.settimeout(WAIT)
    connection.connect(("127.0.0.1", service.port))
    connection.sendall(asked(path, headers))
    return connection


def received(connection: socket.socket, version: int) -> Iterator[int]:
    """Yield the ids of the received messages, up to ``version`` or to the end."""
    left, seq = b"", 0
    while seq < version:
        try:
            read = connection.recv(1 << 16)
        except ConnectionResetError:
            return
        if not read:
            return
        left += read
        end = 0
        for message in _MESSAGE.finditer(left):
            end, seq = message.end(), int(message[1])
            yield seq
        left = left[end:]


def metric(service: Service, name: str) -> float:
    url = f"http://127.0.0.1:{service.port}/metrics"
    with urllib.request.urlopen(urllib.request.Request(url, headers=SCRAPER)) as answer:
        text = answer.read().decode()
    found = re.search(rf"^{name}(?:\{{[^}}]*\}})? ([0-9.]+)$", text, re.MULTILINE)
    return 0.0 if found is None else float(found[1])
