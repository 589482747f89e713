"""All known kinds of bad requests: each gets a stable answer of its own."""

import dataclasses
import io
import re
from collections.abc import MutableMapping
from typing import Any

import pytest
from flask.testing import FlaskClient
from redis import Redis
from werkzeug.test import TestResponse

from rules.kernel.contract.errors import IllegalMove
from rules.kernel.contract.registry import Registry
from rules.kernel.contract.ruleset import Ruleset
from service.api.app import create_app
from service.redis.server import RedisServer
from service.runtime import Runtime, open_runtime
from service.settings import load
from tests.service.api.people import House, Json, Person, data, play_on, problem


class Table:
    """A running game of two seats, and a client for raw bytes."""

    def __init__(self, house: House) -> None:
        self.ana, self.bob = house.player("Ana"), house.player("Bob")
        self.url = house.table(self.ana, self.bob)
        self.client: FlaskClient = house.client

    def body(self, **changes: Any) -> Json:
        listed = self.ana.legal(self.url, 0)
        return {
            "seat": 0,
            "move": listed["moves"][0],
            "expected_version": listed["version"],
            **changes,
        }

    def send(self, raw: bytes, mimetype: str = "application/json") -> Any:
        return self.client.post(
            f"{self.url}/moves", data=raw, content_type=mimetype, headers=self.ana.headers
        )


@pytest.fixture
def table(house: House) -> Table:
    return Table(house)


@pytest.mark.parametrize("raw", [b"{", b"seat=0", b"\xff\xfe", b'{"a":1}x', b'"\\ud800"'])
def test_not_json(table: Table, raw: bytes) -> None:
    problem(table.send(raw), 400, "not_json")


@pytest.mark.parametrize("number", [b"NaN", b"Infinity", b"-Infinity"])
def test_nan(table: Table, number: bytes) -> None:
    raw = b'{"seat": 0, "move": {"type": "bid", "amount": %s}, "expected_version": 1}' % number
    problem(table.send(raw), 400, "not_json")


@pytest.mark.parametrize("amount", [1.5, 1e300, 2**60, [[]], {"a": {}}, None, "1", True])
def test_odd_values_in_a_move(table: Table, amount: Any) -> None:
    move = {"type": "bid", "amount": amount}
    answer = table.ana.post(f"{table.url}/moves", table.body(move=move))
    assert answer.json is not None
    assert answer.json["code"] in {"invalid_body", "illegal_move"}, answer.text


@pytest.mark.parametrize(
    "declared",
    [
        "text/plain", "application/problem+json", "application/x+json", "text/json",
        "application/json; charset=utf-16", "application/json; charset=latin-1",
        "application/json; charset=nonsense", 'application/json; charset="', "application/jsonx",
        "application/json; charset=utf-8; charset=latin-1", "application/json, text/plain",
    ],
)  # fmt: skip
def test_not_declared_as_json(table: Table, declared: str) -> None:
    answer = table.send(b"{}", declared)
    problem(answer, 415, "unsupported_media_type")
    assert answer.headers["Accept-Post"] == "application/json"


@pytest.mark.parametrize(
    "declared", ["Application/JSON", 'application/json; charset="UTF-8"', "application/json;v=1;"]
)
def test_declared_as_json(table: Table, declared: str) -> None:
    problem(table.send(b"{}", declared), 422, "invalid_body")


@pytest.mark.parametrize(
    ("changes", "field", "value"),
    [
        ({"seat": "0"}, "seat", "0"),
        ({"seat": True}, "seat", True),
        ({"seat": 0.5}, "seat", 0.5),
        ({"seat": -1}, "seat", -1),
        ({"seat": None}, "seat", None),
        ({"move": "store"}, "move", "store"),
        ({"move": []}, "move", []),
        ({"expected_version": "1"}, "expected_version", "1"),
        ({"expected_version": 2**53}, "expected_version", 2**53),
        ({"expected_head": "xyz"}, "expected_head", "xyz"),
    ],
)
def test_wrong_types(table: Table, changes: Json, field: str, value: Any) -> None:
    answer = table.ana.post(f"{table.url}/moves", table.body(**changes))
    (error,) = problem(answer, 422, "invalid_body")["errors"]
    assert (error["field"], error["value"]) == (field, value)


