"""Players, rulesets, seats, entropy, cancelling, and the list of games."""

import pytest

from rules.kernel.proof.verify import verify
from rules.kernel.record.secrets import entropy_commitment
from rules.manila import RULESET as MANILA
from rules.registry import PACKAGES
from service.catalogue.bots import BOTS, LIVE
from service.runtime import Runtime
from service.turns.schedule import FinishedTurn, Turn
from tests.running import copies
from tests.service.api.document import validator
from tests.service.api.people import SCRAPER, House, Person, data, play_on, problem
from workers.turns import Turns

OPEN_TABLE = {"ruleset": "sealed", "seats": [{"holder": "me"}, {"holder": "open"}]}


COMMITMENT = "00" * 32
ME, OPEN, BOT = {"holder": "me"}, {"holder": "open"}, {"holder": "bot", "bot": "random"}


@pytest.mark.parametrize(
    ("seats", "table", "fits"),
    [
        ([ME, {"holder": "bot"}], {}, False),
        ([{**ME, "bot": "random"}, OPEN], {}, False),
        ([{**ME, "entropy_commitment": COMMITMENT}, BOT], {}, True),
        ([ME, {**OPEN, "entropy_commitment": COMMITMENT}], {}, False),
        ([ME, {**BOT, "entropy_commitment": COMMITMENT}], {}, False),
        ([ME, OPEN], {"rated": True}, True),
        ([OPEN, OPEN], {"rated": True}, True),
        ([ME, ME], {"rated": False}, True),
        ([ME, ME], {"rated": True}, False),
        ([ME, BOT], {"rated": True}, False),
        ([ME], {"rated": True}, False),
        ([ME, OPEN], {"rated": True, "visibility": "unlisted"}, False),
    ],
)
def test_the_schema_has_what_fields_demand_of_each_other(
    house: House, seats: list[dict[str, str]], table: dict[str, object], *, fits: bool
) -> None:
    body = {"ruleset": "sealed", "seats": seats, "table": table}
    answer = house.player().post("/v1/games", body)
    assert answer.status_code == (201 if fits else 422), answer.text
    assert validator("GameRequest").is_valid(body) == fits


def test_the_schema_of_who_sits_down_knows_that_bots_are_named() -> None:
    sits = validator("SitRequest").is_valid
    assert all(map(sits, ({}, {"holder": "me"}, BOT, {"entropy_commitment": COMMITMENT})))
    assert not any(map(sits, ({"holder": "bot"}, {"bot": "random"}, {"holder": "me", "bot": "x"})))


def test_players_and_their_keys(house: House) -> None:
    ana = house.player("Ana María")
    assert ana.key.startswith("lk_")
    assert data(ana.get("/v1/players/me"))["id"] == ana.id
    known = data(house.visitor.get(f"/v1/players/{ana.id}"))
    assert known["name"] == "Ana María"
    assert "key" not in known
    problem(ana.get("/v1/players/p-nobody"), 404, "unknown_player")
    assert data(house.visitor.post("/v1/players", {"name": " Ana \u2003 B "}))["name"] == "Ana B"
    for name in ("", "a\nb", "a\u202eb", "\u200b", "\ufffe", "a\uffff", " ", "x" * 61):
        problem(house.visitor.post("/v1/players", {"name": name}), 422, "invalid_body")


def test_only_hashes_of_keys_are_stored(house: House, runtime: Runtime) -> None:
    ana = house.player()
    secret = ana.key.removeprefix("lk_").encode()
    for name in runtime.redis.scan_iter():
        assert secret not in name
        assert secret not in (runtime.redis.dump(name) or b"")


