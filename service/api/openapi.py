"""Generates openapi.yaml from the code, and checks the committed file against it."""

import difflib
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache, cached_property
from pathlib import Path
from typing import Any, cast

import flask_smorest
import orjson
import yaml
from flask import Flask, Response
from werkzeug.exceptions import HTTPException
from werkzeug.routing import IntegerConverter

import rules.registry
from rules.kernel.canonical import JsonObject
from rules.kernel.contract.registry import Registry
from service.api import asyncapi
from service.api.http.errors import http_problem
from service.api.http.headers import HEADERS, finish_operation
from service.api.http.operations import ANYWHERE
from service.api.http.responses import StaticDocument
from service.api.resources import (
    admin,
    analyses,
    bots,
    documents,
    events,
    games,
    hints,
    meta,
    play,
    players,
    push,
    ratings,
    records,
    rulesets,
    seats,
    seeks,
    streams,
    tables,
    tournaments,
    webhooks,
)
from service.api.schemas.base import COMPONENT, EDITION, RULESET, AnswerSchema, RequestSchema
from service.api.schemas.form import SCHEMAS, portable
from service.api.schemas.moves import add_moves
from service.api.schemas.problems import ProblemSchema
from service.api.schemas.shown import add_shown
from service.api.schemas.streams import (
    NOTICES,
    STREAMED,
    WEBHOOKS,
    add_unions,
    component_of,
)
from service.problems import PROBLEMS
from service.version import VERSION

RESOURCES = (
    players,
    bots,
    rulesets,
    documents,
    games,
    seats,
    tables,
    seeks,
    play,
    events,
    records,
    streams,
    analyses,
    hints,
    webhooks,
    push,
    tournaments,
    ratings,
    admin,
    meta,
)
FILE = "openapi.yaml"
WIDTH = 200
"""Line width in the file."""
_USUAL = frozenset((*ANYWHERE, "banned"))
_METHODS = frozenset(("get", "post", "put", "patch", "delete"))

_GUIDES = {
    "players": "api#keys",
    "bots": "engines#a-bot-account",
    "rulesets": "api/board",
    "documents": "api/board#documents-of-a-ruleset",
    "games": "api/host",
    "seats": "api/host",
    "tables": "api/host",
    "seeks": "api/host#seeks",
    "play": "api/play",
    "events": "format#events",
    "records": "api/verify",
    "streams": "api/follow",
    "analyses": "bots#analysis",
    "hints": "api/play#a-hint",
    "webhooks": "api/webhooks",
    "notifications": "api/webhooks#notifications-in-a-browser",
    "tournaments": "tournaments",
    "ratings": "api/host#ratings",
    "admin": "operations#administration",
    "service": "operations#health-metrics-logs",
}
"""The guide that explains the operations of each tag."""

_INFO = {
    "summary": "Event-sourced games of trade.",
    "description": (
        "Open a table, sit down, see what you may do, move. Every move is an immutable event; what"
        " you see of a game is what your seat may see.\n\nErrors are `application/problem+json`"
        " (RFC 9457) with a stable `code`. Times are RFC 3339 in UTC. Lists use opaque cursors."
        " Reads have an `ETag`, and come as `br` or `gzip` by `Accept-Encoding`; streams as `gzip`."
        " Every answer has an `X-Request-Id`, and below `/v1` `RateLimit`, `RateLimit-Policy`"
        " and `Server-Timing`, which tells how often a dear request counts."
        " Anybody may read a game as a spectator; a key makes you a player."
    ),
    "license": {"name": "MIT", "identifier": "MIT"},
    "contact": {"name": "The Lonja authors"},
}
_SECURITY_SCHEMES = {
    "key": {
        "type": "http",
        "scheme": "bearer",
        "description": "A player's key, from `POST /v1/players`. Its scope is `read`, `play`,"
        " `host` or `full`, each with those before it; or `seat`: one seat of one game; or `bot`:"
        " to play as a bot account.",
    },
    "admin_key": {
        "type": "http",
        "scheme": "bearer",
        "description": "An admin's key, which `lonja admin key make` makes on the host.",
    },
    "ticket": {
        "type": "apiKey",
        "in": "query",
        "name": "ticket",
        "description": "A ticket for one stream, from `POST /v1/stream_tickets`.",
    },
}


class _Digits(IntegerConverter):
    """A whole number in a path, in ASCII digits only."""

    regex = r"[0-9]{1,20}"


