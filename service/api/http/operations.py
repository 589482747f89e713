"""Declares operations: a route, who may call it, and everything it may answer."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial, wraps
from typing import Any, TypeVar, cast

import flask_smorest
from flask import g, request
from marshmallow.fields import List

from rules.kernel.canonical import JsonObject
from service.api.http.context import (
    ADMIN_PATHS,
    admin,
    caller,
    caller_by_ticket,
    idempotency_key,
    identify_by_ticket,
    need_seen,
)
from service.api.http.deprecation import deprecated_fields, warn
from service.api.http.headers import HEADERS_KNOWN
from service.api.http.limits import spend
from service.api.http.requests import Parser, check_query, read_body
from service.api.schemas.base import AnswerSchema, Deprecated, RequestSchema
from service.players.keys import FULL, HOST, PLAY, READ
from service.problems import CODES, MEDIA_TYPE, RETRY_AFTER, type_of

PROBLEMS = "x-problems"
"""The codes of a response, which its description explains."""

View = TypeVar("View", bound=Callable[..., Any])

NO_KEY: list[JsonObject] = []
ANY_CALLER: list[JsonObject] = [{}, {"key": []}]
READERS: list[JsonObject] = [{"key": [READ]}]
PLAYERS: list[JsonObject] = [{"key": [PLAY]}]
HOSTS: list[JsonObject] = [{"key": [HOST]}]
OWNERS: list[JsonObject] = [{"key": [FULL]}]
ADMINS: list[JsonObject] = [{"admin_key": []}]
TICKETS: list[JsonObject] = [{}, {"key": []}, {"ticket": []}]
PLAYERS_TICKETS: list[JsonObject] = [{"key": []}, {"ticket": []}]

_ALWAYS = (
    "bad_request",
    "uri_too_long",
    "headers_too_large",
    "too_many_connections",
    "store_unavailable",
    "internal_error",
)
ANYWHERE = ("unknown_key", "key_expired", "invalid_query", "rate_limited", *_ALWAYS)
"""Of all operations under ``/v1``: a key that was sent for nothing must be known too."""
_SENT = ("too_large", "unsupported_encoding")
"""What may be wrong with any body, even one that nobody asked for."""
_BODY = ("not_json", "too_deep", "too_long", "unsupported_media_type", "invalid_body")


def path_parameter(name: str, description: str, example: object, schema: JsonObject) -> JsonObject:
    """Return what the document says of a part of a path."""
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
_PATH_PARAMETERS = {
    "<game_id>": GAME_ID,
    "<int:seat>": SEAT,
    "<tournament_id>": TOURNAMENT_ID,
    "<player_id>": PLAYER_ID,
    "<key_id>": KEY_ID,
}


class Blueprint(flask_smorest.Blueprint):  # type: ignore[misc]  # has no types
    """The operations of one resource."""

    ARGUMENTS_PARSER = Parser()

    def register_views_in_doc(self, api: Any, *args: Any, **kwargs: Any) -> None:
        """Leave it to ``api`` when: it takes longer than all else that makes an application."""
        api.undescribed.append(partial(super().register_views_in_doc, api, *args, **kwargs))

    def arguments(
        self, schema: type[RequestSchema], *, location: str = "json", required: bool = True
    ) -> Callable[[View], View]:
        """Read ``location`` (``json``, ``query``) by ``schema`` into the view's first argument."""
        made = schema()
        read = super().arguments(made, location=location, required=required)
        old = deprecated_fields(made.fields)
        if old:
            return cast(Callable[[View], View], lambda view: read(_warning(view, old, location)))
        return cast(Callable[[View], View], read)

    def response(
        self,
        status: int,
        schema: type[AnswerSchema] | JsonObject | None,
        *,
        description: str,
        content_type: str | None = None,
    ) -> Callable[[View], View]:
        """Document what the view answers, which is always a ``Response`` of its own making.

        A view of a game, an admin's aside, is not even reached by who may not see the game. Without
        a ``schema`` it has no body.
        """
        documented = super().response(
            status, schema, description=description, content_type=content_type
        )

        def decorate(view: View) -> View:
            return cast(View, documented(_of_what_is_seen(view)))

        return decorate

    def alternative(
        self, status: int, schema: JsonObject, content_type: str
    ) -> Callable[[View], View]:
        """Document another representation of what the view answers."""
        content = {content_type: {"schema": schema}}
        documented = self.doc(responses={status: {"content": content}})
        return cast(Callable[[View], View], documented)

    def part(self, schema: JsonObject, content_type: str) -> Callable[[View], View]:
        """Document what the view answers to who asks for a part."""
        told = {"description": "The part that was asked for."}
        documented = self.doc(
            responses={206: {**told, "content": {content_type: {"schema": schema}}}}
        )
        return cast(Callable[[View], View], documented)

    def operation(
        self,
        method: str,
        path: str,
        name: str,
        *,
        security: list[JsonObject],
        problems: Iterable[str] = (),
        body: bool = False,
        headers: Iterable[JsonObject] = (),
        path_parameters: Iterable[JsonObject] = (),
        deprecated: Deprecated | None = None,
        budget: str | None = None,
    ) -> Callable[[View], View]:
        """Register a view under ``path`` and document it as the operation ``name``.

        ``security`` is one of this module's lists; ``problems`` are the codes of problems besides
        those that every operation with these traits may answer. ``headers`` are those it
        takes, or answers. Once its body is found to be good, it counts against ``budget``.
        """
        general = ANYWHERE if path.startswith("/v1") else _ALWAYS
        sent = _SENT if method != "GET" else ()
        codes = [*problems, *(_BODY if body else ()), *sent, *general]
        codes.sort(key="key_required".__eq__)  # last, as below: equal responses are shared
        who: Callable[[], object] | None = None
        if security in (READERS, PLAYERS, HOSTS, OWNERS):
            (scope,) = security[0]["key"]
            who = partial(caller, scope)
            codes.append("key_required")
            if scope != READ:
                codes.append("insufficient_scope")
        if security is TICKETS:
            who = identify_by_ticket
        if security is PLAYERS_TICKETS:
            who = caller_by_ticket
            codes.append("key_required")
        if security is ADMINS:
            who = admin
            codes += ["admin_key_required", "not_admin"]
        elif path.startswith("/v1"):
            codes.append("banned")
        if "<int:" in path:
            codes.append("not_found")  # of what is no number
        known = [doc for part, doc in _PATH_PARAMETERS.items() if part in path]

        def decorate(view: View) -> View:
            documented = self.doc(
                operationId=name,
                security=security,
                responses=problem_responses(codes),
                **{HEADERS_KNOWN: [*headers]},
                **({} if deprecated is None else deprecated.documented()),
            )(
                _checked(
                    view,
                    who=who,
                    strict_query=path.startswith("/v1"),
                    unread_body=method != "GET" and not body,
                    keyed=method != "GET",
                    deprecated=deprecated,
                    budget=budget,
                )
            )
            self.add_url_rule(
                path,
                name,
                documented,
                methods=[method],
                parameters=[*known, *path_parameters],
            )
            return view

        return decorate


