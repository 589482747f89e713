"""Pages that the service makes."""

import re
from html.parser import HTMLParser

import pytest

from service.api import activity, web
from service.games import exhibition
from service.problems import CODES, RETRY_AFTER, type_of
from service.redis.server import RedisServer
from tests.faults.conftest import kill_redis
from tests.service.api.people import House, data

LINK = re.compile(r'"(?:\./|/static/app/)([\w-]+\.(?:js|css))(\?v=\w+)?"')
"""A link to a part of the client, with its version."""


class Page(HTMLParser):
    """The text and links of a page; every opened element must be closed."""

    _EMPTY = frozenset(("meta", "link", "br", "img", "input"))
    _CLIENT = "/static/app/app.js"

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: set[str] = set()
        self.scripts: set[str] = set()
        self.words = ""
        self.language = ""
        self._open: list[str] = []
        self.feed(text)
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "script":
            assert given["src"] is not None
            self.scripts.add(given["src"])
        assert not any(name.startswith("on") or name == "style" for name in given)
        if tag == "html":
            self.language = given["lang"] or ""
        if tag == "a":
            self.links.add(given["href"] or "")
        if tag not in self._EMPTY:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words += data


def page(house: House, path: str, **headers: str) -> Page:
    answer = house.visitor.get(path, **headers)
    assert (answer.status_code, answer.mimetype) == (200, "text/html"), path
    policy = answer.headers["Content-Security-Policy"].split("; ")
    assert "default-src 'none'" in policy
    assert not any("unsafe" in rule for rule in policy)
    found = Page(answer.text)
    assert [rule for rule in policy if rule.startswith("script-src")] == (
        ["script-src 'self'"] if found.scripts else []
    )
    assert all(script.startswith("/static/") for script in found.scripts)
    return found


def test_the_type_of_every_problem_leads_to_its_page(house: House) -> None:
    every = page(house, "/docs/problems")
    for code, known in CODES.items():
        found = page(house, type_of(code))
        assert type_of(code) in every.links
        for text in (known.title, known.advice.replace("`", ""), str(known.status)):
            assert text in said(found), code
        if code in RETRY_AFTER:
            assert f"after {RETRY_AFTER[code]} s" in found.words
    assert "/docs/reference/play/playMove" in page(house, type_of("illegal_move")).links
    assert "Any request" in page(house, type_of("rate_limited")).words


@pytest.mark.parametrize("path", ["/v1/nothing", "/v1/players/me", "/docs/problems/nothing"])
def test_a_problem_leads_there_from_where_it_was_met(house: House, path: str) -> None:
    met = house.visitor.get(path).json
    assert met is not None
    assert met["code"] in page(house, met["type"]).words


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the first page read the lists at each request."""
    monkeypatch.setattr(activity, "FRESH_FOR", 0.0)


def said(found: Page) -> str:
    return " ".join(found.words.split())


@pytest.mark.usefixtures("fresh")
def test_the_door_tells_what_runs_and_where_to_go(house: House) -> None:
    ana, ben = house.player(), house.player("Ben")
    assert "Games running 0" in said(page(house, "/"))
    url = house.table(ana, ben)
    seats = [{"holder": "me"}, {"holder": "open"}]
    table = {"title": "<b>Tea</b> & cake"}
    ana.post("/v1/games", {"ruleset": "sealed", "seats": seats, "table": table})
    hidden = {"visibility": "private", "title": "Whispers"}
    ana.post("/v1/games", {"ruleset": "sealed", "seats": seats, "table": hidden})
    seen = page(house, "/")
    words = said(seen)
    assert "Games running 1 Tables waiting for players 1 Tournaments 0" in words
    assert "2 people;" in words
    assert "Ana" not in words, "who has left is nowhere by name"
    assert "Open tables <b>Tea</b> & cake Sealed; 1 person, 1 open seat;" in words
    assert "Whispers" not in words
    assert url.removeprefix("/v1") in seen.links
    for path in seen.links:
        assert house.visitor.get(path).status_code == 200, path
    exhibited = url.rpartition("/")[2]
    house.app.extensions["lonja"].runtime.redis.set(exhibition.GAME_KEY, exhibited)
    assert "Watch the exhibition" in page(house, "/").words


@pytest.mark.usefixtures("fresh")
def test_the_door_tells_of_tournaments_under_way(house: House) -> None:
    entries = [{"bot": "random", "name": "one"}, {"bot": "random", "name": "other"}]
    form = {"name": "Spring cup", "ruleset": "sealed", "entries": entries,
            "format": {"type": "round_robin", "games": 4}}  # fmt: skip
    made = house.player().post("/v1/tournaments", form)
    assert made.status_code == 201, made.text
    assert "Tournaments 1" in said(page(house, "/"))
    assert "Tournaments under way Spring cup Sealed;" in said(page(house, "/"))
    assert f"/tournaments/{data(made)['id']}" in page(house, "/").links


def test_many_visitors_cost_the_store_one_look(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(activity, "FRESH_FOR", 3_600.0)
    before = said(page(house, "/"))
    house.table(house.player(), house.player())
    assert said(page(house, "/")) == before


def test_the_door_speaks_two_languages(house: House) -> None:
    for accepted, tongue, words in (
        ("", "en", "Games on offer"),
        ("es-MX, es;q=0.9, en;q=0.8", "es", "Juegos"),
        ("de", "en", "Games on offer"),
    ):
        found = page(house, "/", Accept_Language=accepted)
        assert (found.language, words in found.words) == (tongue, True)
    assert "Accept-Language" in house.visitor.get("/").headers["Vary"]


def test_the_door_stays_open_while_the_store_is_away(
    house: House, redis_server: RedisServer
) -> None:
    kill_redis(redis_server)
    assert "cannot be read" in page(house, "/").words


def test_rooms_of_the_client_run_no_script_but_the_clients_own(house: House) -> None:
    game = "/games/g07-mfrggzdfmztwq2lknnwg"
    for path in (
        "/",
        "/lobby",
        "/log",
        game,
        "/players/p",
        "/rules",
        "/rules/ragusa",
        "/you",
        "/settings",
    ):
        page(house, path)
        policy = house.visitor.get(path).headers["Content-Security-Policy"]
        for rule in ("script-src 'self'", "style-src 'self'", "connect-src 'self'"):
            assert rule in policy.split("; ")
    assert "JavaScript" in page(house, game).words


def test_parts_of_the_client_are_kept_for_good_in_their_versions_alone(house: House) -> None:
    seen, linked = {"versions.json"}, [page_of_a_room(house)]
    while linked:
        for name, version in LINK.findall(linked.pop()):
            address = f"/static/app/{name}"
            stays = house.visitor.get(address)
            assert (stays.status_code, stays.headers["Cache-Control"]) == (200, "no-cache"), name
            if name in seen:
                continue
            seen.add(name)
            linked.append(stays.text)
            if name == "kit.js":  # renderers of other rulesets import it
                assert version == ""
                continue
            kept = house.visitor.get(address + version)
            assert kept.text == stays.text
            assert kept.headers["Cache-Control"] == "public, max-age=31536000, immutable"
            gone = house.visitor.get(f"{address}?v={'0' * len(version)}")
            assert (gone.status_code, gone.headers["Cache-Control"]) == (404, "no-store"), name
    assert seen == {file.name for file in (web.STATIC / "app").iterdir()}


def page_of_a_room(house: House) -> str:
    """Return the page that loads the first parts; it must be of the running release."""
    page = house.visitor.get("/lobby")
    assert page.headers["Cache-Control"] == "no-cache"
    return page.text