class DescribedApi(flask_smorest.Api):  # type: ignore[misc]  # has no types
    """flask-smorest with problem documents for errors and a description that is built on demand."""

    ERROR_SCHEMA = ProblemSchema
    DEFAULT_ERROR_RESPONSE_NAME = None

    def __init__(self, app: Flask) -> None:
        self.undescribed: list[Callable[[], None]] = []
        """Functions that describe the operations of the registered resources."""
        super().__init__(
            app,
            spec_kwargs={"info": _INFO, "servers": [{"url": "/", "description": "This service."}]},
        )

    def _register_responses(self) -> None:
        """Postpone this slow step of flask-smorest until the OpenAPI document is needed."""
        self.undescribed.append(super()._register_responses)

    def described(self) -> JsonObject:
        """Return apispec's document of all operations. Call it once."""
        for describe in self.undescribed:
            describe()
        for messages in (STREAMED, NOTICES, WEBHOOKS):
            for schema in messages.values():
                self.spec.components.schema(component_of(schema), schema=schema)
        return cast(JsonObject, orjson.loads(orjson.dumps(self.spec.to_dict())))

    def handle_http_exception(self, error: HTTPException) -> Response:
        """Answer an error of the HTTP machinery as a problem."""
        return http_problem(error)


def register(app: Flask, registry: Registry) -> None:
    """Add all resources and the OpenAPI document to ``app``."""
    app.url_map.converters["int"] = _Digits
    app.config["API_TITLE"] = "Lonja"
    app.config["API_VERSION"] = VERSION
    app.config["OPENAPI_VERSION"] = "3.1.0"
    api = DescribedApi(app)
    for name, scheme in _SECURITY_SCHEMES.items():
        api.spec.components.security_scheme(name, scheme)
    for resource in RESOURCES:
        api.register_blueprint(resource.blueprint)
    app.extensions["lonja_document"] = ApiDocument(api, registry)


class ApiDocument:
    """The OpenAPI document of one application; each form is made at the first request for it."""

    def __init__(self, api: DescribedApi, registry: Registry) -> None:
        self._api = api
        self._registry = registry

    @cached_property
    def _whole(self) -> tuple[JsonObject, JsonObject]:
        """The OpenAPI document, and the AsyncAPI document."""
        made = _finish(self._api.described(), self._registry)
        schemas = made["components"]["schemas"]
        sent = _reached(map(component_of, WEBHOOKS.values()), schemas)
        kept = _reached((name for name in schemas if name not in sent), schemas)
        own = {name: schemas[name] for name in schemas if name in sent}
        for name in own.keys() - kept:
            del schemas[name]
        return made, asyncapi.document(own)

    @property
    def value(self) -> JsonObject:
        """The OpenAPI document."""
        return self._whole[0]

    @property
    def messages(self) -> JsonObject:
        """The AsyncAPI document, which describes streams and webhooks."""
        return self._whole[1]

    @cached_property
    def messages_yaml(self) -> StaticDocument:
        """The AsyncAPI document as YAML."""
        return StaticDocument(to_yaml(self.messages).encode(), "application/yaml")

    @cached_property
    def json(self) -> StaticDocument:
        """The OpenAPI document as JSON."""
        return StaticDocument(orjson.dumps(self.value), "application/json")

    @cached_property
    def yaml(self) -> StaticDocument:
        """The OpenAPI document as YAML."""
        return StaticDocument(to_yaml(self.value).encode(), "application/yaml")


def _name_of(schema: type) -> str:
    """Return the name that a schema has in the OpenAPI document."""
    return schema.__name__.removesuffix("Schema")


def _finish(spec: JsonObject, registry: Registry) -> JsonObject:
    schemas = spec["components"]["schemas"]
    for schema in (*_subclasses(AnswerSchema), *_subclasses(RequestSchema)):
        if (described := schemas.get(_name_of(schema))) is not None:
            described["description"] = _first_paragraph(schema.__doc__)
            described["examples"] = [schema.example]
            described.update(getattr(schema, "rules", {}))
            _say_examples_once(described)
    for schema in reversed(_subclasses(AnswerSchema)):  # children first
        whole, base = _name_of(schema), _name_of(schema.__base__)
        if {whole, base} <= schemas.keys():
            _say_what_it_adds(schemas, whole, base)
    schemas.pop("PaginationMetadata", None)
    add_moves(schemas, registry)
    add_shown(schemas, registry)
    add_unions(schemas)
    spec["components"]["schemas"] = portable(schemas)
    for path, item in spec["paths"].items():
        for method, operation in item.items():
            if method in _METHODS:
                finish_operation(path, operation)
    for tag in spec["tags"]:
        if guide := _GUIDES.get(tag["name"]):
            tag["externalDocs"] = {"description": "The guide.", "url": f"/docs/{guide}"}
    answered = {
        name for response in _responses(spec["paths"]) for name in response.get("headers", ())
    }
    spec["components"]["headers"] = {name: HEADERS[name] for name in HEADERS if name in answered}
    spec["components"]["responses"] = _share_responses(spec["paths"])
    spec["components"]["parameters"] = _share_parameters(spec["paths"])
    first = next(iter(registry))
    return cast(JsonObject, _named(spec, {RULESET: first.info.id, EDITION: first.data.id}))


