"""Makes malformed and unusual requests, as bytes for a socket; a seed determines them."""

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import orjson

from tests.service.api.document import MADE
from tests.service.api.people import Json

PAGES = (
    "/", "/docs", "/openapi.json", "/openapi.yaml", "/metrics", "/tournaments", "/tournaments/x",
    "/games/x", "/static/docs.js", "/static/../app.py", "/static/%2e%2e/%2e%2e/app.py", "/static/",
    "/static/%00", "/nothing", "/v1", "/v1/", "//v1//games", "/v1/games;x=1", "/v1/games/",
)  # fmt: skip
METHODS = (
    "GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "PROPFIND",
    "M-SEARCH", "get", "X",
)  # fmt: skip
TEXTS = (
    "", " ", "\0", "\x1b[31m", "\r\nX: y", "\t", "é", "日本", "\u202e", "😀", "\x7f", "\x9b2J",
    "x" * 61, "x" * 300, "../../etc/passwd", "%", "%s%n{0}{x}", "{}", "[]", "null", "true", "-1",
    "0", "5.0", "+5", " 5", "\uff15", "1_0", "007", "9" * 15, "9" * 19, "9" * 40, "1e309",
    "NaN", "'", '"', "<script>", "\\", "\\ud800", "__proto__", "me", "spectator",
    "sealed", "greedy", "a,b", "g00-aaaaaaaaaaaaaaaaaaaa", "t63-aaaaaaaaaaaaaaaaaaaa", "*", "=",
    "g99-aaaaaaaaaaaaaaaaaaaa",
    "0;q=x", "en;q=9e999", "*;q=nan", "es;q=-1", "W/", 'W/"x"', "bytes=0-", "bytes=9-1",
    "Bearer", "Bearer  ", "Basic =", "gzip", "identity", "chunked", "text/csv;q=1.5", "*/*;q=",
    "application/json;charset=utf-7", "multipart/form-data; boundary=", "100-continue", "http://[",
    "Thu, 99 Foo 2026 99:99:99 GMT", "00" * 32, "0" * 64, "2026-11-20T21:29:00.123Z", "ﬀ", "İ",
)  # fmt: skip
VALUES = (
    "null", "true", "false", "0", "-1", "1", "2", "3", "7", "-0", "0.5", "-0.0", "1E5", "5.0",
    "9223372036854775807", "9223372036854775808", "18446744073709551616", "-9223372036854775809",
    "1e300", "9007199254740993", "9" * 500, "[]", "{}", "[[]]", "[null]", "[0]", "[0,0]", "[-1]",
    '[""]', '""', '"\\u0000"', '"\\ud83d\\ude00"', '{"":{}}', '{"__proto__":1}', '{"type":null}',
    '{"type":["a"]}', "[" * 9 + "]" * 9, '"' + "é" * 2_000 + '"', "[" + ",".join("1" * 999) + "]",
)  # fmt: skip
"""Texts that are valid JSON."""

BROKEN = (
    "1e400", "-1e400", "9" * 5_000, '"\\ud800"', '"\\udc00\\ud800"', '"\ud800"', "NaN", "Infinity",
    "-Infinity", '{"a":1,"a":2}', "[" * 20, "[" * 17 + "]" * 17, "[" * 2_000 + "]" * 2_000,
    '{"a":' * 990 + "1" + "}" * 990, "01", "+1", "0x1", "'a'", "undefined", "// x", '"\t"',
    '"\\x41"', '"' + "x" * 4_001 + '"', "[" + ",".join("1" * 1_001) + "]",
)  # fmt: skip
"""Texts that are not valid JSON, or exceed what the service accepts."""

HEADERS = (
    "Accept", "Accept-Charset", "Accept-Encoding", "Accept-Language",
    "Access-Control-Request-Headers",
    "Access-Control-Request-Method", "Authorization", "Cache-Control", "Connection",
    "Content-Encoding", "Content-Language", "Content-MD5", "Content-Range", "Content-Type",
    "Cookie", "Date", "Expect", "Forwarded", "From", "Host", "Idempotency-Key", "If-Match",
    "If-Modified-Since", "If-None-Match", "If-Range", "If-Unmodified-Since", "Last-Event-ID",
    "Max-Forwards", "Origin", "Pragma", "Proxy-Authorization", "Range", "Referer", "TE", "Trailer",
    "Transfer-Encoding", "Upgrade", "User-Agent", "Via", "X-Forwarded-For", "X-Forwarded-Host",
    "X-Forwarded-Prefix", "X-Forwarded-Proto", "X-HTTP-Method-Override", "X-Request-Id",
    "X_Forwarded_For", "SCRIPT_NAME", "PATH_INFO", "Content_Length",
)  # fmt: skip
ENDING = ("cancelGame", "resign", "cancelTournament")
"""Operations that end something, so that fewer requests are possible after them."""
_PLACE = "\N{OBJECT REPLACEMENT CHARACTER}"


