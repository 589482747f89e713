"""Routes outside of ``/v1``: the OpenAPI document, a console of its operations, and metrics."""

import mimetypes
from functools import cache
from pathlib import Path

import orjson
from flask import Blueprint, Response, abort, current_app, request
from prometheus_client import CONTENT_TYPE_LATEST

from service.api import openapi
from service.api.faces import NAME, face_of, svg
from service.api.http.context import caller, scrapes
from service.api.http.responses import FOR_EVER, NO_CACHE, StaticDocument, public_bytes
from service.metrics import exposition
from service.problems import Problem
from service.publishing.folder import CHECKPOINT, PUBLIC_KEYS, LogFiles
from service.tlog.closed import is_path as is_kept
from service.tlog.rotations import is_path as is_rotation
from service.tlog.tiles import is_path

STATIC = Path(__file__).parents[1] / "web" / "static"
_NAMES = frozenset(
    path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*") if path.is_file()
)
_VERSIONS: dict[str, str] = orjson.loads((STATIC / "app/versions.json").read_bytes())
"""The versions of the browser client's files, by their names."""
_TYPES = {"lonja.webmanifest": "application/manifest+json"}
"""Media types that not every installation of Python knows."""
_A_DAY = "public, max-age=86400"
_SOON = "public, max-age=5"
blueprint = Blueprint("web", __name__)

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline';"
    " img-src 'self' data:; font-src 'self'; connect-src 'self'; frame-ancestors 'none';"
    " base-uri 'none'; form-action 'none'"
)
_OWN_POLICIES = {"verify.html": "frame-ancestors 'none'"}
"""The headers of pages that contain their policy, because people also save and open them as files.
"""


@blueprint.get("/openapi.json")
def openapi_json() -> Response:
    """Answer with this installation's OpenAPI document, which covers its rulesets, as JSON."""
    return openapi.of(current_app).json.answer()


@blueprint.get("/openapi.yaml")
def openapi_yaml() -> Response:
    """Answer with the same OpenAPI document as YAML."""
    return openapi.of(current_app).yaml.answer()


@blueprint.get("/asyncapi.yaml")
def asyncapi_yaml() -> Response:
    """Answer with the AsyncAPI document of streams and webhooks."""
    return openapi.of(current_app).messages_yaml.answer()


@blueprint.get("/docs/console")
def console() -> Response:
    """A self-contained page that shows the OpenAPI document, and sends requests."""
    return static_file("console.html")


@blueprint.get("/verify.html")
def verify() -> Response:
    """A page that verifies a record in the browser; it is one file, which can be saved."""
    return static_file("verify.html")


@blueprint.get("/worker.js")
def worker() -> Response:
    """The pages' service worker; it is not below ``/static``, so that its scope is all pages."""
    return static_file("worker.js")


@blueprint.get("/static/<path:name>")
def static_file(name: str) -> Response:
    """Answer with a file that the pages load.

    A page requests the client's files by version, and the files are cached for ever. A page from
    another release requests other versions. It gets 404, because this release's files would not
    work with that page.
    """
    version = request.args.get("v") if name.startswith("app/") else None
    if name not in _NAMES or version not in {None, _VERSIONS.get(name[4:])}:
        abort(404)
    keep = NO_CACHE if name == "worker.js" else "public, max-age=3600"
    if name.startswith("app/"):
        keep = NO_CACHE if version is None else FOR_EVER
    response = _file(name).answer(keep)
    response.headers["Content-Security-Policy"] = _OWN_POLICIES.get(name, _POLICY)
    return response


@cache
def _file(name: str) -> StaticDocument:
    media_type = _TYPES.get(name) or mimetypes.guess_type(name)[0]
    return StaticDocument((STATIC / name).read_bytes(), media_type or "text/plain")


@blueprint.get("/log/<path:name>")
def public_log(name: str) -> Response:
    """Answer with a file of the public log (/docs/format); 404 if it has no such file.

    Tiles never change, but a full one replaces its partial ones. One that is missing now may be
    there at the next checkpoint.
    """
    folder = caller().runtime.settings.log_folder
    is_text = name in (CHECKPOINT, PUBLIC_KEYS) or is_rotation(name) or is_kept(name)
    if folder is None or not (is_text or is_path(name)):
        abort(404)
    try:
        body = LogFiles(folder).file(name)
    except OSError:
        abort(404)
    if is_text:
        return public_bytes(body, "text/plain", _SOON)
    return public_bytes(body, "application/octet-stream", _A_DAY)


@blueprint.get("/faces/<name>.svg")
def face(name: str) -> Response:
    """Answer with the face of a bot, or of a player who is one."""
    if not NAME.fullmatch(name):
        abort(404)
    response = StaticDocument(svg(face_of(name)).encode(), "image/svg+xml").answer(_A_DAY)
    response.headers["Content-Security-Policy"] = "default-src 'none'; frame-ancestors 'none'"
    return response


@blueprint.get("/metrics")
def metrics() -> Response:
    """Answer Prometheus with metrics if it sends the configured token; 404 if none is configured.

    Raises:
        Problem: ``token_required``.
    """
    if caller().runtime.settings.metrics_token is None:
        abort(404)
    if not scrapes(caller()):
        raise Problem("token_required", headers={"WWW-Authenticate": "Bearer"})
    response = Response(exposition(caller().services.gauges), content_type=CONTENT_TYPE_LATEST)
    response.headers["Cache-Control"] = "no-store"
    return response
