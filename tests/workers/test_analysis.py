"""Analyses of finished games: the costs of moves, and the effects of draws."""

from collections.abc import Sequence
from functools import cache
from math import sqrt

import pytest

from rules.kernel.canonical import JsonObject
from rules.kernel.contract import published
from rules.kernel.contract.seats import Seat
from rules.kernel.record.events import Event, from_copy
from rules.kernel.record.game import Game
from service import clock
from service.catalogue.bots import BOTS
from service.cli import local
from service.games.analyses import steps_of
from tests.sealed import RULESET as SEALED
from tests.service.cli import records
from workers import bots
from workers.analysis import course, futures
from workers.analysis.decisions import Analyst
from workers.analysis.measured import Estimate, measured, total
from workers.analysis.points import Scale
from workers.bots.bot import BotRandom
from workers.bots.lookahead import DECISIONS
from workers.bots.worlds import Explorer, Position
from workers.deciding import decide

GREEDY = BOTS["greedy"].holder(SEALED)


@pytest.fixture(autouse=True)
def _few_futures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use few futures, which are enough for these tests."""
    monkeypatch.setattr(futures, "FUTURES", 4)


@pytest.fixture(autouse=True)
def _at_one_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fix the time, because an analysis's luck follows from the last hash, so from the time."""
    monkeypatch.setattr(clock, "now", lambda: "2026-11-20T21:29:00.123Z")


@cache
def events_of(ruleset: str, seed: str, *names: str, target: int | None = None) -> Sequence[Event]:
    """Return the events of a game between these bots."""
    holders = [BOTS[name].holder(records.REGISTRY.find(ruleset)) for name in names]
    options = {} if target is None else {"target": target}
    table = local.start(records.REGISTRY, ruleset, holders, options, seed)
    while not table.game.over:
        table.change(decide(table.game, min(table.game.asked), table.secrets.salt).record)
    return [*map(from_copy, records.record_of(table).copies)]


def analysed(events: Sequence[Event], bot: str = "lookahead") -> JsonObject:
    holder = BOTS[bot].holder(records.REGISTRY.find(events[0].body["game"].value["ruleset"]))
    return course.analyse("g00-local", events, records.REGISTRY, holder, lambda: None)


def test_a_mean_has_its_standard_error() -> None:
    assert measured([1000, 2000, 3000, 6000]) == Estimate(3000, 1080)
    assert measured([-3, -2]) == Estimate(-2, 0)
    assert total([Estimate(1000, 300), Estimate(-500, 400)]) == Estimate(500, 500)
    assert [Estimate(mean, 400).is_cost for mean in (-900, 0, 799, 800)] == [False] * 3 + [True]


def test_whoever_analyses_a_game_gets_the_same_and_may_go_on_anywhere() -> None:
    events = events_of("sealed", "twice", "random", "greedy")
    found = analysed(events, "greedy")
    assert found["expected"] != analysed(events, "lookahead")["expected"]
    rows = [*course.rows("g00-local", events, records.REGISTRY, GREEDY)]
    assert len(rows) == steps_of(events) > 10
    assert [*course.rows("g00-local", events, records.REGISTRY, GREEDY, 7)] == rows[7:]
    assert course.conclude(events, records.REGISTRY, GREEDY, rows) == found


def test_each_event_each_choice_and_each_draw_is_told() -> None:
    events = events_of("sealed", "twice", "random", "greedy")
    found = analysed(events)
    drawn = [event.seq for event in events if event.kind == "chanced"]
    assert [draw["seq"] for draw in found["draws"]] == drawn
    assert {one["seq"] for one in found["expected"]} > {*drawn}
    assert found["expected"][-1]["leads"][0]["error"] == 0  # the result is known at this event
    moved = {event.seq: event for event in events if event.kind == "moved"}
    for one in found["decisions"]:
        assert one["choices"] > 1
        assert one["played"] == moved[one["seq"]].body["move"].value
        if one["played"] == one["best"]:
            assert (one["cost"], one["error"], one["costly"]) == (0, 0, False)
        else:
            assert abs(one["best_lead"] - one["lead"] - one["cost"]) <= 1
            assert one["costly"] == (one["cost"] > 0 and one["cost"] >= 2 * one["error"])
    for seat in found["seats"]:
        costs = {one["seq"]: one["cost"] for one in found["decisions"] if one["costly"]}
        assert [costs[seq] for seq in seat["costly"]] == sorted(
            (costs[seq] for seq in seat["costly"]), reverse=True
        )


