"""The pages of the reference: the contents of the API's description, and working requests."""

import html
import json
import re
import shlex
import subprocess
import threading
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple
from urllib.error import HTTPError

import pytest
from lonja_client import Refused

from service.guides.reference.requests import SERVICE
from service.guides.site import Site
from service.problems import PROBLEMS
from tests.running import ROOT
from tests.service.api.document import MADE, OPERATIONS, SCHEMAS
from tests.service.api.people import House
from tests.service.api.test_openapi import parameter_of, whole

SITE = Site(lambda: MADE)
SAMPLES = {
    operation.name: {sample.id: sample.text for sample in operation.samples}
    for operation in SITE.reference.operations.values()
}
NODE = ROOT / ".venv/bin/node"


def words(slug: str) -> str:
    """Return the text of a page, without its examples."""
    prose = re.sub(r"<pre.*?</pre>", "", SITE.page(slug), flags=re.DOTALL)
    text = re.sub(r"<[^>]+>", "", prose)
    return " ".join(html.unescape(text).split())


def properties(part: Any) -> Iterator[str]:
    """Yield the names of a schema's own properties, at any depth."""
    if isinstance(part, dict):
        for name, value in part.items():
            if name == "properties":
                yield from value
            if name not in {"if", "then", "else"}:  # these are conditions, not further properties
                yield from properties(value)
    if isinstance(part, list):
        for each in part:
            yield from properties(each)


@pytest.mark.parametrize(
    ("path", "method", "operation"), OPERATIONS, ids=[o["operationId"] for _, _, o in OPERATIONS]
)
def test_the_page_of_an_operation_says_all_of_it(
    path: str, method: str, operation: dict[str, Any]
) -> None:
    said = words(f"reference/{operation['tags'][0]}/{operation['operationId']}")
    shared = MADE["paths"][path].get("parameters", [])
    expected = [f"{method.upper()} {path}", operation["summary"].removesuffix(".")]
    expected += [parameter_of(each)["name"] for each in (*shared, *operation.get("parameters", ()))]
    for status, response in operation["responses"].items():
        expected += [status, *whole(response).get(PROBLEMS, ())]
        expected += [*whole(response)["content"]] if status < "3" and "content" in response else []
    for form in operation.get("requestBody", {}).get("content", {}).values():
        expected += properties(SCHEMAS[form["schema"]["$ref"].rpartition("/")[2]])
    assert [each for each in expected if each not in said] == []


@pytest.mark.parametrize(
    "name", ["GameRequest", "MoveAnswer", "Move", "Problem", "MacaoView", "NewPlayer", "GameState"]
)
def test_the_page_of_an_object_says_all_of_it(name: str) -> None:
    said = words(f"reference/schemas/{name}")
    schema = SCHEMAS[name]
    parts = [each["$ref"].rpartition("/")[2] for each in schema.get("oneOf", ())]
    extended = [SCHEMAS[name] for name in re.findall(r"/(\w+)'}", str(schema.get("allOf", "")))]
    values = schema.get("properties", {}).get("code", {}).get("enum", ())
    expected = [*properties([schema, extended]), *parts, *values]
    assert expected
    assert [each for each in expected if each not in said] == []


# Examples


class Sent(NamedTuple):
    """A request as the server receives it."""

    method: str
    target: str
    body: Any
    has_key: bool
    is_repeatable: bool


class _Recorder(BaseHTTPRequestHandler):
    """Refuses every request, and records it."""

    sent: list[Sent]

    def _answer(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        text = self.rfile.read(length)
        self.sent.append(
            Sent(
                self.command,
                self.path,
                json.loads(text) if text else None,
                self.headers.get("Authorization") == "Bearer lk_secret",
                "Idempotency-Key" in self.headers,
            )
        )
        body = b'{"code": "not_found", "status": 404, "title": "", "detail": ""}'
        self.send_response(404)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _answer  # noqa: N815 - http.server's names

    def log_message(self, *_: object) -> None:
        """Write nothing."""


@pytest.fixture
def recorder() -> Iterator[tuple[str, list[Sent]]]:
    sent: list[Sent] = []
    handler = type("Recorder", (_Recorder,), {"sent": sent})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", sent
    server.shutdown()
    thread.join()
    server.server_close()


def by_curl(text: str) -> Sent:
    """Run a curl command, and return its request."""
    arguments = iter(shlex.split(text.replace("\\\n", ""))[1:])
    method, target, body, headers = "", "", None, []
    for each in arguments:
        if each == "-X":
            method = next(arguments)
        elif each == "-H":
            headers.append(next(arguments))
        elif each == "-d":
            body = json.loads(next(arguments))
        elif each != "-N":
            target = each.removeprefix(SERVICE)
    assert (body is None) != ("Content-Type: application/json" in headers)
    return Sent(
        method or ("GET" if body is None else "POST"),
        target,
        body,
        any(re.fullmatch(r"Authorization: Bearer \$(ADMIN_)?KEY", each) for each in headers),
        "Idempotency-Key: $(uuidgen)" in headers,
    )


def test_the_examples_in_three_languages_send_the_same(
    recorder: tuple[str, list[Sent]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    url, sent = recorder
    for name in ("KEY", "ADMIN_KEY"):
        monkeypatch.setenv(name, "lk_secret")
    expected = [by_curl(texts["curl"]) for texts in SAMPLES.values()]
    monkeypatch.chdir(tmp_path)
    for texts in SAMPLES.values():
        with suppress(Refused, HTTPError):
            exec(texts["python"].replace(SERVICE, url), {})
    # The client sends an Idempotency-Key with every POST, even with previews.
    assert [each._replace(is_repeatable=False) for each in sent] == [
        each._replace(is_repeatable=False) for each in expected
    ]
    assert all(b.is_repeatable or not a.is_repeatable for a, b in zip(expected, sent, strict=True))
    sent.clear()
    program = tmp_path / "all.mjs"
    program.write_text(
        "\n".join(
            f"await (async () => {{\n{texts['javascript'].replace(SERVICE, url)}\n}})();"
            for texts in SAMPLES.values()
        )
    )
    subprocess.run([NODE, program], check=True, stdout=subprocess.DEVNULL, timeout=60)
    assert sent == expected


def test_the_service_understands_every_example(house: House) -> None:
    """The objects of the examples do not exist, but the requests are well-formed."""
    ana = house.player()
    understood = {"insufficient_scope", "not_admin", "unknown_key"}
    for name, texts in SAMPLES.items():
        if name == "leave":
            continue  # it would end whoever sends the others
        sent = by_curl(texts["curl"])
        answer = house.client.open(
            sent.target, method=sent.method, json=sent.body, headers=ana.headers
        )
        if answer.status_code >= 400:
            assert answer.json is not None, name
            code = answer.json["code"]
            is_missing = code.startswith(("unknown_", "no_such_"))
            assert is_missing or code in understood, (name, answer.text)
        answer.close()
