"""Example programs in several languages, which all send the same request."""

import json
import re
import shlex
from collections.abc import Callable
from pprint import pformat
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

SERVICE = "http://127.0.0.1:8000"
_BELOW = "/v1"
_STREAM = "text/event-stream"
_JSON = "application/json"
_LINE = 56
"""Width of the lines of a value in the Python program."""
KEYS = {"key": "KEY", "admin_key": "ADMIN_KEY"}
"""The environment variable that holds each kind of key."""


class Request(NamedTuple):
    """A request.

    ``key`` is the kind of key that the request needs; it is '' if the request needs no key.
    ``body`` is None if the request has no body.
    """

    method: str
    path: str
    in_path: dict[str, Any]
    query: dict[str, Any]
    body: Any
    media_type: str
    key: str
    is_repeatable: bool

    @property
    def target(self) -> str:
        """The path with its parameters."""
        return re.sub(r"{(\w+)}", lambda found: quote(str(self.in_path[found[1]])), self.path)

    @property
    def url(self) -> str:
        """The address with the query."""
        query = f"?{urlencode(self.query, doseq=True)}" if self.query else ""
        return f"{SERVICE}{self.target}{query}"


class Sample(NamedTuple):
    """A program that sends a request, in one language."""

    id: str
    language: str
    text: str


def samples(request: Request) -> tuple[Sample, ...]:
    """Return a program for the request in each language."""
    return tuple(Sample(id_, name, write(request)) for id_, name, write in _LANGUAGES)


def _curl(request: Request) -> str:
    words = ["curl"]
    if request.media_type == _STREAM:
        words.append("-N")
    if request.method != ("GET" if request.body is None else "POST"):
        words.append(f"-X {request.method}")
    lines = [" ".join([*words, shlex.quote(request.url)])]
    if request.key:
        lines.append(f'-H "Authorization: Bearer ${KEYS[request.key]}"')
    if request.is_repeatable:
        lines.append('-H "Idempotency-Key: $(uuidgen)"')
    if request.body is not None:
        lines.append(f"-H 'Content-Type: {_JSON}'")
        lines.append(f"-d {shlex.quote(json.dumps(request.body, ensure_ascii=False))}")
    return " \\\n  ".join(lines)


def _python(request: Request) -> str:
    if not request.path.startswith(f"{_BELOW}/"):
        return (
            f"from urllib.request import urlopen\n\n"
            f'with urlopen("{request.url}") as answer:\n    print(answer.read().decode())'
        )
    path = _quoted(request.target.removeprefix(_BELOW))
    key = f', os.environ["{KEYS[request.key]}"]' if request.key else ""
    begin = "import os\n\n" if request.key else ""
    begin += f'from lonja_client import Client\n\nlonja = Client("{SERVICE}"{key})\n'
    if request.media_type == _STREAM:
        return (
            f"{begin}for message in lonja.stream({path}):\n    print(message.event, message.data)"
        )
    if request.media_type not in {"", _JSON}:
        return (
            f'{begin}with open("answer", "wb") as file:\n'
            f"    for piece in lonja.download({path}):\n        file.write(piece)"
        )
    given = [path]
    if request.body is not None:
        text = pformat(request.body, width=_LINE, sort_dicts=False)
        if "\n" in text:
            begin += f"body = {text}\n"
            text = "body"
        given.append(text)
    given += [f"{name}={value!r}" for name, value in request.query.items()]
    call = f"lonja.{request.method.lower()}({', '.join(given)})"
    return begin + (f"answer = {call}\nprint(answer)" if request.media_type else call)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _javascript(request: Request) -> str:
    headers = []
    if request.key:
        headers.append(f"Authorization: `Bearer ${{process.env.{KEYS[request.key]}}}`")
    if request.body is not None:
        headers.append(f'"Content-Type": "{_JSON}"')
    if request.is_repeatable:
        headers.append('"Idempotency-Key": crypto.randomUUID()')
    options = [] if request.method == "GET" else [f'method: "{request.method}"']
    if headers:
        options.append("headers: {\n" + "".join(f"    {each},\n" for each in headers) + "  }")
    if request.body is not None:
        body = json.dumps(request.body, indent=2, ensure_ascii=False).replace("\n", "\n  ")
        options.append(f"body: JSON.stringify({body})")
    given = "".join(f"  {each},\n" for each in options)
    sent = f'const answer = await fetch("{request.url}"' + (f", {{\n{given}}});" if given else ");")
    if request.media_type == _STREAM:
        return sent + (
            "\nfor await (const text of answer.body.pipeThrough(new TextDecoderStream()))\n"
            "  console.log(text);"
        )
    if not request.media_type:
        return sent
    read = "json" if request.media_type == _JSON else "text"
    return f"{sent}\nconsole.log(await answer.{read}());"


_LANGUAGES: tuple[tuple[str, str, Callable[[Request], str]], ...] = (
    ("curl", "curl", _curl),
    ("python", "Python", _python),
    ("javascript", "JavaScript", _javascript),
)
