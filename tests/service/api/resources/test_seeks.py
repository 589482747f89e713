"""Seeks: who is matched with whom, when, once, and what seekers are told."""

from typing import Any

import orjson
import pytest

from service.administration.keys import AdminKeys
from service.games import seeks as stored
from service.games.matching import Seek, Seeker, first_group
from service.games.seeks import OPENING, PRESENT, SEEKS, TURN, Seeks
from service.ledger.idempotency import IdempotencyNotes, OvertakenError
from service.ledger.store import Store
from service.people.leaving import Departures
from service.players.bot_accounts import PRESENT_MS
from service.runtime import Runtime
from service.skill.fold import Skill
from service.skill.ratings import PlayerRatings
from service.skill.weng_lin import Rating
from tests.running import wait_for
from tests.service.api.people import House, Json, Person, data, play_on, problem
from tests.service.api.resources.test_bots import made
from tests.service.api.test_notices import message, opened
from tests.service.api.test_stream import streaming
from workers.process import make
from workers.seeking import seeks_of
from workers.sweeper import Sweeper

WANTED: Json = {"ruleset": "sealed", "seats": 2}
ALL = "/v1/seeks"


@pytest.fixture
def ana(house: House) -> Person:
    return house.player("Ana")


@pytest.fixture
def bob(house: House) -> Person:
    return house.player("Bob")


def seek(who: Person, **more: Any) -> Json:
    """Seek a game of two, unless ``more`` says otherwise; return the seek."""
    return data(who.post(ALL, {**WANTED, **more}))


def again(who: Person, sought: Json) -> Json:
    return data(who.get(f"{ALL}/{sought['id']}"))


def status(who: Person, sought: Json) -> str:
    return str(again(who, sought)["status"])


def listed(who: Person, query: str = "") -> list[str]:
    return [one["id"] for one in data(who.get(ALL + query))["seeks"]]


def leaves(runtime: Runtime, *people: Person) -> None:
    """Let these people have had no stream for as long as makes them absent."""
    now = runtime.ledger.store.clock.now_ms()
    runtime.redis.zadd(PRESENT, {one.id: now - PRESENT_MS for one in people})


def from_address(house: House, address: str) -> None:
    house.client.environ_base["REMOTE_ADDR"] = address


def rated(monkeypatch: pytest.MonkeyPatch, of: dict[str, float]) -> None:
    """Let players have these ratings."""

    def in_rulesets(_self: PlayerRatings, names: Any) -> Any:
        return {
            name: Skill(Rating(of[name[1]], 80.0), 9) if name[1] in of else Skill()
            for name in names
        }

    monkeypatch.setattr(PlayerRatings, "in_rulesets", in_rulesets)


# Matching


@pytest.mark.usefixtures("following")
def test_two_who_want_the_same_play_it_and_are_told(house: House, ana: Person, bob: Person) -> None:
    with streaming(ana, "/v1/players/me/stream") as stream:
        opened(stream)
        first = seek(ana, clock={"decision_seconds": 60})
        assert (first["status"], first["game"], first["player"]) == ("waiting", None, ana.id)
        assert listed(house.visitor) == [first["id"]]
        second = seek(bob, clock={"decision_seconds": 60})
        told = message(stream)
    game = data(bob.get(f"/v1/games/{second['game']}"))
    assert (told.kind, told["game_id"]) == ("started", game["id"])
    assert (game["status"], game["clock"]) == ("running", {"decision_seconds": 60})
    assert {one["player"] for one in game["seats"]} == {ana.id, bob.id}
    assert (game["table"]["seating"], game["table"]["rated"]) == ("random", False)
    found = again(ana, first)
    assert (found["status"], found["game"]) == ("matched", game["id"])
    assert listed(house.visitor) == listed(ana, "?player=me") == []
    people = [ana, bob] if game["seats"][0]["player"] == ana.id else [bob, ana]
    assert play_on(f"/v1/games/{game['id']}", people) > 1


def test_three_seats_need_three(house: House, ana: Person, bob: Person) -> None:
    eve = house.player("Eve")
    waiting = [seek(ana, seats=3), seek(bob, seats=3)]
    assert {status(ana, waiting[0]), status(bob, waiting[1])} == {"waiting"}
    assert seek(eve, seats=3)["status"] == "matched"
    assert len({again(ana, waiting[0])["game"], again(bob, waiting[1])["game"]}) == 1


