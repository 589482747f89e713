"""Finding games by tag, time, ruleset and deciding seat; lists follow the terms of tables."""

from typing import Any

from redis import Redis

from rules.kernel.record.instants import to_ms
from service.administration.acts import ActTerms
from service.administration.journal import Who
from service.games.listing import GameList
from service.ledger.lists import LISTS, WAITING
from service.redis.format import FORMAT_KEY, INDEXED, LEVELS
from service.redis.keys import ALL_SHARDS, shard_key
from service.runtime import Runtime
from service.upkeep import maintenance
from tests.service.api.people import House, Person, data, problem

TWO = [{"holder": "me"}, {"holder": "open"}]


def opened(host: Person, ruleset: str = "sealed", **more: Any) -> str:
    asked = {"ruleset": ruleset, "seats": TWO, **more}
    made: str = data(host.post("/v1/games", asked))["id"]
    return made


def found(person: Person, query: str) -> list[str]:
    """Return the ids that a search finds, over all pages with one game each."""
    ids, cursor = [], ""
    while True:
        page = data(person.get(f"/v1/games?limit=1&{query}{cursor}"))
        ids += [game["id"] for game in page["games"]]
        if page["next_cursor"] is None:
            return ids
        cursor = f"&cursor={page['next_cursor']}"


def everything_listed(redis: Redis) -> dict[str, Any]:
    listed: dict[str, Any] = {}
    for shard in ALL_SHARDS:
        listed[f"lists {shard}"] = redis.zrange(shard_key(shard, LISTS), 0, -1)
        listed[f"asked {shard}"] = redis.hgetall(shard_key(shard, WAITING))
    return listed


def test_games_are_found_by_what_one_looks_for(house: House, runtime: Runtime) -> None:
    ana, bob = house.player("Ana"), house.player("Bob")
    plain = opened(ana)
    casual = opened(ana, table={"tags": ["casual", "slow", "casual"], "title": "A"})
    other = opened(bob, "santiago_de_cuba", table={"tags": ["casual"]})
    hidden = opened(ana, table={"visibility": "unlisted", "tags": ["casual"]})
    assert found(house.visitor, "tag=casual") == [other, casual]
    assert found(house.visitor, "tag=casual&ruleset=sealed&status=lobby") == [casual]
    assert found(house.visitor, f"tag=casual&player={bob.id}") == [other]
    assert found(house.visitor, "ruleset=sealed") == [casual, plain]
    assert found(house.visitor, f"player={ana.id}") == [casual, plain]
    assert found(bob, f"player={ana.id}") == [casual, plain]
    assert found(ana, "player=me") == [hidden, casual, plain]
    assert house.visitor.get(f"/v1/games/{hidden}").status_code == 200, "whoever has the id"
    times = {i: data(ana.get(f"/v1/games/{i}"))["created_at"] for i in (plain, casual, other)}
    after = [i for i in (other, casual, plain) if times[i] >= times[casual]]
    assert found(house.visitor, f"from={times[casual]}") == after
    before = [i for i in (other, casual, plain) if times[i] < times[casual]]
    assert found(house.visitor, f"to={times[casual]}") == before
    whole = everything_listed(runtime.redis)
    assert sum(1 for _id in GameList(runtime.redis, runtime.ledger).rebuild()) == 4
    assert everything_listed(runtime.redis) == whole


def test_games_are_found_by_the_bots_that_sit_there(house: House, runtime: Runtime) -> None:
    ana = house.player("Ana")

    def against(*bots: str, **more: Any) -> str:
        seats = [{"holder": "me"}, *({"holder": "bot", "bot": bot} for bot in bots)]
        return opened(ana, seats=seats, **more)

    first, second = against("greedy"), against("random")
    third = against("greedy", "random", ruleset="santiago_de_cuba")
    hidden = against("greedy", table={"visibility": "private"})
    opened(ana)
    assert found(house.visitor, "bot=greedy") == [third, first]
    assert found(house.visitor, "bot=random&status=running") == [third, second]
    assert found(house.visitor, "bot=greedy&ruleset=sealed") == [first]
    assert found(house.visitor, f"bot=random&player={ana.id}") == [third, second]
    assert found(ana, "bot=greedy&player=me") == [hidden, third, first]
    assert found(house.visitor, "bot=nobody") == []
    whole = everything_listed(runtime.redis)
    assert before_and_after_a_rebuild(runtime) == whole
    cursor = data(ana.get("/v1/games?limit=1&bot=greedy"))["next_cursor"]
    problem(ana.get(f"/v1/games?limit=1&bot=random&cursor={cursor}"), 422, "invalid_cursor")


