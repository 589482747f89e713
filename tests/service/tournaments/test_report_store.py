"""Stored data of tournaments: standings, reports, and the drawings of bands in parts."""

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest
from redis import Redis

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.seats import all_seats
from service.ledger.store import REPORT
from service.redis.keys import game_key
from service.tournaments import report_store
from service.tournaments.figures import tally
from service.tournaments.figures.table_bands import Bootstrap
from service.tournaments.figures.tally import CURVE
from service.tournaments.games import listed
from service.tournaments.report import figures, report, summary
from service.tournaments.report_store import PART, REFRESH_MS, SHARE, Reports
from service.tournaments.tournament import Block, Tournament
from tests.service.tournaments.conftest import Hall
from tests.service.tournaments.held import Held, Ranks, all_equal, by_number, plan, result
from tests.service.tournaments.recorded import HOST, opened, play
from tests.service.tournaments.test_held import NewHall
from workers.leases import Leases

ROUNDS = {"swiss": {"rounds": 20}, "ladder": {"rounds": 20}, "knockout": {"blocks": 6}}


def chance(seed: int) -> Ranks:
    luck = random.Random(seed)

    def ranks(block: Block, seating: tuple[int, ...]) -> Sequence[int]:
        return luck.choice((by_number, all_equal))(block, seating)

    return ranks


def afresh(tournament: Tournament) -> Tournament:
    """Return an equal tournament without cached totals."""
    found = tournament.fork()
    found.kept.clear()
    return found


class TestTallies:
    @pytest.mark.parametrize("name", ["round_robin", "swiss", "knockout", "ladder", "compare"])
    def test_come_to_what_all_games_at_once_come_to(self, name: str) -> None:
        """Blocks end in any order, bots fail, hosts pause, and counted blocks become void."""
        luck, made = random.Random(name), 0
        entries, rounds = 2 if name == "compare" else 8, ROUNDS.get(name, {})
        held = Held(plan(entries, name, failures={"disqualify_after": 2}, **rounds))
        tournament = held.tournament
        while not tournament.over:
            if not (blocks := tournament.open_blocks()):
                held.do("resumed", {})  # a paused tournament pairs nobody
                continue
            block = luck.choice(blocks[:4])
            games = []
            for seating in block.seatings("cyclic"):
                failures = [[seat, 1, "x"] for seat in all_seats(3) if luck.random() < 0.02]
                games.append(result(chance(made)(block, seating), failures))
            held.end(block, games)
            if luck.random() < 0.3:
                held.do("resumed" if tournament.status == "paused" else "paused", {})
            if luck.random() < 0.3:
                made += 1
                assert report(tournament, samples=0) == report(afresh(tournament), samples=0)
            assert tournament.games_counted() == sum(1 for _ in tournament.outcomes())
        assert made
        assert report(tournament, samples=0) == report(afresh(tournament), samples=0)

    def test_look_at_each_block_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        looked: list[int] = []
        outcomes_of = Tournament.outcomes_of

        def counting(self: Tournament, number: int) -> object:
            looked.append(number)
            return outcomes_of(self, number)

        monkeypatch.setattr(Tournament, "outcomes_of", counting)
        held = Held(plan(3, "round_robin", games=600, failures={"disqualify_after": 0}))
        for _ in range(50):
            held.play(by_number, most=4)
            report(held.tournament, samples=0)
        assert looked == list(range(1, 201))

    def test_keep_a_curve_that_never_has_too_many_points(self) -> None:
        held = Held(plan(3, "round_robin", 2, games=2_000))
        for most in (1, 29, 1, 300, 1, 668):
            held.play(chance(most), most=most)
            curve = report(held.tournament, samples=0)["rating_curve"]
            games = 2 * len(held.tournament.results)
            assert curve["games"][-1] == games
            assert min(games, CURVE / 2) <= len(curve["games"]) <= CURVE
            step = curve["games"][0]
            assert curve["games"][:-1] == [step * n for n in range(1, len(curve["games"]))]
            assert {len(elos) for elos in curve["elo"].values()} == {len(curve["games"])}


