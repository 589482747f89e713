"""A small server of buckets in memory: what packs need of S3's protocol, and nothing else.

The campaign ``buckets`` holds it to the same tests as whole servers.
"""

import hashlib
import re
from collections.abc import Mapping
from email.message import Message
from email.utils import formatdate
from threading import Lock
from typing import NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit
from xml.sax.saxutils import escape

PAGE = 1_000


class Answer(NamedTuple):
    """An answer of a server: without a body if it was asked for the headers alone."""

    status: int
    headers: Mapping[str, str] = {}
    body: bytes = b""


class _Object(NamedTuple):
    raw: bytes
    at: float

    @property
    def tag(self) -> str:
        return f'"{hashlib.md5(self.raw, usedforsecurity=False).hexdigest()}"'


class Small:
    """Answers requests for the objects of one bucket; thread-safe."""

    def __init__(self, bucket: str, now: float) -> None:
        self.now = now
        self.objects: dict[str, _Object] = {}
        self._bucket = bucket
        self._lock = Lock()

    def fill(self, names: list[str]) -> None:
        """Write objects with these names."""
        for name in names:
            self.objects[name] = _Object(b"-", self.now)

    def __call__(self, method: str, target: str, headers: Message, body: bytes) -> Answer:
        url = urlsplit(target)
        _empty, bucket, *rest = unquote(url.path).split("/", 2)
        if bucket != self._bucket:
            return refusal(404, "NoSuchBucket")
        name = rest[0] if rest else ""
        if not name:
            return self._list(parse_qs(url.query))
        with self._lock:
            if method == "PUT":
                return self._put(name, headers, body)
            found = self.objects.get(name)
            if method == "DELETE":
                self.objects.pop(name, None)
                return Answer(204)
        return refusal(404, "NoSuchKey") if found is None else _get(found, headers)

    def _put(self, name: str, headers: Message, body: bytes) -> Answer:
        known = self.objects.get(name)
        tag = None if known is None else known.tag
        if (headers.get("If-None-Match") == "*" and known) or headers.get("If-Match", tag) != tag:
            return refusal(412, "PreconditionFailed")
        source = headers.get("x-amz-copy-source")
        if source is not None:
            body = self.objects[unquote(source).strip("/").partition("/")[2]].raw
        made = self.objects[name] = _Object(body, self.now)
        told = f"<CopyObjectResult><ETag>{escape(made.tag)}</ETag></CopyObjectResult>"
        return Answer(200, {"ETag": made.tag}, told.encode() if source else b"")

    def _list(self, asked: Mapping[str, list[str]]) -> Answer:
        prefix, after = asked.get("prefix", [""])[0], asked.get("continuation-token", [""])[0]
        names = sorted(n for n in self.objects if n.startswith(prefix) and n > after)
        names = [n for n in names if "/" not in n.removeprefix(prefix)]
        page, more = names[:PAGE], names[PAGE:]
        told = "".join(
            f"<Contents><Key>{escape(n)}</Key><Size>{len(self.objects[n].raw)}</Size>"
            f"<LastModified>2026-01-01T00:00:00.000Z</LastModified><ETag>t</ETag></Contents>"
            for n in page
        )
        if more:
            told += f"<NextContinuationToken>{escape(page[-1])}</NextContinuationToken>"
        return Answer(200, {}, f"<ListBucketResult>{told}</ListBucketResult>".encode())


def refusal(status: int, code: str) -> Answer:
    """Return S3's answer to a request that it does not carry out."""
    return Answer(status, {}, f"<Error><Code>{code}</Code></Error>".encode())


def _get(found: _Object, headers: Message) -> Answer:
    size = len(found.raw)
    told = {"ETag": found.tag, "Last-Modified": formatdate(found.at, usegmt=True)}
    asked = re.fullmatch(r"bytes=(\d*)-(\d*)", headers.get("Range", ""))
    if asked is None:
        return Answer(200, told, found.raw)
    first = int(asked[1]) if asked[1] else max(size - int(asked[2]), 0)
    last = min(int(asked[2]), size - 1) if asked[1] and asked[2] else size - 1
    if first >= size:
        return refusal(416, "InvalidRange")
    told["Content-Range"] = f"bytes {first}-{last}/{size}"
    return Answer(206, told, found.raw[first : last + 1])
