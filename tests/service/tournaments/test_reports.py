"""What a report costs, and when it is made anew."""

import pytest
from redis import Redis

from rules.kernel.canonical import JsonObject
from service.tournaments import reports
from service.tournaments.report import SAMPLES, report
from service.tournaments.reports import REMEMBERED, Reports
from service.tournaments.tournament import Tournament
from tests.service.tournaments.held import Held, by_number, plan


class Clock:
    """Reports take a second each; otherwise time passes when told."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        self.made = 0
        monkeypatch.setattr("service.tournaments.reports.time.monotonic", lambda: self.now)
        monkeypatch.setattr(reports, "report", self._report)

    def _report(self, tournament: Tournament, *, samples: int = SAMPLES) -> JsonObject:
        self.now += 1
        self.made += 1
        return report(tournament, samples=samples)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


def test_a_process_spends_a_twentieth_of_its_time_on_a_tournament(
    redis_client: Redis, clock: Clock
) -> None:
    held, made = Held(plan(3, "round_robin", games=30)), Reports(redis_client)
    held.play(by_number, most=2)
    first = made.of(held.tournament)
    held.play(by_number, most=1)
    clock.now += 19
    assert made.of(held.tournament) is first
    clock.now += 1
    second = made.of(held.tournament)
    assert second == report(held.tournament, samples=0)
    clock.now += 1000
    assert made.of(held.tournament) is second  # nothing has happened
    assert clock.made == 2


def test_the_end_is_shown_at_once(redis_client: Redis, clock: Clock) -> None:
    held, made = Held(plan(3, "round_robin", games=30)), Reports(redis_client)
    made.of(held.tournament)
    held.play(by_number)
    ended = made.of(held.tournament)
    assert (ended["status"], ended["samples"]) == ("ended", 0)
    assert made.of(held.tournament) is ended


def test_the_final_report_is_made_once_for_all_processes(redis_client: Redis, clock: Clock) -> None:
    ended = Held(plan(3, "round_robin", games=30)).play(by_number)
    assert Reports(redis_client).final(ended.id) is None
    final = Reports(redis_client).make_final(ended)
    assert final["samples"] == SAMPLES
    assert final["table"][0]["points_band"] is not None
    assert Reports(redis_client).of(ended) == Reports(redis_client).final(ended.id) == final
    assert clock.made == 1


def test_so_many_are_remembered(redis_client: Redis, clock: Clock) -> None:
    made = Reports(redis_client)
    held = Held(plan(3, "round_robin", games=30)).tournament
    for number in range(REMEMBERED + 1):
        held.id = f"t{number}"
        made.of(held)
    assert clock.made == REMEMBERED + 1
    made.of(held)
    assert clock.made == REMEMBERED + 1
    held.id = "t0"  # the one that was asked for the longest ago is forgotten
    made.of(held)
    assert clock.made == REMEMBERED + 2
