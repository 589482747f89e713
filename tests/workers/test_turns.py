from typing import Any

import pytest
import structlog

from rules.kernel.contract.seats import Seat
from rules.kernel.proof.verify import verify
from rules.kernel.record.batch import Batch
from rules.kernel.record.instants import to_ms
from service import clock
from service.catalogue.bots import LIVE
from service.games.exhibition import OPENER
from service.ids import shard_of
from service.ledger.store import RepeatedRequest
from service.redis.keys import game_key, shard_key
from service.runtime import Runtime
from tests.running import ME, PLAYER, bot, copies, forget_jobs, game, kinds, open_game
from workers import bots, failures
from workers.bots.bot import Choice
from workers.deciding import DECISION_SECONDS
from workers.engines import modules
from workers.recompute import check_bots
from workers.turns import GRACE_MS, Turns

GREEDY, RANDOM = bot("greedy"), bot("random")


def due(runtime: Runtime, game_id: str) -> float | None:
    return runtime.redis.zscore(shard_key(shard_of(game_id), "due"), game_id)


def now_ms() -> int:
    return to_ms(clock.now())


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Makes ``greedy`` raise an error; the list has one entry for each call."""
    calls: list[int] = []

    def raise_it(*_arguments: Any) -> Any:
        calls.append(1)
        raise RuntimeError("no idea \ud800")

    monkeypatch.setitem(bots.FUNCTIONS, ("greedy", "2"), raise_it)
    return calls


@pytest.mark.parametrize("ruleset", ["santiago_de_cuba", "sealed"])
def test_bots_play_a_game_to_its_end_and_it_verifies(
    web: Runtime, turns: Turns, ruleset: str
) -> None:
    game_id = open_game(web, ruleset, GREEDY, RANDOM, GREEDY)
    for _ in range(20):  # a job pauses for others after many moves
        turns.play(game_id)
    played = game(web, game_id)
    assert played.status == "ended"
    record = copies(web, game_id)
    report = verify(game_id, record, web.registry)
    assert report.ok, report.to_json()
    recomputed = check_bots(game_id, record, web.registry)
    assert recomputed.ok, recomputed.failures
    assert recomputed.checked > 10
    assert due(web, game_id) is None
    moved = [copy for copy in record if copy["kind"] == "moved"]
    assert {copy["by"]["bot"] for copy in moved} == {"greedy@2", "random@1"}


def test_a_person_is_waited_for(web: Runtime, turns: Turns) -> None:
    game_id = open_game(web, "sealed", GREEDY, ME)
    turns.play(game_id)
    waiting = game(web, game_id)
    assert list(waiting.asked) == [1]
    assert due(web, game_id) is None
    turns.play(game_id)  # a late or repeated turn
    assert game(web, game_id).version == waiting.version


def test_thoughts_are_hidden_until_the_end(web: Runtime, turns: Turns) -> None:
    game_id = open_game(web, "sealed", GREEDY, ME)
    turns.play(game_id)
    moved = [copy for copy in copies(web, game_id) if copy["kind"] == "moved"]
    assert moved
    for copy in moved:
        assert copy["audiences"]["bot"] == "none"
        assert "bot" not in copy["body"]


def test_thoughts_come_from_bots_alone(web: Runtime, turns: Turns) -> None:
    game_id = open_game(web, "sealed", GREEDY, ME)
    while not game(web, game_id).over:
        turns.play(game_id)
        if 1 in game(web, game_id).asked:
            _answer_as_me(web, game_id)
    events = [event for event, _prev_hash in web.ledger.events(game_id, 0, 1_000)]
    moved = [event for event in events if event.kind == "moved"]
    assert {event.by["seat"] for event in moved} == {0, 1}
    for event in moved:
        assert ("bot" in event.body) == (event.by["seat"] == 0)
    assert all("bot" not in event.body for event in events if event.kind != "moved")


def test_a_resigned_seat_is_answered_for_by_default(web: Runtime, turns: Turns) -> None:
    game_id = open_game(web, "santiago_de_cuba", ME, GREEDY)
    web.tables.resign(game_id, Seat(0), PLAYER)
    for _ in range(20):
        turns.play(game_id)
    ended = game(web, game_id)
    assert ended.status == "ended"
    assert ended.result is not None
    ranks = {standing["side"]: standing["rank"] for standing in ended.result["standings"]}
    assert ranks == {"seat:0": 2, "seat:1": 1}
    defaulted = [copy for copy in copies(web, game_id) if copy["kind"] == "defaulted"]
    assert defaulted
    assert all(copy["by"] == {"seat": 0, "service": "resigned"} for copy in defaulted)


def test_a_game_makes_room_for_others_after_a_decision(web: Runtime, worker: Runtime) -> None:
    game_id = open_game(web, "santiago_de_cuba", GREEDY, RANDOM)
    before = game(web, game_id).version
    assert Turns(worker, seconds=0).play(game_id)
    assert kinds(web, game_id)[before:].count("moved") == 1


def test_a_turn_that_is_told_to_stop_leaves_the_rest_to_others(web: Runtime, turns: Turns) -> None:
    game_id = open_game(web, "santiago_de_cuba", GREEDY, RANDOM)
    version = game(web, game_id).version
    turns.stopping = True
    assert turns.play(game_id)
    assert game(web, game_id).version == version
    assert due(web, game_id) is not None


def test_a_failing_bot_rests_longer_each_time_and_is_then_answered_for(
    web: Runtime, turns: Turns, broken: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    game_id = open_game(web, "santiago_de_cuba", GREEDY, ME)
    seat_of_bot = 0
    if seat_of_bot not in game(web, game_id).asked:
        _answer_as_me(web, game_id)
    start = now_ms()
    time = start
    monkeypatch.setattr(turns, "_now", lambda: time)
    version = game(web, game_id).version
    for number, delay in enumerate(failures.DELAYS_MS, 1):
        turns.play(game_id)
        assert len(broken) == number
        assert due(web, game_id) == time + delay - GRACE_MS
        time += delay - 1
        turns.play(game_id)  # a turn that comes too early
        assert len(broken) == number
        time += 1
    assert game(web, game_id).version == version
    turns.play(game_id)
    happened = kinds(web, game_id)[version:]
    assert happened[:2] == ["bot_failed", "defaulted"]
    stored = web.ledger.events(game_id, version, 1)[0][0]
    assert stored.body["error"] == ("none", "RuntimeError: no idea ?")
    seen = copies(web, game_id)[version]
    assert "error" not in seen["body"]


def test_a_bot_that_does_not_answer_in_time_has_failed(
    web: Runtime, worker: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stall(_ruleset: Any, _information: Any, _seat: int, legal: Any, *_rest: Any) -> Any:
        while True:
            legal = [*legal]

    monkeypatch.setitem(bots.FUNCTIONS, ("greedy", "2"), stall)  # type: ignore[arg-type]
    monkeypatch.setattr(failures, "DELAYS_MS", ())
    monkeypatch.setitem(DECISION_SECONDS, LIVE, 0.05)
    game_id = open_game(web, "sealed", GREEDY, ME)
    Turns(worker).play(game_id)
    (failed,) = [copy for copy in copies(web, game_id) if copy["kind"] == "bot_failed"]
    assert failed["body"]["failure"]["cause"] == "too_slow"


def test_a_bot_that_is_killed_is_asked_once_more_and_then_answered_for(
    web: Runtime, turns: Turns, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a machine without memory: the bot need not be at fault."""
    monkeypatch.setattr("workers.turns.log", structlog.get_logger())
    bots.install(["tests.bots.killed"])
    modules.know_rules(web.settings)
    killed = {"bot": "killed", "version": "1", "settings": {}}
    game_id = open_game(web, "sealed", killed, ME)
    with structlog.testing.capture_logs() as logs:
        turns.play(game_id)
    failed = next(copy for copy in copies(web, game_id) if copy["kind"] == "bot_failed")
    stops = [log["decision"] for log in logs if log["event"] == "bot_stopped"]
    assert stops.count(failed["body"]["failure"]["decision"]) == 2
    assert failed["body"]["failure"]["cause"] == "stopped"
    stored = web.ledger.events(game_id, failed["seq"] - 1, 1)[0][0]
    assert stored.body["error"].value == "killed: its process was ended by SIGKILL"
    assert kinds(web, game_id)[failed["seq"]] == "defaulted"


