"""The content of the reference's pages, read from an OpenAPI document."""

from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple

from rules.kernel.canonical import JsonObject
from service.guides.reference.fields import (
    FieldRow,
    TypeWord,
    fields_of,
    referred,
    schema_name,
    type_words,
    values_of,
)
from service.guides.reference.requests import Request, Sample, samples
from service.problems import PROBLEMS

FRONT = "reference"
"""The slug of the list of all operations."""
METHODS = ("get", "post", "put", "patch", "delete")
_SCHEMES = {"key": "a player's key", "admin_key": "an admin's key", "ticket": "a ticket"}


class Parameter(NamedTuple):
    """A parameter of a request; ``place`` is ``path``, ``query`` or ``header``."""

    place: str
    field: FieldRow
    example: Any


class Body(NamedTuple):
    """The body of a request or an answer, in one of its media types."""

    media_type: str
    words: tuple[TypeWord, ...]
    fields: tuple[FieldRow, ...]
    example: Any


class OperationAnswer(NamedTuple):
    """An answer of success; ``bodies`` has its body in each media type, if it has one."""

    status: str
    description: str
    bodies: tuple[Body, ...]
    headers: tuple[tuple[str, str], ...]


class DocumentedOperation(NamedTuple):
    """An operation; ``problems`` has the status and the code of each error, ordered by status."""

    name: str
    tag: str
    method: str
    path: str
    summary: str
    description: str
    is_deprecated: bool
    access: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    body: Body | None
    is_body_required: bool
    answers: tuple[OperationAnswer, ...]
    problems: tuple[tuple[int, str], ...]
    samples: tuple[Sample, ...]

    @property
    def slug(self) -> str:
        """The slug of its page."""
        return f"{FRONT}/{self.tag}/{self.name}"

    @property
    def answered(self) -> Body | None:
        """The body that the example shows: the body of the first answer that has one."""
        return next((body for answer in self.answers for body in answer.bodies), None)


class Tag(NamedTuple):
    """Operations that belong together; ``guide`` is the slug, with an anchor, of their guide."""

    name: str
    description: str
    guide: str
    operations: tuple[DocumentedOperation, ...]

    @property
    def slug(self) -> str:
        """The slug of its page."""
        return f"{FRONT}/{self.name}"


class ObjectType(NamedTuple):
    """A named schema: its fields, or its alternative types, and what refers to it."""

    name: str
    description: str
    words: tuple[TypeWord, ...]
    values: tuple[str, ...]
    fields: tuple[FieldRow, ...]
    example: Any
    schema: JsonObject
    operations: tuple[DocumentedOperation, ...]
    parents: tuple[str, ...]

    @property
    def slug(self) -> str:
        """The slug of its page."""
        return object_slug(self.name)


def object_slug(name: str) -> str:
    """Return the slug of the page of a named schema."""
    return f"{FRONT}/schemas/{name}"


