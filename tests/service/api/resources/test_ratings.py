"""Rated tables: seats, games that count, and the shown ratings."""

import math
import random
import threading
from dataclasses import replace
from typing import Any
from unittest.mock import patch

import orjson
import pytest

from service.addresses import networks
from service.administration.keys import AdminKeys
from service.api.app import create_app
from service.clock import TOLERANCE_MS
from service.games.listing import GameList
from service.ledger.lists import LISTS
from service.redis.keys import ALL_SHARDS, game_key, shard_key
from service.runtime import Runtime, open_runtime
from service.skill import proof, ratings
from service.skill.progress import PREFIX, SHOWN, CountKeys
from service.skill.rated_games import RatedGame
from service.skill.ratings import PlayerRatings
from service.skill.weng_lin import NEW, Rating, after_game
from service.upkeep import maintenance
from tests.running import wait_for
from tests.service.api.people import House, Json, Person, data, play_on, problem
from workers import process
from workers.sweeper import Sweeper
from workers.turns import Turns

RATED: Any = {"table": {"rated": True}}
ME, OPEN, BOT = {"holder": "me"}, {"holder": "open"}, {"holder": "bot", "bot": "random"}
LIST = "/v1/rulesets/sealed/player_ratings"


@pytest.fixture
def ana(house: House) -> Person:
    return house.player("Ana")


@pytest.fixture
def bob(house: House) -> Person:
    return house.player("Bob")


def played(house: House, *people: Person, seed: int = 1) -> str:
    """Play a rated game of these players to its end; return its URL."""
    url = house.table(*people, **RATED)
    play_on(url, [*people], seed)
    return url


def count(runtime: Runtime) -> None:
    """Count the ended games, as a worker does later."""
    runtime.player_ratings.catch_up(runtime.ledger.store.clock.ask() + TOLERANCE_MS + 1)


def listed(house: House, query: str = "") -> list[Json]:
    found: list[Json] = data(house.visitor.get(LIST + query))["ratings"]
    return found


def changes(house: House, url: str) -> list[Json | None]:
    return [seat.get("rating") for seat in data(house.visitor.get(url))["seats"]]


def history(house: House, person: Person, query: str = "") -> Json:
    return data(house.visitor.get(f"/v1/players/{person.id}/ratings/sealed{query}"))


def differing(runtime: Runtime) -> list[str]:
    """Return the names of stored ratings that do not follow from the games' streams."""
    stored = proof.stored(runtime.redis, runtime.host_rows)
    summaries = GameList(runtime.redis, runtime.ledger).ended_rated()
    return proof.differing(stored, map(RatedGame.of, summaries))


# Games that count


def test_a_game_counts_once_for_all_who_played_it(
    house: House, runtime: Runtime, ana: Person, bob: Person
) -> None:
    with patch("secrets.token_bytes", random.Random(1).randbytes):  # a game with a winner
        url = house.table(ana, bob, **RATED)
    assert data(ana.get(url))["table"]["rated"] is True
    play_on(url, [ana, bob])
    before = house.visitor.get(url)
    assert changes(house, url) == [None, None], "it counts seconds later"
    count(runtime)
    count(runtime)

    ranks = [one["rank"] for one in data(before)["result"]["standings"][:2]]
    assert ranks[0] != ranks[1]
    won, lost = (ana, bob) if ranks[0] < ranks[1] else (bob, ana)
    first, second = listed(house)
    assert first == {
        "player": won.id, "ruleset": "sealed", "games": 1,
        "rating": 1579.1, "deviation": 242.0, "provisional": True,
    }  # fmt: skip
    assert (second["player"], second["rating"]) == (lost.id, 1420.9)
    page = data(house.visitor.get(LIST))
    assert page["players"] == {ana.id: "Ana", bob.id: "Bob"}
    assert page["next_cursor"] is None

    told = house.visitor.get(url, If_None_Match=before.headers["ETag"])
    assert told.status_code == 200, "what the game did to ratings is a part of it"
    (row,) = history(house, won)["games"]
    assert row == {
        "game": url.rpartition("/")[2], "at": data(before)["at"], "weight": 1.0, "rank": min(ranks),
        "before": 1500.0, "rating": 1579.1, "deviation": 242.0, "provisional": True,
    }  # fmt: skip
    assert data(told)["seats"][[ana, bob].index(won)]["rating"] == row
    assert data(house.visitor.get(f"/v1/players/{won.id}"))["ratings"] == [first]
    assert history(house, won)["rating"] == first
    assert differing(runtime) == []