class TestHowItStands:
    def test_is_what_the_events_say_whatever_happens(self, hall: Hall) -> None:
        director, standings = hall.runtime.director, hall.runtime.standings
        tournament = opened(hall.runtime, plan(4, "round_robin", games=60))

        def check() -> None:
            found = hall.runtime.director.find(tournament.id)
            standing = standings.of(tournament.id)
            assert standing.summary() == {**summary(found), "waits_for": None, "imported": None}
            assert (standing.version, standing.head, standing.at) == (
                found.version, found.head, found.at,
            )  # fmt: skip
            games = list(listed(standings, standing, 0, 1_000))
            assert len(games) == 3 * len(found.blocks)
            counted = sum(1 for _ in found.outcomes())
            assert sum(game["counts"] for game in games) == counted
            for after, limit in ((0, 1), (2, 5), (4, 3), (len(games) - 1, 10), (len(games), 1)):
                page = list(listed(standings, standing, after, limit))
                assert page == games[after : after + limit]

        check()
        play(hall.runtime, hall.find(tournament), most=3)
        check()
        director.pause(tournament.id, HOST)
        check()
        director.resume(tournament.id, HOST)
        block = hall.find(tournament).open_blocks()[0]
        failed = [
            result(by_number(block, seating), [[seating.index(block.lineup[0]), 1, "x"]])
            for seating in block.seatings("cyclic")
        ]
        director.record_block(tournament.id, block, failed, tournament.at)
        assert hall.find(tournament).disqualified
        check()
        director.cancel(tournament.id, "enough", HOST)
        check()

    def test_is_made_again_of_the_events(self, hall: Hall, redis_client: Redis) -> None:
        tournament = play(hall.runtime, opened(hall.runtime, games=60), most=12)
        key = game_key(tournament.id, "kept")
        before = redis_client.hgetall(key)
        redis_client.delete(key)
        hall.runtime.standings.make_again(tournament)
        assert redis_client.hgetall(key) == before