@pytest.mark.parametrize("body", [[], "x", 1, None])
def test_a_body_that_is_no_object(table: Table, body: Any) -> None:
    raw = table.client.application.json.dumps(body).encode()
    problem(table.send(raw), 422, "invalid_body")


def test_missing_fields(table: Table) -> None:
    errors = problem(table.ana.post(f"{table.url}/moves", {}), 422, "invalid_body")["errors"]
    assert {error["field"] for error in errors} == {"seat", "move", "expected_version"}


def test_unknown_fields(table: Table) -> None:
    answer = table.ana.post(f"{table.url}/moves", table.body(colour="red"))
    (error,) = problem(answer, 422, "invalid_body")["errors"]
    assert (error["field"], error["value"]) == ("colour", "red")
    seats = [{"holder": "me", "cushion": 1}, {"holder": "open"}]
    answer = table.ana.post("/v1/games", {"ruleset": "sealed", "seats": seats})
    (error,) = problem(answer, 422, "invalid_body")["errors"]
    assert (error["field"], error["value"]) == ("seats.0.cushion", 1)


def test_unknown_query_parameters(table: Table) -> None:
    (error,) = problem(table.ana.get(f"{table.url}/state?ta=1"), 422, "invalid_query")["errors"]
    assert (error["field"], error["value"]) == ("ta", "1")


def test_numbers_are_decimal_digits(table: Table) -> None:
    spaced = ("%2B5", "+5", "%205", "5%20", "%00")
    for number in (*spaced, "5.0", "1_0", "%EF%BC%95", "0x5", "05", "", "5e0", "-0.0"):
        for query in (f"after={number}", f"limit={number}", f"seat={number}"):
            problem(table.ana.get(f"{table.url}/events?{query}"), 422, "invalid_query")
        answer = table.ana.get(f"{table.url}/state?at={number}")
        (error,) = problem(answer, 422, "invalid_query")["errors"]
        assert error["field"] == "at"


def test_a_number_without_a_fraction_is_an_integer(table: Table) -> None:
    """As in JSON Schema; requests that differ only in that are the same."""
    body = table.body()
    whole = {**body, "seat": 0.0, "expected_version": float(body["expected_version"])}
    problem(table.ana.post(f"{table.url}/moves", {**body, "seat": 0.5}), 422, "invalid_body")
    problem(table.ana.post(f"{table.url}/moves", {**body, "seat": 1e300}), 422, "invalid_body")
    played = table.ana.post(f"{table.url}/moves", whole, Idempotency_Key="k")
    assert played.status_code == 201
    again = table.ana.post(f"{table.url}/moves", body, Idempotency_Key="k")
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.data == played.data


@pytest.mark.parametrize("value", [1, 0, 1.0, "true", "yes", [], {}])
def test_true_and_false_are_what_json_has(table: Table, value: Any) -> None:
    entries = [{"bot": "random"}, {"bot": "random"}]
    cup = {"ruleset": "sealed", "entries": entries, "format": {"type": "round_robin"}}
    sent = [
        table.ana.post("/v1/tournaments", {**cup, "rated": value}),
        table.ana.delete("/v1/players/me", {"id": table.ana.id, "resign": value}),
    ]
    for answer in sent:
        (error,) = problem(answer, 422, "invalid_body")["errors"]
        assert error["value"] == value


def test_a_key_of_repetition_is_read_wherever_it_is_taken(table: Table) -> None:
    """Also where a repetition needs no key: an empty key is an error."""
    url = f"{table.url}/invitations/i-none"
    for key in ("", "a b", "k" * 201):
        (error,) = problem(table.ana.delete(url, None, Idempotency_Key=key), 422, "invalid_header")[
            "errors"
        ]
        assert error["value"] == key


