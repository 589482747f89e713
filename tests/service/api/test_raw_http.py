"""Real gunicorn and plain sockets: requests that no HTTP client sends get answers, too."""

import base64
import re
from collections.abc import Iterator
from pathlib import Path

import orjson
import pytest

from tests.service.api.raw import Raw
from tests.service.api.test_gunicorn import Service
from tests.service.process.test_logs import RAW

ACCESS = "%(u)s %(U)s %(q)s %(a)s %({idempotency-key}i)s"
CHUNKED = b"Transfer-Encoding: chunked\r\nContent-Type: application/json\r\n"


@pytest.fixture(scope="module")
def service(
    tmp_path_factory: pytest.TempPathFactory, redis_binary: Path | None, log: Path
) -> Iterator[Service]:
    with Service(
        tmp_path_factory.mktemp("service"),
        redis_binary,
        log=log,
        LONJA_LOG_LEVEL="info",
        LONJA_WEB_WORKERS="1",
        GUNICORN_CMD_ARGS=f"--access-logfile - --access-logformat '{ACCESS}'",
    ) as service:
        yield service


def send(service: Service, *pieces: bytes) -> Raw:
    return Raw(service.send(*pieces))


def post(path: str, headers: bytes, body: bytes) -> bytes:
    return b"POST %s HTTP/1.1\r\nHost: x\r\n%s\r\n%s" % (path.encode(), headers, body)


GET = b"GET /v1/rulesets HTTP/1.1\r\nHost: x\r\n"


