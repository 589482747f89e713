"""The guides at /docs of a service, and as files of a static site."""

import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import orjson
import pytest
import yaml
from flask import Flask

from service.api.openapi import ApiDocument
from service.guides.arrangement import ASSETS, GUIDES, PURPOSES, ROOT
from service.guides.markdown import render
from service.guides.site import SEARCH, Site
from tests.running import ROOT as CHECKOUT
from tests.service.api.document import MADE
from tests.service.api.people import House, problem
from tools import site

AWAY = re.compile(r"(https?://|mailto:|data:)")
SITE = Site(lambda: MADE)


class Page(HTMLParser):
    """The links of a page, and the anchors in it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: set[str] = set()
        self.anchors: set[str] = {""}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        assert not any(name.startswith("on") or name == "style" for name in given), tag
        self.anchors.add(given.get("id", ""))
        self.links |= {given[name] for name in ("href", "src", "data-index") if name in given}


OBJECTS = "/docs/reference/schemas/"
"""The path of the pages of named schemas, most of all pages; their links are alike."""


@pytest.fixture(scope="module")
def documents() -> dict[str, ApiDocument]:
    """The description, made once for all services of these tests."""
    return {}


@pytest.fixture(autouse=True)
def one_document(app: Flask, documents: dict[str, ApiDocument]) -> None:
    name = "lonja_document"
    app.extensions[name] = documents.setdefault(name, app.extensions[name])


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The static site."""
    folder = tmp_path_factory.mktemp("site")
    site.write(folder)
    return folder


def test_every_link_of_every_page_leads_somewhere(house: House) -> None:
    addresses = {f"/docs/{slug}" for slug in SITE.slugs}
    pages: dict[str, Page] = {}
    for address in addresses:
        if not address.startswith(OBJECTS) or address.endswith("/Game"):
            answer = house.visitor.get(address)
            assert (answer.status_code, answer.mimetype) == (200, "text/html"), address
            assert "script-src 'self'" in answer.headers["Content-Security-Policy"].split("; ")
            assert "unsafe" not in answer.headers["Content-Security-Policy"]
            pages[address] = Page(answer.text)
    others: set[str] = set()
    for address, page in pages.items():
        for link in page.links:
            if AWAY.match(link):
                continue
            to = urlsplit(urljoin(address, link))
            if to.path in pages:
                assert to.fragment in pages[to.path].anchors, (address, link)
            elif to.path not in addresses:
                others.add(f"{to.path}?{to.query}")
    for other in others:
        assert house.visitor.get(other).status_code == 200, other


def test_every_page_of_the_files_leads_to_files(written: Path) -> None:
    pages = {file: Page(file.read_text()) for file in written.rglob("*.html")}
    assert len(pages) == len(SITE.slugs) + 1
    for file, page in pages.items():
        for link in page.links:
            if AWAY.match(link):
                continue
            name, _, anchor = link.partition("#")
            assert not name.startswith("/"), (file, link)
            to = (file.parent / name).resolve() if name else file
            assert to.is_file(), (file, link)
            if to in pages:
                assert anchor in pages[to].anchors, (file, link)


