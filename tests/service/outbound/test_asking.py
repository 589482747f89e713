"""Requests to strangers' servers: permitted addresses, time limits, and size limits."""

import ipaddress
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from service.outbound.asking import Asker, NoAnswerError
from service.outbound.targets import Policy, Target
from tests.receiver import Receiver, certificate

HERE = Policy((ipaddress.ip_network("127.0.0.1/32"),), http=True)
NAME = "hooks.example"
"""A name that no resolver knows."""


def ask(port: int, host: str = "127.0.0.1", *, policy: Policy = HERE, seconds: float = 5.0) -> Any:
    return Asker(policy, seconds).post(Target("http", host, port, "/x?y"), {"A": "b"}, b"{}", 10)


def refusal(port: int, host: str = "127.0.0.1", **how: Any) -> str:
    with pytest.raises(NoAnswerError) as raised:
        ask(port, host, **how)
    return raised.value.why


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[str]]:
    """The results of the look-ups, in order."""
    known: dict[str, list[str]] = {}
    real = socket.getaddrinfo

    def look_up(host: Any, port: Any, *args: Any, **how: Any) -> Any:
        if host not in known:
            return real(host, port, *args, **how)
        addresses = known[host].pop(0).split()
        return [
            (socket.AF_INET6 if ":" in one else socket.AF_INET, 1, 6, "", (one, port))
            for one in addresses
        ]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    return known