@dataclass(frozen=True)
class World:
    """Existing objects: valid values for the parameters of every operation."""

    keys: Sequence[str]
    known: Mapping[str, Sequence[str]]
    bodies: Mapping[str, Sequence[Json]]
    moves: Sequence[tuple[str, Json]]
    """The paths of games, each with a move that is legal there."""


@dataclass(frozen=True)
class Request:
    """The bytes to send, and whether the head is complete, so that an answer must come."""

    raw: bytes
    whole: bool = True


class Generator:
    """Makes requests, each a mixture of valid and invalid parts."""

    def __init__(self, world: World, seed: int) -> None:
        self._world = world
        self._rng = random.Random(seed)
        self._operations = [
            (method.upper(), path, operation)
            for path, item in MADE["paths"].items()
            for method, operation in item.items()
            if method != "parameters"
            for _ in range(3 if "requestBody" in operation else 1)
        ]

    def request(self) -> Request:
        """Return the next request."""
        if self._one_in(40):
            return self._noise()
        method, path, operation = self._rng.choice(self._operations)
        if operation["operationId"] in ENDING and not self._one_in(20):
            return self.request()
        target = self._rng.choice(PAGES) if self._one_in(12) else self._path(path)
        if self._one_in(15):
            method = self._rng.choice(METHODS)
        target += self._query(operation)
        if self._one_in(60):
            target = (
                self._rng.choice(("http://x", "x:", "*", "?", "#", "//x/..", "http://[::")) + target
            )
        examples = self._world.bodies.get(operation["operationId"]) or [{}]
        if operation["operationId"] == "playMove" and not self._one_in(4):
            target, move = self._rng.choice(self._world.moves)
            examples = [move]
        body, framing = b"", list[tuple[str, bytes]]()
        if "requestBody" in operation or self._one_in(10):
            body, framing = self._framed(self._body(examples))
        headers = [*self._headers(), *framing]
        version = (
            "HTTP/1.1" if not self._one_in(60) else self._rng.choice(("HTTP/1.0", "HTTP/2.0", "X"))
        )
        lines = [f"{method} {target} {version}".encode("utf-8", "surrogatepass")]
        lines += [name.encode() + b": " + value for name, value in headers]
        end = b"\r\n" if not self._one_in(100) else b"\n"
        return Request(end.join(lines) + end + end + body, end == b"\r\n")

    def _one_in(self, many: int) -> bool:
        return self._rng.randrange(many) == 0

    def _noise(self) -> Request:
        kind = self._rng.randrange(4)
        if kind == 0:
            return Request(
                self._rng.randbytes(self._rng.randrange(1, 300)) + b"\r\n\r\n", whole=False
            )
        if kind == 1:
            return Request(
                b"GET /" + b"x" * self._rng.choice((4_090, 5_000, 200_000)) + b" HTTP/1.1\r\n\r\n"
            )
        if kind == 2:
            many = b"".join(
                b"X-%d: %s\r\n" % (n, b"y" * 90) for n in range(self._rng.choice((99, 101, 500)))
            )
            return Request(b"GET /v1/rulesets HTTP/1.1\r\n" + many + b"\r\n")
        return Request(b"GET /v1/rulesets HTTP/1.1\r\nHost", whole=False)

    def _text(self) -> str:
        if self._one_in(6):
            size = self._rng.randrange(1, 12)
            return "".join(
                chr(self._rng.choice((self._rng.randrange(256), self._rng.randrange(0xD800))))
                for _ in range(size)
            )
        return self._rng.choice(TEXTS)

    def _path(self, path: str) -> str:
        def value(found: re.Match[str]) -> str:
            if not self._one_in(5):
                return self._rng.choice(self._world.known[found[1]])
            return self._escaped(self._text())

        return re.sub(r"\{(\w+)\}", value, path)

    def _escaped(self, text: str) -> str:
        kind = self._rng.randrange(6)
        if kind == 0:
            return "".join(f"%{byte:02x}" for byte in text.encode("latin-1", "replace"))
        if kind == 1:
            return quote(text) + self._rng.choice(
                ("%", "%f", "%ff", "%00", "%c0%af", "%ed%a0%80", "+")
            )
        if kind == 2 and text.isascii() and text.isprintable():
            return text.replace(" ", "+")
        return quote(text, safe="")

    def _query(self, operation: Json) -> str:
        shared = MADE["components"]["parameters"]
        taken = [
            shared[known["$ref"].rpartition("/")[2]] if "$ref" in known else known
            for known in operation.get("parameters", [])
        ]
        names = [known["name"] for known in taken if known["in"] == "query"]
        if not names and not self._one_in(12):
            return ""
        pairs = []
        for _ in range(self._rng.randrange(4)):
            name = self._rng.choice(names) if names and not self._one_in(8) else self._text()
            value = (
                self._text()
                if self._one_in(2)
                else str(self._rng.choice((0, 1, 3, 7, 200, 2**53 - 1, 2**53, 2**63)))
            )
            pairs.append(f"{self._escaped(name)}={self._escaped(value)}")
        return "?" + self._rng.choice(("&", "&", "&", ";", "&&")).join(pairs) if pairs else ""

    def _headers(self) -> list[tuple[str, bytes]]:
        headers = [("Host", b"x")] if not self._one_in(50) else []
        if not self._one_in(12):
            headers.append(
                ("Authorization", b"Bearer " + self._rng.choice(self._world.keys).encode())
            )
        if self._one_in(3):
            known = ("a", "b", str(self._rng.randrange(1_000)))
            headers.append(("Idempotency-Key", self._rng.choice(known).encode()))
        for _ in range(self._rng.choice((0, 0, 0, 1, 1, 3))):
            name = self._rng.choice(HEADERS)
            coding = self._rng.choice(("utf-8", "latin-1"))
            value = self._text().encode(coding, "replace")
            if not self._one_in(20):
                value = re.sub(rb"[\x00-\x1f\x7f]", b"?", value)
            headers.append((name, value))
        return headers

    def _body(self, examples: Sequence[Json]) -> bytes:
        if self._one_in(30):
            return self._rng.choice(VALUES + BROKEN).encode("utf-8", "surrogatepass")
        if self._one_in(40):
            return self._rng.randbytes(self._rng.randrange(200))
        value = orjson.loads(orjson.dumps(self._rng.choice(examples)))
        put: list[str] = []
        for _ in range(self._rng.choice((0, 0, 1, 1, 1, 2))):
            value = self._spoilt(value, put)
        text = orjson.dumps(value).decode()
        for raw in put:
            text = text.replace(f'"{_PLACE}"', raw, 1)
        return text.encode("utf-8", "surrogatepass")

    def _spoilt(self, value: Any, put: list[str]) -> Any:
        """Return a value with one fault; ``put`` gets text that no JSON value can express."""
        if isinstance(value, dict) and value and not self._one_in(12):
            name = self._rng.choice([*value])
            kind = self._rng.randrange(6)
            if kind == 0:
                del value[name]
            elif kind == 1:
                value[self._text()] = value[name]
            else:
                value[name] = self._spoilt(value[name], put)
            return value
        if isinstance(value, list) and value and not self._one_in(8):
            place = self._rng.randrange(len(value))
            if self._one_in(4):
                return value * self._rng.choice((0, 2, 9, 40))
            value[place] = self._spoilt(value[place], put)
            return value
        if self._one_in(3):
            return self._text().encode("utf-8", "replace").decode()
        put.append(self._rng.choice(BROKEN if self._one_in(8) else VALUES))
        return _PLACE

    def _framed(self, body: bytes) -> tuple[bytes, list[tuple[str, bytes]]]:
        headers = [("Content-Type", b"application/json")]
        if self._one_in(12):
            headers = [("Content-Type", self._rng.choice(TEXTS).encode("utf-8", "replace"))]
        kind = self._rng.randrange(40)
        if kind < 31:
            return body, [*headers, ("Content-Length", b"%d" % len(body))]
        if kind < 36:
            size = self._rng.choice((1, 7, 1_000, 70_000))
            pieces = [body[place : place + size] for place in range(0, len(body), size)]
            body = b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces)
            body += self._rng.choice(
                (b"0\r\n\r\n",) * 4 + (b"0\r\n", b"", b"0\r\nX: y\r\n\r\n", b"zz\r\n")
            )
            return body, [*headers, ("Transfer-Encoding", b"chunked")]
        if kind == 36:
            return body, [
                *headers,
                ("Content-Length", b"%d" % (len(body) + self._rng.randrange(1, 99))),
            ]
        if kind == 37:
            return body, [*headers, ("Content-Length", b"%d" % (len(body) // 2))]
        if kind == 38:
            odd = (b"-1", b"+1", b"0x1", b" ", b"1,1", b"9" * 30, b"9" * 4_400, b"\xb2", b"1.0")
            return body, [*headers, ("Content-Length", self._rng.choice(odd))]
        big = b'{"name": "' + b"x" * self._rng.choice((70_000, 300_000)) + b'"}'
        return big, [*headers, ("Content-Length", b"%d" % len(big))]