def _reached(names: Iterable[str], schemas: JsonObject) -> set[str]:
    """Return ``names`` of components, and the names of all components that these refer to."""
    found: set[str] = set()
    left = [*names]
    while left:
        name = left.pop()
        if name not in found:
            found.add(name)
            text = orjson.dumps(schemas[name]).decode()
            left += re.findall(rf'"{SCHEMAS}(\w+)"', text)
    return found


def _say_examples_once(schema: JsonObject) -> None:
    """Remove a property's example if the example of the whole schema has that property."""
    (whole,) = schema["examples"]
    for name in schema["properties"].keys() & whole.keys():
        schema["properties"][name].pop("example", None)


def _say_what_it_adds(schemas: JsonObject, name: str, base: str) -> None:
    """Make a schema refer to ``base``, and keep only the members that ``base`` does not have."""
    whole, known = schemas[name], schemas[base]
    own = {
        key: value
        for key, value in whole.pop("properties").items()
        if value != known["properties"].get(key)
    }
    required = [key for key in whole.pop("required") if key not in known["required"]]
    added = {"type": whole.pop("type"), "properties": own, "required": required}
    del whole["additionalProperties"]  # the base schema has this member
    whole["allOf"] = [{"$ref": f"{SCHEMAS}{base}"}, added]


def _responses(paths: JsonObject) -> Iterator[JsonObject]:
    for item in paths.values():
        for method in _METHODS & item.keys():
            yield from item[method]["responses"].values()


def _share_responses(paths: JsonObject) -> JsonObject:
    """Return the error responses of all operations as components; ``paths`` now refer to them.

    Responses of success stay in place, because not all generators follow a reference to them.
    """
    places: dict[bytes, list[tuple[JsonObject, str]]] = {}
    for item in paths.values():
        for method, operation in item.items():
            if method not in _METHODS:
                continue
            responses = operation["responses"] = dict(sorted(operation["responses"].items()))
            for status, response in responses.items():
                if status[0] == "2":
                    continue
                said = orjson.dumps([status, response], option=orjson.OPT_SORT_KEYS)
                places.setdefault(said, []).append((responses, status))
    errors = [*places.values()]
    full = [_words(status, responses[status]) for (responses, status), *_ in errors]
    shared: JsonObject = {}
    for words, found in zip(full, errors, strict=True):
        name = ".".join(_told_apart(words, full))
        if name in shared:
            raise ValueError(f"two responses are called {name}")
        responses, status = found[0]
        shared[name] = responses[status]
        for responses, status in found:
            responses[status] = {"$ref": f"#/components/responses/{name}"}
    return dict(sorted(shared.items()))


def _words(status: str, response: JsonObject) -> list[str]:
    """Return the parts of a response's name: its status, and then the codes of its problems.

    An example is ``["404", "unknown_game"]``. Codes of problems that most operations may answer are
    left out. A response that has only such problems is named by its status alone: ``["429"]``. If
    a response has no list of problems, the words of its description take their place.
    """
    said = "_".join(re.findall(r"\w+", response["description"].lower()))
    words = [word for word in response.get(PROBLEMS, [said]) if word not in _USUAL]
    if status == "429" and "RateLimit" not in response["headers"]:
        words.append("uncounted")
    if "Deprecation" in response.get("headers", ()):
        words.append("deprecated")
    return [status, *words]


def _told_apart(words: list[str], all_words: list[list[str]]) -> list[str]:
    """Return the shortest beginning of ``words`` that no other list in ``all_words`` has.

    If every beginning is also in another list, return all ``words``.
    """
    for length in range(1, len(words)):
        if sum(words[:length] == others[:length] for others in all_words) == 1:
            return words[:length]
    return words


