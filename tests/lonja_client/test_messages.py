"""Addresses, streams in pieces, and the types of answers compared with the description."""

from collections.abc import Mapping, Sequence
from types import NoneType, UnionType
from typing import Any, NotRequired, get_args, get_origin, get_type_hints, is_typeddict

import pytest
import yaml
from lonja_client import Client, Message, Unreachable, answers
from lonja_client.messages import messages
from lonja_client.transport import _proxy

from tests.running import ROOT

STREAM = (
    b': welcome\nretry: 2000\n\nid: 1\ndata: {"seq": 1}\n\n: keep-alive\n\nevent: asked\r\n'
    b'id: 17-0\r\ndata: [1,\r\ndata: 2]\r\n\r\nid: 18-0\n\ndata: "\xc3\xb1"\n\n'
)
TOLD = [
    Message("message", "1", {"seq": 1}),
    Message("asked", "17-0", [1, 2]),
    Message("message", "18-0", "ñ"),
]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1_000])
def test_a_message_is_the_same_in_whatever_pieces_it_comes(size: int) -> None:
    pieces = (STREAM[at : at + size] for at in range(0, len(STREAM), size))
    assert list(messages(pieces)) == TOLD


def test_what_is_no_json_is_a_broken_stream() -> None:
    with pytest.raises(Unreachable, match="no JSON"):
        list(messages([b"data: {\n\n"]))


def test_the_proxy_is_that_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("https_proxy", "http://proxy.example:3128")
    monkeypatch.setenv("no_proxy", "near.example")
    found = _proxy("https", "lonja.example")
    assert found is not None
    assert (found.url.host, found.url.port) == (b"proxy.example", 3128)
    assert [_proxy("https", host) for host in ("near.example", "127.0.0.1")] == [None, None]
    assert _proxy("http", "lonja.example") is None


@pytest.mark.parametrize("url", ["lonja.example", "ftp://lonja.example", "http://", "http://a:b"])
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match=r"address|Port"):
        Client(url)


def test_what_cannot_be_sent_is_refused_at_once() -> None:
    with Client("http://señor.example") as client:
        for path in ("/games/a b", "/games/ñ", "/games/a\r\nX-Evil: 1"):
            with pytest.raises(ValueError, match="cannot be sent"):
                client.get(path)
        with pytest.raises(ValueError, match="cannot be sent"):
            client.post("/games", {}, idempotency_key="a\nb")


SCHEMAS: Mapping[str, Any] = yaml.load(
    (ROOT / "openapi.yaml").read_text(encoding="utf-8"), yaml.CSafeLoader
)["components"]["schemas"]
TYPES = [found for found in vars(answers).values() if is_typeddict(found)]
KINDS = {str: "string", int: "integer", bool: "boolean", NoneType: "null"}


@pytest.mark.parametrize("type_", TYPES, ids=lambda type_: type_.__name__)
def test_an_answer_is_typed_as_it_is_described(type_: Any) -> None:
    schema = whole(SCHEMAS[type_.__name__])
    hints = get_type_hints(type_, include_extras=True)
    assert hints.keys() <= schema["properties"].keys()
    for name, hint in hints.items():
        is_optional = get_origin(hint) is NotRequired
        assert is_optional == (name not in schema["required"]), name
        taken = get_args(hint)[0] if is_optional else hint
        assert written(taken) == described(schema["properties"][name]), name


def whole(schema: Any) -> Any:
    """Return a schema with the properties of the schemas that it extends."""
    if "$ref" in schema:
        return whole(SCHEMAS[schema["$ref"].rpartition("/")[2]])
    parts = [whole(part) for part in schema.get("allOf", ())]
    properties: dict[str, Any] = {}
    for part in (*parts, schema):
        properties |= part.get("properties", {})
    required = [name for part in (*parts, schema) for name in part.get("required", ())]
    return {"properties": properties, "required": required}


def written(hint: Any) -> set[str]:
    """Return the kinds of JSON that a type takes."""
    if isinstance(hint, UnionType):
        return set().union(*map(written, get_args(hint)))
    origin = get_origin(hint)
    if is_typeddict(hint) or origin is Mapping:
        return {"object"}
    return {"array"} if origin is Sequence else {KINDS[hint]}


def described(schema: Any) -> set[str]:
    """Return the kinds of JSON that a schema allows; a component counts as an object."""
    if "$ref" in schema:
        return {"object"}
    if parts := schema.get("anyOf") or schema.get("oneOf") or schema.get("allOf"):
        return set().union(*map(described, parts))
    kind = schema["type"]
    return set(kind) if isinstance(kind, list) else {kind}