class Clock:
    """A clock on which each report takes a second; tests advance it otherwise."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        self.made = 0
        monkeypatch.setattr("service.tournaments.report_store.time.monotonic", lambda: self.now)
        monkeypatch.setattr(report_store, "figures", self._figures)

    def _figures(self, *arguments: object) -> JsonObject:
        self.now += 1
        self.made += 1
        return figures(*arguments)  # type: ignore[arg-type]  # as they came


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


def version(reports: Reports, tournament: Tournament) -> int:
    found = reports.kept(tournament.id)
    assert found is not None
    return int(found["version"])


class TestRefreshing:
    def test_takes_a_twentieth_of_a_process_s_time(
        self, hall: Hall, redis_client: Redis, clock: Clock
    ) -> None:
        reports = hall.runtime.reports
        tournament = play(hall.runtime, opened(hall.runtime), most=2)
        reports.refresh(tournament)
        first = version(reports, tournament)
        tournament = play(hall.runtime, tournament, most=1)
        clock.now += 1 / SHARE - 1
        reports.refresh(tournament)
        assert version(reports, tournament) == first
        redis_client.delete(game_key(tournament.id, "lease:refresh"))
        clock.now += 1
        reports.refresh(tournament)
        assert version(reports, tournament) == tournament.version
        assert clock.made == 2

    def test_is_done_by_one_process_at_a_time(self, hall: Hall, redis_client: Redis) -> None:
        tournament = play(hall.runtime, opened(hall.runtime), most=2)
        hall.runtime.reports.refresh(tournament)
        assert 0 < redis_client.pttl(game_key(tournament.id, "lease:refresh")) <= REFRESH_MS
        later = play(hall.runtime, tournament, most=1)
        other = Reports(hall.runtime.ledger.store)
        other.refresh(later)
        assert version(other, tournament) == tournament.version

    def test_never_goes_back(self, hall: Hall) -> None:
        early = play(hall.runtime, opened(hall.runtime), most=2)
        late = play(hall.runtime, early, most=2)
        for tournament in (late, early):
            hall.runtime.reports.catch_up(tournament)
        assert version(hall.runtime.reports, late) == late.version

    def test_forgets_what_the_store_has_lost(self, hall: Hall, redis_client: Redis) -> None:
        tournament = play(hall.runtime, opened(hall.runtime), most=2)
        key = game_key(tournament.id, "events")
        then = redis_client.dump(key), redis_client.dump(game_key(tournament.id, "kept"))
        hall.runtime.reports.catch_up(play(hall.runtime, tournament, most=4))
        for name, value in zip(("events", "kept"), then, strict=True):
            assert isinstance(value, bytes)
            redis_client.restore(game_key(tournament.id, name), 0, value, replace=True)
        reports, standing = hall.runtime.reports, hall.runtime.standings.of(tournament.id)
        assert reports.of(standing)["as_of"]["version"] == 0
        reports.catch_up(hall.find(tournament))
        assert reports.of(standing)["as_of"]["version"] == tournament.version


FEW = 8 * PART


class TestBands:
    @pytest.fixture(autouse=True)
    def _few(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(report_store, "SAMPLES", FEW)

    @pytest.fixture
    def ended(self, hall: Hall) -> Tournament:
        return play(hall.runtime, opened(hall.runtime, games=45))

    def test_are_drawn_by_whoever_has_time_and_are_the_same(
        self, hall: Hall, redis_client: Redis, ended: Tournament
    ) -> None:
        reports = hall.runtime.reports
        for number in range(1, 4):  # each in a process that had time for one part only
            assert not Reports(hall.runtime.ledger.store).draw_on(ended, lambda: False)
            assert reports.final(ended) is None
            assert reports.drawn(ended) == number
        time_for = iter(range(3))
        assert not reports.draw_on(ended, lambda: next(time_for) < 2)
        assert reports.drawn(ended) == 6
        assert Reports(hall.runtime.ledger.store).draw_on(ended, lambda: True)
        assert reports.final(ended) == report(ended, samples=FEW)
        assert reports.drawn(ended) == 0

    def test_cost_no_more_in_parts(
        self, hall: Hall, ended: Tournament, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The bootstrap is prepared once, and no drawing is made twice."""
        prepared, drawn = [], []
        draw, prepare = Bootstrap.draw, Bootstrap.__init__

        def preparing(self: Bootstrap, *arguments: Any) -> None:
            prepared.append(self)
            prepare(self, *arguments)

        def counting(self: Bootstrap, first: int, until: int) -> object:
            drawn.append((first, until))
            return draw(self, first, until)

        monkeypatch.setattr(Bootstrap, "__init__", preparing)
        monkeypatch.setattr(Bootstrap, "draw", counting)
        while not hall.runtime.reports.draw_on(ended, lambda: False):
            pass
        assert drawn == [(first, first + PART) for first in range(0, FEW, PART)]
        assert len(prepared) == 1

    def test_leave_the_worker_to_others_in_between(
        self, hall: Hall, new_hall: NewHall, ended: Tournament
    ) -> None:
        other = new_hall()
        hall.matches.seconds = 0.0
        assert hall.matches.play(ended.id)  # and more is to be done in the next turn
        reports = hall.runtime.reports
        assert reports.drawn(ended) == 1
        kept = reports.kept(ended.id)
        assert kept is not None
        assert (kept["version"], kept["samples"]) == (ended.version, 0)  # the end is shown at once
        with drawing_elsewhere(other, ended):
            assert not hall.matches.play(ended.id)  # another process makes it
        turns = 1
        while hall.matches.play(ended.id):
            turns += 1
        assert (turns, reports.drawn(ended)) == (7, 0)
        assert reports.final(ended) == report(ended, samples=FEW)


@contextmanager
def drawing_elsewhere(hall: Hall, tournament: Tournament) -> Iterator[None]:
    """Let another process make drawings."""
    leases = Leases(hall.runtime.redis)
    assert leases.take(tournament.id, REPORT)
    yield
    leases.give_back()


def test_a_tally_is_nobody_s_to_change() -> None:
    held = Held(plan(3, "round_robin", games=30))
    early = held.play(by_number, most=2).fork()
    before = report(early, samples=0)
    held.play(by_number)
    tally.of(held.tournament)
    assert report(early, samples=0) == before