def _of_what_is_seen(view: View) -> View:
    """Check that the caller may see the game that a view is about, once all is read.

    What costs more than others is then counted.
    """

    @wraps(view)
    def asking(*args: Any, **kwargs: Any) -> Any:
        if "game_id" in kwargs and not request.path.startswith(ADMIN_PATHS):
            need_seen(kwargs["game_id"])
        if "budget" in g:
            spend(g.budget)
        return view(*args, **kwargs)

    return cast(View, asking)


def _warning(view: View, old: Mapping[str, Deprecated], location: str) -> View:
    """Have the answers to requests that use ``old`` fields of their body or query tell of it."""

    @wraps(view)
    def asking(*args: Any, **kwargs: Any) -> Any:
        sent = g.body if location == "json" else request.args
        warn(old[name] for name in old.keys() & sent.keys())
        return view(*args, **kwargs)

    return cast(View, asking)


def _checked(
    view: View,
    *,
    who: Callable[[], object] | None,
    strict_query: bool,
    unread_body: bool,
    keyed: bool,
    deprecated: Deprecated | None,
    budget: str | None,
) -> View:
    """Check what does not depend on the operation, a key before anything else is read."""
    documented: JsonObject = getattr(view, "_apidoc", {}).get("arguments", {})
    known = {
        field.data_key or name: isinstance(field, List)
        for taken in documented.get("parameters", ())
        if taken["in"] == "query"
        for name, field in taken["schema"].fields.items()
    }

    @wraps(view)
    def asking(*args: Any, **kwargs: Any) -> Any:
        if deprecated is not None:
            warn([deprecated])
        if budget is not None:
            g.budget = budget
        if who is not None:
            who()
        if strict_query:
            check_query(known)
        if keyed:
            idempotency_key()
        if unread_body:
            read_body()
        return view(*args, **kwargs)

    return cast(View, asking)


def problem_responses(codes: Iterable[str]) -> dict[int, JsonObject]:
    """Return the responses of an operation that may answer these codes, by status."""
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


def example_problem(code: str) -> JsonObject:
    """Return a problem document as this code's answers look."""
    known = CODES[code]
    return {
        "type": type_of(code),
        "title": known.title,
        "status": known.status,
        "code": code,
        "detail": known.title,
        "request_id": "3f1c9a52d0b84e6f",
    }