def test_a_bot_that_plays_what_is_illegal_has_failed(
    web: Runtime, turns: Turns, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cheat(ruleset: Any, _information: Any, *_rest: Any) -> Choice:
        return Choice(ruleset.recorded_move({"type": "bid", "amount": 99}), 0, {})

    monkeypatch.setitem(bots.FUNCTIONS, ("greedy", "2"), cheat)  # type: ignore[arg-type]
    monkeypatch.setattr(failures, "DELAYS_MS", ())
    game_id = open_game(web, "sealed", GREEDY, GREEDY)
    for _ in range(20):
        turns.play(game_id)
    assert game(web, game_id).status == "ended"
    assert "moved" not in kinds(web, game_id)
    assert verify(game_id, copies(web, game_id), web.registry).ok


def test_thoughts_that_cannot_be_recorded_are_a_failure(
    web: Runtime, turns: Turns, monkeypatch: pytest.MonkeyPatch
) -> None:
    def think(_ruleset: Any, _information: Any, _seat: int, legal: Any, *_rest: Any) -> Any:
        return Choice(legal[0], 0, {"value": 0.5})

    monkeypatch.setitem(bots.FUNCTIONS, ("greedy", "2"), think)  # type: ignore[arg-type]
    monkeypatch.setattr(failures, "DELAYS_MS", ())
    game_id = open_game(web, "sealed", GREEDY, ME)
    turns.play(game_id)
    assert "bot_failed" in kinds(web, game_id)


def test_one_failing_bot_does_not_hold_up_another(
    web: Runtime, turns: Turns, broken: list[int]
) -> None:
    game_id = open_game(web, "sealed", RANDOM, GREEDY, RANDOM)
    turns.play(game_id)
    waiting = game(web, game_id)
    assert len(broken) == 1
    assert list(waiting.asked) == [1]
    assert set(waiting.last_by_seat) == {0, 2}
    assert due(web, game_id) is not None


def test_a_bot_that_is_no_longer_installed_is_answered_for(
    web: Runtime, turns: Turns, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(failures, "DELAYS_MS", ())
    gone = {"bot": "genius", "version": "7", "settings": {}}
    game_id = open_game(web, "sealed", gone, ME)
    turns.play(game_id)
    assert "bot_failed" in kinds(web, game_id)


def test_what_was_thought_for_another_version_is_not_played(web: Runtime, turns: Turns) -> None:
    """A seat moves while a bot thinks: the bot's answer is dropped, and it decides again."""
    game_id = open_game(web, "sealed", GREEDY, ME)
    while 1 not in game(web, game_id).asked:
        turns.play(game_id)
    before = game(web, game_id)
    stale = before.fork()
    _answer_as_me(web, game_id)

    def act(batch: Batch) -> None:
        raise AssertionError("a stale answer was tried")

    assert web.tables.answer_for(stale, Seat(0), act) is False


def test_games_that_are_gone_or_not_playable_raise_nothing(
    web: Runtime, turns: Turns, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns.play("g00-aaaaaaaaaaaaaaaaaaaa")
    game_id = open_game(web, "sealed", GREEDY, RANDOM)
    monkeypatch.delitem(turns._runtime.registry._rulesets, "sealed")
    before = now_ms()
    turns.play(game_id)
    rested = due(web, game_id)
    assert rested is not None
    assert rested > before + 50_000


def test_an_exhibition_is_played_one_move_at_a_time(web: Runtime, turns: Turns) -> None:
    created = web.tables.create(OPENER, "santiago_de_cuba", {}, [GREEDY, RANDOM])
    assert not isinstance(created, RepeatedRequest)
    game_id, version = created.game.id, created.game.version
    forget_jobs(web)
    turns.play(game_id)
    assert kinds(web, game_id)[version:].count("moved") == 1
    assert web.jobs.waiting() == 0


def test_failures_are_forgotten_by_themselves(worker: Runtime) -> None:
    kept = failures.Failures(worker.redis)
    assert kept.add("g00-x", Seat(1), 5, 1_000) == 2_000
    assert kept.waiting("g00-x") == {(1, 5): 2_000}
    assert 0 < worker.redis.ttl(game_key("g00-x", "bot_failures")) <= failures.KEEP_SECONDS


def _answer_as_me(web: Runtime, game_id: str) -> None:
    current = game(web, game_id)
    (seat,) = [seat for seat in current.asked if current.seats[seat].holder == ME]
    move = current.ruleset.legal_moves(current.state, seat)[0]
    web.tables.move(game_id, seat, move.to_json(), current.version, PLAYER)
