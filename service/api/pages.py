"""Pages made on the server: the shells of the client, and pages without scripts."""

import re
from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path

import orjson
from flask import Blueprint, Response, abort, current_app, render_template
from markupsafe import Markup, escape

from rules.kernel.contract.published import board_schema
from service.api import openapi
from service.api.http.context import caller
from service.api.http.operations import ANYWHERE, example_problem
from service.api.http.responses import FOR_MINUTES, NO_CACHE, StaticDocument, checked_bytes
from service.catalogue.documents import rules_in
from service.problems import CODES, MEMBER_MEANINGS, MEMBERS, RETRY_AFTER
from service.version import VERSION

TEMPLATES = Path(__file__).parents[1] / "web" / "templates"
blueprint = Blueprint("pages", __name__, template_folder=TEMPLATES)

_HTML = "text/html"
_POLICY = (
    "default-src 'none'; style-src 'self'; img-src data:; frame-ancestors 'none';"
    " base-uri 'none'; form-action 'none'"
)
_CLIENT = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
    " connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)
"""The Content-Security-Policy of the client: no foreign sources, and no inline scripts."""
_CODE = re.compile("`([^`]+)`")


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
    return _secured(checked_bytes(page.encode(), _HTML), _CLIENT)


@blueprint.get("/lobby")
@blueprint.get("/games/<name>")
@blueprint.get("/players/<name>")
@blueprint.get("/tournaments")
@blueprint.get("/tournaments/<name>")
@blueprint.get("/rules")
@blueprint.get("/rules/<name>")
@blueprint.get("/you")
@blueprint.get("/settings")
def room(name: str = "") -> Response:  # noqa: ARG001 - the client reads its own address
    """A page of the client, which the browser renders.

    It links to the present versions of the client's files, the only ones that exist, so it is
    revalidated each time.
    """
    return _kept("client", lambda: render_template("client.html"), _CLIENT, NO_CACHE)


@blueprint.get("/docs/board.schema.json")
def schema_of_boards() -> Response:
    """The JSON Schema of rulesets' boards."""
    kept = caller().services.documents
    if "board.schema" not in kept:
        kept["board.schema"] = StaticDocument(
            orjson.dumps(board_schema()), "application/schema+json"
        )
    return kept["board.schema"].answer(FOR_MINUTES)


@blueprint.get("/docs/problems")
def problems() -> Response:
    """All problems, by status."""
    codes = sorted(CODES.items(), key=lambda item: (item[1].status, item[0]))
    return _kept("problems", lambda: render_template("problems.html", codes=codes))


@blueprint.get("/docs/problems/<code>")
def problem(code: str) -> Response:
    """One problem: its meaning, causes and remedy. This is the page that its ``type`` names."""
    if code not in CODES:
        abort(404)
    return _kept(f"problems/{code}", lambda: _problem(code))


def _problem(code: str) -> str:
    return render_template(
        "problem.html",
        code=code,
        known=CODES[code],
        retry_after=RETRY_AFTER.get(code),
        anywhere=code in ANYWHERE,
        operations=openapi.of(current_app).answering(code),
        members=[(member, MEMBER_MEANINGS[member]) for member in MEMBERS.get(code, ())],
        example=orjson.dumps(example_problem(code), option=orjson.OPT_INDENT_2).decode(),
    )


@blueprint.app_template_filter("marked")
def marked(text: str) -> Markup:
    """Mark up text between backticks as code."""
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(text))))  # noqa: S704 - escaped just here


@blueprint.app_template_filter("phrase")
def phrase(status: int) -> str:
    """Return the words of an HTTP status."""
    return HTTPStatus(status).phrase


def _kept(
    name: str, make: Callable[[], str], policy: str = _POLICY, keep: str = FOR_MINUTES
) -> Response:
    """Answer with a page that is the same for everybody; ``make`` is called once."""
    pages = caller().services.documents
    if name not in pages:
        pages[name] = StaticDocument(make().encode(), _HTML)
    return _secured(pages[name].answer(keep), policy)


def _secured(response: Response, policy: str) -> Response:
    response.headers["Content-Security-Policy"] = policy
    return response