def test_rulesets_tell_all_that_a_client_needs(house: House, runtime: Runtime) -> None:
    listed = data(house.visitor.get("/v1/rulesets"))["rulesets"]
    assert [entry["id"] for entry in listed] == sorted(rules.info.id for rules in runtime.registry)
    assert len(listed) == len(PACKAGES) + 1
    for entry in listed:
        whole = data(house.visitor.get(f"/v1/rulesets/{entry['id']}"))
        assert entry.items() <= whole.items()
        assert whole["version"] in whole["versions"]
        assert {"greedy", "random"} <= {bot["name"] for bot in whole["bots"]}
        for move, schema in whole["moves"].items():
            assert schema["properties"]["type"]["const"] == move
        for option in whole["options"].values():
            assert "default" in option
            assert option["description"]
        assert whole["data"]["tables"]
        spanish = data(house.visitor.get(f"/v1/rulesets/{entry['id']}", Accept_Language="es"))
        assert spanish["labels"].keys() == whole["labels"].keys()
        assert spanish["labels"] != whole["labels"]
    etag = house.visitor.get("/v1/rulesets/sealed").headers["ETag"]
    for known in (etag, f"W/{etag}", f'"x", W/{etag}'):  # a compressing proxy makes the ETag weak
        assert house.visitor.get("/v1/rulesets/sealed", If_None_Match=known).status_code == 304


def test_bots_have_the_settings_of_the_game(house: House) -> None:
    """In all ways to seat a bot, and in the ruleset's list."""
    ana = house.player()
    bots = data(house.visitor.get("/v1/rulesets/manila"))["bots"]
    (listed,) = (bot["settings"] for bot in bots if bot["name"] == "search")
    assert listed == BOTS["search"].settings_in(MANILA) != BOTS["search"].settings
    search = {"holder": "bot", "bot": "search"}
    body = {"ruleset": "manila", "seats": [{"holder": "open"}, search, {"holder": "me"}]}
    url = f"/v1/games/{data(ana.post('/v1/games', body))['id']}"
    seats = data(ana.put(f"{url}/seats/0", search))["seats"]
    assert [seat.get("settings") for seat in seats] == [listed, listed, None]


def test_sitting_down_and_standing_up(house: House) -> None:
    ana, bob = house.player(), house.player()
    body = {**OPEN_TABLE, "seats": [{"holder": "me"}, {"holder": "open"}, {"holder": "open"}]}
    url = ana.post("/v1/games", body).headers["Location"]
    first = data(bob.put(f"{url}/seats/1", {}))
    assert first["seats"][1]["player"] == bob.id
    again = data(bob.put(f"{url}/seats/1"))
    assert again.pop("receipt")["hash"] == first.pop("receipt")["hash"]
    assert again == first, "sitting where one sits changes nothing"
    problem(house.player().delete(f"{url}/seats/1"), 403, "not_your_seat")
    assert data(bob.delete(f"{url}/seats/1"))["seats"][1]["holder"] == "open"
    problem(bob.delete(f"{url}/seats/1"), 409, "seat_open")
    assert data(ana.put(f"{url}/seats/1", {"holder": "bot", "bot": "random"}))["seats"][1]["bot"]
    problem(bob.put(f"{url}/seats/2", {"holder": "bot", "bot": "random"}), 403, "not_your_table")
    problem(bob.delete(f"{url}/seats/1"), 403, "not_your_seat")
    assert data(ana.delete(f"{url}/seats/1"))["seats"][1]["holder"] == "open"
    problem(bob.put(f"{url}/seats/9"), 404, "unknown_seat")
    bob.put(f"{url}/seats/1")
    assert data(ana.put(f"{url}/seats/2"))["status"] == "running"
    problem(bob.delete(f"{url}/seats/1"), 409, "not_in_lobby")


def test_cancelling_a_table(house: House) -> None:
    ana, bob = house.player(), house.player()
    url = ana.post("/v1/games", OPEN_TABLE).headers["Location"]
    problem(bob.delete(url), 403, "not_your_table")
    cancelled = ana.delete(url, Idempotency_Key="k")
    assert data(cancelled)["status"] == "aborted"
    assert ana.delete(url, Idempotency_Key="k").data == cancelled.data
    problem(ana.delete(url), 409, "game_over")
    running = house.table(ana, bob)
    problem(ana.delete(running), 409, "not_in_lobby")


def test_cancelling_a_game_of_bots_that_is_being_played(house: House, runtime: Runtime) -> None:
    ana, bob = house.player(), house.player()
    bots = [{"holder": "bot", "bot": "random"}] * 2
    url = ana.post("/v1/games", {"ruleset": "sealed", "seats": bots}).headers["Location"]
    assert data(ana.get(url))["status"] == "running"
    problem(bob.delete(url), 403, "not_your_table")
    cancelled = ana.delete(url, Idempotency_Key="k")
    assert data(cancelled)["status"] == "aborted"
    assert ana.delete(url, Idempotency_Key="k").data == cancelled.data
    game_id = url.rpartition("/")[2]
    assert not Turns(runtime).play(game_id)
    report = verify(game_id, copies(runtime, game_id), runtime.registry)
    assert report.ok, report.to_json()
    assert report.status == "aborted"


