"""Challenges: seats that are kept for bot accounts, which come, decline, or are too late."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest
from lonja_client import challenge as challenge_of

from rules.kernel.record.instants import to_ms
from service.ledger.ledger import AppendedBatch
from service.ledger.store import Store
from service.ledger.terms import UNLISTED, Challenge, TableTerms
from service.runtime import Runtime
from tests.running import wait_for
from tests.service.api.people import House, Person, data, play_on, problem
from tests.service.api.resources.test_bots import made
from tests.service.api.test_notices import message, opened
from tests.service.api.test_questions import ASKED
from tests.service.api.test_stream import Reader, streaming
from workers.process import make
from workers.sweeper import Sweeper

pytestmark = pytest.mark.usefixtures("following")


def opening(*bots: Any, **more: Any) -> Any:
    """Return the request that opens a table for the caller and challenged bots."""
    seats = [{"holder": "me"}, *bots]
    return {"ruleset": "sealed", "seats": seats, "table": {"visibility": "unlisted"}, **more}


def challenge(who: Person, **more: Any) -> Any:
    return {"holder": "challenged", "player": who.id, **more}


@contextmanager
def listening(*bots: Person) -> Iterator[list[Reader]]:
    """Open a stream of questions for each bot, so that it is present."""
    with ExitStack() as stack:
        readers = [stack.enter_context(streaming(bot, ASKED)) for bot in bots]
        for reader in readers:
            opened(reader)
        yield readers


def test_a_challenged_bot_is_told_and_comes(house: House) -> None:
    ana = house.player("Ana")
    robbie, eve = made(house.player("Bea")), house.player("Eve")
    with listening(robbie) as (stream,):
        url = ana.post("/v1/games", opening(challenge(robbie))).headers["Location"]
        told = message(stream)
        assert (told.kind, told["seat"], told["by"]) == ("invited", 1, ana.id)
        assert f"/v1/games/{told['game_id']}" == url
        problem(eve.put(f"{url}/seats/1"), 409, "seat_reserved")
        seen = data(robbie.get(url))
        (kept,) = seen["table"]["challenges"]
        assert (kept["player"], kept["instead"], kept["declined"]) == (robbie.id, None, None)
        assert to_ms(kept["until"]) - to_ms(seen["created_at"]) == 120_000
        assert seen["clock"]["decision_seconds"], "a bot that hangs must not hold the game"
        game = data(robbie.put(f"{url}/seats/1"))
    assert game["status"] == "running"
    assert play_on(url, [ana, robbie]) > 4


def test_a_private_table_is_open_to_the_challenged_bot_alone(house: House) -> None:
    ana = house.player("Ana")
    robbie, other = made(ana), made(ana)
    asking = opening(challenge(robbie), table={"visibility": "private"})
    with listening(robbie):
        url = ana.post("/v1/games", asking).headers["Location"]
    problem(other.get(url), 404, "unknown_game")
    problem(other.post(f"{url}/seats/1/decline", {}), 404, "unknown_game")
    assert data(robbie.put(f"{url}/seats/1"))["status"] == "running"


def test_a_bot_declines_with_a_reason_and_the_seat_is_open(house: House) -> None:
    ana, eve = house.player("Ana"), house.player("Eve")
    robbie = made(ana)
    with listening(robbie):
        url = ana.post("/v1/games", opening(challenge(robbie))).headers["Location"]
    decline = f"{url}/seats/1/decline"
    problem(eve.post(decline, {}), 409, "not_challenged")
    problem(robbie.post(f"{url}/seats/0/decline", {}), 409, "not_challenged")
    problem(robbie.post(decline, {"reason": "boredom"}), 422, "invalid_body")
    once = {"Idempotency_Key": "no"}
    assert robbie.post(decline, {"reason": "clock"}, **once).status_code == 204
    again = robbie.post(decline, {"reason": "clock"}, **once)
    assert (again.status_code, again.headers["Idempotent-Replayed"]) == (204, "true")
    assert data(ana.get(url))["table"]["challenges"][0]["declined"] == "clock"
    assert data(eve.put(f"{url}/seats/1"))["status"] == "running"
    problem(robbie.post(decline, {}), 409, "not_in_lobby")


def test_the_challenger_is_told_once_that_a_bot_declines(house: House) -> None:
    ana = house.player("Ana")
    robbie = made(ana)
    with listening(robbie), streaming(ana, "/v1/players/me/stream") as stream:
        opened(stream)
        url = ana.post("/v1/games", opening(challenge(robbie))).headers["Location"]
        for reason in ("clock", "busy"):
            assert robbie.post(f"{url}/seats/1/decline", {"reason": reason}).status_code == 204
        data(ana.put(f"{url}/seats/1"))
        first, second = message(stream), message(stream)
    assert (first.kind, first["game_id"], first["seat"]) == ("declined", url[10:], 1)
    assert (first["by"], first["reason"]) == (robbie.id, "clock")
    assert second.kind == "started", "it is told once"


def test_a_bot_of_the_service_takes_the_seat_of_one_that_declines(house: House) -> None:
    ana = house.player("Ana")
    robbie = made(ana)
    with listening(robbie):
        url = ana.post("/v1/games", opening(challenge(robbie, bot="random"))).headers["Location"]
    assert robbie.post(f"{url}/seats/1/decline").status_code == 204
    game = data(ana.get(url))
    assert (game["status"], game["seats"][1]["bot"]) == ("running", "random")


def test_who_does_not_come_is_out_by_the_stores_clock(house: House, runtime: Runtime) -> None:
    """With a bot of the service that steps in, and without. The API has ten seconds at least."""
    ana, eve = house.player("Ana"), house.player("Eve")
    robbie = made(ana)
    instead = runtime.bots["random"].holder(runtime.registry.find("sealed"))

    def opened_with(bot: Any, seconds: int) -> str:
        kept = Challenge(1, robbie.id, bot)
        terms = TableTerms(UNLISTED, challenges=(kept,), challenge_seconds=seconds)
        holders = [{"player": ana.id}, None]
        done = runtime.tables.create(ana.id, "sealed", {}, holders, terms=terms)
        assert isinstance(done, AppendedBatch)
        return done.game.id

    waiting, alone, replaced = (
        opened_with(*how) for how in ((instead, 3600), (None, 1), (instead, 1))
    )
    assert runtime.tables.expire(waiting) is None, "not yet"
    assert runtime.ledger.store.owed(alone)[1].deadline is None, "the seat is just not kept"
    sweeper = Sweeper(make(runtime))

    def has_begun() -> bool:
        sweeper.sweep()
        return bool(data(ana.get(f"/v1/games/{replaced}"))["status"] == "running")

    wait_for(has_begun)
    assert data(ana.get(f"/v1/games/{replaced}"))["seats"][1]["bot"] == "random"
    problem(robbie.put(f"/v1/games/{replaced}/seats/1"), 409, "not_in_lobby")
    assert data(ana.get(f"/v1/games/{alone}"))["status"] == "lobby"
    assert data(eve.put(f"/v1/games/{alone}/seats/1"))["status"] == "running"
    assert data(ana.get(f"/v1/games/{waiting}"))["status"] == "lobby"


def test_only_a_bot_that_is_here_and_free_and_plays_this_is_challenged(house: House) -> None:
    ana = house.player("Ana")
    robbie = made(ana, concurrency=1)
    two = opening(challenge(robbie))
    assert problem(ana.post("/v1/games", two), 409, "bot_absent")["seat"] == 1
    with listening(robbie):
        four = opening(challenge(robbie), {"holder": "open"}, {"holder": "open"})
        problem(ana.post("/v1/games", four), 409, "bot_does_not_play")
        url = ana.post("/v1/games", two, Idempotency_Key="one").headers["Location"]
        other = ana.post("/v1/games", two).headers["Location"]
        assert data(robbie.put(f"{url}/seats/1"))["status"] == "running"
        problem(robbie.put(f"{other}/seats/1"), 409, "bot_busy")
        problem(ana.post("/v1/games", two), 409, "bot_busy")
        repeated = ana.post("/v1/games", two, Idempotency_Key="one")
        assert repeated.headers["Location"] == url, "a repeated request is not judged again"
        play_on(url, [ana, robbie])
        assert data(robbie.put(f"{other}/seats/1"))["status"] == "running"
    person = opening({"holder": "challenged", "player": ana.id})
    problem(ana.post("/v1/games", person), 422, "unknown_bot")


def test_a_bot_that_takes_two_seats_at_once_sits_in_no_more_games_than_it_takes(
    house: House, runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second request is sent and answered just before the first one's event is stored."""
    ana = house.player("Ana")
    robbie = made(ana, concurrency=1)
    with listening(robbie):
        urls = [ana.post("/v1/games", opening(challenge(robbie))).headers["Location"] for _ in "12"]
    append, answers = Store.append, []

    def later(*args: Any, **more: Any) -> Any:
        monkeypatch.setattr(Store, "append", append)
        answers.append(robbie.put(f"{urls[1]}/seats/1"))
        return append(*args, **more)

    monkeypatch.setattr(Store, "append", later)
    assert data(robbie.put(f"{urls[0]}/seats/1"))["status"] == "running"
    problem(answers[0], 409, "bot_busy")
    play_on(urls[0], [ana, robbie])
    assert data(robbie.put(f"{urls[1]}/seats/1"))["status"] == "running"