def test_a_list_in_a_query_comes_one_by_one_or_between_commas(table: Table) -> None:
    """Generated clients do either."""
    told = [
        data(table.ana.get(f"{table.url}/events?{query}"))
        for query in ("include=words,state", "include=words&include=state")
    ]
    assert told[0] == told[1]
    assert "words" in told[0]["events"][0]
    (error,) = problem(
        table.ana.get(f"{table.url}/events?include=words&include=wards"), 422, "invalid_query"
    )["errors"]
    assert (error["field"], error["value"]) == ("include", "wards")
    problem(table.ana.get(f"{table.url}/events?limit=1&limit=1"), 422, "invalid_query")


def test_digits_of_other_scripts_are_no_seats(table: Table) -> None:
    problem(table.ana.put(f"{table.url}/seats/%EF%BC%90"), 404, "not_found")
    problem(table.ana.put(f"{table.url}/seats/{'9' * 5_000}"), 404, "not_found")


def test_numbers_beyond_all_bounds_are_told_back(house: House) -> None:
    ana = house.player()
    seats = [{"holder": "me"}, {"holder": "open"}]
    url = ana.post("/v1/games", {"ruleset": "sealed", "seats": seats}).headers["Location"]
    told = problem(ana.put(f"{url}/seats/{10**19}"), 404, "unknown_seat")
    assert told["detail"].endswith(str(10**19))


def test_repeated_query_parameters(table: Table) -> None:
    for query in ("after=1&after=1", "after=1&limit=2&after=2", "seat=0&seat=1"):
        answer = table.ana.get(f"{table.url}/events?{query}")
        (error,) = problem(answer, 422, "invalid_query")["errors"]
        assert error["field"] == query.partition("=")[0]
        assert len(error["value"]) == 2


def test_operations_without_a_query(house: House) -> None:
    ana = house.player()
    for path in ("/v1/players/me", "/v1/tournament_formats"):
        for query in ("x=1", "x=1&x=2"):
            (error,) = problem(ana.get(f"{path}?{query}"), 422, "invalid_query")["errors"]
            assert (error["field"], error["value"]) == ("x", "1")


@pytest.mark.parametrize(
    "query", ["after=-1", "after=x", "limit=0", "limit=100000", "seat=x", "seat=-1", "format=xml"]
)
def test_wrong_query_parameters(table: Table, query: str) -> None:
    problem(table.ana.get(f"{table.url}/events?{query}"), 422, "invalid_query")


def test_huge_bodies(table: Table) -> None:
    told = problem(table.send(b'{"seat": "' + b"x" * 70_000 + b'"}'), 413, "too_large")
    assert told["limit"] == 65536


@pytest.mark.parametrize("depth", [20, 500, 5_000])
def test_deep_nesting(table: Table, depth: int) -> None:
    raw = b'{"seat": ' + b"[" * depth + b"]" * depth + b"}"
    assert problem(table.send(raw), 400, "too_deep")["limit"] == 16


def test_long_lists_and_strings(table: Table) -> None:
    problem(table.ana.post(f"{table.url}/moves", table.body(move=[1] * 2_000)), 400, "too_long")
    problem(table.ana.post("/v1/players", {"name": "x" * 5_000}), 400, "too_long")
    problem(table.ana.post("/v1/players", {"name": "x" * 61}), 422, "invalid_body")


@pytest.mark.parametrize(
    ("before", "field", "values"),
    [
        (b'"seat": 5, ', "seat", [5, 0]),
        (b'"s\\u0065at": [7], ', "seat", [[7], 0]),
        (b'"x": [{"y": 1, "y": "z"}], ', "y", [1, "z"]),
        (b'"x": 1, "x": 1, ', "x", [1, 1]),
    ],
)
def test_duplicate_keys(table: Table, before: bytes, field: str, values: Any) -> None:
    raw = table.client.application.json.dumps(table.body()).encode()
    (error,) = problem(table.send(b"{" + before + raw[1:]), 422, "invalid_body")["errors"]
    assert (error["field"], error["value"]) == (field, values)
    assert table.send(raw).status_code == 201, "nothing was done"


def test_what_hides_below_a_duplicate_key(table: Table) -> None:
    deep = b'{"a": ' + b"[" * 1_000 + b"]" * 1_000 + b', "a": 1}'
    assert table.send(deep).status_code in {400, 422}
    wide = b"{" + b",".join(b'"%d":1' % (n % 5_000) for n in range(5_001)) + b"}"
    problem(table.send(wide), 400, "too_long")
    hidden = b'{"a": ' + wide + b', "a": 1}'
    (error,) = problem(table.send(hidden), 422, "invalid_body")["errors"]
    assert error["field"] == "0"
    huge = b'{"a": %s, "a": 1}' % (b"9" * 5_000)
    assert table.send(huge).status_code in {400, 422}


