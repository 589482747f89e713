"""The pages of the site, each in its frame: for the service, or as files."""

import json
import posixpath
import re
from collections.abc import Callable, Iterator
from functools import cache, cached_property
from http import HTTPStatus
from pathlib import Path
from typing import Any, NamedTuple

import orjson
from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup, escape

from rules.kernel.canonical import JsonObject, digest
from rules.kernel.contract.labels import LANGUAGES
from service.guides.arrangement import ASSETS, BY_PATH, GUIDES, PURPOSES, ROOT
from service.guides.markdown import RenderedPage, anchor_of, render, title_of
from service.guides.names import PROBLEMS, Names, problem_slug
from service.guides.reference import document as reference
from service.guides.reference.document import ApiReference, object_slug
from service.problems import CODES, MEMBER_MEANINGS, MEMBERS, RETRY_AFTER, example_problem
from service.process.fair_queue import give_way
from service.version import VERSION

WEB = Path(__file__).parents[1] / "web"
STATIC = WEB / "static"
PARTS = ("guides.css", "guides.js")
"""The files in ``STATIC`` that each page loads."""
SEARCH = "search.json"
_DOCUMENTS = ("openapi.yaml", "asyncapi.yaml")
"""Files that the service answers at its root."""
_ADDRESS = "/docs/"
_ADDRESSES = re.compile(r"(?<![\w`/])/docs/[\w/.#-]*\w(?![\w{])")
"""Matches addresses of guides that are plain text in the API's description."""
_TICKED = re.compile("`([^`]+)`")
_ANCHORED = re.compile(r"^(?:#+|\|) (`[^`|]+`(?= \|)|(?<=# ).+)", re.MULTILINE)
FRONT = ""
"""The slug of the list of all guides."""


class SitePlace(NamedTuple):
    """The form of the links on a page.

    ``served`` is true if the service sends the pages, and false in a site of files.
    """

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
    """Return the form of the links on the page ``slug``, for a site that is written to files.

    All links are relative to that page.
    """
    here = posixpath.dirname(as_file(slug))

    def relative(path: str) -> str:
        return posixpath.relpath(path, here or ".")

    return SitePlace(lambda to: relative(as_file(to)), relative, served=False)


class SearchRow(NamedTuple):
    """A result of the search: the address, the page's title, a heading, and the text below it."""

    address: str
    page: str
    heading: str
    text: str