def test_who_resigned_cannot_cancel_what_was_lost(house: House) -> None:
    ana = house.player()
    seats = [{"holder": "me"}, {"holder": "bot", "bot": "random"}]
    url = ana.post("/v1/games", {"ruleset": "sealed", "seats": seats}).headers["Location"]
    ana.post(f"{url}/resignations", {"seat": 0})
    problem(ana.delete(url), 409, "not_in_lobby")


def test_bots_that_wait_for_a_budget_are_told_of(house: House, runtime: Runtime) -> None:
    ana = house.player()
    seats = [{"holder": "bot", "bot": "random"}] * 2
    made = data(ana.post("/v1/games", {"ruleset": "sealed", "seats": seats}))
    url = f"/v1/games/{made['id']}"
    assert made["bots_wait_until"] is None
    state = house.visitor.get(f"{url}/state")
    assert data(state)["bots_wait_until"] is None
    tags = [house.visitor.get(path).headers["ETag"] for path in (url, f"{url}/state")]
    turn = Turn("bots", ana.id, made["id"])
    runtime.jobs.leave(LIVE, FinishedTurn(turn, 900_000_000, again=False))
    for path, tag in zip((url, f"{url}/state"), tags, strict=True):
        told = data(house.visitor.get(path, If_None_Match=tag))["bots_wait_until"]
        assert told.endswith(":00:00.000Z")
    assert data(house.visitor.get(f"{url}/state?at=1"))["bots_wait_until"] is None
    with_me = [{"holder": "me"}, {"holder": "open"}]
    other = data(ana.post("/v1/games", {"ruleset": "sealed", "seats": with_me}))
    assert other["bots_wait_until"] is None  # no bot has a decision


def test_entropy_from_the_seats(house: House) -> None:
    ana, bob = house.player(), house.player()
    own, other = bytes(range(32)), b"\x07" * 32
    seats = [
        {"holder": "me", "entropy_commitment": entropy_commitment(None, 0, own).hex()},
        {"holder": "open"},
    ]
    game = data(ana.post("/v1/games", {"ruleset": "sealed", "seats": seats}))
    url = f"/v1/games/{game['id']}"
    problem(ana.post(f"{url}/seats/0/entropy", {"entropy": own.hex()}), 409, "not_closed")
    commitment = entropy_commitment(game["id"], 1, other).hex()
    closed = data(bob.put(f"{url}/seats/1", {"entropy_commitment": commitment}))
    assert closed["status"] == "closed"
    assert closed["seats"][1]["entropy"] == {"commitment": commitment, "revealed": None}
    wrong = ana.post(f"{url}/seats/0/entropy", {"entropy": other.hex()})
    problem(wrong, 422, "entropy_mismatch")
    problem(ana.post(f"{url}/seats/0/entropy", {"entropy": "x"}), 422, "invalid_body")
    problem(bob.post(f"{url}/seats/0/entropy", {"entropy": own.hex()}), 403, "not_your_seat")
    assert data(ana.post(f"{url}/seats/0/entropy", {"entropy": own.hex()}))["status"] == "closed"
    again = ana.post(f"{url}/seats/0/entropy", {"entropy": own.hex()})
    problem(again, 409, "no_entropy_expected")
    started = data(bob.post(f"{url}/seats/1/entropy", {"entropy": other.hex()}))
    assert started["status"] == "running"
    assert started["seats"][0]["entropy"]["revealed"] == own.hex()


