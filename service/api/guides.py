"""The guides at ``/docs``. Each page is made once for each language of its frame."""

import mimetypes
from functools import cache

from flask import Blueprint, Response, abort, request
from werkzeug.exceptions import HTTPException

from service.api.http.context import caller
from service.api.http.errors import http_problem
from service.api.http.responses import FOR_MINUTES, StaticDocument
from service.guides.arrangement import GUIDES, ROOT
from service.guides.site import FRONT, SEARCH, Site, assets
from service.problems import MEDIA_TYPE

blueprint = Blueprint("guides", __name__)

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
    " connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)
_site = Site()


@blueprint.get("/docs")
def front() -> Response:
    """Answer with the list of all guides, grouped by purpose."""
    return _page(FRONT)


@blueprint.get("/docs/<path:name>")
def guide(name: str) -> Response:
    """Answer with a guide, with a picture or file of a guide, or with the index for the search."""
    slug = name.rstrip("/")
    if slug in GUIDES:
        return _page(slug)
    if slug == SEARCH:
        return _search().answer(FOR_MINUTES)
    if slug not in assets():
        abort(404)
    return _secured(_asset(slug).answer(FOR_MINUTES))


@blueprint.app_errorhandler(404)
def missing(error: HTTPException) -> Response:
    """Answer a request for a wrong path: a browser gets a page with links, others a problem."""
    told = http_problem(error)
    accepted = request.accept_mimetypes
    if accepted["text/html"] <= accepted[MEDIA_TYPE]:
        told.headers.add("Vary", "Accept")
        return told
    response = _secured(
        _made(None, caller().language).answer("no-store", "Accept, Accept-Language")
    )
    response.status_code = 404
    return response


def _page(slug: str) -> Response:
    return _secured(_made(slug, caller().language).answer(FOR_MINUTES, "Accept-Language"))


@cache
def _made(slug: str | None, tongue: str) -> StaticDocument:
    page = _site.missing(tongue) if slug is None else _site.page(slug, tongue)
    return StaticDocument(page.encode(), "text/html")


@cache
def _search() -> StaticDocument:
    return StaticDocument(_site.search(), "application/json")


@cache
def _asset(name: str) -> StaticDocument:
    media_type, _encoding = mimetypes.guess_type(name)
    return StaticDocument((ROOT / "docs" / name).read_bytes(), media_type or "text/plain")


def _secured(response: Response) -> Response:
    response.headers["Content-Security-Policy"] = _POLICY
    return response
