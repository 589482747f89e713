"""Makes expensive requests from the API's description: large, invalid and changed ones.

All choices come from a seed, so the same seed gives the same requests.
"""

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Any, NamedTuple
from urllib.parse import quote

import orjson

from tests.service.api.document import MADE, SCHEMAS
from tests.service.api.people import Json

MOST_BYTES = 65_000
"""Maximum bytes of a body; the service accepts 64 KiB."""
MOST_ITEMS = 1_000
MOST_CHARACTERS = 4_000
MOST_QUERY = 3_800
MOST_HEADER = 8_000
LISTED = ("Accept", "Accept-Encoding", "Accept-Language", "If-None-Match", "X-Forwarded-For")
"""Headers that are lists."""
SPARED = ("leave",)
"""Operations that are not called, because nothing can be requested after them."""
_WORDS = ("a", "en", "gzip", "1", "{}", '"x"', "spectator", "\N{LATIN SMALL LETTER E WITH ACUTE}")


class Asked(NamedTuple):
    """A request: the path, the headers and the body."""

    method: str
    path: str
    places: Mapping[str, str]
    query: tuple[tuple[str, str], ...]
    headers: tuple[tuple[str, str], ...]
    body: Any = None

    def raw(self, key: str) -> bytes:
        """Return the bytes of the request; none if the service would not read so many."""
        target = re.sub(r"\{(\w+)\}", lambda found: quote(self.places[found[1]]), self.path)
        if self.query:
            target += "?" + "&".join(f"{quote(name)}={quote(value)}" for name, value in self.query)
        body = b"" if self.body is None else orjson.dumps(self.body)
        if len(target) > MOST_QUERY + 200 or len(body) > MOST_BYTES:
            return b""
        lines = [f"{self.method} {target} HTTP/1.1", "Host: x", f"Authorization: Bearer {key}"]
        lines += [f"{name}: {value}" for name, value in self.headers]
        if self.body is not None:
            lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
        return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