@pytest.mark.parametrize(
    "other",
    [
        {"seats": 3},
        {"clock": {"decision_seconds": 61}},
        {"rated": True},
        {"ruleset": "macao"},
        {"opponents": "bots"},
    ],
)
def test_who_wants_something_else_is_not_matched(ana: Person, bob: Person, other: Json) -> None:
    first = seek(ana, clock={"decision_seconds": 60})
    assert seek(bob, **{"clock": {"decision_seconds": 60}, **other})["status"] == "waiting"
    assert status(ana, first) == "waiting"


def test_who_names_no_clock_takes_that_of_the_others(
    house: House, runtime: Runtime, ana: Person, bob: Person
) -> None:
    seek(ana, seats=3)
    seek(bob, seats=3, clock={"decision_seconds": 61})
    hasty = seek(house.player("Eve"), seats=3, clock={"decision_seconds": 5})
    assert hasty["status"] == "waiting"
    found = seek(house.player("Dan"), seats=3)
    game = data(ana.get(f"/v1/games/{found['game']}"))
    assert game["clock"] == {"decision_seconds": 61}
    usual = runtime.settings.decision_seconds
    seek(house.player("Fay"))
    game = data(ana.get(f"/v1/games/{seek(house.player('Gus'))['game']}"))
    assert game["clock"] == {"decision_seconds": usual}