def test_resignation_counts_as_the_rules_say(
    house: House, runtime: Runtime, ana: Person, bob: Person
) -> None:
    url = house.table(ana, bob, **RATED)
    data(ana.post(f"{url}/resignations", {"seat": 0}))
    while data(ana.get(url))["status"] == "running":
        Turns(runtime, seconds=math.inf).play(url.rpartition("/")[2])
        if data(ana.get(url))["decisions"]:
            data(bob.move(url, 1))
    count(runtime)
    assert [one["player"] for one in listed(house)] == [bob.id, ana.id]


def test_a_game_that_the_clock_ends_counts(
    house: House, runtime: Runtime, ana: Person, bob: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = house.table(ana, bob, clock={"decision_seconds": 1}, **RATED)
    for late in ("service.games.commands.is_late", "rules.kernel.record.batch.is_late"):
        monkeypatch.setattr(late, lambda *_args: True)
    while data(ana.get(url))["status"] == "running":
        assert runtime.tables.expire(url.rpartition("/")[2]) is not None
    count(runtime)
    assert {one["player"] for one in listed(house)} == {ana.id, bob.id}
    assert history(house, ana)["rating"]["games"] == 1


def test_what_is_not_rated_or_has_no_result_does_not_count(
    house: House, runtime: Runtime, ana: Person, bob: Person
) -> None:
    unrated = house.table(ana, bob)
    play_on(unrated, [ana, bob])
    lobby = ana.post("/v1/games", {"ruleset": "sealed", "seats": [ME, OPEN], **RATED})
    assert data(ana.delete(lobby.headers["Location"]))["status"] == "aborted"
    stopped = house.table(ana, bob, **RATED)
    _made, key = AdminKeys(runtime.redis, runtime.ledger.store.clock.now_ms).make("eva", 1)
    admin = Person(house, {"Authorization": f"Bearer {key}"})
    for act in ("suspend", "end"):
        path = stopped.replace("/v1/", "/v1/admin/")
        data(admin.post(f"{path}/{act}", {"reason": "a test"}))
    assert data(ana.get(stopped))["status"] == "aborted"
    count(runtime)
    assert listed(house) == []
    assert changes(house, stopped) == changes(house, unrated) == [None, None]
    assert data(ana.get(f"/v1/players/{ana.id}"))["ratings"] == []
    told = history(house, ana)
    assert told["games"] == []
    assert told["rating"].items() >= {"rating": 1500.0, "deviation": 250.0, "games": 0}.items()


@pytest.mark.parametrize(
    ("seats", "table", "field"),
    [
        ([ME, OPEN], {"visibility": "private"}, "table.rated"),
        ([ME, OPEN], {"visibility": "unlisted"}, "table.rated"),
        ([ME, BOT], {}, "seats.1.holder"),
        ([ME, OPEN, ME], {}, "seats.2.holder"),
        ([ME], {}, "seats"),
    ],
)
def test_a_rated_table_is_public_and_for_people(
    ana: Person, seats: list[Json], table: Json, field: str
) -> None:
    body: Json = {"ruleset": "sealed", "seats": seats, "table": {"rated": True, **table}}
    told = problem(ana.post("/v1/games", body), 422, "invalid_body")
    assert [error["field"] for error in told["errors"]] == [field]
    body["table"] = {**table, "rated": "yes"}
    problem(ana.post("/v1/games", body), 422, "invalid_body")


@pytest.mark.parametrize("seating", ["fixed", "random"])
def test_each_sits_on_one_seat_of_a_rated_table_and_no_bot(
    house: House, ana: Person, bob: Person, seating: str
) -> None:
    table = {"rated": True, "seating": seating}
    body = {"ruleset": "sealed", "seats": [ME, OPEN, OPEN], "table": table}
    url = ana.post("/v1/games", body).headers["Location"]
    problem(ana.put(f"{url}/seats/1", BOT), 409, "rated_table")
    problem(ana.put(f"{url}/seats/1"), 409, "rated_table")
    data(bob.put(f"{url}/seats/1"))
    problem(bob.put(f"{url}/seats/2"), 409, "rated_table")
    assert data(house.player("Eve").put(f"{url}/seats/2"))["status"] == "running"


def test_a_rematch_is_rated_as_the_game_was(
    house: House, runtime: Runtime, ana: Person, bob: Person
) -> None:
    url = played(house, ana, bob)
    again = data(ana.post(f"{url}/rematch"))
    assert again["table"]["rated"] is True
    with house.at("192.0.2.1"):
        data(bob.post(f"{url}/rematch"))
    play_on(f"/v1/games/{again['id']}", [bob, ana])
    count(runtime)
    assert history(house, ana)["rating"]["games"] == 2
    (shown, _first) = data(house.visitor.get("/v1/games"))["games"]
    assert shown["rated"] is True


# Whether a game is rated is settled when it starts


def sits(house: House, person: Person, url: str, seat: int, address: str) -> Json:
    with house.at(address):
        return data(person.put(f"{url}/seats/{seat}"))


@pytest.mark.parametrize(
    ("one", "other", "rule", "seating"),
    [
        ("192.0.2.7", "192.0.2.7", 0, "fixed"),
        ("192.0.2.7", "192.0.2.7", 0, "random"),
        ("192.0.2.7", "192.0.2.8", 2, "random"),
        ("2001:db8:1:2::7", "2001:db8:1:2:ffff::8", 0, "fixed"),
        ("2001:db8:1:2::7", "2001:db8:1:3::7", 2, "fixed"),
        ("::ffff:192.0.2.7", "192.0.2.7", 0, "fixed"),
    ],
)
def test_a_game_of_two_at_one_address_is_not_rated(
    house: House, runtime: Runtime, ana: Person, bob: Person,
    one: str, other: str, rule: int, seating: str,
) -> None:  # fmt: skip
    body = {"ruleset": "sealed", "seats": [ME, OPEN], "table": {"rated": True, "seating": seating}}
    with house.at(one):
        url = ana.post("/v1/games", body).headers["Location"]
    table = data(ana.get(url))["table"]
    assert (table["rated"], table["rating_rule"]) == (True, None), "it is not settled yet"
    table = sits(house, bob, url, 1, other)["table"]
    assert (table["rated"], table["rating_rule"]) == (rule != 0, rule)
    assert data(ana.get(url))["table"] == table
    # Whoever else reads it does not learn that two of the players share an address.
    others = {**table, "rating_rule": rule or None}
    for other_one in (house.visitor, house.player("Cleo")):
        assert data(other_one.get(url))["table"] == others
    (row,) = data(house.visitor.get("/v1/games"))["games"]
    assert (row["rated"], row["rating_rule"]) == (rule != 0, rule or None)
    seated = {person.id: person for person in (ana, bob)}
    for seat, held in enumerate(data(ana.get(url))["seats"]):
        data(seated[held["player"]].post(f"{url}/resignations", {"seat": seat}))
    Turns(runtime, seconds=math.inf).play(url.rpartition("/")[2])
    count(runtime)
    assert {one["player"] for one in listed(house)} == ({*seated} if rule else set())
    assert differing(runtime) == []
    kept: Any = runtime.redis.hgetall(game_key(url.rpartition("/")[2], "table"))
    assert all(one.encode() not in name + value for name, value in kept.items())


@pytest.mark.parametrize(("forwarded", "rule"), [("192.0.2.7", 0), ("192.0.2.8", 2)])
def test_a_proxys_address_is_not_that_of_its_visitors(
    runtime: Runtime, forwarded: str, rule: int
) -> None:
    settings = replace(runtime.settings, trusted_proxies=networks("127.0.0.1"))
    behind = House(create_app(open_runtime(settings)))
    ana, bob = behind.player("Ana"), behind.player("Bob")
    body = {"ruleset": "sealed", "seats": [ME, OPEN], **RATED}
    url = ana.post("/v1/games", body, X_Forwarded_For="192.0.2.7").headers["Location"]
    table = data(bob.put(f"{url}/seats/1", X_Forwarded_For=f"10.9.9.9, {forwarded}"))["table"]
    assert (table["rated"], table["rating_rule"]) == (rule != 0, rule)


def test_who_sat_down_at_one_address_is_found_when_the_last_one_comes_from_another(
    house: House, ana: Person, bob: Person
) -> None:
    cleo, dora = house.player("Cleo"), house.player("Dora")
    body = {"ruleset": "sealed", "seats": [ME, OPEN, OPEN], **RATED}
    url = ana.post("/v1/games", body).headers["Location"]
    sits(house, bob, url, 1, "127.0.0.1")
    assert sits(house, cleo, url, 2, "192.0.2.9")["table"]["rating_rule"] == 0
    # Whoever leaves before the start does not matter; whoever comes again does.
    url = ana.post("/v1/games", body).headers["Location"]
    sits(house, bob, url, 1, "127.0.0.1")
    data(bob.delete(f"{url}/seats/1"))
    sits(house, dora, url, 1, "192.0.2.8")
    assert sits(house, cleo, url, 2, "192.0.2.9")["table"]["rating_rule"] == 2
    url = ana.post("/v1/games", body).headers["Location"]
    sits(house, bob, url, 1, "127.0.0.1")
    data(bob.delete(f"{url}/seats/1"))
    sits(house, bob, url, 1, "192.0.2.8")
    assert sits(house, cleo, url, 2, "192.0.2.9")["table"]["rating_rule"] == 0


def test_a_rematch_is_settled_anew(
    house: House, runtime: Runtime, ana: Person, bob: Person
) -> None:
    url = house.table(ana, bob, **RATED)
    play_on(url, [ana, bob])
    for address, rule in (("127.0.0.1", 0), ("192.0.2.5", 2)):
        again = data(ana.post(f"{url}/rematch"))
        assert again["table"]["rated"] is True
        with house.at(address):
            told = data(bob.post(f"{url}/rematch"))
        assert told["table"]["rating_rule"] == rule
        url = f"/v1/games/{again['id']}"
        play_on(url, [bob, ana] if told["seats"][0]["player"] == bob.id else [ana, bob])
    count(runtime)
    assert history(house, ana)["rating"]["games"] == 2


def test_a_game_that_started_before_there_was_a_rule_counts_as_before(
    house: House, runtime: Runtime, ana: Person, bob: Person
) -> None:
    game_id = played(house, ana, bob).rpartition("/")[2]
    runtime.redis.hdel(game_key(game_id, "table"), "rating_rule")
    restarted = open_runtime(runtime.settings)
    GameList(restarted.redis, restarted.ledger).list_again(game_id)
    played(house, ana, bob, seed=2)
    count(restarted)
    games = rated_games(house)
    assert [(game["rule"], game["number"], game["weight"]) for game in games] == [
        (1, 1, 1.0), (2, 2, 1 / 2)
    ]  # fmt: skip
    assert differing(restarted) == []


# The weight of games against the same opponents


def rated_games(house: House, query: str = "") -> list[Json]:
    found: list[Json] = data(house.visitor.get(f"/v1/rulesets/sealed/rated_games{query}"))["games"]
    return found


def test_the_nth_game_against_the_same_opponents_weighs_one_nth(
    house: House, runtime: Runtime, ana: Person, bob: Person
) -> None:
    cleo = house.player("Cleo")
    tables = [(ana, bob), (ana, cleo), (bob, ana), (ana, bob, cleo), (ana, bob)]
    for seed, people in enumerate(tables):
        played(house, *people, seed=seed)
    count(runtime)
    games = rated_games(house)
    assert [game["weight"] for game in games] == [1.0, 1.0, 1 / 2, 1.0, 1 / 3]
    assert [game["number"] for game in games] == [1, 1, 2, 1, 3]
    assert {game["rule"] for game in games} == {2}
    assert [row["weight"] for row in history(house, bob)["games"]] == [1.0, 1 / 2, 1.0, 1 / 3]
    assert [seat["player"] for seat in games[2]["seats"]] == [bob.id, ana.id]
    known: Json = {}
    for game in games:
        before = [Rating(*seat["before"].values()) for seat in game["seats"]]
        assert before == [known.get(seat["player"], NEW) for seat in game["seats"]]
        ranks = [seat["rank"] for seat in game["seats"]]
        after = after_game(before, ranks, game["weight"])
        assert after == [Rating(*seat["after"].values()) for seat in game["seats"]]
        known.update(zip((seat["player"] for seat in game["seats"]), after, strict=True))
    assert differing(runtime) == []
    page = house.visitor.get("/v1/rulesets/sealed/rated_games?limit=3")
    assert (data(page)["games"], data(page)["next_after"]) == (games[:3], 3)
    assert "after=3" in page.headers["Link"]
    assert rated_games(house, "?after=3") == games[3:]
    problem(house.visitor.get("/v1/rulesets/none/rated_games"), 404, "unknown_ruleset")


# Shown ratings


def test_pages_meet_every_player_once(house: House, runtime: Runtime) -> None:
    people = [house.player(f"P{number}") for number in range(6)]
    for first, second in zip(people[::2], people[1::2], strict=True):
        played(house, first, second)
    count(runtime)
    whole = listed(house)
    assert {one["player"] for one in whole} == {person.id for person in people}
    lower = [round(one["rating"] - 2 * one["deviation"]) for one in whole]
    assert lower == sorted(lower, reverse=True)
    met: list[Json] = []
    query = "?limit=4"
    while True:
        answer = house.visitor.get(LIST + query)
        met += data(answer)["ratings"]
        cursor = data(answer)["next_cursor"]
        if cursor is None:
            break
        query = f"?limit=4&cursor={cursor}"
        assert f"cursor={cursor}" in answer.headers["Link"]
    assert met == whole
    problem(house.visitor.get("/v1/rulesets/none/player_ratings"), 404, "unknown_ruleset")
    problem(house.visitor.get(f"/v1/rulesets/macao/player_ratings{query}"), 422, "invalid_cursor")


def test_a_history_has_pages(house: House, runtime: Runtime, ana: Person, bob: Person) -> None:
    urls = [played(house, ana, bob, seed=seed) for seed in range(3)]
    count(runtime)
    whole = history(house, ana)
    assert [row["game"] for row in whole["games"]] == [url.rpartition("/")[2] for url in urls]
    assert all(
        earlier["rating"] == later["before"]
        for earlier, later in zip(whole["games"], whole["games"][1:], strict=False)
    )
    assert whole["next_after"] is None
    page = history(house, ana, "?limit=2")
    assert (page["games"], page["next_after"]) == (whole["games"][:2], 2)
    assert history(house, ana, "?limit=2&after=2")["games"] == whole["games"][2:]
    assert history(house, ana, "?after=9")["games"] == []
    nobody = "/v1/players/p-nobody/ratings/sealed"
    problem(house.visitor.get(nobody), 404, "unknown_player")
    nothing = f"/v1/players/{ana.id}/ratings/none"
    problem(house.visitor.get(nothing), 404, "unknown_ruleset")


def test_who_leaves_takes_the_name_out_of_the_list_and_the_ratings_along(
    house: House, runtime: Runtime, ana: Person, bob: Person
) -> None:
    url = played(house, ana, bob)
    count(runtime)
    export = orjson.loads(ana.get("/v1/players/me/export").data)
    (rating,), (game,) = export["ratings"], export["rated_games"]
    assert (rating["ruleset"], rating["games"]) == ("sealed", 1)
    assert game["game"] == url.rpartition("/")[2]
    house.client.delete("/v1/players/me", json={"id": ana.id}, headers=ana.headers)
    page = data(house.visitor.get(LIST))
    assert page["players"] == {ana.id: "", bob.id: "Bob"}
    assert "Ana" not in house.visitor.get(LIST).text


# The fold


def test_a_worker_counts_within_seconds(
    house: House, runtime: Runtime, ana: Person, bob: Person
) -> None:
    sweeper = Sweeper(process.make(runtime), interval=0.05)
    url = played(house, ana, bob)
    sweeper.start()
    try:
        wait_for(lambda: changes(house, url) != [None, None], 60)
    finally:
        sweeper.stop()
        sweeper.join()
    assert differing(runtime) == []


def test_workers_at_once_count_each_game_once(
    house: House, runtime: Runtime, ana: Person, bob: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ratings, "AT_ONCE", 1)
    for seed in range(6):
        played(house, ana, bob, seed=seed)
    until = runtime.ledger.store.clock.ask() + TOLERANCE_MS + 1
    start = threading.Barrier(4)

    def work() -> None:
        start.wait()
        PlayerRatings(runtime.redis, runtime.ledger.store.past_lists).catch_up(until)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert history(house, ana)["rating"]["games"] == len(history(house, ana)["games"]) == 6
    assert differing(runtime) == []


def test_a_long_count_gives_way(
    house: House, runtime: Runtime, ana: Person, bob: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ratings, "AT_ONCE", 1)
    for seed in range(2):
        played(house, ana, bob, seed=seed)
    until = runtime.ledger.store.clock.ask() + TOLERANCE_MS + 1
    turns = 1
    while not runtime.player_ratings.catch_up(until, -1.0):
        turns += 1
    assert turns > 2
    assert history(house, ana)["rating"]["games"] == 2


def test_ratings_that_are_lost_are_made_again(
    house: House, runtime: Runtime, ana: Person, bob: Person
) -> None:
    for seed in range(3):
        played(house, ana, bob, seed=seed)
    count(runtime)
    before = listed(house)
    for key in runtime.redis.scan_iter(f"{PREFIX}*"):
        runtime.redis.delete(key)
    assert listed(house) == []
    count(runtime)
    assert listed(house) == before
    assert differing(runtime) == []


def test_a_game_that_was_passed_over_counts_in_its_place(
    house: House, runtime: Runtime, ana: Person, bob: Person, logs: list[Any]
) -> None:
    """For example after a failover to a server whose clock shows an earlier time."""
    first, second, third = (played(house, ana, bob, seed=seed) for seed in range(3))
    late = hide(runtime, first)
    count(runtime)
    old = listed(house)
    assert [row["game"] for row in history(house, ana)["games"]] == [
        second.rpartition("/")[2], third.rpartition("/")[2],
    ]  # fmt: skip
    number = runtime.redis.get(SHOWN)
    for shard, name in late:
        runtime.redis.zadd(shard, {name: 0})
    assert listed(house) == old, "until all is counted again"
    count(runtime)
    assert "rated_game_passed_over" in [entry["event"] for entry in logs]
    assert history(house, ana)["games"][0]["game"] == first.rpartition("/")[2]
    assert differing(runtime) == []
    assert not runtime.redis.keys(f"{PREFIX}{int(number or 0)}:*"), "the old ones are gone"


def test_a_game_that_is_ended_as_damaged_counts_no_more(
    house: House, runtime: Runtime, ana: Person, bob: Person
) -> None:
    urls = [played(house, ana, bob, seed=seed) for seed in range(2)]
    count(runtime)
    assert history(house, ana)["rating"]["games"] == 2
    store, first = runtime.ledger.store, urls[0].rpartition("/")[2]
    runtime.redis.xadd(game_key(first, "events"), {"x": "y"}, id=f"{store.newest(first) + 1}-0")
    maintenance.end_damaged(store, runtime.registry, first, {"operator": "Eva"})
    count(runtime)
    (left,) = history(house, ana)["games"]
    assert (left["game"], left["before"]) == (urls[1].rpartition("/")[2], 1500.0)
    assert differing(runtime) == []


def hide(runtime: Runtime, url: str) -> list[tuple[str, Any]]:
    """Remove an ended game from the list of games that count; return its entry."""
    found = []
    for shard in ALL_SHARDS:
        key = shard_key(shard, LISTS)
        names: Any = runtime.redis.zrange(key, 0, -1)
        for name in names:
            if name.startswith(b"rated:") and name.endswith(url.rpartition("/")[2].encode()):
                runtime.redis.zrem(key, name)
                found.append((key, name))
    assert len(found) == 1
    return found


def test_what_was_altered_is_found(
    house: House, runtime: Runtime, ana: Person, bob: Person
) -> None:
    played(house, ana, bob)
    count(runtime)
    key = CountKeys(int(runtime.redis.get(SHOWN) or 0)).of(ana.id)
    runtime.redis.hset(key, "sealed", b"[2500.0,40.0,1]")
    assert differing(runtime) == [key]
    runtime.player_ratings.count_again()
    count(runtime)
    assert differing(runtime) == []