class Operation:
    """An operation of the description, with its possible requests."""

    def __init__(self, method: str, path: str, told: Json) -> None:
        self.name: str = told["operationId"]
        self._method, self._path = method.upper(), path
        shared = MADE["components"]["parameters"]
        taken = [
            shared[one["$ref"].rpartition("/")[2]] if "$ref" in one else one
            for one in (*MADE["paths"][path].get("parameters", ()), *told.get("parameters", ()))
        ]
        self._places = [one["name"] for one in taken if one["in"] == "path"]
        self._parameters = {one["name"]: one for one in taken if one["in"] == "query"}
        sent = told.get("requestBody")
        self._schema: Json | None = sent and sent["content"]["application/json"]["schema"]

    def seeds(self, known: Mapping[str, Sequence[str]]) -> Iterator[Asked]:
        """Yield its largest valid requests, then large invalid ones."""
        query = tuple(
            (name, value)
            for name, one in self._parameters.items()
            if name not in {"cursor", "ticket", "after", "at", "last"}
            for value in _largest_in_query(one)
        )
        body = None if self._schema is None else _largest(self._schema)
        small: Json = {} if self._schema is None else _example(self._schema)
        asked = Asked(self._method, self._path, {}, (), (), body)
        for nth in range(max([1, *(len(known[place]) for place in self._places)])):
            places = {place: known[place][nth % len(known[place])] for place in self._places}
            asked = asked._replace(places=places)
            yield asked
            if isinstance(body, dict):
                yield asked._replace(body=small)
                for name, value in body.items():
                    yield asked._replace(body={**small, name: value})
            yield asked._replace(query=query)
            for one in query:
                yield asked._replace(query=(one,))
        yield asked._replace(query=tuple((f"x{n}", "") for n in range(500)))
        for name in self._parameters:
            yield asked._replace(query=tuple((name, "x") for _ in range(MOST_QUERY // 12)))
            yield asked._replace(query=((name, "x," * (MOST_QUERY // 6)),))
        for name in LISTED:
            yield asked._replace(headers=((name, ",".join("a" * (MOST_HEADER // 2))),))
        if body is not None:
            for broken in _broken(body):
                yield asked._replace(body=broken)

    def changed(
        self, asked: Asked, rng: random.Random, known: Mapping[str, Sequence[str]]
    ) -> Asked:
        """Return a request with one change."""
        kind = rng.randrange(8 if self._schema is not None else 4)
        if kind == 0 and self._places:
            place = rng.choice(self._places)
            return asked._replace(places={**asked.places, place: rng.choice(known[place])})
        if kind == 1:
            many = rng.choice((1, 20, MOST_HEADER // 4))
            words = ",".join(rng.choice(_WORDS[:-1]) + str(n % 7) for n in range(many))
            header = rng.choice(LISTED), words[:MOST_HEADER]
            return asked._replace(headers=(*asked.headers[-60:], header))
        if kind <= 3:
            return asked._replace(query=self._changed_query(asked.query, rng))
        return asked._replace(body=_changed(deepcopy(asked.body), rng))

    def _changed_query(
        self, query: tuple[tuple[str, str], ...], rng: random.Random
    ) -> tuple[tuple[str, str], ...]:
        if query and rng.randrange(3) == 0:
            place = rng.randrange(len(query))
            return query[:place] + query[place + 1 :]
        name = rng.choice([*self._parameters, "x"])
        if name in self._parameters and rng.randrange(2):
            values = [*_largest_in_query(self._parameters[name]), "0", "1", "7", "500"]
            return (*(one for one in query if one[0] != name), (name, rng.choice(values)))
        many = rng.choice((1, 10, 300))
        word = rng.choice(_WORDS)
        return (*query, *((f"{name}{n if rng.randrange(2) else ''}", word) for n in range(many)))


def operations() -> list[Operation]:
    """Return all operations of the description but those in SPARED."""
    return [
        Operation(method, path, told)
        for path, item in MADE["paths"].items()
        for method, told in item.items()
        if method != "parameters" and told["operationId"] not in SPARED
    ]


def _largest_in_query(parameter: Json) -> list[str]:
    schema = parameter["schema"]
    if schema.get("type") == "array":
        return [str(one) for one in schema["items"].get("enum", ["x"])]
    if "enum" in schema:
        return [str(one) for one in schema["enum"]]
    if schema.get("type") == "boolean":
        return ["true"]
    if "maximum" in schema:
        return [str(schema["maximum"])]
    return [str(schema.get("example", "x"))]


def _example(schema: Json) -> Json:
    if "$ref" in schema:
        schema = SCHEMAS[schema["$ref"].rpartition("/")[2]]
    found: Json = (schema.get("examples") or [{}])[0]
    return found


def _largest(schema: Json) -> Any:
    """Return a largest valid value of a schema."""
    if "$ref" in schema:
        schema = SCHEMAS[schema["$ref"].rpartition("/")[2]]
    example = schema.get("example", (schema.get("examples") or [None])[0])
    for some in ("oneOf", "anyOf"):
        if some in schema and example is None:
            return _largest(schema[some][0])
    if isinstance(example, dict) and "properties" in schema:
        extended = {
            name: _largest(one)
            for name, one in schema["properties"].items()
            if name in example or _is_list(one)
        }
        return {**example, **{name: one for name, one in extended.items() if one is not None}}
    if _is_list(schema):
        items = example or [_largest(schema["items"])]
        many = schema.get("maxItems", len(items))
        return [items[n % len(items)] for n in range(many)]
    if isinstance(example, str) and "maxLength" in schema and "pattern" not in schema:
        return (
            example if "enum" in schema else (example * schema["maxLength"])[: schema["maxLength"]]
        )
    if example is None and "properties" in schema:
        return {name: _largest(one) for name, one in schema["properties"].items()}
    return example


def _is_list(schema: Json) -> bool:
    return schema.get("type") == "array" or "array" in (schema.get("type") or ())


def _broken(body: Any) -> Iterator[Any]:
    """Yield large invalid bodies."""
    items: tuple[Any, ...] = (
        {},
        {f"x{n}": n for n in range(9)},
        0,
        [],
        "x",
        {"bot": 1, "name": 2, "x": 3},
    )
    for item in items:
        filled = [item] * min(MOST_ITEMS, MOST_BYTES // (2 + len(orjson.dumps(item))) - 1)
        yield filled
        if isinstance(body, dict):
            for name, value in body.items():
                if isinstance(value, list | dict):
                    yield {**body, name: filled[: len(filled) * 9 // 10]}
    unknown = {f"x{n}": None for n in range(MOST_ITEMS - 20)}
    yield unknown
    if isinstance(body, dict):
        yield {**body, **unknown}
        for name, value in body.items():
            if isinstance(value, dict):
                yield {**body, name: {**value, **unknown}}
            if isinstance(value, str):
                yield {**body, name: "\N{COMBINING ACUTE ACCENT}" * (MOST_CHARACTERS // 2)}
    yield [[0] * MOST_ITEMS] * (MOST_BYTES // (2 * MOST_ITEMS + 3))


def _changed(value: Any, rng: random.Random) -> Any:
    """Return a value in which one part is larger, smaller or different."""
    if isinstance(value, dict) and value and rng.randrange(4):
        name = rng.choice([*value])
        if rng.randrange(6) == 0:
            del value[name]
        else:
            value[name] = _changed(value[name], rng)
        return value
    if isinstance(value, list) and value and rng.randrange(3):
        if rng.randrange(2):
            return (value * rng.choice((2, 5, 50)))[:MOST_ITEMS]
        place = rng.randrange(len(value))
        value[place] = _changed(value[place], rng)
        return value
    kind = rng.randrange(8)
    if kind == 0:
        return {f"x{n}": rng.randrange(9) for n in range(rng.choice((3, 100, 900)))}
    if kind == 1:
        return [rng.choice((0, "x", {}, None, [[]]))] * rng.choice((3, 64, 900))
    if kind == 2:
        return rng.choice(_WORDS) * rng.choice((1, 60, 3_000))
    if kind == 3:
        return [{f"x{n}": [n] for n in range(rng.choice((2, 20)))}] * rng.choice((10, 300))
    if kind == 4:
        return 10 ** rng.randrange(18)
    if kind == 5:
        return [value] * rng.choice((2, 64, 900))
    return rng.choice((None, True, -1, 0.5, "", {}))