def test_a_search_says_what_is_wrong_with_it(house: House) -> None:
    ana = house.player()
    problem(house.visitor.get("/v1/games?asked=true"), 401, "key_required")
    for query in (
        "asked=false", "asked=true&player=p-somebody", "tag=Loud", "from=yesterday",
        f"bot={'b' * 61}",
        "from=2026-13-01T00:00:00Z", "from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z",
    ):  # fmt: skip
        assert problem(ana.get(f"/v1/games?{query}"), 422, "invalid_query")["errors"], query
    page = data(ana.get("/v1/games?limit=1"))
    assert page["next_cursor"] is None
    for table in (
        {"title": "x" * 81}, {"title": "a\u202eb"}, {"tags": ["Loud"]}, {"tags": ["a"] * 6},
        {"lobby_seconds": 10**6}, {"lobby_seconds": 1}, {"visibility": "secret"}, {"ranked": True},
    ):  # fmt: skip
        asked = {"ruleset": "sealed", "seats": TWO, "table": table}
        problem(ana.post("/v1/games", asked), 422, "invalid_body")


def test_one_finds_the_games_that_wait_for_oneself(house: House, runtime: Runtime) -> None:
    ana, bob = house.player("Ana"), house.player("Bob")
    game_id = opened(ana, table={"visibility": "private"}, clock="unlimited")
    url = f"/v1/games/{game_id}"
    token = data(ana.post(f"{url}/invitations", {}))["token"]
    assert found(ana, "asked=true") == [], "it has not begun"
    assert data(bob.put(f"{url}/seats/1", {"invitation": token}))["status"] == "running"

    def agree() -> set[int]:
        """Check that exactly the players with a decision find the game; return these players."""
        seats = {decision["seat"] for decision in data(ana.get(url))["decisions"]}
        for seat, person in enumerate((ana, bob)):
            assert found(person, "asked=true") == ([game_id] if seat in seats else []), seat
        assert everything_listed(runtime.redis) == before_and_after_a_rebuild(runtime)
        return seats

    for _ in range(4):
        seat = min(agree())
        assert (ana, bob)[seat].move(url, seat).status_code == 201
    assert ana.post(f"{url}/resignations", {"seat": 0}).status_code == 201
    assert found(ana, "asked=true") == []
    assert bob.post(f"{url}/resignations", {"seat": 1}).status_code == 201
    assert found(bob, "asked=true") == []


def before_and_after_a_rebuild(runtime: Runtime) -> dict[str, Any]:
    for _id in GameList(runtime.redis, runtime.ledger).rebuild():
        pass
    return everything_listed(runtime.redis)


