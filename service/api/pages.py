"""Pages that are made here and need no script: the door, and what each problem means."""

import re
from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path
from typing import NamedTuple

import orjson
from flask import Blueprint, Response, abort, current_app, render_template
from markupsafe import Markup, escape
from redis.exceptions import RedisError

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.published import board_schema
from rules.kernel.record.game import LOBBY, RUNNING
from service.api import openapi
from service.api.http.context import language, services
from service.api.http.operations import ANYWHERE, example_problem
from service.api.http.responses import FOR_MINUTES, Made, checked_bytes
from service.games import exhibition
from service.ledger.lists import TOURNAMENTS, games_list, sizes
from service.problems import CODES, RETRY_AFTER
from service.version import VERSION

TEMPLATES = Path(__file__).parents[1] / "web" / "templates"
blueprint = Blueprint("pages", __name__, template_folder=TEMPLATES)

_HTML = "text/html"
_SHOWN = 5
"""How many games the door names."""
_POLICY = (
    "default-src 'none'; style-src 'self'; img-src data:; frame-ancestors 'none';"
    " base-uri 'none'; form-action 'none'"
)
_CODE = re.compile("`([^`]+)`")


class Now(NamedTuple):
    """What runs now, as the door shows it."""

    running: int
    waiting: int
    tournaments: int
    exhibition: str | None
    games: list[JsonObject]


@blueprint.get("/")
def door() -> Response:
    """Tell what this is, what runs now, and where to go, in the visitor's language."""
    tongue, registry = language(), services().runtime.registry
    infos = sorted((ruleset.info for ruleset in registry), key=lambda info: info.title[tongue])
    page = render_template(
        "door.html",
        tongue=tongue,
        now=_now(),
        infos=infos,
        titles={info.id: info.title[tongue] for info in infos},
        version=VERSION,
    )
    return _secured(checked_bytes(page.encode(), _HTML))


def _now() -> Now | None:
    """Return what runs now; None while the store does not answer, for the door stays open."""
    redis = services().runtime.redis
    names = (games_list(None, RUNNING), games_list(None, LOBBY), TOURNAMENTS)
    try:
        shown = services().games.page(_SHOWN, status=RUNNING).games
        running, waiting, tournaments = sizes(redis, names)
        return Now(running, waiting, tournaments, exhibition.current(redis), shown)
    except RedisError:
        return None


@blueprint.get("/docs/board.schema.json")
def schema_of_boards() -> Response:
    """The JSON Schema of the boards that rulesets have."""
    kept = services().documents
    if "board.schema" not in kept:
        kept["board.schema"] = Made(orjson.dumps(board_schema()), "application/schema+json")
    return kept["board.schema"].answer(FOR_MINUTES)


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
    return _secured(pages[name].answer(FOR_MINUTES))


def _secured(response: Response) -> Response:
    response.headers["Content-Security-Policy"] = _POLICY
    return response
