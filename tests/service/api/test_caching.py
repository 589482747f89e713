"""Caching: ETags, 304, ``Cache-Control``, pages of lists, HEAD, and OPTIONS."""

from collections.abc import Iterator

import pytest
from redis import Redis
from werkzeug.test import TestResponse

from service.api.http.access import ADMINS
from tests.service.api.document import MADE
from tests.service.api.people import House, Json, Person, data, problem
from tests.service.api.resources.test_bots import made

PAGES = (
    "/",
    "/docs",
    "/docs/problems",
    "/docs/problems/game_over",
    "/tournaments",
    "/tournaments/x",
    "/games/x",
    "/verify.html",
    "/static/page.css",
)
DOCUMENTS = ("/openapi.json", "/openapi.yaml")
RULESETS = ("/v1/rulesets", "/v1/rulesets/sealed")
PUBLIC = {**dict.fromkeys(RULESETS, "public, max-age=300"), "/v1/rulesets/sealed/board": "no-cache"}
"""``Cache-Control`` of the answers that are the same for all callers."""
READS = sorted(
    path
    for path, item in MADE["paths"].items()
    if "get" in item
    and path.startswith("/v1")
    and not path.endswith(("/stream", "/export"))  # these answers are made while they are sent
    # Only for finished games, or once a worker made it: ``test_analysis``, ``test_scores``,
    # ``test_hint``.
    and not path.endswith(("/analysis", "/scores", "/hint"))
    and item["get"]["security"] != ADMINS.documented
)
URL = "https://example.org/lonja"
KEPT = ("Cache-Control", "ETag", "Vary")
SAME = (*KEPT, "Content-Encoding", "Content-Length", "Content-Type", "Link")


def told(answer: TestResponse, names: tuple[str, ...]) -> list[str | None]:
    return [answer.headers.get(name) for name in names]


@pytest.fixture
def ana(house: House) -> Person:
    return house.player()


@pytest.fixture
def places(house: House, ana: Person) -> Json:
    """Values of path parameters: a game, a tournament, a key, a webhook, a bot account, a seek."""
    entries = [{"bot": "greedy"}, {"bot": "random"}]
    body = {"ruleset": "sealed", "seats": 2, "entries": entries}
    cup = ana.post("/v1/tournaments", {**body, "format": {"type": "round_robin", "games": 2}})
    return {
        "game_id": house.table(ana, house.player()).rpartition("/")[2],
        "tournament_id": data(cup)["id"],
        "ruleset_id": "sealed",
        "document": "board",
        "player_id": ana.id,
        "bot_id": made(ana).id,
        "key_id": data(ana.get("/v1/players/me"))["key"]["id"],
        "seek_id": data(ana.post("/v1/seeks", {"ruleset": "sealed", "seats": 3}))["id"],
        "webhook_id": data(ana.post("/v1/players/me/webhooks", {"url": URL}))["id"],
    }


def reads(places: Json) -> Iterator[str]:
    bot = {**places, "player_id": places["bot_id"]}
    for path in READS:
        query = "?seat=0&element=place:nowhere" if path.endswith("/refusal") else ""
        yield path.format(**bot if path.startswith("/v1/bots/") else places) + query


def test_what_a_caller_has_is_not_sent_again(house: House, ana: Person, places: Json) -> None:
    for path in (*reads(places), *PAGES, *DOCUMENTS):
        first = ana.get(path, Accept_Encoding="br")
        assert (first.status_code, bool(first.data)) == (200, True), path
        assert "Accept-Encoding" in first.headers["Vary"], path
        again = ana.get(path, Accept_Encoding="br", If_None_Match=first.headers["ETag"])
        assert (again.status_code, again.data) == (304, b""), path
        assert told(again, KEPT) == told(first, KEPT), path
        assert ana.get(path, If_None_Match='"other"').status_code == 200, path


def test_head_is_get_without_a_body(house: House, ana: Person, places: Json) -> None:
    for path in (*reads(places), *PAGES, *DOCUMENTS, "/healthz", "/readyz"):
        whole = ana.get(path, Accept_Encoding="gzip")
        head = house.client.head(path, headers={**ana.headers, "Accept-Encoding": "gzip"})
        assert (head.status_code, head.data) == (whole.status_code, b""), path
        assert told(head, SAME) == told(whole, SAME), path
        made_as_sent = path.endswith("/record")
        length = None if made_as_sent else str(len(whole.data))
        assert head.headers.get("Content-Length") == length, path
    head = house.client.head("/v1/games/nothing")
    assert (head.status_code, head.data) == (404, b"")


def test_an_answer_says_who_may_keep_it(house: House, ana: Person, places: Json) -> None:
    for path in reads(places):
        answer = ana.get(path)
        assert ("Authorization" in answer.headers["Vary"]) == (path not in PUBLIC), path
        expected = PUBLIC.get(path, "private, no-cache")
        assert answer.headers["Cache-Control"] == expected, path
    assert house.visitor.get("/v1/games").headers["Cache-Control"] == "no-cache"
    assert house.visitor.get("/v1/players/me").headers["Cache-Control"] == "no-store"
    assert ana.post("/v1/stream_tickets").headers["Cache-Control"] == "no-store"