def test_a_bot_that_leaves_or_is_sent_away_is_free_at_once(house: House) -> None:
    ana, eve = house.player("Ana"), house.player("Eve")
    robbie = made(ana, concurrency=1)
    body = {"ruleset": "sealed", "seats": [{"holder": "me"}, *[{"holder": "open"}] * 2]}
    urls = [ana.post("/v1/games", body).headers["Location"] for _ in "1234"]
    data(robbie.put(f"{urls[0]}/seats/1"))
    problem(robbie.put(f"{urls[1]}/seats/1"), 409, "bot_busy")
    data(robbie.delete(f"{urls[0]}/seats/1"))
    data(robbie.put(f"{urls[1]}/seats/1"))
    data(ana.delete(f"{urls[1]}/seats/1"))
    data(eve.put(f"{urls[2]}/seats/1"))
    problem(robbie.put(f"{urls[2]}/seats/1"), 409, "seat_taken")
    data(robbie.put(f"{urls[3]}/seats/1"))
    problem(robbie.put(f"{urls[2]}/seats/2"), 409, "bot_busy")


def test_a_challenge_to_any_bot_finds_one_that_is_free(house: House) -> None:
    ana = house.player("Ana")
    _absent, busy, free = made(ana), made(ana, concurrency=1), made(ana)
    anybody = {"holder": "challenged", "player": "any"}
    problem(ana.post("/v1/games", opening(anybody)), 409, "bot_absent")
    with listening(busy, free):
        url = ana.post("/v1/games", opening(challenge(busy))).headers["Location"]
        data(busy.put(f"{url}/seats/1"))
        found = data(ana.post("/v1/games", opening(anybody)))
        assert [one["player"] for one in found["table"]["challenges"]] == [free.id]
        none = problem(ana.post("/v1/games", opening(anybody, anybody)), 409, "bot_absent")
        assert none["seat"] == 2, "the same bot does not play twice"


