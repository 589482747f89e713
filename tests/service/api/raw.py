"""Parses answers that come through a socket."""

import re

import orjson

from service.problems import CODES
from tests.service.api.people import Json


class Raw:
    """An answer of the API, and the bytes after it; a failed check reports ``sent``."""

    def __init__(self, raw: bytes, sent: bytes = b"") -> None:
        self._told = f"{sent[:1_500]!r}\n\n{raw[:1_500]!r}"
        head, _, body = raw.partition(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        found = re.fullmatch(r"HTTP/1\.[01] (\d{3}) .+", first)
        assert found, self._told
        self.status = int(found[1])
        self.headers = dict(line.split(": ", 1) for line in lines)
        assert self.headers["X-Content-Type-Options"] == "nosniff", self._told
        assert self.headers["Referrer-Policy"] == "no-referrer", self._told
        assert self.headers["X-Request-Id"], self._told
        length = int(self.headers.get("Content-Length", len(body)))
        self.body, self.more = body[:length], body[length:]
        if self.status >= 400:
            assert self.headers["Content-Type"] == "application/problem+json", self._told

    @property
    def problem(self) -> Json:
        """The problem document; fails if the answer is none."""
        assert len(self.body) == int(self.headers["Content-Length"]), self._told
        told: Json = orjson.loads(self.body)
        assert CODES[told["code"]].status == told["status"] == self.status, self._told
        assert told["request_id"] == self.headers["X-Request-Id"], self._told
        assert told["title"], self._told
        assert told["detail"], self._told
        return told

    @property
    def code(self) -> str:
        """The problem's code; fails if the answer is no problem, or more bytes follow."""
        assert not self.more, self._told
        code: str = self.problem["code"]
        return code
