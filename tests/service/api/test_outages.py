"""Clocks while the service is away: the time is given back, or the block is played again."""

import time
from collections.abc import Callable

import pytest

from rules.kernel.canonical import FORMAT, JsonObject
from rules.kernel.record.instants import to_ms
from service.ids import shard_of
from service.ledger import outages
from service.ledger.notices import LOW_PART, LOWS
from service.redis.format import FORMAT_KEY
from service.redis.keys import shard_key
from service.runtime import Runtime
from service.tournaments.report import report
from service.upkeep import maintenance
from tests import running
from tests.running import wait_for
from tests.service.api.people import House, Person, data
from tests.service.api.resources.test_bots import made
from tests.service.api.test_notices import sweep
from tests.service.api.test_tournament_players import HASTE, Check, Cup, check
from tests.service.tournaments.conftest import failures
from tests.service.tournaments.test_other_verifier import Judge, judge
from tests.service.verifier.programs import standing
from workers.sweeper import Sweeper

__all__ = ["check", "judge", "sweep"]

CLOCK: JsonObject = {"decision_seconds": 1}
Away = Callable[[float], int]
FOR_EVER_MS = 10**9


@pytest.fixture
def away(runtime: Runtime, monkeypatch: pytest.MonkeyPatch) -> Away:
    """Return a function after which the service was away for some seconds; it returns them in ms.

    However busy the machine is, there are no other outages.
    """
    monkeypatch.setattr(outages, "SILENT_MS", FOR_EVER_MS)
    monkeypatch.setattr(outages, "_LOOK_SECONDS", 0.0)
    clock = runtime.ledger.store.clock

    def away(seconds: float) -> int:
        since = clock.ask()
        time.sleep(seconds)
        until = clock.ask()
        runtime.redis.zadd(outages.OUTAGES, {f"{since}-{until}": until})
        return until - since

    return away


@pytest.fixture
def ana(house: House) -> Person:
    return house.player("Ana")


def played(ana: Person, url: str) -> int:
    """Send a legal move of the seat that is asked; return the status of the answer."""
    (decision, *_) = data(ana.get(url))["decisions"]
    return ana.move(url, decision["seat"]).status_code


def test_a_move_after_an_outage_is_in_time_and_costs_no_time_of_it(
    house: House, runtime: Runtime, ana: Person, away: Away
) -> None:
    url = house.table(ana, ana, clock={"budget_seconds": 60})
    game = url.rpartition("/")[2]
    (decision,) = data(ana.get(url))["decisions"]
    lost = away(0.7)
    assert played(ana, url) == 201
    kinds = running.kinds(runtime, game)
    assert kinds.count("interrupted") == 1
    assert kinds.index("interrupted") == kinds.index("moved") - 1
    at = data(ana.get(f"{url}/events"))["events"][kinds.index("moved")]["at"]
    took = to_ms(at) - to_ms(decision["asked_at"]) - lost
    left = {one["seat"]: one["left_ms"] for one in data(ana.get(url))["budgets"]}
    assert left[decision["seat"]] == 60_000 - took
    played(ana, url)
    assert running.kinds(runtime, game).count("interrupted") == 1, "once"


def test_a_time_out_comes_when_the_whole_time_has_passed(
    house: House, runtime: Runtime, ana: Person, away: Away, sweep: Sweeper
) -> None:
    url = house.table(ana, ana, clock=CLOCK)
    game = url.rpartition("/")[2]
    (decision,) = data(ana.get(url))["decisions"]
    lost = away(1.1)

    def is_late() -> bool:
        sweep.sweep()
        return "timed_out" in running.kinds(runtime, game)

    wait_for(is_late)
    events = data(ana.get(f"{url}/events"))["events"]
    (told,) = [event["body"]["interruption"] for event in events if event["kind"] == "interrupted"]
    assert to_ms(told["to"]) - to_ms(told["from"]) == lost
    out = next(event for event in events if event["kind"] == "timed_out")
    assert out["body"]["time_out"] == {"seat": decision["seat"], "decision": decision["id"]}
    assert to_ms(out["at"]) > to_ms(decision["deadline"]) + lost


def test_a_clock_that_got_time_back_gets_low_as_much_later(
    house: House, runtime: Runtime, ana: Person, away: Away
) -> None:
    bea = house.player("Bea")
    url = house.table(ana, bea, clock={"budget_seconds": 60})
    assert played(ana, url) == 201
    _, second = data(ana.get(url))["decisions"]  # both bid
    lost = away(0.3)
    assert played(ana, url) == 201
    waits = f"{url.rpartition('/')[2]}:{second['seat']}"
    low = runtime.redis.zscore(shard_key(shard_of(waits.partition(":")[0]), LOWS), waits)
    assert low == to_ms(second["asked_at"]) + lost + 60_000 - 60_000 // LOW_PART
    assert not [*filter(None, maintenance.check(runtime.ledger.store, runtime.registry))]


