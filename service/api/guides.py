"""The guides at ``/docs``: a site of pages, which are made once in each language of the frame."""

import mimetypes
from functools import cache

from flask import Blueprint, Response

from service.api.http.context import caller
from service.api.http.responses import FOR_MINUTES, StaticDocument
from service.guides.arrangement import GUIDES, ROOT
from service.guides.site import FRONT, SEARCH, Site, assets

blueprint = Blueprint("guides", __name__)

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
    " connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)
_site = Site()


@blueprint.get("/docs")
def front() -> Response:
    """The list of all guides, by need."""
    return _page(FRONT)


@blueprint.get("/docs/<path:name>")
def guide(name: str) -> Response:
    """A guide, an asset of one, or the index that the search reads."""
    slug = name.rstrip("/")
    if slug in GUIDES:
        return _page(slug)
    if slug == SEARCH:
        return _search().answer(FOR_MINUTES)
    if slug in assets():
        return _secured(_asset(slug).answer(FOR_MINUTES))
    return missing()


def missing() -> Response:
    """The page for an address below ``/docs`` at which there is nothing."""
    response = _page(None)
    response.status_code = 404
    response.headers["Cache-Control"] = "no-store"
    return response


def _page(slug: str | None) -> Response:
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