@contextmanager
def server(talk: Callable[[socket.socket], None]) -> Iterator[int]:
    """Run a server that reads a request and then sends what ``talk`` sends; yield its port."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            try:
                connection, _ = listening.accept()
                with connection:
                    asked = b""
                    while not asked.endswith(b"{}"):  # unread bytes would reset the connection
                        asked += connection.recv(65536)
                    talk(connection)
            except OSError:
                pass

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield listening.getsockname()[1]
    thread.join(10)


# Addresses


def test_what_is_asked_is_answered() -> None:
    with Receiver(status=202) as receiver:
        receiver.headers = {"X-Here": "yes"}
        reply = ask(receiver.port)
    assert (reply.status, reply.headers["x-here"], reply.body) == (202, "yes", b"")
    (sent,) = receiver.sent
    assert (sent.path, sent.body, sent.headers["a"]) == ("/x?y", b"{}", "b")
    assert sent.headers["host"] == f"127.0.0.1:{receiver.port}"


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "localhost", "2130706433", "0x7f.1", "0177.0.0.1", "127.1", "0.0.0.0"]
)
def test_nothing_private_is_asked_in_whatever_form(host: str) -> None:
    with Receiver() as receiver:
        assert refusal(receiver.port, host, policy=Policy(http=True)) == "refused"
    assert receiver.sent == []


@pytest.mark.parametrize(
    "addresses",
    [
        "127.0.0.1", "10.1.2.3", "169.254.169.254", "::1", "::ffff:127.0.0.1", "fd00::1",
        "8.8.8.8 10.0.0.1", "2606:4700::1111 ::1",
    ],
)  # fmt: skip
def test_names_that_lead_there_are_refused_even_with_public_ones(
    names: dict[str, list[str]], addresses: str
) -> None:
    names[NAME] = [addresses]
    assert refusal(9, NAME, policy=Policy(http=True)) == "refused"


def test_a_name_is_looked_up_once(names: dict[str, list[str]]) -> None:
    with Receiver() as receiver:
        names[NAME] = ["127.0.0.1", "10.9.9.9"]
        assert ask(receiver.port, NAME).status == 204
        assert names[NAME] == ["10.9.9.9"]
        assert refusal(receiver.port, NAME) == "refused"
    (sent,) = receiver.sent
    assert sent.headers["host"] == f"{NAME}:{receiver.port}"


def test_the_next_address_is_tried_if_one_cannot_be_reached(names: dict[str, list[str]]) -> None:
    here = Policy((ipaddress.ip_network("127.0.0.0/8"),), http=True)
    with Receiver() as receiver:
        names[NAME] = ["127.0.0.99 127.0.0.1"]
        assert ask(receiver.port, NAME, policy=here).status == 204


def test_a_redirect_is_an_answer_and_not_followed() -> None:
    with Receiver() as inside, Receiver(status=307) as receiver:
        receiver.headers = {"Location": inside.url}
        assert ask(receiver.port).status == 307
    assert inside.sent == []


def test_no_proxy_of_the_environment_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    with Receiver() as proxy, Receiver() as receiver:
        for name in ("http_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.port}")
        assert ask(receiver.port).status == 204
    assert proxy.sent == []


# Limits of time and size


def test_nobody_there_and_no_such_name(names: dict[str, list[str]]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
    assert refusal(port) == "unreachable"
    names[NAME] = [""]
    assert refusal(port, NAME) == "unresolved"
    assert refusal(port, "a" * 63 + ".invalid") in ("unresolved", "timeout")


def drip(head: bytes, piece: bytes) -> Callable[[socket.socket], None]:
    def talk(connection: socket.socket) -> None:
        connection.sendall(head)
        for _ in range(200):
            time.sleep(0.05)
            connection.sendall(piece)

    return talk


@pytest.mark.parametrize(
    ("head", "piece"),
    [
        (b"", b""),
        (b"HTTP/1.1 200 OK\r\n", b"A"),
        (b"HTTP/1.1 200 OK\r\n", b"A: b\r\n"),
        (b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n", b"a"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"1"),
    ],
    ids=["silence", "header", "headers", "informational", "body", "chunk"],
)
def test_who_answers_slowly_is_cut(head: bytes, piece: bytes) -> None:
    with server(drip(head, piece)) as port:
        began = time.monotonic()
        if head.endswith(b"9999\r\n\r\n"):  # only the beginning of the body is read
            assert len(ask(port, seconds=5).body) == 10
        else:
            assert refusal(port, seconds=0.5) == "timeout"
            assert 0.4 < time.monotonic() - began < 3


def test_a_look_up_that_takes_too_long_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    ends = threading.Event()

    def look_up(*_args: Any, **_how: Any) -> Any:
        ends.wait(20)
        return []

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    began = time.monotonic()
    assert refusal(80, NAME, seconds=0.3) == "timeout"
    assert time.monotonic() - began < 3
    ends.set()


@pytest.mark.parametrize(
    "head",
    [b"A: ", b"\r\n", b"Content-Length: 99999999\r\n\r\n"],
    ids=["header", "body", "announced"],
)  # fmt: skip
def test_who_answers_without_end_is_cut(head: bytes) -> None:
    sent = 0

    def talk(connection: socket.socket) -> None:
        nonlocal sent
        connection.sendall(b"HTTP/1.1 200 OK\r\n" + head)
        while True:
            sent += connection.send(b"a" * 65536)

    with server(talk) as port:
        if b"A: " in head:
            assert refusal(port) == "malformed"
        else:
            assert ask(port).body == b"a" * 10
    assert sent < 50_000_000  # the bytes that the kernel accepted before the connection ended


@pytest.mark.parametrize(
    "answer", [b"", b"hello\r\n\r\n", b"HTTP/1.1 2000 OK\r\n\r\n", b"HTTP/1.1"]
)
def test_what_is_no_answer(answer: bytes) -> None:
    with server(lambda connection: connection.sendall(answer)) as port:
        assert refusal(port) == "malformed"


# TLS


def test_tls_keeps_the_name_whatever_address_it_has(
    names: dict[str, list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trusted, serving = certificate(tmp_path, NAME)
    asked: list[str | None] = []
    serving.sni_callback = lambda _socket, name, _context: asked.append(name)
    names[NAME] = ["127.0.0.1"] * 2
    names["other.example"] = ["127.0.0.1"]
    with Receiver(tls=serving) as receiver:
        target = Target("https", NAME, receiver.port, "/")
        with pytest.raises(NoAnswerError) as untrusted:
            Asker(HERE, 5).post(target, {}, b"{}")
        assert untrusted.value.why == "tls"
        monkeypatch.setenv("SSL_CERT_FILE", str(trusted))
        asker = Asker(HERE, 5)
        assert asker.post(target, {}, b"{}").status == 204
        with pytest.raises(NoAnswerError) as another:
            asker.post(target._replace(host="other.example"), {}, b"{}")
        assert another.value.why == "tls"
    assert asked == [NAME, NAME, "other.example"]
    assert len(receiver.sent) == 1