@pytest.mark.parametrize("name", ["Content-Encoding", "Transfer-Encoding"])
def test_encoded_bodies(table: Table, name: str) -> None:
    answer = table.ana.post(f"{table.url}/moves", table.body(), **{name.replace("-", "_"): "gzip"})
    problem(answer, 415, "unsupported_encoding")
    assert answer.headers["Accept-Encoding"] == "identity"
    plain = table.ana.post(f"{table.url}/moves", table.body(), Content_Encoding="Identity")
    assert plain.status_code == 201


@pytest.mark.parametrize(
    ("path", "sent"), [("/v1/players", b'{"name": "Ana"}'), ("/v1/stream_tickets", b"")]
)
def test_a_body_shorter_than_its_length(house: House, path: str, sent: bytes) -> None:
    ana = house.player()
    answer = house.client.post(
        path,
        input_stream=io.BytesIO(sent),
        headers={**ana.headers, "Content-Type": "application/json"},
        environ_overrides={"wsgi.input_terminated": True, "CONTENT_LENGTH": "40"},
    )
    told = problem(answer, 400, "bad_request")
    assert told["detail"] == f"the body ended after {len(sent)} of 40 bytes"


@pytest.mark.parametrize(
    ("path", "sent"), [("/v1/players", b'{"name": "Ana"}'), ("/v1/stream_tickets", b"{}")]
)
@pytest.mark.parametrize("size", [65_536, 65_537])
def test_a_long_body_of_unknown_length(house: House, path: str, sent: bytes, size: int) -> None:
    body = sent.ljust(size)
    answer = house.client.post(
        path,
        input_stream=io.BytesIO(body),
        headers={**house.player().headers, "Content-Type": "application/json"},
        environ_overrides={"wsgi.input_terminated": True, "HTTP_TRANSFER_ENCODING": "chunked"},
    )
    if size <= 65_536:
        assert answer.status_code == 201
    else:
        assert problem(answer, 413, "too_large")["limit"] == 65_536


def test_unknown_ruleset(house: House) -> None:
    ana = house.player()
    body = {"ruleset": "chess", "seats": [{"holder": "me"}]}
    (error,) = problem(ana.post("/v1/games", body), 404, "unknown_ruleset")["errors"]
    assert (error["field"], error["value"]) == ("ruleset", "chess")
    problem(ana.get("/v1/rulesets/chess"), 404, "unknown_ruleset")


@pytest.mark.parametrize(
    ("options", "seats", "field", "value"),
    [
        ({"rounds": 99}, 2, "options.rounds", 99),
        ({"rounds": "2"}, 2, "options.rounds", "2"),
        ({"dice": 1}, 2, "options.dice", 1),
        ({}, 1, "seats", 1),
        ({}, 9, "seats", 9),
    ],
)
def test_bad_options(house: House, options: Json, seats: int, field: str, value: Any) -> None:
    body = {"ruleset": "sealed", "options": options, "seats": [{"holder": "me"}] * seats}
    (error,) = problem(house.player().post("/v1/games", body), 422, "bad_options")["errors"]
    assert (error["field"], error["value"]) == (field, value)


@pytest.mark.parametrize(
    "seat",
    [{"holder": "bot"}, {"holder": "me", "bot": "greedy"}, {"holder": "you"}, {}, "me"],
)
def test_bad_seats(house: House, seat: Any) -> None:
    body = {"ruleset": "sealed", "seats": [seat, {"holder": "open"}]}
    problem(house.player().post("/v1/games", body), 422, "invalid_body")


def test_unknown_bot(house: House) -> None:
    ana = house.player()
    seats = [{"holder": "me"}, {"holder": "bot", "bot": "deep_thought"}]
    told = problem(ana.post("/v1/games", {"ruleset": "sealed", "seats": seats}), 422, "unknown_bot")
    assert told["errors"][0]["field"] == "seats.1.bot"