class Site:
    """Makes the pages of the site.

    ``place`` takes a page's slug, and returns the form of the links on that page.

    ``document`` returns the OpenAPI document, from which the reference is made.
    """

    def __init__(
        self,
        document: Callable[[], JsonObject],
        place: Callable[[str], SitePlace] = lambda _slug: SERVED,
    ) -> None:
        self._document = document
        self._place = place
        self._frames = Environment(loader=FileSystemLoader(WEB / "templates"), autoescape=True)
        self._frames.filters |= {
            "phrase": lambda status: HTTPStatus(status).phrase,
            "code": _code,
            "as_json": lambda value: json.dumps(value, indent=2, ensure_ascii=False),
        }

    @cached_property
    def reference(self) -> ApiReference:
        """The reference of the API."""
        give_way()  # the document takes a second, the first time
        return ApiReference(self._document())

    @cached_property
    def slugs(self) -> frozenset[str]:
        """The slugs of all pages."""
        return frozenset(self._pages)

    def page(self, slug: str, tongue: str = LANGUAGES[0]) -> str:
        """Return a page in its frame; ``tongue`` is the frame's language. Raises KeyError."""
        template, content = self._pages[slug]
        return self._framed(template, slug, tongue, **content(slug))

    def missing(self, tongue: str = LANGUAGES[0]) -> str:
        """Return the page that is shown for wrong addresses."""
        return self._framed("no_guide.html", FRONT, tongue)

    def rendered(self, slug: str) -> RenderedPage:
        """Return a guide without its frame. Raises KeyError: no such guide."""
        give_way()  # a long page takes a tenth of a second, so other requests run before it
        return self._marked(slug, _text(slug), GUIDES[slug].path)

    @cached_property
    def titles(self) -> dict[str, str]:
        """The title of each guide, by its slug."""
        return {slug: title_of(_text(slug)) for slug in GUIDES}

    def search(self) -> bytes:
        """Return the index for the search, a list of ``SearchRow``."""
        return orjson.dumps([list(row) for row in self._search_rows()])

    @cached_property
    def _pages(self) -> dict[str, tuple[str, Callable[[str], dict[str, Any]]]]:
        """The templates of the pages, by slug.

        With each template comes a function that returns the template's variables.
        """
        api = self.reference
        found: dict[str, tuple[str, Callable[[str], dict[str, Any]]]] = {
            FRONT: ("guides.html", lambda _: {}),
            reference.FRONT: ("reference.html", lambda _: {}),
        }
        found |= dict.fromkeys(GUIDES, ("guide.html", self._guide))
        found |= dict.fromkeys(
            api.tags, ("reference_tag.html", lambda slug: {"tag": api.tags[slug]})
        )
        found |= dict.fromkeys(api.operations, ("operation.html", self._operation))
        found |= dict.fromkeys(
            api.object_slugs,
            ("object.html", lambda slug: {"object": api.object_type(api.object_slugs[slug])}),
        )
        return found | dict.fromkeys(map(problem_slug, CODES), ("problem.html", self._problem))

    def _guide(self, slug: str) -> dict[str, Any]:
        tags = self.reference.tags.values()
        return {
            "guide": self.rendered(slug),
            "tags": [tag for tag in tags if tag.guide.partition("#")[0] == slug],
        }

    def _operation(self, slug: str) -> dict[str, Any]:
        operation = self.reference.operations[slug]
        return {
            "operation": operation,
            "codes": CODES,
            "everywhere": self._everywhere,
            "tag": self.reference.tags[f"{reference.FRONT}/{operation.tag}"],
        }

    @cached_property
    def _everywhere(self) -> frozenset[str]:
        return frozenset(code for code in CODES if self.reference.is_anywhere(code))

    def _problem(self, slug: str) -> dict[str, Any]:
        code = slug.removeprefix(problem_slug(""))
        return {
            "code": code,
            "known": CODES[code],
            "retry_after": RETRY_AFTER.get(code),
            "anywhere": code in self._everywhere,
            "operations": self.reference.answering(code),
            "members": [(member, MEMBER_MEANINGS[member]) for member in MEMBERS.get(code, ())],
            "example": example_problem(code),
        }

    def _search_rows(self) -> Iterator[SearchRow]:
        address = self._place(FRONT).page
        for slug in GUIDES:
            for each in self.rendered(slug).sections:
                anchor = f"#{each.anchor}" if each.level > 1 else ""
                yield SearchRow(address(slug) + anchor, self.titles[slug], each.title, each.text)
        for slug, operation in self.reference.operations.items():
            told = f"{operation.method} {operation.path}"
            text = f"{operation.name}: {operation.description}"
            yield SearchRow(address(slug), told, operation.summary, text)
        for name, schema in self.reference.schemas.items():
            told = schema.get("description", "")
            yield SearchRow(address(object_slug(name)), "API", name, told)
        for code, known in CODES.items():
            told = f"{known.title}. {known.advice}"
            yield SearchRow(address(problem_slug(code)), self.titles[PROBLEMS], code, told)

    def files(self) -> Iterator[tuple[str, bytes]]:
        """Yield path and content of each file of the site."""
        for slug in self._pages:
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
            purposes=PURPOSES, front=FRONT, search=SEARCH, version=VERSION, api=self.reference,
            api_front=reference.FRONT, problems=PROBLEMS, problem_slug=problem_slug,
            object_slug=object_slug, marked=lambda text: self._marked(slug, _linked(text)).html,
            **more,
        )  # fmt: skip

    def _marked(self, slug: str, text: str, path: str = "") -> RenderedPage:
        """Return a text on the page ``slug`` as HTML; its links are relative to ``path``."""
        place = self._place(slug)
        return render(
            text,
            lambda to: self._link(to, path, place),
            lambda name: self._named(name, slug, place),
        )

    @cached_property
    def _names(self) -> Names:
        return Names(self.reference, {slug: _anchors(_text(slug)) for slug in GUIDES})

    def _named(self, name: str, slug: str, place: SitePlace) -> str | None:
        found = self._names.place_of(name)
        if found is None or found[0] == slug:
            return None
        return place.page(found[0]) + (f"#{found[1]}" if found[1] else "")

    def _link(self, target: str, path: str, place: SitePlace) -> str | None:
        if "://" in target or target.startswith(("#", "mailto:")):
            return target
        name, mark, anchor = target.partition("#")
        if name.startswith(_ADDRESS):
            slug = name.removeprefix(_ADDRESS)
            if slug in self.slugs:
                return f"{place.page(slug)}{mark}{anchor}"
            return target if place.served else None
        file = posixpath.normpath(posixpath.join(posixpath.dirname(path), name))
        if file in BY_PATH:
            return f"{place.page(BY_PATH[file])}{mark}{anchor}"
        below = file.removeprefix("docs/")
        if below != file and below in assets():
            return place.page(below)
        return f"/{file}" if file in _DOCUMENTS and place.served else None


def _code(text: str) -> Markup:
    """Return a text as HTML, with words between backticks as code."""
    return Markup(_TICKED.sub(r"<code>\1</code>", str(escape(text))))  # noqa: S704 - just escaped


def _linked(text: str) -> str:
    """Return a text of the API's description, with links instead of plain addresses of guides."""
    return _ADDRESSES.sub(lambda found: f"[{found[0]}]({found[0]})", text)


def _anchors(text: str) -> frozenset[str]:
    """Return the anchors of the headings of a guide, and of its tables' rows."""
    return frozenset(anchor_of(name.replace("`", "")) for name in _ANCHORED.findall(text))


def _text(slug: str) -> str:
    return (ROOT / GUIDES[slug].path).read_text(encoding="utf-8")


@cache
def assets() -> list[str]:
    """Return the paths below ``docs`` of the files that guides show or link to.

    The guides themselves are not included.
    """
    folder = ROOT / "docs"
    found = (each for each in folder.rglob("*") if each.suffix in ASSETS)
    return sorted(each.relative_to(folder).as_posix() for each in found)