def test_every_page_of_docs_is_a_guide_for_one_need() -> None:
    listed = [guide.path for purpose in PURPOSES for guide in purpose.guides]
    assert len(listed) == len({*listed}) == len(GUIDES)
    found = {path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md")}
    assert found <= {*listed}
    others = [file for file in (ROOT / "docs").rglob("*") if file.is_file()]
    assert {file.suffix for file in others} <= {".md", *ASSETS}


def test_the_frame_speaks_two_languages_and_the_guides_english(house: House) -> None:
    for accepted, tongue, word in (
        ("de", "en", "Glossary"),
        ("es-MX, es;q=0.9, en;q=0.8", "es", "Glosario"),
    ):
        answer = house.visitor.get("/docs/glossary", Accept_Language=accepted)
        assert f'<html lang="{tongue}">' in answer.text
        assert f">{word}</a>" in answer.text
        assert '<article lang="en">' in answer.text
        assert "Accept-Language" in answer.headers["Vary"]


def test_a_guide_is_sent_when_it_is_news(house: House) -> None:
    first = house.visitor.get("/docs/format")
    again = house.visitor.get("/docs/format", If_None_Match=first.headers["ETag"])
    assert (again.status_code, again.data) == (304, b"")
    assert first.headers["Cache-Control"] == "public, max-age=300"
    head = house.client.head("/docs/format")
    assert (head.status_code, head.data) == (200, b"")


@pytest.mark.parametrize(
    "path",
    ["nothing", "api/nothing", "format.md", "../README.md", "%2e%2e/pyproject.toml", "a" * 900],
)
def test_a_wrong_address_answers_a_page_that_leads_on(house: House, path: str) -> None:
    answer = house.visitor.get(f"/docs/{path}", Accept="text/html")
    assert (answer.status_code, answer.mimetype) == (404, "text/html")
    assert answer.headers["Cache-Control"] == "no-store"
    assert "/docs/glossary" in Page(answer.text).links


def test_the_search_finds_each_section(house: House) -> None:
    rows = orjson.loads(house.visitor.get(f"/docs/{SEARCH}").data)
    by_address = {address: (page, heading, text) for address, page, heading, text in rows}
    assert "Receipts" in by_address["/docs/format#receipts"]
    assert by_address.keys() >= {f"/docs/{slug}" for slug in GUIDES}
    page, _heading, text = by_address["/docs/glossary"]
    assert page == "Glossary"
    assert "receipt" in text


def test_each_tag_of_the_document_leads_to_its_guide(house: House) -> None:
    document = yaml.load((CHECKOUT / "openapi.yaml").read_bytes(), yaml.CSafeLoader)
    assert document["tags"]
    for tag in document["tags"]:
        address, _, anchor = tag["externalDocs"]["url"].partition("#")
        page = Page(house.visitor.get(address).text)
        assert anchor in page.anchors, tag
        assert f"/docs/reference/{tag['name']}" in page.links, "the guide leads back"
        assert tag["externalDocs"]["url"] in Page(SITE.page(f"reference/{tag['name']}")).links


def test_what_the_document_refers_to_is_on_this_service(house: House) -> None:
    text = (CHECKOUT / "openapi.yaml").read_text(encoding="utf-8")
    assert ".md" not in text, "nobody who visits a service has the files"
    for address in {*re.findall(r"/docs/[\w/.-]*\w", text)}:
        assert house.visitor.get(address).status_code == 200, address


@pytest.mark.parametrize("slug", GUIDES)
def test_no_guide_has_markup_that_would_be_shown(slug: str) -> None:
    prose = re.sub(r"<code.*?</code>", "", SITE.rendered(slug).html, flags=re.DOTALL)
    assert re.findall(r"&lt;/?[a-z]+\b", prose) == []


def test_markup_in_a_guide_is_text() -> None:
    text = "# T\n\n<script>alert(1)</script> [a](javascript:x) <b>\n"
    html = render(text, lambda to: to).html
    assert "<script" not in html
    assert "<b>" not in html
    assert "href" not in html


@pytest.mark.parametrize("path", ["/nothing", "/v1/nothing", "/games/x/y"])
def test_a_wrong_path_answers_browsers_with_a_page_and_programs_with_a_problem(
    house: House, path: str
) -> None:
    browsers = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
    page = house.visitor.get(path, Accept=browsers)
    assert (page.status_code, page.mimetype) == (404, "text/html")
    assert "/docs" in Page(page.text).links
    assert "Accept" in page.headers["Vary"]
    for accepted in ("*/*", "application/json", ""):
        problem(house.visitor.get(path, Accept=accepted), 404, "not_found")


def test_a_problem_has_its_title_in_the_callers_language(house: House) -> None:
    for language, title in (("en", "There is no such game"), ("es", "No existe esa partida")):
        told = house.visitor.get("/v1/games/g07-mfrggzdfmztwq2lknnwg", Accept_Language=language)
        assert problem(told, 404, "unknown_game")["title"] == title
        assert told.headers["Content-Language"] == language
