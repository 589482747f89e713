"""Ratings over all tournaments: counted once each, whatever their order."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from threading import Event

import pytest
from redis import Redis

from rules.kernel.canonical import JsonObject
from service.tournaments.global_ratings import KEPT, GlobalRatings
from service.tournaments.ratings import Comparisons, elo, ratings
from service.tournaments.standing import Standing
from tests.service.tournaments.conftest import Hall


def rows(hall: Hall) -> dict[str, JsonObject]:
    listed = hall.runtime.ratings.of("sealed").to_json("sealed")["ratings"]
    return {row["bot"]: row for row in listed}


def test_they_are_what_all_games_together_come_to(hall: Hall) -> None:
    first, second = hall.hold(seed="a"), hall.hold(seed="b")
    comparisons = Comparisons()
    for outcome in [*first.outcomes(), *second.outcomes()]:
        bots = tuple(min(entry, 1) for entry in outcome.seating)  # 1 and 2 are the same bot
        comparisons.add([outcome._replace(seating=bots)])
    greedy, plain = ratings(2, comparisons)
    assert greedy is not None
    assert plain is not None
    assert hall.runtime.ratings.of("sealed").tournaments == 2
    found = rows(hall)
    assert found["greedy@2"]["rating"] == round(greedy, 4)
    assert found["greedy@2"]["elo"] == round(elo(greedy), 1)
    assert found["random@1"]["rating"] == round(plain, 4)
    assert {bot: row["games"] for bot, row in found.items()} == {"greedy@2": 16, "random@1": 32}


def test_a_bot_that_met_only_itself_is_not_rated(hall: Hall) -> None:
    hall.hold(entries=[{"bot": "random"}, {"bot": "random"}])
    assert (rows(hall)["random@1"]["rating"], rows(hall)["random@1"]["elo"]) == (None, None)


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


def test_it_does_not_matter_which_tournament_is_counted_first(
    hall: Hall, redis_client: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = hall.hold(seed="a")
    hall.hold(seed="b", entries=[{"bot": "random"}, {"bot": "greedy"}])
    found = hall.runtime.ratings.of("sealed")
    redis_client.delete(KEPT)
    everything = hall.runtime.ratings._all

    def others(without: set[str]) -> Iterator[Standing]:
        return (one for one in everything(without) if one.id != first.id)

    with monkeypatch.context() as hidden:
        hidden.setattr(hall.runtime.ratings, "_all", others)
        hall.runtime.ratings.catch_up()
    assert hall.runtime.ratings.of("sealed").tournaments == 1
    hall.runtime.ratings.catch_up()
    assert hall.runtime.ratings.of("sealed") == found


def test_of_two_processes_that_catch_up_neither_undoes_the_other(
    hall: Hall, redis_client: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = hall.hold(seed="a")
    hall.hold(seed="b")
    redis_client.delete(KEPT)
    director, standings = hall.runtime.director, hall.runtime.standings
    slow, quick = (GlobalRatings(redis_client, director, standings) for _ in range(2))
    looked, go_on = Event(), Event()

    def all_(without: set[str]) -> list[Standing]:  # before the second one had ended
        looked.set()
        go_on.wait(10)
        return [] if first.id in without else [standings.of(first.id)]

    monkeypatch.setattr(slow, "_all", all_)
    with ThreadPoolExecutor() as threads:
        one = threads.submit(slow.catch_up)
        looked.wait(10)
        other = threads.submit(quick.catch_up)
        wait([other], timeout=1)
        go_on.set()
        one.result(10)
        other.result(10)
    assert quick.of("sealed").tournaments == 2