@pytest.mark.parametrize(
    ("seat", "field"),
    [
        ({"holder": "challenged"}, "seats.1.player"),
        ({"holder": "challenged", "player": "any", "entropy_commitment": "0" * 64},
         "seats.1.entropy_commitment"),
        ({"holder": "open", "player": "any"}, "seats.1.player"),
        ({"holder": "bot", "bot": "random", "player": "any"}, "seats.1.player"),
    ],
)  # fmt: skip
def test_a_challenge_is_well_formed(house: House, seat: Any, field: str) -> None:
    found = problem(house.player("Ana").post("/v1/games", opening(seat)), 422, "invalid_body")
    assert [error["field"] for error in found["errors"]] == [field]


def test_a_challenge_is_not_for_drawn_or_rated_or_endless_tables(house: House) -> None:
    ana = house.player("Ana")
    robbie = made(ana)
    for more, field in (
        ({"table": {"visibility": "unlisted", "seating": "random"}}, "table.seating"),
        ({"table": {"rated": True}}, "seats.1.holder"),
        ({"clock": "unlimited"}, "clock"),
    ):
        body = opening(challenge(robbie), **more)
        found = problem(ana.post("/v1/games", body), 422, "invalid_body")
        assert [error["field"] for error in found["errors"]] == [field]


def test_a_rematch_challenges_nobody_anew(house: House) -> None:
    ana = house.player("Ana")
    robbie = made(ana)
    with listening(robbie) as (stream,):
        url = ana.post("/v1/games", opening(challenge(robbie))).headers["Location"]
        data(robbie.put(f"{url}/seats/1"))
        play_on(url, [ana, robbie])
        again = data(ana.post(f"{url}/rematch"))
        assert again["table"]["challenges"] == []
        assert robbie.id in again["table"]["reserved"]
        while (told := message(stream)).kind != "invited" or told["rematch_of"] is None:
            pass
    assert data(robbie.put(f"/v1/games/{again['id']}/seats/{told['seat']}"))["status"] == "running"


def test_the_client_names_challenges() -> None:
    assert challenge_of("p-x", "random") == {
        "holder": "challenged", "player": "p-x", "bot": "random",
    }  # fmt: skip
    assert challenge_of() == {"holder": "challenged", "player": "any"}