@pytest.mark.parametrize(
    ("sent", "status", "code"),
    [
        (b"GET /%s HTTP/1.1\r\n\r\n" % (b"x" * 5_000), 414, "uri_too_long"),
        (b"GET /%s HTTP/1.1\r\n\r\n" % (b"x" * 500_000), 414, "uri_too_long"),
        (GET + b"X-Long: %s\r\n\r\n" % (b"x" * 9_000), 431, "headers_too_large"),
        (GET + b"X-Many: x\r\n" * 200 + b"\r\n", 431, "headers_too_large"),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400, "bad_request"),
        (b"GET\r\n\r\n", 400, "bad_request"),
        (b"get / HTTP/1.1\r\n\r\n", 400, "bad_request"),
        (b"GET / HTTP/9.9\r\n\r\n", 400, "bad_request"),
        (b"GET /\x1b[31m HTTP/1.1\r\n\r\n", 400, "bad_request"),
        (b"GET /\xff HTTP/1.1\r\n\r\n", 400, "bad_request"),
        (GET + b"X: \x00\r\n\r\n", 400, "bad_request"),
        (GET + b"X : y\r\n\r\n", 400, "bad_request"),
        (GET + b"X: a\r\n b\r\n\r\n", 400, "bad_request"),
        (GET + b"Host: y\r\n\r\n", 400, "bad_request"),
        (GET.replace(b"Host: x\r\n", b"Connection: close\r\n") + b"\r\n", 400, "bad_request"),
        (GET + b"Content-Length: +1\r\n\r\n", 400, "bad_request"),
        (GET + b"Content-Length: \xb2\r\n\r\n", 400, "bad_request"),
        (GET + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\n", 400, "bad_request"),
        (GET + b"Expect: a miracle\r\n\r\n", 400, "bad_request"),
        (GET + b"Transfer-Encoding: br\r\n\r\n", 415, "unsupported_encoding"),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_what_gunicorn_refuses_is_a_problem(
    service: Service, sent: bytes, status: int, code: str
) -> None:
    answer = send(service, sent)
    assert (answer.status, answer.code) == (status, code)
    assert answer.headers["Connection"] == "close"
    assert service.call("GET", "/healthz").status == 200


@pytest.mark.parametrize(
    "body",
    [
        b"x\r\n",
        b"-1\r\n{}\r\n0\r\n\r\n",
        b"2",
        b"2\r\n{}",
        b"2\r\n{}xx",
        b"2\r\n{}\r\n",
        b"2\r\n{}\r\n0\r\n",
        b"2;\x00=\r\n{}\r\n0\r\n\r\n",
        b"2\r\n{}\r\n0\r\nHost: y\r\n\r\n",
        b"2\r\n{}\r\n0\r\nX: \x00\r\n\r\n",
        b"%s\r\n{}\r\n0\r\n\r\n" % (b"f" * 9_000),
        b"ffffffffffffffffffff\r\n{}",
    ],
)
@pytest.mark.parametrize("path", ["/v1/players", "/v1/tournaments"])
def test_bad_chunks(service: Service, path: str, body: bytes) -> None:
    key = service.call("POST", "/v1/players", body={"name": "x"}).json["key"]
    answer = send(
        service, post(path, b"Authorization: Bearer %s\r\n" % key.encode() + CHUNKED, body)
    )
    assert (answer.status, answer.code) == (400, "bad_request")


def chunks(size: int) -> bytes:
    padded = b'{"name": "Ana"}'.ljust(size)
    parts = [padded[place : place + 10_000] for place in range(0, size, 10_000)]
    return b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"


@pytest.mark.parametrize("size", [65_536, 65_537, 3_000_000])
def test_a_chunked_body_is_taken_whole_or_refused(service: Service, size: int) -> None:
    answer = send(service, post("/v1/players", CHUNKED, chunks(size)))
    if size <= 65_536:
        assert answer.status == 201
    else:
        assert (answer.status, answer.code) == (413, "too_large")
    assert answer.headers["Connection"] == "close"


def test_a_declared_body_that_is_too_large(service: Service) -> None:
    headers = b"Content-Type: application/json\r\nContent-Length: %d\r\n"
    for length, body in ((3_000_000, b"x" * 3_000_000), (10**15, b"x"), (10**4_000, b"")):
        answer = send(service, post("/v1/players", headers % length, body))
        assert (answer.status, answer.code) == (413, "too_large")
        assert answer.headers["Connection"] == "close"


def test_a_body_that_stops_early(service: Service) -> None:
    headers = b"Content-Type: application/json\r\nContent-Length: 30\r\n"
    answer = send(service, post("/v1/players", headers, b'{"name": "Ana"}'))
    assert (answer.status, answer.code) == (400, "bad_request")


def test_encoded_bodies(service: Service) -> None:
    for name in (
        b"Content-Encoding: gzip\r\nContent-Length: 2\r\n",
        b"Transfer-Encoding: gzip, chunked\r\n",
    ):
        headers = b"Content-Type: application/json\r\n" + name
        answer = send(service, post("/v1/players", headers, b"{}"))
        assert (answer.status, answer.code) == (415, "unsupported_encoding")


def test_connections_are_kept_after_usual_requests(service: Service) -> None:
    headers = b"Content-Type: application/json\r\nContent-Length: 15\r\n"
    one = post("/v1/players", headers, b'{"name": "Ana"}')
    answer = send(service, one, one, one)
    assert answer.status == 201
    assert answer.headers["Connection"] == "keep-alive"
    assert len(re.findall(rb"HTTP/1.1 201 CREATED", answer.more)) == 2


def test_what_was_refused_is_counted(service: Service) -> None:
    send(service, b"GET\r\n\r\n")
    raw = b"GET /metrics HTTP/1.1\r\nHost: x\r\nAuthorization: %s\r\n\r\n"
    answer = send(service, raw % b"Bearer for-the-scraper-alone")
    assert b'lonja_http_requests_total{method="none",operation="none",status="400"}' in answer.body


def test_no_control_character_reaches_a_log(service: Service, log: Path) -> None:
    hostile = b"\xc2\x9b2J\xe2\x80\xae\t"
    user = base64.b64encode(b"\x1b]0;x\x07\n[2026] [1] [ERROR] forged:x")
    headers = (
        b"User-Agent: u%s\r\nIdempotency-Key: i%s\r\nX-Request-Id: r%s\r\n"
        b"Authorization: Basic %s\r\n"
    ) % (hostile, hostile, hostile, user)
    path = "/v1/games/%1b%5b31m%0d%0a%7f%c2%9b%e2%80%ae?x=%1b"
    for method in (b"GET", b"POST"):
        send(service, b"%s %s HTTP/1.1\r\nHost: h\r\n%s\r\n" % (method, path.encode(), headers))
    send(service, b"GET /\x1b[31m HTTP/1.1\r\n\r\n")
    send(service, GET + b"X-\x1b: y\r\n\r\n")
    body = orjson.dumps({"name": "\x1b[31m\x9b\n"})
    send(service, post("/v1/players", b"Content-Length: %d\r\n" % len(body), body))
    text = log.read_text()
    assert text.count("\\x1b]0;x\\x07\\n") >= 2, "gunicorn's access log"
    assert text.count("/v1/games/\\") >= 2, "the structured log"
    assert "Invalid HTTP request line" in text
    assert not RAW.search(text)