def test_what_an_invitation_opens_is_kept_by_nobody(house: House, ana: Person) -> None:
    body = {"ruleset": "sealed", "seats": [{"holder": "me"}, {"holder": "open"}]}
    made = ana.post("/v1/games", {**body, "table": {"visibility": "private"}})
    url = made.headers["Location"]
    token = data(ana.post(f"{url}/invitations", {}))["token"]
    for path in ("", "/state", "/events", "/log"):
        answer = house.visitor.get(url + path, Invitation=token)
        assert answer.status_code == 200
        assert told(answer, KEPT[:1]) == ["private, no-store"], path
        again = house.visitor.get(
            url + path, Invitation=token, If_None_Match=answer.headers["ETag"]
        )
        assert (again.status_code, told(again, KEPT[:1])) == (304, ["private, no-store"])
    for answer in (house.visitor.get(url, Invitation=token), ana.get(url), ana.get("/v1/games")):
        assert "Invitation" in answer.headers["Vary"].split(", ")


def test_lists_change_with_what_they_list(house: House, ana: Person) -> None:
    house.table(ana, house.player())
    for path in ("/v1/games", "/v1/games?player=me"):
        tag = ana.get(path).headers["ETag"]
        assert ana.get(path, If_None_Match=tag).status_code == 304
        house.table(ana, house.player())
        assert ana.get(path, If_None_Match=tag).status_code == 200


def test_a_page_leads_to_the_next(house: House, ana: Person, places: Json) -> None:
    house.table(ana, house.player())
    game, cup = f"/v1/games/{places['game_id']}", f"/v1/tournaments/{places['tournament_id']}"
    for path in (
        "/v1/games?ruleset=sealed&limit=1",
        "/v1/tournaments?limit=1",
        f"{cup}/events?limit=1",
        f"{game}/events?seat=0&limit=1",
        f"{game}/log?limit=1",
    ):
        pages, at = 0, path
        while at:
            page = ana.get(at)
            body = data(page)
            place = body.get("next_cursor") or body.get("next_after")
            at = next_of(page)
            assert bool(at) == (place is not None), path
            assert not at or "limit=1" in at
            pages += 1
        assert pages > 1, path
    lines = ana.get(f"{game}/events?format=ndjson&limit=1")
    assert lines.headers["Link"] == f'<{game}/events?format=ndjson&limit=1&after=1>; rel="next"'


def next_of(page: TestResponse) -> str:
    target, _, relation = page.headers.get("Link", '<>; rel="next"').partition(">; ")
    assert (target[0], relation) == ("<", 'rel="next"')
    return target[1:]


def test_head_of_a_stream_spends_nothing(house: House, ana: Person) -> None:
    url = house.table(ana, house.player())
    ticket = data(ana.post("/v1/stream_tickets"))["ticket"]
    stream, hub = f"{url}/stream?ticket={ticket}", house.app.extensions["lonja"].hub
    house.client.head(stream)
    head = house.client.head(stream)
    assert (head.status_code, head.mimetype, hub.count) == (200, "text/event-stream", 0)
    assert "Content-Length" not in head.headers
    assert house.client.head(f"{stream}&seat=1").status_code == 403
    answer = house.visitor.get(stream)
    assert (answer.status_code, hub.count) == (200, 1)
    assert told(answer, SAME) == told(head, SAME)
    answer.close()
    problem(house.visitor.get(stream), 401, "unknown_ticket")


def test_options_tells_the_methods_and_asks_nobody(
    house: House, redis_client: Redis, ana: Person
) -> None:
    redis_client.config_resetstat()
    for path, methods in (
        ("/v1/games", {"GET", "HEAD", "POST", "OPTIONS"}),
        ("/v1/games/g07-mfrggzdfmztwq2lknnwg", {"GET", "HEAD", "DELETE", "OPTIONS"}),
        ("/v1/rulesets/sealed", {"GET", "HEAD", "OPTIONS"}),
        ("/v1/games/g07-mfrggzdfmztwq2lknnwg/moves", {"POST", "OPTIONS"}),
        ("/v1/tournaments/preview", {"POST", "OPTIONS"}),
    ):
        answer = house.client.options(path, headers=ana.headers)
        assert (answer.status_code, answer.data) == (200, b"")
        assert set(answer.headers["Allow"].split(", ")) == methods
        assert "RateLimit-Limit" not in answer.headers
    stats: Json = redis_client.info("commandstats")
    assert not {"cmdstat_get", "cmdstat_hget", "cmdstat_hmget", "cmdstat_evalsha"} & stats.keys()


def test_a_path_of_its_own_has_the_methods_that_options_tells(house: House, ana: Person) -> None:
    for ask in (ana.get, ana.delete):
        answer = ask("/v1/tournaments/preview")
        problem(answer, 405, "method_not_allowed")
        assert set(answer.headers["Allow"].split(", ")) == {"POST", "OPTIONS"}