def test_the_end_of_an_upgrade_gives_the_lists_what_they_lack(
    house: House, runtime: Runtime
) -> None:
    ana, bob = house.player("Ana"), house.player("Bob")
    url = house.table(ana, bob)
    opened(ana)
    with_bot = opened(bob, seats=[{"holder": "me"}, {"holder": "bot", "bot": "greedy"}])
    bots = [{"bot": "random"}] * 2
    format_ = {"type": "round_robin", "games": 2}
    cup = {"ruleset": "sealed", "seats": 2, "entries": bots, "format": format_}
    data(ana.post("/v1/tournaments", cup))
    whole = everything_listed(runtime.redis)
    for shard in ALL_SHARDS:  # as an older release has left them
        lists = shard_key(shard, LISTS)
        found_there: Any = runtime.redis.zrange(lists, 0, -1)
        for entry in found_there:
            if b":@" in entry or b":%" in entry or entry.startswith((b"asked", b"held")):
                runtime.redis.zrem(lists, entry)
        runtime.redis.delete(shard_key(shard, WAITING))
    runtime.redis.delete(INDEXED)
    runtime.redis.set(FORMAT_KEY, LEVELS[0])
    problem(ana.get("/v1/games?asked=true"), 409, "upgrade_unfinished")
    assert len(found(house.visitor, "ruleset=sealed")) == 3
    assert found(house.visitor, "bot=greedy") == [with_bot]
    assert len(data(ana.get("/v1/players/me/export"))["tournaments"]) == 1
    hidden = {"ruleset": "sealed", "seats": TWO, "table": {"visibility": "private"}}
    problem(ana.post("/v1/games", hidden), 409, "upgrade_unfinished")
    back = {"ruleset": "sealed", "seats": TWO, "take_back": True}
    problem(ana.post("/v1/games", back), 409, "upgrade_unfinished")
    duel = {**cup, "format": {"type": "compare", "claim_percent": 48}}
    problem(ana.post("/v1/tournaments", duel), 409, "upgrade_unfinished")
    problem(ana.post(f"{url}/rematch"), 409, "not_ended")
    house.app.extensions["lonja"].administration.finish_upgrade(ActTerms(Who("ops"), "done"))
    assert everything_listed(runtime.redis) == whole
    assert found(house.visitor, "bot=greedy") == [with_bot]
    assert len(data(ana.get("/v1/players/me/export"))["tournaments"]) == 1
    assert len(found(ana, "asked=true")) + len(found(bob, "asked=true")) > 0


def test_a_table_waits_no_longer_than_its_host_wants(house: House, runtime: Runtime) -> None:
    ana, bob = house.player("Ana"), house.player("Bob")
    url = f"/v1/games/{opened(ana, table={'lobby_seconds': 60})}"
    game = data(ana.get(url))
    ends = to_ms(game["created_at"]) + 60_000
    assert to_ms(game["table"]["lobby_until"]) == ends
    game_id = game["id"]
    assert runtime.ledger.store.owed(game_id)[1].deadline == ends
    assert maintenance.check_stream(runtime.ledger.store, runtime.registry, game_id) == []
    assert runtime.tables.expire(game_id) is None, "not yet"
    assert data(bob.put(f"{url}/seats/1"))["table"]["lobby_until"] is None
    assert runtime.ledger.store.owed(game_id)[1].deadline != ends


def test_nobody_can_hold_a_public_game_for_ever(house: House) -> None:
    ana = house.player()
    bots = [{"holder": "bot", "bot": "random"}] * 2

    def clock(**asked: Any) -> Any:
        return data(ana.post("/v1/games", {"ruleset": "sealed", "seats": TWO, **asked}))["clock"]

    assert clock() == {"decision_seconds": 259_200}
    assert clock(clock={"decision_seconds": 60}) == {"decision_seconds": 60}
    assert clock(seats=bots) is None
    assert clock(seats=bots, clock="unlimited") is None
    for visibility in ("unlisted", "private"):
        assert clock(table={"visibility": visibility}) is None
        assert clock(table={"visibility": visibility}, clock="unlimited") is None
    for wrong, says in (("unlimited", "for ever"), (None, '"unlimited"'), ("none", '"unlimited"')):
        asked = {"ruleset": "sealed", "seats": TWO, "clock": wrong}
        (error,) = problem(ana.post("/v1/games", asked), 422, "invalid_body")["errors"]
        assert (error["field"], error["value"]) == ("clock", wrong)
        assert says in error["message"]
    never = {"ruleset": "sealed", "seats": bots, "clock": {"decision_seconds": 0}}
    (error,) = problem(ana.post("/v1/games", never), 422, "invalid_body")["errors"]
    assert error["field"] == "clock.decision_seconds"
