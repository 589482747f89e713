"""The ladders that the service itself opens, pauses and resumes."""

import dataclasses

import pytest

from service.ids import PLAYER_ID
from service.runtime import Runtime
from service.settings import Ladders
from service.tournaments import listing
from service.tournaments.listing import TournamentFilter
from service.tournaments.standing import TournamentStanding
from tests.running import patient_matches
from workers import ladders
from workers.ladders import HOST, HouseLadders


def there(runtime: Runtime) -> dict[tuple[str, int], TournamentStanding]:
    """Return the ladders that go on, by ruleset and number of seats."""
    page = listing.page(
        runtime.director, runtime.standings, TournamentFilter(over=False, format="endless"), 100,
        indexed=True,
    )  # fmt: skip
    found = {(one.plan.ruleset, one.plan.seats): one for one in page.standings}
    assert len(found) == len(page.standings)
    return found


def wanting(runtime: Runtime, *games: tuple[str, int]) -> Runtime:
    settings = dataclasses.replace(runtime.settings, ladders=Ladders(games))
    return dataclasses.replace(runtime, settings=settings)


def test_each_named_ladder_is_opened_once_and_has_fixed_points(worker: Runtime) -> None:
    assert PLAYER_ID.match(HOST)
    wanted = wanting(worker, ("sealed", 2), ("ragusa", 5))
    for _ in range(2):  # as if two processes did it, or one were started again
        HouseLadders()(wanted)
    found = there(worker)
    assert {*found} == {("sealed", 2), ("ragusa", 5)}
    assert {one.now["status"] for one in found.values()} == {"running"}
    for (_ruleset, seats), one in found.items():
        assert one.plan.places == 64
        assert one.plan.options == worker.registry.find(one.plan.ruleset).parse_options(seats, {})
        assert [entry.bot for entry in one.plan.bots()][:3] == [*ladders.ANCHORS]
        assert len(one.plan.bots()) == max(3, seats)
        assert one.made["created_by"] == HOST


def test_all_are_those_of_each_game_and_number_of_seats(worker: Runtime) -> None:
    found = [*ladders._games(worker.registry, Ladders(None))]
    assert {(ruleset.info.id, seats) for ruleset, seats in found} == {
        (ruleset.info.id, seats)
        for ruleset in worker.registry
        for seats in range(max(2, ruleset.info.min_seats), ruleset.info.max_seats + 1)
    }


def test_what_is_named_no_more_is_paused_until_it_is_named_again(worker: Runtime) -> None:
    HouseLadders()(wanting(worker, ("sealed", 2), ("sealed", 3)))
    HouseLadders()(wanting(worker, ("sealed", 3)))
    assert {game: one.now["status"] for game, one in there(worker).items()} == {
        ("sealed", 2): "paused",
        ("sealed", 3): "running",
    }
    before = {one.id for one in there(worker).values()}
    HouseLadders()(worker)
    assert there(worker)["sealed", 2].now["status"] == "paused", "without the setting, it stays"
    HouseLadders()(wanting(worker, ("sealed", 2)))
    found = there(worker)
    assert (found["sealed", 2].now["status"], found["sealed", 3].now["status"]) == (
        "running", "paused",
    )  # fmt: skip
    assert {one.id for one in found.values()} == before


def test_a_later_part_is_the_same_ladder(worker: Runtime, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = wanting(worker, ("sealed", 2))
    plan = ladders._plan(wanted, worker.registry.find("sealed"), 2)
    short = dataclasses.replace(plan, format={**plan.format, "games": 4})
    monkeypatch.setattr(ladders, "_plan", lambda *_game: short)
    HouseLadders()(wanted)
    (first,) = there(worker).values()
    matches = patient_matches(worker)
    while not worker.director.find(first.id).over:
        matches.play(first.id)
    matches.play(first.id)
    (second,) = there(worker).values()
    assert second.now["part"]["number"] == 2
    HouseLadders()(wanted)
    assert [one.id for one in there(worker).values()] == [second.id]


@pytest.mark.parametrize("game", [("no_such_game", 2), ("ragusa", 9)])
def test_a_game_that_does_not_exist_keeps_no_other_ladder_from_opening(
    worker: Runtime, game: tuple[str, int]
) -> None:
    HouseLadders()(wanting(worker, game, ("sealed", 2)))
    assert {*there(worker)} == {("sealed", 2)}