def _share_parameters(paths: JsonObject) -> JsonObject:
    """Make a component of each parameter that occurs more than once, and return the components.

    In ``paths``, references to the components replace these parameters. If two parameters have the
    same name, their COMPONENT keys distinguish them.
    """
    names: dict[bytes, str] = {}
    places: dict[bytes, list[tuple[list[JsonObject], int]]] = {}
    for item in paths.values():
        for taken in (item, *(item[method] for method in item if method in _METHODS)):
            parameters = taken.get("parameters", [])
            for at, parameter in enumerate(parameters):
                name = parameter.pop(COMPONENT, None) or parameter["schema"].pop(COMPONENT, None)
                said = orjson.dumps(parameter, option=orjson.OPT_SORT_KEYS)
                names.setdefault(said, name or parameter["name"])
                places.setdefault(said, []).append((parameters, at))
    shared: JsonObject = {}
    for said, found in places.items():
        parameters, at = found[0]
        if len(found) > 1:
            name = names[said]
            if name in shared:
                raise ValueError(f"two parameters are called {name}")
            shared[name] = parameters[at]
            for parameters, at in found:
                parameters[at] = {"$ref": f"#/components/parameters/{name}"}
    return dict(sorted(shared.items()))


def _named(part: Any, names: JsonObject) -> Any:
    """Return a part of the OpenAPI document, with the placeholders in its texts replaced.

    ``names`` is a dict from each placeholder to the name that replaces it.
    """
    if isinstance(part, dict):
        return {name: _named(value, names) for name, value in part.items()}
    if isinstance(part, list):
        return [_named(item, names) for item in part]
    if isinstance(part, str):
        for placeholder, name in names.items():
            part = part.replace(placeholder, name)
    return part


def _subclasses(base: type[Any]) -> list[type[Any]]:
    found = []
    for below in base.__subclasses__():
        found += [below, *_subclasses(below)]
    return found


def _first_paragraph(doc: str | None) -> str:
    return " ".join((doc or "").split("\n\n")[0].split())


# Functions for the command line and the pages


def build(registry: Registry | None = None) -> JsonObject:
    """Return the OpenAPI document for the rulesets of ``registry``, by default the project's."""
    return _documented(registry).value


@cache
def _documented(registry: Registry | None = None) -> ApiDocument:
    app = Flask("service", static_folder=None)
    app.url_map.strict_slashes = False
    register(app, registry or Registry(rules.registry.PACKAGES))
    return of(app)


def of(app: Flask) -> ApiDocument:
    """Return the OpenAPI document of an application."""
    return cast(ApiDocument, app.extensions["lonja_document"])


def to_yaml(document: JsonObject) -> str:
    """Write a document in its committed form."""
    return yaml.dump(
        document,
        Dumper=_Dumper,
        default_flow_style=False,
        sort_keys=False,
        width=WIDTH,
        allow_unicode=True,
    )


def files(path: Path) -> dict[Path, str]:
    """Return a dict from the path of each document to its content.

    The OpenAPI document has the path ``path``. The AsyncAPI document is in the same folder.
    """
    made = _documented()
    return {
        path: to_yaml(made.value),
        path.with_name(asyncapi.FILE): to_yaml(made.messages),
    }


def write(path: Path) -> None:
    """Write the project's OpenAPI document to ``path``, and the AsyncAPI document beside it."""
    for file, made in files(path).items():
        file.write_text(made, encoding="utf-8")


def check(path: Path) -> list[str]:
    """Return the differences between the files on disk and the documents made from the code.

    The files are those that ``write`` would write to ``path``.
    """
    return [line for file, made in files(path).items() for line in _differences(file, made)]


def _differences(path: Path, made: str) -> Iterator[str]:
    committed = path.read_text(encoding="utf-8") if path.exists() else ""
    return difflib.unified_diff(
        committed.splitlines(), made.splitlines(), str(path), "the code", lineterm="", n=2
    )


class Blocks:
    """A YAML dumper without aliases, in block style, with lists of words on one line."""

    def ignore_aliases(self, data: Any) -> bool:
        """Return True: a node is written out wherever it occurs."""
        return True

    def represent_sequence(self, tag: str, sequence: Any, flow_style: Any = None) -> Any:
        """Represent a list."""
        represent: Any = super()
        words = all(isinstance(item, str | int) for item in sequence)
        return represent.represent_sequence(tag, sequence, flow_style=words or flow_style)


class _Dumper(Blocks, yaml.CSafeDumper if yaml.__with_libyaml__ else yaml.SafeDumper):  # type: ignore[misc]
    pass
