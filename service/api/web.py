"""The document, a page that shows it, and metrics: what is not part of ``/v1``."""

from importlib import resources

from flask import Blueprint, Response, current_app, redirect, send_from_directory
from prometheus_client import CONTENT_TYPE_LATEST
from werkzeug.wrappers import Response as AnyResponse

from service.api import document
from service.metrics import exposition

STATIC = str(resources.files("service").joinpath("web", "static"))
blueprint = Blueprint("web", __name__)

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline';"
    " img-src 'self' data:; font-src 'self'; connect-src 'self'; frame-ancestors 'none';"
    " base-uri 'none'; form-action 'none'"
)


@blueprint.get("/openapi.json")
def openapi_json() -> Response:
    """The document of this installation, rulesets of its own included."""
    return Response(document.json_of(current_app), mimetype="application/json")


@blueprint.get("/openapi.yaml")
def openapi_yaml() -> Response:
    """The same in YAML."""
    return Response(document.yaml_of(current_app), mimetype="application/yaml")


@blueprint.get("/docs")
def docs() -> Response:
    """A page that shows the document; it needs nothing from elsewhere."""
    return static_file("docs.html")


@blueprint.get("/tournaments")
@blueprint.get("/tournaments/<name>")
def tournaments(name: str = "") -> Response:  # noqa: ARG001 - the page reads its own address
    """A page that lists tournaments, or follows one."""
    return static_file("tournaments.html")


@blueprint.get("/games/<name>")
def game(name: str) -> Response:  # noqa: ARG001 - the page reads its own address
    """A page that replays a game, or follows one."""
    return static_file("games.html")


@blueprint.get("/static/<path:name>")
def static_file(name: str) -> Response:
    """A file of the pages."""
    response = send_from_directory(STATIC, name, max_age=3600)
    response.headers["Content-Security-Policy"] = _POLICY
    response.headers["X-Content-Type-Options"] = "nosniff"
    return response


@blueprint.get("/metrics")
def metrics() -> Response:
    """What Prometheus collects."""
    return Response(exposition(), content_type=CONTENT_TYPE_LATEST)


@blueprint.get("/")
def home() -> AnyResponse:
    """Lead people to the page."""
    return redirect("docs")