def test_a_decision_that_comes_too_late(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    people = [house.player(), house.player()]
    url = house.table(*people, clock={"decision_seconds": 1})
    monkeypatch.setattr("rules.kernel.record.batch.seat_deadline", lambda *_args: 1)
    problem(people[0].move(url, 0), 409, "too_late")


# The list of games


def listed(person: Person, query: str = "") -> list[str]:
    return [game["id"] for game in data(person.get(f"/v1/games{query}"))["games"]]


def test_games_are_listed_newest_first_and_filtered(house: House) -> None:
    ana, bob = house.player(), house.player()
    lobby = data(ana.post("/v1/games", OPEN_TABLE))["id"]
    cuba = house.table(bob, house.player(), ruleset="santiago_de_cuba").rpartition("/")[2]
    ended = house.table(ana, bob)
    play_on(ended, [ana, bob])
    over = ended.rpartition("/")[2]
    assert listed(ana) == [over, cuba, lobby]
    assert listed(ana, "?status=lobby") == [lobby]
    assert listed(ana, "?status=running") == [cuba]
    assert listed(ana, "?status=ended") == [over]
    assert listed(ana, "?ruleset=sealed") == [over, lobby]
    assert listed(ana, "?player=me") == [over, lobby]
    assert listed(ana, f"?player={bob.id}&ruleset=santiago_de_cuba") == [cuba]
    assert listed(ana, "?player=p-nobody") == []
    (game,) = data(ana.get("/v1/games?status=ended"))["games"]
    assert game["result"]["standings"]
    bob.put(f"/v1/games/{lobby}/seats/1")
    assert listed(ana, "?status=lobby") == []
    assert listed(bob, "?player=me&status=running") == [cuba, lobby]


def test_pages_meet_every_game_once(house: House) -> None:
    ana = house.player()
    made = [data(ana.post("/v1/games", OPEN_TABLE))["id"] for _ in range(7)]
    seen, query = [], "?limit=3"
    while True:
        page = data(ana.get(f"/v1/games{query}"))
        seen += [game["id"] for game in page["games"]]
        if page["next_cursor"] is None:
            break
        query = f"?limit=3&cursor={page['next_cursor']}"
    assert sorted(seen) == sorted(made)
    assert len(seen) == 7


def test_the_list_can_be_rebuilt(house: House, runtime: Runtime) -> None:
    ana, bob = house.player(), house.player()
    for _ in range(3):
        house.table(ana, bob)
    url = house.table(ana, bob)
    play_on(url, [ana, bob])
    ana.post("/v1/games", OPEN_TABLE)
    going = house.table(ana, bob)
    play_on(going, [ana, bob], at_most=1)
    before = data(ana.get("/v1/games"))
    games = house.app.extensions["lonja"].games
    for _ in range(2):
        assert len(list(games.rebuild())) == 6
        assert data(ana.get("/v1/games")) == before
    runtime.redis.delete(*runtime.redis.keys("lonja:{s*}:list*"))
    assert data(ana.get("/v1/games"))["games"] == []
    assert len(list(games.rebuild())) == 6
    assert data(ana.get("/v1/games")) == before
    house.table(ana, bob)
    assert len(data(ana.get("/v1/games"))["games"]) == 7


# Every request


def test_browsers_of_every_origin_may_call(house: House) -> None:
    asked = house.client.options(
        "/v1/games",
        headers={
            "Origin": "https://play.example",
            "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "authorization, idempotency-key",
        },
    )
    assert asked.headers["Access-Control-Allow-Origin"] == "*"
    assert "authorization" in asked.headers["Access-Control-Allow-Headers"].lower()
    assert "Access-Control-Allow-Credentials" not in asked.headers
    answer = house.visitor.get("/v1/rulesets", Origin="https://play.example")
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    exposed = answer.headers["Access-Control-Expose-Headers"]
    assert {"ETag", "Retry-After", "RateLimit-Remaining"} <= set(exposed.split(", "))
    assert "Access-Control-Allow-Origin" not in house.visitor.get("/healthz", Origin="x").headers


def test_health_metrics_and_request_ids(house: House) -> None:
    for path in ("/healthz", "/readyz"):
        assert data(house.visitor.get(path))["status"] == "ok"
    given = house.visitor.get("/v1/rulesets", X_Request_Id="abc-1")
    assert given.headers["X-Request-Id"] == "abc-1"
    odd = house.visitor.get("/v1/rulesets", X_Request_Id="a b")
    assert odd.headers["X-Request-Id"] != "a b"
    metrics = house.visitor.get("/metrics", **SCRAPER).text
    assert 'lonja_http_requests_total{method="GET",operation="rulesets.listRulesets"' in metrics