@pytest.mark.parametrize(("settings", "far"), [({"decisions": 3}, 3), ({}, DECISIONS)])
def test_all_is_judged_as_far_ahead_as_the_judge_looks(
    settings: JsonObject, far: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise a move that pays off only late would seem to cost something."""
    holder = {**GREEDY, "settings": {**GREEDY["settings"], **settings}}
    asked: list[int] = []
    turns = Explorer.turns

    def watched(explorer: Explorer, position: Position, decisions: int) -> int:
        asked.append(decisions)
        return turns(explorer, position, decisions)

    monkeypatch.setattr(Explorer, "turns", watched)
    events = events_of("sealed", "twice", "random", "greedy")
    course.analyse("g00-local", events, records.REGISTRY, holder, lambda: None)
    assert {*asked} == {far}
    choices = [decision for decision in analysed(events)["decisions"] if decision["choices"] > 1]
    assert len(asked) > len(choices)


def test_what_ends_a_game_is_told_by_its_scores() -> None:
    """The heuristic may give the winner at the end ten times the real lead."""
    found = analysed(events_of("santiago_de_cuba", "end", "greedy", "greedy"), "greedy")
    *before, ended = [[lead["mean"] for lead in one["leads"]] for one in found["expected"]]
    assert max(abs(a - b) for a, b in zip(before[-1], ended, strict=True)) < 5_000


@pytest.mark.parametrize(
    ("done", "scale"),
    [(0, 800), (10, 800), (20, 750), (30, 700), (40, 650), (50, 600), (60, 600)],
)
def test_a_scale_changes_evenly_between_the_middles_of_thirds(
    done: int, scale: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    factors = {"2": {"analysis": [800, 700, 600]}}
    monkeypatch.setattr(published, "leads", lambda _ruleset: factors)
    assert Scale(SEALED, 2, "analysis").at(done, 60) == scale
    assert Scale(SEALED, 2, "thoughts").at(done, 60) == 1_000, "nobody has measured it"


def test_moves_at_random_cost_and_those_of_the_judge_hardly() -> None:
    """The costs of one random game vary by a third; those of three games together hardly vary."""
    costs: tuple[list[Estimate], ...] = ([], [])
    for number in range(3):
        events = events_of("sealed", f"costs {number}", "random", "lookahead")
        for seat, side in zip(analysed(events)["seats"], costs, strict=True):
            side.append(Estimate(**seat["cost"]))
    careless, careful = map(total, costs)
    assert careless.is_cost
    assert careless.mean > 4_500
    assert careful.mean < careless.mean // 2


@pytest.mark.parametrize("ruleset", ["sealed", "manila", "ragusa"])
def test_a_move_is_judged_by_what_its_mover_knew(ruleset: str) -> None:
    """In another world that looks the same to the mover, the judgement is the same."""
    names = ("random", "random", "random") if ruleset == "manila" else ("random", "random")
    events = events_of(ruleset, "hidden", *names)
    analyst = Analyst(bots.find("greedy", "2"), BOTS["greedy"].settings, b"k" * 32)
    game, judged, differing = Game("g00-local", records.REGISTRY), 0, 0
    for event in events:
        if event.kind == "moved" and judged < 6 and event.seq > 20:
            seat = Seat(event.by["seat"])
            move = game.ruleset.recorded_move(event.body["move"].value)
            other = game.fork()
            known = game.ruleset.information(game.state, seat)
            other.state = game.ruleset.determinize(known, BotRandom(event.seq))
            found = analyst.judge(game, seat, move, 700)
            assert found == analyst.judge(other, seat, move, 700)
            judged += found is not None
            differing += game.ruleset.to_bytes(game.state) != game.ruleset.to_bytes(other.state)
        game.apply(event)
    assert judged
    assert differing or ruleset == "sealed"


def test_no_luck_is_made_up() -> None:
    """Over many games the draws move nobody's expectation; a roll that loses a turn does."""
    sums, lost = [], []
    for number in range(20):
        events = events_of("pig", f"luck {number}", "greedy", "greedy", target=30)
        found = analysed(events, "greedy")
        sums.append(found["seats"][0]["luck"]["mean"])
        rolls = {
            event.seq: event.body["picks"].value for event in events if event.kind == "chanced"
        }
        movers = {event.last: event.by["seat"] for event in events if event.kind == "moved"}
        lost += [
            draw["luck"][movers[draw["seq"]]]["mean"]
            for draw in found["draws"]
            if rolls[draw["seq"]] == [0] and draw["seq"] in movers
        ]
    mean = sum(sums) / len(sums)
    error = sqrt(sum((one - mean) ** 2 for one in sums) / len(sums) / (len(sums) - 1))
    assert abs(mean) < 4 * error
    assert len(lost) > 10
    assert sum(lost) / len(lost) < 0
