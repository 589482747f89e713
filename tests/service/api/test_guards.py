"""For callers who may not see a game, every operation answers as if the game did not exist. The
application does not start with an operation that declares no access.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest
from flask import Flask, Response
from werkzeug.test import TestResponse

from service.api import openapi
from service.api.app import create_app
from service.api.http.access import ADMINS, ANY_CALLER, PLAYERS, Access
from service.api.http.context import Caller
from service.api.http.guards import ADMINS_GAME, GAME, TOURNAMENT, Guard, parameters
from service.api.http.headers import ACCEPT_LANGUAGE
from service.api.http.operations import Blueprint, Operation
from service.api.http.responses import answer
from service.api.schemas.queries import RankingQuery, RankingQuerySchema
from service.redis.keys import game_key
from service.runtime import Runtime
from tests.pushed import PushedBrowser
from tests.service.api.people import House, Person, data, seat_key
from tests.service.api.test_private_tables import finish, invited, opened, sits

NONE = "g07-mfrggzdfmztwq2lknnwg"
NO_CUP = "t07-mfrggzdfmztwq2lknnwg"
PARTS = {"seat": "1", "invitation_id": "i-mfrggzdfmztwq2lk"}
VARY_ANYHOW = re.compile(r"RateLimit.*|Server-Timing|Date")
NOT_THERE = {
    "unknown_game", "key_required", "admin_key_required", "not_admin", "insufficient_scope",
}  # fmt: skip
SAFE = "GET"


class Asked(NamedTuple):
    """An operation of the application, and its request."""

    name: str
    method: str
    path: str
    operation: Operation

    def url(self, **named: str) -> str:
        """The URL, with values for all other parts of the path, and a query."""
        known = {**PARTS, **named}
        url = re.sub(r"<(?:\w+:)?(\w+)>", lambda part: known[part[1]], self.path)
        return f"{url}?{'&'.join(f'{name}={value}' for name, value in self._said('query').items())}"

    def body(self) -> Any:
        return None if self.method in {SAFE, "DELETE"} else self._said("json")

    def _said(self, location: str) -> Any:
        found = [schema.example for place, schema in self.operation.reads if place == location]
        return found[0] if found else {}

    def by(self, person: Person, _headers: dict[str, str] | None = None, /, **named: str) -> Any:
        sent = {**person.headers, "X-Request-Id": "the-same", **(_headers or {})}
        if self.method != SAFE:
            sent["Idempotency-Key"] = f"once-{self.name}"
        body = self.body()
        more = {} if body is None else {"json": body}
        return person.house.client.open(self.url(**named), method=self.method, headers=sent, **more)


def operations(app: Flask, *subjects: str) -> list[Asked]:
    """Return all operations of the application with one of these parameters in the path."""
    return [
        Asked(rule.endpoint, method, rule.rule, view)
        for rule in app.url_map.iter_rules()
        if isinstance(view := app.view_functions[rule.endpoint], Operation)
        if rule.arguments & {*subjects}
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    ]


def told(answer: TestResponse, subject: str) -> tuple[int, list[tuple[str, str]], bytes]:
    """Return the contents of an answer, with a placeholder for the id of its object."""
    headers = sorted(
        (name, value.replace(subject, "IT"))
        for name, value in answer.headers
        if not VARY_ANYHOW.fullmatch(name)
    )
    return answer.status_code, headers, answer.data.replace(subject.encode(), b"IT")


class Callers(NamedTuple):
    """The callers of a private game, each with further headers of the requests."""

    blind: dict[str, tuple[Person, dict[str, str]]]
    sighted: dict[str, tuple[Person, dict[str, str]]]


def phases(house: House, runtime: Runtime) -> Iterator[tuple[str, str, Callers]]:
    """Yield a private game before its start, in play, over, and without any sound event."""
    names = ("Ana", "Bob", "Eve", "Dan", "Fay", "Gil")
    ana, bob, eve, dan, fay, gil = (house.player(name) for name in names)
    url = opened(ana, 4)
    data(sits(bob, url, 1, invited(ana, url)["token"]))
    data(sits(dan, url, 2, invited(ana, url)["token"]))
    data(ana.delete(f"{url}/seats/2"))
    revoked = invited(ana, url)
    data(sits(fay, url, 2, revoked["token"]))
    data(fay.delete(f"{url}/seats/2"))
    data(ana.delete(f"{url}/invitations/{revoked['id']}"))
    token = invited(ana, url, uses=2)["token"]
    data(sits(gil, url, 2, token))
    data(gil.delete(f"{url}/seats/2"))
    lent = {"Invitation": token}
    key = seat_key(eve, house.table(eve, fay), 0)
    bound = Person(house, {"Authorization": f"Bearer {key}"})
    other = {"Invitation": invited(ana, opened(ana))["token"]}
    blind = {
        "stranger": (eve, {}),
        "spectator": (house.visitor, {}),
        "expelled": (dan, {}),
        "with a revoked invitation": (eve, {"Invitation": revoked["token"]}),
        "with another table's invitation": (house.visitor, other),
        "whose invitation was revoked": (fay, {}),
        "with a key for another game's seat": (bound, {}),
    }
    sighted: dict[str, tuple[Person, dict[str, str]]] = {
        "host": (ana, {}),
        "other seat": (bob, {}),
        "guest": (gil, {}),
    }
    yield url, "lobby", Callers(blind, {**sighted, "with an invitation": (house.visitor, lent)})
    for seat in (2, 3):
        data(ana.put(f"{url}/seats/{seat}", {"holder": "bot", "bot": "random"}))
    blind["with an invitation that is over"] = house.visitor, lent
    yield url, "running", Callers(blind, sighted)
    finish(runtime, url, {0: ana, 1: bob})
    yield url, "ended", Callers(blind, sighted)
    events = game_key(url.rpartition("/")[2], "events")
    runtime.redis.delete(events)
    runtime.redis.xadd(events, {"x": "y"}, id="1-0")
    del sighted["guest"]  # lists still know the seated players, and nobody else
    yield url, "damaged", Callers(blind, sighted)


def test_no_operation_tells_a_private_game_from_none(house: House, runtime: Runtime) -> None:
    asked = operations(house.app, "game_id")
    assert {one.method for one in asked} >= {"GET", "POST", "PUT", "DELETE"}
    for url, status, callers in phases(house, runtime):
        game_id = url.rpartition("/")[2]
        before = runtime.redis.dump(game_key(game_id, "events"))
        for one in asked:
            for who, (person, sent) in callers.blind.items():
                place = (status, one.name, who)
                private = one.by(person, sent, game_id=game_id)
                missing = one.by(person, sent, game_id=NONE)
                assert told(private, game_id) == told(missing, NONE), place
                assert private.json["code"] in NOT_THERE, place
        assert runtime.redis.dump(game_key(game_id, "events")) == before, "nobody has changed it"
        for one in asked:
            if one.method != SAFE or one.operation.access.scope is not None:
                continue
            for who, (person, sent) in callers.sighted.items():
                seen = one.by(person, sent, game_id=game_id)
                assert seen.status_code == 200 or seen.json["code"] != "unknown_game", (one, who)
                seen.close()


def test_what_is_guarded_is_in_the_matrix(house: House) -> None:
    """A new kind of guarded object needs a matrix of its own."""
    found = [view for view in house.app.view_functions.values() if isinstance(view, Operation)]
    guarded = {view.sees.parameter for view in found if view.sees is not None}
    assert guarded == {"game_id", "tournament_id"}


def test_every_operation_looks_for_its_tournament(house: House) -> None:
    """All tournaments are public, so a tournament exists for everybody or for nobody."""
    asked = operations(house.app, "tournament_id")
    assert len(asked) > 10
    for one in asked:
        if one.operation.access == ADMINS:
            continue
        for person in (house.player("Eve"), house.visitor):
            missing = one.by(person, tournament_id=NO_CUP)
            needs_key = person is house.visitor and one.operation.access.scope is not None
            expected = "key_required" if needs_key else "unknown_tournament"
            assert missing.json["code"] == expected, one


def test_what_is_anothers_own_is_not_there(house: House) -> None:
    ana, eve = house.player("Ana"), house.player("Eve")
    made = data(ana.post("/v1/players/me/webhooks", {"url": "https://example.org/lonja"}))
    own = {"webhook_id": made["id"], "key_id": data(ana.get("/v1/players/me"))["key"]["id"]}
    own["seek_id"] = data(ana.post("/v1/seeks", {"ruleset": "sealed", "seats": 2}))["id"]
    pushed = PushedBrowser().subscription("https://push.example.net/one")
    made = data(ana.post("/v1/players/me/push_subscriptions", pushed))
    own["subscription_id"] = made["id"]
    none = {
        "webhook_id": "w-mfrggzdfmztwq2lk", "key_id": "y-mfrggzdfmztwq2lk",
        "seek_id": "s-mfrggzdfmztwq2lk", "subscription_id": "d-mfrggzdfmztwq2lk",
    }  # fmt: skip
    for one in operations(house.app, *own):
        for parameter in own.keys() & parameters(one.path).keys():
            theirs = one.by(eve, **{parameter: own[parameter]})
            missing = one.by(eve, **{parameter: none[parameter]})
            assert told(theirs, own[parameter]) == told(missing, none[parameter]), one
            assert theirs.json["code"] in {
                "unknown_webhook", "no_such_key", "unknown_seek", "unknown_subscription",
            }, one  # fmt: skip


@pytest.mark.parametrize(
    ("path", "security", "sees"),
    [
        ("/v1/games/<game_id>/whispers", ANY_CALLER, None),
        ("/v1/whispers/<string:game_id>", ANY_CALLER, None),
        ("/v1/admin/whispers/<game_id>", ADMINS, None),
        ("/v1/tournaments/<tournament_id>/whispers", PLAYERS, None),
        ("/v1/tables/<table_id>/whispers", PLAYERS, None),
        ("/whispers/<int:table>", PLAYERS, None),
        ("/v1/games/<game_id>/whispers", ANY_CALLER, TOURNAMENT),
        ("/v1/tournaments/<tournament_id>/whispers/<game_id>", ANY_CALLER, TOURNAMENT),
        ("/v1/games/<game_id>/whispers", ANY_CALLER, ADMINS_GAME),
        ("/v1/whispers", ANY_CALLER, GAME),
        ("/v1/players/<player_id>/whispers", ANY_CALLER.seated, None),
        ("/v1/tournaments/<tournament_id>/whispers", ANY_CALLER.seated, TOURNAMENT),
    ],
)
def test_an_operation_that_does_not_declare_who_sees_is_refused(
    path: str, security: Access, sees: Guard | None
) -> None:
    declared = Blueprint("whispers", __name__)
    with pytest.raises(TypeError, match=r"hearWhispers.*/whispers"):
        declared.operation("GET", path, "hearWhispers", security=security, sees=sees)


def test_an_operation_that_answers_in_words_reads_the_language() -> None:
    whispers = Blueprint("whispers", __name__)

    @whispers.arguments(RankingQuerySchema, location="query")
    def hear(_caller: Caller, _query: RankingQuery) -> Response:
        return answer({})

    headers = [ACCEPT_LANGUAGE]
    declared = whispers.operation(
        "GET", "/v1/whispers", "hearWhispers", security=ANY_CALLER, headers=headers
    )
    with pytest.raises(TypeError, match=r"hearWhispers.*lang"):
        declared(hear)


def test_start_refuses_a_game_behind_no_operation(
    runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    blueprint = Blueprint("whispers", __name__)

    def hear(_caller: Caller, game_id: str) -> Response:
        return answer(game_id)

    blueprint.add_url_rule("/v1/games/<game_id>/whispers", "hear_whispers", hear)
    added = type("resource", (), {"blueprint": blueprint})
    monkeypatch.setattr(openapi, "RESOURCES", (*openapi.RESOURCES, added))
    with pytest.raises(TypeError, match=r"whispers\.hear_whispers"):
        create_app(runtime)


def test_an_operation_that_is_added_is_in_the_matrix(
    runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A caller who may not see the game does not reach the operation's view."""
    blueprint = Blueprint("whispers", __name__)

    def hear(_caller: Caller, game_id: str) -> Response:
        """Return whispers."""
        return answer(game_id)

    documented: Callable[..., Any] = blueprint.response(200, {"type": "string"}, description="")
    blueprint.operation(
        "GET", "/whispers/<game_id>", "hearWhispers", security=ANY_CALLER, sees=GAME
    )(documented(hear))
    added = type("resource", (), {"blueprint": blueprint})
    monkeypatch.setattr(openapi, "RESOURCES", (*openapi.RESOURCES, added))
    house = House(create_app(runtime))
    (one,) = [asked for asked in operations(house.app, "game_id") if "whispers" in asked.path]
    ana = house.player("Ana")
    game_id = opened(ana).rpartition("/")[2]
    assert one.by(ana, game_id=game_id).status_code == 200
    assert told(one.by(house.visitor, game_id=game_id), game_id) == told(
        one.by(house.visitor, game_id=NONE), NONE
    )
