"""Declaration of operations: route, access, and all possible answers."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, TypeVar

import flask_smorest
from flask import Flask, Response, g
from marshmallow.fields import List

from rules.kernel.canonical import JsonObject
from service.api.http.access import UNDECLARED, Access
from service.api.http.context import Caller
from service.api.http.deprecation import deprecated_fields, warn
from service.api.http.guards import Guard, need_bound, parameters, refuse_unguarded
from service.api.http.headers import ACCEPT_LANGUAGE, HEADERS_KNOWN
from service.api.http.requests import PARSER, check_query, refuse_body
from service.api.schemas.base import AnswerSchema, Deprecation, RequestSchema
from service.api.schemas.queries import LanguageQuerySchema
from service.problems import CODES, MEDIA_TYPE, PROBLEMS, RETRY_AFTER

_APIDOC = "_apidoc"
"""The attribute of a view in which flask-smorest keeps its documentation."""

View = TypeVar("View", bound=Callable[..., Any])

_ALWAYS = (
    "bad_request",
    "uri_too_long",
    "headers_too_large",
    "too_many_connections",
    "store_unavailable",
    "internal_error",
)
ANYWHERE = ("unknown_key", "key_expired", "invalid_query", "rate_limited", *_ALWAYS)
"""Problems of all operations under ``/v1``: a key must be valid even where none is needed."""
_SENT = ("too_large", "unsupported_encoding")
"""Problems of any request with a body, even if the operation takes none."""
_NO_BODY = ("invalid_body",)
"""Further problems of a body that is sent to an operation which takes none."""
_BODY = ("not_json", "too_deep", "too_long", "unsupported_media_type", "invalid_body")


def path_parameter(name: str, description: str, example: object, schema: JsonObject) -> JsonObject:
    """Return the documentation of a path parameter."""
    return {
        "in": "path",
        "name": name,
        "description": description,
        "schema": schema,
        "example": example,
    }


_ID = {"type": "string", "maxLength": 24}
GAME_ID = path_parameter("game_id", "The id of a game.", "g07-mfrggzdfmztwq2lknnwg", _ID)
SEAT = path_parameter(
    "seat", "A position in the game, 0-based, clockwise.", 0, {"type": "integer", "minimum": 0}
)
TOURNAMENT_ID = path_parameter(
    "tournament_id", "The id of a tournament.", "t07-mfrggzdfmztwq2lknnwg", _ID
)
KEY_ID = path_parameter(
    "key_id", "The id of one of your keys.", "y-mfrggzdfmztwq2lk", {"type": "string"}
)
PLAYER_ID = path_parameter(
    "player_id", "The id of a player.", "p-mfrggzdfmztwq2lk", {"type": "string"}
)
BOT_ID = path_parameter(
    "bot_id", "The id of one of your bots.", "p-mfrggzdfmztwq2lk", {"type": "string"}
)
_PATH_PARAMETERS = {
    documented["name"]: documented
    for documented in (GAME_ID, SEAT, TOURNAMENT_ID, PLAYER_ID, KEY_ID, BOT_ID)
}


class Blueprint(flask_smorest.Blueprint):  # type: ignore[misc]  # has no types
    """The operations of one resource."""

    def register_views_in_doc(self, api: Any, *args: Any, **kwargs: Any) -> None:
        """Postpone this slow step of flask-smorest until the OpenAPI document is needed."""
        api.undescribed.append(partial(super().register_views_in_doc, api, *args, **kwargs))

    def arguments(
        self, schema: type[RequestSchema], *, location: str = "json", required: bool = True
    ) -> Callable[[View], View]:
        """Document the arguments that ``schema`` reads from ``location`` (``json``, ``query``).

        The loaded arguments are passed to the view as one parameter. The topmost of several
        decorators gives the first parameter.
        """
        return _documented(super().arguments(schema(), location=location, required=required))

    def response(
        self,
        status: int,
        schema: type[AnswerSchema] | JsonObject | None,
        *,
        description: str,
        content_type: str | None = None,
    ) -> Callable[[View], View]:
        """Document an answer of the view. The view itself returns the ``Response``.

        An answer without a ``schema`` has no body.
        """
        return _documented(
            super().response(status, schema, description=description, content_type=content_type)
        )

    def alternative(
        self, status: int, schema: JsonObject, content_type: str
    ) -> Callable[[View], View]:
        """Document another representation of the view's answer."""
        content = {content_type: {"schema": schema}}
        return _documented(self.doc(responses={status: {"content": content}}))

    def part(self, schema: JsonObject, content_type: str) -> Callable[[View], View]:
        """Document the view's answer to a range request."""
        told = {"description": "The part that was asked for."}
        return _documented(
            self.doc(responses={206: {**told, "content": {content_type: {"schema": schema}}}})
        )

    def operation(
        self,
        method: str,
        path: str,
        name: str,
        *,
        security: Access,
        sees: Guard | None = None,
        problems: Iterable[str] = (),
        body: bool = False,
        headers: Iterable[JsonObject] = (),
        path_parameters: Iterable[JsonObject] = (),
        deprecated: Deprecation | None = None,
        budget: str | None = None,
    ) -> Callable[[View], View]:
        """Register a view under ``path`` and document it as the operation ``name``.

        ``security`` has the requirements for keys. ``sees`` is the guard of the object that the
        path names. ``problems`` are problem codes besides those that follow from the other
        arguments. ``headers`` are the headers that the operation's requests and answers may have.
        If ACCEPT_LANGUAGE is one of them, the schema of the query must have the parameter ``lang``;
        an operation without a query gets this parameter. A request with a valid body counts against
        ``budget``.

        Raises:
            TypeError: ``path`` names an object that ``sees`` does not cover, or an operation with
                ACCEPT_LANGUAGE has a query without ``lang``.
        """
        refuse_unguarded(name, path, security, sees)
        general = _ALWAYS if security.keys is None else ANYWHERE
        sent = _SENT if method != "GET" else ()
        unasked = _NO_BODY if method != "GET" and not body else ()
        codes = [*problems, *(_BODY if body else unasked), *sent, *general]
        # "key_required" comes last, so that operations with equal responses share them.
        codes.sort(key="key_required".__eq__)
        codes += security.problems
        named = parameters(path)
        if any(named.values()):
            codes.append("not_found")  # the converter refuses an id that is no number
        known = [documented for part, documented in _PATH_PARAMETERS.items() if part in named]

        def decorate(view: View) -> View:
            if ACCEPT_LANGUAGE in headers:
                view = self._with_language(view, name)
            documented = _documented(
                self.doc(
                    operationId=name,
                    security=security.documented,
                    responses=problem_responses(codes),
                    **{HEADERS_KNOWN: [*headers]},
                    **({} if deprecated is None else deprecated.documented()),
                )
            )(view)
            self.add_url_rule(
                path,
                name,
                Operation(
                    documented,
                    security,
                    sees,
                    is_safe=method == "GET",
                    takes_body=body,
                    deprecated=deprecated,
                    budget=budget,
                ),
                methods=[method],
                parameters=[*known, *path_parameters],
            )
            return view

        return decorate

    def _with_language(self, view: View, name: str) -> View:
        """Return an operation's view with the parameter ``lang``."""
        queries = [schema for location, schema in _read_by(view) if location == "query"]
        if not queries:
            return self.arguments(LanguageQuerySchema, location="query")(view)
        if not any("lang" in schema.fields for schema in queries):
            raise TypeError(f"the query of {name} does not have `lang`, and its answer has words")
        return view


