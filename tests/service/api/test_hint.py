"""Hints: requested over HTTP, made by a real worker, from what the asker's seat knows."""

import importlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from functools import partial
from subprocess import Popen
from typing import Any

import orjson
import pytest

from laws.streams import played
from rules.kernel.canonical import encode
from rules.kernel.contract.seats import Seat
from rules.kernel.proof.verdicts import PROVED
from rules.kernel.record.game import Game
from rules.registry import PACKAGES
from service.catalogue.bots import BOTS, LIVE
from service.cli.verifying import VerifyOptions, verify_game
from service.games import analyses, hints
from service.games.admission import Claimant
from service.records.game_file import Record
from service.records.receipts import is_genuine
from service.redis.server import RedisServer
from service.runtime import Runtime
from service.turns.schedule import Turn
from tests.contract.tables import REGISTRY
from tests.contract.twins import Twins
from tests.running import environment, forget_jobs, process, runtime_on, wait_for
from tests.service.api.people import House, Json, Person, data, play_on, problem
from workers import bots
from workers.analysis.hint import hint
from workers.hints import HintWork

Start = Callable[..., AbstractContextManager[Popen[str]]]
BOT = {"holder": "bot", "bot": "greedy"}
HIDE_NOTHING = ("rules.santiago_de_cuba",)
"""Games that hide nothing from a perfect memory."""


@pytest.fixture
def ana(house: House) -> Person:
    return house.player()


@pytest.fixture
def alone(ana: Person) -> str:
    """The URL of a game that a person plays alone; the first seat is asked."""
    return opened(ana, {"holder": "me"})


def opened(person: Person, other: Json = BOT, ruleset: str = "sealed") -> str:
    seats = [{"holder": "me"}, other]
    answer = person.post("/v1/games", {"ruleset": ruleset, "seats": seats})
    assert answer.status_code == 201, answer.text
    return answer.headers["Location"]


@pytest.fixture
def start(redis_server: RedisServer) -> Start:
    """Start a worker of the queue ``live``."""
    env = environment(redis_server.url)
    return partial(process, "-m", "workers.worker", "--queue", LIVE, env=env)


@pytest.fixture
def work(redis_server: RedisServer) -> HintWork:
    """Make hints in this process."""
    return HintWork(runtime_on(redis_server.url, announce=False))


def ask(url: str, person: Person, seat: int = 0, **headers: str) -> Json:
    answer = person.post(f"{url}/hint", {"seat": seat}, **headers)
    assert answer.status_code == 202, answer.text
    told = data(answer)
    assert answer.headers["Location"] == f"{url}/hint?seat={seat}&decision={told['decision']}"
    return told


def read(url: str, person: Person, query: str = "?seat=0", **headers: str) -> Json:
    return data(person.get(f"{url}/hint{query}", **headers))


def name_of(url: str, asked: Json) -> str:
    return hints.name_of(url.rpartition("/")[2], asked["seat"], asked["decision"])


def test_a_hint_tells_the_move_and_what_the_best_moves_are_expected_to_bring(
    ana: Person, start: Start
) -> None:
    alone = opened(ana, {"holder": "me"}, "ragusa")
    problem(ana.get(f"{alone}/hint?seat=0"), 404, "no_hint")
    before = data(ana.get(f"{alone}/events"))
    asked = ask(alone, ana)
    assert (asked["state"], asked["result"], asked["current"]) == ("queued", None, True)
    with start():
        wait_for(lambda: read(alone, ana)["state"] == "done")
    found = read(alone, ana)
    result = found["result"]
    listed = ana.legal(alone, 0)
    labels = dict(zip(map(str, listed["moves"]), listed["labels"], strict=True))
    assert result["choices"] == len(labels)
    moves = result["moves"]
    assert 1 < len(moves) <= 4
    assert [move["label"] for move in moves] == [labels[str(move["move"])] for move in moves]
    assert moves[0]["cost"] == {"mean": 0, "error": 0}
    for other in moves[1:]:
        lost = moves[0]["lead"]["mean"] - other["lead"]["mean"]
        assert abs(other["cost"]["mean"] - lost) <= 1  # each is rounded
    spanish = read(alone, ana, Accept_Language="es")["result"]["moves"][0]
    assert spanish["move"] == moves[0]["move"]
    assert spanish["label"] != moves[0]["label"]
    assert ask(alone, ana) == {**found, "receipt": None}, "asked twice, it is the same"
    assert data(ana.get(f"{alone}/events")) == before, "nothing of it is in the record"