def test_nobodys_time_is_up_while_no_web_process_answers(
    house: House,
    runtime: Runtime,
    ana: Person,
    away: Away,
    sweep: Sweeper,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    del away
    url = house.table(ana, ana, clock=CLOCK)
    game = url.rpartition("/")[2]
    web = outages.Outages(runtime.redis)
    web.say_alive()
    monkeypatch.setattr(outages, "SILENT_MS", 1_000)
    time.sleep(1.2)
    sweep.sweep()
    assert running.kinds(runtime, game)[-1] not in ("timed_out", "defaulted", "interrupted")
    web.say_alive()
    monkeypatch.setattr(outages, "SILENT_MS", FOR_EVER_MS)

    def is_told() -> bool:
        sweep.sweep()
        return "interrupted" in running.kinds(runtime, game)

    wait_for(is_told)


def test_what_an_older_release_does_not_know_is_not_written(
    house: House, runtime: Runtime, ana: Person, away: Away, sweep: Sweeper
) -> None:
    url = house.table(ana, ana, clock=CLOCK)
    away(1.1)
    runtime.redis.set(FORMAT_KEY, FORMAT)
    sweep.sweep()
    assert "interrupted" not in running.kinds(runtime, url.rpartition("/")[2])
    assert "timed_out" in running.kinds(runtime, url.rpartition("/")[2])


def test_a_restored_store_was_away_since_its_backup(
    house: House, runtime: Runtime, ana: Person, away: Away
) -> None:
    url = house.table(ana, ana, clock={"decision_seconds": 60})
    (before,) = data(ana.get(url))["decisions"]
    since = to_ms(before["asked_at"])
    runtime.redis.set(outages.ANSWERED, since - FOR_EVER_MS - 1)
    runtime.ledger.outages.say_alive()
    assert played(ana, url) == 201
    events = data(ana.get(f"{url}/events"))["events"]
    (told,) = [event["body"]["interruption"] for event in events if event["kind"] == "interrupted"]
    assert to_ms(told["from"]) == since - FOR_EVER_MS - 1


def test_outages_are_kept_in_a_number_and_by_the_stores_clock(
    runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outages, "KEPT", 3)
    found = outages.Outages(runtime.redis)
    found.say_alive()
    now = runtime.ledger.store.clock.ask()
    for number in range(5):
        runtime.redis.set(outages.ANSWERED, now - 100_000 + 10_000 * number)
        found.say_alive()
    kept = found.ended_after(0)
    assert [outage.since for outage in kept] == [now - 80_000, now - 70_000, now - 60_000]
    assert kept[0].within(now - 70_000, now - 69_000) == 1_000
    assert kept[0].within(now - 90_000, now - 79_000) == 1_000
    assert kept[0].within(now - 90_000, now - 81_000) == 0
    runtime.redis.set(outages.ANSWERED, now + 1_000_000)
    found.say_alive()
    assert found.ended_after(0) == kept, "the store's clock went back"


def hanging(runtime: Runtime, ana: Person) -> tuple[Cup, str, int]:
    """Return a cup whose player never answers, its game, and when the player was asked (ms)."""
    cup = Cup(
        runtime, ana, {"player": made(ana).id}, {"bot": "random"},
        format={"type": "round_robin", "games": 2}, clock=HASTE,
        failures={"disqualify_after": 0},
    )  # fmt: skip
    cup.work()
    (game,) = cup.games()
    (asked_at,) = running.game(runtime, game).asked_at.values()
    return cup, game, to_ms(asked_at)


def was_away(runtime: Runtime, since: int, until: int) -> None:
    runtime.redis.zadd(outages.OUTAGES, {f"{since}-{until}": until})


def swept(cup: Cup) -> list[JsonObject]:
    """Let the player be late until the tournament is over, and return its record."""

    def is_over() -> bool:
        cup.sweep()
        return cup.found().over

    wait_for(is_over)
    return cup.record()


def is_right(lines: list[JsonObject], check: Check, judge: Judge) -> None:
    proved = check(lines)
    assert proved.ok, failures(proved)
    assert standing(judge(lines)) == "sound"


@pytest.mark.usefixtures("following", "away")
def test_in_a_tournament_the_block_of_who_could_not_answer_is_played_again(
    runtime: Runtime, ana: Person, check: Check, judge: Judge
) -> None:
    cup, game, asked = hanging(runtime, ana)
    was_away(runtime, asked - 100, asked + 501)
    lines = swept(cup)
    assert running.kinds(runtime, game)[-3:] == ["timed_out", "aborted", "chance_revealed"]
    out = running.copies(runtime, game)[-3]["body"]["time_out"]
    assert out["fault"] == "service"
    assert report(cup.found())["abandoned"][0]["tries"] == 1
    (given_up,) = [each["body"] for each in lines if each.get("kind") == "block_abandoned"]
    told = given_up["block_abandoned"]
    assert (told["reason"], told["decision"]) == ("outage", out["decision"])
    faults = {
        each["body"]["time_out"]["fault"] for each in lines if each.get("kind") == "timed_out"
    }
    assert faults == {"seat"}, "nobody was away later"
    is_right(lines, check, judge)
    told["reason"] = "killed"
    assert any("out of reach" in failure for failure in failures(check(lines))["course"])
    assert standing(judge(lines)) == "failed"


@pytest.mark.usefixtures("following", "away")
def test_in_a_tournament_a_short_outage_is_given_back_and_who_hangs_is_late_at_last(
    runtime: Runtime, ana: Person, check: Check, judge: Judge
) -> None:
    cup, game, asked = hanging(runtime, ana)
    was_away(runtime, asked - 100, asked + 499)
    lines = swept(cup)
    kinds = running.kinds(runtime, game)
    assert kinds.index("interrupted") == kinds.index("timed_out") - 1
    out = running.copies(runtime, game)[kinds.index("timed_out")]
    assert out["body"]["time_out"]["fault"] == "seat"
    assert to_ms(out["at"]) > asked + 1_001 + 499
    is_right(lines, check, judge)