def _read_by(view: Callable[..., Any]) -> list[tuple[str, RequestSchema]]:
    """Return where the arguments of a view come from, and the schemas that read them, in order."""
    taken = vars(view).get(_APIDOC, {}).get("arguments", {}).get("parameters", ())
    return [(argument["in"], argument["schema"]) for argument in reversed(taken)]


def _documented(decorate: Callable[[View], View]) -> Callable[[View], View]:
    """Return a decorator that documents a view as ``decorate`` does, and changes nothing else."""

    def document(view: View) -> View:
        vars(view)[_APIDOC] = vars(decorate(view))[_APIDOC]
        return view

    return document


class Operation:
    """A view, with the checks that come before it."""

    def __init__(
        self,
        view: Callable[..., Any],
        access: Access,
        sees: Guard | None,
        *,
        is_safe: bool,
        takes_body: bool,
        deprecated: Deprecation | None,
        budget: str | None,
    ) -> None:
        self.__doc__ = view.__doc__
        self._apidoc: JsonObject = vars(view)[_APIDOC]
        self.access = access
        self.sees = sees
        self._view = view
        self._is_safe = is_safe
        self._takes_body = takes_body
        self._deprecated = deprecated
        self._budget = budget
        self.reads = _read_by(view)
        """For each argument of the view, its location in the request and its schema, in order."""
        self._passed = [
            n for n, (_from, schema) in enumerate(self.reads)
            if type(schema) is not LanguageQuerySchema
        ]  # fmt: skip
        """Indexes in ``reads`` of the arguments of the view; ``Caller`` has the language."""
        self._old = [deprecated_fields(schema.fields) for _location, schema in self.reads]
        self._query = {
            field.data_key or name: isinstance(field, List)
            for location, schema in self.reads
            if location == "query"
            for name, field in schema.fields.items()
        }

    def __call__(self, **named: Any) -> Response:
        """Answer a request to this path. The key is checked before anything is read.

        The handler is not called for a caller who may not see the game, table or tournament.
        """
        if self.sees is not None:
            self.sees.check_id(named[self.sees.parameter])
        if self._deprecated is not None:
            warn([self._deprecated])
        caller: Caller = g.caller
        caller.admit()
        if self.access.keys is not None:
            check_query(caller.request, self._query)
        if not self._is_safe:
            # A malformed header is refused here, also by operations that do not use it.
            _ = caller.idempotency_key
            if not self._takes_body:
                refuse_body(caller.request)
        if len(self._passed) < len(self.reads) and caller.request.args:
            self._read(caller, 0)  # refuses an unknown language
        arguments = [self._read(caller, n) for n in self._passed]
        need_bound(caller, named, arguments)
        if self.sees is not None and self.sees.need_seen is not None:
            self.sees.need_seen(caller, named[self.sees.parameter])
        if self._budget is not None and caller.take_from is not None:
            caller.take_from(self._budget)
        answered: Response = self._view(caller, *arguments, **named)
        return answered

    def _read(self, caller: Caller, number: int) -> Any:
        """Return argument ``number`` of the view, read from the request.

        If deprecated fields were sent, headers that warn of them are added to the response.
        """
        location, schema = self.reads[number]
        found = PARSER.parse(schema, caller.request, location=location)
        if old := self._old[number]:
            sent = caller.sent if location == "json" else caller.request.args
            warn(old[name] for name in old.keys() & sent.keys())
        if location == "json":
            caller.loaded = found
        return schema.typed(found)


def refuse_unguarded_rules(app: Flask) -> None:
    """Raise TypeError if a path of ``app`` that belongs to no operation needs a guard."""
    for rule in app.url_map.iter_rules():
        if not isinstance(app.view_functions[rule.endpoint], Operation):
            refuse_unguarded(rule.endpoint, rule.rule, UNDECLARED, None)


def problem_responses(codes: Iterable[str]) -> dict[int, JsonObject]:
    """Return the responses of an operation with these problem codes, by status."""
    by_status: dict[int, list[str]] = {}
    for code in dict.fromkeys(codes):
        by_status.setdefault(CODES[code].status, []).append(code)
    return {status: _problem_response(names) for status, names in sorted(by_status.items())}


def _problem_response(codes: list[str]) -> JsonObject:
    lines = [f"`{code}`: {CODES[code].title}. {CODES[code].advice}" for code in codes]
    response: JsonObject = {
        "description": "\n\n".join(lines),
        "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
        PROBLEMS: codes,
    }
    if any(code in RETRY_AFTER or code == "rate_limited" for code in codes):
        response["headers"] = {"Retry-After": {"$ref": "#/components/headers/Retry-After"}}
    return response