def test_when_the_game_goes_on_the_hint_says_that_it_is_out_of_date(
    ana: Person, alone: str, work: HintWork
) -> None:
    asked = ask(alone, ana)
    work.make(name_of(alone, asked))
    etag = ana.get(f"{alone}/hint?seat=0").headers["ETag"]
    assert ana.get(f"{alone}/hint?seat=0", If_None_Match=etag).status_code == 304
    assert read(alone, ana)["current"]
    ana.move(alone, 0)
    query = f"?seat=0&decision={asked['decision']}"
    late = read(alone, ana, query)
    assert (late["state"], late["current"]) == ("done", False)
    problem(ana.get(f"{alone}/hint?seat=0"), 404, "no_hint")


def test_a_hint_asked_for_in_vain_is_not_made_of_a_later_position(
    ana: Person, alone: str, work: HintWork
) -> None:
    """A worker that comes late judges the position in which the seat was asked."""
    asked, other = ask(alone, ana), opened(ana, {"holder": "me"})
    ana.move(alone, 0)
    work.make(name_of(alone, asked))
    late = read(alone, ana, f"?seat=0&decision={asked['decision']}")
    assert late["state"] == "done"
    work.make(name_of(other, ask(other, ana)))
    assert late["result"]["choices"] == read(other, ana)["result"]["choices"]


def test_who_plays_with_others_or_for_ratings_gets_none(
    house: House, runtime: Runtime, ana: Person
) -> None:
    ben = house.player("Ben")
    url = house.table(ana, ben)
    found = problem(ana.post(f"{url}/hint", {"seat": 0}), 409, "no_hints")
    assert found["detail"].startswith("you are not alone with bots, and the table was not opened")
    url = house.table(ana, ben, table={"rated": True})
    found = problem(ana.post(f"{url}/hint", {"seat": 0}), 409, "no_hints")
    assert found["detail"] == "its result counts for ratings"
    assert runtime.jobs.waiting(LIVE) == 0


def test_where_the_table_has_hints_all_see_who_asks_but_not_what_for(
    house: House, ana: Person, work: HintWork
) -> None:
    ben = house.player("Ben")
    url = house.table(ana, ben, hints=True)
    assert data(ana.get(url))["hints"] is True
    version = data(ana.get(url))["version"]
    asked = ask(url, ana, Idempotency_Key="the-hint")
    events = data(ben.get(f"{url}/events?after={version}"))["events"]
    assert events == data(house.visitor.get(f"{url}/events?after={version}"))["events"]
    (event,) = events
    assert (event["kind"], event["by"]) == ("hinted", {"seat": 0})
    assert event["body"] == {"hint": {"decision": asked["decision"]}}
    receipt = asked["receipt"]
    (key,) = data(ana.get("/v1/signing_keys"))["keys"]
    assert is_genuine(receipt, bytes.fromhex(key["public_key"]))
    assert receipt["seq"] == version + 1
    again = ana.post(f"{url}/hint", {"seat": 0}, Idempotency_Key="the-hint")
    assert (again.headers["Idempotent-Replayed"], data(again)) == ("true", asked)
    assert ask(url, ana)["receipt"] is None, "it is the same hint, and no other event"
    assert data(ana.get(url))["version"] == version + 1
    work.make(name_of(url, asked))
    assert read(url, ana)["state"] == "done"
    problem(ben.get(f"{url}/hint?seat=0"), 403, "not_your_seat")
    problem(ben.post(f"{url}/hint", {"seat": 1}), 409, "not_your_turn")
    play_on(url, [ana, ben])
    problem(ana.post(f"{url}/hint", {"seat": 0}), 409, "game_over")
    late = ana.post(f"{url}/hint", {"seat": 0}, Idempotency_Key="the-hint")
    assert data(late)["receipt"] == receipt
    lines = ben.get(f"{url}/record").text.splitlines()
    header, *copies = map(orjson.loads, lines)
    assert verify_game(Record(header, copies), VerifyOptions(), REGISTRY).verdict == PROVED
    assert data(ana.post(f"{url}/rematch"))["hints"] is True