class ApiReference:
    """The content of all pages of the reference, from an OpenAPI document."""

    def __init__(self, document: JsonObject) -> None:
        self._document = document
        self._components = document["components"]
        self.schemas: JsonObject = self._components["schemas"]
        self.description: str = document["info"]["description"]
        self.access: dict[str, str] = {
            name: scheme["description"]
            for name, scheme in self._components["securitySchemes"].items()
        }
        """By kind of credential, a text that says how to get it."""

    @cached_property
    def operations(self) -> dict[str, DocumentedOperation]:
        """All operations, by the slugs of their pages."""
        made = [
            self._operation(method.upper(), path, item[method], item.get("parameters", []))
            for path, item in self._document["paths"].items()
            for method in METHODS
            if method in item
        ]
        return {operation.slug: operation for operation in made}

    @cached_property
    def tags(self) -> dict[str, Tag]:
        """All tags, by the slugs of their pages."""
        made = [
            Tag(
                tag["name"],
                tag["description"],
                tag.get("externalDocs", {}).get("url", "").removeprefix("/docs/"),
                tuple(each for each in self.operations.values() if each.tag == tag["name"]),
            )
            for tag in self._document["tags"]
        ]
        return {tag.slug: tag for tag in made}

    @cached_property
    def object_slugs(self) -> dict[str, str]:
        """The names of the schemas by the slugs of their pages."""
        return {object_slug(name): name for name in self.schemas}

    def object_type(self, name: str) -> ObjectType:
        """Return what the page of a named schema shows. Raises KeyError."""
        schema = self.schemas[name]
        examples = schema.get("examples", [])
        users = self._users.get(name, ([], []))
        return ObjectType(
            name,
            schema.get("description", ""),
            () if "properties" in schema or "allOf" in schema else type_words(schema),
            values_of(schema),
            fields_of(schema, self.schemas),
            examples[0] if examples else None,
            schema,
            tuple(users[0]),
            tuple(users[1]),
        )

    def answering(self, code: str) -> tuple[DocumentedOperation, ...]:
        """Return the operations that may answer with the problem ``code``."""
        return tuple(
            each for each in self.operations.values() if code in (told for _, told in each.problems)
        )

    def is_anywhere(self, code: str) -> bool:
        """Return whether every operation below ``/v1`` may answer with the problem ``code``."""
        below = {each.slug for each in self.operations.values() if each.path.startswith("/v1/")}
        return below <= {each.slug for each in self.answering(code)}

    @cached_property
    def by_request(self) -> dict[tuple[str, str], DocumentedOperation]:
        """All operations, by method and path."""
        return {(each.method, each.path): each for each in self.operations.values()}

    @cached_property
    def _users(self) -> dict[str, tuple[list[DocumentedOperation], list[str]]]:
        """For each named schema, the operations and the schemas that refer to it."""
        found: dict[str, tuple[list[DocumentedOperation], list[str]]] = {
            name: ([], []) for name in self.schemas
        }
        for operation in self.operations.values():
            told = self._document["paths"][operation.path][operation.method.lower()]
            answers = {s: a for s, a in told["responses"].items() if s < "400"}
            for name in referred([told.get("requestBody"), answers]):
                found[name][0].append(operation)
        for parent, schema in self.schemas.items():
            for name in referred(schema):
                found[name][1].append(parent)
        return found

    def _operation(
        self, method: str, path: str, told: JsonObject, shared: list[JsonObject]
    ) -> DocumentedOperation:
        parameters = tuple(
            self._parameter(self._whole(each)) for each in (*shared, *told.get("parameters", []))
        )
        responses = {status: self._whole(each) for status, each in told["responses"].items()}
        answers = tuple(
            self._answer(status, response)
            for status, response in responses.items()
            if status < "400"
        )
        sent = told.get("requestBody")
        body = None if sent is None else next(self._bodies(sent))
        media_type = next((body.media_type for each in answers for body in each.bodies), "")
        keys = {name for each in told["security"] for name in each}
        request = Request(
            method,
            path,
            {each.field.name: each.example for each in parameters if each.place == "path"},
            {
                each.field.name: each.example
                for each in parameters
                if each.place == "query" and each.field.is_required
            },
            None if body is None else body.example,
            media_type,
            "" if {} in told["security"] else next((k for k in _SCHEMES if k in keys), ""),
            is_repeatable=any(each.field.name == "Idempotency-Key" for each in parameters),
        )
        return DocumentedOperation(
            told["operationId"],
            told["tags"][0],
            method,
            path,
            told["summary"].removesuffix("."),
            told["description"],
            told.get("deprecated", False),
            tuple(_accesses(told["security"])),
            parameters,
            body,
            bool(sent and sent.get("required")),
            answers,
            tuple(
                (int(status), code)
                for status, response in responses.items()
                for code in response.get(PROBLEMS, ())
            ),
            samples(request),
        )

    def _parameter(self, told: JsonObject) -> Parameter:
        schema = {**told["schema"], "description": told.get("description", "")}
        is_required = told.get("required", False)
        (field,) = fields_of(
            {
                "properties": {told["name"]: schema},
                "required": [told["name"]] if is_required else [],
            },
            self.schemas,
        )
        return Parameter(told["in"], field, told.get("example", schema.get("example")))

    def _answer(self, status: str, told: JsonObject) -> OperationAnswer:
        headers = tuple(
            (name, self._whole(header)["description"])
            for name, header in told.get("headers", {}).items()
        )
        return OperationAnswer(status, told["description"], tuple(self._bodies(told)), headers)

    def _bodies(self, told: JsonObject) -> Iterator[Body]:
        for media_type, form in told.get("content", {}).items():
            schema = form["schema"]
            whole = self.schemas[schema_name(schema)] if "$ref" in schema else schema
            examples = whole.get("examples", [])
            yield Body(
                media_type,
                type_words(schema),
                fields_of(whole, self.schemas),
                examples[0] if examples else None,
            )

    def _whole(self, part: JsonObject) -> JsonObject:
        """Return a part of the document, or the component that the part refers to."""
        if "$ref" not in part:
            return part
        kind, name = part["$ref"].removeprefix("#/components/").split("/", 1)
        found: JsonObject = self._components[kind][name]
        return found


def _accesses(security: list[dict[str, list[str]]]) -> Iterator[str]:
    """Yield, in words, the keys with which a request may be sent; "no key" comes first."""
    if {} in security or not security:
        yield "no key"
    for each in security:
        for scheme, scopes in each.items():
            if "seat" in scopes:
                yield "a key for one seat"
            elif "bot" in scopes:
                yield "the key of a bot account"
            elif scopes:
                yield f"{_SCHEMES[scheme]} with the scope `{'`, `'.join(scopes)}` or a wider one"
            else:
                yield _SCHEMES[scheme]