def test_a_bot_that_does_not_play_the_game(
    house: House, runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As an engine does that plays some games only: there it is not on offer."""
    only = dataclasses.replace(runtime.bots["random"], rulesets=("ragusa",))
    monkeypatch.setitem(runtime.bots, "random", only)
    ana = house.player()
    seats = [{"holder": "me"}, {"holder": "bot", "bot": "random"}]
    told = problem(ana.post("/v1/games", {"ruleset": "sealed", "seats": seats}), 422, "unknown_bot")
    assert told["detail"] == "the bot 'random' does not play sealed"
    assert "random" not in told["bots"]
    url = house.table(ana, house.player())
    problem(ana.put(f"{url}/seats/1", {"holder": "bot", "bot": "random"}), 422, "unknown_bot")
    assert ana.post("/v1/games", {"ruleset": "ragusa", "seats": seats}).status_code == 201
    for ruleset, offered in (("sealed", False), ("ragusa", True)):
        bots = data(house.visitor.get(f"/v1/rulesets/{ruleset}"))["bots"]
        assert ("random" in [bot["name"] for bot in bots]) is offered
    plan = {"ruleset": "sealed", "entries": [{"bot": "greedy"}, {"bot": "random"}]}
    (fault,) = problem(ana.post("/v1/tournaments/preview", plan), 422, "bad_tournament")["errors"]
    assert (fault["field"], fault["message"]) == ("entries.1.bot", "random does not play sealed")


def test_seat_taken(house: House) -> None:
    ana, bob, eve = house.player(), house.player(), house.player()
    url = house.table(ana, bob)
    problem(eve.put(f"{url}/seats/1"), 409, "not_in_lobby")
    seats = [{"holder": "me"}, {"holder": "open"}, {"holder": "open"}]
    url = ana.post("/v1/games", {"ruleset": "sealed", "seats": seats}).headers["Location"]
    told = problem(eve.put(f"{url}/seats/0"), 409, "seat_taken")
    assert told["seat"] == 0


def test_not_your_seat(table: Table) -> None:
    problem(table.bob.post(f"{table.url}/moves", table.body()), 403, "not_your_seat")
    problem(table.bob.get(f"{table.url}/legal_moves?seat=0"), 403, "not_your_seat")
    problem(table.bob.get(f"{table.url}/events?seat=0"), 403, "not_your_seat")
    problem(table.bob.post(f"{table.url}/resignations", {"seat": 0}), 403, "not_your_seat")


def test_unknown_seat(table: Table) -> None:
    problem(table.ana.post(f"{table.url}/moves", table.body(seat=7)), 404, "unknown_seat")
    problem(table.ana.get(f"{table.url}/state?seat=7"), 404, "unknown_seat")
    problem(table.ana.put(f"{table.url}/seats/99999999999999999999"), 409, "not_in_lobby")


def test_not_your_turn(table: Table) -> None:
    body = {**table.body(), "seat": 1}
    problem(table.bob.post(f"{table.url}/moves", body), 409, "not_your_turn")


def test_illegal_moves_of_the_general_kind(table: Table) -> None:
    for move, reason in (
        ({"type": "fly"}, "unknown_move"),
        ({}, "unknown_move"),
        ({"type": ["store"]}, "unknown_move"),
        ({"type": "store"}, "malformed_move"),
        ({"type": "store", "under": True, "extra": 1}, "malformed_move"),
        ({"type": "bid", "amount": 1}, "wrong_phase"),
        ({"type": "store", "under": "yes"}, "not_a_place"),
    ):
        answer = table.ana.post(f"{table.url}/moves", table.body(move=move), Accept_Language="es")
        told = problem(answer, 422, "illegal_move")
        assert told["reason"] == reason
        assert told["label"] == _label("sealed", f"error.{reason}", "es")


def _label(ruleset: str, key: str, language: str) -> str:
    return _ruleset(ruleset).labels.text(key, language)


def _ruleset(ruleset: str) -> Ruleset[Any]:
    return Registry(("rules.santiago_de_cuba", "tests.sealed")).find(ruleset)


@pytest.mark.parametrize(
    "code", [*_ruleset("santiago_de_cuba").error_codes, *_ruleset("sealed").error_codes]
)
def test_illegal_move_of_each_rules_code(
    table: Table, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The service passes every reason of the rules on; the rules' own tests produce each."""
    ruleset = _ruleset("sealed" if code in _ruleset("sealed").error_codes else "santiago_de_cuba")

    def refuse(*_args: Any) -> None:
        raise IllegalMove(code, "it cannot be", value=["rum", 3])

    body = table.body()
    monkeypatch.setattr("rules.kernel.contract.ruleset.Ruleset.read_move", refuse)
    told = problem(table.ana.post(f"{table.url}/moves", body), 422, "illegal_move")
    assert (told["reason"], told["details"]) == (code, {"value": ["rum", 3]})
    assert ruleset.labels.text(f"error.{code}", "en")


def test_stale_version(table: Table) -> None:
    body = table.body()
    assert table.ana.post(f"{table.url}/moves", body).status_code == 201
    told = problem(table.ana.post(f"{table.url}/moves", body), 409, "stale_version")
    assert told["expected_version"] == body["expected_version"]
    assert told["events"]


def test_reused_key_with_another_body(table: Table) -> None:
    body = table.body()
    first = table.ana.post(f"{table.url}/moves", body, Idempotency_Key="k")
    assert first.status_code == 201
    other = {**body, "move": {"type": "store", "under": True}}
    answer = table.ana.post(f"{table.url}/moves", other, Idempotency_Key="k")
    problem(answer, 422, "idempotency_key_reused")
    seats = [{"holder": "me"}, {"holder": "open"}]
    game = {"ruleset": "sealed", "seats": seats}
    assert table.ana.post("/v1/games", game, Idempotency_Key="k").status_code == 201
    answer = table.ana.post("/v1/games", {**game, "options": {"rounds": 3}}, Idempotency_Key="k")
    problem(answer, 422, "idempotency_key_reused")


@pytest.mark.parametrize("key", ["", "x" * 201, "a b", "ñ"])
def test_bad_idempotency_keys(table: Table, key: str) -> None:
    answer = table.ana.post(f"{table.url}/moves", table.body(), Idempotency_Key=key)
    problem(answer, 422, "invalid_header")


def test_another_players_key(table: Table, house: House) -> None:
    eve = house.player("Eve")
    body = table.body()
    problem(eve.post(f"{table.url}/moves", body), 403, "not_your_seat")
    problem(eve.get(f"{table.url}/state?seat=0"), 403, "not_your_seat")
    problem(eve.get(f"{table.url}/stream?seat=0"), 403, "not_your_seat")
    problem(eve.get(f"{table.url}/legal_moves"), 403, "not_your_seat")
    problem(eve.delete(table.url), 403, "not_your_table")
    first = table.ana.post(f"{table.url}/moves", body, Idempotency_Key="k")
    assert first.status_code == 201
    problem(eve.post(f"{table.url}/moves", body, Idempotency_Key="k"), 403, "not_your_seat")


@pytest.mark.parametrize(
    "game_id", ["g07-aaaaaaaaaaaaaaaaaaaa", "g99-aaaaaaaaaaaaaaaaaaaa", "x", "g07", "..", "é"]
)
def test_unknown_game(house: House, game_id: str) -> None:
    ana, url = house.player(), f"/v1/games/{game_id}"
    if game_id == "..":
        url = "/v1/games/%2e%2e"
    for path in ("", "/state", "/legal_moves", "/events", "/log", "/head", "/stream"):
        problem(ana.get(url + path), 404, "unknown_game")
    body = {"seat": 0, "move": {"type": "x"}, "expected_version": 1}
    problem(ana.post(f"{url}/moves", body), 404, "unknown_game")
    problem(ana.put(f"{url}/seats/0"), 404, "unknown_game")
    problem(ana.delete(url), 404, "unknown_game")


def test_finished_game(table: Table) -> None:
    body = table.body()
    play_on(table.url, [table.ana, table.bob])
    problem(table.ana.post(f"{table.url}/moves", body), 409, "game_over")
    problem(table.ana.post(f"{table.url}/resignations", {"seat": 0}), 409, "game_over")
    problem(table.ana.delete(table.url), 409, "game_over")
    problem(table.ana.put(f"{table.url}/seats/0"), 409, "not_in_lobby")
    assert table.ana.legal(table.url, 0)["moves"] == []


def test_a_game_that_has_not_started(house: House) -> None:
    ana = house.player()
    seats = [{"holder": "me"}, {"holder": "open"}]
    url = ana.post("/v1/games", {"ruleset": "sealed", "seats": seats}).headers["Location"]
    body = {"seat": 0, "move": {"type": "store", "under": True}, "expected_version": 2}
    problem(ana.post(f"{url}/moves", body), 409, "not_running")
    problem(ana.post(f"{url}/resignations", {"seat": 0}), 409, "not_running")
    assert data(ana.get(f"{url}/state"))["state"] is None
    assert ana.legal(url, 0)["moves"] == []


def test_missing_key(table: Table, house: House) -> None:
    answer = house.visitor.post(f"{table.url}/moves", table.body())
    problem(answer, 401, "key_required")
    assert answer.headers["WWW-Authenticate"] == "Bearer"
    problem(house.visitor.post("/v1/games", {}), 401, "key_required")
    problem(house.visitor.get("/v1/players/me"), 401, "key_required")
    problem(house.visitor.get("/v1/games?player=me"), 401, "key_required")


@pytest.mark.parametrize("value", ["Bearer lk_wrong", "Bearer ", "Basic QTpi", "lk_x", "Bearer é"])
def test_wrong_key(table: Table, house: House, value: str) -> None:
    stranger = Person(house, {"Authorization": value})
    for path in (f"{table.url}/state", "/v1/rulesets", "/v1/games"):
        answer = stranger.get(path)
        problem(answer, 401, "unknown_key")
        assert answer.headers["WWW-Authenticate"] == "Bearer"
    problem(stranger.post(f"{table.url}/moves", table.body()), 401, "unknown_key")


def test_cursor_tampered(house: House) -> None:
    ana = house.player()
    for _ in range(3):
        house.table(ana, house.player())
    cursor = data(ana.get("/v1/games?limit=1"))["next_cursor"]
    assert ana.get(f"/v1/games?limit=1&cursor={cursor}").status_code == 200
    for place in range(0, len(cursor), 7):
        other = "A" if cursor[place] != "A" else "B"
        wrong = cursor[:place] + other + cursor[place + 1 :]
        problem(ana.get(f"/v1/games?limit=1&cursor={wrong}"), 422, "invalid_cursor")
    for wrong in ("", "x", "é", cursor + "A", cursor[:-1], "A" * 1_999):
        problem(ana.get(f"/v1/games?limit=1&cursor={wrong}"), 422, "invalid_cursor")
    problem(ana.get(f"/v1/games?limit=1&status=ended&cursor={cursor}"), 422, "invalid_cursor")


def test_no_such_path_or_method(house: House) -> None:
    gone = problem(house.visitor.get("/v1/nothing%0Ahere"), 404, "not_found")
    assert gone["detail"] == r"there is nothing at '/v1/nothing\nhere'"
    spanish = house.visitor.get("/v1/nada", Accept_Language="es")
    assert problem(spanish, 404, "not_found")["detail"] == "no hay nada en '/v1/nada'"
    answer = house.visitor.delete("/v1/rulesets")
    assert "DELETE" in problem(answer, 405, "method_not_allowed")["detail"]
    assert "GET" in answer.headers["Allow"]


def test_rate_limit(redis_server: RedisServer, redis_client: Redis) -> None:
    environ = {"REDIS_URL": redis_server.url, "LONJA_RATE_LIMIT": "5 per minute"}
    house = House(create_app(open_runtime(load(environ))))
    ana = house.player()
    for left in (4, 3, 2, 1, 0):
        answer = ana.get("/v1/players/me")
        assert answer.headers["RateLimit-Limit"] == "5"
        assert answer.headers["RateLimit-Remaining"] == str(left)
        assert 0 < int(answer.headers["RateLimit-Reset"]) <= 60
    answer = ana.get("/v1/players/me")
    told = problem(answer, 429, "rate_limited")
    assert 0 < int(answer.headers["Retry-After"]) == told["retry_after"] <= 60
    assert house.visitor.get("/v1/rulesets").status_code == 200, "others are counted apart"
    assert ana.get("/healthz").status_code == 200, "health is not limited"
    stranger = Person(house, {"Authorization": "Bearer lk_guess"})
    codes = [stranger.get("/v1/rulesets").status_code for _ in range(6)]
    assert codes[-1] == 429, "guessing keys is limited by address"


def test_every_limit_is_told_as_a_structured_field(
    redis_server: RedisServer, redis_client: Redis
) -> None:
    environ = {"LONJA_RATE_LIMIT": "2 per minute; 9 per hour", "LONJA_CREATION_LIMIT": "1 per day"}
    house = House(create_app(open_runtime(load({"REDIS_URL": redis_server.url, **environ}))))
    ana = house.player()
    policies = '"key-60s";q=2;w=60, "key-3600s";q=9;w=3600, "address-60s";q=12000;w=60'
    for left in (1, 0):
        answer = ana.post("/v1/games", {"ruleset": "none", "seats": [{"holder": "me"}]})
        assert answer.headers["RateLimit-Policy"] == f'{policies}, "creation-86400s";q=1;w=86400'
        remaining = [r for r, _t in standing_of(answer).values()]
        assert remaining == [left, 7 + left, 11_998 + left - 1, 0]
    answer = ana.get("/v1/players/me")
    problem(answer, 429, "rate_limited")
    assert answer.headers["RateLimit-Policy"] == policies
    standing = standing_of(answer)
    assert standing["key-60s"] == (0, int(answer.headers["Retry-After"]))
    assert 60 < standing["key-3600s"][1] <= 3600
    assert "RateLimit" not in house.visitor.get("/healthz").headers


def standing_of(answer: TestResponse) -> dict[str, tuple[int, int]]:
    """Parse ``RateLimit``: the remaining units of each policy, and its seconds."""
    items = answer.headers["RateLimit"].split(", ")
    found = [re.fullmatch(r'"([a-z_]+-[0-9]+s)";r=([0-9]+);t=([0-9]+)', item) for item in items]
    return {item[1]: (int(item[2]), int(item[3])) for item in found if item}


def test_rules_version_unavailable(house: House, redis_server: RedisServer) -> None:
    ana = house.player()
    url = house.table(ana, house.player())
    without = House(create_app(open_runtime(load({"REDIS_URL": redis_server.url}))))
    for path in ("", "/state", "/events", "/log", "/legal_moves", "/stream", "/head"):
        answer = Person(without, ana.headers).get(url + path)
        problem(answer, 409, "rules_version_unavailable")

    def listed(of: House, query: str) -> list[str]:
        return [game["status"] for game in data(of.visitor.get(f"/v1/games{query}"))["games"]]

    assert listed(without, "") == listed(without, "?status=suspended") == ["suspended"]
    assert listed(without, "?status=running") == listed(house, "?status=suspended") == []
    assert listed(house, "?status=running") == ["running"]


def test_mistakes_of_ours_tell_nothing(
    table: Table, monkeypatch: pytest.MonkeyPatch, logs: list[MutableMapping[str, Any]]
) -> None:
    def break_(*_args: Any) -> None:
        raise RuntimeError("salt 0123456789")

    monkeypatch.setattr("service.api.resources.play.state_json", break_)
    answer = table.ana.get(f"{table.url}/state")
    told = problem(answer, 500, "internal_error")
    assert "salt" not in answer.text
    assert told["request_id"] == answer.headers["X-Request-Id"]
    assert any(entry["event"] == "request_failed" for entry in logs)


def test_keys_are_never_logged(table: Table, logs: list[MutableMapping[str, Any]]) -> None:
    ticket = data(table.ana.post("/v1/stream_tickets"))["ticket"]
    table.ana.get(f"{table.url}/events", X_Request_Id="mine")
    table.client.get(f"{table.url}/state?ticket={ticket}")
    written = repr(logs)
    assert "mine" in written
    assert table.ana.key not in written
    assert ticket not in written