def test_no_hint_is_told_that_nobody_has_seen_the_request_for(
    house: House, runtime: Runtime, ana: Person, work: HintWork
) -> None:
    """Not even if the process ends after it has queued the hint, before the event."""
    url = house.table(ana, house.player("Ben"), hints=True)
    decision = data(ana.get(url))["decisions"][0]["id"]
    name = hints.name_of(url.rpartition("/")[2], Seat(0), decision)
    holder = runtime.bots[hints.BOT].holder(REGISTRY.find("sealed"))
    runtime.hints.ask(name, holder, Claimant(ana.id, "192.0.2.1"), steps=1)
    work.make(name)
    problem(ana.get(f"{url}/hint?seat=0"), 404, "no_hint")
    assert ask(url, ana)["state"] == "done"
    assert read(url, ana)["state"] == "done"


def test_two_requests_at_once_show_and_cost_one_hint(
    house: House, runtime: Runtime, ana: Person
) -> None:
    """The later one finds that the game has gone on, and tries again."""
    url = house.table(ana, house.player("Ben"), hints=True)
    game_id, version = url.rpartition("/")[2], data(ana.get(url))["version"]
    decision = data(ana.get(url))["decisions"][0]["id"]
    name, tries = hints.name_of(game_id, Seat(0), decision), []

    def request(_game: Game) -> None:
        holder = runtime.bots[hints.BOT].holder(REGISTRY.find("sealed"))
        runtime.hints.ask(name, holder, Claimant(ana.id, "192.0.2.1"), steps=1)
        runtime.jobs.hint(name, ana.id)
        tries.append(name)
        if len(tries) == 1:
            runtime.tables.hint(game_id, Seat(0), ana.id, request)

    runtime.tables.hint(game_id, Seat(0), ana.id, request)
    assert len(tries) == 3
    assert data(ana.get(url))["version"] == version + 1
    assert runtime.jobs.waiting(LIVE) == 1
    ask(opened(ana), ana)
    problem(ana.post(f"{opened(ana)}/hint", {"seat": 0}), 429, "too_many_hints")


def test_who_has_too_many_hints_shows_nothing(house: House, ana: Person) -> None:
    url = house.table(ana, house.player("Ben"), hints=True)
    for _ in range(2):
        ask(opened(ana), ana)
    version = data(ana.get(url))["version"]
    problem(ana.post(f"{url}/hint", {"seat": 0}), 429, "too_many_hints")
    assert data(ana.get(url))["version"] == version


def test_a_rated_table_has_no_hints(ana: Person) -> None:
    seats = [{"holder": "me"}, {"holder": "open"}]
    rated = {"ruleset": "sealed", "seats": seats, "table": {"rated": True}, "hints": True}
    (error,) = problem(ana.post("/v1/games", rated), 422, "invalid_body")["errors"]
    assert error["field"] == "hints"


def test_only_who_is_asked_may_ask(house: House, ana: Person, alone: str) -> None:
    problem(house.visitor.post(f"{alone}/hint", {"seat": 0}), 401, "key_required")
    eve = house.player("Eve")
    with_bot = opened(ana)
    problem(ana.post(f"{with_bot}/hint", {"seat": 1}), 403, "not_your_seat")
    assert ask(with_bot, ana)["current"]
    problem(eve.post(f"{alone}/hint", {"seat": 0}), 403, "not_your_seat")
    problem(ana.post(f"{alone}/hint", {"seat": 7}), 404, "unknown_seat")
    problem(ana.post(f"{alone}/hint", {}), 422, "invalid_body")
    ask(alone, ana)
    problem(eve.get(f"{alone}/hint?seat=0"), 403, "not_your_seat")
    problem(house.visitor.get(f"{alone}/hint?seat=0"), 401, "key_required")
    ana.post(f"{alone}/resignations", {"seat": 0})
    problem(ana.post(f"{alone}/hint", {"seat": 0}), 409, "seat_resigned")


