"""The pages of the site, each in its frame: for the service, or as files."""

import posixpath
from collections.abc import Callable, Iterator
from functools import cache, cached_property
from pathlib import Path
from typing import NamedTuple

import orjson
from jinja2 import Environment, FileSystemLoader

from rules.kernel.canonical import digest
from rules.kernel.contract.labels import LANGUAGES
from service.guides.arrangement import ASSETS, BY_PATH, GUIDES, PURPOSES, ROOT
from service.guides.markdown import RenderedPage, render, title_of
from service.process.fair_queue import give_way
from service.version import VERSION

WEB = Path(__file__).parents[1] / "web"
STATIC = WEB / "static"
PARTS = ("guides.css", "guides.js")
"""The files in ``STATIC`` that each page loads."""
SEARCH = "search.json"
_DOCUMENTS = ("openapi.yaml", "asyncapi.yaml")
"""Files that the service answers at its root."""
FRONT = ""
"""The slug of the list of all guides."""


class SitePlace(NamedTuple):
    """The form of links on a page, and whether the service answers there (or files do)."""

    page: Callable[[str], str]
    """Returns the address of a page or asset, by its slug."""
    part: Callable[[str], str]
    """Returns the address of one of ``PARTS``."""
    served: bool


def _served_part(name: str) -> str:
    return f"/static/{name}?v={digest((STATIC / name).read_bytes()).hex()[:16]}"


SERVED = SitePlace(lambda slug: f"/docs/{slug}", _served_part, served=True)


def as_file(slug: str) -> str:
    """Return the path of a page or an asset in a site of files."""
    if slug == FRONT:
        return "index.html"
    return slug if posixpath.splitext(slug)[1] else f"{slug}.html"


def files_from(slug: str) -> SitePlace:
    """Return the links on the page ``slug`` of a site of files: all are relative to that page."""
    here = posixpath.dirname(as_file(slug))

    def relative(path: str) -> str:
        return posixpath.relpath(path, here or ".")

    return SitePlace(lambda to: relative(as_file(to)), relative, served=False)


class Site:
    """Makes the pages; ``place`` returns the form of links on the page with a slug."""

    def __init__(self, place: Callable[[str], SitePlace] = lambda _slug: SERVED) -> None:
        self._place = place
        self._frames = Environment(loader=FileSystemLoader(WEB / "templates"), autoescape=True)

    def page(self, slug: str, tongue: str = LANGUAGES[0]) -> str:
        """Return a page in its frame, whose language is ``tongue``. Raises KeyError."""
        if slug == FRONT:
            return self._framed("guides.html", slug, tongue)
        return self._framed("guide.html", slug, tongue, guide=self.rendered(slug))

    def missing(self, tongue: str = LANGUAGES[0]) -> str:
        """Return the page that is shown for wrong addresses."""
        return self._framed("no_guide.html", FRONT, tongue)

    def rendered(self, slug: str) -> RenderedPage:
        """Return a guide without its frame. Raises KeyError: no such guide."""
        give_way()  # a long page takes a tenth of a second, so other requests run before it
        guide = GUIDES[slug]
        text = _text(slug)
        return render(text, lambda to: self._link(to, guide.path, self._place(slug)))

    @cached_property
    def titles(self) -> dict[str, str]:
        """The title of each guide, by its slug."""
        return {slug: title_of(_text(slug)) for slug in GUIDES}

    def search(self) -> bytes:
        """Return the index for the search: address, page, heading and text of each section."""
        place = self._place(FRONT)
        rows = [
            [place.page(slug) + (f"#{each.anchor}" if each.level > 1 else ""),
             self.titles[slug], each.title, each.text]
            for slug in GUIDES
            for each in self.rendered(slug).sections
        ]  # fmt: skip
        return orjson.dumps(rows)

    def files(self) -> Iterator[tuple[str, bytes]]:
        """Yield path and content of each file of the site."""
        for slug in (FRONT, *GUIDES):
            yield as_file(slug), self.page(slug).encode()
        yield as_file("404"), self.missing().encode()
        yield SEARCH, self.search()
        for path in assets():
            yield path, (ROOT / "docs" / path).read_bytes()
        for part in PARTS:
            yield part, (STATIC / part).read_bytes()

    def _framed(self, template: str, slug: str, tongue: str, **more: object) -> str:
        frame = self._frames.get_template(template)
        return frame.render(
            tongue=tongue, slug=slug, place=self._place(slug), titles=self.titles,
            purposes=PURPOSES, front=FRONT, search=SEARCH, version=VERSION, **more,
        )  # fmt: skip

    @staticmethod
    def _link(target: str, path: str, place: SitePlace) -> str | None:
        if "://" in target or target.startswith(("#", "mailto:")):
            return target
        name, mark, anchor = target.partition("#")
        file = posixpath.normpath(posixpath.join(posixpath.dirname(path), name))
        if file in BY_PATH:
            return f"{place.page(BY_PATH[file])}{mark}{anchor}"
        below = file.removeprefix("docs/")
        if below != file and below in assets():
            return place.page(below)
        return f"/{file}" if file in _DOCUMENTS and place.served else None


def _text(slug: str) -> str:
    return (ROOT / GUIDES[slug].path).read_text(encoding="utf-8")


@cache
def assets() -> list[str]:
    """Return the paths below ``docs`` of the other files that guides show or link to."""
    folder = ROOT / "docs"
    found = (each for each in folder.rglob("*") if each.suffix in ASSETS)
    return sorted(each.relative_to(folder).as_posix() for each in found)
