"""Ratings over all tournaments: counted once each, in the order in which they ended."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from threading import Event

import pytest
from redis import Redis

from service.tournaments.global_ratings import KEPT, GlobalRatings
from service.tournaments.ratings import games_of, rate
from service.tournaments.tournament import Tournament
from tests.service.tournaments.conftest import Hall


def test_they_are_what_all_games_in_a_row_come_to(hall: Hall) -> None:
    first, second = hall.hold(seed="a"), hall.hold(seed="b")
    found = hall.runtime.ratings.of("sealed")
    assert (found.tournaments, found.last) == (2, (second.at, second.id))
    bots = [f"{entry.bot}@1" for entry in first.plan.entries]
    games = games_of([*first.outcomes(), *second.outcomes()], bots)
    listed = found.to_json("sealed")["ratings"]
    assert {row["bot"]: row["mu"] for row in listed} == {
        bot: round(rating.mu, 4) for bot, rating in rate(games).items()
    }
    assert {row["bot"]: row["games"] for row in listed} == {"greedy@1": 16, "random@1": 32}


def test_what_is_kept_may_be_lost(hall: Hall, redis_client: Redis) -> None:
    hall.hold(seed="a")
    hall.hold(seed="b", rated=False)
    hall.hold(seed="c")
    found = hall.runtime.ratings.of("sealed")
    assert found.tournaments == 2
    redis_client.delete(KEPT)
    assert hall.runtime.ratings.of("sealed").tournaments == 0
    hall.runtime.ratings.catch_up()
    assert hall.runtime.ratings.of("sealed") == found
    hall.runtime.ratings.catch_up()  # nothing counts twice
    assert hall.runtime.ratings.of("sealed") == found


def test_who_is_late_still_counts_in_its_place(
    hall: Hall, redis_client: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = hall.hold(seed="a")
    hall.hold(seed="b", entries=[{"bot": "random"}, {"bot": "greedy"}])
    found = hall.runtime.ratings.of("sealed")
    redis_client.delete(KEPT)
    ratings = hall.runtime.ratings

    def others(all_: Callable[[], Iterator[str]] = ratings._all) -> Iterator[str]:
        return (name for name in all_() if name != first.id)

    with monkeypatch.context() as hidden:
        hidden.setattr(ratings, "_all", others)
        ratings.catch_up()
    assert ratings.of("sealed").tournaments == 1
    ratings.catch_up()
    assert ratings.of("sealed") == found


def test_of_two_processes_that_catch_up_neither_undoes_the_other(
    hall: Hall, redis_client: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = hall.hold(seed="a")
    hall.hold(seed="b")
    redis_client.delete(KEPT)
    slow, quick = (GlobalRatings(redis_client, hall.runtime.director) for _ in range(2))
    looked, go_on = Event(), Event()

    def over(without: set[str]) -> list[Tournament]:  # before the second one had ended
        looked.set()
        go_on.wait(10)
        return [] if first.id in without else [first]

    monkeypatch.setattr(slow, "_over", over)
    with ThreadPoolExecutor() as threads:
        one = threads.submit(slow.catch_up)
        looked.wait(10)
        other = threads.submit(quick.catch_up)
        wait([other], timeout=1)
        go_on.set()
        one.result(10)
        other.result(10)
    assert quick.of("sealed").tournaments == 2