def test_a_bot_that_does_not_come_is_answered_for_by_its_clock(
    runtime: Runtime, ana: Person, bob: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    robbie = made(bob)
    seek(robbie)
    url = f"/v1/games/{seek(ana, clock={'decision_seconds': 1})['game']}"
    bots_seat = [seat["player"] for seat in data(ana.get(url))["seats"]].index(robbie.id)
    for late in ("service.games.commands.is_late", "rules.kernel.record.batch.is_late"):
        monkeypatch.setattr(late, lambda *_args: True)
    while data(ana.get(url))["status"] == "running":
        runtime.tables.expire(url.rpartition("/")[2])
    events = data(ana.get(f"{url}/events"))["events"]
    out = [event["body"]["time_out"]["seat"] for event in events if event["kind"] == "timed_out"]
    assert bots_seat in out
    assert data(ana.get(url))["status"] == "ended"
    assert seek(robbie)["status"] == "waiting", "it is free again"


def test_nobody_plays_against_oneself(ana: Person) -> None:
    seek(ana)
    assert seek(ana)["status"] == "waiting"


def test_who_has_waited_longest_comes_first(house: House, runtime: Runtime) -> None:
    people = [house.player(str(number)) for number in range(3)]
    waiting = [(one, seek(one)) for one in people[:1]]
    leaves(runtime, people[0])
    waiting += [(one, seek(one, opponents="people")) for one in people[1:2]]
    runtime.redis.zadd(PRESENT, {people[0].id: runtime.ledger.store.clock.now_ms()})
    last = seek(people[2])
    assert [status(*one) for one in waiting] == ["matched", "matched"]
    assert last["status"] == "waiting", "both others had waited longer"


def test_whoever_left_waits_and_is_matched_when_back(
    house: House, runtime: Runtime, ana: Person, bob: Person
) -> None:
    first = seek(ana)
    leaves(runtime, ana)
    assert listed(house.visitor) == []
    assert listed(ana, "?player=me") == [first["id"]]
    second = seek(bob)
    assert second["status"] == "waiting"
    sweeper = Sweeper(make(runtime))
    with streaming(ana, "/v1/players/me/stream") as stream:
        opened(stream)
        wait_for(lambda: len(listed(house.visitor)) == 2)
        sweeper.sweep()
        assert (status(ana, first), status(bob, second)) == ("matched", "matched")


def test_a_seek_ends_by_itself(runtime: Runtime, ana: Person, bob: Person) -> None:
    first = seek(ana, seconds=30)
    raw = orjson.loads(runtime.redis.hget(SEEKS, first["id"]) or b"")
    late = Seek(**raw)._replace(until=runtime.ledger.store.clock.now_ms() - 1)
    runtime.redis.hset(SEEKS, first["id"], late.dump())
    assert listed(ana, "?player=me") == []
    assert seek(bob)["status"] == "waiting"
    assert status(ana, first) == "expired"
    assert ana.delete(f"{ALL}/{first['id']}").status_code == 204, "nothing is left to do"


def test_who_plays_seeks_no_more(house: House, ana: Person, bob: Person) -> None:
    """The game of one seek ends a person's other seeks."""
    other = seek(ana, seats=3)
    seek(ana)
    assert seek(bob)["status"] == "matched"
    assert status(ana, other) == "cancelled"
    assert listed(house.visitor) == []


# Ratings


def test_a_rated_game_is_for_people_of_two_addresses(
    house: House, ana: Person, bob: Person
) -> None:
    problem(
        house.player("Rob", kind="bot").post(ALL, {**WANTED, "rated": True}), 409, "rated_table"
    )
    first = seek(ana, rated=True)
    assert first["opponents"] == "people"
    second = seek(bob, rated=True)
    assert second["status"] == "waiting", "both came from one address"
    from_address(house, "192.0.2.9")
    third = seek(house.player("Eve"), rated=True)
    assert third["status"] == "matched"
    assert status(ana, first) == "matched"
    assert data(house.visitor.get(f"/v1/games/{third['game']}"))["table"]["rated"] is True


def test_a_range_of_ratings_is_kept_on_both_sides(
    house: House, ana: Person, bob: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    rated(monkeypatch, {ana.id: 1700.0, bob.id: 1400.0})
    seek(ana, min_rating=1450)
    assert seek(bob)["status"] == "waiting", "too weak for the other"
    eve = house.player("Eve")
    assert seek(eve, max_rating=1500)["status"] == "matched", "with the weaker of the two"
    dan = house.player("Dan")
    assert seek(dan, min_rating=1500)["status"] == "matched", "who is new has 1500"


def test_no_program_is_in_a_range_of_ratings(ana: Person, bob: Person) -> None:
    robbie = made(bob)
    seek(ana, min_rating=0)
    assert seek(robbie)["status"] == "waiting"
    told = problem(
        ana.post(ALL, {**WANTED, "opponents": "bots", "max_rating": 9}), 422, "invalid_body"
    )
    assert [error["field"] for error in told["errors"]] == ["opponents"]


# Bots


def test_bots_play_people_and_each_other_within_what_they_take(
    house: House, runtime: Runtime, ana: Person, bob: Person
) -> None:
    robbie, other = made(ana, concurrency=2), made(bob)
    problem(robbie.post(ALL, {**WANTED, "ruleset": "macao"}), 409, "bot_does_not_play")
    problem(robbie.post(ALL, {**WANTED, "rated": True}), 409, "rated_table")
    waiting = [seek(robbie) for _ in range(3)]
    played = seek(other)
    assert played["status"] == "matched"
    assert status(robbie, waiting[0]) == "matched"
    assert seek(other)["status"] == "waiting", "it plays one game at once"
    person = seek(bob, opponents="bots")
    assert person["status"] == "matched"
    assert status(robbie, waiting[1]) == "matched"
    late = seek(ana)
    assert late["status"] == "waiting", "neither bot is free"
    assert status(robbie, waiting[2]) == "waiting"
    url = f"/v1/games/{played['game']}"
    seats = [seat["player"] for seat in data(ana.get(url))["seats"]]
    play_on(url, [robbie if player == robbie.id else other for player in seats])
    seeks_of(runtime).match()
    assert status(robbie, waiting[2]) == "matched", "with the other bot, which waited before"
    assert status(ana, late) == "waiting"


def test_who_wants_people_alone_meets_no_program(ana: Person, bob: Person) -> None:
    seek(ana, opponents="people")
    assert seek(made(bob))["status"] == "waiting"
    assert seek(bob)["status"] == "matched"


def test_a_bot_that_becomes_busy_meanwhile_is_left_out(
    house: House, runtime: Runtime, ana: Person, bob: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It takes a seat after it was found free, before it is matched."""
    robbie = made(bob, concurrency=1)
    body = {"ruleset": "sealed", "seats": [{"holder": "me"}, {"holder": "open"}]}
    url = bob.post("/v1/games", body).headers["Location"]
    sought, not_admitted = seek(robbie), Seeks._not_admitted

    def later(self: Seeks, group: Any) -> Any:
        monkeypatch.setattr(Seeks, "_not_admitted", not_admitted)
        assert robbie.put(f"{url}/seats/1").status_code == 200
        return not_admitted(self, group)

    monkeypatch.setattr(Seeks, "_not_admitted", later)
    late = seek(ana)
    assert late["status"] == "waiting"
    assert status(robbie, sought) == "waiting"
    assert seek(house.player("Eve"))["game"] == again(ana, late)["game"]


# Once, and through kills


def test_a_repeated_request_is_one_seek(house: House, ana: Person, bob: Person) -> None:
    first = ana.post(ALL, WANTED, Idempotency_Key="one")
    repeated = ana.post(ALL, WANTED, Idempotency_Key="one")
    assert repeated.json == first.json
    assert repeated.headers["Idempotent-Replayed"] == "true"
    assert repeated.headers["Location"] == first.headers["Location"]
    assert len(listed(house.visitor)) == 1
    seek(bob)
    after = data(ana.post(ALL, WANTED, Idempotency_Key="one"))
    assert (after["id"], after["status"]) == (data(first)["id"], "matched")


def test_of_two_processes_one_opens_the_table(
    house: House, runtime: Runtime, ana: Person, bob: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second one matches the same seeks after the first has chosen them."""
    seeks, do = seeks_of(runtime), IdempotencyNotes.do
    others: list[Any] = []

    def later(*args: Any, **more: Any) -> Any:
        if len(args) > 3 and args[3] and args[3][0][1] == OPENING and not others:
            others.append(None)
            others.extend(seeks.match())
        return do(*args, **more)

    first = seek(ana)
    monkeypatch.setattr(IdempotencyNotes, "do", later)
    second = seek(bob)
    assert others[1:] == [second["game"]] == [again(ana, first)["game"]]
    assert len(data(house.visitor.get("/v1/games"))["games"]) == 1
    assert set(runtime.redis.scan_iter("lonja:{quota}:games:p-*")) == {
        f"lonja:{{quota}}:games:{one.id}".encode() for one in (ana, bob)
    }
    for one in (ana, bob):
        assert runtime.redis.zcard(f"lonja:{{quota}}:games:{one.id}") == 1, "nothing is left over"


def test_a_process_that_dies_between_match_and_table_loses_nobody(
    house: House, runtime: Runtime, ana: Person, bob: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = seek(ana)
    with monkeypatch.context() as patch:
        patch.setattr(Seeks, "_open", lambda *_args: False)
        second = seek(bob)
    assert (second["status"], status(ana, first)) == ("waiting", "waiting")
    problem(ana.delete(f"{ALL}/{first['id']}"), 409, "seek_matched")
    seeks = seeks_of(runtime)
    assert seeks.match() == [], "the other process may be just about to"
    monkeypatch.setattr(stored, "_INTERRUPTED_MS", -1)
    (game,) = seeks.match()
    assert again(ana, first)["game"] == again(bob, second)["game"] == game
    assert data(ana.get(f"/v1/games/{game}"))["status"] == "running"
    assert seeks.match() == []
    assert runtime.redis.hlen(OPENING) == 0


def test_a_table_that_was_opened_twice_is_one(
    runtime: Runtime, ana: Person, bob: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process dies when the table is open, before it has said so."""
    append = Store.append
    monkeypatch.setattr(stored, "_INTERRUPTED_MS", -1)

    def dies(*args: Any, **more: Any) -> Any:
        append(*args, **more)
        raise KeyboardInterrupt

    first = seek(ana)
    with monkeypatch.context() as patch:
        patch.setattr(Store, "append", dies)
        with pytest.raises(KeyboardInterrupt):
            bob.post(ALL, WANTED)
    (game,) = seeks_of(runtime).match()
    assert again(ana, first)["game"] == game
    assert data(ana.get(f"/v1/games/{game}"))["status"] == "running"


def test_a_game_that_could_not_begin_in_time_begins_no_more(
    house: House, runtime: Runtime, ana: Person, bob: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = seek(ana)
    with monkeypatch.context() as patch:
        patch.setattr(Seeks, "_open", lambda *_args: False)
        seek(bob)
    monkeypatch.setattr(stored, "_FORGOTTEN_MS", -1)
    assert seeks_of(runtime).match() == []
    assert status(ana, first) == "expired"
    assert data(house.visitor.get("/v1/games"))["games"] == []


def test_who_may_not_play_more_is_refused_and_the_others_go_on(
    house: House, runtime: Runtime, ana: Person, bob: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = type(runtime.settings)
    monkeypatch.setattr(settings, "games_per_player", 1, raising=False)
    seek(ana), seek(bob)
    first = seek(ana)
    eve = house.player("Eve")
    late = seek(eve)
    assert late["status"] == "waiting"
    told = again(ana, first)
    assert (told["status"], told["reason"]) == ("refused", "too_many_games")
    assert seek(house.player("Dan"))["game"] == again(eve, late)["game"]


# Cancelling, limits, leaving


def test_a_cancelled_seek_waits_no_more(house: House, ana: Person, bob: Person) -> None:
    first = seek(ana)
    url = f"{ALL}/{first['id']}"
    problem(bob.get(url), 404, "unknown_seek")
    problem(bob.delete(url), 404, "unknown_seek")
    assert ana.delete(url).status_code == ana.delete(url).status_code == 204
    assert status(ana, first) == "cancelled"
    second = seek(bob)
    seek(ana)
    told = problem(bob.delete(f"{ALL}/{second['id']}"), 409, "seek_matched")
    assert told["game_id"] == again(bob, second)["game"]


def test_seeks_are_few(
    house: House, ana: Person, bob: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = [seek(ana) for _ in range(5)]
    told = problem(ana.post(ALL, WANTED), 429, "too_many_seeks")
    assert (told["scope"], told["limit"]) == ("player", 5)
    ana.delete(f"{ALL}/{made[0]['id']}")
    monkeypatch.setattr(stored, "MAX_SEEKS", 4)
    told = problem(ana.post(ALL, WANTED), 429, "too_many_seeks")
    assert (told["scope"], told["limit"]) == ("service", 4)
    assert len(listed(house.visitor, "?limit=3")) == 3
    assert listed(house.visitor, "?ruleset=macao") == []


def test_nobody_fills_the_list_from_one_address(
    house: House, runtime: Runtime, ana: Person, bob: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(runtime.settings), "tables_per_address", 2, raising=False)
    seek(ana, seats=3), seek(ana, seats=3)
    told = problem(bob.post(ALL, WANTED), 429, "too_many_seeks")
    assert (told["scope"], told["limit"]) == ("address", 2)
    from_address(house, "192.0.2.9")
    assert seek(bob)["status"] == "waiting"


def test_one_look_opens_few_tables(
    house: House, runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So many who come back at once do not keep a worker from its other duties."""
    people = [house.player(str(number)) for number in range(6)]
    with monkeypatch.context() as patch:
        patch.setattr(Seeks, "match", lambda *_args: [])
        for one in people:
            seek(one)
    monkeypatch.setattr(stored, "AT_ONCE", 2)
    assert [len(seeks_of(runtime).match()) for _ in range(3)] == [2, 1, 0]


def test_one_process_at_a_time_looks_through_all(
    runtime: Runtime, ana: Person, bob: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stored, "TURN_MS", 60_000)
    with monkeypatch.context() as patch:
        patch.setattr(Seeks, "match", lambda *_args: [])
        first = seek(ana)
        seek(bob)
        assert seeks_of(runtime).match_in_turn() == []
    assert seeks_of(runtime).match_in_turn() == [], "the other process has just looked"
    assert 0 < runtime.redis.pttl(TURN) <= 60_000
    runtime.redis.delete(TURN)
    (game,) = seeks_of(runtime).match_in_turn()
    assert again(ana, first)["game"] == game


def test_a_new_seek_opens_no_table_of_others(
    house: House, runtime: Runtime, ana: Person, bob: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(Seeks, "match", lambda *_args: [])
        first, _second = seek(ana), seek(bob)
    seek(house.player("Eve"), seats=3)
    assert status(ana, first) == "waiting"
    assert len(seeks_of(runtime).match()) == 1


@pytest.mark.parametrize(
    ("more", "code", "field"),
    [
        ({"seats": 9}, "bad_options", "seats"),
        ({"options": {"none": 1}}, "bad_options", "options.none"),
        ({"seats": 1}, "invalid_body", "seats"),
        ({"rated": True, "opponents": "bots"}, "invalid_body", "opponents"),
        ({"min_rating": 1500, "max_rating": 1400}, "invalid_body", "max_rating"),
        ({"seconds": 3601}, "invalid_body", "seconds"),
    ],
)
def test_a_seek_that_nothing_can_come_of_is_refused(
    ana: Person, more: Json, code: str, field: str
) -> None:
    problem(ana.post(ALL, {**WANTED, "ruleset": "none"}), 404, "unknown_ruleset")
    told = problem(ana.post(ALL, {**WANTED, **more}), 422, code)
    assert [error["field"] for error in told["errors"]] == [field]


def test_who_leaves_or_is_banned_is_matched_no_more(
    house: House, runtime: Runtime, ana: Person, bob: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    eve, forget = house.player("Eve"), Departures._forget

    def late(self: Departures, player_id: str) -> None:
        """Store a seek that was asked for before the player's keys were gone."""
        wanted, _seeker = of(1, player=player_id)
        seeks_of(runtime).add(wanted, 600)
        assert len(listed(house.visitor)) == 1
        forget(self, player_id)

    seek(ana)
    robbie = made(ana)
    seek(robbie, seats=3)
    exported = orjson.loads(ana.get("/v1/players/me/export").data)
    assert [one["address"] for one in exported["seeks"]] == ["127.0.0.1"]
    assert [one["seats"] for one in exported["bots"][0]["seeks"]] == [3]
    ana.delete("/v1/players/me", {"id": ana.id})
    assert listed(house.visitor) == []
    left = {key.decode() for key in runtime.redis.scan_iter("lonja:{meta}:seek*")}
    assert left == set()

    with monkeypatch.context() as patch:
        patch.setattr(Departures, "_forget", late)
        eve.delete("/v1/players/me", {"id": eve.id})
    assert listed(house.visitor) == []

    first = seek(bob)
    _made, key = AdminKeys(runtime.redis, runtime.ledger.store.clock.now_ms).make("eva", 1)
    admin = Person(house, {"Authorization": f"Bearer {key}"})
    data(admin.post(f"/v1/admin/players/{bob.id}/ban", {"reason": "a test"}))
    other = seek(house.player("Dan"))
    assert other["status"] == "waiting"
    assert runtime.redis.hexists(SEEKS, first["id"])
    assert listed(house.visitor) == [other["id"]]


# Groups


def of(number: int, **more: Any) -> tuple[Seek, Seeker]:
    wanted = Seek(
        id=f"s-{number}", player=f"p-{number}", ruleset="sealed", seats=3, options={},
        clock={"decision_seconds": 60}, rated=False, opponents="anybody", least=None, most=None,
        since=number, until=0, address=f"a{number}", times=1,
    )  # fmt: skip
    return wanted._replace(**more), Seeker("person", 1000.0 + number)


def chosen(*seekers: tuple[Seek, Seeker]) -> list[int] | None:
    about = {one.id: seeker for one, seeker in seekers}
    group = first_group([one for one, _seeker in seekers], about)
    return None if group is None else [one.since for one in group]


def test_a_group_is_the_first_in_which_all_suit_each_other() -> None:
    assert chosen(of(1), of(2)) is None
    assert chosen(of(1), of(2), of(3), of(4)) == [1, 2, 3]
    assert chosen(of(1), of(2, most=1003), of(4), of(5)) == [1, 4, 5], "2 suits 1 alone"
    assert chosen(of(1, most=1002), of(2), of(3), of(4)) == [2, 3, 4]


def test_a_search_of_hostile_wishes_ends() -> None:
    many = [of(n, seats=12, least=1000, most=1000 + n) for n in range(200)]
    assert chosen(*many) is None


def test_the_seeks_of_one_address_do_not_keep_others_from_a_table() -> None:
    """Its players suit each other, except the last two: all combinations are tried in vain."""
    hostile = [
        of(
            n,
            player=f"p-{n // 5}",
            address="a",
            seats=12,
            clock=None if n < 50 else {"decision_seconds": n},
        )
        for n in range(60)
    ]
    seldom = [of(60 + n, address="a", rated=True, seats=2) for n in range(200)]
    others = [of(300 + n, seats=2) for n in range(2)]
    assert chosen(*hostile, *others) == [300, 301]
    assert chosen(*seldom, *others) == [300, 301]


def test_a_process_that_is_always_overtaken_leaves_it_to_others(
    runtime: Runtime, ana: Person, bob: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    def overtaken(*_args: Any) -> Any:
        raise OvertakenError

    with monkeypatch.context() as patch:
        patch.setattr(Seeks, "_take", overtaken)
        seek(ana)
        assert seek(bob)["status"] == "waiting"
    assert len(seeks_of(runtime).match()) == 1
