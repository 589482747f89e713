"""The guides at ``/docs``.

Each page is generated once for each language in which its navigation can be shown.
"""

import mimetypes
from functools import cache, lru_cache

from flask import Blueprint, Flask, Response, abort, current_app
from werkzeug.exceptions import HTTPException

from service.api import openapi
from service.api.http.context import caller
from service.api.http.errors import page_or_problem
from service.api.http.responses import FOR_MINUTES, StaticDocument
from service.guides.arrangement import ROOT
from service.guides.site import FRONT, SEARCH, Site, assets

blueprint = Blueprint("guides", __name__)

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
    " connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)
_PAGES_KEPT = 400
_SITE = "lonja_site"
"""The key of the site in the application's ``extensions``."""


class _ServedSite:
    """The site of an application, with a cache of the pages that were requested last."""

    def __init__(self, app: Flask) -> None:
        self.site = Site(lambda: openapi.of(app).value)
        self.page = lru_cache(_PAGES_KEPT)(self._page)
        self.search = cache(self._search)

    def _page(self, slug: str | None, tongue: str) -> StaticDocument:
        page = self.site.missing(tongue) if slug is None else self.site.page(slug, tongue)
        return StaticDocument(page.encode(), "text/html")

    def _search(self) -> StaticDocument:
        return StaticDocument(self.site.search(), "application/json")


def register(app: Flask) -> None:
    """Add the guides to an application that has its OpenAPI document already."""
    app.extensions[_SITE] = _ServedSite(app)
    app.register_blueprint(blueprint)


def _site() -> _ServedSite:
    found: _ServedSite = current_app.extensions[_SITE]
    return found


@blueprint.get("/docs")
def front() -> Response:
    """Answer with the list of all guides, grouped by purpose."""
    return _page(FRONT)


@blueprint.get("/docs/<path:name>")
def guide(name: str) -> Response:
    """Answer with a page, with a picture or file of a guide, or with the index for the search."""
    slug = name.rstrip("/")
    if slug in _site().site.slugs:
        return _page(slug)
    if slug == SEARCH:
        return _site().search().answer(FOR_MINUTES)
    if slug not in assets():
        abort(404)
    return _secured(_asset(slug).answer(FOR_MINUTES))


@blueprint.errorhandler(404)
def missing(error: HTTPException) -> Response:
    """Answer a request for a guide that there is not."""
    page = _site().page(None, caller().language)
    return page_or_problem(error, _secured(page.answer("no-store", "Accept, Accept-Language")))


def _page(slug: str) -> Response:
    return _secured(_site().page(slug, caller().language).answer(FOR_MINUTES, "Accept-Language"))


@cache
def _asset(name: str) -> StaticDocument:
    media_type, _encoding = mimetypes.guess_type(name)
    return StaticDocument((ROOT / "docs" / name).read_bytes(), media_type or "text/plain")


def _secured(response: Response) -> Response:
    response.headers["Content-Security-Policy"] = _POLICY
    return response