def test_nobody_has_many_made_at_once(
    house: House, ana: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = [opened(ana) for _ in range(3)]
    for url in tables[:2]:
        ask(url, ana)
    found = problem(ana.post(f"{tables[2]}/hint", {"seat": 0}), 429, "too_many_hints")
    assert found["detail"] == "2 unfinished hints of one player are allowed"
    assert (found["scope"], found["limit"]) == ("player", 2)
    assert ask(tables[0], ana)["state"] == "queued"  # a pending one counts once
    ben = house.player("Ben")
    other = opened(ben)
    for scope, limit in (("address", "PER_ADDRESS"), ("service", "WAITING")):
        with monkeypatch.context() as patched:
            patched.setattr(hints, limit, 2)
            found = problem(ben.post(f"{other}/hint", {"seat": 0}), 429, "too_many_hints")
            assert (found["scope"], found["limit"]) == (scope, 2)
    ask(other, ben)


def test_it_takes_a_turn_of_whoever_asks(runtime: Runtime, ana: Person, alone: str) -> None:
    """So it counts against that player's budget."""
    asked = ask(alone, ana)
    turn = runtime.jobs.next(LIVE, None)
    assert turn is not None
    assert turn == Turn("people", ana.id, name_of(alone, asked), turn.request_id)


def test_a_worker_that_is_killed_loses_nothing(
    runtime: Runtime, ana: Person, alone: str, start: Start
) -> None:
    asked = ask(alone, ana)
    assert runtime.hints.begin(name_of(alone, asked), 0)  # and the process has ended
    forget_jobs(runtime)
    assert runtime.redis.zcard(f"{hints.Hints.prefix}open") == 1
    with start():
        wait_for(lambda: read(alone, ana)["state"] == "done")
    assert read(alone, ana)["asked_at"] == asked["asked_at"]


def test_what_kills_workers_is_given_up_and_what_fails_says_why(
    runtime: Runtime, ana: Person, alone: str, work: HintWork, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = name_of(alone, ask(alone, ana))
    for _ in range(analyses.TRIES):
        assert runtime.hints.begin(name, 0)  # and the process has ended
    work.make(name)
    found = read(alone, ana)
    assert (found["state"], found["detail"]) == ("failed", "3 workers ended at it")
    with monkeypatch.context() as patched:
        patched.delitem(bots.FUNCTIONS, ("lookahead", "1"))
        ask(alone, ana)
        work.make(name)
    assert read(alone, ana)["detail"] == "there is no bot lookahead@1"
    assert ask(alone, ana)["state"] == "queued"
    work.make(name)
    assert read(alone, ana)["state"] == "done"


def test_hints_and_analyses_are_counted_and_kept_apart(
    runtime: Runtime, ana: Person, work: HintWork, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hints, "MOST", 1)
    tables = [opened(ana), opened(ana)]
    for url in tables:
        work.make(name_of(url, ask(url, ana)))
    problem(ana.get(f"{tables[0]}/hint"), 404, "no_hint")
    assert read(tables[1], ana)["state"] == "done"
    data(ana.get(f"{tables[1]}/hint"))  # the only seat need not be named
    (kept,) = runtime.redis.scan_iter(f"{hints.Hints.prefix}analysis*")
    assert 0 < int(runtime.redis.ttl(kept)) <= hints.KEEP_S
    assert runtime.analyses.overdue(1 << 50, 10) == []


def _pairs() -> Iterator[Any]:
    """Yield a pair of twins of each game, in which a seat is asked that cannot tell them apart."""
    for package in (*PACKAGES, "tests.sealed"):
        if package in HIDE_NOTHING:
            continue
        made = importlib.import_module(f"{package.replace('rules.', 'tests.rules.', 1)}.twins")
        shortest_first = sorted(made.every(), key=lambda twins: len(twins.courses[0]))
        twins = next(twins for twins in shortest_first if asked_in(twins)[1] is not None)
        yield pytest.param(twins, id=package)


def asked_in(twins: Twins) -> tuple[Game, Seat | None]:
    """Return the first game of a pair, and a seat that is asked and cannot tell them apart."""
    game = played(twins.table, twins.courses[0]).game
    seats = (seat for seat in twins.blind if seat is not None and seat in game.asked)
    return game, next(seats, None)


@pytest.mark.parametrize("twins", [*_pairs()])
def test_twins_get_the_same_hint(twins: Twins) -> None:
    """Games that differ only in what the asker cannot know give the same hint, byte for byte."""
    one, seat = asked_in(twins)
    assert seat is not None
    other = played(twins.table, twins.courses[1]).game
    assert one.ruleset.to_bytes(one.state) != other.ruleset.to_bytes(other.state)
    holder = BOTS["lookahead"].holder(one.ruleset)
    assert encode(hint(one, seat, holder)) == encode(hint(other, seat, holder))
