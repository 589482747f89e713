"""Ratings over all tournaments: each tournament counts once, in any order."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from threading import Event
from typing import Any

import pytest
from redis import Redis

from rules.kernel.canonical import JsonObject
from service.administration.acts import ActTerms, Administration
from service.administration.journal import Who
from service.players.players import Players
from service.tournaments.figures.ratings import Comparisons, elo, ratings
from service.tournaments.global_ratings import KEPT, FieldTotals, GlobalRatings
from service.tournaments.plan import BadPlanError
from service.tournaments.standing import TournamentStanding
from tests.service.tournaments.conftest import HOST, Hall


def rated(ratings: GlobalRatings) -> FieldTotals:
    """Return the ratings of the host's tournaments, which are all in one field."""
    (found,) = ratings.of("sealed", HOST["player"]).values() or [FieldTotals()]
    return found


def rows(hall: Hall, host: str | None = HOST["player"], **wanted: object) -> dict[str, JsonObject]:
    listed = hall.runtime.ratings.to_json("sealed", host, wanted)["ratings"]
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
    assert rated(hall.runtime.ratings).tournaments == 2
    found = rows(hall)
    assert (found["greedy@2"]["rating"], found["greedy@2"]["elo"]) == (0, 1500)
    assert found["random@1"]["rating"] == round(plain - greedy, 4)
    assert found["random@1"]["elo"] == round(elo(plain - greedy), 1)
    assert {bot: row["games"] for bot, row in found.items()} == {"greedy@2": 16, "random@1": 32}


def test_a_bot_that_met_only_itself_is_not_rated(hall: Hall) -> None:
    hall.hold(entries=[{"bot": "random"}, {"bot": "random"}])
    assert (rows(hall)["random@1"]["rating"], rows(hall)["random@1"]["elo"]) == (None, None)


def test_what_is_kept_may_be_lost(hall: Hall, redis_client: Redis) -> None:
    hall.hold(seed="a")
    hall.hold(seed="b", rated=False)
    hall.hold(seed="c")
    found = rated(hall.runtime.ratings)
    assert found.tournaments == 2
    redis_client.delete(KEPT)
    assert rated(hall.runtime.ratings).tournaments == 0
    hall.runtime.ratings.catch_up()
    assert rated(hall.runtime.ratings) == found
    hall.runtime.ratings.catch_up()  # nothing counts twice
    assert rated(hall.runtime.ratings) == found


