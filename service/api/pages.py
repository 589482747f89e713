"""Pages that are made here and need no script: what each problem means."""

import re
from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path

import orjson
from flask import Blueprint, Response, abort, current_app, render_template
from markupsafe import Markup, escape

from service.api import openapi
from service.api.http.context import services
from service.api.http.operations import ANYWHERE, example_problem
from service.api.http.responses import FOR_MINUTES, Made
from service.problems import CODES, RETRY_AFTER

TEMPLATES = Path(__file__).parents[1] / "web" / "templates"
blueprint = Blueprint("pages", __name__, template_folder=TEMPLATES)

_HTML = "text/html"
_POLICY = (
    "default-src 'none'; style-src 'self'; img-src data:; frame-ancestors 'none';"
    " base-uri 'none'; form-action 'none'"
)
_CODE = re.compile("`([^`]+)`")


@blueprint.get("/docs/problems")
def problems() -> Response:
    """All problems, by status."""
    codes = sorted(CODES.items(), key=lambda item: (item[1].status, item[0]))
    return _kept("problems", lambda: render_template("problems.html", codes=codes))


@blueprint.get("/docs/problems/<code>")
def problem(code: str) -> Response:
    """What one problem means, when it comes, and what to do: the page that its ``type`` names."""
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
        example=orjson.dumps(example_problem(code), option=orjson.OPT_INDENT_2).decode(),
    )


@blueprint.app_template_filter("marked")
def marked(text: str) -> Markup:
    """Show what stands between backticks as code."""
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(text))))  # noqa: S704 - escaped just here


@blueprint.app_template_filter("phrase")
def phrase(status: int) -> str:
    """Return the words of an HTTP status."""
    return HTTPStatus(status).phrase


def _kept(name: str, make: Callable[[], str]) -> Response:
    """Answer with a page that is the same for everybody; it is made once."""
    pages = services().documents
    if name not in pages:
        pages[name] = Made(make().encode(), _HTML)
    response = pages[name].answer(FOR_MINUTES)
    response.headers["Content-Security-Policy"] = _POLICY
    return response
