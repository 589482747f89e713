"""Pages made on the server: the front page, and the shell of the client."""

from pathlib import Path

import orjson
from flask import Blueprint, Response, render_template
from werkzeug.exceptions import HTTPException

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.published import schema_of, table_schema
from service.api.http.context import caller
from service.api.http.errors import page_or_problem
from service.api.http.responses import FOR_MINUTES, NO_CACHE, StaticDocument, checked_bytes
from service.catalogue.documents import rules_in
from service.version import VERSION

TEMPLATES = Path(__file__).parents[1] / "web" / "templates"
blueprint = Blueprint("pages", __name__, template_folder=TEMPLATES)

_HTML = "text/html"
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
    " connect-src 'self'; manifest-src 'self'; frame-ancestors 'none'; base-uri 'none';"
    " form-action 'none'"
)
"""The Content-Security-Policy of the client: no foreign sources, and no inline scripts."""


@blueprint.get("/")
def door() -> Response:
    """The front page, in the visitor's language: the project, the running games, and links."""
    tongue, services = caller().language, caller().services
    registry = services.runtime.registry
    infos = sorted((ruleset.info for ruleset in registry), key=lambda info: info.title[tongue])
    page = render_template(
        "door.html",
        tongue=tongue,
        now=services.window.look(),
        infos=infos,
        titles={info.id: info.title[tongue] for info in infos},
        ruled={id_ for id_, found in services.published.items() if rules_in(tongue) in found},
        version=VERSION,
    )
    return _secured(checked_bytes(page.encode(), _HTML))


@blueprint.get("/lobby")
@blueprint.get("/games")
@blueprint.get("/games/<name>")
@blueprint.get("/players/<name>")
@blueprint.get("/tournaments")
@blueprint.get("/tournaments/<name>")
@blueprint.get("/rules")
@blueprint.get("/rules/<name>")
@blueprint.get("/log")
@blueprint.get("/you")
@blueprint.get("/settings")
def room(name: str = "") -> Response:  # noqa: ARG001 - the client reads its own address
    """A page of the client, which the browser renders.

    The page links to the current versions of the client's files. Older versions do not exist, so
    browsers must revalidate the page each time.
    """
    kept = caller().services.documents
    if "client" not in kept:
        kept["client"] = StaticDocument(render_template("client.html").encode(), _HTML)
    return _secured(kept["client"].answer(NO_CACHE))


@blueprint.app_errorhandler(404)
def nothing(error: HTTPException) -> Response:
    """Answer a request for a wrong path; in browsers, the client says so and leads on."""
    response = room()
    response.headers["Cache-Control"] = "no-store"
    response.headers.add("Vary", "Accept")
    return page_or_problem(error, response)


@blueprint.get("/docs/board.schema.json")
def schema_of_boards() -> Response:
    """The JSON Schema of rulesets' boards."""
    return _schema("board.schema", schema_of("board"))


@blueprint.get("/docs/table.schema.json")
def schema_of_tables() -> Response:
    """The JSON Schemas of a table's documents and answers, by name below ``$defs``."""
    return _schema("table.schema", table_schema())


def _schema(name: str, schema: JsonObject) -> Response:
    kept = caller().services.documents
    if name not in kept:
        kept[name] = StaticDocument(orjson.dumps(schema), "application/schema+json")
    return kept[name].answer(FOR_MINUTES)


def _secured(response: Response) -> Response:
    response.headers["Content-Security-Policy"] = _POLICY
    return response