def test_it_does_not_matter_which_tournament_is_counted_first(
    hall: Hall, redis_client: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = hall.hold(seed="a")
    hall.hold(seed="b", entries=[{"bot": "random"}, {"bot": "greedy"}])
    found = rated(hall.runtime.ratings)
    redis_client.delete(KEPT)
    everything = hall.runtime.ratings._over

    def others(places: Sequence[str], without: set[str]) -> Iterator[TournamentStanding]:
        return (one for one in everything(places, without) if one.id != first.id)

    with monkeypatch.context() as hidden:
        hidden.setattr(hall.runtime.ratings, "_over", others)
        hall.runtime.ratings.catch_up()
    assert rated(hall.runtime.ratings).tournaments == 1
    hall.runtime.ratings.catch_up()
    assert rated(hall.runtime.ratings) == found


def test_of_two_processes_that_catch_up_neither_undoes_the_other(
    hall: Hall, redis_client: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = hall.hold(seed="a")
    hall.hold(seed="b")
    redis_client.delete(KEPT)
    director, standings = hall.runtime.director, hall.runtime.standings
    registry, bots = hall.runtime.registry, hall.runtime.bots
    slow, quick = (
        GlobalRatings(redis_client, director, standings, registry, bots, []) for _ in range(2)
    )
    looked, go_on = Event(), Event()

    def over(_places: Sequence[str], without: set[str]) -> list[TournamentStanding]:
        # The second one had not ended.
        looked.set()
        go_on.wait(10)
        return [] if first.id in without else [standings.of(first.id)]

    monkeypatch.setattr(slow, "_over", over)
    with ThreadPoolExecutor() as threads:
        one = threads.submit(slow.catch_up)
        looked.wait(10)
        other = threads.submit(quick.catch_up)
        wait([other], timeout=1)
        go_on.set()
        one.result(10)
        other.result(10)
    assert rated(quick).tournaments == 2


def named(hall: Hall, *hosts: str) -> GlobalRatings:
    """Return the ratings of a service whose operator names these hosts."""
    runtime = hall.runtime
    return GlobalRatings(
        runtime.redis, runtime.director, runtime.standings, runtime.registry, runtime.bots, hosts
    )


def test_nobody_moves_the_public_ratings_whom_the_operator_has_not_named(hall: Hall) -> None:
    hall.hold(seed="a")
    assert hall.runtime.ratings.of("sealed") == {}
    own = hall.runtime.ratings.of("sealed", HOST["player"])
    assert own
    assert hall.runtime.ratings.of("sealed", "p-somebodyelse2345") == {}
    named(hall, HOST["player"]).catch_up()
    public = named(hall, HOST["player"], "p-somebodyelse2345")
    assert public.of("sealed") == own, "what was counted before he was named counts too"
    assert hall.runtime.ratings.of("sealed") == {}, "and no more once he is named no more"
    public.catch_up()
    kept: Any = hall.runtime.redis.hget(KEPT, "public:sealed")
    assert HOST["player"].encode() in kept, "and are added up once, not by each who reads"


def test_what_was_played_before_an_upgrade_counts_when_that_is_finished(hall: Hall) -> None:
    hall.hold(seed="a")
    found = rated(hall.runtime.ratings)
    hall.runtime.redis.delete(KEPT)
    Administration(hall.runtime, Players(hall.runtime.redis)).finish_upgrade(
        ActTerms(Who("ana"), "all is new")
    )
    assert rated(hall.runtime.ratings) == found


def test_games_that_cannot_be_compared_are_rated_apart(hall: Hall) -> None:
    hall.hold(seed="a")
    hall.hold(seed="b", seats=3)
    hall.hold(seed="c", entries=[{"bot": "random"}, {"bot": "random"}])
    listed = hall.runtime.ratings.to_json("sealed", HOST["player"], {})
    assert [(one["seats"], one["tournaments"]) for one in listed["fields"]] == [(2, 2), (3, 1)]
    assert listed["field"] == listed["fields"][0]
    assert rows(hall, seats=3)["greedy@2"]["games"] != rows(hall, seats=2)["greedy@2"]["games"]
    none = hall.runtime.ratings.to_json("sealed", HOST["player"], {"seats": 4})
    assert (none["field"], none["anchor"], none["ratings"]) == (None, None, [])


def test_options_of_its_own_keep_a_tournament_from_being_rated(hall: Hall) -> None:
    option = next(o for o in hall.runtime.registry.find("sealed").info.options)
    other = next(v for v in option.kind.values() if v != option.default)
    options = {option.name: other}
    assert not hall.open(options=options).plan.rated
    with pytest.raises(BadPlanError, match="usual options"):
        hall.open(options=options, rated=True)


def test_numbers_mean_the_same_whoever_plays(hall: Hall) -> None:
    """``greedy`` has 1500; if it has not played, the mean of all bots is 1500."""
    hall.hold(seed="a")
    listed = hall.runtime.ratings.to_json("sealed", HOST["player"], {})
    assert listed["anchor"] == "greedy@2"
    assert rows(hall)["greedy@2"]["elo"] == 1500
    hall.hold(seed="b", seats=3, entries=[{"bot": "random"}, {"bot": "lookahead"}] * 2)
    apart = hall.runtime.ratings.to_json("sealed", HOST["player"], {"seats": 3})
    assert apart["anchor"] is None
    assert sum(row["elo"] for row in apart["ratings"]) == 3000
